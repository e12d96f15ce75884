//! How a death began, for its testament and for siblings.

use golem_core::life::Life;
use golem_core::record::DeathBudget;
use golem_inheritance::testament::acceptance::{Acceptance, LastFeeling};
use golem_primitives::UtcTime;

/// M-187. How its death began, and whether siblings were told; `None` of the living. One that others carry out began to die at its last tick.
pub(crate) fn acceptance(life: &Life, clade_notified: bool) -> Option<Acceptance> {
    let death = life.death()?;
    let at = life.dying_since().unwrap_or(death.final_vitality.last_computed);
    let budget = DeathBudget::left_by(life.vitals());
    Some(Acceptance { clade_notified, ..Acceptance::of(death, at, last_feeling(life, at), budget) })
}

/// What it feels at its end; `None` when affect was off.
pub(super) fn last_feeling(life: &Life, at: UtcTime) -> Option<LastFeeling> {
    let affect = life.affect().filter(|affect| affect.law().enabled)?;
    Some(LastFeeling { mood: affect.mood(at), acceptance: life.felt_end()? })
}
