use golem_dreams::clocks::{Clocks, Nearness, Uncertainty, Work, is_proven_only};
use golem_dreams::integration::journal::CycleEnding;
use golem_dreams::law::DreamLaw;
use golem_dreams::words::{DreamTier, Grade};
use golem_mortality::dream_modulation::LegacyFocus;
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick};

use crate::make::{SOUND, dream, law, lived, ppm};

fn with_hours(hours: u64) -> Clocks {
    Clocks { projected_ticks: Some(hours * 90), ..SOUND }
}

/// D-201: V35.
#[test]
fn d_201_uncertainty_by_fitness() {
    let of = [0.49, 0.50, 0.69, 0.70].map(|fitness| Uncertainty::of(ppm(fitness)).name());
    assert_eq!(of, ["high", "medium", "medium", "low"], "V35");
}

/// D-202: the three rows, by the owner's middle one.
#[test]
fn d_202_uncertainty_does_more() {
    for (uncertainty, batch, depth, creative, threats, grade, temperature) in [
        (Uncertainty::High, 15, 3, 3, 5, Grade::T2, 900),
        (Uncertainty::Medium, 10, 2, 2, 3, Grade::T1, 700),
        (Uncertainty::Low, 5, 1, 1, 1, Grade::T1, 500),
    ] {
        let work = Work::of(uncertainty, &DreamLaw::default());
        assert_eq!((work.batch, work.depth, work.creative, work.threats), (batch, depth, creative, threats));
        assert_eq!((work.grade, work.temperature.get()), (grade, temperature), "{uncertainty}");
    }
}

/// D-207: V36, V37, V38, and the work it scales.
#[test]
fn d_207_intensity_meets_its_vectors() {
    let of = |economic, epistemic, stochastic| Nearness { economic, epistemic, stochastic }.intensity();
    assert_eq!([of(0.0, 0.0, 0.0), of(0.5, 0.5, 0.5), of(1.0, 1.0, 1.0)], [1.0, 1.5, 2.0], "V36");
    let v37 = Nearness::of(Some(24.0), 0.45, 0.90);
    assert_eq!((ppm(v37.economic), v37.epistemic, v37.stochastic), (ppm(0.727_273), 1.0, 1.0), "V37");
    assert!((v37.intensity() - 1.863_636).abs() < 1e-6, "V37");
    assert!((Nearness::of(Some(100.0), 0.55, 0.5).intensity() - 1.225).abs() < 1e-12, "V38");
    let work = Work::of(Uncertainty::Medium, &DreamLaw::default());
    assert_eq!(work.scaled(&Nearness::of(None, 1.0, 0.0)), work);
    assert_eq!(work.scaled(&v37).batch, 19);
}

/// D-203, D-208: 72, 24 and 6 hours, as mortality says them.
#[test]
fn d_208_the_economic_clock_has_three_edges() {
    let of = |clocks: Clocks| clocks.modulation(Phase::Stable);
    assert_eq!(with_hours(72).interval(Phase::Stable, 50), Some(50));
    let below = Clocks { projected_ticks: Some(72 * 90 - 1), ..SOUND };
    assert_eq!(below.interval(Phase::Stable, 50), Some(25), "D-203: twice as often");
    assert!(!of(with_hours(24)).consolidation_only);
    assert!(of(Clocks { projected_ticks: Some(24 * 90 - 1), ..SOUND }).consolidation_only, "D-203");
    assert_eq!(Clocks { projected_ticks: Some(6 * 90 - 1), ..SOUND }.interval(Phase::Stable, 50), None, "D-203");
    assert_eq!(SOUND.interval(Phase::Terminal, 50), None, "D-210: not in Terminal");
}

/// D-203, D-002: below 24 hours nothing is replayed and nothing imagined, and the report says what was left out.
#[test]
fn d_203_poor_golems_only_consolidate() {
    let mut world = lived(DreamTier::Hardened);
    world.clocks = with_hours(23);
    let report = dream(world, &law(DreamTier::Hardened)).report;
    assert_eq!(report.journal.ending, CycleEnding::Degraded, "D-002");
    assert_eq!((report.journal.nrem.episodes, report.journal.rem.counterfactuals), (0, 0));
    assert!(report.journal.hypotheses.is_empty() && report.threats.is_empty());
}

/// D-205, D-208: 0.70 turns dreams towards the legacy, 0.85 wholly.
#[test]
fn d_205_the_old_dream_for_those_who_come_after() {
    let of = |tick| Clocks { tick: Tick::new(tick), ..SOUND }.modulation(Phase::Stable);
    assert_eq!(of(140_000).legacy, LegacyFocus::None);
    assert_eq!(of(140_001).legacy, LegacyFocus::Bias);
    assert_eq!(of(170_001).legacy, LegacyFocus::Full);
    assert!(!is_proven_only(&of(170_000)) && is_proven_only(&of(170_001)));
    let mut world = lived(DreamTier::Core);
    let heir = world.traces[3].id();
    for one in &mut world.traces {
        one.surprise = Some(ppm(0.5));
    }
    world.traces[3].recorded.notes.entries = [crate::make::entry_id("kept")].into();
    world.traces[3].surprise = Some(ppm(0.3));
    let replayed = |world: golem_dreams::Frozen| {
        let updates = dream(world, &law(DreamTier::Core)).report.updates;
        updates.iter().any(|one| matches!(one, golem_dreams::report::GrimoireUpdate::Replayed(id, _) if *id == heir))
    };
    assert!(!replayed(world.clone()));
    world.clocks.tick = Tick::new(150_000);
    assert!(replayed(world), "what is worth leaving is weighed twice");
}

/// D-204: accuracy below one half asks what confused it.
#[test]
fn d_204_the_epistemic_clock_confuses() {
    let at = |accuracy| Clocks { accuracy: Ppm::of(accuracy), ..SOUND }.modulation(Phase::Stable).divergent_first;
    assert!(at(499_999) && !at(500_000));
}
