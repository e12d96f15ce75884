//! Whether a change helped: Cohen's d with a bootstrap interval.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde::{Deserialize, Serialize};

/// Resamples of the bootstrap (MG-12).
const RESAMPLES: usize = 2_000;
/// The middle share of resamples that the interval holds: 95%.
const TAIL: f64 = 0.025;

/// Why two samples have no effect size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EffectError {
    #[error("{given} values on one side; at least two are needed")]
    TooFew {
        /// Values on the shorter side.
        given: usize,
    },
    #[error("value {at} is not a finite number")]
    NotFinite {
        /// Its position, the treatment counted after the baseline.
        at: usize,
    },
}

/// An effect size with its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EffectSize {
    /// Cohen's d: treatment mean minus baseline mean in pooled deviations.
    pub d: f64,
    /// The 2.5th percentile of the bootstrap.
    pub low: f64,
    /// The 97.5th percentile of the bootstrap.
    pub high: f64,
}

impl EffectSize {
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

#[cfg(test)]
#[path = "tests/effect.rs"]
mod tests;
