use golem_primitives::Ppm;
use proptest::prelude::*;

use super::*;
use crate::cause::{CauseKind, DeathCause, KillOrder, Reason};
use crate::economic::partitions::{Partition, Shares};
use crate::epistemic::window::Pair;
use crate::event::{LawEvent, LawEvents};
use crate::lifecycle::{Active, Fate, Golem};
use crate::mode::Mode;

fn usdc(text: &str) -> Usdc {
    text.parse().expect("a test's amount")
}

fn golem(law: Law, initial: &str) -> Golem<Active> {
    let id = GolemId::new("golem-0001").expect("a name");
    Golem::provision(id, law, usdc(initial), 0, UtcTime::EPOCH).expect("funded").give_birth()
}

const SURVIVES: Chance = Chance::Given(Roll(u64::MAX));
const DIES: Chance = Chance::Given(Roll(0));

/// Facts of an ordinary tick without chance.
fn quiet(tick: u64) -> TickFacts<'static> {
    let now = UtcTime::from_seconds(tick.saturating_mul(Tick::NOMINAL_SECONDS));
    TickFacts { tick: Tick::new(tick), now, chance: SURVIVES, ..TickFacts::default() }
}

fn live(golem: Golem<Active>, facts: &TickFacts<'_>) -> (Golem<Active>, TickRecord, LawEvents) {
    let mut events = LawEvents::new();
    match golem.tick(facts, &mut events).expect("in order") {
        (Fate::Lives(golem), record) => (golem, record, events),
        (Fate::Dies(dying), _) => panic!("died of {:?} at {}", dying.death().cause, facts.tick),
    }
}

fn die(golem: Golem<Active>, facts: &TickFacts<'_>) -> (crate::cause::Death, LawEvents) {
    let mut events = LawEvents::new();
    match golem.tick(facts, &mut events).expect("in order") {
        (Fate::Dies(dying), _) => (dying.death().clone(), events),
        (Fate::Lives(_), _) => panic!("survived {}", facts.tick),
    }
}

/// A Golem whose senescence is confirmed and whose composite is spent, one tick before its epistemic check fires.
fn senescent(mode: Mode) -> Golem<Active> {
    let mut law = Law { mode, ..Law::hosted() };
    law.epistemic.alpha = Score::ONE;
    let mut golem = golem(law, "50");
    let wrong: Vec<Pair> = (0..10).map(|a| Pair::new(99.0, f64::from(a)).expect("a pair")).collect();
    for tick in 1..=500 {
        let epistemic = EpistemicFacts { pairs: if tick == 1 { &wrong } else { &[] }, ..EpistemicFacts::default() };
        golem = live(golem, &TickFacts { epistemic, ..quiet(tick) }).0;
    }
    golem
}

/// M-154: when all three fire in one tick the recorded cause is stochastic, then economic, then epistemic.
#[test]
fn m_154_the_order_of_the_checks_names_the_cause() {
    let ruin = TickFacts { costs: TickCosts::compute(usdc("50")), ..quiet(501) };
    for (chance, balance, costs, expected) in [
        (DIES, BalanceReading::Ledger, ruin.costs, CauseKind::Stochastic),
        (SURVIVES, BalanceReading::Ledger, ruin.costs, CauseKind::Economic),
        (SURVIVES, BalanceReading::Blind, ruin.costs, CauseKind::EpistemicSenescence),
        (SURVIVES, BalanceReading::Ledger, TickCosts::default(), CauseKind::EpistemicSenescence),
    ] {
        let (death, _) = die(senescent(Mode::Hosted), &TickFacts { chance, balance, costs, ..quiet(501) });
        assert_eq!(death.cause.kind(), expected, "M-149, M-150, M-151 in that order");
    }
}

