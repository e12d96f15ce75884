//! What one look at the chain shows, all of it at one block.

use std::fmt;

use arrayvec::ArrayVec;
use golem_mortality::cause::KillOrder;
use golem_mortality::economic::partitions::Partitions;
use golem_mortality::phase::Phase;
use golem_playbook::budget::POOLS;
use golem_primitives::{BlockHash, Denomination, PoolName, Tick, U256, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use crate::trade::TokenPrice;

/// V-015. Positions a vault lists at most.
pub const POSITIONS: usize = 16;
/// P-057. Pools a look may have beside the home pool.
pub const ELSEWHERE: usize = POOLS - 1;
/// P-057. Pools beside the home pool that one life may ever have traded in: a token keeps its place in the books for as long
/// as the life lasts, also when the pools that brought it are left.
pub const EVER_ELSEWHERE: usize = 7;

/// A block by number, hash and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockRef {
    pub number: u64,
    pub hash: BlockHash,
    pub time: UtcTime,
}

/// One look: every number was read at `block`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// The block everything below was read at.
    pub block: BlockRef,
    /// The home pool: what the regime, understanding and forecasts are of.
    pub market: MarketReading,
    /// P-057. The other pools the owner listed for it, in his order.
    pub elsewhere: ArrayVec<MarketReading, ELSEWHERE>,
    /// The vault; none of a life that has only a market.
    pub vault: Option<VaultReading>,
}

impl Sight {
    /// P-057. Every pool it shows, the home pool first.
    pub fn markets(&self) -> impl Iterator<Item = &MarketReading> {
        std::iter::once(&self.market).chain(&self.elsewhere)
    }

    /// P-057. The pool of a name; nothing where it is not listed any more.
    #[must_use]
    pub fn market_of(&self, pool: PoolName) -> Option<&MarketReading> {
        self.markets().find(|market| market.pool == pool)
    }
}

/// The pool, its time-weighted price, and gas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarketReading {
    /// P-057. Its name.
    pub pool: PoolName,
    /// P-057. Which of the vault's tokens it trades: nothing is the home pool's, and then those that other pools bring, in
    /// their order. Two fee tiers of one pair have the same.
    pub token: u8,
    /// P-057. What its owner lets be done there.
    pub access: PoolAccess,
    /// P-057. How its token is counted and called.
    pub denomination: Denomination,
    /// What one whole token costs now.
    pub price: Usdc,
    /// What it cost on average over the policy's window; `None` while the pool does not remember that far.
    pub twap: Option<Usdc>,
    pub pool_tick: i32,
    pub tick_spacing: i32,
    /// Whether the token, not USDC, is the pool's first.
    pub token_is_first: bool,
    pub liquidity: u128,
    pub fee_ppm: u32,
    pub base_fee_wei: u64,
    /// What one ether costs: gas is paid in it.
    pub ether: Usdc,
    /// What a unit of liquidity has earned since the pool began, in its first and in its second token, as the pool counts it:
    /// with 128 bits behind the point, and from nothing again when 256 bits are full.
    pub fee_growth: [U256; 2],
}

/// P-057. What an owner lets his Golem do in a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoolAccess {
    #[default]
    Open,
    /// It shall leave: what is held there is sold, and nothing is entered.
    Leaving,
    /// The vault does not list the pool or its token: it swaps nothing through it, whoever asks. Liquidity can still be taken
    /// back, and a token be sold in another pool that trades it.
    Closed,
}

impl fmt::Display for PoolAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Open => "open",
            Self::Leaving => "being left",
            Self::Closed => "not listed",
        })
    }
}

impl MarketReading {
    /// P-057. What its token costs.
    #[must_use]
    pub const fn token_price(&self) -> TokenPrice {
        TokenPrice { whole: self.price, decimals: self.denomination.decimals }
    }

    /// P-020. What swapping this much one way loses to the pool's curve, in millionths, by the liquidity in range: the pool
    /// has that times the root of the price in USDC, and a swap moves the price by its part of it.
    #[must_use]
    pub fn impact_ppm(&self, amount: Usdc) -> u32 {
        let unit = self.denomination.decimals.unit() as f64;
        let depth = self.liquidity as f64 * libm::sqrt(self.price.micros() as f64) / libm::sqrt(unit);
        let amount = amount.micros() as f64;
        // `as` keeps what is no number within the range.
        if amount > 0.0 { libm::ceil(amount / (depth + amount) * 1e6) as u32 } else { 0 }
    }

    /// P-061. What was traded since an earlier look, in USDC: the fees that the liquidity now in range would have earned, by
    /// the fee. What the pool's protocol keeps of them is not seen and not counted.
    #[must_use]
    pub fn volume_since(&self, before: &Self) -> Usdc {
        let [first, second] = [0, 1].map(|token| self.swapped(self.fee_growth[token], before.fee_growth[token]));
        let (token, usdc) = if self.token_is_first { (first, second) } else { (second, first) };
        let usdc = Usdc::from_micros(u64::try_from(usdc).unwrap_or(u64::MAX));
        usdc.saturating_add(self.token_price().worth(token))
    }

    /// What went into the pool of a token while its fees grew so far, in its smallest unit.
    fn swapped(&self, now: U256, before: U256) -> u128 {
        let grown = now.wrapping_sub(before);
        // A reorganisation took fees back: the count stands lower than it stood.
        if grown.bit(255) || self.fee_ppm == 0 {
            return 0;
        }
        let fees: U256 = grown.saturating_mul(U256::from(self.liquidity)) >> 128;
        let swapped = fees.saturating_mul(U256::from(1_000_000)) / U256::from(self.fee_ppm);
        swapped.saturating_to()
    }
}

