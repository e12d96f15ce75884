//! The law of mortality: pure functions from a Golem's history to its vitality, its phase and its death.
//!
//! Three clocks can each kill alone, and none stands in for another: credits ([`economic`]), understanding
//! ([`epistemic`]) and chance ([`stochastic`]). [`vitality`] multiplies them into one number, [`phase`] reads the phase
//! from it, [`behaviour`] says what the phase does. [`vitals`] runs them in the order of the catalogue, and
//! [`lifecycle`] makes sure that nothing ticks which is dead.
//!
//! Money is integer micro-USDC; scores are `f64` from a pinned `libm`, rounded once to parts per million before anything
//! is decided by them; chance is a hash of names. Nothing reads a clock, allocates per tick, or knows a format.

pub mod alarm;
pub mod behaviour;
pub mod cause;
pub mod config;
pub mod demurrage;
pub mod dream_modulation;
pub mod economic;
pub mod epistemic;
pub mod error_code;
pub mod event;
pub mod fractal;
mod kd_tree;
pub mod ksg;
pub mod law;
pub mod lifecycle;
pub mod mode;
pub mod outcome;
pub mod phase;
pub mod ring;
pub mod score;
pub mod stochastic;
pub mod vitality;
pub mod vitals;
