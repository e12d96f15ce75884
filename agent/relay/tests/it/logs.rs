//! One suite for both logs: whatever a relay stands on, it answers the same.

use std::sync::Arc;

use alloy::primitives::Address;
use golem_ports::WordKind;
use golem_primitives::UtcTime;
use golem_relay::{
    Archive, Filing, FolderArchive, Frame, Fresh, LeftScent, Log, LogError, LogOpenError, NatsLog, NatsSettings,
    ObjectName, PAGE, SIGNATURE_BYTES, SqliteLog,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRng, TestRunner};
use tempfile::TempDir;

use crate::nats::Nats;

const ANN: Address = Address::repeat_byte(1);
const BEN: Address = Address::repeat_byte(2);
const DAY: u64 = 86_400;

fn at(seconds: u64) -> UtcTime {
    UtcTime::from_seconds(seconds)
}

/// The time of these tests, near enough to the servers' own that nothing of it is too old for them.
fn now() -> UtcTime {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    at(since.as_secs())
}

fn frame(vault: u8, seq: u64, body: &[u8]) -> Frame {
    Frame {
        vault: Address::repeat_byte(vault),
        seq,
        at: at(1_000),
        kind: WordKind::Batch,
        signature: [3; SIGNATURE_BYTES],
        body: body.to_vec(),
    }
}

/// Both, with what they stand on.
struct Both {
    sqlite: SqliteLog,
    cluster: NatsLog,
    _nats: Nats,
    dir: TempDir,
}

async fn both() -> Both {
    let nats = Nats::up();
    let dir = tempfile::tempdir().expect("a folder");
    let cluster = NatsLog::connect(&nats.url(), NatsSettings::default()).await.expect("connected");
    Both { sqlite: SqliteLog::open(&dir.path().join("log")).expect("opened"), cluster, _nats: nats, dir }
}

impl Both {
    fn each(&self) -> [(&str, &dyn Log); 2] {
        [("sqlite", &self.sqlite), ("nats", &self.cluster)]
    }
}

async fn bodies(log: &dyn Log, owner: Address, place: u64, now: UtcTime) -> Vec<Vec<u8>> {
    let page = log.after(owner, place, PAGE, now).await.expect("read");
    page.entries.iter().map(|entry| Frame::decode(&entry.frame).expect("a frame").body).collect()
}

