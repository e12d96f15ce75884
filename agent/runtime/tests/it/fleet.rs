//! neighbours.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use golem_core::record::{
    AffectTemper, CauseKind, CladeNews, Command, KillOrder, Observation, Reason, SiblingDeath, Temper,
};
use golem_daimon::personality::Personality;
use golem_ports::{Store as _, StoreError};
use golem_primitives::{Address, Ppm, Tick};
use golem_runtime::{Fleet, House, RuntimeError, begin_with_room, run_fleet};
use tokio::sync::watch;

use crate::fake::{FakeChain, Home, Lived, born, id, live, relived, reopen, resume, tempered};

/// one life panics, one has lost its pace for good; the others live on to their last tick.
#[tokio::test(start_paused = true)]
async fn r_004_a_golem_that_fails_does_not_disturb_its_neighbours() {
    let dir = tempfile::tempdir().expect("a folder");
    let names = ["ada", "bob", "eve", "joe"];
    let mut fleet = Vec::new();
    for name in names {
        let chain = FakeChain::default();
        if name == "bob" {
            chain.set(|script| script.panics_at = Some(8));
        }
        if name == "eve" {
            chain.set(|script| script.pace_fails = u32::MAX);
        }
        let mut runtime = resume(dir.path(), name, born(dir.path(), name), &chain);
        runtime.stop_after(Tick::new(60));
        fleet.push(runtime);
    }
    let (_stop, stopped) = watch::channel(false);
    let ends = run_fleet(fleet, stopped, |_| {}).await;
    assert_eq!(ends.len(), names.len());
    for ended in ends {
        match (ended.golem, ended.end) {
            (golem, Err(RuntimeError::Panicked { .. })) => assert_eq!(golem, id("bob")),
            (golem, Err(RuntimeError::Pace(_))) => assert_eq!(golem, id("eve")),
            (golem, Ok(life)) => assert_eq!(life.tick(), Tick::new(60), "{golem}"),
            (golem, Err(error)) => panic!("{golem}: {error}"),
        }
    }
}

/// a pace that fails for a while is waited for, and the life goes on where it was.
#[tokio::test(start_paused = true)]
async fn r_004_a_failure_that_passes_is_outlived() {
    let chain = FakeChain::default();
    chain.set(|script| script.pace_fails = 5);
    let (_home, mut runtime) = Home::on(chain);
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

/// a full disk is waited for however long it takes; when there is room the life goes on from what is on
/// disk, with a whole journal, and tells nothing twice.
#[tokio::test(start_paused = true)]
async fn r_021_a_full_disk_is_outlived() {
    const BALLAST: &str = "CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (zeroblob(4000000));";
    let dir = tempfile::tempdir().expect("a folder");
    let chain = FakeChain::default();
    let mut store = born(dir.path(), "ada");
    let other = rusqlite::Connection::open(store.path()).expect("the file");
    other.execute_batch(BALLAST).expect("something else fills the disk");
    let size = std::fs::metadata(store.path()).expect("a file").len();
    store.limit(size + 64 * 1024).expect("a quota");
    let mut runtime = resume(dir.path(), "ada", store, &chain);
    runtime.stop_after(Tick::new(40));
    let (_stop, stopped) = watch::channel(false);
    let hours = std::time::Duration::from_secs(5 * 3_600);
    let (began, room) = (tokio::time::Instant::now(), tokio::time::sleep(hours));
    let fleet = tokio::spawn(run_fleet(vec![runtime], stopped, |_| {}));
    room.await;
    assert!(!fleet.is_finished(), "it waits");
    other.execute_batch("DROP TABLE ballast").expect("room is made");
    let life = fleet.await.expect("ends").pop().expect("one").end.expect("it passed");
    assert!(life.tick() == Tick::new(40) && began.elapsed() > hours);
    drop(other);
    let again = relived(&reopen(dir.path(), "ada"));
    assert_eq!((again.life.hash(), again.compared, again.passes), (life.hash(), 80, 80));
    // Each event stands once in the file, whatever was told again.
    let events = std::fs::read_to_string(dir.path().join("ada.jsonl")).expect("a file");
    let mut places: Vec<_> = events.lines().map(place).collect();
    let told = places.len();
    places.dedup();
    assert!(told > 80 && places.len() == told && places.is_sorted());
}

/// another program that holds the memory for a while is waited for as room is, and nothing is lost by it.
#[tokio::test(start_paused = true)]
async fn r_021_a_foreign_lock_is_outlived() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = FakeChain::default();
    let store = born(dir.path(), "ada");
    let other = rusqlite::Connection::open(store.path()).expect("the file");
    let mut runtime = resume(dir.path(), "ada", store, &chain);
    runtime.stop_after(Tick::new(4));
    other.execute_batch("BEGIN IMMEDIATE").expect("held");
    let (_stop, stopped) = watch::channel(false);
    let (began, while_held) = (tokio::time::Instant::now(), std::time::Duration::from_secs(2));
    let fleet = tokio::spawn(run_fleet(vec![runtime], stopped, |_| {}));
    tokio::time::sleep(while_held).await;
    assert!(!fleet.is_finished(), "it waits");
    other.execute_batch("ROLLBACK").expect("let go");
    let life = fleet.await.expect("ends").pop().expect("one").end.expect("it passed");
    assert!(life.tick() == Tick::new(4) && began.elapsed() > while_held);
    let again = relived(&reopen(dir.path(), "ada"));
    assert_eq!((again.life.hash(), again.compared, again.passes), (life.hash(), 8, 8));
}

