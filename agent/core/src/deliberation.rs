//! When a model is worth asking, and what its answer can do: pick one of the actions that were permitted before it was
//! asked, or none. An answer has an index and a reason in it, nothing else.

mod bias;
mod choices;

use golem_mortality::behaviour::{deliberation_threshold, deliberation_tier};
use golem_mortality::economic::tier::{Tier, TierQuestion};
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Usdc};
use serde::{Deserialize, Serialize};

use crate::means::Means;
use crate::window::PriceShape;

pub use bias::Bias;
pub use choices::{Choices, MOST_CANDIDATES, ModelAdvice, Preview, PreviewedOrder, RATIONALE_CHARS, Rationale, choose};

/// Standard deviations that are surprising whatever the mood: an anomaly.
const ANOMALY_SIGMAS: f64 = 3.0;
/// V-011. The share of capital a vault lets one trade move.
const LARGEST_TRADE: Ppm = Ppm::of(100_000);

/// M-139. How near the floor of its phase a composite may be before a change is imminent. The catalogue gives no number;
/// this is two fifths of the margin a rise needs (M-125), so that a life that just rose is not at once about to fall.
const IMMINENT: Ppm = Ppm::of(20_000);

/// What is known in DECIDING.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occasion {
    /// How far the world is from what was expected.
    pub surprise: Ppm,
    /// How little the Golem's own predictions can be relied on.
    pub uncertainty: Ppm,
    /// How much depends on it.
    pub stakes: Ppm,
    pub vitality: Ppm,
    /// Arousal of the mood, in [0, 1].
    pub arousal: Ppm,
    pub phase: Phase,
    /// M-139. Whether the phase is about to change.
    pub phase_change_imminent: bool,
    /// M-046. Whether revenue covers the burn.
    pub is_sustainable: bool,
    /// What may be spent, under which ceiling.
    pub means: Means,
    /// What a call of each tier costs at most; `None` where nobody serves it. T0 is always there.
    pub quotes: [Option<Usdc>; 4],
    /// What affect does to it.
    pub bias: Bias,
}

/// How a decision is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deliberation {
    /// Whom to ask; T0 is the rules.
    pub tier: Tier,
    /// The most the call may cost.
    pub budget: Usdc,
    pub grounds: Grounds,
}

/// Why a model is asked, or is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grounds {
    Worth,
    /// M-139. Nothing surprising: rules are enough.
    Familiar,
    /// M-049. Too little depends on it at this vitality.
    Minor,
    /// The phase, or what the day has cost, forbids models.
    Forbidden,
    /// Nobody serves the tiers that would be allowed.
    Unserved,
    /// No call that is allowed can be paid.
    Unaffordable,
}

impl Occasion {
    /// M-049, M-139. Whom to ask. Surprise must reach the threshold of M-139; the stakes choose the tier (M-049); an
    /// anomaly and a place where much was suffered ask at least the small model (A-074, S-080); an imminent change of phase and a bad mark ask the large one;
    /// phase, day, providers and purse each only lower it.
    #[must_use]
    pub fn deliberate(&self) -> Deliberation {
        let rules = |grounds| Deliberation { tier: Tier::T0, budget: Usdc::ZERO, grounds };
        let threshold = deliberation_threshold(self.vitality, self.arousal, self.uncertainty.complement());
        // A-080, S-080. What was marked badly, or suffered from, is thought over however familiar it looks.
        let is_pressing = self.phase_change_imminent || self.bias.wants_second_thought || self.bias.is_warned;
        if self.surprise < threshold && !is_pressing {
            return rules(Grounds::Familiar);
        }
        let wanted = self.wanted();
        if wanted == Tier::T0 && !is_pressing {
            return rules(Grounds::Minor);
        }
        let allowed = deliberation_tier(wanted, self.phase_change_imminent, self.phase).under(self.means.ceiling);
        // Who is depleted does not wake the large model, but for an anomaly.
        let is_anomaly = self.surprise == Ppm::ONE;
        let allowed = if self.bias.is_depleted && !is_anomaly { allowed.under(Tier::T1) } else { allowed };
        if allowed == Tier::T0 {
            return rules(Grounds::Forbidden);
        }
        let served = || [Tier::T2, Tier::T1].into_iter().filter(|tier| *tier <= allowed);
        let quoted = || served().filter_map(|tier| Some((tier, self.quotes[tier as usize]?)));
        match quoted().find(|(tier, most)| *most <= self.means.budget(*tier)) {
            Some((tier, _)) => Deliberation { tier, budget: self.means.budget(tier), grounds: Grounds::Worth },
            None if quoted().next().is_none() => rules(Grounds::Unserved),
            None => rules(Grounds::Unaffordable),
        }
    }

    /// The tier the occasion itself deserves, before anything raises or lowers it.
    fn wanted(&self) -> Tier {
        let by_stakes = |ease: Ppm, ceiling: Tier| {
            let criticality = self.stakes.saturating_add(ease);
            let (vitality, is_sustainable) = (self.vitality, self.is_sustainable);
            TierQuestion { vitality, criticality, is_sustainable, ceiling }.choose()
        };
        let by_anomaly = if self.surprise == Ppm::ONE { Tier::T1 } else { Tier::T0 };
        let by_warning = if self.bias.is_warned { Tier::T1 } else { Tier::T0 };
        let by_mark = if self.bias.wants_second_thought { Tier::T2 } else { Tier::T0 };
        let [first, second] = self.bias.ease;
        by_stakes(first, Tier::T1).max(by_stakes(second, Tier::T2)).max(by_anomaly).max(by_mark).max(by_warning)
    }
}

/// M-139. Whether a Golem is about to fall into a lower phase. From Terminal nobody falls further.
#[must_use]
pub fn is_fall_imminent(phase: Phase, composite: Ppm) -> bool {
    phase > Phase::Terminal && composite < phase.floor().saturating_add(IMMINENT)
}

/// How surprising the newest price is: its distance from the mean, whole at three standard deviations.
#[must_use]
pub fn surprise(shape: &PriceShape) -> Ppm {
    Ppm::round(libm::fabs(shape.z) / ANOMALY_SIGMAS)
}

/// How much depends on moving `notional`: its share of the most one trade may move of `capital`.
#[must_use]
pub const fn stakes(notional: Usdc, capital: Usdc) -> Ppm {
    notional.ratio_of(capital.share_down(LARGEST_TRADE))
}

#[cfg(test)]
#[path = "tests/deliberation.rs"]
mod tests;