/// I-103, I-108, I-109, R-042: order, owners, pages, the same word again, forks and replays.
#[tokio::test(flavor = "multi_thread")]
async fn i_109_both_logs_keep_in_order_and_by_owner() {
    let both = both().await;
    for (name, log) in both.each() {
        let now = now();
        assert_eq!(log.last(ANN, Address::repeat_byte(7)).await, Ok((0, 0)), "{name}");
        let mut fresh = log.fresh().await.expect("listened");
        let first = log.append(ANN, &frame(7, 1, b"one"), now).await.expect("kept");
        let second = log.append(ANN, &frame(8, 1, b"two"), now).await.expect("kept");
        log.append(BEN, &frame(9, 1, b"strange"), now).await.expect("kept");
        let third = log.append(ANN, &frame(7, 2, b"three"), now).await.expect("kept");
        assert!(first.place < second.place && second.place < third.place, "{name}");
        assert_eq!(bodies(log, ANN, 0, now).await, [b"one".to_vec(), b"two".to_vec(), b"three".to_vec()], "{name}");
        assert_eq!(bodies(log, ANN, second.place, now).await, [b"three".to_vec()], "{name}");
        assert_eq!(bodies(log, BEN, 0, now).await, [b"strange".to_vec()], "{name}: I-103");

        let again = |kept: Filing| Filing { is_again: true, ..kept };
        assert_eq!(log.append(ANN, &frame(7, 2, b"three"), now).await, Ok(again(third)), "{name}: the last");
        assert_eq!(log.append(ANN, &frame(7, 1, b"one"), now).await, Ok(again(first)), "{name}: an older one");
        let resigned = Frame { signature: [4; SIGNATURE_BYTES], at: at(2_000), ..frame(7, 2, b"three") };
        assert_eq!(log.append(ANN, &resigned, now).await, Ok(again(third)), "{name}: signed anew");
        assert_eq!(log.append(ANN, &frame(7, 2, b"other"), now).await, Err(LogError::Forked { seq: 2 }), "{name}");
        assert_eq!(log.append(ANN, &frame(7, 1, b"other"), now).await, Err(LogError::Forked { seq: 1 }), "{name}");
        let fork = Frame { kind: WordKind::Dying, ..frame(7, 2, b"three") };
        assert_eq!(log.append(ANN, &fork, now).await, Err(LogError::Forked { seq: 2 }), "{name}");
        log.append(ANN, &frame(7, 9, b"later"), now).await.expect("kept");
        let late = log.append(ANN, &frame(7, 5, b"late"), now).await;
        assert_eq!(late, Err(LogError::Replayed { seq: 5, last: 9 }), "{name}");
        let (last_place, last_seq) = log.last(ANN, Address::repeat_byte(7)).await.expect("read");
        assert!(last_place > third.place && last_seq == 9, "{name}");

        let page = log.after(ANN, 0, 2, now).await.expect("read");
        assert!(page.more && page.entries.len() == 2, "{name}: I-112");
        let rest = log.after(ANN, page.entries[1].place, 2, now).await.expect("read");
        assert!(!rest.more && rest.entries.len() == 2, "{name}: {rest:?}");

        let mut told = Vec::new();
        while told.len() < 5 {
            match fresh.recv().await.expect("told") {
                Fresh::Frame(owner, entry) => told.push((owner, Frame::decode(&entry.frame).expect("a frame").body)),
                Fresh::Scent(_) => {}
            }
        }
        let expected = [(ANN, "one"), (ANN, "two"), (BEN, "strange"), (ANN, "three"), (ANN, "later")];
        let expected = expected.map(|(owner, text)| (owner, text.as_bytes().to_vec()));
        // NATS tells shard by shard.
        let of = |who: Address, all: &[(Address, Vec<u8>)]| {
            all.iter().filter(|(owner, _)| *owner == who).map(|(_, body)| body.clone()).collect::<Vec<_>>()
        };
        assert_eq!((of(ANN, &told), of(BEN, &told)), (of(ANN, &expected), of(BEN, &expected)), "{name}: each once");
    }
}

/// I-108, W-31: seven days, and not a second longer; time is given.
#[tokio::test(flavor = "multi_thread")]
async fn i_108_w_31_both_logs_keep_seven_days() {
    let both = both().await;
    for (name, log) in both.each() {
        let now = now();
        log.append(ANN, &frame(7, 1, b"old"), now).await.expect("kept");
        let later = |days: u64, more: u64| at(now.seconds() + days * DAY + more);
        for (moment, count) in [(later(6, 23 * 3_600), 1), (later(7, 0), 1), (later(7, 1), 0), (later(8, 0), 0)] {
            assert_eq!(bodies(log, ANN, 0, moment).await.len(), count, "{name}");
        }
        log.sweep(later(6, 0)).await.expect("swept");
        assert_eq!(bodies(log, ANN, 0, now).await.len(), 1, "{name}");
    }
    both.sqlite.sweep(at(now().seconds() + 8 * DAY)).await.expect("swept");
    assert_eq!(bodies(&both.sqlite, ANN, 0, now()).await.len(), 0, "gone from the disk");
}

