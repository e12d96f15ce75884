//! What would have come of having decided otherwise, computed on what was recorded.

use golem_grimoire::id::EpisodeId;
use golem_primitives::{Ppm, U256, Usdc, words};

use crate::inputs::{Frozen, Trace, newest};
use crate::market::{Point, SwapIn, Trade};
use crate::number::Hundredths;
use crate::pool::PoolError;

words! {
    /// D-110, D-111. What is varied, in the order of what a Golem controls: timing, then size. The opposite market is no decision
    /// of its own and is imagined by a model or not at all.
    Variation {
        /// One recorded price later.
        LaterEntry = "later_entry",
        /// One recorded price earlier.
        EarlierEntry = "earlier_entry",
        HalfSize = "half_size",
        /// Twice as much, against the pool as it was.
        DoubleSize = "double_size",
    }
}

/// Why a variation is not computed. Nothing is invented instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Absent {
    #[error("no finished trade was recorded")]
    Trade,
    #[error("no result was recorded")]
    Result,
    #[error("no price was recorded for the moment it would have been filled at")]
    Price,
    #[error("the pool was not recorded, or too little of it")]
    Pool,
}

impl From<PoolError> for Absent {
    fn from(_: PoolError) -> Self {
        Self::Pool
    }
}

/// What came back, scaled by a ratio of whole numbers.
pub(crate) fn scaled(received: Usdc, numerator: U256, denominator: U256) -> Option<i64> {
    if denominator.is_zero() {
        return None;
    }
    let scaled = U256::from(received.micros()).checked_mul(numerator)? / denominator;
    i64::try_from(scaled.saturating_to::<u64>()).ok()
}

/// What comes of having bought at another price: the same money buys more or fewer units, each sold for what it was.
fn at_price(trade: &Trade, paid: &Point, other: &Point) -> Result<i64, Absent> {
    let received = trade.received.ok_or(Absent::Trade)?;
    let would_be = scaled(received, U256::from(paid.price), U256::from(other.price)).ok_or(Absent::Price)?;
    Ok(would_be.saturating_sub(i64::try_from(received.micros()).unwrap_or(i64::MAX)))
}

/// D-109, D-110, D-224. One alternative that never happened: do this instead, everything else as it was.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Counterfactual {
    pub episode: EpisodeId,
    /// What is done instead.
    pub variation: Variation,
    /// What came, in micro-USDC.
    pub actual: i64,
    pub would_be: i64,
    pub confidence: Hundredths,
}

impl Counterfactual {
    /// What was missed by not doing it, in micro-USDC; nothing when it would have been worse.
    #[must_use]
    pub fn regret(&self) -> u64 {
        u64::try_from(self.would_be.saturating_sub(self.actual)).unwrap_or(0)
    }

    /// A sentence with its numbers; a template and no thought.
    #[must_use]
    pub fn lesson(&self) -> String {
        let word = if self.would_be > self.actual { "more" } else { "no more" };
        format!(
            "With {} it would have returned {} instead of {} micro-USDC, {word} than it did.",
            self.variation, self.would_be, self.actual
        )
    }
}

/// D-110. What a variation would have returned, if the Golem's own trade moved no recorded price and it left when it left.
///
/// # Errors
/// [`Absent`] names the recorded number that is missing; nothing is guessed.
pub fn vary(trace: &Trace, variation: Variation, frozen: &Frozen) -> Result<Counterfactual, Absent> {
    let trade = trace.trade.as_ref().ok_or(Absent::Trade)?;
    let actual = trace.recorded.episode.pnl_micros.ok_or(Absent::Result)?;
    let change = match variation {
        Variation::LaterEntry => entry_shift(trade, 1, frozen)?,
        Variation::EarlierEntry => entry_shift(trade, -1, frozen)?,
        Variation::HalfSize => resized(trade, actual, 1, 2)?,
        Variation::DoubleSize => resized(trade, actual, 2, 1)?,
    };
    Ok(Counterfactual {
        episode: trace.id(),
        variation,
        actual,
        would_be: actual.saturating_add(change),
        confidence: Hundredths::of(20),
    })
}

fn entry_shift(trade: &Trade, steps: isize, frozen: &Frozen) -> Result<i64, Absent> {
    let path = frozen.path(&trade.asset).ok_or(Absent::Price)?;
    let paid = path.at_tick(trade.entry).ok_or(Absent::Price)?;
    let other = path.shifted(trade.entry, steps).ok_or(Absent::Price)?;
    // An entry behind the exit is no trade.
    if trade.exit.is_some_and(|exit| other.tick >= exit) {
        return Err(Absent::Price);
    }
    at_price(trade, paid, other)
}

/// The change of the result at another size. With the pool at hand the larger or smaller swap is computed in it; without,
/// the result scales with the size, gas apart.
fn resized(trade: &Trade, actual: i64, numerator: u64, denominator: u64) -> Result<i64, Absent> {
    let received = trade.received.ok_or(Absent::Trade)?;
    let gas = i64::try_from(trade.gas.unwrap_or(Usdc::ZERO).micros()).unwrap_or(i64::MAX);
    let of = |micros: i64| {
        let scaled = i128::from(micros) * i128::from(numerator) / i128::from(denominator);
        i64::try_from(scaled).unwrap_or(if scaled < 0 { i64::MIN } else { i64::MAX })
    };
    let would_be = match trade.pool.as_ref().zip(trade.swap) {
        Some((pool, swap)) => {
            let amount = swap.amount * U256::from(numerator) / U256::from(denominator);
            let (was, would) = (pool.swap(swap)?.out, pool.swap(SwapIn { amount, ..swap })?.out);
            let back = scaled(received, would, was).ok_or(Absent::Pool)?;
            let spent = of(i64::try_from(trade.spent.micros()).unwrap_or(i64::MAX));
            back.saturating_sub(spent).saturating_sub(gas)
        }
        None => of(actual.saturating_add(gas)).saturating_sub(gas),
    };
    Ok(would_be.saturating_sub(actual))
}

/// D-111, D-114. The first `depth` alternatives that can be computed, in the order of what a Golem controls.
#[must_use]
pub fn alternatives(trace: &Trace, depth: usize, frozen: &Frozen) -> Vec<Counterfactual> {
    Variation::ALL.iter().filter_map(|variation| vary(trace, *variation, frozen).ok()).take(depth).collect()
}

/// D-111. Decisions worth varying: own actions with recorded amounts, latest first.
#[must_use]
pub fn decisions(frozen: &Frozen) -> Vec<&Trace> {
    newest(&frozen.traces).into_iter().filter(|trace| trace.trade.is_some()).collect()
}

/// D-074. What the best alternative would have brought beside what came, as a share of what was at stake; `None` where none can be
/// computed. Choosing what to replay reads it.
#[must_use]
pub fn regret(trace: &Trace, frozen: &Frozen) -> Option<Ppm> {
    let missed = alternatives(trace, Variation::ALL.len(), frozen).iter().map(Counterfactual::regret).max()?;
    let share = (u128::from(missed) * 1_000_000).checked_div(u128::from(trace.recorded.episode.position.micros()))?;
    Some(Ppm::saturating(u64::try_from(share).unwrap_or(u64::MAX)))
}
