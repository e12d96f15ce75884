//! When the Curator is wanted beside the turns a phase gives it.
//!
//! Whether ten episodes lie ready is a matter of the store, where they are counted as the Curator will count them; a life
//! that kept a count of its own would have to guess what the Curator has looked at. So it is told, by an observation that
//! is journaled like any other, and a life that is lived again is told the same.

use golem_grimoire::curator::CYCLE_TICKS;
use golem_mortality::behaviour::Behaviour;
use golem_mortality::vitals::Vitals;
use golem_primitives::Tick;

use crate::curation::is_poor;
use crate::life::Life;
use crate::pass::Pass;
use crate::record::{Due, EffectKind, Observation};

/// G-143, G-153, C32. What the Curator may be wanted for at a tick beside its turns: ripe episodes while the phase lets it
/// distil and there is money to live on; housekeeping every fifty ticks where the phase gives it no turn at all (M-138
/// stops distilling, not forgetting).
#[must_use]
pub fn due(life: &Life, tick: Tick) -> Option<Due> {
    let vitals = life.vitals();
    if !has_turns(vitals) {
        return tick.is_every(CYCLE_TICKS).then_some(Due::Housekeeping);
    }
    (!is_poor(vitals)).then_some(Due::Episodes)
}

fn has_turns(vitals: &Vitals) -> bool {
    Behaviour::of(vitals.phase()).curator_every.is_some()
}

/// Wants the Curator when it is said to be due, and the phase is still the one it is due in.
pub(crate) fn want(vitals: &Vitals, pass: &mut Pass<'_>) {
    let is_due = pass.input().observations.iter().any(|seen| match seen {
        Observation::CuratorDue { why: Due::Episodes } => has_turns(vitals),
        Observation::CuratorDue { why: Due::Housekeeping } => !has_turns(vitals),
        _ => false,
    });
    if is_due {
        pass.ask(EffectKind::Curate, vitals);
    }
}
