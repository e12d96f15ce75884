//! How much to stake when the time left is short.

/// What a position's size depends on (M-051). Numbers of a strategy, not money.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SizeQuestion {
    /// Expected return.
    pub mean: f64,
    /// Riskless return.
    pub riskless: f64,
    /// Variance of the return.
    pub variance: f64,
    /// Variance of the estimate of the mean.
    pub uncertainty: f64,
    /// Ticks left to live.
    pub ticks_remaining: u64,
    /// Ticks at which time no longer shrinks the stake.
    pub reference_ticks: u64,
    /// The most that may be staked, as a share of capital.
    pub max: f64,
}

/// Why nothing may be staked.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// A number is NaN, infinite, or a negative variance.
    #[error("{name} is no number a size can follow from: {value}")]
    NotANumber {
        /// Which.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// The strategy loses over time.
    #[error("the strategy grows by {growth} a step: it loses over time")]
    NegativeGrowth {
        /// Mean less half the variance.
        growth: f64,
    },
}

impl SizeQuestion {
    /// Kelly's share: excess return over variance, none when there is no variance to speak of.
    #[must_use]
    pub fn kelly(&self) -> f64 {
        if self.variance <= 1e-12 { 0.0 } else { (self.mean - self.riskless) / self.variance }
    }

    /// M-051. `Kelly * min(1, T / T_ref) * 1 / (1 + v / variance)`, held in [0, max].
    ///
    /// # Errors
    /// [`SizeError`] for numbers that are none and for strategies that lose over time.
    pub fn size(&self) -> Result<f64, SizeError> {
        for (name, value, least) in [
            ("mean", self.mean, f64::NEG_INFINITY),
            ("riskless", self.riskless, f64::NEG_INFINITY),
            ("variance", self.variance, 0.0),
            ("uncertainty", self.uncertainty, 0.0),
            ("max", self.max, 0.0),
        ] {
            if !value.is_finite() || value < least {
                return Err(SizeError::NotANumber { name, value });
            }
        }
        let growth = self.mean - self.variance / 2.0;
        if growth < 0.0 {
            return Err(SizeError::NegativeGrowth { growth });
        }
        let time = match self.reference_ticks {
            0 => 1.0,
            reference => (self.ticks_remaining as f64 / reference as f64).min(1.0),
        };
        let trust = if self.variance > 0.0 { 1.0 / (1.0 + self.uncertainty / self.variance) } else { 0.0 };
        Ok((self.kelly() * time * trust).clamp(0.0, self.max))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const W_91: SizeQuestion = SizeQuestion {
        mean: 0.001,
        riskless: 0.0,
        variance: 0.0004,
        uncertainty: 0.0001,
        ticks_remaining: 5_000,
        reference_ticks: 20_000,
        max: 1.0,
    };

    /// M-051: W-91.
    #[test]
    fn m_051_the_stake_meets_w_91() {
        assert!((W_91.kelly() - 2.5).abs() < 1e-12);
        assert!((W_91.size().expect("a stake") - 0.5).abs() < 1e-12, "W-91");
        assert_eq!(SizeQuestion { max: 0.1, ..W_91 }.size(), Ok(0.1));
        assert_eq!(SizeQuestion { variance: 1e-12, ..W_91 }.size(), Ok(0.0), "no variance, no Kelly");
        assert_eq!(SizeQuestion { riskless: 0.01, ..W_91 }.size(), Ok(0.0), "never short");
    }

    /// M-051: strategies that lose over time and numbers that are none are refused.
    #[test]
    fn m_051_losers_and_nonsense_are_refused() {
        let loser = SizeQuestion { mean: 0.0001, ..W_91 };
        assert!(matches!(loser.size(), Err(SizeError::NegativeGrowth { .. })));
        for bad in [
            SizeQuestion { mean: f64::NAN, ..W_91 },
            SizeQuestion { variance: -1.0, ..W_91 },
            SizeQuestion { uncertainty: f64::INFINITY, ..W_91 },
            SizeQuestion { max: f64::NAN, ..W_91 },
        ] {
            assert!(matches!(bad.size(), Err(SizeError::NotANumber { .. })), "{bad:?}");
        }
    }

    proptest! {
        /// M-051: within [0, max], and less time never stakes more.
        #[test]
        fn m_051_less_time_never_stakes_more(mean in 0.0..0.1f64, variance in 0.0..0.1f64, v in 0.0..0.1f64, a: u32, b: u32, max in 0.0..2.0f64) {
            let at = |ticks: u32| SizeQuestion { mean, variance, uncertainty: v, ticks_remaining: u64::from(ticks), max, ..W_91 }.size();
            if let (Ok(less), Ok(more)) = (at(a.min(b)), at(a.max(b))) {
                prop_assert!(0.0 <= less && less <= more && more <= max);
            }
        }
    }
}