/// The vault at a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VaultReading {
    pub life: ChainLife,
    /// llm, gas, data, legacy.
    pub credits: Partitions,
    pub reserve: Usdc,
    /// Capital in USDC that is not at work.
    pub idle: Usdc,
    /// The home pool's token held, in its smallest unit.
    pub held: u128,
    /// What that has cost, as the vault's books say.
    pub held_cost: Usdc,
    /// P-057. The tokens that other pools bring, as [`MarketReading::token`] counts them from one on.
    pub others: ArrayVec<TokenReading, EVER_ELSEWHERE>,
    /// V-014. Profit above the high-water mark that could be harvested.
    pub harvestable: Usdc,
    /// Capital as the vault counts it for its bounds.
    pub capital: Usdc,
    /// USDC sent to the vault that nobody has allocated yet.
    pub unallocated: Usdc,
    pub positions: ArrayVec<PositionReading, POSITIONS>,
    pub key_wei: u128,
    pub reported_phase: Phase,
    pub reported_tick: Tick,
    /// When it last reported.
    pub beat_at: UtcTime,
    /// What each partition may still spend today: llm, gas, data, legacy.
    pub spendable_today: [Usdc; 4],
    /// L-006, L-007, T-001. Why the key may neither spend nor trade now.
    pub barred: Option<Bar>,
}

/// A token a vault holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TokenReading {
    /// How much, in its smallest unit.
    pub held: u128,
    /// What it has cost, as the vault's books say.
    pub cost: Usdc,
}

impl VaultReading {
    /// P-057. What it holds of a token, by the place a market gives it.
    #[must_use]
    pub fn token(&self, place: u8) -> TokenReading {
        match usize::from(place).checked_sub(1) {
            None => TokenReading { held: self.held, cost: self.held_cost },
            Some(other) => self.others.get(other).copied().unwrap_or_default(),
        }
    }

    /// P-057. What all the tokens it holds have cost.
    #[must_use]
    pub fn tokens_cost(&self) -> Usdc {
        self.others.iter().map(|token| token.cost).fold(self.held_cost, Usdc::saturating_add)
    }
}

/// Where a life stands on chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChainLife {
    Alive,
    Dying {
        /// Who ended it; `None` when the Golem itself declared its death.
        order: Option<KillOrder>,
        /// When anybody may finalise.
        deadline: UtcTime,
    },
    Dead {
        /// As for `Dying`.
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

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OwnerChanged => "its token was sold and the new owner has not accepted it",
            Self::Hibernating => "it hibernates",
            Self::KeyRotated => "its key was replaced, and this process holds the old one",
            Self::EndUnconfirmed => "its end is on chain and not yet certain",
        })
    }
}

/// A liquidity position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionReading {
    pub id: u64,
    /// P-057. The pool it lies in; of one that is not listed the home pool, whose hand takes it back.
    pub pool: PoolName,
    pub lower: i32,
    pub upper: i32,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A pool at 3,000 USDC with a fee of a twentieth of a percent, whose liquidity makes one unit of growth 2^-68 of a token.
    fn pool(fee_growth: [U256; 2]) -> MarketReading {
        MarketReading {
            pool: PoolName::HOME,
            token: 0,
            access: PoolAccess::Open,
            denomination: Denomination::default(),
            price: Usdc::whole(3_000),
            twap: None,
            pool_tick: 0,
            tick_spacing: 10,
            token_is_first: false,
            liquidity: 1 << 60,
            fee_ppm: 500,
            base_fee_wei: 1,
            ether: Usdc::whole(3_000),
            fee_growth,
        }
    }

    /// P-061: five USDC of fees at a twentieth of a percent are ten thousand traded; the token counts at the price; the
    /// counters may begin again, be taken back, or say what cannot be.
    #[test]
    fn p_061_volume_is_fees_by_the_fee() {
        let grown = |units: u128| U256::from(units) << 68;
        let (nothing, five) = (U256::ZERO, grown(5_000_000));
        // A thousandth of a token in fees is two tokens traded.
        let token = grown(1_000_000_000_000_000);
        let near_the_end = U256::MAX - grown(1_000_000);
        for (before, now, volume, why) in [
            ([nothing, nothing], [nothing, nothing], 0, "nothing was traded"),
            ([nothing, nothing], [five, nothing], 10_000, "in USDC"),
            ([nothing, nothing], [five, token], 16_000, "in both"),
            ([near_the_end, nothing], [near_the_end.wrapping_add(five), nothing], 10_000, "over the end of the count"),
            ([five, token], [nothing, token], 0, "taken back"),
        ] {
            assert_eq!(pool(now).volume_since(&pool(before)), Usdc::whole(volume), "{why}");
        }
        let free = MarketReading { fee_ppm: 0, ..pool([five, token]) };
        assert_eq!(free.volume_since(&pool([nothing; 2])), Usdc::ZERO, "who takes no fee tells no volume");
        let absurd = MarketReading { liquidity: u128::MAX, ..pool([U256::MAX >> 1, U256::MAX >> 1]) };
        assert_eq!(absurd.volume_since(&pool([nothing; 2])), Usdc::MAX);
    }
}