/// M-001, M-149, M-150, M-151: each clock kills a Golem whose other two are in order.
#[test]
fn m_001_each_clock_kills_alone() {
    let (by_chance, _) = die(golem(Law::hosted(), "50"), &TickFacts { chance: DIES, ..quiet(1) });
    assert_eq!(by_chance.cause.kind(), CauseKind::Stochastic, "M-149");
    let ruin = TickFacts { costs: TickCosts::compute(usdc("49")), ..quiet(1) };
    let mut law = Law::hosted();
    law.starting_fitness = Score::ONE;
    let (by_hunger, _) = die(golem(law, "50"), &ruin);
    assert_eq!(by_hunger.cause.kind(), CauseKind::Economic, "M-150");
    let (by_ignorance, _) = die(senescent(Mode::Hosted), &quiet(501));
    assert_eq!(by_ignorance.cause.kind(), CauseKind::EpistemicSenescence, "M-151");
    assert_eq!(by_ignorance.final_vitality.economic, Ppm::ONE, "wealth did not help");
}

/// M-017, M-158: what an economic death records; the floor of the chain kills earlier than the vectors'.
#[test]
fn m_158_an_economic_death_records_balance_burn_and_age() {
    let all_but_a_dime = TickFacts { costs: TickCosts::compute(usdc("48.90")), ..quiet(1) };
    let (golem_lives, ..) = live(golem(Law::hosted(), "50"), &all_but_a_dime);
    assert_eq!(golem_lives.vitals().economic().spendable(), usdc("0.10"));
    let (death, events) = die(golem(Law::hosted().on_chain(), "50"), &all_but_a_dime);
    match &death.cause {
        DeathCause::Economic { balance, ticks_alive, .. } => assert_eq!((*balance, *ticks_alive), (usdc("1.10"), 1)),
        cause => panic!("{cause:?}"),
    }
    // M-156, M-169: the last tick reports its vitality, and death is told once.
    assert_eq!(events.iter().filter(|event| matches!(event, LawEvent::VitalityUpdate { .. })).count(), 1, "M-156");
    assert_eq!(events.iter().filter(|event| matches!(event, LawEvent::Dead(_))).count(), 1, "M-169");
}

/// M-097, M-158, M-161: what a stochastic death records.
#[test]
fn m_161_a_stochastic_death_records_hazard_roll_and_circumstance() {
    let facts = TickFacts { chance: DIES, open_positions: 2, seconds_since_snapshot: Some(77), ..quiet(1) };
    let (death, events) = die(golem(Law::hosted(), "50"), &facts);
    match &death.cause {
        DeathCause::Stochastic {
            hazard_rate, death_roll, tick_at_death, credit_balance, was_in_senescence, ..
        } => {
            assert_eq!((*death_roll, *tick_at_death, *credit_balance), (Roll(0), Tick::new(1), usdc("50")));
            assert!(!death_roll.is_survived(*hazard_rate) && !was_in_senescence);
        }
        cause => panic!("{cause:?}"),
    }
    assert!(death.had_open_positions && death.seconds_since_snapshot == Some(77) && death.cumulative_survival < 1.0);
    assert_eq!((death.phase, death.mode), (Phase::Stable, Mode::Hosted));
    assert!(
        events.iter().any(|event| matches!(event, LawEvent::StochasticRoll { survived: false, .. })),
        "M-102, M-168"
    );
    // M-159: what is told of the death is the whole certificate.
    assert!(events.contains(&LawEvent::Dead(Box::new(death))));
}

/// M-158, M-160, M-061: what an epistemic death records.
#[test]
fn m_160_an_epistemic_death_records_the_way_there() {
    let golem = senescent(Mode::Hosted);
    let facts = TickFacts { archived: 7, reflection: Some(false), ..quiet(501) };
    let (death, _) = die(golem, &facts);
    match &death.cause {
        DeathCause::EpistemicSenescence { ticks_in_senescence, fitness_at_peak, final_fitness, .. } => {
            assert_eq!((*ticks_in_senescence, *fitness_at_peak, *final_fitness), (501, Score::HALF, Score::ZERO));
        }
        cause => panic!("{cause:?}"),
    }
    assert_eq!((death.archived_in_senescence, death.reflections_attempted, death.reflection_improved), (7, 1, false));
    assert_eq!((death.peak_tick, death.domain_fitness), (Tick::ZERO, [Score::HALF; 5]));
}

