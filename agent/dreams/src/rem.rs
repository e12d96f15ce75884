//! REM: what never happened is tried, on what was recorded. Everything made here says that it is synthetic.

pub mod counterfactual;
pub mod creative;
pub mod depotentiation;
pub mod hypothesis;
pub mod rehearsal;
pub mod threat;
