//! What a simulation found, as plain data.

use std::collections::BTreeMap;

use golem_mortality::cause::CauseKind;
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick};
use serde::{Deserialize, Serialize};

use crate::cohort::Cohort;
use crate::settings::Settings;
use crate::stats::Summary;

/// The results of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// What was asked.
    pub settings: Settings,
    /// The population under the law.
    pub mortal: Population,
    /// The control.
    pub immortal: Population,
    /// M-238. Both on six dimensions.
    pub dimensions: Vec<Dimension>,
    /// Lives that only chance could end.
    pub cohort: Cohort,
}

/// One population.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Population {
    /// Golems born.
    pub births: u64,
    /// Deaths by cause.
    pub deaths: BTreeMap<CauseKind, u64>,
    /// M-236. Deaths that an immortal would have died.
    pub would_have_died: u64,
    /// Share of ticks in each phase, worst phase first.
    pub occupancy: [Ppm; 5],
    /// Share alive by age, whatever the cause of death.
    pub survival: Vec<(Tick, f64)>,
    /// The age half of them outlived, if half of them died.
    pub median_life: Option<Tick>,
    /// Ticks lived by all.
    pub ticks: u64,
}

impl Population {
    /// Deaths of every cause.
    #[must_use]
    pub fn deaths(&self) -> u64 {
        self.deaths.values().sum()
    }

    /// Share of ticks in a phase.
    #[must_use]
    pub const fn occupancy(&self, phase: Phase) -> Ppm {
        self.occupancy[phase.index()]
    }
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

/// M-238. The six dimensions on which the two populations are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DimensionName {
    /// Mean rolling fitness.
    EpistemicFitness,
    /// Distance of a Golem's belief from the mean belief.
    StrategyDiversity,
    /// New entries per 1,000 ticks.
    NovelInsightRate,
    /// Mean over deviation of profit per tick.
    RiskAdjustedReturn,
    /// Share of entries on the present regime that are still true.
    GrimoireHealth,
    /// Ticks to 90% of the skill before a change of regime.
    RegimeAdaptation,
}

impl DimensionName {
    /// All six.
    pub const ALL: [Self; 6] = [
        Self::EpistemicFitness,
        Self::StrategyDiversity,
        Self::NovelInsightRate,
        Self::RiskAdjustedReturn,
        Self::GrimoireHealth,
        Self::RegimeAdaptation,
    ];

    /// The name on a screen.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::EpistemicFitness => "epistemic fitness",
            Self::StrategyDiversity => "strategy diversity",
            Self::NovelInsightRate => "novel insight rate",
            Self::RiskAdjustedReturn => "risk-adjusted return",
            Self::GrimoireHealth => "Grimoire health",
            Self::RegimeAdaptation => "regime adaptation",
        }
    }

    /// Which way is better.
    #[must_use]
    pub const fn better(self) -> Better {
        match self {
            Self::RegimeAdaptation => Better::Lower,
            _ => Better::Higher,
        }
    }
}

/// Both populations on one dimension, one number for each place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dimension {
    /// Which.
    pub name: DimensionName,
    /// The mortal places.
    pub mortal: Vec<f64>,
    /// The places of the control.
    pub immortal: Vec<f64>,
}

impl Dimension {
    /// Mean and spread of the mortal places.
    #[must_use]
    pub fn mortal_summary(&self) -> Summary {
        Summary::of(&self.mortal)
    }

    /// Mean and spread of the control.
    #[must_use]
    pub fn immortal_summary(&self) -> Summary {
        Summary::of(&self.immortal)
    }

    /// Whether the mortal mean is the better one; `None` when they are equal or one is empty.
    #[must_use]
    pub fn mortal_leads(&self) -> Option<bool> {
        let (mortal, immortal) = (self.mortal_summary(), self.immortal_summary());
        if mortal.count == 0 || immortal.count == 0 || mortal.mean == immortal.mean {
            return None;
        }
        Some((mortal.mean > immortal.mean) == (self.name.better() == Better::Higher))
    }
}
