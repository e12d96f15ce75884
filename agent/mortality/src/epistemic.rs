//! The epistemic clock: whether the Golem still understands its market.

pub mod clock;
pub mod domain;
pub mod proxy;
pub mod senescence;
pub mod window;
