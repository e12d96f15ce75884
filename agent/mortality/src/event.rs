//! What happened, in the words of the catalogue.

use arrayvec::ArrayVec;
use golem_primitives::{GolemId, Ppm, Tick, Usdc};

use crate::cause::{CauseKind, Death};
use crate::economic::burn::BurnRate;
use crate::economic::ladder::Rung;
use crate::economic::rebalance::Rebalance;
use crate::epistemic::domain::StateDomain;
use crate::phase::Phase;
use crate::score::Score;
use crate::stochastic::hazard::Hazard;
use crate::stochastic::roll::Roll;
use crate::vitality::Clock;

/// M-164..M-175. An event of the law. Small, so that a tick's events fit on the stack; only a death is boxed.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LawEvent {
    /// M-164. Every tick.
    VitalityUpdate {
        economic: Ppm,
        epistemic: Ppm,
        /// MG-05. What age leaves.
        stochastic: Ppm,
        composite: Ppm,
        phase: Phase,
        tick: Tick,
    },
    /// M-165. The phase changed.
    PhaseTransition {
        from_phase: Phase,
        to_phase: Phase,
        composite: Ppm,
        /// MG-06. The clock that moved most.
        trigger_clock: Clock,
    },
    /// M-018, M-166. Credits fell below the conservation threshold.
    EconomicCritical { remaining: Usdc, burn_rate: BurnRate, projected_ticks: u64 },
    /// M-056, M-167. Fitness fell below 0.50.
    EpistemicWarning {
        fitness: Ppm,
        senescence_threshold: Ppm,
        /// Ticks since the best fitness.
        ticks_in_decline: u64,
    },
    /// M-102, M-168. Every check.
    StochasticRoll { hazard_rate: Hazard, roll: Roll, survived: bool },
    /// M-169. Once, at the trigger.
    Dead(Box<Death>),
    /// M-173. Terminal was entered.
    Dying { composite: Ppm },
    /// M-173. A sibling died.
    SiblingDeath { golem: GolemId, cause: CauseKind },
    /// M-173, M-236. A check fired for an immortal.
    ImmortalWouldHaveDied { cause: CauseKind, tick: Tick },
    /// M-174. Every tick.
    EpistemicFitness { fitness: Score, score: Option<Score> },
    /// M-061, M-174. A domain began to fail.
    EpistemicDomainFailure { domain: StateDomain },
    /// M-067, M-174. Stage 1.
    SenescenceEntered { fitness: Ppm },
    /// M-068, M-174. Stage 2.
    SenescenceConfirmed { fitness: Ppm },
    /// M-067, M-068, M-174. Back to sound.
    EpistemicRecovery { fitness: Ppm },
    /// M-065, M-174. Pruning took from the score.
    GrimoireErosion { erosion: Ppm },
    /// M-090. A fall of fitness was withheld in a regime too new to judge.
    DegradationWithheld {
        /// The score that did not count.
        score: Score,
    },
    /// M-034, M-175.
    PartitionRebalance(Rebalance),
    /// M-023, M-175.
    BurnRateSpike {
        burn_rate: BurnRate,
        /// Its six-hour average.
        trailing: BurnRate,
    },
    /// M-046, M-175. A day above one.
    SustainabilityAchieved,
    /// M-043. A rung of the credit ladder was reached.
    CreditMilestone {
        rung: Rung,
        /// Share of credits left.
        credits: Ppm,
    },
    /// M-048, M-175. The offer to feed: what a day of life costs, and until when it can be paid. It holds until a death
    /// trigger fires (C-07).
    FeedOption { amount: Usdc, deadline: Tick },
    /// M-047. Someone funded the Golem.
    Funded { amount: Usdc },
    /// M-038. The reserve was raised.
    ReserveRaised { by: Usdc, reserve: Usdc },
    /// M-030, M-031. Credits were split anew because of the phase.
    CreditsResplit { phase: Phase, legacy: Usdc },
    /// M-028. A cost its partition could not pay.
    CostUnpaid { amount: Usdc },
    /// The chain cannot be seen: no economic death is declared on belief.
    Blind,
    /// M-176. A death begins: the first of the death telemetry.
    DeathTrigger { cause: CauseKind, tick: Tick },
}

/// The most events a tick can bring; the busiest imaginable tick brings 25.
pub const EVENTS_PER_TICK: usize = 32;

/// A tick's events, without allocation.
pub type LawEvents = ArrayVec<LawEvent, EVENTS_PER_TICK>;

impl LawEvent {
    /// M-171, M-174, M-175. The name in the structured telemetry; every event has one.
    #[must_use]
    pub const fn telemetry_name(&self) -> &'static str {
        match self {
            Self::VitalityUpdate { .. } => "golem.vitality_update",
            Self::PhaseTransition { .. } => "golem.phase_transition",
            Self::EconomicCritical { .. } => "golem.economic_critical",
            Self::EpistemicWarning { .. } => "golem.epistemic_warning",
            Self::StochasticRoll { .. } => "golem.stochastic_roll",
            Self::Dead(_) => "golem.dead",
            Self::Dying { .. } => "golem.dying",
            Self::SiblingDeath { .. } => "golem.sibling_death",
            Self::ImmortalWouldHaveDied { .. } => "golem.immortal_would_have_died",
            Self::EpistemicFitness { .. } => "golem.epistemic_fitness",
            Self::EpistemicDomainFailure { .. } => "golem.epistemic_domain_failure",
            Self::SenescenceEntered { .. } => "golem.senescence_entered",
            Self::SenescenceConfirmed { .. } => "golem.senescence_confirmed",
            Self::EpistemicRecovery { .. } => "golem.epistemic_recovery",
            Self::GrimoireErosion { .. } => "golem.grimoire_erosion",
            Self::DegradationWithheld { .. } => "golem.degradation_withheld",
            Self::PartitionRebalance(_) => "golem.partition_rebalance",
            Self::BurnRateSpike { .. } => "golem.burn_rate_spike",
            Self::SustainabilityAchieved => "golem.sustainability_achieved",
            Self::CreditMilestone { .. } => "golem.credit_milestone",
            Self::FeedOption { .. } => "golem.feed_option",
            Self::Funded { .. } => "golem.funded",
            Self::ReserveRaised { .. } => "golem.reserve_raised",
            Self::CreditsResplit { .. } => "golem.credits_resplit",
            Self::CostUnpaid { .. } => "golem.cost_unpaid",
            Self::Blind => "golem.blind",
            Self::DeathTrigger { .. } => "golem.death_trigger",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M-173, M-174, M-175: the further events by name.
    #[test]
    fn m_173_m_174_m_175_further_events_are_named() {
        for (event, name) in [
            (LawEvent::GrimoireErosion { erosion: Ppm::ONE }, "golem.grimoire_erosion"),
            (LawEvent::SenescenceEntered { fitness: Ppm::ZERO }, "golem.senescence_entered"),
            (LawEvent::SustainabilityAchieved, "golem.sustainability_achieved"),
            (LawEvent::FeedOption { amount: Usdc::ZERO, deadline: Tick::ZERO }, "golem.feed_option"),
        ] {
            assert_eq!(event.telemetry_name(), name, "M-174, M-175");
        }
    }

    /// M-170: an event costs its bytes and nothing more until someone asks for its text.
    #[test]
    fn m_170_an_event_is_small() {
        assert!(size_of::<LawEvent>() <= 72, "{}", size_of::<LawEvent>());
    }
}
