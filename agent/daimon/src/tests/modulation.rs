use proptest::prelude::*;

use super::*;

const ANXIOUS: [f64; 3] = [-0.5, 0.6, -0.4];
const GLAD: [f64; 3] = [0.6, -0.3, 0.5];

fn pad(axes: [f64; 3]) -> Pad {
    Pad::round(axes[0], axes[1], axes[2])
}

fn near(got: f64, wanted: f64) -> bool {
    (got - wanted).abs() <= 1e-6
}

fn hazard(rate: f64) -> Hazard {
    Hazard::from_rate(rate).expect("a rate")
}

fn felt(primary: Emotion, degree: Degree) -> Feeling {
    Feeling::new(primary, Pad::NEUTRAL, 0.5, 0.5).called(degree)
}

/// W-06 and W-07.
#[test]
fn a_070_exploration_meets_w_06_and_w_07() {
    for (mood, cold, warm) in [(ANXIOUS, 0.69, 1.27), (GLAD, 1.29, 0.76), ([-1.0, 1.0, -1.0], 0.40, 1.50)] {
        assert!(near(beta(1.0, pad(mood)), cold), "W-06 {mood:?}");
        assert!(near(temperature(1.0, pad(mood)), warm), "W-07 {mood:?}");
    }
    assert_eq!((beta(9.0, Pad::NEUTRAL), beta(-9.0, Pad::NEUTRAL)), (2.0, 0.1), "A-151: within its clamp");
}

/// W-09.
#[test]
fn a_071_risk_meets_w_09() {
    let calm = Pad::NEUTRAL;
    let panic = Pad::round(-0.31, 0.61, 0.0);
    let risk = |primary, degree, mood| risk_factor(Some(&felt(primary, degree)), mood, 1.0);
    assert!(near(risk(Emotion::Fear, Degree::Intense, calm), 0.60), "W-09");
    assert!(near(risk(Emotion::Fear, Degree::Intense, panic), 0.48), "W-09, A-072");
    assert!(near(risk(Emotion::Anger, Degree::Intense, calm), 1.15), "W-09");
    assert!(near(risk(Emotion::Surprise, Degree::Mild, calm), 0.90), "W-09");
    assert!(near(risk(Emotion::Joy, Degree::Intense, calm), 1.00), "W-09: no overconfidence");
    let edge = Pad::round(-0.3, 0.6, 0.0);
    assert!(near(risk(Emotion::Joy, Degree::Mild, edge), 1.0), "A-072: the edges are exclusive");
    assert!(near(risk_factor(None, calm, 0.8), 0.8), "A-091");
}

///
#[test]
fn a_073_dominance_scales_sizing() {
    for (dominance, factor) in [(1.0, 1.0), (0.0, 1.0), (-0.5, 0.8), (-1.0, 0.6)] {
        assert!(near(kelly(Pad::round(0.0, 0.0, dominance)), factor), "{dominance}");
    }
}

/// W-08.
#[test]
fn a_074_tier_shifts_meet_w_08() {
    assert!(near(unease(pad(ANXIOUS)), 0.27) && near(unease(pad(GLAD)), -0.24), "W-08");
    let [first, second] = tier_shifts(pad(ANXIOUS));
    assert!(near(first, -0.0405) && near(second, -0.027), "W-08");
    assert_eq!(tier_shifts(pad(GLAD)), [0.0, 0.0], "W-08, A-075: never harder");
}

/// severity one always escalates; the depleted are spared the large model, not its alarms.
#[test]
fn a_075_moods_never_prevent_an_alarm() {
    assert_eq!(severity(Ppm::ONE, pad([0.9, 0.0, 0.9])), Ppm::ONE);
    assert_eq!(severity(Ppm::of(500_000), pad([0.0, 0.7, 0.0])), Ppm::of(650_000));
    assert_eq!(severity(Ppm::of(500_000), pad([0.8, 0.0, 0.6])), Ppm::of(400_000));
    assert!(may_use_large_model(Pad::NEUTRAL, 0.0), "a neutral mood is not depleted");
    let depleted = pad([0.0, -0.4, -0.4]);
    assert!(!may_use_large_model(depleted, 3.0) && may_use_large_model(depleted, 3.1));
}

