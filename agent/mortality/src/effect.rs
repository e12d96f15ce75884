//! Whether a change helped: Cohen's d with a bootstrap interval, within like markets only.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use golem_primitives::Tick;

use crate::regime::Stratum;

/// Resamples of the bootstrap (MG-12).
const RESAMPLES: usize = 2_000;
/// The middle share of resamples that the interval holds: 95%.
const TAIL: f64 = 0.025;
/// Ticks after which an effect of zero or less means the change is undone (M-088).
pub const ROLLBACK_TICKS: u64 = 100;
/// The least effect that validates a change (M-088), unless the configuration says otherwise.
pub const LEAST_EFFECT: f64 = 0.2;

/// Why two samples have no effect size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EffectError {
    /// A variance needs two values.
    #[error("{given} values on one side; at least two are needed")]
    TooFew {
        /// Values on the shorter side.
        given: usize,
    },
    /// A value is NaN or infinite.
    #[error("value {at} is not a finite number")]
    NotFinite {
        /// Its position, the treatment counted after the baseline.
        at: usize,
    },
}

/// An effect size with its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Effect {
    /// Cohen's d: treatment mean minus baseline mean in pooled deviations.
    pub d: f64,
    /// The 2.5th percentile of the bootstrap.
    pub low: f64,
    /// The 97.5th percentile of the bootstrap.
    pub high: f64,
}

impl Effect {
    /// Measures the effect (M-087). `seed` names the draw: the same samples and seed give the same interval everywhere.
    ///
    /// # Errors
    /// [`EffectError`] for fewer than two values on a side or values that are not finite.
    pub fn measure(baseline: &[f64], treatment: &[f64], seed: u64) -> Result<Self, EffectError> {
        let given = baseline.len().min(treatment.len());
        if given < 2 {
            return Err(EffectError::TooFew { given });
        }
        if let Some(at) = baseline.iter().chain(treatment).position(|v| !v.is_finite()) {
            return Err(EffectError::NotFinite { at });
        }
        let d = cohens_d(Moments::of(baseline.iter().copied()), Moments::of(treatment.iter().copied()));

        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let mut resampled: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let base = Moments::of(Resample { from: baseline, left: baseline.len(), rng: &mut rng });
                let treated = Moments::of(Resample { from: treatment, left: treatment.len(), rng: &mut rng });
                cohens_d(base, treated)
            })
            .collect();
        resampled.sort_by(f64::total_cmp);
        Ok(Self { d, low: percentile(&resampled, TAIL), high: percentile(&resampled, 1.0 - TAIL) })
    }

    /// Whether zero lies outside the interval.
    #[must_use]
    pub fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    /// M-088. What becomes of the change, `ticks` after it was made, when less than `least` does not count.
    #[must_use]
    pub fn verdict(&self, ticks: u64, least: f64) -> Verdict {
        if self.d > least && self.excludes_zero() {
            Verdict::Validated
        } else if self.d <= 0.0 && ticks >= ROLLBACK_TICKS {
            Verdict::RolledBack
        } else {
            Verdict::Inconclusive
        }
    }
}

/// What becomes of a change (M-088).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It helped, and not by chance.
    Validated,
    /// It did not help in 100 ticks.
    RolledBack,
    /// Not known yet.
    Inconclusive,
}

/// Count, mean and sum of squared differences from it, by Welford's update.
#[derive(Debug, Clone, Copy)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        values.fold(Self { count: 0.0, mean: 0.0, squares: 0.0 }, |m, value| {
            let count = m.count + 1.0;
            let delta = value - m.mean;
            let mean = m.mean + delta / count;
            Self { count, mean, squares: m.squares + delta * (value - mean) }
        })
    }
}

/// Without spread on either side there is no unit to measure in: zero (MG-12).
fn cohens_d(baseline: Moments, treatment: Moments) -> f64 {
    let pooled = (baseline.squares + treatment.squares) / (baseline.count + treatment.count - 2.0);
    let d = (treatment.mean - baseline.mean) / libm::sqrt(pooled);
    if pooled > 0.0 && d.is_finite() { d } else { 0.0 }
}

