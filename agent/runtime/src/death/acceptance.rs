//! How a death began, for its testament and for siblings.

use golem_core::life::Life;
use golem_core::record::DeathBudget;
use golem_inheritance::testament::acceptance::{Acceptance, LastFeeling};

/// M-187. How its death began, and whether siblings were told; `None` of the living. One that others carry out began to die at its last tick.
pub(crate) fn acceptance(life: &Life, clade_notified: bool) -> Option<Acceptance> {
    let death = life.death()?;
    let at = life.dying_since().unwrap_or(death.final_vitality.last_computed);
    let affect = life.affect().filter(|affect| affect.law().enabled);
    let felt = affect.and_then(|affect| Some(LastFeeling { mood: affect.mood(at), acceptance: life.felt_end()? }));
    Some(Acceptance { clade_notified, ..Acceptance::of(death, at, felt, DeathBudget::left_by(life.vitals())) })
}
