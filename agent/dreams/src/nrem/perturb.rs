//! Perturbed replay: the same trade under worse conditions, computed from recorded amounts or refused.

use std::time::Duration;

use golem_primitives::{Bps, Ppm, U256, Usdc, words};

use crate::inputs::{Frozen, Trace};
use crate::market::{Point, Trade};
use crate::pool::PoolError;

words! {
    /// D-095. The set of perturbations.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    Perturbation {
        /// Slippage twice as large.
        Slippage = "slippage_x2",
        /// Three blocks later.
        Delay = "delay_3_blocks",
        /// Gas five times as dear.
        Gas = "gas_x5",
        /// Ten minutes without data.
        FeedGap = "feed_gap_10_minutes",
        /// Half of the pool gone.
        ThinPool = "pool_liquidity_half",
        /// The asset parts from the one it moves with.
        Decoupling = "decoupling",
    }
}

/// D-095. Blocks of delay.
pub const DELAY_BLOCKS: u64 = 3;
/// D-095. How long a feed is silent.
pub const FEED_GAP: Duration = Duration::from_secs(600);

/// Why a perturbation is not computed. Nothing is invented instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Absent {
    /// No trade, or one that is not over.
    #[error("no finished trade was recorded")]
    Trade,
    /// No result.
    #[error("no result was recorded")]
    Result,
    /// What slippage cost was not recorded.
    #[error("what slippage cost was not recorded")]
    Slippage,
    /// What gas cost was not recorded.
    #[error("what gas cost was not recorded")]
    Gas,
    /// No price then.
    #[error("no price was recorded for the moment it would have been filled at")]
    Price,
    /// No pool, or not enough of it.
    #[error("the pool was not recorded, or too little of it")]
    Pool,
    /// No other asset.
    #[error("no prices of another asset it moves with were recorded")]
    OtherAsset,
}

impl From<PoolError> for Absent {
    fn from(_: PoolError) -> Self {
        Self::Pool
    }
}

/// D-094. One perturbed replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Perturbed {
    /// What was perturbed.
    pub by: Perturbation,
    /// What came, in micro-USDC.
    pub actual: i64,
    /// What would have come.
    pub would_be: i64,
}

/// What came back, scaled by a ratio of whole numbers.
pub(crate) fn scaled(received: Usdc, numerator: U256, denominator: U256) -> Option<i64> {
    if denominator.is_zero() {
        return None;
    }
    let scaled = U256::from(received.micros()).checked_mul(numerator)? / denominator;
    i64::try_from(scaled.saturating_to::<u64>()).ok()
}

/// The difference to the result when what came back had been `would_be`.
fn difference(received: Usdc, would_be: i64) -> i64 {
    would_be.saturating_sub(i64::try_from(received.micros()).unwrap_or(i64::MAX))
}

/// What comes of having bought at another price: the same money buys more or fewer units, each sold for what it was.
pub(crate) fn at_price(trade: &Trade, paid: &Point, other: &Point) -> Result<i64, Absent> {
    let received = trade.received.ok_or(Absent::Trade)?;
    let would_be = scaled(received, U256::from(paid.price), U256::from(other.price)).ok_or(Absent::Price)?;
    Ok(difference(received, would_be))
}

/// D-094, D-095. What a trade would have earned under a perturbation.
///
/// # Errors
/// [`Absent`] names the recorded number that is missing.
pub fn perturbed(trace: &Trace, by: Perturbation, frozen: &Frozen) -> Result<Perturbed, Absent> {
    let trade = trace.trade.as_ref().ok_or(Absent::Trade)?;
    let actual = trace.recorded.episode.pnl_micros.ok_or(Absent::Result)?;
    let received = trade.received.ok_or(Absent::Trade)?;
    let path = || frozen.path(&trade.asset).ok_or(Absent::Price);
    let paid = || path()?.at_tick(trade.entry).ok_or(Absent::Price);
    let micros = |usdc: Usdc| i64::try_from(usdc.micros()).unwrap_or(i64::MAX);
    let change = match by {
        Perturbation::Slippage => -micros(trade.slippage.ok_or(Absent::Slippage)?),
        Perturbation::Gas => micros(trade.gas.ok_or(Absent::Gas)?).saturating_mul(-4),
        Perturbation::Delay => {
            let later = path()?.from_block(trade.entry_block.saturating_add(DELAY_BLOCKS)).ok_or(Absent::Price)?;
            at_price(trade, paid()?, later)?
        }
        Perturbation::FeedGap => {
            let later = path()?.from_time(trade.entry_at.plus(FEED_GAP)).ok_or(Absent::Price)?;
            at_price(trade, paid()?, later)?
        }
        Perturbation::ThinPool => {
            let (pool, swap) = trade.pool.as_ref().zip(trade.swap).ok_or(Absent::Pool)?;
            let (whole, half) = (pool.swap(swap)?.out, pool.thinned(Ppm::of(500_000)).swap(swap)?.out);
            difference(received, scaled(received, half, whole).ok_or(Absent::Pool)?)
        }
        Perturbation::Decoupling => {
            let other = trade.moves_with.as_deref().and_then(|name| frozen.path(name)).ok_or(Absent::OtherAsset)?;
            let exit = trade.exit.ok_or(Absent::Trade)?;
            let (then, now) = other.at_tick(trade.entry).zip(other.at_tick(exit)).ok_or(Absent::OtherAsset)?;
            if then.price == 0 {
                return Err(Absent::OtherAsset);
            }
            // The part of the move that came from the other asset is taken away.
            let moved = i128::from(now.price) - i128::from(then.price);
            let lost = i128::from(trade.spent.micros()) * moved / i128::from(then.price);
            i64::try_from(-lost).unwrap_or(i64::MIN)
        }
    };
    Ok(Perturbed { by, actual, would_be: actual.saturating_add(change) })
}

/// D-096. The deviations to test beside one that was observed: three steps, each twice the one before, the first at least
/// three times what was seen and no less than 50. 15 gives 50, 100, 200.
#[must_use]
pub fn anchored(observed: Bps) -> [Bps; 3] {
    let wanted = u64::from(observed.magnitude()) * 3;
    let mut first = 50u64;
    while first < wanted {
        first *= 2;
    }
    [first, first * 2, first * 4].map(|points| Bps::saturating(i128::from(points)))
}

/// D-096. What a trade would have earned with a deviation of its return.
///
/// # Errors
/// [`Absent`] without a recorded result.
pub fn with_deviation(trace: &Trace, deviation: Bps) -> Result<i64, Absent> {
    let actual = trace.recorded.episode.pnl_micros.ok_or(Absent::Result)?;
    let cost = i128::from(trace.recorded.episode.position.micros()) * i128::from(deviation.magnitude()) / 10_000;
    Ok(actual.saturating_sub(i64::try_from(cost).unwrap_or(i64::MAX)))
}
