//! Retention against the vectors, and its laws.

use std::time::Duration;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::retention::{DecayClass, Pace, RetentionLaw};
use golem_grimoire::strength::Strength;
use golem_primitives::Ppm;
use proptest::prelude::*;

fn days(days: f64) -> Duration {
    Duration::from_secs_f64(days * 86_400.0)
}

fn law() -> RetentionLaw {
    RetentionLaw::default()
}

const TACTICAL: Pace = Pace::of(DecayClass::Tactical);
const REGIME: Pace = Pace::of(DecayClass::RegimeConditional);
const EPHEMERAL: Pace = Pace::of(DecayClass::Ephemeral);

/// G-059, G-063, G-064, G-065, G-066, G-062, M-144, M-259: a stain decays at a third and what a dream validated at half: W1, W2, W3, W4, W5, W6, W7, W8.
#[test]
fn g_063_retention_meets_w1_to_w8() {
    let stained = Pace { is_bloodstain: true, ..TACTICAL };
    let dreamt = Pace { is_dream_validated: true, ..TACTICAL };
    let strong = Pace { strength: Strength::from_hundredths(200), ..TACTICAL };
    let both = Pace { is_bloodstain: true, ..dreamt };
    let poor = Pace { is_low_quality: true, ..TACTICAL };
    for (id, pace, elapsed, parts) in [
        ("W1", TACTICAL, 7.0, 500_000),
        ("W1", TACTICAL, 14.0, 250_000),
        ("W1", TACTICAL, 21.0, 125_000),
        ("W2", REGIME, 7.0, 707_107),
        ("W2", REGIME, 30.0, 226_431),
        ("W3", TACTICAL, 30.0, 51_271),
        ("W5", stained, 7.0, 793_701),
        ("W5", stained, 21.0, 500_000),
        ("W6", dreamt, 14.0, 500_000),
        ("W6", strong, 14.0, 500_000),
        ("W7", both, 42.0, 500_000),
        ("W8", poor, 3.5, 500_000),
    ] {
        assert_eq!(Ppm::round(pace.retention(&law(), days(elapsed))), Ppm::of(parts), "{id} {elapsed} days");
    }
    let e_form = libm::exp(-1.0);
    assert_eq!(Ppm::round(e_form), Ppm::of(367_879), "W4: the e-form is no half-life");
    assert_ne!(TACTICAL.retention(&law(), days(7.0)), e_form, "W4");
}

/// G-062, G-067, G-068: W9, W10, W11, W12.
#[test]
fn g_062_effective_confidence_meets_w9_to_w12() {
    let stained = Pace { is_bloodstain: true, ..TACTICAL };
    let strong = Pace { strength: Strength::from_hundredths(300), ..TACTICAL };
    for (id, pace, confidence, elapsed, parts, archived) in [
        ("W9", TACTICAL, 700_000, 7.0, 350_000, false),
        ("W9", TACTICAL, 700_000, 19.6, 100_511, false),
        ("W9", TACTICAL, 700_000, 19.7, 99_521, true),
        ("W9", TACTICAL, 700_000, 60.0, 50_000, true),
        ("W10", REGIME, 900_000, 28.0, 225_000, false),
        ("W10", EPHEMERAL, 600_000, 2.0, 150_000, false),
        ("W11", TACTICAL, 400_000, 14.0, 100_000, false),
        ("W12", stained, 800_000, 21.0, 400_000, false),
        ("W12", strong, 600_000, 30.0, 222_899, false),
    ] {
        let confidence = Confidence::of(confidence);
        assert_eq!(pace.effective(&law(), confidence, days(elapsed)), Ppm::of(parts), "{id} {elapsed} days");
        let is_archived = pace.remaining(&law(), confidence, days(elapsed)) < law().archive_threshold();
        assert_eq!(is_archived, archived, "{id} {elapsed} days");
    }
}

/// G-068: W13, W14, in thousandths of a day.
#[test]
fn g_068_days_to_the_threshold_meet_w13_and_w14() {
    let stained = Pace { is_bloodstain: true, ..TACTICAL };
    for (id, pace, confidence, thousandths) in [
        ("W13", TACTICAL, 700_000, 19_651.0),
        ("W13", REGIME, 700_000, 39_303.0),
        ("W13", EPHEMERAL, 700_000, 2_807.0),
        ("W13", stained, 700_000, 58_954.0),
        ("W14", TACTICAL, 300_000, 11_095.0),
        ("W14", REGIME, 300_000, 22_189.0),
    ] {
        let left = |thousandths: f64| pace.remaining(&law(), Confidence::of(confidence), days(thousandths / 1e3));
        assert!(left(thousandths - 1.0) > Ppm::of(100_000) && left(thousandths + 1.0) < Ppm::of(100_000), "{id}");
    }
}

