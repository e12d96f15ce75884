//! Whether a category of predictions has earned the right to act.

use golem_primitives::Ppm;

use super::residual::SUFFICIENT_SAMPLES;

/// M-084. A category's record over seven days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrackRecord {
    /// Share of hits.
    pub hit_rate: Ppm,
    /// Predictions behind it.
    pub samples: u32,
    /// Share of hits that doing nothing would have had.
    pub inaction_hit_rate: Ppm,
}

/// Why a category may not act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GateRefusal {
    /// Too little is known.
    #[error("{samples} predictions are fewer than {SUFFICIENT_SAMPLES}")]
    TooFewSamples {
        /// What there is.
        samples: u32,
    },
    /// Too often wrong.
    #[error("a hit rate of {hit_rate} is below {least}", least = TrackRecord::LEAST_HIT_RATE)]
    TooOftenWrong {
        /// What it is.
        hit_rate: Ppm,
    },
    /// Doing nothing is better.
    #[error("doing nothing hits {by} more often")]
    BeatenByInaction {
        /// By how much.
        by: Ppm,
    },
}

impl TrackRecord {
    /// The least hit rate.
    pub const LEAST_HIT_RATE: Ppm = Ppm::of(600_000);
    /// By how much inaction may be better.
    pub const INACTION_MARGIN: Ppm = Ppm::of(50_000);

    /// M-084. Whether the category may act.
    ///
    /// # Errors
    /// [`GateRefusal`] with the first reason that holds.
    pub fn may_act(&self) -> Result<(), GateRefusal> {
        if (self.samples as usize) < SUFFICIENT_SAMPLES {
            return Err(GateRefusal::TooFewSamples { samples: self.samples });
        }
        if self.hit_rate < Self::LEAST_HIT_RATE {
            return Err(GateRefusal::TooOftenWrong { hit_rate: self.hit_rate });
        }
        let by = self.inaction_hit_rate.saturating_sub(self.hit_rate);
        if by > Self::INACTION_MARGIN { Err(GateRefusal::BeatenByInaction { by }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M-084: each condition at its edge.
    #[test]
    fn m_084_a_category_earns_the_right_to_act() {
        let good = TrackRecord { hit_rate: Ppm::of(600_000), samples: 30, inaction_hit_rate: Ppm::of(650_000) };
        assert_eq!(good.may_act(), Ok(()));
        assert_eq!(TrackRecord { samples: 29, ..good }.may_act(), Err(GateRefusal::TooFewSamples { samples: 29 }));
        let wrong = TrackRecord { hit_rate: Ppm::of(599_999), ..good };
        assert_eq!(wrong.may_act(), Err(GateRefusal::TooOftenWrong { hit_rate: Ppm::of(599_999) }));
        let idle = TrackRecord { inaction_hit_rate: Ppm::of(650_001), ..good };
        assert_eq!(idle.may_act(), Err(GateRefusal::BeatenByInaction { by: Ppm::of(50_001) }));
    }
}
