//! Synthetic scenarios: what was imagined, and that it was.

use golem_grimoire::regime::Regime;
use golem_primitives::{Ppm, words};

use crate::number::Hundredths;

words! {
    /// D-122. What made a scenario.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    ScenarioSource {
        /// A counterfactual.
        Counterfactual = "counterfactual",
        /// Creative work.
        Creative = "creative",
        /// A threat.
        Threat = "threat",
        /// Chance.
        Stochastic = "stochastic",
    }
}

/// D-122. The conditions of a scenario, as far as they are supposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Conditions {
    /// The regime.
    pub regime: Option<Regime>,
    /// The fifth of volatility.
    pub volatility: Option<u8>,
    /// Liquidity left, as a share of what there is.
    pub liquidity: Option<Ppm>,
    /// Gas, as a multiple of what it is.
    pub gas_times: Option<u32>,
    /// How prices move together.
    pub correlation: Option<Ppm>,
}

/// D-109, D-122. Something that never happened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scenario {
    /// Its name within the cycle.
    pub id: String,
    /// What made it.
    pub source: ScenarioSource,
    /// Under which conditions.
    pub conditions: Conditions,
    /// What happens, in order.
    pub events: Vec<String>,
    /// The strategy it challenges.
    pub challenges: String,
    /// What comes of it.
    pub expected: String,
    /// What would be done otherwise.
    pub adaptation: String,
    /// How plausible it is; `None` where nobody judged.
    pub plausibility: Option<Ppm>,
    /// What it is worth.
    pub confidence: Hundredths,
    /// Always.
    pub is_synthetic: bool,
}
