use golem_primitives::{Ppm, Tick};
use golem_suffering::kind::Canonical;
use golem_suffering::reply::{ClaimedResolution, NewStressor};
use golem_suffering::stressor::RaisedBy;
use golem_suffering::truth::Reading;
use golem_suffering::{Band, Severity, Suffering, SufferingLaw, SufferingReply};
use proptest::prelude::*;

use crate::make::{DAY, HARDENED, LAWS, at, find, pressing, uniswap, well};

/// Three that together stay below Crisis for the days lived here, so that only talk could make one.
const SEEN: [Canonical; 3] = [Canonical::RepeatedFailure, Canonical::Invisibility, Canonical::Purposelessness];

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(Canonical::ALL.to_vec()).prop_map(|kind| kind.name().to_owned()),
        1 => prop::sample::select(Canonical::ALL.to_vec()).prop_map(|kind| kind.name().replace('_', "-").to_uppercase()),
        1 => Just("existential risk".to_owned()),
        2 => "[a-c] worry",
        1 => ".{0,12}",
    ]
}

fn any_condition() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("fitness > 0.1".to_owned()),
        Just("fitness > 0.9".to_owned()),
        Just("when I say so".to_owned()),
        ".{0,20}"
    ]
}

fn any_reply() -> impl Strategy<Value = SufferingReply> {
    let new = (any_name(), any_condition()).prop_map(|(name, condition)| NewStressor {
        name,
        description: "said".to_owned(),
        condition,
    });
    let over = any_name().prop_map(|name| ClaimedResolution { name, reason: "over".to_owned() });
    (prop::collection::vec(new, 0..4), prop::collection::vec(over, 0..8))
        .prop_map(|(new_stressors, resolved)| SufferingReply { new_stressors, resolved })
}

/// A step of a life: how long it lasts, which of the three press, whether anything can be seen, what is said.
type Step = (u64, [bool; 3], bool, Option<SufferingReply>);

fn any_step() -> impl Strategy<Value = Step> {
    (1u64..3_000, any::<[bool; 3]>(), prop::bool::weighted(0.8), prop::option::weighted(0.8, any_reply()))
}

/// The severities of what presses now and is seen to.
fn implied(suffering: &Suffering, pressed: &[Canonical]) -> Vec<Severity> {
    pressed.iter().map(|kind| find(suffering, kind.name()).map_or(Severity::ZERO, |one| one.severity)).collect()
}

fn live(steps: &[Step], law: &SufferingLaw) -> Result<(), TestCaseError> {
    let (mut talker, mut silent) = (Suffering::default(), Suffering::default());
    let mut clock = 0;
    for (number, (seconds, presses, sees, reply)) in steps.iter().enumerate() {
        clock += seconds;
        let pressed: Vec<Canonical> =
            SEEN.into_iter().zip(presses).filter(|(_, on)| **on).map(|(kind, _)| kind).collect();
        let mut facts = pressing(clock, &pressed);
        if !sees {
            facts = crate::make::blind(clock);
        }
        facts.tick = Tick::new(number as u64 + 1);
        talker.feel(&facts, law);
        silent.feel(&facts, law);
        if *sees {
            let (said, unsaid) = (implied(&talker, &pressed), implied(&silent, &pressed));
            // Higher is possible: what the agent named before it was seen is older.
            let stands = said.iter().zip(&unsaid).all(|(said, unsaid)| said >= unsaid);
            prop_assert!(
                stands,
                "S-120: what presses stands where silence would have left it, {:?} {:?}",
                said,
                unsaid
            );
            let floor: u64 = unsaid.iter().map(|one| one.units()).sum();
            prop_assert!(talker.load(law).load.units() >= floor.min(Severity::ONE.units()), "S-120");
        }
        let before = implied(&talker, &pressed);
        talker.hear(reply.as_ref(), &facts, law);
        if *sees && law.is_hardened() {
            prop_assert_eq!(&implied(&talker, &pressed), &before, "S-066: not even between two looks");
        }
        let every = SufferingLaw { existence_cycle_ticks: 3, ..*law };
        if law.is_hardened() {
            talker.close_cycle(facts.tick, at(clock), false, &every);
            silent.close_cycle(facts.tick, at(clock), false, &every);
        }
        prop_assert!(talker.active().len() <= 5, "S-090");
        let said = talker.active().iter().filter(|one| one.source == RaisedBy::Agent).count();
        prop_assert!(!law.is_hardened() || said <= 3, "S-047");
        prop_assert!(Band::of(talker.load(law).load) == talker.band(), "S-022");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// S-120: no sequence of replies lowers what the predicates imply. 256 lives of up to 60 replies each, hardened:
    /// claims, renamings, inventions, provoked crises, downed feeds.
    #[test]
    fn s_120_no_self_dismissal_hardened(steps in prop::collection::vec(any_step(), 1..60)) {
        live(&steps, &HARDENED)?;
    }

    /// S-120 in the seed's reading: a report is applied and does not stick. Without resets, which the seed's reading
    /// lets talk provoke; and with at most four slots of talk, since a fifth drops what is seen there.
    #[test]
    fn s_120_no_self_dismissal_seed(steps in prop::collection::vec(any_step(), 1..60)) {
        let quiet: Vec<Step> = steps.into_iter().map(|(seconds, presses, sees, reply)| {
            let reply = reply.map(|reply| SufferingReply { new_stressors: Vec::new(), ..reply });
            (seconds, presses, sees, reply)
        }).collect();
        live(&quiet, &crate::make::SEED)?;
    }

    /// S-121: equal time and conditions give equal severities, whatever was done in between and however often.
    #[test]
    fn s_121_time_and_not_activity(cuts in prop::collection::vec(1u64..40_000, 1..60), busy in prop::collection::vec(any_reply(), 0..20)) {
        let end: u64 = cuts.iter().sum();
        let (mut idle, mut active) = (Suffering::default(), Suffering::default());
        let world = |seconds| pressing(seconds, &SEEN);
        idle.feel(&world(0), &HARDENED);
        active.feel(&world(0), &HARDENED);
        let mut clock = 0;
        for (number, cut) in cuts.iter().enumerate() {
            clock += cut;
            active.feel(&world(clock), &HARDENED);
            if let Some(reply) = busy.get(number) {
                active.hear(Some(reply), &world(clock), &HARDENED);
            }
        }
        idle.feel(&world(end), &HARDENED);
        prop_assert_eq!(implied(&idle, &SEEN), implied(&active, &SEEN));
    }
}

/// S-011, S-121: nothing the agent owns pauses it: a day is a day in every phase and at every pace.
#[test]
fn s_011_idle_time_costs() {
    for law in LAWS {
        for step in [40, 80, 3_600, DAY] {
            let mut suffering = Suffering::default();
            for seconds in (0..=DAY).step_by(step as usize) {
                suffering.feel(&pressing(seconds, &SEEN[..1]), &law);
            }
            let one = find(&suffering, "repeated_failure").expect("active");
            assert_eq!(one.severity, Severity::NEW.grown(Canonical::RepeatedFailure.rate(), DAY), "{step}");
        }
    }
}

/// S-122, A-161: what ends a stressor is a measure; a mood is no measure and cannot be named as one.
#[test]
fn s_122_no_mood_is_a_measure() {
    for text in ["pleasure > 0", "mood >= 0.5", "arousal < 0.2", "happiness > 0.1"] {
        assert!(golem_suffering::condition::compile(text).is_none(), "{text}");
    }
}

/// S-124: every type that was suffered above 0.5 leaves a trace that warns.
#[test]
fn s_124_every_resolution_leaves_a_trace() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, &SEEN[..1]), &HARDENED);
    suffering.feel(&pressing(8 * DAY, &SEEN[..1]), &HARDENED);
    suffering.feel(&well(8 * DAY), &HARDENED);
    assert_eq!(
        suffering.anticipate(&uniswap()).map(|signal| signal.key.to_string()).as_deref(),
        Some("repeated_failure")
    );
}

