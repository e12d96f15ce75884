//! R-040, R-041: stored frames a second and how soon they are heard, on one machine and on NATS, beside what is below them.
//!
//! Senders, relays and listeners share the machine. The chain is a table in memory: what is measured is signatures, sockets
//! and disks. `BARDO_NATS` names the nats-server.

#![allow(clippy::print_stdout, reason = "a bench tells its figures")]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use alloy::primitives::{Address, B256, U256};
use alloy::signers::SignerSync as _;
use alloy::signers::local::PrivateKeySigner;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use golem_ports::{Enrolled, Register, RegisterAnswer, Vital, WordKind};
use golem_primitives::{AgentId, UtcTime};
use golem_relay::{
    FolderArchive, Frame, Gate, Log, NatsLog, NatsSettings, Realm, Relay, RelayClock, RelaySettings, SIGNATURE_BYTES,
    SqliteLog, Statement, statements,
};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

const REALM: Realm = Realm { chain: 31_337, lineage: Address::repeat_byte(9) };
const START: u64 = 1_800_000_000;
const BODY: usize = 1_024;
/// Links that send at once, and what each sends.
const SENDERS: usize = 64;
const EACH: u64 = 250;
/// Who hears one sender, and how often.
const LISTENERS: usize = 100;
const ROUNDS: usize = 200;
const IDLE: usize = 5_000;

/// Golem n, of owner n / 200.
fn key(n: usize) -> PrivateKeySigner {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&(n as u64 + 1).to_be_bytes());
    PrivateKeySigner::from_bytes(&B256::from(bytes)).expect("a key")
}

fn vault(n: usize) -> Address {
    Address::left_padding_from(&(n as u64 + 1).to_be_bytes())
}

struct Table;

impl Register for Table {
    fn block(&self) -> RegisterAnswer<'_, u64> {
        Box::pin(async { Ok(1) })
    }

    fn enrolled(&self, vault: Address) -> RegisterAnswer<'_, Option<Enrolled>> {
        let n = u64::from_be_bytes(vault[12..].try_into().expect("eight")) as usize - 1;
        let owner = Address::left_padding_from(&(1_000_000 + n as u64 / 200).to_be_bytes());
        let enrolled = Enrolled {
            agent: AgentId(U256::from(n)),
            owner,
            bound_owner: owner,
            key: key(n).address(),
            vital: Vital::Alive,
        };
        Box::pin(async move { Ok(Some(enrolled)) })
    }
}

fn frame(n: usize, seq: u64, at: u64) -> Frame {
    let mut frame = Frame {
        vault: vault(n),
        seq,
        at: UtcTime::from_seconds(at),
        kind: WordKind::Batch,
        signature: [0; SIGNATURE_BYTES],
        body: vec![seq as u8; BODY],
    };
    frame.signature = key(n).sign_hash_sync(&REALM.digest(&frame.statement())).expect("signed").as_bytes();
    frame
}

/// A clock that lets every sender through: a second for half a round of all senders.
fn clock() -> RelayClock {
    let calls = AtomicU64::new(0);
    Arc::new(move || UtcTime::from_seconds(START + calls.fetch_add(1, Ordering::Relaxed) / (SENDERS as u64 / 2)))
}

/// A clock that somebody moves.
fn moved() -> (RelayClock, Arc<AtomicU64>) {
    let hand = Arc::new(AtomicU64::new(START));
    let read = Arc::clone(&hand);
    (Arc::new(move || UtcTime::from_seconds(read.load(Ordering::Relaxed))), hand)
}

async fn serve(log: Arc<dyn Log>, dir: &Path, clock: RelayClock) -> String {
    let archive = FolderArchive::open(&dir.join("archive")).expect("opened");
    let gate = Gate::new(Arc::new(Table), REALM, Duration::from_secs(3_600));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let name = listener.local_addr().expect("an address").to_string();
    let settings = RelaySettings { clock, ..RelaySettings::new(name.clone()) };
    let relay = Relay::new(log, Arc::new(archive), gate, settings).await.expect("ready");
    tokio::spawn(relay.run(listener));
    name
}

type Out = SplitSink<WebSocketStream<TcpStream>, Message>;
type In = SplitStream<WebSocketStream<TcpStream>>;