/// M-069, M-133, M-286, C-21, C-44: neither senescence nor Terminal alone is death.
#[test]
fn m_133_terminal_is_a_posture_and_can_be_left() {
    let mut law = Law::hosted();
    law.starting_fitness = Score::ZERO;
    let (golem, record, _) = live(golem(law, "50"), &quiet(1));
    assert_eq!(record.vitality.phase, Phase::Terminal);
    let mut golem = golem;
    golem.vitals_mut().epistemic = EpistemicClock::starting_at(Score::held(0.2));
    let (golem, record, _) = live(golem, &quiet(2));
    assert_eq!((record.vitality.phase, golem.vitals().phase()), (Phase::Declining, Phase::Declining));
    // M-069: senescent, but the composite is not spent.
    let mut senescent = senescent(Mode::Hosted);
    senescent.vitals_mut().law.epistemic.alpha = Score::ZERO;
    senescent.vitals_mut().law.vitality.epistemic_centre = -10.0;
    assert_eq!(live(senescent, &quiet(501)).1.vitality.phase, Phase::Thriving);
}

/// M-162, M-284, M-285: a Golem can be killed awake or dreaming, and dreams tick.
#[test]
fn m_284_the_cycle_of_a_life() {
    let reason = Reason::new("teardown").expect("short");
    let dreaming = golem(Law::hosted(), "50").fall_asleep();
    let mut events = LawEvents::new();
    let Ok((Fate::Lives(dreaming), _)) = dreaming.tick(&quiet(1), &mut events) else { panic!("dies asleep") };
    let awake = dreaming.wake();
    assert_eq!(awake.vitals().tick(), Tick::new(1));
    let mut events = LawEvents::new();
    let dying = awake.fall_asleep().kill(KillOrder::Owner(reason), &mut events);
    assert_eq!(dying.death().cause.kind(), CauseKind::OwnerKill, "M-285: death may begin while dreaming");
    assert!(matches!(events.last(), Some(LawEvent::Dead(_))));
    let dead = dying.conclude(UtcTime::from_seconds(99));
    assert_eq!((dead.ended().seconds(), dead.death().ticks_alive), (99, 1));
}

/// M-155, MG-09: a clock that runs backwards, stands still or jumps is refused by name, and nothing has changed.
#[test]
fn m_155_every_tick_in_order_or_not_at_all() {
    let (golem, ..) = live(golem(Law::hosted(), "50"), &quiet(1));
    let before = golem.clone();
    let mut golem = golem;
    for tick in [0, 1, 3, u64::MAX] {
        let mut events = LawEvents::new();
        let refused = golem.tick(&quiet(tick), &mut events).expect_err("out of order");
        assert_eq!(refused.error, TickError::OutOfOrder { expected: Tick::new(2), got: Tick::new(tick) });
        assert!(refused.golem == before && events.is_empty());
        golem = refused.golem;
    }
    let backwards = TickFacts { now: UtcTime::EPOCH, ..quiet(2) };
    live(golem, &backwards);
}

/// M-016, M-041, M-232: self-hosted, credits are not counted; the other clocks are.
#[test]
fn m_232_self_hosted_pins_the_economic_score() {
    let id = GolemId::new("golem-0001").expect("a name");
    let golem = Golem::provision(id, Law::self_hosted(), Usdc::ZERO, 3, UtcTime::EPOCH).expect("needs no funds");
    let facts = TickFacts { costs: TickCosts::compute(usdc("99")), ..quiet(1) };
    let (golem, record, events) = live(golem.give_birth(), &facts);
    assert_eq!((record.vitality.economic, record.spent), (Ppm::ONE, Usdc::ZERO));
    assert_eq!(golem.vitals().economic().reserve(), Usdc::ZERO, "M-041");
    assert!(!events.iter().any(|event| matches!(event, LawEvent::EconomicCritical { .. })));
    assert_eq!(die(golem, &TickFacts { chance: DIES, ..quiet(2) }).0.cause.kind(), CauseKind::Stochastic);
    assert_eq!(die(senescent(Mode::SelfHosted), &quiet(501)).0.cause.kind(), CauseKind::EpistemicSenescence);
}

