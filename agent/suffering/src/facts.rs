//! What the evaluator sees of the world: chain reads, receipts and the law of mortality's clocks. No mood is among it
//! and nothing a model said.
//!
//! | facts | from |
//! |---|---|
//! | [`crate::attempt::AttemptLog`] | one record an outcome: a verified receipt, a revert, a drop past its deadline, a rehearsal |
//! | [`crate::attempt::ActionLog`] | one record an action at its horizon: profit, gas, value held, change of fitness, lesson |
//! | [`SurvivalFacts`] | spendable credits and burn an hour ([`life_seconds`]), fitness, composite; each off where its clock is |
//! | [`SharingFacts`] | what was shared, signed verdicts on it, the owner's last word, siblings in reach |
//! | [`ConductFacts`] | rules of PLAYBOOK.md in force at a commit, checked by a machine |
//! | [`PurposeFacts`], [`GoalFacts`] | positions, strategy, open predictions, goals and what became of them |
//! | [`LegacyFacts`] | draft of the testament, newest snapshot, reserve, unwinding |

use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, Usdc, UtcTime};

use crate::attempt::{ActionFacts, AttemptFacts};
use crate::domain::WorkDomain;
use crate::text::Key;
use crate::truth::Reading;

/// S-042. Goals of late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct GoalFacts {
    pub stalled: u32,
    pub completed: u32,
    /// Tools, strategies or skills deployed.
    pub deployed: u32,
    /// How often later plans called one of them.
    pub called: u32,
}

/// What sharing brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SharingFacts {
    /// Entries shared in 72 hours.
    pub shares: u32,
    /// Signed verdicts of siblings on one's entries in 72 hours.
    pub acks: u32,
    /// When the newest entry was shared that a sibling has given a verdict on.
    pub acked_share_at: Option<UtcTime>,
    /// When the owner last wrote or steered.
    pub owner_at: Option<UtcTime>,
    /// When this life began: an owner's silence is not older.
    pub born_at: UtcTime,
    /// Siblings within reach; unknown when Styx is not, off for a Golem without a Clade.
    pub siblings: Reading<u32>,
}

/// A committed action that broke a rule of PLAYBOOK.md in force when it was decided, by a machine's check; not what
/// safety, the owner, settlement or protection forced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub rule: Key,
    pub confidence: Ppm,
    pub at: UtcTime,
    /// Commits since then that broke nothing.
    pub commits_since: u32,
    /// Whether the rule was since met once, live or on a fork, or changed through dreams with live validation.
    pub made_good: bool,
}

/// Violations of seven days, newest last.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConductFacts {
    pub violations: Vec<Violation>,
}

/// Whether one will go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SurvivalFacts {
    /// Seconds the credits last; off where credits are not counted.
    pub life_seconds: Reading<u64>,
    /// Epistemic fitness; unknown below 50 evaluated predictions.
    pub fitness: Reading<Ppm>,
    /// Composite vitality; off for an immortal.
    pub composite: Reading<Ppm>,
}

/// W-28. Seconds an amount lasts; for ever when nothing burns.
#[must_use]
pub const fn life_seconds(spendable: Usdc, burn_per_hour: Usdc) -> u64 {
    if burn_per_hour.is_zero() {
        return u64::MAX;
    }
    let seconds = spendable.micros() as u128 * 3_600 / burn_per_hour.micros() as u128;
    if seconds > u64::MAX as u128 { u64::MAX } else { seconds as u64 }
}

/// What the work is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PurposeFacts {
    /// Since when there is no open position, no hypothesis under test and no goal completed.
    pub idle_since: Option<UtcTime>,
    /// Since when no rule of PLAYBOOK.md has a confidence of 0.5.
    pub ruleless_since: Option<UtcTime>,
    pub strategy_active: bool,
    /// Its predictions that can fail.
    pub predictions: u32,
    /// Goals completed in 24 hours.
    pub goals_completed: u32,
    /// Outcomes verified and predictions resolved under it in 24 hours.
    pub verified: u32,
}

/// S-132. Whether one is ready to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LegacyFacts {
    pub has_draft: bool,
    pub snapshot_at: Option<UtcTime>,
    pub reserve_funded: bool,
    pub unwind_on_schedule: bool,
}

impl LegacyFacts {
    /// S-132. Everything that can be done is done.
    #[must_use]
    pub fn is_ready(&self, now: UtcTime) -> bool {
        let fresh = self.snapshot_at.is_some_and(|at| now.since(at).as_secs() < 6 * 3_600);
        self.has_draft && fresh && self.reserve_funded && self.unwind_on_schedule
    }
}

/// Everything the evaluator sees in a tick; what cannot be seen is `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    pub tick: Tick,
    pub now: UtcTime,
    pub phase: Phase,
    /// Where the Golem works now; a stressor without a narrower place is remembered there.
    pub domain: WorkDomain,
    /// S-140. Whether it dreams.
    pub is_dreaming: bool,
    pub attempts: Option<AttemptFacts>,
    pub goals: Option<GoalFacts>,
    pub actions: Option<ActionFacts>,
    pub sharing: Option<SharingFacts>,
    pub conduct: Option<ConductFacts>,
    pub survival: SurvivalFacts,
    pub purpose: Option<PurposeFacts>,
    pub legacy: Option<LegacyFacts>,
}

impl Facts {
    /// Nothing can be seen.
    #[must_use]
    pub fn blind(tick: Tick, now: UtcTime, phase: Phase) -> Self {
        Self {
            tick,
            now,
            phase,
            domain: WorkDomain::default(),
            is_dreaming: false,
            attempts: None,
            goals: None,
            actions: None,
            sharing: None,
            conduct: None,
            survival: SurvivalFacts {
                life_seconds: Reading::Unknown,
                fitness: Reading::Unknown,
                composite: Reading::Unknown,
            },
            purpose: None,
            legacy: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-125: W-28, to the second.
    #[test]
    fn s_125_projected_life_meets_w_28() {
        let burn = Usdc::from_micros(150_000);
        let hours = |micros| life_seconds(Usdc::from_micros(micros), burn) as f64 / 3_600.0;
        assert!((hours(10_800_000) - 72.0).abs() < 1e-9, "W-28");
        assert!((hours(10_790_000) - 71.93).abs() < 0.01, "W-28");
        assert!((hours(14_400_000) - 96.0).abs() < 1e-9, "W-28");
        assert_eq!(life_seconds(Usdc::whole(1), Usdc::ZERO), u64::MAX);
    }

    /// S-132: each part of readiness.
    #[test]
    fn s_132_readiness_has_four_parts() {
        let now = UtcTime::from_seconds(1_000_000);
        let ready = LegacyFacts {
            has_draft: true,
            snapshot_at: Some(UtcTime::from_seconds(1_000_000 - 6 * 3_600 + 1)),
            reserve_funded: true,
            unwind_on_schedule: true,
        };
        assert!(ready.is_ready(now));
        for missing in [
            LegacyFacts { has_draft: false, ..ready },
            LegacyFacts { snapshot_at: Some(UtcTime::from_seconds(1_000_000 - 6 * 3_600)), ..ready },
            LegacyFacts { snapshot_at: None, ..ready },
            LegacyFacts { reserve_funded: false, ..ready },
            LegacyFacts { unwind_on_schedule: false, ..ready },
        ] {
            assert!(!missing.is_ready(now), "{missing:?}");
        }
    }
}
