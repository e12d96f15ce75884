//! The devnet on a real anvil.

mod chain;
mod failures;
#[path = "../../../../test/shared/people.rs"]
mod people;
mod pool;
mod support;
mod usdc;
