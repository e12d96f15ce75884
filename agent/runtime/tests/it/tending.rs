//! The Curator beside its turns.

use golem_core::record::{Due, Observation, Phase, RECORD_VERSION};
use golem_grimoire::curator::Duty;
use golem_grimoire::episode::Recorded;
use golem_ports::{Memory as _, Store as _};
use golem_primitives::Tick;

use crate::fake::{FakeChain, Home, Lived, born, live, relived, reopen, resume, swinging};

/// Passes at which the Curator was said to be due, and what for.
fn said(runtime: &Lived) -> Vec<(u64, Due)> {
    let journal = runtime.store().journal(1, 10_000).expect("read");
    let inputs = journal.into_iter().map(|entry| entry.input);
    let seen = inputs.flat_map(|input| input.observations.into_iter().map(move |seen| (input.tick.get(), seen)));
    each!(seen, (tick, Observation::CuratorDue { why }) => (tick, why))
}

fn hurried() -> FakeChain {
    let chain = swinging();
    chain.set(|script| script.hurries = true);
    chain
}

/// The cycles that landed, oldest first: when, and how much of the work was done.
fn cycles(runtime: &Lived) -> Vec<(u64, Duty)> {
    let cycles = runtime.store().reader().last_cycles(100).expect("read");
    cycles.into_iter().rev().map(|(at, done)| (at.tick.get(), done.duty)).collect()
}

/// G-143, G-010: ten new episodes of one kind are distilled without waiting for the turn, and a life cut off at every
/// tick does the same.
#[tokio::test]
async fn g_143_ten_new_episodes_are_distilled_early() {
    let (whole_dir, cut_dir) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mut whole = resume(whole_dir.path(), "ada", born(whole_dir.path(), "ada"), &hurried());
    live(&mut whole, 94).await;
    let [(early, Due::Episodes)] = said(&whole)[..] else { panic!("{:?}", said(&whole)) };
    assert!((51..94).contains(&early));
    assert_eq!(cycles(&whole), [(50, Duty::Whole), (early, Duty::Whole)], "at once, and once");
    let fresh = |recorded: &Recorded| {
        let is_before = recorded.episode.happened.tick.get() < early;
        is_before && recorded.episode.held().is_some() && !recorded.notes.is_consolidated
    };
    let reader = whole.store().reader();
    let left: Vec<Recorded> = reader.last_episodes(9_999).expect("read").into_iter().filter(fresh).collect();
    assert!(left.iter().all(|recorded| recorded.episode.key.tool != "mean-reversion"), "all were looked at");
    let grimoire = reader.grimoire().expect("read");
    assert!(grimoire.living().all(|known| known.cycles <= 1), "C14: the early one is no cycle of anybody's grace");

    drop(born(cut_dir.path(), "ada"));
    let chain = hurried();
    for _ in 0..94 {
        let mut cut = resume(cut_dir.path(), "ada", reopen(cut_dir.path(), "ada"), &chain);
        live(&mut cut, 1).await;
    }
    let cut = resume(cut_dir.path(), "ada", reopen(cut_dir.path(), "ada"), &chain);
    assert_eq!((cut.life().hash(), cycles(&cut)), (whole.life().hash(), cycles(&whole)));
    assert_eq!(cut.store().reader().grimoire().expect("read"), grimoire);
}

/// what is said to a life beside its turns leads it where it led before, and its journal says so itself.
#[tokio::test]
async fn r_002_a_life_with_early_cycles_is_lived_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut runtime = resume(dir.path(), "ada", born(dir.path(), "ada"), &hurried());
    live(&mut runtime, 94).await;
    let (store, hash) = (runtime.store(), runtime.life().hash());
    let newest = store.journal(1, 10_000).expect("read").iter().map(|entry| entry.input.version).max();
    assert_eq!(newest, Some(RECORD_VERSION));
    assert_eq!(relived(store).life.hash(), hash);
}

/// G-153, C32, M-138: where the phase gives the Curator no turn it distils no more, and what fades still goes.
#[tokio::test]
async fn c_32_housekeeping_goes_on_below_conservation() {
    let (home, mut runtime) = Home::on(swinging());
    live(&mut runtime, 60).await;
    home.chain.set(|script| script.is_poor = true);
    live(&mut runtime, 42).await;
    let phase = runtime.life().vitals().phase();
    assert!(runtime.life().is_alive() && phase <= Phase::Declining, "{phase}");
    assert_eq!(said(&runtime), [(100, Due::Housekeeping)]);
    let [(50, Duty::Whole), (100, below)] = cycles(&runtime)[..] else { panic!("{:?}", cycles(&runtime)) };
    assert!((Duty::Austerity..=Duty::Housekeeping).contains(&below), "{below:?}");
    let versions = runtime.store().playbook_versions().expect("read");
    assert!(versions.iter().all(|version| version.at.tick < Tick::new(100)), "G-165: PLAYBOOK.md is frozen");
}
