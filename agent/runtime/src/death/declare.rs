//! The first act of a death: the chain is told of it, with its cause and the evidence.

use golem_core::record::{CauseKind, Death, DeathCause};
use golem_ports::{Declaration, Store};
use golem_primitives::Tick;

use crate::error::RuntimeError;

/// T-001, T-002. How the chain is told of a death; `None` of one it decided itself, which needs no telling.
pub(crate) fn declare<S: Store>(
    death: &Death,
    cause: CauseKind,
    store: &S,
) -> Result<Option<Declaration>, RuntimeError> {
    if cause != death.cause.kind() {
        let evidence = format!("{} at tick {}, which the chain did not take", death.cause.kind().name(), death.tick);
        return Ok(Some(Declaration::Senescent { evidence }));
    }
    Ok(Some(match &death.cause {
        DeathCause::Economic { .. } => Declaration::Economic,
        DeathCause::EpistemicSenescence { final_fitness, ticks_in_senescence, .. } => Declaration::Senescent {
            evidence: format!(
                "fitness {} after {ticks_in_senescence} ticks of senescence, at tick {}",
                final_fitness.ppm(),
                death.tick
            ),
        },
        DeathCause::Stochastic { hazard_rate, death_roll, tick_at_death, .. } => {
            let before = Tick::new(tick_at_death.get().saturating_sub(1));
            let rolls = store.rolls_after(before)?;
            let block = rolls.iter().find(|(tick, _)| tick == tick_at_death).map_or(0, |(_, block)| *block);
            Declaration::Stochastic {
                tick: *tick_at_death,
                hazard: hazard_rate.as_fraction(),
                roll: death_roll.0,
                block,
            }
        }
        DeathCause::OwnerKill { .. } | DeathCause::KillSwitch { .. } => return Ok(None),
    }))
}
