use proptest::prelude::*;

use super::*;

fn score(value: f64) -> Score {
    Score::new(value).expect("a test's score")
}

fn composite(economic: f64, epistemic: f64, tick: u64) -> f64 {
    VitalityLaw::DEFAULT.components(score(economic), score(epistemic), Tick::new(tick)).composite().get()
}

fn close(id: &str, got: f64, expected: f64) {
    assert!((got - expected).abs() <= 1e-6 * expected.abs().max(1e-3), "{id}: {got} is not {expected}");
}

/// M-116: sigmoid checkpoints, W-01 and W-02.
#[test]
fn m_116_sigmoids_meet_w_01_and_w_02() {
    for (x, y) in [
        (0.0, 0.047425873),
        (0.1, 0.119202922),
        (0.2, 0.268941421),
        (0.3, 0.5),
        (0.5, 0.880797078),
        (0.9, 0.997527377),
        (1.0, 0.999088949),
    ] {
        close("W-01", sigmoid(x, 0.3, 10.0), y);
    }
    for (x, y) in [
        (0.0, 0.039165723),
        (0.1, 0.083172696),
        (0.2, 0.167981615),
        (0.35, 0.401312340),
        (0.4, 0.5),
        (0.5, 0.689974481),
        (0.6, 0.832018385),
        (0.8, 0.960834277),
        (1.0, 0.991837429),
    ] {
        close("W-02", sigmoid(x, 0.4, 8.0), y);
    }
}

/// M-113, M-115, M-118: W-03.
#[test]
fn m_115_age_multiplier_meets_w_03() {
    for (tick, expected) in
        [(0, 1.0), (50_000, 0.925), (200_000, 0.7), (400_000, 0.4), (600_000, 0.1), (666_667, 0.0), (u64::MAX, 0.0)]
    {
        close("W-03", VitalityLaw::DEFAULT.age_component(Tick::new(tick)).get(), expected);
    }
    // W-105: spans in nominal ticks, and the ages at which dreams turn to the legacy.
    assert_eq!([6, 24, 72].map(|hours| hours * Tick::PER_HOUR), [540, 2_160, 6_480], "W-105");
    assert!((200_000.0 / Tick::PER_DAY as f64 - 92.59f64).abs() < 0.005, "W-105");
    assert_eq!([140_000, 170_000].map(|t| VitalityLaw::DEFAULT.age_factor(Tick::new(t))), [0.70, 0.85], "W-105");
    // M-113, C-17: the factor itself is not capped.
    assert_eq!(VitalityLaw::DEFAULT.age_factor(Tick::new(500_000)), 2.5);
}

/// M-114, M-117, M-118, M-121: W-04 to W-24.
#[test]
fn m_114_composites_and_raw_phases_meet_w_04_to_w_24() {
    use Phase::{Conservation, Declining, Stable, Terminal, Thriving};
    for (id, economic, epistemic, tick, expected, phase) in [
        ("W-04", 1.0, 1.0, 0, 0.990933814, Thriving),
        ("W-05", 1.0, 0.5, 0, 0.689345879, Stable),
        ("W-06", 1.0, 0.5, 10_000, 0.679005691, Stable),
        ("W-07", 1.0, 0.5, 200_000, 0.482542115, Conservation),
        ("W-08", 0.9, 0.2, 0, 0.167566260, Declining),
        ("W-09", 0.5, 0.6, 50_000, 0.677876410, Stable),
        ("W-10", 0.3, 0.4, 0, 0.250000000, Declining),
        ("W-11", 0.3, 0.4, 200_000, 0.175000000, Declining),
        ("W-12", 0.8, 0.8, 100_000, 0.811243023, Thriving),
        ("W-13", 0.8, 0.8, 400_000, 0.381761423, Conservation),
        ("W-14", 0.7, 0.55, 120_000, 0.618855587, Stable),
        ("W-15", 0.25, 0.7, 30_000, 0.330563312, Conservation),
        ("W-16", 0.1, 0.45, 0, 0.071365318, Terminal),
        ("W-17", 1.0, 0.35, 0, 0.400946724, Conservation),
        ("W-18", 1.0, 0.3, 0, 0.309743070, Conservation),
        ("W-19", 1.0, 0.125, 0, 0.099659611, Terminal),
        ("W-20", 1.0, 0.0, 0, 0.039130041, Terminal),
        ("W-21", 0.0, 1.0, 0, 0.047038756, Terminal),
        ("W-22", 0.0, 0.0, 0, 0.001857469, Terminal),
        ("W-23", 1.0, 1.0, 600_000, 0.099093381, Terminal),
        ("W-24", 1.0, 1.0, 700_000, 0.0, Terminal),
    ] {
        let got = composite(economic, epistemic, tick);
        close(id, got, expected);
        assert_eq!(Phase::raw(Ppm::round(got)), phase, "{id}");
    }
}

