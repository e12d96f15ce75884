//! Start and crash recovery are one path.

use golem_core::life::Body;
use golem_core::record::{Command, EffectKind, Event, KillOrder, Reason, TickInput};
use golem_ports::Store as _;
use golem_primitives::{Tick, UtcTime};
use golem_runtime::{LivedTick, RuntimeError, replay};
use golem_store::{SqliteStore, insurance};

use crate::departed::die_within;
use crate::fake::{BIRTH, FakeChain, Home, born, id, live_yielding, relived, reopen, resume, told};

async fn live(runtime: &mut crate::fake::Lived, ticks: u64) {
    live_yielding(runtime, ticks, 0).await;
}

/// stopped after any tick and resumed, it goes on to the hashes of the life that was never stopped.
#[tokio::test]
async fn r_020_a_life_resumed_after_every_tick_is_the_same_life() {
    let dir = tempfile::tempdir().expect("a folder");
    let (whole, cut) = (FakeChain::default(), FakeChain::default());
    let mut undisturbed = resume(dir.path(), "whole", born(dir.path(), "whole"), &whole);
    live(&mut undisturbed, 40).await;
    drop(born(dir.path(), "again"));
    let mut same = Vec::new();
    for _ in 0..40 {
        let mut runtime = resume(dir.path(), "again", reopen(dir.path(), "again"), &cut);
        live(&mut runtime, 1).await;
        same.push(runtime.life().hash());
    }
    // Names differ, so hashes do; what is compared is the shape of the two lives.
    let last = resume(dir.path(), "again", reopen(dir.path(), "again"), &cut);
    assert_eq!(last.life().tick(), undisturbed.life().tick());
    assert_eq!(last.life().vitals().vitality(), undisturbed.life().vitals().vitality());
    assert_eq!(cut.script.lock().expect("free").driven.len(), whole.script.lock().expect("free").driven.len());
    let again = relived(last.store());
    assert_eq!((again.life.hash(), again.compared), (*same.last().expect("lived"), 80));
}

/// a pass that was journaled and never committed is lived, once, when the life is taken up again.
#[tokio::test]
async fn r_020_a_journaled_pass_is_lived_on_restart() {
    let (home, mut runtime) = Home::on(FakeChain::default());
    live(&mut runtime, 3).await;
    let (tick, turn) = runtime.life().next_pass();
    drop(runtime);
    let mut store = reopen(home.path(), "ada");
    let order = Command::Kill(KillOrder::Owner(Reason::new("enough").expect("short")));
    let now = UtcTime::from_seconds(BIRTH + 200);
    let input = TickInput { turn, commands: vec![order], ..TickInput::quiet(tick, now, Default::default()) };
    let seq = store.append(&input).expect("appended");
    drop(store);
    let runtime = home.again();
    assert!(matches!(runtime.life().body(), Body::Dying(_)), "the order was on disk, so it was given");
    assert!(runtime.open_effects().iter().any(|open| matches!(open.effect.kind, EffectKind::Declare { .. })));
    let landed = runtime.store().reader().journal(seq, 1).expect("read");
    assert_eq!(landed[0].hash, Some(runtime.life().hash()));
}

/// a journal that does not lead where it led is refused, and nothing is sent.
#[tokio::test]
async fn r_002_a_journal_that_leads_elsewhere_is_refused() {
    let (home, mut runtime) = Home::on(FakeChain::default());
    live(&mut runtime, 3).await;
    drop(runtime);
    let path = home.path().join("ada.sqlite");
    let connection = rusqlite::Connection::open(&path).expect("opens");
    connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false).expect("set");
    let changed = connection.execute("UPDATE journal SET hash = zeroblob(32) WHERE seq = 4", []).expect("written");
    assert_eq!(changed, 1);
    drop(connection);
    let golem = id("ada");
    let error = SqliteStore::open(&path, Some(&golem)).expect_err("not what was written");
    assert!(error.to_string().contains("the rows of journal"), "{error}");
    assert_eq!(insurance::accept(&path, &golem).expect("sound pages"), ["journal"], "by the owner's word");
    let store = reopen(home.path(), "ada");
    let birth = store.reader().birth().expect("read").expect("born");
    match replay(&store, birth, |_, _, _| {}) {
        Err(RuntimeError::Diverged { seq: 4, .. }) => {}
        other => panic!("{other:?}"),
    }
}

