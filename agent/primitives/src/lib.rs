//! Words, units and arithmetic shared by every room.
//!
//! A quantity that can be confused with another has its own type here: money is [`Usdc`] (integer micro-USDC), age is
//! [`Tick`], scores are [`Ppm`], deviations are [`Bps`], wall time is [`UtcTime`]. Arithmetic that can leave the range
//! returns an error or names how it saturates; nothing wraps and nothing is a float.

mod id;
mod parse;
mod pool;
mod ratio;
mod tick;
mod time;
mod token;
mod usdc;
mod words;

pub use id::{AgentId, BlockHash, EffectId, GolemId, IdError, LineageId};
pub use parse::ParseError;
pub use pool::{PoolName, PoolNameError};
pub use ratio::{Bps, Ppm};
pub use tick::Tick;
pub use time::UtcTime;
pub use token::{Decimals, DecimalsError, Denomination, TokenSymbol, TokenSymbolError, Units};
pub use usdc::{MoneyError, Usdc};

pub use alloy_primitives::{Address, B256, U256, keccak256};