/// M-121: what a newborn needs to thrive, the margin included.
#[test]
fn m_121_a_newborn_is_stable_and_thrives_from_fitness_0_5378() {
    let law = VitalityLaw::DEFAULT;
    let newborn = Vitality::birth(&law, Score::ONE, Score::HALF, Tick::ZERO, UtcTime::EPOCH);
    assert_eq!((newborn.phase, newborn.composite), (Phase::Stable, Ppm::of(689_346)));
    assert!(composite(1.0, 0.5378, 0) >= 0.75 && composite(1.0, 0.5376, 0) < 0.75);
}

/// M-122: where Terminal begins for each clock alone.
#[test]
fn m_122_terminal_needs_fitness_below_0_1255_or_economic_below_0_0812() {
    assert!(composite(1.0, 0.1254, 0) < 0.1 && composite(1.0, 0.1256, 0) > 0.1);
    assert!(composite(0.0811, 1.0, 0) < 0.1 && composite(0.0813, 1.0, 0) > 0.1);
}

/// M-112, M-119, M-120: counting within a phase, remembering the one before.
#[test]
fn m_119_ticks_in_phase_restart_on_change_and_the_previous_phase_only_then() {
    let law = VitalityLaw::DEFAULT;
    let at = |tick| (Tick::new(tick), UtcTime::from_seconds(tick * 40));
    let first = Vitality::birth(&law, Score::ONE, Score::ONE, at(1).0, at(1).1);
    let second = first.next(&law, Score::ONE, Score::ONE, at(2).0, at(2).1);
    let third = second.next(&law, score(0.3), Score::ONE, at(3).0, at(3).1);
    let fourth = third.next(&law, score(0.3), Score::ONE, at(4).0, at(4).1);
    assert_eq!([first, second, third, fourth].map(|v| v.ticks_in_phase), [0, 1, 0, 1]);
    assert_eq!(
        [first, second, third, fourth].map(|v| v.previous_phase),
        [None, None, Some(Phase::Thriving), Some(Phase::Thriving)]
    );
    assert_eq!(third.phase, Phase::Conservation);
    assert_eq!(third.last_computed, at(3).1);
    // M-120: the same composite by another road is the same phase.
    let by_age = first.next(&law, Score::ONE, Score::ONE, Tick::new(340_000), UtcTime::EPOCH);
    assert_eq!(by_age.phase, third.phase);
}

/// M-165, MG-06.
#[test]
fn m_165_the_trigger_is_the_component_that_moved_most() {
    let law = VitalityLaw::DEFAULT;
    let before = law.components(score(0.5), score(0.5), Tick::new(1));
    assert_eq!(law.components(score(0.4), score(0.49), Tick::new(2)).trigger_since(&before), Clock::Economic);
    assert_eq!(law.components(score(0.5), score(0.3), Tick::new(2)).trigger_since(&before), Clock::Epistemic);
    assert_eq!(law.components(score(0.5), score(0.5), Tick::new(90_000)).trigger_since(&before), Clock::Stochastic);
}

/// M-118: numbers that would turn the law upside down are refused by name.
#[test]
fn m_118_a_law_that_is_no_law_is_refused() {
    let law = VitalityLaw::DEFAULT;
    assert_eq!(law.check(), Ok(()));
    for bad in [
        VitalityLaw { economic_centre: f64::NAN, ..law },
        VitalityLaw { epistemic_steepness: f64::INFINITY, ..law },
        VitalityLaw { economic_steepness: 0.0, ..law },
        VitalityLaw { age_drag: -0.1, ..law },
        VitalityLaw { reference_lifespan_ticks: 0, ..law },
    ] {
        assert!(bad.check().is_err(), "{bad:?}");
    }
}

proptest! {
    /// M-001, M-111, M-117: no compensation. However high one score, the product stays below what the other allows.
    #[test]
    fn m_111_no_axis_compensates_another(e in 0.0..=1.0f64, raised in 0.0..=1.0f64, f in 0.0..=1.0f64, t in 0u64..800_000) {
        let law = VitalityLaw::DEFAULT;
        let parts = law.components(score(e.max(raised)), score(f), Tick::new(t));
        let product = parts.composite();
        prop_assert!(product <= parts.epistemic && product <= parts.age && product <= parts.economic);
    }

    /// M-114: monotone in each input.
    #[test]
    fn m_114_composite_is_monotone(a in 0.0..=1.0f64, b in 0.0..=1.0f64, other in 0.0..=1.0f64, s: u32, t: u32) {
        let (low, high) = (a.min(b), a.max(b));
        let (young, old) = (u64::from(s.min(t)), u64::from(s.max(t)));
        prop_assert!(composite(low, other, young) <= composite(high, other, young));
        prop_assert!(composite(other, low, young) <= composite(other, high, young));
        prop_assert!(composite(a, b, old) <= composite(a, b, young));
    }
}