/// As many values as there are, drawn with replacement.
struct Resample<'a> {
    from: &'a [f64],
    left: usize,
    rng: &'a mut ChaCha12Rng,
}

impl Iterator for Resample<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        self.left = self.left.checked_sub(1)?;
        // The high half of a 128-bit product; its bias of n / 2^64 is far below what 2,000 resamples can show.
        let at = (u128::from(self.rng.next_u64()) * self.from.len() as u128) >> 64;
        Some(self.from[at as usize])
    }
}

/// Linear between the two nearest ranks.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// One tick's performance with the market it was made in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// When.
    pub tick: Tick,
    /// In what market.
    pub stratum: Stratum,
    /// How well.
    pub fitness: f64,
}

/// M-086. How long to look before and after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    /// Ticks before the change.
    pub baseline_ticks: u64,
    /// Ticks from the change on.
    pub treatment_ticks: u64,
    /// Pairs in like markets below which both windows are extended.
    pub matched_pairs: usize,
}

impl Default for Windows {
    fn default() -> Self {
        Self { baseline_ticks: 50, treatment_ticks: 50, matched_pairs: 10 }
    }
}

/// Both windows may grow to this many times their length; after that the markets before and after have too little in
/// common and the change stays inconclusive.
const LONGEST: u64 = 10;

/// Where the measurement of a change stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Measurement {
    /// More ticks are needed.
    Waiting {
        /// The first tick at which to look again.
        until: Tick,
        /// Pairs matched so far.
        matched: usize,
    },
    /// Enough was seen.
    Ready(MatchedPairs),
    /// Ten times the windows did not hold enough pairs.
    Incomparable {
        /// Pairs matched.
        matched: usize,
    },
}

/// The same number of values in the same markets on both sides.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatchedPairs {
    /// Before the change.
    pub baseline: Vec<f64>,
    /// From the change on.
    pub treatment: Vec<f64>,
}

impl MatchedPairs {
    /// Pairs the values of each market in order; what one side has more of is left out, so that the mixture of markets
    /// is the same on both sides and cannot look like an effect.
    fn of(baseline: &[Observation], treatment: &[Observation]) -> Self {
        let mut pairs = Self::default();
        let mut strata: Vec<Stratum> = treatment.iter().map(|o| o.stratum).collect();
        strata.sort_unstable();
        strata.dedup();
        for stratum in strata {
            let inside = |o: &&Observation| o.stratum == stratum;
            for (before, after) in baseline.iter().filter(inside).zip(treatment.iter().filter(inside)) {
                pairs.baseline.push(before.fitness);
                pairs.treatment.push(after.fitness);
            }
        }
        pairs
    }
}

impl Windows {
    /// Looks at `history` (ascending in tick) for the effect of a change made at `change`, as of `now`. The windows are
    /// `[change - n * baseline, change)` and `[change, change + n * treatment)` for the least n whose pairs suffice.
    #[must_use]
    pub fn measure(&self, history: &[Observation], change: Tick, now: Tick) -> Measurement {
        let mut matched = 0;
        for times in 1..=LONGEST {
            let from = change.get().saturating_sub(self.baseline_ticks.saturating_mul(times));
            let to = change.get().saturating_add(self.treatment_ticks.saturating_mul(times));
            if now.get() < to {
                return Measurement::Waiting { until: Tick::new(to), matched };
            }
            let within = |from: u64, to: u64| {
                let start = history.partition_point(|o| o.tick.get() < from);
                let end = history.partition_point(|o| o.tick.get() < to);
                &history[start..end.max(start)]
            };
            let pairs = MatchedPairs::of(within(from, change.get()), within(change.get(), to));
            matched = pairs.baseline.len();
            if matched >= self.matched_pairs {
                return Measurement::Ready(pairs);
            }
        }
        Measurement::Incomparable { matched }
    }
}

#[cfg(test)]
mod tests;
