//! What one look at the chain shows, all of it at one block.

use arrayvec::ArrayVec;
use golem_mortality::cause::KillOrder;
use golem_mortality::economic::partitions::Partitions;
use golem_mortality::phase::Phase;
use golem_primitives::{BlockHash, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

/// V-015. Positions a vault lists at most.
pub const POSITIONS: usize = 16;

/// A block by number, hash and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockRef {
    /// Its number.
    pub number: u64,
    /// Its hash.
    pub hash: BlockHash,
    /// Its time.
    pub time: UtcTime,
}

/// One look: every number was read at `block`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// The block everything below was read at.
    pub block: BlockRef,
    /// The pool.
    pub market: MarketReading,
    /// The vault; none on paper.
    pub vault: Option<VaultReading>,
}

/// The pool, its time-weighted price, and gas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarketReading {
    /// What one whole token costs now.
    pub price: Usdc,
    /// What it cost on average over the policy's window; `None` while the pool does not remember that far.
    pub twap: Option<Usdc>,
    /// The pool's tick.
    pub pool_tick: i32,
    /// The spacing of its ticks.
    pub tick_spacing: i32,
    /// Whether the token, not USDC, is the pool's first.
    pub token_is_first: bool,
    /// Liquidity in range.
    pub liquidity: u128,
    /// The pool's fee in millionths.
    pub fee_ppm: u32,
    /// Base fee of the block.
    pub base_fee_wei: u64,
}

/// The vault at a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VaultReading {
    /// Where its life stands on chain.
    pub life: ChainLife,
    /// llm, gas, data, legacy.
    pub credits: Partitions,
    /// The locked reserve.
    pub reserve: Usdc,
    /// Capital in USDC that is not at work.
    pub idle: Usdc,
    /// The token held, in its smallest unit.
    pub held: u128,
    /// What the token held has cost, as the vault's books say.
    pub held_cost: Usdc,
    /// V-014. Profit above the high-water mark that could be harvested.
    pub harvestable: Usdc,
    /// Capital as the vault counts it for its bounds.
    pub capital: Usdc,
    /// USDC sent to the vault that nobody has allocated yet.
    pub unallocated: Usdc,
    /// Open liquidity positions.
    pub positions: ArrayVec<PositionReading, POSITIONS>,
    /// The key's native coin.
    pub key_wei: u128,
    /// The phase the key last reported.
    pub reported_phase: Phase,
    /// The tick it last reported.
    pub reported_tick: Tick,
    /// When it last reported.
    pub beat_at: UtcTime,
    /// What each partition may still spend today: llm, gas, data, legacy.
    pub spendable_today: [Usdc; 4],
    /// L-006, L-007, T-001. Why the key may neither spend nor trade now.
    pub barred: Option<Bar>,
}

/// Where a life stands on chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChainLife {
    /// Alive.
    Alive,
    /// Dying until the deadline.
    Dying {
        /// Who ended it; `None` when the Golem itself declared its death.
        order: Option<KillOrder>,
        /// When anybody may finalise.
        deadline: UtcTime,
    },
    /// Dead.
    Dead {
        /// Who ended it, as above.
        order: Option<KillOrder>,
    },
}

/// Why a vault takes no trades and no spending from its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bar {
    /// L-006. The token was sold and the new owner has not accepted.
    OwnerChanged,
    /// L-007. Hibernating.
    Hibernating,
    /// The key was rotated; this process holds the old one.
    KeyRotated,
    /// T-001. Somebody ended this life in a block that a reorganisation may still take back.
    EndUnconfirmed,
}

/// A liquidity position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionReading {
    /// Its id.
    pub id: u64,
    /// Its lower tick.
    pub lower: i32,
    /// Its upper tick.
    pub upper: i32,
    /// Its liquidity.
    pub liquidity: u128,
    /// What it holds of the token, in its smallest unit, fees included.
    pub token: u128,
    /// What it holds of USDC, fees included.
    pub usdc: Usdc,
    /// Fees earned and not collected, valued in USDC.
    pub fees: Usdc,
    /// What it has cost, as the vault's books say.
    pub book: Usdc,
}