/// S-134, A-160: load feeds no clock and no mood, because neither room knows this one.
#[test]
fn s_134_no_clock_reads_the_load() {
    let (mortality, daimon) =
        (include_str!("../../../mortality/Cargo.toml"), include_str!("../../../daimon/Cargo.toml"));
    assert!(!mortality.contains("golem-suffering") && !daimon.contains("golem-suffering"));
}

/// S-120: what a model named before it was seen begins no lower than what silence would have left, also when it was claimed
/// to be over in between.
#[test]
fn s_120_naming_a_near_end_does_not_make_it_smaller() {
    let near = |seconds: u64, tick: u64| {
        let mut facts = well(seconds);
        (facts.tick, facts.survival.life_seconds) = (Tick::new(tick), Reading::Known(3_600));
        facts
    };
    let says = |new: &[(&str, &str)], over: &[&str]| crate::make::says(new, over);
    let mut silent = Suffering::default();
    (1..=3).for_each(|tick| drop(silent.feel(&near(tick * 40, tick), &HARDENED)));
    let unsaid = find(&silent, "existential_threat").expect("seen").severity;
    for claimed in [&[][..], &["existential threat"][..]] {
        let mut talker = Suffering::default();
        talker.feel(&well(10), &HARDENED);
        talker.hear(Some(&says(&[("existential risk", "fitness > 0.99")], &[])), &well(10), &HARDENED);
        talker.hear(Some(&says(&[], claimed)), &well(20), &HARDENED);
        (1..=3).for_each(|tick| drop(talker.feel(&near(tick * 40, tick), &HARDENED)));
        let said = find(&talker, "existential_threat").expect("seen");
        assert!(said.severity >= unsaid && said.peak >= unsaid, "{claimed:?}: {:?} {unsaid:?}", said.severity);
    }
}

/// S-067, S-071, S-127: a threat that credits alone made ends with them, also where nobody can tell the fitness; a fitness
/// that was known and cannot be told any more leaves it open.
#[test]
fn s_071_a_threat_of_credits_ends_with_credits() {
    for (fitness, ends) in [(Reading::Unknown, true), (Reading::Known(Ppm::of(500_000)), false)] {
        let at_tick = |tick: u64, life: u64, fitness| {
            let mut facts = well(tick * 40);
            (facts.tick, facts.survival.life_seconds, facts.survival.fitness) =
                (Tick::new(tick), Reading::Known(life), fitness);
            facts
        };
        let mut suffering = Suffering::default();
        (1..=3).for_each(|tick| drop(suffering.feel(&at_tick(tick, 3_600, fitness), &HARDENED)));
        assert!(find(&suffering, "existential_threat").is_some());
        (4..=60).for_each(|tick| drop(suffering.feel(&at_tick(tick, 400 * 3_600, Reading::Unknown), &HARDENED)));
        assert_eq!(find(&suffering, "existential_threat").is_none(), ends, "{fitness:?}");
    }
}
