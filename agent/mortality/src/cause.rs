//! The five causes of death and what is known of each.

use golem_primitives::{Ppm, Tick, Usdc};

use crate::economic::burn::BurnRate;
use crate::epistemic::domain::DOMAINS;
use crate::mode::Mode;
use crate::phase::Phase;
use crate::score::Score;
use crate::stochastic::hazard::Hazard;
use crate::stochastic::roll::Roll;
use crate::vitality::Vitality;

/// M-158. Why a Golem died; there is no sixth cause (C-23).
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeathCause {
    Economic {
        /// All credits, the reserve included.
        balance: Usdc,
        burn_rate: BurnRate,
        ticks_alive: u64,
    },
    EpistemicSenescence {
        final_fitness: Score,
        fitness_at_peak: Score,
        /// M-160. Ticks in Stage 1 and Stage 2 together.
        ticks_in_senescence: u64,
        /// Domains that failed, in the order of [`DOMAINS`].
        failing_domains: [bool; 5],
        /// The last tick at which a prediction that its fitness is measured by came out right.
        last_successful_prediction: Option<Tick>,
    },
    Stochastic {
        hazard_rate: Hazard,
        /// M-097. The roll that was below it.
        death_roll: Roll,
        tick_at_death: Tick,
        epistemic_fitness: Score,
        credit_balance: Usdc,
        was_in_senescence: bool,
    },
    /// M-162. The owner ended it.
    OwnerKill { reason: Reason },
    /// M-162. An automatic emergency stop.
    KillSwitch { trigger: Reason },
}

golem_primitives::words! {
    /// M-158. The cause without its details; exactly five, named as in events and on chain.
    CauseKind {
        Economic = "economic",
        EpistemicSenescence = "epistemic_senescence",
        Stochastic = "stochastic",
        OwnerKill = "owner_kill",
        KillSwitch = "kill_switch",
    }
}

impl DeathCause {
    /// Which of the five.
    #[must_use]
    pub const fn kind(&self) -> CauseKind {
        match self {
            Self::Economic { .. } => CauseKind::Economic,
            Self::EpistemicSenescence { .. } => CauseKind::EpistemicSenescence,
            Self::Stochastic { .. } => CauseKind::Stochastic,
            Self::OwnerKill { .. } => CauseKind::OwnerKill,
            Self::KillSwitch { .. } => CauseKind::KillSwitch,
        }
    }

    /// The names of the failing domains of an epistemic death.
    pub fn failing_domains(&self) -> impl Iterator<Item = &'static str> {
        let failing = match self {
            Self::EpistemicSenescence { failing_domains, .. } => *failing_domains,
            _ => [false; 5],
        };
        DOMAINS.iter().zip(failing).filter(|(_, fails)| *fails).map(|(law, _)| law.domain.name())
    }
}

/// Why someone ended a life, in at most 256 bytes as the chain holds it (T-001).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct Reason(Box<str>);

/// A reason that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a reason has {length} bytes, more than {bound}", bound = Reason::BYTES)]
pub struct ReasonTooLong {
    pub length: usize,
}

impl Reason {
    /// Bytes at most.
    pub const BYTES: usize = 256;

    /// A reason.
    ///
    /// # Errors
    /// [`ReasonTooLong`] above 256 bytes.
    pub fn new(text: &str) -> Result<Self, ReasonTooLong> {
        if text.len() > Self::BYTES { Err(ReasonTooLong { length: text.len() }) } else { Ok(Self(text.into())) }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> serde::Deserialize<'de> for Reason {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&<std::borrow::Cow<'_, str>>::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// M-162. Who may end a life besides the clocks.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KillOrder {
    /// The owner: dashboard, command line, teardown.
    Owner(Reason),
    /// An automatic stop: kill file, circuit breaker, revoked delegation, silence.
    Switch(Reason),
}

impl From<KillOrder> for DeathCause {
    fn from(order: KillOrder) -> Self {
        match order {
            KillOrder::Owner(reason) => Self::OwnerKill { reason },
            KillOrder::Switch(trigger) => Self::KillSwitch { trigger },
        }
    }
}

/// M-159..M-161. All that is known of a death; it enters the testament.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Death {
    pub cause: DeathCause,
    pub tick: Tick,
    pub ticks_alive: u64,
    /// M-156. The vitality of the last tick.
    pub final_vitality: Vitality,
    /// M-161. Phase at death.
    pub phase: Phase,
    /// M-161. The chance of having come this far.
    pub cumulative_survival: f64,
    /// M-161. Whether positions were open.
    pub had_open_positions: bool,
    /// M-161. Seconds since the last insurance snapshot.
    pub seconds_since_snapshot: Option<u64>,
    /// M-160. Tick of the best fitness.
    pub peak_tick: Tick,
    /// M-160. Fitness by domain, in the order of [`DOMAINS`].
    pub domain_fitness: [Score; 5],
    /// M-160. Grimoire entries archived while senescent.
    pub archived_in_senescence: u32,
    /// M-160. Loop-2 reflections tried while senescent.
    pub reflections_attempted: u32,
    /// M-160. Whether one of them raised fitness.
    pub reflection_improved: bool,
    /// M-225. The mode it lived in.
    pub mode: Mode,
    pub composite: Ppm,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M-158: five causes, no more.
    #[test]
    fn m_158_there_are_exactly_five_causes() {
        let names: Vec<&str> = CauseKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names, ["economic", "epistemic_senescence", "stochastic", "owner_kill", "kill_switch"]);
    }

    /// M-160: what failed is told by name, and of no other death.
    #[test]
    fn m_160_failing_domains_are_told_by_name() {
        let cause = |failing_domains| DeathCause::EpistemicSenescence {
            final_fitness: Score::ZERO,
            fitness_at_peak: Score::ONE,
            ticks_in_senescence: 1,
            failing_domains,
            last_successful_prediction: None,
        };
        let told: Vec<_> = cause([true, false, false, true, false]).failing_domains().collect();
        assert_eq!(told, [DOMAINS[0], DOMAINS[3]].map(|law| law.domain.name()));
        assert_eq!(cause([false; 5]).failing_domains().count(), 0);
    }

    /// M-162: the owner's hand and the automatic stop are told apart; a reason is bounded.
    #[test]
    fn m_162_orders_become_their_own_causes() {
        let reason = Reason::new("teardown").expect("short");
        assert_eq!(DeathCause::from(KillOrder::Owner(reason.clone())).kind(), CauseKind::OwnerKill);
        let switch = DeathCause::from(KillOrder::Switch(Reason::new("silence").expect("short")));
        assert_eq!(switch.kind(), CauseKind::KillSwitch);
        assert_eq!(switch.failing_domains().count(), 0);
        assert_eq!(Reason::new(&"x".repeat(257)), Err(ReasonTooLong { length: 257 }));
        assert!(Reason::new(&"x".repeat(256)).is_ok() && reason.as_str() == "teardown");
    }
}
