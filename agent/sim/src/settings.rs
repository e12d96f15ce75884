//! What a simulation is asked.

use golem_mortality::law::Law;
use golem_mortality::vitals::BirthError;
use golem_primitives::{Ppm, Usdc};
use serde::{Deserialize, Serialize};

/// A population and its world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimulationSettings {
    /// The seed of everything: market, luck and faults.
    pub seed: u64,
    /// Places in each population; a place whose Golem dies is taken by its successor.
    pub golems: u32,
    pub ticks: u64,
    /// Lives of the cohort that only chance can end, for the survival curve.
    pub cohort: u32,
    /// What each Golem is born with.
    pub funding: Usdc,
    /// The law the mortal population lives under. The control lives under the same, unbound.
    pub law: Law,
    /// How often the market changes its regime: one tick in so many.
    pub regime_ticks: u32,
    /// Share of ticks in which a Golem cannot see the chain.
    pub blindness: Ppm,
}

impl Default for SimulationSettings {
    fn default() -> Self {
        Self {
            seed: 42,
            golems: 100,
            ticks: 20_000,
            cohort: 10_000,
            funding: Usdc::whole(50),
            law: Law::hosted(),
            regime_ticks: 4_000,
            blindness: Ppm::of(2_000),
        }
    }
}

/// A setting of more than a machine should be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what} of {got} is more than {most}; ask for less")]
pub struct TooLarge {
    pub what: &'static str,
    pub got: u64,
    pub most: u64,
}

impl TooLarge {
    /// The first of these settings, each with what was asked and the most, that is too large.
    pub(crate) fn check<const N: usize>(bounds: [(&'static str, u64, u64); N]) -> Result<(), Self> {
        match bounds.into_iter().find(|(_, got, most)| got > most) {
            Some((what, got, most)) => Err(Self { what, got, most }),
            None => Ok(()),
        }
    }
}

/// Why nothing can be simulated.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationSettingsError {
    #[error("a population needs at least one Golem and one tick")]
    Empty,
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error("nobody can be born")]
    Birth(#[from] BirthError),
}

impl SimulationSettings {
    /// The most Golems in a population.
    pub const MOST_GOLEMS: u32 = 100_000;
    /// The most ticks.
    pub const MOST_TICKS: u64 = 10_000_000;
    /// The most lives in the cohort.
    pub const MOST_COHORT: u32 = 1_000_000;

    /// Whether these settings can be simulated.
    pub fn check(&self) -> Result<(), SimulationSettingsError> {
        if self.golems == 0 || self.ticks == 0 {
            return Err(SimulationSettingsError::Empty);
        }
        Ok(TooLarge::check([
            ("golems", u64::from(self.golems), u64::from(Self::MOST_GOLEMS)),
            ("ticks", self.ticks, Self::MOST_TICKS),
            ("cohort", u64::from(self.cohort), u64::from(Self::MOST_COHORT)),
        ])?)
    }
}

/// How far a simulation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimulationProgress {
    /// Places lived to the end.
    pub done: u64,
    /// All places of both populations.
    pub total: u64,
}
