//! What a simulation found, as plain data.

use std::collections::BTreeMap;

use golem_mortality::cause::CauseKind;
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick};
use serde::{Deserialize, Serialize};

use crate::cohort::Cohort;
use crate::effect::EffectSize;
use crate::experiment::{Dimension, ExperimentVerdict, VALID_DAYS, Winner};
use crate::settings::SimulationSettings;
use crate::stats::Summary;

/// The results of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub settings: SimulationSettings,
    /// The population under the law.
    pub mortal: Population,
    pub immortal: Population,
    /// M-238. Both on six dimensions.
    pub dimensions: [DimensionComparison; 6],
    /// M-239. What that says.
    pub finding: PopulationFinding,
    /// Lives that only chance could end.
    pub cohort: Cohort,
}

/// One population.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Population {
    pub births: u64,
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

/// Both populations on one dimension of M-238, one number for each place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DimensionComparison {
    pub dimension: Dimension,
    /// The mortal places.
    pub mortal: Vec<f64>,
    /// The places of the control.
    pub immortal: Vec<f64>,
    /// Who is better at p 0.05.
    pub winner: Winner,
    /// By how much; none where too few places have a number.
    pub effect: Option<EffectSize>,
}

impl DimensionComparison {
    /// Compares the places; `seed` names the bootstrap's draw.
    #[must_use]
    pub fn of(dimension: Dimension, mortal: Vec<f64>, immortal: Vec<f64>, seed: u64) -> Self {
        let measured = dimension.compare(&mortal, &immortal, seed).ok();
        let winner = measured.map_or(Winner::Neither, |(winner, _)| winner);
        Self { dimension, mortal, immortal, winner, effect: measured.map(|(_, effect)| effect) }
    }

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
}

/// M-239. What the six comparisons say, and whether enough time was lived for it to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PopulationFinding {
    /// The verdict on mortality.
    pub verdict: ExperimentVerdict,
    /// Whether at least 30 nominal days were lived.
    pub is_valid: bool,
}

impl PopulationFinding {
    /// Counts the winners.
    #[must_use]
    pub fn of(comparisons: &[DimensionComparison; 6], ticks: u64) -> Self {
        let winners = std::array::from_fn(|at| comparisons[at].winner);
        Self { verdict: ExperimentVerdict::of(winners), is_valid: ticks >= VALID_DAYS * Tick::PER_DAY }
    }
}