/// blind it does nothing and says so; what is open waits and is driven when somebody answers.
#[tokio::test]
async fn r_023_blindness_is_told_and_passes() {
    let (home, mut runtime) = Home::on(FakeChain::default());
    let mut events = runtime.telemetry().listen();
    live(&mut runtime, 2).await;
    home.chain.set(|script| script.is_gone = true);
    let driven = home.chain.script.lock().expect("free").driven.len();
    let (ticks, blocks) = (runtime.lived().get(), home.chain.blocks.load(std::sync::atomic::Ordering::Relaxed));
    live(&mut runtime, 20).await;
    let (ticks, blocks) =
        (runtime.lived().get() - ticks, home.chain.blocks.load(std::sync::atomic::Ordering::Relaxed) - blocks);
    assert!(ticks > 0 && blocks >= 2 * ticks, "a blind tick is as long as any: {ticks} ticks in {blocks} blocks");
    assert_eq!(home.chain.script.lock().expect("free").driven.len(), driven);
    assert!(runtime.life().is_alive());
    home.chain.set(|script| script.is_gone = false);
    live(&mut runtime, 20).await;
    let told = told(&mut events);
    assert_eq!(told.iter().filter(|event| **event == Event::WentBlind).count(), 1);
    assert_eq!(told.iter().filter(|event| **event == Event::SawAgain).count(), 1);
    assert!(home.chain.script.lock().expect("free").driven.len() > driven, "rent is paid again");
}

/// M-178, T-004: a death is declared, written and settled; the testament's hash is the file's, written once.
#[tokio::test]
async fn m_178_a_death_is_carried_out_to_its_end() {
    let (home, mut runtime) = Home::on(FakeChain::default());
    live(&mut runtime, 3).await;
    die_within(&mut runtime, &home.chain, 20).await;
    let names: Vec<_> = home.chain.script.lock().expect("free").driven.iter().map(|(_, name)| *name).collect();
    assert_eq!(names.last(), Some(&"settle"));
    let file = std::fs::read(home.path().join("testament.json")).expect("written");
    let noted = runtime.store().note("testament").expect("read").expect("noted");
    assert!(noted.contains(&golem_primitives::keccak256(&file).to_string()));
    let text: golem_runtime::TestamentFile = serde_json::from_slice(&file).expect("a testament");
    assert_eq!(text.testament.stats.ticks, runtime.life().tick().get());
    assert_eq!(runtime.tick().await.expect("nothing happens"), LivedTick::Dead);
    let signed = runtime.store().reader().counts().expect("read").attempts;
    assert_eq!(signed, 0, "the script signs nothing");
    assert!(runtime.life().tick() < Tick::new(10));
}

/// L-025: a report that was refused covers nothing; the one that lands covers every roll since the beginning.
#[tokio::test]
async fn l_025_what_a_refused_report_covered_belongs_to_the_next() {
    let chain = FakeChain::default();
    chain.set(|script| (script.is_unreported, script.refuses_beats) = (true, true));
    let (home, mut runtime) = Home::on(chain);
    live(&mut runtime, 5).await;
    let beats = home.chain.driven("beat");
    assert!(beats >= 3, "it is asked for again: {beats}");
    assert_eq!(golem_runtime::beat_contents(runtime.store()).expect("read"), []);
    home.chain.set(|script| script.refuses_beats = false);
    live(&mut runtime, 3).await;
    let contents = golem_runtime::beat_contents(runtime.store()).expect("read");
    assert_eq!(contents.len(), 1, "{contents:?}");
    assert_eq!((contents[0].rolls_after, contents[0].after), (Tick::ZERO, 0));
    assert!(contents[0].rolls_upto >= Tick::new(5), "{contents:?}");
}

/// what was seen of the chain outlives the process that saw it. A report announces the pace that the life has seen, and a
/// tick in which nobody answers is rolled for by the last block that was known.
#[tokio::test]
async fn r_003_what_was_seen_of_the_chain_is_known_after_a_restart() {
    let chain = FakeChain::default();
    chain.set(|script| (script.is_unreported, script.refuses_beats) = (true, true));
    let (home, mut runtime) = Home::on(chain);
    live(&mut runtime, 20).await;
    drop(runtime);

    home.chain.set(|script| script.is_gone = true);
    let mut runtime = home.again();
    live(&mut runtime, 1).await;
    let passes = runtime.store().journal(1, 1_000).expect("read");
    let rolls: Vec<u64> = passes.iter().filter_map(|pass| pass.input.roll_block).collect();
    let tail = &rolls[rolls.len() - 2..];
    assert_eq!((rolls.len(), tail[0]), (21, tail[1]), "blind, the last that was known: {rolls:?}");
    drop(runtime);

    home.chain.set(|script| (script.is_gone, script.refuses_beats) = (false, false));
    let mut runtime = home.again();
    live(&mut runtime, 2).await;
    let contents = golem_runtime::beat_contents(runtime.store()).expect("read");
    assert!(
        contents.iter().any(|content| content.stride == Some(1)),
        "two blocks a tick and a little less: {contents:?}"
    );
}
