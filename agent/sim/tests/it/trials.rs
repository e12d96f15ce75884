//! Whole trials, small ones.

use golem_dreams::law::DreamLaw;
use golem_mortality::law::Law;
use golem_mortality::stochastic::hazard::{HazardLaw, HazardNumbers};
use golem_sim::TooLarge;
use golem_sim::trial::measure::{Interval, Measure};
use golem_sim::trial::terrain::Pace;
use golem_sim::trial::{Arm, TrialError, TrialReport, TrialSettings, dreams, lineages, run};

/// Lives of some hundred ticks, on markets of some thousand.
fn small() -> TrialSettings {
    TrialSettings {
        first_seed: 3,
        seeds: 2,
        ticks: 2_400,
        pace: Pace { epoch_ticks: 700, weather_ticks: 150 },
        horizon: 300,
        truth_ticks: 1_500,
        law: with_hazard(8e-4),
        ..TrialSettings::default()
    }
}

fn with_hazard(base: f64) -> Law {
    let numbers = HazardNumbers { base, age_coefficient: 0.0, ..*HazardLaw::DEFAULT.numbers() };
    Law { hazard: HazardLaw::new(numbers).expect("a law"), ..Law::self_hosted() }
}

fn measured(report: &TrialReport, arm: usize, measure: Measure) -> Vec<f64> {
    report.arms[arm].lines.iter().filter_map(|line| line.measures.get(&measure).copied()).collect()
}

/// a trial is a function of its settings; I-130: one arm inherits, one does not.
#[test]
fn r_002_i_130_arms_are_what_they_are_called_and_the_same_each_time() {
    let report = run(&small(), &lineages(), |_| ()).expect("sound settings");
    assert_eq!(report, run(&small(), &lineages(), |_| ()).expect("sound settings"));
    assert_eq!(
        report.arms.iter().map(|arm| arm.name.as_str()).collect::<Vec<_>>(),
        ["inheriting", "blank", "immortal"]
    );
    assert_eq!(measured(&report, 2, Measure::Lives), [1.0, 1.0], "an immortal never dies");
    assert!(measured(&report, 0, Measure::Lives).iter().all(|lives| *lives > 1.0), "{}", report.table());
    assert!(measured(&report, 0, Measure::Inherited).iter().sum::<f64>() > 0.0, "{}", report.table());
    for arm in [1, 2] {
        assert_eq!(measured(&report, arm, Measure::Inherited), [0.0, 0.0]);
        assert_eq!(measured(&report, arm, Measure::InheritedConfirmed), [0.0, 0.0]);
    }
    let other = TrialSettings { first_seed: 9, ..small() };
    assert_ne!(run(&other, &lineages(), |_| ()).expect("sound settings").arms, report.arms);
}

/// Arms differ in what sets them apart and in nothing else: until somebody dies all three live the same line.
#[test]
fn lines_in_which_nobody_dies_are_the_same_whatever_their_arm() {
    let mut settings = TrialSettings { law: with_hazard(1e-9), ticks: 600, ..small() };
    settings.law.vitality.age_drag = 0.0;
    let report = run(&settings, &lineages(), |_| ()).expect("sound settings");
    assert_eq!(measured(&report, 0, Measure::Lives), [1.0, 1.0]);
    assert_eq!(report.arms[0].lines, report.arms[1].lines);
    assert_eq!(report.arms[0].lines, report.arms[2].lines);
    assert!(report.contrasts.iter().all(|one| one.difference.mean == 0.0 && one.verdict() == "no difference shown"));
}

/// Means and contrasts are those of the lines, paired by seed.
#[test]
fn a_contrast_is_the_mean_of_differences_on_the_same_seed() {
    let report = run(&small(), &lineages(), |_| ()).expect("sound settings");
    for measure in [Measure::Return, Measure::Lives, Measure::Fitness] {
        let (of, less) = (measured(&report, 0, measure), measured(&report, 2, measure));
        let differences: Vec<f64> = of.iter().zip(&less).map(|(a, b)| a - b).collect();
        let contrast = report.contrast("inheriting", "immortal", measure).expect("both measured it");
        assert_eq!(Some(contrast.difference), Interval::of(&differences));
        assert_eq!(report.arms[0].means.get(&measure), Interval::of(&of).as_ref());
    }
    let (table, picture) = (report.table(), report.svg());
    assert!(table.contains("inheriting less blank") && table.contains("return on capital"), "{table}");
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>") && !picture.contains("NaN"));
}

#[test]
fn what_is_no_trial_says_why() {
    let cases = [
        (TrialSettings { seeds: 1, ..small() }, TrialError::Empty),
        (TrialSettings { ticks: 0, ..small() }, TrialError::Empty),
        (
            TrialSettings { ticks: 1_000_001, ..small() },
            TrialError::TooLarge(TooLarge { what: "ticks", got: 1_000_001, most: 1_000_000 }),
        ),
    ];
    for (settings, expected) in cases {
        assert_eq!(run(&settings, &lineages(), |_| ()).err(), Some(expected));
    }
}

/// D-014, D-215: a life that is told that dreams are off is the life that was never told of them.
#[test]
fn d_014_d_215_dreams_that_are_off_are_no_dreams() {
    let settings = TrialSettings { ticks: 900, ..small() };
    let never = dreams().pop().expect("the arm that is off");
    let off = Arm { name: "told", dreams: Some(DreamLaw::default()), ..never.clone() };
    let report = run(&settings, &[off, never], |_| ()).expect("sound settings");
    assert_eq!(report.arms[0].lines, report.arms[1].lines);
    assert_eq!(measured(&report, 0, Measure::Dreams), [0.0, 0.0]);
}

/// D-014: the arms of the ablation dream, replay without imagining, and do neither; the same each time.
#[test]
fn d_014_the_arms_of_the_ablation_are_what_they_are_called() {
    let settings = TrialSettings { ticks: 650, ..small() };
    let report = run(&settings, &dreams(), |_| ()).expect("sound settings");
    assert_eq!(report.arms.iter().map(|arm| arm.name.as_str()).collect::<Vec<_>>(), ["core", "without REM", "off"]);
    for arm in [0, 1] {
        assert!(measured(&report, arm, Measure::Dreams).iter().all(|dreams| *dreams > 3.0), "{}", report.table());
    }
    assert!(measured(&report, 0, Measure::Imagined).iter().sum::<f64>() > 0.0, "{}", report.table());
    for arm in [1, 2] {
        assert_eq!(measured(&report, arm, Measure::Imagined), [0.0, 0.0], "{}", report.arms[arm].name);
    }
    assert_eq!(measured(&report, 2, Measure::Dreams), [0.0, 0.0]);
    assert_eq!(report, run(&settings, &dreams(), |_| ()).expect("sound settings"));
}