/// a full room refuses, and the sender keeps.
#[tokio::test(flavor = "multi_thread")]
async fn r_041_a_full_room_refuses() {
    let nats = Nats::up();
    let settings = NatsSettings { frames_per_vault: 2, ..NatsSettings::default() };
    let cluster = NatsLog::connect(&nats.url(), settings).await.expect("connected");
    cluster.append(ANN, &frame(7, 1, b"a"), now()).await.expect("kept");
    cluster.append(ANN, &frame(7, 2, b"b"), now()).await.expect("kept");
    assert_eq!(cluster.append(ANN, &frame(7, 3, b"c"), now()).await, Err(LogError::Full));
    cluster.append(ANN, &frame(8, 1, b"d"), now()).await.expect("another vault has room");

    let dir = tempfile::tempdir().expect("a folder");
    let sqlite = SqliteLog::open(dir.path()).expect("opened");
    let large = vec![7; golem_relay::MOST_BODY_BYTES];
    for seq in 1..=64 {
        sqlite.append(ANN, &frame(7, seq, &large), now()).await.expect("kept");
    }
    assert_eq!(sqlite.append(ANN, &frame(7, 65, &large), now()).await, Err(LogError::Full));
    sqlite.append(BEN, &frame(9, 1, &large), now()).await.expect("another owner has room");
    let page = sqlite.after(ANN, 0, PAGE, now()).await.expect("read");
    assert!(page.more && page.entries.len() == 4, "I-112: a page of mebibytes is short");
    drop(sqlite);
    let again = SqliteLog::open(dir.path());
    // The writer's thread ends a moment after its log.
    let again = again.expect("opened again");
    assert_eq!(again.append(ANN, &frame(7, 65, &large), now()).await, Err(LogError::Full), "counted again");
    assert!(matches!(SqliteLog::open(dir.path()), Err(LogOpenError::Taken(_))), "one relay a folder");
}

/// whatever is done, both answer the same.
#[tokio::test(flavor = "multi_thread")]
async fn r_041_both_logs_answer_the_same() {
    let both = both().await;
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let step = (0_u8..2, 0_u8..3, 1_u64..12, 0_u8..2, 0_u8..4);
    let steps = prop::collection::vec(step, 400).new_tree(&mut runner).expect("steps").current();
    let now = now();
    for (at, (owner, vault, seq, body, what)) in steps.into_iter().enumerate() {
        let who = [ANN, BEN][usize::from(owner)];
        // A vault has one owner, until it is sold.
        let sent = frame(owner * 16 + vault, seq, &[body]);
        if what > 0 {
            let [(_, sqlite), (_, nats)] = both.each();
            let (one, other) = (sqlite.append(who, &sent, now).await, nats.append(who, &sent, now).await);
            let plain = |answer: Result<Filing, LogError>| answer.map(|kept| kept.is_again);
            assert_eq!(plain(one), plain(other), "step {at}: {sent:?}");
        } else {
            let [(_, sqlite), (_, nats)] = both.each();
            assert_eq!(bodies(sqlite, who, 0, now).await, bodies(nats, who, 0, now).await, "step {at}");
            let of = |answer: Result<(u64, u64), LogError>| answer.expect("read").1;
            assert_eq!(of(sqlite.last(who, sent.vault).await), of(nats.last(who, sent.vault).await), "step {at}");
        }
    }
}

/// I-323: signs are kept, in order, and the secret under which their sources hide is the log's own for ever.
#[tokio::test(flavor = "multi_thread")]
async fn i_323_both_logs_keep_signs_and_their_secret() {
    let both = both().await;
    let scent = |n: u32| LeftScent {
        owner: ANN,
        class: "THREAT".to_owned(),
        intensity_ppm: n,
        domain: "gas_mev".to_owned(),
        regime: None,
        source: "00".repeat(12),
        at: now().seconds(),
    };
    for (name, log) in both.each() {
        for n in 0..3 {
            log.leave(&scent(n)).await.expect("left");
        }
        let kept: Vec<u32> = log.scents().await.expect("read").iter().map(|one| one.intensity_ppm).collect();
        assert_eq!(kept, [0, 1, 2], "{name}");
    }
    let other = NatsLog::connect(&both._nats.url(), NatsSettings::default()).await.expect("another relay");
    assert_eq!((other.name(), other.salt()), (both.cluster.name(), both.cluster.salt()), "one log, one secret");
    let (name, salt) = (both.sqlite.name().to_owned(), both.sqlite.salt().to_vec());
    drop(both.sqlite);
    let again = SqliteLog::open(&both.dir.path().join("log")).expect("opened again");
    assert_eq!((again.name(), again.salt()), (name.as_str(), salt.as_slice()));
}

