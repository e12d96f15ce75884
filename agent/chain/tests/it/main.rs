//! The chain's adapter on a real devnet: anvil, Circle's USDC, Uniswap V3 and the suite.

mod births;
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
mod nowhere;
mod paper;
#[path = "../../../../test/shared/people.rs"]
mod people;
mod pools;
mod proxy;
mod quorum;
#[path = "../../../../test/shared/raised.rs"]
mod raised;
mod rebuilt;
mod refused;
mod reorganised;
mod rotated;
mod sender;
mod signers;
mod soak;
mod support;
mod town;
mod trades;
#[path = "../../../../test/shared/wire.rs"]
mod wire;
mod withheld;
#[path = "../../../../test/shared/worlds.rs"]
mod worlds;