/// M-007, M-071, M-233, M-235, M-236, M-173: an immortal computes every clock, obeys none, and tells when it would
/// have died.
#[test]
fn m_233_an_immortal_would_have_died() {
    let (golem, record, events) = live(senescent(Mode::Immortal), &quiet(501));
    let would = |events: &LawEvents| {
        events.iter().find_map(|event| match event {
            LawEvent::ImmortalWouldHaveDied { cause, tick } => Some((*cause, *tick)),
            _ => None,
        })
    };
    assert_eq!(would(&events), Some((CauseKind::EpistemicSenescence, Tick::new(501))));
    assert_eq!((record.vitality.composite, record.vitality.phase), (Ppm::ONE, Phase::Thriving), "M-235");
    assert_eq!(golem.vitals().epistemic().fitness(), Score::ZERO, "M-071: still computed");
    assert_eq!(record.posture.expect("alive").sharing, Ppm::of(600_000), "M-235");
    let (golem, _, events) = live(golem, &quiet(502));
    assert_eq!(would(&events), None, "told once while it lasts");
    let (_, _, events) = live(golem, &TickFacts { chance: DIES, ..quiet(503) });
    assert!(events.iter().any(|event| matches!(event, LawEvent::StochasticRoll { survived: false, .. })));
}

/// M-018, M-166, M-043, M-048, M-175, MG-07: notices of falling credits, each once on the way down.
#[test]
fn m_166_falling_credits_are_told_once() {
    let mut golem = golem(Law::hosted(), "50");
    let mut told = Vec::new();
    for tick in 1..=48 {
        let (next, _, events) = live(golem, &TickFacts { costs: TickCosts::compute(usdc("1")), ..quiet(tick) });
        golem = next;
        for event in events {
            match event {
                LawEvent::EconomicCritical { remaining, projected_ticks, .. } => {
                    assert_eq!((remaining, projected_ticks), (usdc("14"), 14));
                    told.push((tick, "critical".to_owned()));
                }
                LawEvent::CreditMilestone { rung, .. } => told.push((tick, format!("{rung:?}"))),
                LawEvent::FeedOption { amount, deadline } => {
                    assert_eq!((amount, deadline), (usdc("2160"), Tick::new(49)), "M-048");
                    told.push((tick, "feed".to_owned()));
                }
                _ => {}
            }
        }
    }
    let expected = [
        (35, "critical"),
        (35, "ConservationNotice"),
        (37, "DeathSnapshots"),
        (40, "MonitorOnly"),
        (42, "DeathPreparation"),
        (42, "feed"),
        (47, "HardStopNotice"),
    ];
    assert_eq!(told, expected.map(|(tick, what)| (tick, what.to_owned())));
    // M-047: a gift lifts the credits, and the next fall is told again.
    let (golem, _, events) = live(golem, &TickFacts { funded: usdc("40"), ..quiet(49) });
    assert!(events.contains(&LawEvent::Funded { amount: usdc("40") }));
    let (_, _, events) = live(golem, &TickFacts { costs: TickCosts::compute(usdc("35")), ..quiet(50) });
    assert!(events.iter().any(|event| matches!(event, LawEvent::EconomicCritical { .. })));
}