async fn join(relay: &str, n: usize) -> (Out, In) {
    let tcp = TcpStream::connect(relay).await.expect("connected");
    tcp.set_nodelay(true).expect("set");
    let (mut socket, _) = tokio_tungstenite::client_async(format!("ws://{relay}/"), tcp).await.expect("shaken");
    let Some(Ok(Message::Text(text))) = socket.next().await else { panic!("no challenge") };
    let told: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let nonce: B256 = told["challenge"]["nonce"].as_str().expect("a number").parse().expect("32 bytes");
    let hello = statements::Hello { vault: vault(n), relay: relay.to_owned(), nonce, at: START };
    let signature = key(n).sign_hash_sync(&REALM.digest(&Statement::Hello(hello))).expect("signed").as_bytes();
    let said = serde_json::json!({
        "hello": { "vault": vault(n), "at": START, "signature": alloy::hex::encode_prefixed(signature) }
    });
    socket.send(Message::Text(said.to_string().into())).await.expect("sent");
    let Some(Ok(Message::Text(text))) = socket.next().await else { panic!("no answer") };
    assert!(text.contains("ready"), "{text}");
    socket.split()
}

/// Stored frames a second, through sockets and signatures.
async fn stored(relays: &[String], first: usize) -> f64 {
    let mut senders = Vec::new();
    for n in 0..SENDERS {
        let (mut out, mut inn) = join(&relays[n % relays.len()], first + n * 200).await;
        let frames: Vec<_> = (1..=EACH).map(|seq| frame(first + n * 200, seq, START + EACH).encode()).collect();
        senders.push(async move {
            let send = async {
                for frame in frames {
                    out.send(Message::Binary(frame.into())).await.expect("sent");
                }
                out
            };
            let hear = async {
                let mut count = 0;
                while count < EACH {
                    match inn.next().await.expect("open").expect("open") {
                        Message::Text(text) if text.contains("stored") => count += 1,
                        Message::Text(text) if text.contains("refused") => panic!("{text}"),
                        _ => {}
                    }
                }
            };
            tokio::join!(send, hear)
        });
    }
    let began = Instant::now();
    let tasks: Vec<_> = senders.into_iter().map(tokio::spawn).collect();
    for task in tasks {
        let (out, ()) = task.await.expect("sent");
        drop(out);
    }
    (SENDERS as u64 * EACH) as f64 / began.elapsed().as_secs_f64()
}

