//! How a trade came about, in the numbers that computing it again takes.

use golem_primitives::{Decimals, EffectId, Tick, U256, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use super::order::Order;

/// Ticks of a pool that are recorded at most; of more those nearest to the price.
pub const MOST_POOL_TICKS: usize = 128;

/// D-095, D-110. A pool as it stood before a trade: slot0, liquidity, and what changes between the two ends that were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolReading {
    /// The square root of its price, times 2^96.
    pub sqrt_price: U256,
    pub tick: i32,
    pub liquidity: u128,
    pub fee_ppm: u32,
    /// The ends of the range that was read.
    pub ends: (i32, i32),
    /// The initialised ticks between them, each with the liquidity that enters when the price rises through it.
    pub ticks: Vec<(i32, i128)>,
    /// Whether the token, not USDC, is the pool's first.
    pub token_is_first: bool,
}

/// D-095, D-110. A trade that was made, as the chain shows it. What nobody read is `None` and never guessed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fill {
    pub effect: EffectId,
    pub order: Order,
    pub tick: Tick,
    /// The block it landed in, or was simulated at.
    pub block: u64,
    pub at: UtcTime,
    /// Change of USDC, in micros.
    pub usdc_micros: i64,
    /// Change of the token, in its smallest unit.
    pub token: i128,
    /// P-057. The token's decimals.
    pub decimals: Decimals,
    /// What one whole token cost in the pool before it.
    pub price: Usdc,
    pub gas: Option<Usdc>,
    /// The pool before it.
    pub pool: Option<PoolReading>,
}
