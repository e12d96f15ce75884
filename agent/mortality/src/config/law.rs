//! From what an owner chose to the numbers a life is lived under.

use crate::economic::partitions::{Shares, SplitError};
use crate::economic::purse::DailyCaps;
use crate::economic::reserve::{Custody, ReserveLaw};
use crate::epistemic::clock::{EpistemicLaw, FitnessSource};
use crate::epistemic::senescence::SenescenceLaw;
use crate::fractal::PhageLaw;
use crate::law::Law;
use crate::mode::Mode;
use crate::score::Score;
use crate::stochastic::hazard::{HazardLaw, HazardLawError, HazardNumbers};
use crate::vitality::VitalityLaw;

use super::{Config, Hosting};

/// Why a configuration that was not read makes no law; one that was read always makes one.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LawError {
    #[error("the partitions make no split")]
    Split(#[from] SplitError),
    #[error("the stochastic settings make no hazard")]
    Hazard(#[from] HazardLawError),
}

impl Config {
    /// The mode it asks for. One that was read never asks for an immortal hosted Golem; one that was built by hand does not get it
    /// either (M-242).
    pub(super) const fn mode(&self, hosting: Hosting) -> Mode {
        match hosting {
            Hosting::SelfHosted if self.mortality.immortal => Mode::Immortal,
            Hosting::SelfHosted if !self.economic.enabled => Mode::SelfHosted,
            Hosting::SelfHosted | Hosting::Hosted => Mode::Hosted,
        }
    }

    /// The law of a life with this configuration.
    ///
    /// # Errors
    /// [`LawError`] when the configuration breaks an invariant.
    pub fn law(&self, hosting: Hosting) -> Result<Law, LawError> {
        let mode = self.mode(hosting);
        let base = Law::hosted();
        let split = &self.partitions;
        Ok(Law {
            mode,
            custody: if mode == Mode::Hosted && hosting == Hosting::Hosted { Custody::Vault } else { Custody::None },
            conservation_threshold: self.economic.conservation_threshold,
            shares: Shares::new([split.llm, split.gas, split.data, golem_primitives::Ppm::ZERO])?,
            caps: DailyCaps { shares: [self.daily_caps.llm, self.daily_caps.gas, self.daily_caps.data], ..base.caps },
            reserve: ReserveLaw {
                floor: self.economic.death_reserve_floor_usdc,
                proportional: self.economic.death_reserve_proportional,
                ..base.reserve
            },
            epistemic: EpistemicLaw {
                minimum_pairs: u32::try_from(self.epistemic.minimum_predictions).unwrap_or(u32::MAX),
                window_ticks: self.epistemic.fitness_window,
                senescence: SenescenceLaw {
                    threshold: self.epistemic.senescence_threshold,
                    grace_ticks: self.epistemic.recovery_grace_period,
                    ..base.epistemic.senescence
                },
                domain_alphas: self.prediction_half_life.alphas().map(Score::held),
                source: if self.scores_predictions() { FitnessSource::Predictions } else { FitnessSource::Trades },
                ..base.epistemic
            },
            hazard: HazardLaw::new(HazardNumbers {
                base: self.stochastic.base_hazard_rate,
                age_coefficient: self.stochastic.age_hazard_coefficient,
                aging_rate: self.stochastic.aging_rate,
                epistemic_multiplier: self.stochastic.epistemic_hazard_multiplier,
                cap: self.stochastic.max_hazard_rate,
            })?,
            vitality: VitalityLaw {
                economic_centre: self.vitality.economic_centre,
                economic_steepness: self.vitality.economic_steepness,
                epistemic_centre: self.vitality.epistemic_centre,
                epistemic_steepness: self.vitality.epistemic_steepness,
                age_drag: self.vitality.age_drag,
                reference_lifespan_ticks: self.vitality.reference_lifespan,
                hysteresis: self.vitality.hysteresis,
            },
            phages: PhageLaw {
                lifetime: self.phage.lifetime,
                daily_rate: u32::try_from(self.phage.daily_spawn_rate).unwrap_or(u32::MAX),
                replicants: self.phage.replicants,
            },
            ..base
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_who_says_nothing_lives_by_the_seeds_numbers() {
        let config = |hosting| Config::default_for(hosting);
        assert_eq!(config(Hosting::Hosted).law(Hosting::Hosted), Ok(Law::hosted()));
        let paper = config(Hosting::SelfHosted).law(Hosting::SelfHosted).expect("valid");
        let reserve = ReserveLaw { floor: golem_primitives::Usdc::ZERO, ..Law::hosted().reserve };
        assert_eq!(paper, Law { reserve, ..Law::self_hosted() });
    }

    /// O-003: what an owner writes of shares, caps, thresholds and phages is in the law, each by itself; without anything that is
    /// predicted trades are scored. Only the control of a self-hosted life cannot die (M-233).
    #[test]
    fn o_003_what_an_owner_writes_is_the_law() {
        let changed = |change: fn(&mut Config)| {
            let mut config = Config::default_for(Hosting::Hosted);
            change(&mut config);
            config.law(Hosting::Hosted).expect("a law")
        };
        let base = Law::hosted();
        let threshold = golem_primitives::Ppm::of(123_456);
        let law = changed(|config| config.economic.conservation_threshold = golem_primitives::Ppm::of(123_456));
        assert_eq!(law, Law { conservation_threshold: threshold, ..base });
        let law = changed(|config| std::mem::swap(&mut config.partitions.llm, &mut config.partitions.data));
        assert_ne!(law.shares, base.shares);
        assert_eq!(Law { shares: base.shares, ..law }, base);
        let law = changed(|config| config.daily_caps.gas = golem_primitives::Ppm::of(123_456));
        assert_eq!(law.caps.shares[1], threshold);
        let law = changed(|config| config.phage.lifetime = 77);
        assert_eq!(law.phages.lifetime, 77);
        let law = changed(|config| {
            let types = &mut config.predictions;
            (types.price_direction, types.volatility_regime, types.yield_trend) = (false, false, false);
            (types.gas_condition, types.protocol_state) = (false, false);
        });
        assert_eq!(law.epistemic.source, FitnessSource::Trades);
        let immortal = Law::immortal();
        assert_eq!((immortal.mode, immortal.custody), (Mode::Immortal, Custody::None));
    }
}