/// Appends a second, without sockets and signatures.
async fn appended(log: Arc<dyn Log>, first: usize) -> f64 {
    let frames: Vec<Vec<Frame>> = (0..SENDERS)
        .map(|n| (1..=EACH).map(|seq| Frame { vault: vault(first + n), ..frame(0, seq, START) }).collect())
        .collect();
    let now = UtcTime::from_seconds(START);
    let began = Instant::now();
    let tasks: Vec<_> = frames
        .into_iter()
        .map(|frames| {
            let log = Arc::clone(&log);
            tokio::spawn(async move {
                for frame in &frames {
                    log.append(Address::repeat_byte(3), frame, now).await.expect("kept");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("appended");
    }
    (SENDERS as u64 * EACH) as f64 / began.elapsed().as_secs_f64()
}

/// Milliseconds from sending to each of a hundred listeners: half and 99 of 100.
async fn heard(relays: &[String], first: usize, hand: &AtomicU64) -> (f64, f64) {
    let (told, mut times) = tokio::sync::mpsc::unbounded_channel();
    for n in 1..=LISTENERS {
        let (out, mut inn) = join(&relays[n % relays.len()], first + n).await;
        let told = told.clone();
        tokio::spawn(async move {
            let _open = out;
            while let Some(Ok(message)) = inn.next().await {
                if matches!(message, Message::Binary(_)) {
                    let _ = told.send(Instant::now());
                }
            }
        });
    }
    let (mut out, inn) = join(&relays[0], first).await;
    tokio::spawn(inn.for_each(|_| async {}));
    let mut waits = Vec::new();
    for seq in 1..=ROUNDS as u64 {
        let at = hand.fetch_add(1, Ordering::Relaxed);
        let bytes = frame(first, seq, at).encode();
        let began = Instant::now();
        out.send(Message::Binary(bytes.into())).await.expect("sent");
        for _ in 0..LISTENERS {
            waits.push(times.recv().await.expect("heard").duration_since(began).as_secs_f64() * 1_000.0);
        }
    }
    quantiles(waits)
}

fn quantiles(mut waits: Vec<f64>) -> (f64, f64) {
    waits.sort_by(f64::total_cmp);
    (waits[waits.len() / 2], waits[waits.len() * 99 / 100])
}

/// A nats-server, ended with us.
struct Nats {
    leash: Child,
    url: String,
    _dir: tempfile::TempDir,
}

impl Drop for Nats {
    fn drop(&mut self) {
        drop(self.leash.stdin.take());
        let _ = self.leash.wait();
    }
}

fn nats() -> Nats {
    let program = PathBuf::from(std::env::var_os("BARDO_NATS").expect("BARDO_NATS: run `. scripts/setup` first"));
    let dir = tempfile::tempdir().expect("a folder");
    let free = || std::net::TcpListener::bind("127.0.0.1:0").and_then(|one| one.local_addr()).expect("a port").port();
    let (port, health) = (free(), free());
    let config = format!(
        "listen: \"127.0.0.1:{port}\"\nhttp: \"127.0.0.1:{health}\"\nmax_payload: 1114112\n\
         jetstream {{ store_dir: \"{}\", max_mem: 64MB, max_file: 200GB }}\n",
        dir.path().display()
    );
    std::fs::write(dir.path().join("nats.conf"), config).expect("written");
    let leash = Command::new("sh")
        .args(["-c", r#""$@" </dev/null >/dev/null 2>&1 & child=$!; read -r _; kill "$child""#, "leash"])
        .arg(program)
        .arg("-c")
        .arg(dir.path().join("nats.conf"))
        .stdin(Stdio::piped())
        .spawn()
        .expect("nats-server");
    loop {
        if let Ok(mut stream) = std::net::TcpStream::connect(("127.0.0.1", health)) {
            let mut answer = String::new();
            let _ = stream
                .write_all(b"GET /healthz HTTP/1.0\r\n\r\n")
                .and_then(|()| stream.read_to_string(&mut answer).map(drop));
            if answer.contains("\"ok\"") {
                break;
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Nats { leash, url: format!("nats://127.0.0.1:{port}"), _dir: dir }
}

/// Publish with acknowledgement and id, as many at once as there are senders; and what a consumer fetches.
async fn raw_publish(url: &str) -> (f64, f64) {
    let client = async_nats::connect(url).await.expect("connected");
    let context = async_nats::jetstream::new(client);
    let config = async_nats::jetstream::stream::Config {
        name: "RAW".to_owned(),
        subjects: vec!["raw.>".to_owned()],
        ..Default::default()
    };
    let stream = context.create_stream(config).await.expect("made");
    let body = vec![7_u8; BODY + 103];
    let began = Instant::now();
    let tasks: Vec<_> = (0..SENDERS)
        .map(|n| {
            let (context, body) = (context.clone(), body.clone());
            tokio::spawn(async move {
                for seq in 0..EACH {
                    let message = async_nats::jetstream::message::PublishMessage::build()
                        .payload(body.clone().into())
                        .message_id(format!("{n}:{seq}"));
                    context.send_publish(format!("raw.{n}"), message).await.expect("sent").await.expect("kept");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("published");
    }
    let all = SENDERS as u64 * EACH;
    let published = all as f64 / began.elapsed().as_secs_f64();
    let config = async_nats::jetstream::consumer::pull::Config {
        ack_policy: async_nats::jetstream::consumer::AckPolicy::None,
        ..Default::default()
    };
    let consumer = stream.create_consumer(config).await.expect("made");
    let began = Instant::now();
    let messages = consumer.messages().await.expect("asked").take(all as usize);
    messages.for_each(|message| async move { drop(message.expect("read")) }).await;
    (published, all as f64 / began.elapsed().as_secs_f64())
}

/// NATS alone from one client to a hundred.
async fn raw_heard(url: &str) -> (f64, f64) {
    let (told, mut times) = tokio::sync::mpsc::unbounded_channel();
    let mut clients = Vec::new();
    for _ in 0..LISTENERS {
        let client = async_nats::connect(url).await.expect("connected");
        let mut live = client.subscribe("fan").await.expect("subscribed");
        client.flush().await.expect("known");
        let told = told.clone();
        tokio::spawn(async move {
            while live.next().await.is_some() {
                let _ = told.send(Instant::now());
            }
        });
        clients.push(client);
    }
    let client = async_nats::connect(url).await.expect("connected");
    let mut waits = Vec::new();
    for _ in 0..ROUNDS {
        let began = Instant::now();
        client.publish("fan", vec![7; BODY + 103].into()).await.expect("sent");
        client.flush().await.expect("sent");
        for _ in 0..LISTENERS {
            waits.push(times.recv().await.expect("heard").duration_since(began).as_secs_f64() * 1_000.0);
        }
    }
    quantiles(waits)
}

/// What a second core-bound look at a signature allows, on one core.
fn recovered() -> f64 {
    let frame = frame(1, 1, START);
    let began = Instant::now();
    for _ in 0..2_000 {
        assert!(REALM.signer(&frame.statement(), &frame.signature).is_some());
    }
    2_000.0 / began.elapsed().as_secs_f64()
}

/// Catch-up: frames a second of pages of a thousand.
async fn caught_up(log: &dyn Log) -> f64 {
    let now = UtcTime::from_seconds(START);
    let (mut place, mut count) = (0, 0);
    let began = Instant::now();
    loop {
        let page = log.after(Address::repeat_byte(3), place, golem_relay::PAGE, now).await.expect("read");
        count += page.entries.len();
        match page.entries.last() {
            Some(last) if page.more => place = last.place,
            _ => return count as f64 / began.elapsed().as_secs_f64(),
        }
    }
}

/// Kibibytes of memory of a process.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmRSS")).expect("told");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

const CHILD: &str = "BARDO_BENCH_RELAY";

/// A relay in a process of its own, so that only its memory is weighed.
async fn child(dir: &str) {
    let log = Arc::new(SqliteLog::open(&Path::new(dir).join("log")).expect("opened"));
    let name = serve(log, Path::new(dir), moved().0).await;
    println!("listens {name}");
    std::future::pending::<()>().await;
}

async fn idle() -> f64 {
    let dir = tempfile::tempdir().expect("a folder");
    let mut process = Command::new(std::env::current_exe().expect("this bench"))
        .env(CHILD, dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a relay");
    let lines = BufReader::new(process.stdout.take().expect("piped")).lines();
    let name = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("listens ").map(str::to_owned));
    let name = name.expect("it listens");
    let mut links = HashMap::new();
    for n in 0..200 {
        links.insert(n, join(&name, n * 200).await);
    }
    let before = resident(process.id());
    for n in 200..200 + IDLE {
        links.insert(n, join(&name, n * 200).await);
    }
    let after = resident(process.id());
    drop(links);
    process.kill().expect("killed");
    process.wait().expect("ended");
    (after - before) as f64 / IDLE as f64
}

#[tokio::main]
async fn main() {
    if let Ok(dir) = std::env::var(CHILD) {
        return child(&dir).await;
    }
    // A check that it runs is all that `cargo test --benches` wants of it.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    println!("signatures looked at, one core          {:>9.0} /s", recovered());
    let log = Arc::new(SqliteLog::open(&dir.path().join("a")).expect("opened"));
    println!("SQLite: appended, 64 at once            {:>9.0} /s", appended(log.clone(), 900_000).await);
    println!("SQLite: caught up in pages              {:>9.0} /s", caught_up(&*log).await);
    let log = Arc::new(SqliteLog::open(&dir.path().join("b")).expect("opened"));
    let relay = serve(log, &dir.path().join("b"), clock()).await;
    println!("embedded relay: stored, 64 links        {:>9.0} /s", stored(&[relay], 0).await);
    let log = Arc::new(SqliteLog::open(&dir.path().join("c")).expect("opened"));
    let (given, hand) = moved();
    let relay = serve(log, &dir.path().join("c"), given).await;
    let (half, most) = heard(&[relay], 0, &hand).await;
    println!("embedded relay: heard by 100            {half:>9.1} ms  p99 {most:.1} ms");
    let nats = nats();
    let (published, consumed) = raw_publish(&nats.url).await;
    println!("NATS alone: published, 64 at once       {published:>9.0} /s");
    println!("NATS alone: consumed                    {consumed:>9.0} /s");
    let log = Arc::new(NatsLog::connect(&nats.url, NatsSettings::default()).await.expect("connected"));
    println!("NATS: appended, 64 at once              {:>9.0} /s", appended(log.clone(), 910_000).await);
    println!("NATS: caught up in pages                {:>9.0} /s", caught_up(&*log).await);
    let mut relays = Vec::new();
    let shared = clock();
    for n in 0..2 {
        let log = Arc::new(NatsLog::connect(&nats.url, NatsSettings::default()).await.expect("connected"));
        relays.push(serve(log, &dir.path().join(format!("n{n}")), RelayClock::clone(&shared)).await);
    }
    println!("two relays on NATS: stored, 64 links    {:>9.0} /s", stored(&relays, 20_000).await);
    let (half, most) = raw_heard(&nats.url).await;
    println!("NATS alone: heard by 100                {half:>9.1} ms  p99 {most:.1} ms");
    let mut relays = Vec::new();
    let (shared, hand) = moved();
    for n in 0..2 {
        let log = Arc::new(NatsLog::connect(&nats.url, NatsSettings::default()).await.expect("connected"));
        relays.push(serve(log, &dir.path().join(format!("m{n}")), RelayClock::clone(&shared)).await);
    }
    let (half, most) = heard(&relays, 60_000, &hand).await;
    println!("two relays on NATS: heard by 100        {half:>9.1} ms  p99 {most:.1} ms");
    println!("memory of an idle link, {IDLE} of them    {:>9.1} KiB", idle().await);
}
