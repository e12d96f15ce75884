//! Three NATS servers under failure: one that leads is killed, then a second one, and they come back.

use std::sync::Arc;
use std::time::Duration;

use alloy::primitives::{Address, keccak256};
use async_nats::jetstream;
use golem_ports::WordKind;
use golem_primitives::UtcTime;
use golem_relay::{Frame, Log, LogError, NatsLog, NatsSettings, SIGNATURE_BYTES};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use crate::nats::{Cluster, TOKEN};

const ANN: Address = Address::repeat_byte(1);
/// Vaults that speak, half of them through each relay.
const VAULTS: u8 = 4;
/// Frames of each.
const FRAMES: u64 = 40;

fn now() -> UtcTime {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    UtcTime::from_seconds(since.as_secs())
}

fn frame(vault: u8, seq: u64) -> Frame {
    Frame {
        vault: Address::repeat_byte(vault),
        seq,
        at: now(),
        kind: WordKind::Batch,
        signature: [3; SIGNATURE_BYTES],
        body: [vault; 100].to_vec(),
    }
}

/// Asks until there is an answer; a minute is for ever.
async fn eventually<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = ask().await {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "never: {what}");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Appends as a sender does: again and again, until it is confirmed.
async fn append(log: &NatsLog, vault: u8, seq: u64) {
    let frame = frame(vault, seq);
    let began = Instant::now();
    while let Err(error) = log.append(ANN, &frame, now()).await {
        assert!(error.may_retry() && began.elapsed() < Duration::from_secs(60), "{vault} {seq}: {error}");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Why a frame is not kept while most servers are away. Nobody waits for ever to hear it.
async fn refused(log: &NatsLog, vault: u8) -> String {
    let frame = frame(vault, 1);
    match timeout(Duration::from_secs(20), log.append(ANN, &frame, now())).await.expect("an answer") {
        Err(LogError::Away { reason }) => reason,
        other => panic!("one server of three confirms nothing: {other:?}"),
    }
}

/// Somebody who only looks at the stream in which the frames of the owner are.
struct Witness(jetstream::Context);

impl Witness {
    async fn of(cluster: &Cluster) -> Self {
        let urls = cluster.urls();
        let urls: Vec<&str> = urls.split(',').collect();
        let client = async_nats::ConnectOptions::with_token(TOKEN.to_owned()).connect(urls.as_slice()).await;
        Self(jetstream::new(client.expect("connected")))
    }

    async fn seen(&self) -> Option<jetstream::stream::ClusterInfo> {
        let stream = self.0.get_stream(format!("STYX_{}", keccak256(ANN)[0] % 8)).await.ok()?;
        stream.cached_info().cluster.clone()
    }

    /// Which of the three leads.
    async fn leader(&self, cluster: &Cluster) -> usize {
        let name = eventually("somebody leads", async || self.seen().await?.leader).await;
        cluster.place(&name)
    }

    /// Waits until all three have everything.
    async fn whole(&self) {
        let is_whole = async || {
            let seen = self.seen().await?;
            (seen.replicas.len() == 2 && seen.replicas.iter().all(|peer| peer.current && !peer.offline)).then_some(())
        };
        eventually("all three have everything", is_whole).await;
    }
}

/// Every frame of the owner, by vault and number, in the order of the log; `None` when a page did not come.
async fn kept(log: &NatsLog) -> Option<Vec<(Address, u64)>> {
    let (mut all, mut place) = (Vec::new(), 0);
    loop {
        let page = log.after(ANN, place, 100, now()).await.ok()?;
        let frames = page.entries.iter().map(|entry| Frame::decode(&entry.frame).expect("a frame"));
        all.extend(frames.map(|frame| (frame.vault, frame.seq)));
        place = page.entries.last().map_or(place, |entry| entry.place);
        if !page.more {
            return Some(all);
        }
    }
}

/// two relays stand on three servers. The one that leads is killed while they append: appending goes on, nothing that was
/// confirmed is lost, nothing is doubled, and each sender's frames stay in order; a third relay begins meanwhile. Without a second
/// server nothing is confirmed, and the refusal says why and comes soon; with it appending goes on, and the first one catches up.
#[tokio::test(flavor = "multi_thread")]
async fn r_041_three_servers_lose_nothing_that_was_confirmed() {
    let mut cluster = Cluster::up();
    let settings = NatsSettings { replicas: 3, ..NatsSettings::default() };
    let stranger = NatsLog::connect(&cluster.url(0).replace(TOKEN, "guessed"), settings).await.expect_err("no word");
    assert!(stranger.to_string().contains("authorization"), "{stranger}");
    let here = Arc::new(NatsLog::connect(&cluster.urls(), settings).await.expect("connected"));
    let witness = Witness::of(&cluster).await;
    witness.whole().await;
    let first = witness.leader(&cluster).await;
    // The second relay is told of the one server that will be killed, and learns of the others from it.
    let there = Arc::new(NatsLog::connect(&cluster.url(first), settings).await.expect("connected"));

    let (told, mut confirmed) = mpsc::unbounded_channel();
    let writers: Vec<_> = (1..=VAULTS)
        .map(|vault| {
            let log = Arc::clone(if vault % 2 == 0 { &here } else { &there });
            let told = told.clone();
            tokio::spawn(async move {
                for seq in 1..=FRAMES {
                    append(&log, vault, seq).await;
                    let _ = told.send(());
                }
            })
        })
        .collect();
    for _ in 0..FRAMES {
        confirmed.recv().await.expect("told");
    }
    cluster.nodes[first].kill();
    for writer in writers {
        writer.await.expect("each was confirmed in the end");
    }
    let next = witness.leader(&cluster).await;
    assert_ne!(next, first, "another one leads");
    let third = NatsLog::connect(&cluster.urls(), settings).await.expect("two of three are enough to begin");

    let second = (0..3).find(|at| *at != first && *at != next).expect("three");
    cluster.nodes[second].kill();
    let (one, other) = tokio::join!(refused(&here, 9), refused(&there, 10));
    for reason in [one, other] {
        assert!(reason.contains("most of the servers"), "{reason}");
    }
    cluster.nodes[second].launch();
    append(&here, 9, 1).await;
    append(&there, 10, 1).await;
    cluster.nodes[first].launch();
    witness.whole().await;

    let count = usize::from(VAULTS) * FRAMES as usize + 2;
    for log in [&*here, &*there, &third] {
        let read = async || kept(log).await.filter(|all| all.len() >= count);
        let all = eventually("everything is read", read).await;
        for vault in (1..=VAULTS).chain([9, 10]) {
            let of = all.iter().filter(|(who, _)| *who == Address::repeat_byte(vault));
            let seqs: Vec<u64> = of.map(|(_, seq)| *seq).collect();
            let last = if vault <= VAULTS { FRAMES } else { 1 };
            assert_eq!(seqs, (1..=last).collect::<Vec<_>>(), "none lost, none doubled, in order");
        }
    }
}

/// what is no address is told, and nothing of it is said again: a word to log in may stand in it.
#[tokio::test]
async fn r_041_what_is_no_address_of_a_server_is_refused() {
    let settings = NatsSettings::default();
    let wrongs = [
        "",
        "nats://",
        "http://127.0.0.1:1",
        "nats://secret@127.0.0.1:1,",
        "nats://secret@127.0.0.1:x",
        "nats://secret/word@127.0.0.1:1",
        "nats://secret?word@127.0.0.1:1",
        "nats://secret#word@127.0.0.1:1",
        "nats://secret%2Fword@127.0.0.1:1",
    ];
    for wrong in wrongs {
        let refused = NatsLog::connect(wrong, settings).await.expect_err("no address");
        assert_eq!(refused, LogError::Address, "{wrong:?}");
        assert!(!refused.may_retry() && !refused.to_string().contains("secret"), "{refused}");
    }
}
