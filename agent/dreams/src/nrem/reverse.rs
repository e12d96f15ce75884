//! Reverse replay: from the outcome back to the first decision, each given its part.

use golem_grimoire::id::EpisodeId;

use crate::inputs::Trace;
use crate::market::Path;

/// What each step back leaves of the credit, in hundredths.
const DISCOUNT: i128 = 90;

/// How credit was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum CreditBasis {
    /// By what the position gained between one decision and the next.
    Marks,
    /// By distance from the outcome, a tenth less each step back.
    Discounted,
}

/// D-090. What a decision is credited with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Credit {
    /// The decision.
    pub episode: EpisodeId,
    /// Its part of the outcome, in micro-USDC.
    pub micros: i64,
    /// How it was found.
    pub basis: CreditBasis,
}

/// D-090. Walks a finished trade from its outcome back to its first decision. The parts sum to the outcome. With a price
/// at every decision the marks say who earned what; otherwise nearness to the outcome does. `None` for a trade that is not
/// over or has no recorded result.
#[must_use]
pub fn reverse(life: &[&Trace], path: Option<&Path>) -> Option<Vec<Credit>> {
    let mut steps: Vec<&Trace> = life.to_vec();
    steps.sort_by_key(|trace| (trace.recorded.episode.happened, trace.id()));
    let last = steps.last()?;
    let outcome = steps.iter().rev().find_map(|trace| trace.recorded.episode.pnl_micros)?;
    if last.recorded.episode.is_unfinished {
        return None;
    }
    let marked = path.and_then(|path| by_marks(&steps, path, outcome));
    let (basis, parts) = match marked {
        Some(parts) => (CreditBasis::Marks, parts),
        None => (CreditBasis::Discounted, by_distance(steps.len(), outcome)),
    };
    let credit = |(trace, micros): (&&Trace, i64)| Credit { episode: trace.id(), micros, basis };
    Some(steps.iter().zip(parts).map(credit).rev().collect())
}

/// By the move of the price between decisions, scaled to the outcome; what rounding leaves is the last one's.
fn by_marks(steps: &[&Trace], path: &Path, outcome: i64) -> Option<Vec<i64>> {
    let trade = steps.iter().find_map(|trace| trace.trade.as_ref())?;
    let exit = path.at_tick(trade.exit?)?.price;
    let prices: Option<Vec<u64>> =
        steps.iter().map(|trace| path.at_tick(trace.recorded.episode.happened.tick).map(|point| point.price)).collect();
    let prices = prices?;
    let entry = path.at_tick(trade.entry)?.price;
    let whole = i128::from(exit) - i128::from(entry);
    if whole == 0 {
        return None;
    }
    // A decision before the entry held nothing, so the entry's price stands for it.
    let marks: Vec<i128> = steps
        .iter()
        .zip(&prices)
        .map(|(trace, price)| {
            let is_before = trace.recorded.episode.happened.tick <= trade.entry;
            i128::from(if is_before { entry } else { *price })
        })
        .chain([i128::from(exit)])
        .collect();
    let parts = marks.windows(2).map(|pair| (pair[1] - pair[0]) * i128::from(outcome) / whole).collect();
    Some(whole_parts(parts, outcome))
}

/// By distance from the outcome.
fn by_distance(steps: usize, outcome: i64) -> Vec<i64> {
    // Beyond this many steps back a part is below one in a million.
    const FAR: usize = 130;
    let weight = |back: usize| {
        let back = i32::try_from(back.min(FAR)).expect("at most FAR");
        (libm::pow(DISCOUNT as f64 / 100.0, f64::from(back)) * 1e12) as i128
    };
    let total: i128 = (0..steps).map(weight).sum();
    let parts = (0..steps).map(|at| i128::from(outcome) * weight(steps - 1 - at) / total.max(1)).collect();
    whole_parts(parts, outcome)
}

/// The parts with what rounding left added to the last, so that they sum to the outcome.
fn whole_parts(parts: Vec<i128>, outcome: i64) -> Vec<i64> {
    let mut parts = parts;
    let sum: i128 = parts.iter().sum();
    if let Some(last) = parts.last_mut() {
        *last += i128::from(outcome) - sum;
    }
    let held = |part: i128| i64::try_from(part).unwrap_or(if part < 0 { i64::MIN } else { i64::MAX });
    parts.into_iter().map(held).collect()
}

/// D-091. How many of `slots` reverse replays each finished trade gets: in proportion to the size of its outcome, largest
/// remainder first, and of equals the loss before the win, then the earlier.
#[must_use]
pub fn slots(outcomes: &[i64], slots: usize) -> Vec<usize> {
    let sizes: Vec<u128> = outcomes.iter().map(|outcome| u128::from(outcome.unsigned_abs())).collect();
    let total: u128 = sizes.iter().sum();
    if total == 0 {
        return vec![0; outcomes.len()];
    }
    let exact = |size: u128| size * slots as u128;
    let mut given: Vec<usize> =
        sizes.iter().map(|size| usize::try_from(exact(*size) / total).unwrap_or(slots)).collect();
    let mut order: Vec<usize> = (0..outcomes.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(exact(sizes[*at]) % total), outcomes[*at] > 0, *at));
    let left = slots - given.iter().sum::<usize>().min(slots);
    for at in order.into_iter().filter(|at| sizes[*at] > 0).take(left) {
        given[at] += 1;
    }
    given
}
