//! Numbers in [0, 1] that are known to be numbers.

use golem_primitives::{Ppm, Usdc};

/// A finite number in [0, 1]: an economic score, a fitness, a vitality before it is rounded.
///
/// A NaN falls through every comparison and would read as Terminal (MG-10), so it is refused where it enters and the
/// law behind this type has no failing case.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Score(f64);

/// Why a number is no score.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScoreError {
    #[error("a score must be a finite number, not {value}")]
    NotFinite { value: f64 },
    #[error("a score lies between 0 and 1, not at {value}")]
    OutOfRange { value: f64 },
}

impl Score {
    /// The worst.
    pub const ZERO: Self = Self(0.0);
    /// Neither good nor bad: where a fitness without a record stands (MG-04).
    pub const HALF: Self = Self(0.5);
    /// The best.
    pub const ONE: Self = Self(1.0);

    /// A score from a number.
    ///
    /// # Errors
    /// [`ScoreError`] for NaN, infinities and numbers outside [0, 1].
    pub fn new(value: f64) -> Result<Self, ScoreError> {
        if !value.is_finite() {
            return Err(ScoreError::NotFinite { value });
        }
        if !(0.0..=1.0).contains(&value) {
            return Err(ScoreError::OutOfRange { value });
        }
        // Adding zero turns -0 into 0, so that equal scores have equal bytes.
        Ok(Self(value + 0.0))
    }

    /// The nearest score; a NaN is zero, the worse one.
    #[must_use]
    pub fn held(value: f64) -> Self {
        if value >= 1.0 {
            Self::ONE
        } else if value > 0.0 {
            Self(value)
        } else {
            Self::ZERO
        }
    }

    /// The share `part` is of `whole`, held at one; of nothing it is zero.
    #[must_use]
    pub fn ratio(part: Usdc, whole: Usdc) -> Self {
        if whole.is_zero() {
            return Self::ZERO;
        }
        Self::held(part.micros() as f64 / whole.micros() as f64)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Rounded once to parts per million, the form that is compared, stored and shown.
    #[must_use]
    pub fn ppm(self) -> Ppm {
        Ppm::round(self.0)
    }

    /// One step of an exponential moving average: `alpha` of `sample`, the rest of this. A convex combination, so it
    /// never leaves [0, 1].
    #[must_use]
    pub fn toward(self, sample: Self, alpha: Self) -> Self {
        Self::held(alpha.0 * sample.0 + (1.0 - alpha.0) * self.0)
    }
}

impl From<Ppm> for Score {
    fn from(share: Ppm) -> Self {
        Self(share.as_f64())
    }
}

impl<'de> serde::Deserialize<'de> for Score {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(f64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// The logistic curve `1 / (1 + exp(-steepness (x - centre)))`.
#[must_use]
pub fn sigmoid(x: f64, centre: f64, steepness: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-steepness * (x - centre)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn mg_10_numbers_that_are_no_scores_are_refused_by_name() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(Score::new(value), Err(ScoreError::NotFinite { .. })), "{value}");
        }
        for value in [-1e-9, 1.000_000_1, 1e300] {
            assert_eq!(Score::new(value), Err(ScoreError::OutOfRange { value }));
        }
        assert_eq!(Score::new(-0.0).map(|s| s.get().to_bits()), Ok(0));
        assert_eq!(Score::held(f64::NAN), Score::ZERO);
        assert_eq!(Score::ratio(Usdc::whole(1), Usdc::ZERO), Score::ZERO);
    }

    proptest! {
        #[test]
        fn averages_stay_between_their_ends(a in 0.0..=1.0f64, b in 0.0..=1.0f64, alpha in 0.0..=1.0f64) {
            let mean = Score::held(a).toward(Score::held(b), Score::held(alpha)).get();
            prop_assert!(mean >= a.min(b) - 1e-15 && mean <= a.max(b) + 1e-15);
        }

        #[test]
        fn held_is_total(value: f64) {
            prop_assert!((0.0..=1.0).contains(&Score::held(value).get()));
        }
    }
}
