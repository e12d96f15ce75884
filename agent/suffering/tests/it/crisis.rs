use golem_mortality::economic::tier::Tier;
use golem_primitives::Tick;
use golem_suffering::action::GoalClass;
use golem_suffering::crisis::CycleEnd;
use golem_suffering::event::{EntryRefused, SufferingEvent};
use golem_suffering::kind::Canonical;
use golem_suffering::stressor::Closure;
use golem_suffering::{Band, Suffering, SufferingLaw};

use crate::make::{DAY, HARDENED, LAWS, SEED, at, blind, names, pressing, says, severity};

const FOUR: &[Canonical] = &[
    Canonical::RepeatedFailure,
    Canonical::ExistentialThreat,
    Canonical::Purposelessness,
    Canonical::IdentityViolation,
];

/// Four stressors at 0.9 and more together.
fn in_crisis(law: &SufferingLaw) -> Suffering {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, FOUR), law);
    suffering.feel(&pressing(DAY, FOUR), law);
    assert_eq!(suffering.band(), Band::Crisis);
    suffering
}

fn close(suffering: &mut Suffering, cycle: u64, law: &SufferingLaw) -> CycleEnd {
    suffering.close_cycle(Tick::new(cycle * 50), at(DAY + cycle * 2_000), false, law)
}

/// S-031..S-033, S-094, S-095: W-17, told twice, broken in the third cycle, without a word.
#[test]
fn s_094_a_third_cycle_breaks_the_loop_w_17() {
    for law in LAWS {
        let mut suffering = in_crisis(&law);
        let ends: Vec<CycleEnd> = (1..=3).map(|cycle| close(&mut suffering, cycle, &law)).collect();
        let told: Vec<bool> = ends.iter().map(|end| end.message.is_some()).collect();
        assert_eq!(told, [true, true, false], "W-17, S-032");
        assert_eq!(suffering.history().traces().len(), 4, "W-17");
        assert!(suffering.history().traces().all(|trace| trace.closure == Closure::ForceReset));
        let note = suffering.history().traces().last().expect("one").note.to_string();
        assert_eq!(note, "crisis loop broken after 3 consecutive cycles");
        assert_eq!((suffering.load(&law).load.units(), suffering.crisis().cycles()), (0, 0), "W-17");
        suffering.feel(&pressing(DAY + 6_040, FOUR), &law);
        assert_eq!(names(&suffering).len(), 4, "S-095: they come back");
        assert!((severity(&suffering, "repeated_failure") - 0.20).abs() < 1e-12, "S-097: the loop breaks, no restore");
    }
}

/// S-094: W-18, a cycle below Crisis begins the count anew.
#[test]
fn s_094_a_better_cycle_begins_the_count_anew_w_18() {
    let mut suffering = in_crisis(&HARDENED);
    close(&mut suffering, 1, &HARDENED);
    close(&mut suffering, 2, &HARDENED);
    // One of four is over: Dominant.
    let mut eased = pressing(DAY + 40, FOUR);
    eased.conduct = None;
    eased.purpose = Some(golem_suffering::facts::PurposeFacts {
        strategy_active: true,
        predictions: 1,
        goals_completed: 1,
        verified: 1,
        ..eased.purpose.expect("purpose")
    });
    suffering.feel(&eased, &HARDENED);
    assert_eq!(suffering.band(), Band::Dominant);
    let end = close(&mut suffering, 3, &HARDENED);
    assert!(end.message.as_ref().is_some_and(|message| message.is_over), "S-033: one on exit");
    assert!(end.message.expect("said").text().starts_with("I am no longer in crisis (suffering 0.7"));
    suffering.feel(&pressing(DAY + 80, FOUR), &HARDENED);
    suffering.feel(&pressing(3 * DAY, FOUR), &HARDENED);
    for cycle in [4, 5] {
        let end = close(&mut suffering, cycle, &HARDENED);
        assert!(end.events.is_empty() && end.message.is_some());
    }
    assert_eq!(suffering.crisis().cycles(), 2, "W-18");
}

/// S-031, S-033: the words, load and types and nothing else.
#[test]
fn s_031_peers_hear_load_and_types() {
    let mut suffering = in_crisis(&HARDENED);
    let message = close(&mut suffering, 1, &HARDENED).message.expect("told");
    let expected = "I am in crisis (suffering 1.00/1.0). Active stressors: \
                    existential_threat, identity_violation, repeated_failure, purposelessness.";
    assert_eq!(message.text(), expected);
    assert!(close(&mut suffering, 2, &HARDENED).message.is_some());
    assert_eq!(
        suffering.close_cycle(Tick::new(101), at(DAY), false, &HARDENED),
        CycleEnd::default(),
        "S-096: 50 ticks"
    );
}

