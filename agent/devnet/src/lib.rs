//! A local L2 with real parts: anvil, Circle's USDC, WETH9, Uniswap V3, Multicall3, and a market that lives by a seed.
//!
//! [`Devnet::up`] starts the chain, builds (or loads) the world and hands over the block production: each
//! [`Devnet::advance`] sets the next block's time, base fee and coinbase, lets the market trade into the pool and mines.
//! Nothing is left to the wall clock, so equal settings give equal block hashes.
//!
//! ```no_run
//! # async fn example() -> Result<(), golem_devnet::DevnetError> {
//! use golem_devnet::{Devnet, DevnetSettings};
//!
//! let mut net = Devnet::up(DevnetSettings::new(".bardo/chain"), &mut |stage| println!("{stage}")).await?;
//! let block = net.advance().await?;
//! println!("block {} at {}: {} per WETH", block.number, block.time, block.price);
//! net.stop().await
//! # }
//! ```

mod accounts;
mod artifacts;
mod bindings;
mod blocks;
mod control;
mod deal;
mod devnet;
mod error;
#[cfg(feature = "facilitator")]
mod facilitator;
mod lock;
pub mod market;
mod node;
mod price;
mod sender;
mod state;
mod suite;
mod tools;
mod world;

pub use accounts::{Accounts, FundedAccount, STRANGERS};
pub use bindings::{
    Erc20, FiatToken, IMulticall3, INonfungiblePositionManager, IQuoterV2, ISwapRouter02, IUniswapV3Pool,
};
pub use control::{AdvanceRequest, Control, HeadAnswer, Keeper};
pub use devnet::{Block, Devnet, DevnetSettings, Fork, StartStage, check_chain_id};
pub use error::DevnetError;
#[cfg(feature = "facilitator")]
pub use facilitator::Facilitator;
pub use lock::{Running, is_free, running, stop_running};
pub use price::Pairing;
pub use suite::Suite;
pub use tools::{FOUNDRY, Tool, ToolError, find_tool, project_root};
pub use world::{Maker, World, WorldPool};
