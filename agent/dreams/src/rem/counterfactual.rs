//! What would have come of having decided otherwise, computed on what was recorded.

use golem_grimoire::id::EpisodeId;
use golem_primitives::{Bps, U256, Usdc, words};

use crate::inputs::{Frozen, Trace};
use crate::market::{SwapIn, Trade};
use crate::nrem::perturb::{Absent, Perturbation, at_price, perturbed, scaled};
use crate::number::Hundredths;

words! {
    /// D-110, D-111. What is varied, in the order of what a Golem controls: timing, size, then costs. The opposite market
    /// is no decision of its own and is imagined by a model or not at all.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    Variation {
        /// One recorded price later.
        LaterEntry = "later_entry",
        /// One recorded price earlier.
        EarlierEntry = "earlier_entry",
        /// Half as much.
        HalfSize = "half_size",
        /// Twice as much, against the pool as it was.
        DoubleSize = "double_size",
        /// A tolerance at which the swap would not have been made.
        SlippageLimit = "slippage_limit",
        /// A ceiling at which the gas would not have been paid.
        GasCeiling = "gas_ceiling",
    }
}

/// D-110, D-224. One alternative: do this instead, everything else as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counterfactual {
    /// The decision.
    pub episode: EpisodeId,
    /// What is done instead.
    pub variation: Variation,
    /// What came, in micro-USDC.
    pub actual: i64,
    /// What would have come.
    pub would_be: i64,
    /// D-109. It never happened.
    pub is_synthetic: bool,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// What it is worth.
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

const PRICE_TAKER: &str = "the Golem's own trade moved no recorded price";
const SAME_EXIT: &str = "it left when it left";

/// D-110. What a variation would have returned.
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
        // A swap that is not made brings nothing and costs nothing.
        Variation::SlippageLimit => trade.slippage.ok_or(Absent::Slippage).map(|_| actual.saturating_neg())?,
        Variation::GasCeiling => trade.gas.ok_or(Absent::Gas).map(|_| actual.saturating_neg())?,
    };
    let assumptions = [PRICE_TAKER, SAME_EXIT].map(str::to_owned).to_vec();
    Ok(Counterfactual {
        episode: trace.id(),
        variation,
        actual,
        would_be: actual.saturating_add(change),
        is_synthetic: true,
        assumptions,
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
    let mut all: Vec<&Trace> =
        frozen.traces.iter().filter(|trace| trace.trade.is_some() && !trace.recorded.notes.is_forgotten).collect();
    all.sort_by_key(|trace| std::cmp::Reverse((trace.recorded.episode.happened, trace.id())));
    all
}

/// D-112. A missed target restated as the goal that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Relabel {
    /// The decision.
    pub episode: EpisodeId,
    /// What it aimed at.
    pub aimed: Bps,
    /// What it reached: the goal for which it would have been right.
    pub reached: Bps,
    /// What it is worth.
    pub confidence: Hundredths,
}

/// D-112. The relabel of an episode that missed what it said; `None` for one that did not.
#[must_use]
pub fn relabel(trace: &Trace) -> Option<Relabel> {
    let (expected, actual) = trace.recorded.episode.expected.zip(trace.recorded.episode.actual)?;
    let points = |value: f64| Bps::saturating(libm::round(value * 10_000.0) as i128);
    let (aimed, reached) = (points(expected), points(actual));
    let missed = expected.is_finite() && actual.is_finite() && reached < aimed;
    missed.then(|| Relabel { episode: trace.id(), aimed, reached, confidence: Hundredths::of(20) })
}

/// D-113. What a smaller bet would have cost and saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Regret {
    /// The decision.
    pub episode: EpisodeId,
    /// The worst of the perturbed results, in micro-USDC.
    pub worst: i64,
    /// What is changed.
    pub modification: Variation,
    /// What that costs when things go as they went.
    pub normal_cost: i64,
    /// Whether it pays, by how often such trades lost.
    pub pays: bool,
}

/// D-113. The regret pass over one decision: the worst perturbed result, half the size, its cost, and whether it pays.
/// `None` when no perturbation can be computed or none is adverse.
#[must_use]
pub fn regret(trace: &Trace, frozen: &Frozen) -> Option<Regret> {
    let all = Perturbation::ALL.iter().filter_map(|by| perturbed(trace, *by, frozen).ok());
    let worst = all.map(|one| one.would_be).min().filter(|worst| *worst < 0)?;
    let half = vary(trace, Variation::HalfSize, frozen).ok()?;
    let normal_cost = half.actual.saturating_sub(half.would_be);
    let alike = || frozen.traces.iter().filter(|one| one.recorded.episode.key == trace.recorded.episode.key);
    let (lost, all) = (alike().filter(|one| one.sign() < 0).count(), alike().filter(|one| one.sign() != 0).count());
    let saved = i128::from(worst.unsigned_abs() / 2) * lost as i128;
    let cost = i128::from(normal_cost) * (all - lost) as i128;
    Some(Regret { episode: trace.id(), worst, modification: Variation::HalfSize, normal_cost, pays: saved > cost })
}
