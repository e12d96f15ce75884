//! neighbours.

use golem_primitives::Tick;
use golem_runtime::{RuntimeError, run_fleet};
use tokio::sync::watch;

use crate::fake::{FakeChain, born, id, resume};

/// one life panics, one is refused its store; the others live on to their last tick.
#[tokio::test]
async fn r_004_a_golem_that_fails_does_not_disturb_its_neighbours() {
    let dir = tempfile::tempdir().expect("a folder");
    let names = ["ada", "bob", "eve", "joe"];
    let mut fleet = Vec::new();
    for name in names {
        let chain = FakeChain::default();
        if name == "bob" {
            chain.set(|script| script.panics_at = Some(8));
        }
        let mut store = born(dir.path(), name);
        if name == "eve" {
            // Room for a few passes and no more.
            store.limit(160 * 1024).expect("a quota");
        }
        let mut runtime = resume(dir.path(), name, store, &chain);
        runtime.stop_after(Tick::new(60));
        fleet.push(runtime);
    }
    let (_stop, stopped) = watch::channel(false);
    let ends = run_fleet(fleet, stopped, |_| {}).await;
    assert_eq!(ends.len(), names.len());
    for ended in ends {
        match (ended.golem, ended.end) {
            (golem, Err(RuntimeError::Panicked { .. })) => assert_eq!(golem, id("bob")),
            (golem, Err(RuntimeError::Store(error))) => {
                assert_eq!(golem, id("eve"));
                assert!(error.to_string().contains("no room left"), "{error}");
            }
            (golem, Ok(life)) => assert_eq!(life.tick(), Tick::new(60), "{golem}"),
            (golem, Err(error)) => panic!("{golem}: {error}"),
        }
    }
}

/// asked to stop, every life stops where it is and can be taken up again.
#[tokio::test]
async fn r_021_a_fleet_that_is_told_to_stop_stops() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = FakeChain::default();
    let runtime = resume(dir.path(), "ada", born(dir.path(), "ada"), &chain);
    let (stop, stopped) = watch::channel(true);
    let ends = run_fleet(vec![runtime], stopped, |_| {}).await;
    drop(stop);
    let life = ends.into_iter().next().expect("one").end.expect("no failure");
    assert!(life.is_alive() && life.tick() == Tick::ZERO);
}
