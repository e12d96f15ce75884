//! The devnet on a real anvil.

mod chain;
mod failures;
mod pool;
mod support;
mod usdc;
