use golem_grimoire::entry::EmbeddingMark;
use golem_primitives::{B256, UtcTime};
use proptest::prelude::*;

use super::*;

fn vector(values: &[f32]) -> Vector {
    let mark =
        EmbeddingMark { model: "nomic".into(), version: "1".into(), preprocessing: B256::ZERO, at: UtcTime::EPOCH };
    Vector { mark, values: values.to_vec() }
}

fn distance(a: &[f32], b: &[f32]) -> Distance {
    Distance::between(&vector(a), &vector(b)).expect("comparable")
}

fn reasons(count: usize, reasoning: &str) -> Vec<Invalidation> {
    vec![Invalidation { reasoning: reasoning.into() }; count]
}

fn leaving() -> Leaving {
    Leaving {
        generation: 2,
        distance: Distance::new(0.15),
        novel: 5,
        inherited: 30,
        invalidated: reasons(3, "gas no longer predicts it"),
        has_gaps: true,
        questions: 7,
        entries: 64,
    }
}

/// I-201, I-210: W-33, W-34, W-35.
#[test]
fn i_210_w_33_w_34_w_35_the_gate_of_birth() {
    let gate = |distance| birth_gate(Some(distance), MIN_PLAYBOOK_DISTANCE, Wish::Automatic);
    let near = distance(&[3.0, 4.0], &[4.0, 3.0]);
    assert_eq!((near.similarity(), near.ppm()), (Ppm::of(960_000), Ppm::of(40_000)), "W-33");
    let refused = gate(near).expect_err("W-33");
    assert_eq!(refused, Stillborn::TooSimilar { similarity: Ppm::of(960_000), least: Ppm::of(150_000) });
    let far = distance(&[8.0, 15.0], &[15.0, 8.0]);
    assert_eq!((far.ppm(), gate(far)), (Ppm::of(169_550), Ok(())), "W-34");
    assert_eq!(gate(distance(&[1.0, 0.0], &[4.0, 3.0])), Ok(()), "W-34");
    assert_eq!(gate(Distance::new(0.15).expect("a distance")), Ok(()), "W-35");
    assert_eq!(gate(Distance::new(1.0 - 0.85).expect("a distance")), Ok(()), "W-35: equality passes");
    assert!(gate(Distance::new(0.149_999).expect("a distance")).is_err());
}

/// I-211, I-212: only a person insists, and what cannot be measured is not born.
#[test]
fn i_212_the_gate_fails_closed() {
    for wish in [Wish::Automatic, Wish::Manual { insists: false }] {
        let refused = birth_gate(None, MIN_PLAYBOOK_DISTANCE, wish).expect_err("unmeasured");
        assert_eq!(refused, Stillborn::Unmeasured);
    }
    assert_eq!(birth_gate(None, MIN_PLAYBOOK_DISTANCE, Wish::Manual { insists: true }), Ok(()), "I-211");
    assert_eq!(Distance::between(&vector(&[0.0]), &vector(&[1.0])), None, "no direction is no measure");
    assert_eq!(Distance::new(f64::NAN), None);
}

/// I-200, I-202, I-203, I-204, M-281: each check alone, and the flag below 0.15 that is (a)'s alone.
#[test]
fn i_200_five_checks_and_one_flag() {
    let law = ReflectionLaw::default();
    assert_eq!(leaving().checks(&law).verdict(), IndividuationVerdict::Individuated);
    let same = Leaving { distance: Distance::new(0.1499), ..leaving() }.checks(&law);
    assert!(same.distance == Check::Failed && same.is_low_divergence(), "I-203");
    assert_eq!(same.verdict(), IndividuationVerdict::LowDivergence);
    for (life, failing) in [
        (Leaving { novel: 4, ..leaving() }, 1),
        (Leaving { invalidated: reasons(2, "because"), ..leaving() }, 2),
        (Leaving { has_gaps: false, ..leaving() }, 3),
        (Leaving { questions: 6, ..leaving() }, 4),
    ] {
        let checks = life.checks(&law);
        let all = [checks.distance, checks.novel, checks.invalidated, checks.gaps, checks.questions];
        assert_eq!(all.iter().position(|one| *one == Check::Failed), Some(failing), "{life:?}");
        assert!(!checks.is_low_divergence() && checks.verdict() == IndividuationVerdict::LowDivergence, "I-204");
    }
    let copy = Leaving { distance: Distance::new(0.0), invalidated: Vec::new(), ..leaving() };
    assert_eq!(copy.checks(&law).verdict(), IndividuationVerdict::CargoCult);
    let unmeasured = Leaving { distance: None, ..leaving() }.checks(&law);
    assert!(unmeasured.distance == Check::Unmeasured && !unmeasured.is_low_divergence(), "I-212: death goes on");
}

/// I-208: W-36; I-200 (e).
#[test]
fn i_208_w_36_a_tenth_must_ask() {
    for (questions, entries, passed) in [(7, 64, true), (6, 64, false), (5, 50, true), (5, 51, false)] {
        let life = Leaving { questions, entries, ..leaving() };
        let questions = life.checks(&ReflectionLaw::default()).questions;
        assert_eq!(questions == Check::Passed, passed, "W-36 {entries}");
    }
    let empty = Leaving { questions: 0, entries: 0, ..leaving() };
    assert_eq!(empty.checks(&ReflectionLaw::default()).questions, Check::Failed, "I-208");
    let unreasoned = Leaving { invalidated: reasons(3, " "), ..leaving() };
    assert_eq!(unreasoned.checks(&ReflectionLaw::default()).invalidated, Check::Failed, "I-208");
}

/// I-205, I-206, I-207: the first of a line, and the one that inherited little.
#[test]
fn i_206_the_first_of_a_line_has_nothing_to_differ_from() {
    let law = ReflectionLaw::default();
    let first = Leaving { generation: 0, distance: None, invalidated: Vec::new(), inherited: 0, ..leaving() };
    let checks = first.checks(&law);
    assert_eq!((checks.distance, checks.invalidated), (Check::NotApplicable, Check::NotApplicable));
    assert_eq!(checks.verdict(), IndividuationVerdict::Individuated);
    assert_eq!(Leaving { novel: 4, ..first }.checks(&law).novel, Check::Failed, "I-206");
    for (inherited, shown, passed) in [(2, 2, true), (2, 1, false), (0, 0, true), (9, 2, false)] {
        let life = Leaving { inherited, invalidated: reasons(shown, "because"), ..leaving() };
        assert_eq!(life.checks(&law).invalidated == Check::Passed, passed, "I-207 {inherited}");
    }
    assert_eq!(Distance::by_rules(&Playbook::default(), &Playbook::default()).ppm(), Ppm::ZERO, "I-205, I-201");
}

proptest! {
    /// I-365: whatever an owner configures, no automatic birth is alike by more than 0.85.
    #[test]
    fn i_365_no_automatic_birth_is_too_alike(far in 0.0f64..2.0, configured in 0u32..=1_000_000) {
        let distance = Distance::new(far);
        if birth_gate(distance, Ppm::of(configured), Wish::Automatic).is_ok() {
            prop_assert!(1.0 - far <= 0.85 + 1e-9);
            prop_assert!(far >= Ppm::of(configured).as_f64() - 1e-9);
        }
    }
}
