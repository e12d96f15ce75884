//! Whole simulations.

use golem_mortality::phase::Phase;
use golem_primitives::Usdc;
use golem_sim::experiment::{Dimension, ExperimentVerdict, Winner};
use golem_sim::{Report, SimulationProgress, SimulationSettings, SimulationSettingsError, run};

fn small() -> SimulationSettings {
    SimulationSettings {
        golems: 12,
        ticks: 6_000,
        cohort: 300,
        funding: Usdc::whole(1),
        regime_ticks: 1_500,
        seed: 5,
        ..SimulationSettings::default()
    }
}

/// R-052, M-238: both populations are lived, the control does not die, and everything adds up.
#[test]
fn m_238_both_populations_are_compared_on_six_dimensions() {
    let mut seen = Vec::new();
    let report = run(&small(), |progress| seen.push(progress)).expect("sound settings");
    assert_eq!((seen.len(), seen[23]), (24, SimulationProgress { done: 24, total: 24 }));
    assert_eq!(report.immortal.deaths(), 0, "M-233");
    assert_eq!(report.immortal.occupancy(Phase::Thriving).get(), 1_000_000, "M-235");
    assert!(report.mortal.deaths() > 0, "one USDC does not last: {}", report.table());
    assert_eq!(report.mortal.births, report.mortal.deaths() + 12, "every place is taken at the end");
    let shares: u32 = report.mortal.occupancy.iter().map(|share| share.get()).sum();
    assert!((999_990..=1_000_000).contains(&shares), "{shares}");
    assert_eq!(report.dimensions.each_ref().map(|comparison| comparison.dimension), Dimension::ALL);
    for dimension in &report.dimensions {
        assert_eq!((dimension.mortal.len(), dimension.immortal.len()), (12, 12), "{:?}", dimension.dimension);
        assert!(dimension.mortal.iter().chain(&dimension.immortal).all(|x| x.is_finite()));
    }
    let survival = &report.mortal.survival;
    assert!(survival.windows(2).all(|pair| pair[1].1 <= pair[0].1 && pair[1].0 > pair[0].0));
}

/// M-239: the verdict follows from the winners, and counts only after thirty days.
#[test]
fn m_239_the_verdict_follows_from_the_six_winners() {
    let report = run(&small(), |_| ()).expect("sound settings");
    let winners = report.dimensions.each_ref().map(|comparison| comparison.winner);
    assert_eq!(report.finding.verdict, ExperimentVerdict::of(winners));
    assert!(!report.finding.is_valid && report.table().contains("counts from 64800 ticks on"));
    let fitness = &report.dimensions[0];
    let effect = fitness.effect.expect("twelve places a side");
    assert_eq!(fitness.winner == Winner::Neither, !effect.excludes_zero());
    let long = SimulationSettings { golems: 2, ticks: 64_800, cohort: 1, funding: Usdc::whole(1), ..small() };
    assert!(run(&long, |_| ()).expect("sound settings").finding.is_valid);
}

/// the same settings give the same report; another seed another one.
#[test]
fn r_002_a_simulation_is_a_function_of_its_settings() {
    let report = run(&small(), |_| ()).expect("sound");
    assert_eq!(run(&small(), |_| ()).expect("sound"), report);
    assert_ne!(run(&SimulationSettings { seed: 6, ..small() }, |_| ()).expect("sound").mortal, report.mortal);
    let json = serde_json::to_string(&report).expect("plain");
    assert_eq!(serde_json::from_str::<Report>(&json).expect("just written"), report);
}

/// The table and the picture, pinned.
#[test]
fn a_report_is_a_table_and_a_picture() {
    let report = run(&SimulationSettings { golems: 6, ..small() }, |_| ()).expect("sound");
    insta::assert_snapshot!("table", report.table());
    let svg = report.svg();
    assert!(
        svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && !svg.contains("NaN") && !svg.contains("inf")
    );
    assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    assert!(svg.contains("Gompertz-Makeham") && svg.contains("epistemic senescence"));
    insta::assert_snapshot!("picture", svg);
}

/// Settings that cannot be simulated are refused by name.
#[test]
fn settings_that_make_no_world_are_refused() {
    for (settings, says) in [
        (SimulationSettings { golems: 0, ..small() }, "at least one"),
        (SimulationSettings { ticks: 0, ..small() }, "at least one"),
        (SimulationSettings { golems: u32::MAX, ..small() }, "golems"),
        (SimulationSettings { ticks: u64::MAX, ..small() }, "ticks"),
        (SimulationSettings { cohort: u32::MAX, ..small() }, "cohort"),
        (SimulationSettings { funding: Usdc::ZERO, ..small() }, "nobody can be born"),
    ] {
        let error: SimulationSettingsError = run(&settings, |_| ()).expect_err(says);
        assert!(error.to_string().contains(says), "{error}");
    }
}
