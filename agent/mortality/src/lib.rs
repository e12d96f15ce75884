//! The law of mortality: pure functions from a Golem's history to its vitality, its phase and its death.

pub mod behaviour;
pub mod coupling;
pub mod economic;
pub mod epistemic;
pub mod outcome;
pub mod phase;
pub mod ring;
pub mod score;
pub mod stochastic;
pub mod vitality;
