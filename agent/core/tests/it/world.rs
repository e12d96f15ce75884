//! A world that answers effects at once, for tests.

use golem_core::life::Life;
use golem_core::record::{Effect, EffectKind, Observation, Outcome, OutcomeResult, RECORD_VERSION, TickInput, Turn};
use golem_core::step::{Step, step};
use golem_mortality::economic::burn::CostSource;
use golem_mortality::law::Law;
use golem_mortality::outcome::record::{Receipt, SimulatedOutcome};
use golem_mortality::stochastic::roll::Roll;
use golem_mortality::vitals::Chance;
use golem_primitives::{EffectId, GolemId, Tick, Usdc, UtcTime};

use crate::venue::verified;

/// A day in November 2026, at midnight UTC.
pub(crate) const BIRTH: u64 = 1_794_700_800;

pub(crate) fn usdc(text: &str) -> Usdc {
    text.parse().expect("a test's amount")
}

pub(crate) fn now(tick: u64) -> UtcTime {
    UtcTime::from_seconds(BIRTH + tick * Tick::NOMINAL_SECONDS)
}

pub(crate) fn born(law: Law, funding: &str) -> Life {
    let id = GolemId::new("golem-0001").expect("a name");
    Life::birth(id, law, usdc(funding), 0, now(0)).expect("funded")
}

/// A whole tick in which nothing but upkeep happened, without chance.
pub(crate) fn quiet(tick: u64, cost: &str) -> TickInput {
    let mut input = TickInput::quiet(Tick::new(tick), now(tick), Chance::Given(Roll(u64::MAX)));
    input.observations.push(Observation::Upkeep { source: CostSource::Compute, cost: usdc(cost) });
    input
}

/// What the world answers to an effect: it is done at the price allowed.
pub(crate) fn answer(effect: &Effect) -> Outcome {
    let source = match effect.kind {
        EffectKind::TakeInsuranceSnapshot => CostSource::Insurance,
        EffectKind::TakeDeathSnapshot => CostSource::Legacy,
        EffectKind::Reflect { .. } => CostSource::Inference,
        _ => CostSource::Gas,
    };
    let result = match effect.kind {
        EffectKind::Reflect { .. } => OutcomeResult::Reflected { improved: false },
        _ => OutcomeResult::Done,
    };
    Outcome { effect: effect.id, cost: Some((source, effect.budget)), result }
}

/// An outcome of a trade that was simulated to bring `predicted` and brought `actual`, in micro-USDC per 100 USDC.
pub(crate) fn trade(effect: EffectId, tick: u64, predicted: i64, actual: i64) -> Outcome {
    let prediction = SimulatedOutcome {
        expected_return_micros: predicted,
        notional: Usdc::whole(100),
        expected_gas: 120_000,
        ..SimulatedOutcome::default()
    };
    let receipt = Receipt { success: true, gas_used: 121_000, realised_return_micros: actual, ..Receipt::default() };
    Outcome { effect, cost: None, result: verified((Tick::new(tick), effect), prediction, receipt) }
}

/// Lives `inputs` in order.
pub(crate) fn live(mut life: Life, inputs: impl IntoIterator<Item = TickInput>, mut see: impl FnMut(&Step)) -> Life {
    for input in inputs {
        let next = step(life, &input);
        see(&next);
        life = next.life;
    }
    life
}

/// A turn of a tick in which nothing happened.
pub(crate) fn turn(tick: u64, turn: Turn) -> TickInput {
    TickInput { turn, version: RECORD_VERSION, ..quiet(tick, "0") }
}
