//! From what the law wants to what an adapter does.

use golem_core::life::Life;
use golem_core::record::{CauseKind, DeathCause, Effect, EffectKind, Outcome, OutcomeResult, Reason, SourceName};
use golem_ports::{Act, Declaration, OpenEffect, Stain, Store, Testament};
use golem_primitives::B256;

use crate::beat::{self, Pace};
use crate::error::RuntimeError;
use crate::testament::TESTAMENT_NOTE;

/// Who carries an effect out.
#[derive(Debug)]
pub(crate) enum Errand {
    /// The chain.
    OnChain(Act),
    /// Nobody needs to go anywhere: this is what came of it.
    Here(OutcomeResult),
    /// Insurance and death snapshots.
    Insure,
    /// The Curator.
    Curate,
    /// The testament.
    Write,
    /// A model.
    Deliberate,
    /// A seller.
    Buy(SourceName),
    /// M-067. Rules, and a model where there is one.
    Reflect,
    /// G-142. A model.
    Distil,
    /// D-015. Rules, and models where they are served.
    Dream,
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
        EffectKind::Declare { cause } => declare(life, cause, store)?,
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

/// T-001, T-002. How the chain is told of a death; of one it decided itself it needs no telling.
fn declare<S: Store>(life: &Life, cause: CauseKind, store: &S) -> Result<Errand, RuntimeError> {
    let Some(death) = life.death() else { return Ok(refuse("nobody is dying")) };
    if cause != death.cause.kind() {
        let evidence = format!("{} at tick {}, which the chain did not take", death.cause.kind().name(), death.tick);
        return Ok(Errand::OnChain(Act::Declare(Declaration::Senescent { evidence })));
    }
    Ok(Errand::OnChain(Act::Declare(match &death.cause {
        DeathCause::Economic { .. } => Declaration::Economic,
        DeathCause::EpistemicSenescence { final_fitness, ticks_in_senescence, .. } => Declaration::Senescent {
            evidence: format!(
                "fitness {} after {ticks_in_senescence} ticks of senescence, at tick {}",
                final_fitness.ppm(),
                death.tick
            ),
        },
        DeathCause::Stochastic { hazard_rate, death_roll, tick_at_death, .. } => {
            let before = golem_primitives::Tick::new(tick_at_death.get().saturating_sub(1));
            let rolls = store.rolls_after(before)?;
            let block = rolls.iter().find(|(tick, _)| tick == tick_at_death).map_or(0, |(_, block)| *block);
            Declaration::Stochastic {
                tick: *tick_at_death,
                hazard: hazard_rate.as_fraction(),
                roll: death_roll.0,
                block,
            }
        }
        DeathCause::OwnerKill { .. } | DeathCause::KillSwitch { .. } => return Ok(Errand::Here(OutcomeResult::Done)),
    })))
}

/// T-004. The last act. A testament that could not be written leaves zeros, and the death goes on (M-182).
fn settle<S: Store>(life: &Life, store: &S) -> Result<Act, RuntimeError> {
    let written = store.note(TESTAMENT_NOTE)?.and_then(|text| serde_json::from_str::<Testament>(&text).ok());
    let ticks_lived = life.death().map_or(life.tick().get(), |death| death.ticks_alive);
    let testament = written.unwrap_or_else(|| Testament { ticks_lived, ..Testament::default() });
    let economic = life.vitals().economic();
    let stain = Stain {
        regime: regime_name(life),
        loss: economic.lifetime_funded().saturating_sub(economic.balance()),
        evidence: life.hash(),
    };
    Ok(Act::Settle { testament, stain })
}

/// The regime in which it died, as the market's last volatility names it, in bytes a person can read on an explorer.
fn regime_name(life: &Life) -> B256 {
    let name = life.trader().map_or("unknown", golem_core::trader::Trader::regime_name);
    let mut bytes = [0u8; 32];
    bytes[..name.len().min(32)].copy_from_slice(&name.as_bytes()[..name.len().min(32)]);
    B256::from(bytes)
}

/// The outcome of something that never left the machine.
pub(crate) fn outcome(effect: &Effect, result: OutcomeResult) -> Outcome {
    Outcome { effect: effect.id, cost: None, result }
}

/// A text as a reason that fits the chain.
#[must_use]
pub(crate) fn short(text: &str) -> Reason {
    let mut end = text.len().min(Reason::BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Reason::new(&text[..end]).expect("cut to fit")
}