/// The pass of a line of events, and its place in it.
fn place(line: &str) -> (u64, u64) {
    let line: serde_json::Value = serde_json::from_str(line).expect("a line");
    (line["seq"].as_u64().expect("a pass"), line["index"].as_u64().expect("a place"))
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

/// S-034, R-002: who lives under one roof with one that dies hears of it, is moved, and the journal leads
/// there again; who has no moods knows of it and is what it was.
#[tokio::test(start_paused = true)]
async fn a_090_a_death_under_one_roof_is_heard_and_grieved() {
    let dir = tempfile::tempdir().expect("a folder");
    let house = House::default();
    let mut lives = Vec::new();
    for (name, is_moved) in [("ada", true), ("bob", true), ("eve", false)] {
        let chain = FakeChain::default();
        let affect = is_moved.then(|| AffectTemper::of(Personality::born(&id(name), None)));
        let temper = Temper { affect, ..Temper::NONE };
        let mut runtime = tempered(dir.path(), name, born(dir.path(), name), &chain, temper);
        runtime.join(Box::new(house.take_in(id(name), Address::ZERO, 0)));
        live(&mut runtime, 3).await;
        lives.push(runtime);
    }
    lives[1].command(Command::Kill(KillOrder::Switch(Reason::new("enough").expect("short"))));
    lives[1].tick().await.expect("its death begins");
    for at in [0, 2] {
        live(&mut lives[at], 3).await;
    }
    drop(lives);
    let heard = |name: &str| {
        let store = reopen(dir.path(), name);
        let journal = store.journal(1, 10_000).expect("a journal");
        let seen = journal.into_iter().flat_map(|entry| entry.input.observations);
        each!(seen, Observation::Clade(news) => *news)
    };
    let death = SiblingDeath { golem: id("bob"), cause: CauseKind::KillSwitch, overlap: Ppm::ONE };
    for name in ["ada", "eve"] {
        let deaths: Vec<_> = heard(name).into_iter().flat_map(|news: CladeNews| news.deaths).collect();
        assert_eq!(deaths, std::slice::from_ref(&death), "{name} hears of it once");
    }
    let again = relived(&reopen(dir.path(), "ada"));
    assert!(again.life.affect().expect("a mood").daimon.grief(again.life.tick()).is_some(), "A-091");
}

/// a life that finds no room to begin waits for it as one that lives does, however long, and its neighbours live
/// meanwhile; then it begins. One that cannot begin for another reason says so at once.
#[tokio::test(start_paused = true)]
async fn r_021_a_life_waits_for_room_to_begin() {
    let dir = tempfile::tempdir().expect("a folder");
    let (_stop, stopped) = watch::channel(false);
    let chain = FakeChain::default();
    let mut fleet = Fleet::new(stopped.clone());
    let mut neighbour = resume(dir.path(), "bob", born(dir.path(), "bob"), &chain);
    neighbour.stop_after(Tick::new(5));
    fleet.take(neighbour);
    let full = || RuntimeError::from(StoreError::DiskFull { path: "ada.sqlite".into() });
    let tries = Arc::new(AtomicU32::new(0));
    let (folder, counted, began) = (dir.path().to_owned(), tries.clone(), tokio::time::Instant::now());
    fleet.await_one(id("ada"), async move {
        let begin = || async {
            if counted.fetch_add(1, Ordering::Relaxed) < 60 {
                return Err(full());
            }
            let mut runtime = resume(&folder, "ada", born(&folder, "ada"), &FakeChain::default());
            runtime.stop_after(Tick::new(3));
            Ok(runtime)
        };
        begin_with_room(&id("ada"), stopped, RuntimeError::remedy, begin).await?.ok()
    });
    let mut told = Vec::new();
    let ends = fleet.run(|ended| told.push((ended.golem, began.elapsed().as_secs() / 60))).await;
    let lived: Vec<_> = ends.into_iter().map(|ended| ended.end.expect("it lived").tick().get()).collect();
    assert_eq!((told[0], told[1].0, lived), ((id("bob"), 0), id("ada"), vec![5, 3]));
    assert!(told[1].1 > 50 && tries.load(Ordering::Relaxed) == 61, "an hour and more: {told:?}");
    let (_stop, stopped) = watch::channel(false);
    let began = tokio::time::Instant::now();
    let begin = || std::future::ready(Err::<(), _>(RuntimeError::NoBirth));
    let refused = begin_with_room(&id("ada"), stopped, RuntimeError::remedy, begin).await;
    assert!(matches!(refused, Some(Err(RuntimeError::NoBirth))) && began.elapsed().is_zero());
}

/// who waits for room to begin still hears that it shall stop, and no end of it is told.
#[tokio::test(start_paused = true)]
async fn r_021_who_waits_to_begin_stops_when_it_is_told() {
    let (stop, stopped) = watch::channel(false);
    let mut fleet = Fleet::new(stopped.clone());
    fleet.await_one(id("ada"), async move {
        let full = || std::future::ready(Err(RuntimeError::from(StoreError::DiskFull { path: "ada.sqlite".into() })));
        let begun: Option<Result<Lived, _>> = begin_with_room(&id("ada"), stopped, RuntimeError::remedy, full).await;
        begun?.ok()
    });
    let fleet = tokio::spawn(fleet.run(|_| {}));
    tokio::time::sleep(std::time::Duration::from_secs(90)).await;
    assert!(!fleet.is_finished());
    stop.send(true).expect("heard");
    assert!(fleet.await.expect("ends").is_empty());
}
