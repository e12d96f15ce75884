//! What a path of wealth amounts to.

use std::ops::Range;

use golem_primitives::Usdc;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Paths that are drawn for an interval.
const DRAWS: usize = 1_000;
/// The shortest path an interval is given for, in looks.
const SHORTEST: usize = 128;
/// The shortest block, so that most trips lie within one.
const SHORTEST_BLOCK: usize = 64;

/// P-082. One part of the time, lived through by what was known before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    pub from: usize,
    pub looks: usize,
    pub return_ppm: i64,
    pub deepest_fall_ppm: i64,
}

/// Between these lie nine in ten paths made of shuffled blocks of this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// One in twenty returns less.
    pub low_ppm: i64,
    /// One in twenty returns more.
    pub high_ppm: i64,
    pub block: usize,
}

/// What came of the first value, in millionths.
pub(super) fn return_ppm(path: &[Usdc]) -> i64 {
    match (path.first(), path.last()) {
        (Some(first), Some(last)) if !first.is_zero() => {
            let (first, last) = (i128::from(first.micros()), i128::from(last.micros()));
            i64::try_from((last - first) * 1_000_000 / first).unwrap_or(i64::MAX)
        }
        _ => 0,
    }
}

/// The deepest fall from a height before it, in millionths.
pub(super) fn deepest_fall_ppm(path: &[Usdc]) -> i64 {
    let (mut height, mut deepest) = (0, 0.0_f64);
    for value in path {
        height = height.max(value.micros());
        if height > value.micros() {
            deepest = deepest.max((height - value.micros()) as f64 / height as f64);
        }
    }
    rounded(deepest)
}

/// P-082. The path in equal parts.
pub(super) fn folds(path: &[Usdc], count: usize) -> Vec<Fold> {
    let cut = |at: usize| at * path.len().saturating_sub(1) / count.max(1);
    let fold = |range: Range<usize>| {
        let part = &path[range.start..=range.end];
        let (return_ppm, deepest_fall_ppm) = (return_ppm(part), deepest_fall_ppm(part));
        Fold { from: range.start, looks: range.len(), return_ppm, deepest_fall_ppm }
    };
    (0..count).map(|at| cut(at)..cut(at + 1)).filter(|range| !range.is_empty()).map(fold).collect()
}

/// P-082. The interval of the return, by blocks of the path drawn with replacement. Blocks keep what hangs together: calm,
/// storms, whole trips.
pub(super) fn interval(path: &[Usdc], seed: u64) -> Option<Interval> {
    let steps = path.len().checked_sub(1).filter(|steps| *steps >= SHORTEST)?;
    if path.iter().any(|value| value.is_zero()) {
        return None;
    }
    let block = (libm::sqrt(steps as f64) as usize).max(SHORTEST_BLOCK);
    let mut chance = ChaCha12Rng::seed_from_u64(seed);
    let mut below = |limit: usize| ((u128::from(chance.next_u64()) * limit as u128) >> 64) as usize;
    let growth = |from: usize, looks: usize| path[from + looks].micros() as f64 / path[from].micros() as f64;
    let mut returns: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let mut wealth = 1.0;
            let mut left = steps;
            while left > 0 {
                let looks = block.min(left);
                wealth *= growth(below(steps - looks + 1), looks);
                left -= looks;
            }
            wealth - 1.0
        })
        .collect();
    returns.sort_by(f64::total_cmp);
    let (low_ppm, high_ppm) = (rounded(returns[DRAWS / 20]), rounded(returns[DRAWS - DRAWS / 20]));
    Some(Interval { low_ppm, high_ppm, block })
}

fn rounded(share: f64) -> i64 {
    crate::watch::rounded(share * 1e6)
}

#[cfg(test)]
#[path = "../tests/measure.rs"]
mod tests;
