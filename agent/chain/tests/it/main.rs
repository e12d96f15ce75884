//! The chain's adapter on a real devnet: anvil, Circle's USDC, Uniswap V3 and the suite.

mod chronicles;
mod deployments;
mod desk;
mod endpoints;
mod fake_rpc;
mod float;
mod hostile;
mod lives;
mod mandates;
mod market;
mod paper;
mod proxy;
mod rebuilt;
mod sender;
mod signers;
mod soak;
mod support;
mod town;
mod trades;
