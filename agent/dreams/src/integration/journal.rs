//! The journal: what every cycle leaves, whole or cut short.

use golem_primitives::{Ppm, Usdc, UtcTime, words};

use crate::inputs::CycleId;
use crate::nrem::triage::Triage;
use crate::onset::fragment::Fragment;
use crate::wake::Wake;
use crate::words::{DreamPhase, Tier, Trigger};

words! {
    /// What dreamt.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    EngineLabel {
        /// Rules alone.
        Rules = "rules",
        /// Rules and a model.
        Model = "model",
    }
}

/// How a cycle ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Ending {
    /// All five phases.
    Complete,
    /// D-002. Complete without the phase that was left out.
    Degraded,
    /// D-049. The money was spent.
    BudgetExhausted(DreamPhase),
    /// D-068. No call at the edge of sleep came through.
    Aborted,
    /// D-175, D-190, D-193. Somebody or death ended it.
    Interrupted {
        /// Where.
        phase: DreamPhase,
        /// By whom and why.
        wake: Wake,
    },
}

/// D-169. What NREM did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NremSummary {
    /// Episodes replayed.
    pub episodes: u32,
    /// Batches.
    pub batches: u32,
    /// Patterns found.
    pub patterns: u32,
    /// Of them new.
    pub novel: u32,
    /// Of them confirming.
    pub confirmed: u32,
    /// Of them contradicting.
    pub contradictions: u32,
    /// Triage: kept.
    pub preserved: u32,
    /// Triage: kept as a rule.
    pub abstracted: u32,
    /// Triage: let go.
    pub forgotten: u32,
    /// Decisions credited.
    pub credits: u32,
    /// Reverse replays.
    pub reverse: u32,
    /// Forward replays.
    pub forward: u32,
    /// Perturbed replays.
    pub perturbed: u32,
    /// Perturbed replays that could not be computed.
    pub refused: u32,
    /// Trajectories.
    pub trajectories: u32,
    /// What it cost.
    pub cost: Usdc,
}

impl NremSummary {
    /// Counts one decision of triage.
    pub fn triaged(&mut self, triage: Triage) {
        match triage {
            Triage::Preserve => self.preserved += 1,
            Triage::Abstract => self.abstracted += 1,
            Triage::Forget => self.forgotten += 1,
        }
    }
}

/// D-169. What REM did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RemSummary {
    /// Counterfactuals.
    pub counterfactuals: u32,
    /// Hypotheses.
    pub hypotheses: u32,
    /// Threats rehearsed.
    pub threats: u32,
    /// Episodes whose feeling was worked on.
    pub depotentiated: u32,
    /// Creative sessions.
    pub sessions: u32,
    /// Duplicates dropped.
    pub duplicates: u32,
    /// D-134. Guards: covered, weak, uncovered.
    pub guards: (u32, u32, u32),
    /// What it cost.
    pub cost: Usdc,
}

/// D-169. What Integration did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IntegrationSummary {
    /// Updates of the Grimoire asked for.
    pub updates: u32,
    /// Rows staged.
    pub staged: u32,
    /// Rows refused.
    pub refused: u32,
    /// Contradictions flagged.
    pub flagged: u32,
    /// Rows promoted to the gate.
    pub promoted: u32,
    /// D-174. Right for wrong reasons.
    pub lucky: u32,
}

/// D-168. One entry of the journal: structure and numbers, no prompt and no answer (D-244).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JournalEntry {
    /// The cycle.
    pub cycle: CycleId,
    /// When it began.
    pub at: UtcTime,
    /// How much was dreamt.
    pub tier: Tier,
    /// What opened it.
    pub trigger: Trigger,
    /// Who dreamt.
    pub engine: EngineLabel,
    /// Calls of a model.
    pub llm_calls: u32,
    /// Phases that were finished.
    pub finished: Vec<DreamPhase>,
    /// How it ended.
    pub ending: Ending,
    /// NREM.
    pub nrem: NremSummary,
    /// REM.
    pub rem: RemSummary,
    /// Integration.
    pub integration: IntegrationSummary,
    /// What came up at the edge of sleep.
    pub fragments: Vec<Fragment>,
    /// D-128. How a model told the threats that were rehearsed: for its owner to read, and used by nobody.
    #[cfg_attr(feature = "serde", serde(default))]
    pub stories: Vec<String>,
    /// What it cost.
    pub cost: Usdc,
    /// DG-24. What was granted and neither spent nor of use, where it was cut short.
    pub wasted: Usdc,
    /// How long it took.
    pub duration_ticks: u64,
    /// D-170. What it thinks of itself; `None` where nothing can be said.
    pub quality: Option<Ppm>,
}

/// D-172. What all cycles came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Yield {
    /// Cycles.
    pub cycles: u32,
    /// What they cost.
    pub cost: Usdc,
    /// Hypotheses.
    pub hypotheses: u32,
    /// Rows staged.
    pub staged: u32,
    /// Rows that were validated.
    pub validated: u32,
    /// Rows that were refuted.
    pub refuted: u32,
    /// Rows that were applied.
    pub applied: u32,
    /// Threats rehearsed.
    pub rehearsed: u32,
    /// Threats that came.
    pub activated: u32,
    /// Alarms that were false.
    pub false_alarms: u32,
}

words! {
    /// D-173. What a yield says.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    YieldHealth {
        /// Nothing staged yet.
        Unknown = "unknown",
        /// Below 5% or above 50%: look at it.
        Alarm = "alarm",
        /// Between alarm and health.
        Watch = "watch",
        /// 10% to 30%.
        Healthy = "healthy",
    }
}

words! {
    /// D-121. What two weeks of yield ask for.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    YieldAdvice {
        /// Below 20%: look at how it dreams.
        Review = "review",
        /// As it is.
        Keep = "keep",
        /// Above 40%: dream more.
        More = "more",
    }
}

impl Yield {
    /// One more cycle.
    #[must_use]
    pub fn plus(self, entry: &JournalEntry) -> Self {
        Self {
            cycles: self.cycles.saturating_add(1),
            cost: self.cost.saturating_add(entry.cost),
            hypotheses: self.hypotheses.saturating_add(entry.rem.hypotheses),
            staged: self.staged.saturating_add(entry.integration.staged),
            rehearsed: self.rehearsed.saturating_add(entry.rem.threats),
            ..self
        }
    }

    /// The share of staged rows that were validated; `None` when none was staged.
    #[must_use]
    pub fn rate(&self) -> Option<Ppm> {
        let share = (u64::from(self.validated) * 1_000_000).checked_div(u64::from(self.staged))?;
        Some(Ppm::saturating(share))
    }

    /// D-173. Whether the share is healthy: 10% to 30%; an alarm below 5% and above 50%.
    #[must_use]
    pub fn health(&self) -> YieldHealth {
        match self.rate().map(Ppm::get) {
            None => YieldHealth::Unknown,
            Some(100_000..=300_000) => YieldHealth::Healthy,
            Some(rate) if !(50_000..=500_000).contains(&rate) => YieldHealth::Alarm,
            Some(_) => YieldHealth::Watch,
        }
    }

    /// D-121. What two weeks of this share ask for.
    #[must_use]
    pub fn advice(&self) -> YieldAdvice {
        match self.rate().map(Ppm::get) {
            Some(rate) if rate < 200_000 => YieldAdvice::Review,
            Some(rate) if rate > 400_000 => YieldAdvice::More,
            _ => YieldAdvice::Keep,
        }
    }
}
