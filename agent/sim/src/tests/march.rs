use super::*;
use crate::paired::PairedTest;

fn study(periods: u32) -> MarchStudy {
    MarchStudy { dimensions: 30, members: 50, periods, organisations: 4, arms: Vec::new() }
}

fn arm(socialisation: f64, turnover: f64, turbulence: f64) -> MarchArm {
    MarchArm { name: String::new(), socialisation, learning: 0.5, turnover, turbulence }
}

/// Knowledge of the code of one arm less that of another.
fn less(study: &MarchStudy, one: &MarchArm, other: &MarchArm) -> PairedTest {
    let code = |arm: &MarchArm, seed| study.live(arm, seed)["code"];
    let differences: Vec<f64> = (0..10).map(|seed| code(one, seed) - code(other, seed)).collect();
    PairedTest::of(&differences).expect("ten seeds")
}

/// March's figure 1: slow learners end up knowing more.
#[test]
fn slow_socialisation_knows_more_in_a_closed_organisation() {
    let test = less(&study(150), &arm(0.1, 0.0, 0.0), &arm(0.9, 0.0, 0.0));
    assert!(test.low > 0.05, "{test:?}");
}

/// March's figure 4: where reality turns, a code without newcomers knows ever less, and some turnover keeps it up.
#[test]
fn turnover_keeps_a_code_up_in_turbulence() {
    let test = less(&study(100), &arm(0.5, 0.1, 0.02), &arm(0.5, 0.0, 0.02));
    assert!(test.low > 0.05, "{test:?}");
    let without = less(&study(20), &arm(0.5, 0.0, 0.02), &arm(0.5, 0.0, 0.02));
    assert_eq!((without.mean, without.p), (0.0, 1.0), "the same arm is the same to the last digit");
}