/// M-056, M-167, M-067, M-068, M-174: warnings of the epistemic clock.
#[test]
fn m_167_falling_fitness_is_told_once() {
    let mut golem = golem(Law::self_hosted(), "0");
    let wrong: Vec<Pair> = (0..10).map(|a| Pair::new(99.0, f64::from(a)).expect("a pair")).collect();
    let mut told = Vec::new();
    for tick in 1..=535 {
        let epistemic = EpistemicFacts { pairs: if tick == 1 { &wrong } else { &[] }, ..EpistemicFacts::default() };
        let (next, _, events) = live(golem, &TickFacts { epistemic, ..quiet(tick) });
        golem = next;
        assert!(events.iter().any(|event| matches!(event, LawEvent::EpistemicFitness { .. })), "M-174: every tick");
        told.extend(events.iter().filter_map(|event| match event {
            LawEvent::EpistemicWarning { senescence_threshold, ticks_in_decline, .. } => {
                assert_eq!((*senescence_threshold, *ticks_in_decline), (Ppm::of(350_000), tick));
                Some((tick, "warning"))
            }
            LawEvent::SenescenceEntered { .. } => Some((tick, "entered")),
            LawEvent::SenescenceConfirmed { .. } => Some((tick, "confirmed")),
            _ => None,
        }));
    }
    assert_eq!(told, [(1, "warning"), (36, "entered")]);
    let right: Vec<Pair> = (0..100).map(|a| Pair::new(f64::from(a), f64::from(a)).expect("a pair")).collect();
    let mut recovered = None;
    for tick in 536.. {
        golem.vitals_mut().law.epistemic.alpha = Score::HALF;
        let epistemic = EpistemicFacts { pairs: &right, ..EpistemicFacts::default() };
        let (next, _, events) = live(golem, &TickFacts { epistemic, ..quiet(tick) });
        golem = next;
        if events.iter().any(|event| matches!(event, LawEvent::EpistemicRecovery { .. })) {
            recovered = Some(tick);
            break;
        }
    }
    assert_eq!(recovered, Some(536), "half of the way to one in one tick");
}

/// M-011, M-152, M-164, M-165, M-168: what is told on every tick, and what on a change.
#[test]
fn m_165_a_phase_transition_names_the_clock() {
    let (golem, _, events) = live(golem(Law::hosted(), "50"), &quiet(1));
    let names: Vec<_> = events.iter().map(LawEvent::telemetry_name).collect();
    assert_eq!(names, ["golem.epistemic_fitness", "golem.stochastic_roll", "golem.vitality_update"], "M-164, M-168");
    let (golem, record, events) = live(golem, &TickFacts { costs: TickCosts::compute(usdc("35")), ..quiet(2) });
    let change = events.iter().find(|event| matches!(event, LawEvent::PhaseTransition { .. }));
    assert_eq!(
        change,
        Some(&LawEvent::PhaseTransition {
            from_phase: Phase::Stable,
            to_phase: Phase::Conservation,
            composite: record.vitality.composite,
            trigger_clock: crate::vitality::Clock::Economic,
        }),
        "M-165"
    );
    let posture = golem.vitals().posture();
    assert_eq!((posture.ceiling, posture.tick_multiplier), (Tier::T1, 2), "M-152");
    assert_eq!(record.posture, Some(posture));
    assert_eq!(record.spent, usdc("35"), "M-157");
}

/// M-030, M-031, M-173: going down opens the legacy; going up does not close it (V-009 leaves that to the owner).
#[test]
fn m_030_the_legacy_opens_on_the_way_down() {
    let mut law = Law::hosted();
    law.starting_fitness = Score::ONE;
    let golem = golem(law, "50");
    let legacy = |golem: &Golem<Active>| golem.vitals().economic().purse().partitions().get(Partition::Legacy);
    let (golem, record, events) = live(golem, &TickFacts { costs: TickCosts::compute(usdc("30")), ..quiet(1) });
    assert_eq!((record.vitality.phase, legacy(&golem)), (Phase::Thriving, Usdc::ZERO));
    assert!(
        !events.iter().any(|event| matches!(event, LawEvent::PhaseTransition { .. })),
        "the first phase is no change"
    );
    let (golem, record, events) = live(golem, &TickFacts { costs: TickCosts::compute(usdc("10")), ..quiet(2) });
    assert_eq!((record.vitality.phase, legacy(&golem)), (Phase::Declining, usdc("4.5")), "M-030");
    assert!(events.contains(&LawEvent::CreditsResplit { phase: Phase::Declining, legacy: usdc("4.5") }));
    let (golem, record, events) = live(golem, &TickFacts { costs: TickCosts::compute(usdc("6")), ..quiet(3) });
    assert_eq!((record.vitality.phase, legacy(&golem)), (Phase::Terminal, usdc("3")), "M-031: every remaining credit");
    assert!(events.iter().any(|event| matches!(event, LawEvent::Dying { .. })), "M-173");
    let (golem, record, _) = live(golem, &TickFacts { funded: usdc("40"), ..quiet(4) });
    assert_eq!(
        (record.vitality.phase, legacy(&golem)),
        (Phase::Thriving, usdc("43")),
        "a gift follows the present split"
    );
}

