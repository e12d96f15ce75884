//! All numbers of the law in one place. Configuration fills it; the law reads it.

use golem_primitives::{Ppm, Usdc};

use crate::economic::partitions::Shares;
use crate::economic::purse::DailyCaps;
use crate::economic::reserve::{Custody, ReserveLaw};
use crate::epistemic::clock::EpistemicLaw;
use crate::fractal::PhageLaw;
use crate::mode::Mode;
use crate::score::Score;
use crate::stochastic::hazard::HazardLaw;
use crate::vitality::VitalityLaw;

/// The numbers a life is lived under. They are part of it: a life replays under the law it was lived under.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Law {
    pub mode: Mode,
    /// M-017. Spendable credits at or below which a Golem starves: 0 in the vectors, 0.10 on chain (T-002).
    pub starvation_floor: Usdc,
    /// M-018. Share of credits below which they are critical.
    pub conservation_threshold: Ppm,
    /// M-026. The split of normal life.
    pub shares: Shares,
    /// M-027. Caps of a day.
    pub caps: DailyCaps,
    /// M-037. The reserve.
    pub reserve: ReserveLaw,
    pub custody: Custody,
    pub epistemic: EpistemicLaw,
    /// MG-04. Fitness at birth.
    pub starting_fitness: Score,
    pub hazard: HazardLaw,
    pub vitality: VitalityLaw,
    /// M-243. What is tried on paper beside the life.
    pub phages: PhageLaw,
}

impl Law {
    /// The seed's numbers for a hosted Golem, with the floor of pure simulation.
    #[must_use]
    pub fn hosted() -> Self {
        Self {
            mode: Mode::Hosted,
            starvation_floor: Usdc::ZERO,
            conservation_threshold: Ppm::of(300_000),
            shares: Shares::NORMAL,
            caps: DailyCaps::DEFAULT,
            reserve: ReserveLaw::DEFAULT,
            custody: Custody::Vault,
            epistemic: EpistemicLaw::default(),
            starting_fitness: Score::HALF,
            hazard: HazardLaw::DEFAULT,
            vitality: VitalityLaw::DEFAULT,
            phages: PhageLaw::default(),
        }
    }

    /// M-232, M-041. On paper without a vault.
    #[must_use]
    pub fn self_hosted() -> Self {
        Self { mode: Mode::SelfHosted, custody: Custody::None, ..Self::hosted() }
    }

    /// M-233. The control group.
    #[must_use]
    pub fn immortal() -> Self {
        Self { mode: Mode::Immortal, custody: Custody::None, ..Self::hosted() }
    }

    /// M-017, T-002. The same law with the floor of the chain.
    #[must_use]
    pub fn on_chain(self) -> Self {
        Self { starvation_floor: Usdc::from_micros(100_000), ..self }
    }

    /// M-037. The reserve this law asks for.
    #[must_use]
    pub fn reserve_for(&self, initial: Usdc, positions: u32) -> Usdc {
        self.reserve.required(self.custody, initial, positions)
    }
}
