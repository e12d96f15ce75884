use golem_mortality::epistemic::window::Pair;
use golem_mortality::event::LawEvent;
use golem_mortality::law::Law;
use golem_mortality::outcome::record::{ChainState, OutcomeVerification, Receipt, SimulatedOutcome};
use golem_mortality::stochastic::roll::Roll;
use golem_mortality::vitals::Chance;
use golem_primitives::{EffectId, GolemId, Ppm, Usdc, UtcTime};

use super::*;
use crate::budget::PurseRequest;
use crate::desk::PAIRS_PER_TICK;
use crate::record::{CladeNews, EffectKind, SiblingDeath};

fn life() -> Life {
    let id = GolemId::new("golem-0001").expect("a name");
    Life::birth(id, Law::hosted(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded")
}

fn quiet(tick: u64) -> TickInput {
    TickInput::quiet(Tick::new(tick), UtcTime::from_seconds(tick * 40), Chance::Given(Roll(u64::MAX)))
}

/// An action that is open, and its outcome.
fn action(life: &mut Life, ordinal: u32, predicted: i64, actual: i64) -> Outcome {
    let id = EffectId::derive(life.id(), Tick::new(1), 2, ordinal);
    let Life { body: Body::Active(golem), desk, .. } = life else { panic!("awake") };
    desk.holds.promise(id, PurseRequest::FREE, golem.vitals().economic().purse(), Tier::T2).expect("room");
    let prediction = SimulatedOutcome {
        expected_return_micros: predicted,
        notional: Usdc::whole(100),
        ..SimulatedOutcome::default()
    };
    let receipt = Receipt { success: true, realised_return_micros: actual, ..Receipt::default() };
    let states = (ChainState::default(), ChainState::default());
    let record = OutcomeVerification::compare(Tick::new(1), id, states.0, prediction, states.1, receipt);
    let cost = Some((CostSource::Gas, Usdc::from_micros(700)));
    Outcome { effect: id, cost, result: OutcomeResult::Verified(Box::new(record)) }
}

/// M-072, M-076, M-081, R-011: a verified outcome becomes a pair, a trade and a cost of its tick.
#[test]
fn m_076_a_verified_outcome_enters_the_clocks() {
    let mut life = life();
    let outcomes: Vec<Outcome> =
        (0..12).map(|at| action(&mut life, at, i64::from(at) * 1_000_000, i64::from(at) * 1_000_000)).collect();
    let next = step(life, &TickInput { outcomes, ..quiet(1) });
    let vitals = next.life.vitals();
    assert_eq!(vitals.epistemic().pairs(), 12);
    assert!((vitals.epistemic().fitness().get() - 0.505).abs() < 1e-12, "twelve perfect pairs score one");
    assert_eq!(vitals.economic().lifetime_spent(), Usdc::from_micros(12 * 700));
    let breaches = next.events.iter().filter(|event| matches!(event, Event::BudgetBreached { .. })).count();
    assert_eq!(breaches, 12, "each cost more than it was allowed");
    assert_eq!(next.life.open_effects(), 0);
}

/// Every queue has a limit, and what does not fit is told.
#[test]
fn more_pairs_than_a_tick_can_hold_are_told() {
    let pair = Pair::new(0.01, 0.01).expect("a pair");
    let observations = vec![Observation::Resolved { pair }; PAIRS_PER_TICK + 2];
    let next = step(life(), &TickInput { observations, ..quiet(1) });
    let dropped =
        next.events.iter().filter(|event| matches!(event, Event::InputDropped { what: Dropped::Pairs })).count();
    assert_eq!((dropped, next.life.vitals().epistemic().pairs()), (2, PAIRS_PER_TICK));
    let death = |n: u32| SiblingDeath {
        golem: format!("sibling-{n}").parse().expect("a name"),
        cause: golem_mortality::cause::CauseKind::Stochastic,
        overlap: Ppm::ONE,
    };
    let news = CladeNews { deaths: (0..500).map(death).collect(), ..CladeNews::default() };
    let flood = vec![Observation::Clade(Box::new(news))];
    let next = step(next.life, &TickInput { observations: flood, ..quiet(2) });
    assert!(
        next.events.len() <= crate::record::EVENTS_PER_STEP && next.record.is_some(),
        "M-164: the law still speaks"
    );
    assert!(next.events.iter().any(|event| matches!(event, Event::Mortality(LawEvent::VitalityUpdate { .. }))));
}

/// M-067, M-227, M-138: phases become wants, by the clock.
#[test]
fn m_138_the_curator_and_m_227_insurance_come_by_the_clock() {
    come_by_the_clock(life());
}

/// M-231, M-237: one that cannot die is curated and insured like any other.
#[test]
fn m_231_an_immortal_is_insured_too() {
    let id = GolemId::new("golem-0001").expect("a name");
    let immortal = Life::birth(id, Law::immortal(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded");
    come_by_the_clock(immortal);
}

fn come_by_the_clock(mut life: Life) {
    let mut wanted = Vec::new();
    for tick in 1..=540 {
        let next = step(life, &quiet(tick));
        wanted.extend(next.effects.iter().map(|effect| (tick, effect.kind)));
        let outcomes: Vec<EffectId> = next.effects.iter().map(|effect| effect.id).collect();
        life = next.life;
        for id in outcomes {
            life.desk.holds.settle(id).expect("it was just wanted");
        }
    }
    let curated: Vec<u64> =
        wanted.iter().filter(|(_, kind)| *kind == EffectKind::Curate).map(|(tick, _)| *tick).collect();
    assert_eq!(curated, (1..=10).map(|n| n * 50).collect::<Vec<_>>(), "M-138");
    assert_eq!(wanted.last(), Some(&(540, EffectKind::TakeInsuranceSnapshot)), "M-227");
}