/// M-038: the reserve follows open positions every 500 ticks, upwards only.
#[test]
fn m_038_the_reserve_follows_positions_upwards() {
    let mut golem = golem(Law::hosted(), "10");
    let mut raised = Vec::new();
    for tick in 1..=1_500 {
        let open_positions = if tick < 1_000 { 10 } else { 0 };
        let (next, _, events) = live(golem, &TickFacts { open_positions, ..quiet(tick) });
        golem = next;
        raised.extend(events.iter().filter_map(|event| match event {
            LawEvent::ReserveRaised { by, reserve } => Some((tick, *by, *reserve)),
            _ => None,
        }));
    }
    assert_eq!(raised, [(500, usdc("0.12"), usdc("0.42"))]);
    assert_eq!(golem.vitals().economic().balance(), usdc("10"));
}

/// R-023, M-146: a Golem that cannot see the chain does not starve on belief; what the chain says replaces it.
#[test]
fn m_146_the_chain_s_word_replaces_belief_and_blindness_is_no_death() {
    let ruin = TickFacts { costs: TickCosts::compute(usdc("60")), balance: BalanceReading::Blind, ..quiet(1) };
    let (golem, _, events) = live(golem(Law::hosted(), "50"), &ruin);
    assert!(events.contains(&LawEvent::Blind) && events.contains(&LawEvent::CostUnpaid { amount: usdc("11") }));
    let seen = Partitions::split(usdc("24.5"), Shares::NORMAL);
    let (golem, record, _) = live(golem, &TickFacts { balance: BalanceReading::Observed(seen), ..quiet(2) });
    assert_eq!(record.vitality.economic, Ppm::of(500_000));
    let empty = BalanceReading::Observed(Partitions::default());
    assert_eq!(die(golem, &TickFacts { balance: empty, ..quiet(3) }).0.cause.kind(), CauseKind::Economic);
}

/// M-023, M-034, M-046, M-065, M-090, M-175: the remaining telemetry comes from the tick.
#[test]
fn m_175_spikes_rebalances_erosion_and_novelty_are_told() {
    let mut golem = golem(Law::hosted(), "50");
    let wrong: Vec<Pair> = (0..10).map(|a| Pair::new(99.0, f64::from(a)).expect("a pair")).collect();
    let mut seen = std::collections::BTreeSet::new();
    for tick in 1..=200 {
        let gas = if tick < 100 { usdc("0.001") } else { usdc("0.3") };
        let facts = TickFacts {
            costs: TickCosts { gas, ..TickCosts::default() },
            revenue: usdc("0.4"),
            archived: 1,
            epistemic: EpistemicFacts {
                pairs: if tick == 1 { &wrong } else { &[] },
                erosion: Ppm::of(1),
                is_novel_regime: true,
                ..EpistemicFacts::default()
            },
            ..quiet(tick)
        };
        let (next, _, events) = live(golem, &facts);
        golem = next;
        seen.extend(events.iter().map(LawEvent::telemetry_name));
    }
    for name in
        ["golem.burn_rate_spike", "golem.partition_rebalance", "golem.grimoire_erosion", "golem.degradation_withheld"]
    {
        assert!(seen.contains(name), "{name} in {seen:?}");
    }
    assert!(golem.vitals().sustainability().is_sustainable());
}

