//! What a Golem may want of its venue. No order names an address: it says the pool by its name, and which pool that is with
//! which tokens is the owner's choice.

use golem_primitives::{PoolName, Usdc};
use serde::{Deserialize, Serialize};

/// One trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// USDC for the token.
    Buy {
        /// P-057. Where.
        pool: PoolName,
        spend: Usdc,
        /// The least of the token, in its smallest unit.
        least: u128,
    },
    /// The token for USDC.
    Sell {
        /// P-057. Where.
        pool: PoolName,
        /// How much of the token, in its smallest unit.
        amount: u128,
        /// What it must bring.
        least: Usdc,
    },
    /// Liquidity into a range.
    Provide {
        /// P-057. Where.
        pool: PoolName,
        lower: i32,
        upper: i32,
        /// At most this much USDC.
        usdc: Usdc,
        /// At most this much of the token.
        token: u128,
    },
    /// Liquidity out of a position, with its fees.
    Withdraw {
        /// P-057. Where it lies.
        pool: PoolName,
        position: u64,
        liquidity: u128,
    },
}

impl Order {
    /// P-057. The pool it is of.
    #[must_use]
    pub const fn pool(&self) -> PoolName {
        match *self {
            Self::Buy { pool, .. }
            | Self::Sell { pool, .. }
            | Self::Provide { pool, .. }
            | Self::Withdraw { pool, .. } => pool,
        }
    }

    /// V-012. Whether it raises exposure; those that lower it always pass.
    #[must_use]
    pub const fn raises_exposure(&self) -> bool {
        matches!(self, Self::Buy { .. } | Self::Provide { .. })
    }

    /// Its word on screens and in metrics.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Buy { .. } => "buy",
            Self::Sell { .. } => "sell",
            Self::Provide { .. } => "provide",
            Self::Withdraw { .. } => "withdraw",
        }
    }
}
