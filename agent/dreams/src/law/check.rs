//! What an owner may not set.

use golem_primitives::Ppm;

use super::DreamLaw;
use crate::words::ScheduleMode;

/// Why numbers are no law.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DreamLawError {
    /// D-233. Shares that are no whole.
    #[error("the shares of nrem, rem and integration sum to {sum} parts per million; make them sum to one")]
    SplitNotWhole { sum: u64 },
    /// D-033. Weights that are no whole.
    #[error("the urgency weights of {phase} sum to {sum} parts per million; make them sum to one")]
    WeightsNotWhole { phase: &'static str, sum: u64 },
    /// A period of nothing.
    #[error("{key} is zero; give it a number of ticks of one or more")]
    ZeroTicks { key: &'static str },
    #[error("{key} is outside {range}; give it a number within")]
    OutOfRange { key: &'static str, range: &'static str },
    /// D-043. A mode that needs windows, without any.
    #[error("the mode {mode} dreams in windows and there is none; add one or choose autonomous")]
    NoWindow { mode: ScheduleMode },
}

impl DreamLaw {
    /// Whether these numbers are a law.
    ///
    /// # Errors
    /// [`DreamLawError`] names the first that is not.
    pub fn check(&self) -> Result<(), DreamLawError> {
        if let Some(split) = self.phases {
            let sum = split.sum();
            if sum != u64::from(Ppm::ONE.get()) {
                return Err(DreamLawError::SplitNotWhole { sum });
            }
        }
        for (phase, weights) in self.schedule.weights.rows() {
            let sum = weights.sum();
            if sum != u64::from(Ppm::ONE.get()) {
                return Err(DreamLawError::WeightsNotWhole { phase: phase.name(), sum });
            }
            if weights.natural_period == 0 {
                return Err(DreamLawError::ZeroTicks { key: "schedule.weights.naturalPeriod" });
            }
        }
        if self.schedule.cycle_interval_ticks == 0 {
            return Err(DreamLawError::ZeroTicks { key: "cycleIntervalTicks" });
        }
        let needs_window = matches!(self.schedule.mode, ScheduleMode::Owner | ScheduleMode::Hybrid);
        if needs_window && self.schedule.windows.is_empty() {
            return Err(DreamLawError::NoWindow { mode: self.schedule.mode });
        }
        self.check_ranges()
    }

    fn check_ranges(&self) -> Result<(), DreamLawError> {
        let (low, high) = self.hypnagogia.temperatures;
        let checks = [
            ((-100_000..=100_000).contains(&self.schedule.market_adjustment), "marketAdjustment", "-0.1 to 0.1"),
            ((1..=100).contains(&self.replay.batch_size), "replay.batchSize", "1 to 100"),
            (self.imagination.counterfactual_depth <= 10, "imagination.counterfactualDepth", "0 to 10"),
            (self.imagination.creative_sessions <= 10, "imagination.creativeSessions", "0 to 10"),
            (self.imagination.threat_scenarios <= 15, "imagination.threatScenarios", "0 to 15"),
            (self.imagination.exploration_temperature.get() <= 2_000, "imagination.explorationTemperature", "0 to 2"),
            (self.hypnagogia.dali_cycles <= 5, "hypnagogia.daliCycles", "0 to 5"),
            (low <= high && high.get() <= 2_000, "hypnagogia.temperatureRange", "0 to 2, the lower first"),
            ((30..=50).contains(&self.depotentiation.get()), "depotentiation", "0.3 to 0.5"),
        ];
        match checks.into_iter().find(|(holds, ..)| !holds) {
            Some((_, key, range)) => Err(DreamLawError::OutOfRange { key, range }),
            None => Ok(()),
        }
    }
}
