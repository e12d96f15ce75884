//! A life recorded by the first release: schema 1, records of version 2, sixty ticks on a local L2.

use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::Ordering;

use golem_ports::Store as _;
use golem_primitives::Tick;
use golem_runtime::{Runtime, RuntimeSettings, replay};
use golem_store::SqliteStore;

use crate::fake::{Blocks, FakeChain, Lived, telemetry, venue};

const STORED: &[u8] = include_bytes!("../data/life-schema-1.sqlite.gz");
/// Blocks of the script behind the last one that life saw.
const LATER: u64 = 600;

/// The file as the first release left it, opened by this code.
fn unpacked(dir: &Path) -> SqliteStore {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(STORED).read_to_end(&mut bytes).expect("a whole archive");
    let path = dir.join("elder.sqlite");
    std::fs::write(&path, bytes).expect("written");
    SqliteStore::open(&path, None).expect("it migrates")
}

fn resumed(dir: &Path, store: SqliteStore) -> Lived {
    let chain = FakeChain::default();
    chain.blocks.store(LATER, Ordering::Relaxed);
    let settings = RuntimeSettings::new(dir, venue());
    Runtime::resume(chain.clone(), store, Blocks(chain), settings, telemetry(dir, "elder")).expect("recovers")
}

/// every hash the first release wrote comes out again, from the birth it wrote.
#[test]
fn r_002_a_life_of_the_first_release_is_lived_again_to_its_hashes() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = unpacked(dir.path());
    let birth = store.reader().birth().expect("read").expect("its birth is readable");
    let again = replay(&store, birth, |_, _, _| {}).expect("the same life");
    assert_eq!((again.passes, again.compared, again.seq), (120, 120, 120));
    assert_eq!(again.life.tick(), Tick::new(60));
    let stored = store.reader().latest_snapshot().expect("read").expect("kept");
    assert!(stored.0 <= 120 && stored.1.tick() <= again.life.tick(), "its snapshots are readable as well");
}

/// and it goes on, cut after every tick, to a journal that still leads from its birth to where it is.
#[tokio::test]
async fn r_020_a_life_of_the_first_release_goes_on() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut runtime = resumed(dir.path(), unpacked(dir.path()));
    assert_eq!(runtime.lived(), Tick::new(60));
    for _ in 0..10 {
        runtime.tick().await.expect("lives");
    }
    let (tick, hash) = (runtime.lived(), runtime.life().hash());
    assert!(runtime.life().is_alive() && tick == Tick::new(70));
    drop(runtime);
    let store = SqliteStore::open(&dir.path().join("elder.sqlite"), None).expect("opens");
    assert!(store.journal(121, 1).expect("read").iter().all(|entry| entry.input.version == 2));
    let birth = store.reader().birth().expect("read").expect("born");
    let again = replay(&store, birth, |_, _, _| {}).expect("the same life");
    assert_eq!((again.compared, again.life.tick(), again.life.hash()), (140, tick, hash));
}
