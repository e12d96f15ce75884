//! The journal: what every cycle leaves, whole or cut short.

use golem_primitives::{Ppm, Usdc, UtcTime, words};

use crate::inputs::CycleId;
use crate::onset::fragment::Fragment;
use crate::rem::hypothesis::Hypothesis;
use crate::wake::Wake;
use crate::words::{DreamPhase, DreamTier, DreamTrigger};

words! {
    /// What dreamt.
    EngineLabel {
        /// Rules alone.
        Rules = "rules",
        /// Rules and a model.
        Model = "model",
    }
}

/// How a cycle ended.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CycleEnding {
    /// All five phases.
    Complete,
    /// D-002. Complete without the phase that was left out.
    Degraded,
    /// D-049. The money was spent.
    BudgetExhausted(DreamPhase),
    /// D-068. No call at the edge of sleep came through.
    Aborted,
    /// D-175, D-190, D-193. Somebody or death ended it.
    Interrupted { phase: DreamPhase, wake: Wake },
}

/// D-169. What NREM did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct NremSummary {
    pub episodes: u32,
    pub batches: u32,
    pub trajectories: u32,
    pub cost: Usdc,
}

/// D-169. What REM did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct RemSummary {
    pub counterfactuals: u32,
    pub hypotheses: u32,
    pub threats: u32,
    /// Episodes whose feeling was worked on.
    pub depotentiated: u32,
    pub sessions: u32,
    pub duplicates: u32,
    /// D-134. Guards: covered, weak, uncovered.
    pub guards: (u32, u32, u32),
    pub cost: Usdc,
}

/// D-169. What Integration did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct IntegrationSummary {
    /// Updates of the Grimoire asked for.
    pub updates: u32,
    /// P-074. Rules a model proposed.
    pub proposed: u32,
}

/// D-168. One entry of the journal: structure and numbers, no prompt and no answer (D-244).
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct DreamJournalEntry {
    pub cycle: CycleId,
    pub at: UtcTime,
    pub tier: DreamTier,
    pub trigger: DreamTrigger,
    pub engine: EngineLabel,
    pub llm_calls: u32,
    pub finished: Vec<DreamPhase>,
    pub ending: CycleEnding,
    pub nrem: NremSummary,
    pub rem: RemSummary,
    pub integration: IntegrationSummary,
    /// What came up at the edge of sleep.
    pub fragments: Vec<Fragment>,
    /// D-119. What it supposed, for its owner and for the dreams that follow.
    pub hypotheses: Vec<Hypothesis>,
    /// D-128. How a model told the threats that were rehearsed: for its owner to read, and used by nobody.
    pub stories: Vec<String>,
    pub cost: Usdc,
    /// DG-24. What was granted and neither spent nor of use, where it was cut short.
    pub wasted: Usdc,
    pub duration_ticks: u64,
    /// D-170. What it thinks of itself; `None` where nothing can be said.
    pub quality: Option<Ppm>,
}

/// D-172. What became of the rules that dreams had tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Yield {
    /// Rules and guards that dreams staged.
    pub staged: u32,
    /// Of them those that came to move money.
    pub validated: u32,
    /// Those that their own trips refuted.
    pub refuted: u32,
}

words! {
    /// D-173. What a yield says.
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

impl Yield {
    /// The share of what was staged that came to move money; `None` when nothing was staged.
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
}
