//! The control of the experiment: a life that cannot die, and what it is compared by.

mod experiment;
mod migration;
mod prediction;
mod record;

pub use experiment::{Adaptation, Dimension, Experiment, ExperimentVerdict, Winner};
pub use migration::{Migration, MigrationError, MigrationStep, StepTaken};
pub use prediction::{DECAY_TICKS, decay_onset, follows_volatility};
pub use record::{ControlRecord, WouldBeCause};

use golem_primitives::Ppm;

use crate::config::{Config, Hosting};
use crate::mode::Mode;
use crate::phase::Phase;

/// The mode a configuration asks for. A configuration that was read never asks for an immortal hosted Golem; one that was
/// built by hand does not get it either (M-242).
#[must_use]
pub const fn mode_of(config: &Config, hosting: Hosting) -> Mode {
    match hosting {
        Hosting::SelfHosted if config.mortality.immortal => Mode::Immortal,
        Hosting::SelfHosted if !config.economic.enabled => Mode::SelfHosted,
        Hosting::SelfHosted | Hosting::Hosted => Mode::Hosted,
    }
}

/// M-235. How an immortal Golem stands, whatever its fitness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImmortalPosture {
    /// Its phase.
    pub phase: Phase,
    /// Its vitality.
    pub vitality: Ppm,
    /// Its survival pressure; one is none.
    pub survival_pressure: Ppm,
    /// Its risk multiplier.
    pub risk: Ppm,
    /// Its sharing threshold.
    pub sharing_threshold: Ppm,
    /// Whether credits are kept for dying.
    pub keeps_reserve: bool,
    /// Whether credits are partitioned.
    pub has_partitions: bool,
    /// Whether unused knowledge loses confidence.
    pub has_demurrage: bool,
    /// Whether any death check runs.
    pub checks_death: bool,
    /// Whether it advises on a successor.
    pub recommends_successor: bool,
    /// Whether the owner's teardown runs the Death Protocol, with a testament that records the mode (C-29).
    pub teardown_runs_protocol: bool,
    /// Whether its own mortality moves it.
    pub mortality_emotions: bool,
    /// Whether anything else does.
    pub generic_affect: bool,
    /// What it may use: everything a mortal Golem may (M-237).
    pub faculties: [Faculty; 6],
}

/// The posture of every immortal Golem.
pub const IMMORTAL: ImmortalPosture = ImmortalPosture {
    phase: Phase::Thriving,
    vitality: Ppm::ONE,
    survival_pressure: Ppm::ONE,
    risk: Ppm::ONE,
    sharing_threshold: Ppm::of(600_000),
    keeps_reserve: false,
    has_partitions: false,
    has_demurrage: false,
    checks_death: false,
    recommends_successor: false,
    teardown_runs_protocol: true,
    mortality_emotions: false,
    generic_affect: true,
    faculties: Faculty::ALL,
};

/// M-237. What an immortal Golem keeps: a control that is handicapped proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Faculty {
    /// Every inference tier.
    Tiers,
    /// Every tool.
    Tools,
    /// Insurance snapshots (M-231).
    Snapshots,
    /// Its siblings.
    Clade,
    /// Background probes.
    Phages,
    /// The limits on chain.
    PolicyCage,
}

impl Faculty {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Tiers, Self::Tools, Self::Snapshots, Self::Clade, Self::Phages, Self::PolicyCage];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(text: &str) -> Mode {
        mode_of(&Config::read(text, Hosting::SelfHosted).expect("valid"), Hosting::SelfHosted)
    }

    #[test]
    fn m_232_on_paper_the_economic_clock_is_off_and_the_others_hold() {
        // M-232.
        let paper = mode("");
        assert_eq!(paper, Mode::SelfHosted);
        assert!(!paper.counts_credits() && paper.is_mortal());
        let counted = mode("[mortality.economic]\nenabled = true\ndeath_reserve_floor_usdc = 0.3");
        assert!(counted.counts_credits(), "an owner may count paper credits");
        assert_eq!(mode_of(&Config::default(), Hosting::Hosted), Mode::Hosted);
    }

    #[test]
    fn m_233_m_234_immortal_is_an_explicit_choice_that_siblings_can_see() {
        // M-233, M-234.
        let immortal = mode("[mortality]\nimmortal = true");
        assert_eq!((immortal, immortal.name()), (Mode::Immortal, "immortal"));
        assert!(!immortal.is_mortal() && !immortal.counts_credits());
    }

    #[test]
    fn m_235_the_posture_of_the_immortal() {
        // M-235, C-29, C-30.
        assert_eq!((IMMORTAL.phase, IMMORTAL.vitality, IMMORTAL.risk), (Phase::Thriving, Ppm::ONE, Ppm::ONE));
        assert_eq!((IMMORTAL.survival_pressure, IMMORTAL.sharing_threshold), (Ppm::ONE, Ppm::of(600_000)));
        let absent = [
            IMMORTAL.keeps_reserve,
            IMMORTAL.has_partitions,
            IMMORTAL.has_demurrage,
            IMMORTAL.checks_death,
            IMMORTAL.recommends_successor,
        ];
        assert_eq!(absent, [false; 5]);
        let runs_protocol = IMMORTAL.teardown_runs_protocol;
        assert!(runs_protocol);
    }

    #[test]
    fn m_237_nothing_is_taken_from_the_control() {
        // M-237.
        for faculty in Faculty::ALL {
            assert!(IMMORTAL.faculties.contains(&faculty), "{faculty:?}");
        }
        assert_eq!((IMMORTAL.mortality_emotions, IMMORTAL.generic_affect), (false, true));
    }

    #[test]
    fn m_242_a_hosted_golem_is_mortal_even_if_somebody_built_the_configuration_by_hand() {
        // M-242.
        let mut config = Config::default();
        config.mortality.immortal = true;
        config.economic.enabled = false;
        assert_eq!(mode_of(&config, Hosting::Hosted), Mode::Hosted);
        assert!(!config.broken_invariants(Hosting::Hosted).is_empty());
    }
}