/// G-059, G-071, G-076: structural knowledge, open questions and an immortal's knowledge do not decay.
#[test]
fn g_071_structural_never_decays_whatever_its_factors() {
    let structural = Pace { is_low_quality: true, is_unproven_inheritance: true, ..Pace::of(DecayClass::Structural) };
    let question = Pace { is_open_question: true, ..EPHEMERAL };
    assert_eq!(structural.retention(&law(), Duration::MAX), 1.0);
    assert_eq!(question.retention(&law(), days(900.0)), 1.0, "C30");
    let mut immortal = law();
    immortal.demurrage = false;
    assert_eq!(EPHEMERAL.retention(&immortal, days(900.0)), 1.0, "G-076");
}

/// G-057: an heirloom nobody confirmed decays twice as fast.
#[test]
fn g_057_unproven_inheritance_decays_at_twice_the_rate() {
    let unproven = Pace { is_unproven_inheritance: true, ..TACTICAL };
    assert_eq!(unproven.retention(&law(), days(3.5)), TACTICAL.retention(&law(), days(7.0)));
}

/// G-069: the owner may move the threshold within bounds.
#[test]
fn g_069_thresholds_have_bounds() {
    for (parts, ok) in [(10_000, true), (9_999, false), (300_000, true), (300_001, false), (0, false)] {
        let threshold = law().with_archive_threshold(Ppm::of(parts)).map(|law| law.archive_threshold());
        assert_eq!(threshold.ok(), ok.then_some(Ppm::of(parts)), "{parts}");
    }
}

/// G-029: the four words of the seed.
#[test]
fn g_029_classes_read_back_by_name() {
    assert_eq!(DecayClass::ALL.len(), 4);
    for class in DecayClass::ALL {
        assert_eq!(DecayClass::from_name(class.name()), Some(*class));
    }
    assert_eq!(DecayClass::from_name("A"), None, "G-074: no other table is read");
}

fn any_pace() -> impl Strategy<Value = Pace> {
    (prop::sample::select(DecayClass::ALL), 0u32..2_000, any::<[bool; 4]>()).prop_map(|(class, strength, flags)| Pace {
        class,
        strength: Strength::from_hundredths(strength),
        is_bloodstain: flags[0],
        is_dream_validated: flags[1],
        is_low_quality: flags[2],
        is_unproven_inheritance: flags[3],
        is_open_question: false,
    })
}

proptest! {
    /// G-063: never more after longer, always within (0, 1].
    #[test]
    fn g_063_retention_is_monotone(pace in any_pace(), a in 0u64..100_000_000, b in 0u64..100_000_000) {
        let early = pace.retention(&law(), Duration::from_secs(a.min(b)));
        let late = pace.retention(&law(), Duration::from_secs(a.max(b)));
        prop_assert!(late <= early && (0.0..=1.0).contains(&late) && early <= 1.0);
    }

    /// G-063: two spans leave what their sum leaves.
    #[test]
    fn g_063_retention_composes(pace in any_pace(), a in 0u64..10_000_000, b in 0u64..10_000_000) {
        let in_two = pace.retention(&law(), Duration::from_secs(a)) * pace.retention(&law(), Duration::from_secs(b));
        let in_one = pace.retention(&law(), Duration::from_secs(a + b));
        prop_assert!((in_two - in_one).abs() <= 1e-12);
    }

    /// G-064, G-065: what slows decay never speeds it.
    #[test]
    fn g_064_bloodstains_outlast_the_same_knowledge(pace in any_pace(), seconds in 0u64..100_000_000) {
        let span = Duration::from_secs(seconds);
        let plain = Pace { is_bloodstain: false, is_dream_validated: false, ..pace };
        let stained = Pace { is_bloodstain: true, ..plain };
        let dreamt = Pace { is_dream_validated: true, ..plain };
        let left = plain.retention(&law(), span);
        prop_assert!(stained.retention(&law(), span) >= left && dreamt.retention(&law(), span) >= left);
    }
}