/// M-002, M-003, M-123: there is no oldest age. A Golem of full health beyond every reference lifespan still lives, at
/// a hazard that is never zero.
#[test]
fn m_002_no_age_is_the_last() {
    let mut law = Law::self_hosted();
    law.starting_fitness = Score::ONE;
    let mut golem = golem(law, "0");
    golem.vitals_mut().tick = Tick::new(10_000_000);
    let (golem, record, _) = live(golem, &quiet(10_000_001));
    assert_eq!((record.vitality.composite, record.vitality.phase), (Ppm::ZERO, Phase::Terminal), "C-21");
    assert_eq!(golem.vitals().stochastic().hazard.get(), 1e-3);
    assert!(die(golem, &TickFacts { chance: DIES, ..quiet(10_000_002) }).0.ticks_alive == 10_000_002);
}

/// MG-09, MG-10, M-118: nobody is born without credits or under numbers that are none, and the reason is typed.
#[test]
fn mg_10_nobody_is_born_under_a_law_that_is_none() {
    let id = GolemId::new("golem-0001").expect("a name");
    let born = |law, funding| Golem::provision(id, law, funding, 0, UtcTime::EPOCH).map(|_| ());
    assert!(matches!(born(Law::hosted(), Usdc::ZERO), Err(BirthError::Funding(_))));
    assert!(matches!(born(Law::hosted(), usdc("0.30")), Err(BirthError::Funding(_))));
    for number in [f64::NAN, f64::INFINITY] {
        let mut law = Law::self_hosted();
        law.vitality.epistemic_centre = number;
        assert!(matches!(born(law, usdc("50")), Err(BirthError::Law(_))));
    }
}

fn any_facts() -> impl Strategy<Value = (TickCosts, u64, u32, Option<(f64, f64)>, u64, bool)> {
    let costs = prop::array::uniform3(prop_oneof![9 => 0u64..200_000, 1 => any::<u64>()]).prop_map(
        |[compute, gas, inference]| {
            let [compute, gas, inference] = [compute, gas, inference].map(Usdc::from_micros);
            TickCosts { compute, gas, inference, ..TickCosts::default() }
        },
    );
    let pair = prop::option::of((-1.0..1.0f64, -1.0..1.0f64));
    (costs, prop_oneof![9 => Just(0u64), 1 => any::<u64>()], any::<u32>(), pair, any::<u64>(), any::<bool>())
}

proptest! {
    /// M-010, M-055, M-093, M-111, M-124: any life, lived to its end or for 300 ticks, keeps its invariants.
    #[test]
    fn m_111_any_life_keeps_the_law(ticks in prop::collection::vec(any_facts(), 1..300)) {
        let mut golem = golem(Law::hosted(), "50");
        for (tick, (costs, funded, open_positions, pair, roll, blind)) in (1..).zip(ticks) {
            let pairs: Vec<Pair> = pair.into_iter().map(|(p, a)| Pair::new(p, a).expect("in range")).collect();
            let facts = TickFacts {
                costs,
                funded: Usdc::from_micros(funded),
                open_positions,
                epistemic: EpistemicFacts { pairs: &pairs, ..EpistemicFacts::default() },
                chance: Chance::Given(Roll(roll)),
                balance: if blind { BalanceReading::Blind } else { BalanceReading::Ledger },
                ..quiet(tick)
            };
            let mut events = LawEvents::new();
            let (fate, record) = golem.tick(&facts, &mut events).expect("in order");
            let (vitality, parts) = (record.vitality, record.vitality.components);
            for bound in [parts.economic, parts.epistemic, parts.age] {
                prop_assert!(vitality.composite <= bound.ppm().saturating_add(Ppm::of(1)));
            }
            prop_assert!(vitality.phase <= Phase::raw(vitality.composite), "hysteresis holds down, never up");
            prop_assert!(events.len() < crate::event::EVENTS_PER_TICK);
            golem = match fate {
                Fate::Lives(golem) => golem,
                Fate::Dies(dying) => {
                    prop_assert_eq!(record.posture, None);
                    prop_assert_eq!(dying.death().tick, Tick::new(tick));
                    return Ok(());
                }
            };
            let hazard = golem.vitals().stochastic().hazard.get();
            prop_assert!(hazard > 0.0 && hazard <= 1e-3);
            prop_assert!(blind || !golem.vitals().economic().is_starved(Usdc::ZERO));
        }
    }
}