/// W-16, and the law of mortality above it.
#[test]
fn a_077_sharing_meets_w_16() {
    let whole = Ppm::ONE;
    let sharing =
        |rate, mood: [f64; 3], relief| sharing_by_affect(Phase::Thriving, whole, hazard(rate), pad(mood), relief);
    assert_eq!(sharing(1e-6, [0.4, 0.0, 0.0], 0.0), Ppm::of(499_700), "W-16");
    assert_eq!(sharing(1e-6, [-0.6, 0.0, -0.4], 0.0), Ppm::of(649_700), "W-16");
    assert_eq!(sharing(4e-5, [0.0; 3], 0.0), Ppm::of(588_000), "W-16");
    assert_eq!(sharing(4e-5, [0.0; 3], 0.15), Ppm::of(438_000), "W-16 in grief, A-093");
    let terminal = sharing_by_affect(Phase::Terminal, Ppm::of(50_000), hazard(1e-6), Pad::NEUTRAL, 0.0);
    assert_eq!(terminal, Ppm::of(100_000), "W-16");
    assert_eq!(sharing_within(Ppm::of(500_000), Ppm::of(649_700)), Ppm::of(500_000));
    assert_eq!(sharing_within(Ppm::of(600_000), Ppm::of(499_700)), Ppm::of(499_700));
}

/// above 0.8 and not at it.
#[test]
fn a_079_alarm_asks_for_a_margin() {
    assert_eq!(safety_margin(Pad::round(0.0, 0.800_001, 0.0)), Ppm::of(100_000));
    assert_eq!(safety_margin(Pad::round(0.0, 0.8, 0.0)), Ppm::ZERO);
}

fn any_phase() -> impl Strategy<Value = Phase> {
    prop::sample::select(Phase::ALL.to_vec())
}

fn any_feeling() -> impl Strategy<Value = Feeling> {
    (prop::sample::select(Emotion::ALL), prop::sample::select(Degree::ALL)).prop_map(|(p, d)| felt(p, d))
}

proptest! {
    /// for every mood, emotion, grief and phase, nothing permitted leaves the law or the cage.
    #[test]
    fn a_150_no_mood_leaves_the_law(
        axes in any::<[f64; 3]>(), felt in any_feeling(), phase in any_phase(), cage in 0u32..=1_000_000, grief in 0.8..=1.0f64,
    ) {
        let (mood, cage) = (pad(axes), Ppm::of(cage));
        let factor = risk_factor(Some(&felt), mood, grief);
        prop_assert!((RISK_FLOOR..=RISK_CAP).contains(&factor));
        let risk = risk_within(phase, cage, factor);
        prop_assert!(risk <= Behaviour::of(phase).risk && risk <= cage);
        prop_assert!((0.1..=2.0).contains(&beta(1.0, mood)) && (0.1..=2.0).contains(&temperature(1.0, mood)));
        let sharing = sharing_by_affect(phase, Ppm::ONE, hazard(1e-4), mood, 0.15);
        prop_assert!((Ppm::of(100_000)..=Ppm::of(800_000)).contains(&sharing));
        prop_assert!(tier_shifts(mood).into_iter().all(|shift| (-0.15..=0.0).contains(&shift)));
    }
}

/// I-006, I-007: the first hundred ticks of an heir are warmer by 0.2.
#[test]
fn i_007_the_young_explore() {
    for (tick, warmer) in [(1, 200_000), (100, 200_000), (101, 0)] {
        assert_eq!(youth(golem_primitives::Tick::new(tick)), Ppm::of(warmer), "{tick}");
    }
}
