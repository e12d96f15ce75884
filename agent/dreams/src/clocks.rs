//! What the three clocks make of dreaming.

use golem_mortality::dream_modulation::{DreamModulation, DreamSignals, LegacyFocus};
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, words};

use crate::law::DreamLaw;
use crate::number::{Temperature, clamp01};
use crate::words::Grade;

/// D-203 to D-208. What the clocks say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Clocks {
    /// Ticks the credits last; `None` where the economic clock is off.
    pub projected_ticks: Option<u64>,
    /// Prediction accuracy, the epistemic fitness.
    pub accuracy: Ppm,
    pub tick: Tick,
    /// Ticks by which age is measured.
    pub reference_lifespan: u64,
}

impl Clocks {
    /// D-203 to D-205, D-208. How dreams change; the thresholds are those of mortality (72, 24 and 6 hours, 0.50, 0.70,
    /// 0.85), in one place.
    #[must_use]
    pub fn modulation(&self, phase: Phase) -> DreamModulation {
        DreamModulation::of(&DreamSignals {
            projected_ticks: self.projected_ticks,
            fitness: self.accuracy,
            tick: self.tick,
            reference_lifespan: self.reference_lifespan,
            phase,
        })
    }

    /// DG-11. The share of a reference life that is lived, at most one.
    #[must_use]
    pub fn hayflick(&self) -> f64 {
        if self.reference_lifespan == 0 {
            return 1.0;
        }
        clamp01(self.tick.get() as f64 / self.reference_lifespan as f64)
    }

    /// D-207. How near each clock is to its threshold.
    #[must_use]
    pub fn nearness(&self) -> Nearness {
        let hours = self.projected_ticks.map(|ticks| ticks as f64 / Tick::PER_HOUR as f64);
        Nearness::of(hours, self.accuracy.as_f64(), self.hayflick())
    }

    /// C25, DG-12. Ticks between two lightweight cycles: halved below 72 hours; `None` when there are to be none.
    #[must_use]
    pub fn interval(&self, phase: Phase, ticks: u64) -> Option<u64> {
        match self.modulation(phase).frequency {
            0 => None,
            times => Some((ticks / u64::from(times)).max(1)),
        }
    }
}

/// D-207, DG-11. How near the three clocks are to their thresholds, each in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearness {
    /// To the end of credits.
    pub economic: f64,
    /// To understanding nothing.
    pub epistemic: f64,
    /// To the end of a span.
    pub stochastic: f64,
}

impl Nearness {
    /// DG-11. From hours to live, accuracy and the share of life that is lived.
    #[must_use]
    pub fn of(hours: Option<f64>, accuracy: f64, ratio: f64) -> Self {
        Self {
            economic: hours.map_or(0.0, |hours| clamp01((72.0 - hours) / 66.0)),
            epistemic: clamp01((0.70 - accuracy) / 0.20),
            stochastic: clamp01((ratio - 0.70) / 0.15),
        }
    }

    /// D-207. `1 + 0.5 economic + 0.3 epistemic + 0.2 stochastic`: from one to two times the base rate.
    #[must_use]
    pub fn intensity(&self) -> f64 {
        1.0 + 0.5 * self.economic + 0.3 * self.epistemic + 0.2 * self.stochastic
    }
}

words! {
    /// D-201. How uncertain a Golem is.
    Uncertainty {
        /// Fitness from 0.7.
        Low = "low",
        /// Below 0.7.
        Medium = "medium",
        /// Below 0.5.
        High = "high",
    }
}

impl Uncertainty {
    /// D-201. By epistemic fitness.
    #[must_use]
    pub fn of(fitness: Ppm) -> Self {
        if fitness < Ppm::of(500_000) {
            Self::High
        } else if fitness < Ppm::of(700_000) {
            Self::Medium
        } else {
            Self::Low
        }
    }
}

/// D-202. How much one cycle does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Work {
    pub batch: u32,
    /// Alternatives for each decision.
    pub depth: u32,
    pub creative: u32,
    pub threats: u32,
    /// The dearest model.
    pub grade: Grade,
    pub temperature: Temperature,
}

impl Work {
    /// D-202, C23. The owner's numbers are the middle row; uncertainty does more, certainty less.
    #[must_use]
    pub fn of(uncertainty: Uncertainty, law: &DreamLaw) -> Self {
        let imagination = &law.imagination;
        let middle = Self {
            batch: law.replay.batch_size,
            depth: imagination.counterfactual_depth,
            creative: imagination.creative_sessions,
            threats: imagination.threat_scenarios,
            grade: Grade::T1,
            temperature: imagination.exploration_temperature,
        };
        match uncertainty {
            Uncertainty::Medium => middle,
            Uncertainty::High => Self {
                batch: middle.batch.saturating_mul(3) / 2,
                depth: middle.depth + 1,
                creative: middle.creative + 1,
                threats: middle.threats + 2,
                grade: Grade::T2,
                temperature: middle.temperature.moved(200),
            },
            Uncertainty::Low => Self {
                batch: (middle.batch / 2).max(1),
                depth: middle.depth.saturating_sub(1),
                creative: middle.creative.saturating_sub(1),
                threats: middle.threats.saturating_sub(2),
                grade: Grade::T1,
                temperature: middle.temperature.moved(-200),
            },
        }
    }

    /// C25. The same with a batch as many times as large as the nearness of the clocks says.
    #[must_use]
    pub fn scaled(self, nearness: &Nearness) -> Self {
        Self { batch: libm::round(f64::from(self.batch) * nearness.intensity()) as u32, ..self }
    }
}

/// D-205. Whether creativity may only combine what is proven.
#[must_use]
pub fn is_proven_only(modulation: &DreamModulation) -> bool {
    modulation.legacy == LegacyFocus::Full
}