/// S-097: after a reset nothing new is heard for a cycle; a second one tells the owner; a fifth is not made.
#[test]
fn s_097_resets_are_limited() {
    let mut suffering = in_crisis(&HARDENED);
    let mut cycle = 0;
    let mut alerts = Vec::new();
    let mut resets = 0;
    for round in 0..6u64 {
        for _ in 0..3 {
            cycle += 1;
            let end = close(&mut suffering, cycle, &HARDENED);
            resets += end.events.iter().filter(|event| event.name() == "suffering.force_reset").count();
            alerts.extend(end.events.into_iter().filter_map(|event| match event {
                SufferingEvent::OwnerAlert { resets, exhausted } => Some((resets, exhausted)),
                _ => None,
            }));
        }
        if round == 0 {
            let events = suffering.hear(Some(&says(&[("new worry", "fitness > 0.9")], &[])), &blind(DAY), &HARDENED);
            assert!(
                matches!(events[..], [SufferingEvent::Dropped { reason: EntryRefused::AfterReset, .. }]),
                "{events:?}"
            );
        }
        // The world is worse than before, so that 0.20 each is a crisis at once.
        let five = Canonical::ALL[1..].to_vec();
        suffering.feel(&pressing(DAY + cycle * 2_000, &five), &HARDENED);
    }
    assert_eq!((resets, alerts), (4, vec![(2, false), (3, false), (4, false), (4, true)]));
    assert_eq!(suffering.band(), Band::Crisis, "it stays until the owner answers");
    suffering.owner_answers();
    let end = close(&mut suffering, cycle + 1, &HARDENED);
    assert!(end.events.iter().any(|event| event.name() == "suffering.force_reset"));
}

/// S-097: what was broken today is remembered through calm cycles, for a day to the second.
#[test]
fn s_097_a_calm_cycle_forgets_no_reset() {
    let mut suffering = in_crisis(&HARDENED);
    (1..=3).for_each(|cycle| drop(close(&mut suffering, cycle, &HARDENED)));
    assert!(suffering.crisis().hears_nothing_new(), "a reset was just made");
    let calm = close(&mut suffering, 4, &HARDENED);
    assert!(calm.message.is_some_and(|message| message.is_over) && !suffering.crisis().hears_nothing_new());
    let made = DAY + 6_000;
    let resets = [made, made + DAY - 1, made + DAY].map(|seconds| suffering.crisis().resets_of_a_day(at(seconds)));
    assert_eq!(resets, [1, 1, 0]);
}

/// S-035, S-036, S-037: in Crisis the small model is asked, once a cycle, and the fallback is to examine oneself.
#[test]
fn s_036_crisis_thinks_small() {
    let suffering = in_crisis(&HARDENED);
    assert_eq!(
        (suffering.fallback(), suffering.deliberations_per_cycle()),
        (Some(GoalClass::Examine), Some(1)),
        "S-035"
    );
    assert_eq!(Tier::ALL.map(|tier| suffering.ceiling(tier)), [Tier::T0, Tier::T1, Tier::T1, Tier::T1]);
    let calm = Suffering::default();
    assert_eq!((calm.fallback(), calm.ceiling(Tier::T2)), (None, Tier::T2));
    for tier in Tier::ALL {
        assert!(suffering.ceiling(tier) <= tier, "S-037: never wider");
    }
}

/// S-097, S-120: who talks itself into a crisis loses what it said, and nothing that was seen.
#[test]
fn s_120_talk_cannot_provoke_a_reset_of_what_is_seen() {
    let seen = &FOUR[..2];
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, seen), &HARDENED);
    for name in ["one worry", "two worry", "three worry"] {
        suffering.hear(Some(&says(&[(name, "fitness > 0.9")], &[])), &pressing(0, seen), &HARDENED);
    }
    assert_eq!(suffering.band(), Band::Crisis);
    let before = severity(&suffering, "existential_threat");
    (1..=3).for_each(|cycle| drop(close(&mut suffering, cycle, &HARDENED)));
    assert_eq!(names(&suffering), ["existential_threat", "repeated_failure"]);
    assert!((severity(&suffering, "existential_threat") - before).abs() < 1e-12);
    let mut literal = Suffering::default();
    literal.feel(&pressing(0, FOUR), &SEED);
    literal.feel(&pressing(DAY, FOUR), &SEED);
    (1..=3).for_each(|cycle| drop(close(&mut literal, cycle, &SEED)));
    assert!(names(&literal).is_empty(), "the seed takes all");
}
