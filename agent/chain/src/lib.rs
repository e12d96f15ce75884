//! Lands at most one transaction per effect, and turns logs and reverts into typed outcomes.

pub mod bindings;
