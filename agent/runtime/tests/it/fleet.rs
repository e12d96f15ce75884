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

/// a pace that fails for a while is waited for, and the life goes on where it was.
#[tokio::test(start_paused = true)]
async fn r_004_a_failure_that_passes_is_outlived() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = FakeChain::default();
    chain.set(|script| script.pace_fails = 5);
    let mut runtime = resume(dir.path(), "ada", born(dir.path(), "ada"), &chain);
    runtime.stop_after(Tick::new(4));
    let (_stop, stopped) = watch::channel(false);
    let began = tokio::time::Instant::now();
    let ends = run_fleet(vec![runtime], stopped, |_| {}).await;
    let life = ends.into_iter().next().expect("one").end.expect("it passed");
    assert_eq!(life.tick(), Tick::new(4));
    assert_eq!(began.elapsed().as_secs(), 1 + 2 + 4 + 8 + 16, "each wait is twice the last");
}

/// a pace that fails for good is given up with its reason, after a bounded wait and bounded tries.
#[tokio::test(start_paused = true)]
async fn r_004_a_failure_that_does_not_pass_is_told_in_the_end() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = FakeChain::default();
    chain.set(|script| script.pace_fails = u32::MAX);
    let runtime = resume(dir.path(), "ada", born(dir.path(), "ada"), &chain);
    let (_stop, stopped) = watch::channel(false);
    let began = tokio::time::Instant::now();
    let mut told = 0;
    let ends = run_fleet(vec![runtime], stopped, |_| told += 1).await;
    assert!(matches!(ends[0].end, Err(RuntimeError::Pace(_))), "{ends:?}");
    let minutes = began.elapsed().as_secs() / 60;
    let rests = chain.script.lock().expect("free").rests;
    assert_eq!((told, rests, minutes), (1, 13, 7));
}

/// who waits to be taken up again still hears that it shall stop.
#[tokio::test(start_paused = true)]
async fn r_021_a_waiting_life_stops_when_it_is_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = FakeChain::default();
    chain.set(|script| script.pace_fails = u32::MAX);
    let runtime = resume(dir.path(), "ada", born(dir.path(), "ada"), &chain);
    let (stop, stopped) = watch::channel(false);
    let fleet = tokio::spawn(run_fleet(vec![runtime], stopped, |_| {}));
    tokio::time::sleep(std::time::Duration::from_millis(2_500)).await;
    stop.send(true).expect("heard");
    let ends = fleet.await.expect("ends");
    assert!(ends[0].end.is_ok(), "{ends:?}");
    assert_eq!(chain.script.lock().expect("free").rests, 2);
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
