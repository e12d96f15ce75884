//! Succession by itself: seven steps that a crash cannot lose and an owner can always stop (I-280 to I-293).
//!
//! [`machine`] is a pure function from a state and an outcome to the next state and what is wanted; whoever drives it
//! keeps the state after each step, and starting again is going on. [`schedule`] says when a failed step is tried again, and
//! [`compile`](mod@compile) what the second step makes of the dead Golem's settings and advice.

pub mod compile;
pub mod machine;
pub mod schedule;

use golem_mortality::mode::Mode;
use golem_primitives::words;
use golem_primitives::{Ppm, Usdc};

use crate::individuation::MIN_PLAYBOOK_DISTANCE;

/// I-280. `[succession]` of a golem.toml.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuccessionLaw {
    /// C-05. Whether it happens by itself: the owner opts in.
    pub auto: bool,
    pub budget: Usdc,
    /// C-04. `strategy_drift_allowed`: the least distance of the PLAYBOOKs.
    pub min_playbook_distance: Ppm,
    /// I-290. Whether the heir takes the genome in.
    pub inherit_grimoire: bool,
}

impl Default for SuccessionLaw {
    fn default() -> Self {
        Self {
            auto: false,
            budget: Usdc::whole(50),
            min_playbook_distance: MIN_PLAYBOOK_DISTANCE,
            inherit_grimoire: true,
        }
    }
}

words! {
    /// I-293. Where the orchestration runs.
    SuccessionHost {
        ControlPlane = "control_plane",
        OwnerHost = "owner_host",
        DyingMachine = "dying_machine",
    }
}

/// What must hold before the first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Premises {
    /// I-281. Whether all four phases of the death are over.
    pub is_settled: bool,
    /// Whether the owner has committed a mandate on chain for it.
    pub has_mandate: bool,
    /// I-289. Whether a successor was born already.
    pub has_successor: bool,
    pub mode: Mode,
    /// I-293. Where this runs.
    pub host: SuccessionHost,
}

/// Why no succession begins by itself; by hand it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSuccession {
    /// C-05. The owner has not opted in.
    #[error(
        "automatic succession is off; write auto = true under [succession] of its golem.toml, or summon a successor by hand with `bardo line successor`"
    )]
    Off,
    #[error(
        "no mandate of its line has its terms on this machine (`bardo line mandate list` shows those that have); bring its \
         mandate-ID.json here, make one with `bardo line mandate commit`, or summon a successor by hand"
    )]
    NoMandate,
    /// I-281. The death is not over.
    #[error("its death is not settled on chain yet; `bardo golem run` lets it settle, and then a succession begins")]
    NotSettled,
    /// I-289. There is one.
    #[error("a successor was born already, and a dead Golem has one; `bardo line lineage` shows who")]
    Followed,
    /// I-352. It cannot die by itself.
    #[error("an immortal has no automatic succession")]
    Immortal,
    /// I-293. It would die with what it orchestrates.
    #[error("a succession is driven from a machine that outlives the dying one; use the control plane or an own host")]
    WrongHost,
}

impl SuccessionLaw {
    /// I-281, I-289, I-293, C-05. Whether a succession begins by itself.
    ///
    /// # Errors
    /// [`NoSuccession`] names the first reason why not.
    pub const fn may_begin(&self, premises: &Premises) -> Result<(), NoSuccession> {
        if !self.auto {
            Err(NoSuccession::Off)
        } else if !premises.mode.is_mortal() {
            Err(NoSuccession::Immortal)
        } else if premises.has_successor {
            Err(NoSuccession::Followed)
        } else if !premises.is_settled {
            Err(NoSuccession::NotSettled)
        } else if !premises.has_mandate {
            Err(NoSuccession::NoMandate)
        } else if matches!(premises.host, SuccessionHost::DyingMachine) {
            Err(NoSuccession::WrongHost)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: Premises = Premises {
        is_settled: true,
        has_mandate: true,
        has_successor: false,
        mode: Mode::Hosted,
        host: SuccessionHost::ControlPlane,
    };

    /// I-280: the numbers, and that nothing happens by itself unless asked for.
    #[test]
    fn i_280_nothing_is_automatic_by_default() {
        let law = SuccessionLaw::default();
        assert_eq!((law.auto, law.budget, law.inherit_grimoire), (false, Usdc::whole(50), true));
        assert_eq!(law.min_playbook_distance, Ppm::of(150_000));
        assert_eq!(law.may_begin(&READY), Err(NoSuccession::Off), "C-05");
    }

    /// I-281, I-289, I-293.
    #[test]
    fn i_281_a_succession_waits_for_the_death_to_end() {
        let law = SuccessionLaw { auto: true, ..SuccessionLaw::default() };
        assert_eq!(law.may_begin(&READY), Ok(()));
        for (premises, why) in [
            (Premises { is_settled: false, ..READY }, NoSuccession::NotSettled),
            (Premises { has_mandate: false, ..READY }, NoSuccession::NoMandate),
            (Premises { has_successor: true, ..READY }, NoSuccession::Followed),
            (Premises { mode: Mode::Immortal, ..READY }, NoSuccession::Immortal),
            (Premises { host: SuccessionHost::DyingMachine, ..READY }, NoSuccession::WrongHost),
        ] {
            assert_eq!(law.may_begin(&premises), Err(why), "{why}");
        }
    }
}
