//! The chain's adapter on a real devnet: anvil, Circle's USDC, Uniswap V3 and the suite.

mod lives;
mod sender;
mod support;
mod trades;