/// I-117, I-118, C-28: objects by owner, replaced by name, kept ninety days, testaments a year.
#[tokio::test(flavor = "multi_thread")]
async fn i_118_both_archives_keep_their_time() {
    let nats = Nats::up();
    let cluster = NatsLog::connect(&nats.url(), NatsSettings::default()).await.expect("connected");
    let dir = tempfile::tempdir().expect("a folder");
    let folder = FolderArchive::open(dir.path()).expect("opened");
    let archives: [(&str, &dyn Archive); 2] = [("folder", &folder), ("nats", &cluster)];
    for (what, archive) in archives {
        let vault = Address::repeat_byte(7);
        let name = |tick, part: &str| ObjectName::of(&format!("{vault:x}"), tick, part).expect("a name");
        let (backup, testament) = (name("200", "grimoire_bundle"), name("900", "testament"));
        let now = at(1_000 * DAY);
        let large: Vec<u8> = (0..3_000_000_u32).map(|n| n as u8).collect();
        archive.put(ANN, backup, b"first".to_vec(), now).await.expect("laid");
        archive.put(ANN, backup, large.clone(), at(now.seconds() + 1)).await.expect("laid");
        archive.put(ANN, testament, Vec::new(), at(now.seconds() + 2)).await.expect("laid");
        assert_eq!(archive.get(ANN, backup, now).await.expect("read"), Some(large), "{what}");
        assert_eq!(archive.get(ANN, testament, now).await.expect("read"), Some(Vec::new()), "{what}");
        assert_eq!(archive.get(BEN, backup, now).await.expect("read"), None, "{what}: another owner's");
        let listed = archive.list(ANN, now).await.expect("listed");
        assert_eq!(listed.iter().map(|one| (one.tick, one.bytes)).collect::<Vec<_>>(), [(900, 0), (200, 3_000_000)]);
        let ages = [(90, Some(()), Some(())), (91, None, Some(())), (366, None, None)];
        for (days, first, second) in ages {
            let then = at(now.seconds() + days * DAY);
            let kept = |found: Option<Vec<u8>>| found.map(drop);
            assert_eq!(kept(archive.get(ANN, backup, then).await.expect("read")), first, "{what} {days}");
            assert_eq!(kept(archive.get(ANN, testament, then).await.expect("read")), second, "{what} {days}");
            archive.sweep(then).await.expect("swept");
        }
        assert_eq!(archive.list(ANN, now).await.expect("listed"), [], "{what}: gone from the disk");
        let too_large = archive.put(ANN, backup, vec![0; golem_relay::OBJECT_BYTES + 1], now).await;
        assert_eq!(too_large, Err(LogError::Full), "{what}");
    }
}

/// nats-server is killed while relays append; nothing that was acknowledged is lost, nothing is doubled.
#[tokio::test(flavor = "multi_thread")]
async fn r_041_nothing_acknowledged_is_lost_when_nats_is_killed() {
    let mut nats = Nats::up();
    let log = Arc::new(NatsLog::connect(&nats.url(), NatsSettings::default()).await.expect("connected"));
    let (told, mut count) = tokio::sync::mpsc::unbounded_channel();
    let writers: Vec<_> = (1..=8_u8)
        .map(|vault| {
            let (log, told) = (Arc::clone(&log), told.clone());
            tokio::spawn(async move {
                for seq in 1..=40 {
                    while log.append(ANN, &frame(vault, seq, &[vault; 100]), now()).await.is_err() {}
                    let _ = told.send(());
                }
            })
        })
        .collect();
    for _ in 0..80 {
        count.recv().await.expect("told");
    }
    nats.kill();
    nats.start();
    for writer in writers {
        writer.await.expect("it ended");
    }
    let page = log.after(ANN, 0, PAGE, now()).await.expect("read");
    assert_eq!(page.entries.len(), 8 * 40, "none lost, none doubled");
    for vault in 1..=8_u8 {
        let of = page.entries.iter().filter(|entry| entry.vault == Address::repeat_byte(vault));
        let seqs: Vec<u64> = of.map(|entry| Frame::decode(&entry.frame).expect("a frame").seq).collect();
        assert_eq!(seqs, (1..=40).collect::<Vec<_>>(), "in order");
    }
}
