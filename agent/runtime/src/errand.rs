//! From what the law wants to what an adapter does.

use golem_core::life::Life;
use golem_core::record::{CostSource, EffectKind, Outcome, OutcomeResult, Reason, SourceName};
use golem_ports::{Act, OpenEffect, Store};
use golem_primitives::Usdc;

use crate::beat::{self, Pace};
use crate::death::declare::declare;
use crate::death::settle::settle;
use crate::error::RuntimeError;

/// Who carries an effect out.
#[derive(Debug)]
pub(crate) enum Errand {
    OnChain(Act),
    /// Nobody needs to go anywhere: this is what came of it.
    Here(OutcomeResult),
    /// Insurance and death snapshots.
    Insure,
    Curate,
    Write,
    Deliberate,
    Buy(SourceName),
    /// M-067. Rules, and a model where there is one.
    Reflect,
    /// G-142. A model.
    Distil,
    /// D-015. Rules, and models where they are served.
    Dream,
}

/// Where something stands that a task beside the ticks was asked for.
#[derive(Debug)]
pub(crate) enum Standing<T> {
    /// It was not asked by this process; of a purchase, not yet in this tick.
    Unasked,
    Waiting,
    Over(T),
    /// Nobody will ever tell: the task is gone.
    Lost,
}

/// Who carries this one out, and with what.
pub(crate) fn errand<S: Store>(
    open: &OpenEffect,
    life: &Life,
    pace: &Pace,
    store: &mut S,
) -> Result<Errand, RuntimeError> {
    Ok(match open.effect.kind {
        EffectKind::Trade(order) => Errand::OnChain(Act::Trade(order)),
        EffectKind::Beat { phase, vitality } => {
            let reported = life.trader().and_then(|trader| trader.vault()).map(|vault| vault.reported_tick);
            let beat::Said { tick, root, outcomes, rolls, stride } = beat::content(store, open.tick, reported, pace)?;
            Errand::OnChain(Act::Beat { tick, phase, vitality, root, outcomes, rolls, stride })
        }
        EffectKind::ResplitCredits { phase } => Errand::OnChain(Act::Resplit(phase)),
        EffectKind::MoveCredits { source, destination, amount } => {
            Errand::OnChain(Act::Rebalance { from: source, to: destination, amount })
        }
        EffectKind::RaiseReserve { to } => Errand::OnChain(Act::RaiseReserve { to }),
        EffectKind::PayHost { partition, amount } => Errand::OnChain(Act::PayHost { partition, amount }),
        EffectKind::Refuel { amount } => Errand::OnChain(Act::Refuel { amount }),
        EffectKind::Harvest => Errand::OnChain(Act::Harvest),
        EffectKind::Rehearse(order) => Errand::OnChain(Act::Rehearse(order)),
        EffectKind::Allocate => Errand::OnChain(Act::Allocate),
        EffectKind::Declare { cause } => match life.death() {
            Some(death) => declare(death, cause, store)?
                .map_or(Errand::Here(OutcomeResult::Done), |declared| Errand::OnChain(Act::Declare(declared))),
            None => refuse("nobody is dying"),
        },
        EffectKind::Settle => Errand::OnChain(settle(life, store)?),
        EffectKind::WriteTestament => Errand::Write,
        EffectKind::TakeInsuranceSnapshot | EffectKind::TakeDeathSnapshot => Errand::Insure,
        // The owner is told by the event; feeding is a transaction of his.
        EffectKind::OfferFeed { .. } => Errand::Here(OutcomeResult::Done),
        EffectKind::Reflect { .. } => Errand::Reflect,
        EffectKind::Distil { .. } => Errand::Distil,
        EffectKind::Dream { .. } => Errand::Dream,
        EffectKind::EmergencyDream => absent("dreams"),
        EffectKind::Curate => Errand::Curate,
        EffectKind::Deliberate { .. } => Errand::Deliberate,
        EffectKind::Buy { source } => Errand::Buy(source),
        EffectKind::DrawFloat { partition, amount } => Errand::OnChain(Act::DrawFloat { partition, amount }),
        EffectKind::UnwindPositions { .. } => refuse("a life without a hand holds no positions"),
    })
}

/// What a refusal begins with when this life lacks the faculty altogether.
pub const ABSENT: &str = "this Golem has not got ";

fn absent(what: &str) -> Errand {
    refuse(&format!("{ABSENT}{what}"))
}

fn refuse(reason: &str) -> Errand {
    Errand::Here(OutcomeResult::Refused { reason: reason.to_owned() })
}

/// The outcome of something that never left the machine.
pub(crate) fn outcome(open: &OpenEffect, result: OutcomeResult) -> Outcome {
    Outcome { effect: open.effect.id, cost: None, result }
}

/// The same of something that was refused.
pub(crate) fn refused(open: &OpenEffect, reason: &str) -> Outcome {
    outcome(open, OutcomeResult::Refused { reason: reason.to_owned() })
}

/// The same with what it cost, if it cost anything.
pub(crate) fn paid(open: &OpenEffect, source: CostSource, cost: Usdc, result: OutcomeResult) -> Outcome {
    Outcome { cost: (!cost.is_zero()).then_some((source, cost)), ..outcome(open, result) }
}

/// An error as a reason that fits the chain.
pub(crate) fn short(error: &impl std::fmt::Display) -> String {
    let mut text = error.to_string();
    text.truncate(text.floor_char_boundary(Reason::BYTES));
    text
}
