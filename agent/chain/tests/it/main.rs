//! The chain's adapter on a real devnet: anvil, Circle's USDC, Uniswap V3 and the suite.

mod endpoints;
mod fake_rpc;
mod lives;
mod sender;
mod signers;
mod support;
mod trades;
