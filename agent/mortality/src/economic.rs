//! The economic clock.

pub mod tier;
