//! A relay that is killed while it stores: nothing it confirmed is lost.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use golem_chain::{Deployment, EndpointSettings, Endpoints, OnChainRegister};
use golem_ports::{Clade as _, WordKind};
use golem_primitives::UtcTime;
use golem_relay::{FolderArchive, Gate, Realm, Relay, RelaySettings, SqliteLog};
use tokio::net::TcpListener;

use crate::raw::{Raw, word};
use crate::world::{START, World, hear};

const CHILD: &str = "BARDO_TEST_RELAY";

/// A relay in a process of its own, when another test starts it as one.
#[tokio::test(flavor = "multi_thread")]
async fn relay_child() {
    let Ok(told) = std::env::var(CHILD) else { return };
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    let text = |name: &str| told[name].as_str().expect(name).to_owned();
    let folder = text("folder");
    let here = Deployment::from_json(&text("running")).expect("a devnet's own words");
    let endpoints = Endpoints::connect(&[text("rpc")], EndpointSettings::devnet()).await.expect("connected");
    let realm = Realm { chain: here.chain_id, lineage: here.lineage };
    let register = Arc::new(OnChainRegister::new(endpoints, here));
    let gate = Gate::new(register, realm, std::time::Duration::from_secs(1));
    let log = SqliteLog::open(Path::new(&folder)).expect("opened");
    let archive = FolderArchive::open(&Path::new(&folder).join("archive")).expect("opened");
    let listener = TcpListener::bind(text("listen")).await.expect("a port");
    let name = listener.local_addr().expect("an address").to_string();
    // Time passes by the second, so that who sends much is not held up by the rate.
    let began = std::time::Instant::now();
    let clock = Arc::new(move || UtcTime::from_seconds(START + began.elapsed().as_millis() as u64 / 200));
    let settings = RelaySettings { clock, ..RelaySettings::new(name.clone()) };
    let relay = Relay::new(Arc::new(log), Arc::new(archive), gate, settings).await.expect("ready");
    writeln!(std::io::stderr(), "listens {name}").expect("a parent that listens");
    relay.run(listener).await;
}

fn start(world: &World, listen: &str) -> (Child, SocketAddr) {
    let told = serde_json::json!({
        "folder": world.dir.path().join("relay"),
        "running": serde_json::to_string(&world.net.running()).expect("plain data"),
        "rpc": world.net.rpc_url(),
        "listen": listen,
    });
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "killed::relay_child", "--nocapture", "--test-threads=1"])
        .env(CHILD, told.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a child");
    let lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let name = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("listens ").map(str::to_owned));
    (child, name.expect("it listens").parse().expect("an address"))
}

/// kill -9 in the middle, twice; every word arrives, each once and in order, and what was confirmed is there.
#[tokio::test(flavor = "multi_thread")]
async fn r_040_nothing_acknowledged_is_lost_when_a_relay_is_killed() {
    let (world, [one, two, three], _) = World::with_clade().await;
    let (mut child, address) = start(&world, "127.0.0.1:0");
    let name = address.to_string();
    let mut speaker = world.link(&one, Some(&name));
    let mut listener = world.link(&two, Some(&name));
    const WORDS: usize = 60;
    for n in 0..WORDS {
        speaker.say(WordKind::Batch, &n.to_be_bytes(), world.now()).expect("said");
    }
    let mut raw = Raw::hello(&world, &three, &name).await.expect("in");
    let mut confirmed = 0;
    for round in 0..2 {
        for _ in 0..6 {
            let frame = word(&world, &three, confirmed + 1, b"confirmed").await;
            if raw.tell(frame.encode()).await == "stored" {
                confirmed += 1;
            }
        }
        // One more is on its way when it is killed.
        raw.send(word(&world, &three, confirmed + 1, b"confirmed").await.encode()).await;
        child.kill().expect("killed");
        child.wait().expect("dead");
        child = start(&world, &name).0;
        raw = Raw::hello(&world, &three, &name).await.expect("in again");
        let last = raw.ready["last_seq"].as_u64().expect("a number");
        assert!(last == confirmed || last == confirmed + 1, "round {round}: {confirmed} confirmed, {last} kept");
        confirmed = last;
    }
    let heard = hear(&mut listener, WORDS + confirmed as usize).await;
    let of = |who| heard.iter().filter(move |word| word.from == who);
    let numbers: Vec<_> = of(one.id()).map(|word| word.body.clone()).collect();
    let said: Vec<_> = (0..WORDS).map(|n| n.to_be_bytes().to_vec()).collect();
    assert_eq!(numbers, said, "each once, in order");
    assert_eq!(of(three.id()).count() as u64, confirmed);
    child.kill().expect("killed");
    child.wait().expect("dead");
}
