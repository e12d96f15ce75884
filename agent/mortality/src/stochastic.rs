//! The stochastic clock: a hazard that is never zero and a roll that anyone can recompute.

pub mod clock;
pub mod hazard;
pub mod roll;
pub mod survival;
