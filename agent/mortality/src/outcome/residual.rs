//! Residuals of predictions per category and regime.

use crate::ring::Ring;

/// M-083. Samples from which the bias is corrected.
pub const BIAS_SAMPLES: usize = 10;
/// M-083. Predictions from which the calibrator is used.
pub const CALIBRATOR_SAMPLES: usize = 20;
/// M-083. Samples from which an accuracy says something.
pub const SUFFICIENT_SAMPLES: usize = 30;
/// M-083. Predictions from which actions are gated by accuracy.
pub const GATING_PREDICTIONS: usize = 50;
/// M-083. Share of outcomes an interval should cover.
pub const COVERAGE: f64 = 0.85;

/// M-083. The newest residuals (actual - predicted) of one category in one regime.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Residuals {
    ring: Ring<f64, 256>,
}

impl Residuals {
    /// Notes what a prediction missed by; what is no number is not noted.
    pub fn note(&mut self, predicted: f64, actual: f64) {
        let residual = actual - predicted;
        if residual.is_finite() {
            self.ring.push(residual);
        }
    }

    /// Samples held.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ring.len()
    }

    /// Whether nothing is held.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ring.is_empty()
    }

    /// Whether an accuracy over these says something.
    #[must_use]
    pub const fn is_sufficient(&self) -> bool {
        self.len() >= SUFFICIENT_SAMPLES
    }

    /// The mean residual, zero before there are enough samples.
    #[must_use]
    pub fn bias(&self) -> f64 {
        if self.len() < BIAS_SAMPLES {
            return 0.0;
        }
        self.ring.iter().sum::<f64>() / self.len() as f64
    }

    /// The prediction with its bias taken out: predictions that came out too low move up.
    #[must_use]
    pub fn corrected(&self, predicted: f64) -> f64 {
        predicted + self.bias()
    }

    /// The interval around a corrected prediction that covered 85% of the past, `None` before there are enough samples.
    #[must_use]
    pub fn interval(&self, predicted: f64) -> Option<(f64, f64)> {
        if self.len() < BIAS_SAMPLES {
            return None;
        }
        let bias = self.bias();
        let mut misses: Vec<f64> = self.ring.iter().map(|residual| (residual - bias).abs()).collect();
        misses.sort_by(f64::total_cmp);
        let at = (libm::ceil(COVERAGE * misses.len() as f64) as usize).clamp(1, misses.len()) - 1;
        Some((predicted + bias - misses[at], predicted + bias + misses[at]))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// M-083: below ten samples nothing is corrected; from ten on the bias is taken out.
    #[test]
    fn m_083_bias_is_corrected_from_ten_samples() {
        let mut book = Residuals::default();
        for sample in 1..=10 {
            assert_eq!((book.corrected(5.0), book.interval(5.0)), (5.0, None), "{sample}");
            book.note(1.0, 3.0);
        }
        assert_eq!(book.corrected(5.0), 7.0);
        assert!(!book.is_sufficient() && !book.is_empty());
        book.note(f64::NAN, 1.0);
        assert_eq!(book.len(), 10, "what is no number is not noted");
        assert_eq!([CALIBRATOR_SAMPLES, SUFFICIENT_SAMPLES, GATING_PREDICTIONS], [20, 30, 50], "M-083");
    }

    proptest! {
        /// M-083: the interval covers at least 85% of what it was made from, over the newest 256.
        #[test]
        fn m_083_intervals_cover_the_past(residuals in prop::collection::vec(-1e3..1e3f64, 10..400)) {
            let mut book = Residuals::default();
            residuals.iter().for_each(|residual| book.note(0.0, *residual));
            let (low, high) = book.interval(0.0).expect("enough");
            let kept = &residuals[residuals.len().saturating_sub(256)..];
            let covered = kept.iter().filter(|r| **r >= low - 1e-9 && **r <= high + 1e-9).count();
            prop_assert!(covered as f64 >= COVERAGE * kept.len() as f64);
        }
    }
}
