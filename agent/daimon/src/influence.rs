//! What affect does to a decision, in one record that can be logged with it.

use golem_mortality::phase::Phase;
use golem_mortality::stochastic::hazard::Hazard;
use golem_primitives::{Ppm, Tick};

use crate::feeling::Feeling;
use crate::grief::Grief;
use crate::modulation as law;
use crate::pad::Pad;

/// Everything affect moves in a tick, with the state that moved it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Influence {
    pub mood: Pad,
    /// What risk is multiplied with, 0.48 to 1.20.
    pub risk: f64,
    /// What the sharing threshold loses.
    pub sharing_relief: f64,
    /// What the priority of consolidation is multiplied with.
    pub consolidation: f64,
    /// What thresholds of the first two tiers move by; never upward.
    pub tier_shifts: [f64; 2],
    /// What a pre-flight check wants above the minimum.
    pub safety_margin: Ppm,
    /// Whether one's own fitness in failed domains is computed anew and dreams are more urgent.
    pub recalibrates: bool,
}

impl Influence {
    /// No influence at all.
    pub const NONE: Self = Self {
        mood: Pad::NEUTRAL,
        risk: 1.0,
        sharing_relief: 0.0,
        consolidation: 1.0,
        tier_shifts: [0.0; 2],
        safety_margin: Ppm::ZERO,
        recalibrates: false,
    };

    pub(crate) fn of(mood: Pad, feeling: Option<&Feeling>, grief: Option<&Grief>, tick: Tick) -> Self {
        Self {
            mood,
            risk: law::risk_factor(feeling, mood, grief.map_or(1.0, |grief| grief.risk(tick))),
            sharing_relief: grief.map_or(0.0, |grief| grief.sharing_relief(tick)),
            consolidation: grief.map_or(1.0, |grief| grief.consolidation(tick)),
            // Adding zero turns -0 into 0, so that no influence compares equal to none.
            tier_shifts: law::tier_shifts(mood).map(|shift| shift + 0.0),
            safety_margin: law::safety_margin(mood),
            recalibrates: grief.is_some_and(|grief| grief.recalibrates(tick)),
        }
    }

    /// A-072, M-140. Risk that is taken in a phase and a cage.
    #[must_use]
    pub fn risk_within(&self, phase: Phase, cage: Ppm) -> Ppm {
        law::risk_within(phase, cage, self.risk)
    }

    /// A-077, M-134. The sharing threshold, of what the law of mortality says and what affect does.
    #[must_use]
    pub fn sharing_within(&self, by_law: Ppm, phase: Phase, vitality: Ppm, hazard: Hazard) -> Ppm {
        let by_affect = law::sharing_by_affect(phase, vitality, hazard, self.mood, self.sharing_relief);
        law::sharing_within(by_law, by_affect)
    }

    /// Inverse temperature of exploration.
    #[must_use]
    pub fn beta(&self, base: f64) -> f64 {
        law::beta(base, self.mood)
    }
}
