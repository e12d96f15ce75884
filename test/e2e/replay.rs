//! The same seed is the same life; a recorded life is the same life again.

use golem_core::step::step;
use golem_runtime::replay;

use crate::world::{Ground, Nature, Town};

/// two lives of one seed on two chains have the same hash after each pass; each replays from its birth and from a
/// snapshot to the same.
#[tokio::test(flavor = "multi_thread")]
async fn r_002_equal_seeds_are_equal_lives_and_a_life_replays() {
    const TICKS: u64 = 80;
    let mut lives = Vec::new();
    for _ in 0..2 {
        let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
        let life = town.live_to(&born, TICKS).await;
        let store = born.memory();
        let birth = store.reader().birth().expect("read").expect("a birth");
        let mut again = Vec::new();
        let end = replay(&store, birth, |seq, _, hash| again.push((seq, Some(hash)))).expect("replayed");
        assert_eq!(end.life.hash(), life.hash());
        let restored = golem_ports::Store::restore(&store).expect("restored");
        let (at, mut from_snapshot) = restored.snapshot.expect("a snapshot");
        assert!(at >= 64, "a life of {TICKS} ticks has kept one");
        for entry in restored.journal {
            from_snapshot = step(from_snapshot, &entry.input).life;
            assert_eq!(entry.hash, Some(from_snapshot.hash()), "pass {}", entry.seq);
        }
        assert_eq!(from_snapshot.hash(), life.hash());
        drop(store);
        assert_eq!(again, born.hashes(), "every pass");
        lives.push((again, town.assert_sent_once(&born).await));
    }
    assert_eq!(lives[0], lives[1]);
    assert!(lives[0].0.len() >= 2 * TICKS as usize && lives[0].1.transactions > 5, "{:?}", lives[0].1);
}
