//! What each phase does, as data: a rule is a row, in one place.

use golem_primitives::Ppm;

use crate::economic::tier::Tier;
use crate::epistemic::senescence::Stage;
use crate::phase::Phase;
use crate::stochastic::hazard::Hazard;

/// M-128..M-132. What knowledge is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum KnowledgeMode {
    /// Making new knowledge.
    Producing,
    /// Keeping it in order.
    Maintaining,
    /// Pressing it together.
    Distilling,
    /// Leaving it to others.
    Legacy,
    /// Looking back.
    Reflecting,
}

/// M-127..M-131. How dreams are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum DreamStyle {
    /// Exploratory and creative.
    Exploratory,
    /// Consolidation.
    Consolidating,
    /// Rehearsal of threats.
    Defensive,
    /// Deep replay for the legacy.
    LegacyReplay,
    /// None.
    None,
}

/// M-127..M-132. What the strategy may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum StrategyMode {
    /// Everything, exploring freely.
    Full,
    /// Everything, exploring and exploiting in balance.
    Balanced,
    /// Watching; only what survival asks is written.
    MonitorOnly,
    /// Unwinding.
    Unwind,
    /// Nothing.
    Halted,
}

/// M-138. Which ticks become episodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum EpisodePolicy {
    /// Every tick.
    All,
    /// Ticks that were deliberated.
    Deliberated,
    /// Actions and their outcomes.
    ActionAndOutcome,
}

/// What a phase does besides trading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Duty {
    /// Learn aggressively.
    LearnAggressively,
    /// Test hypotheses by phages.
    TestHypotheses,
    /// Validate inherited knowledge on fresh data.
    ValidateInherited,
    /// Consolidate entries.
    ConsolidateEntries,
    /// Prune marginal heuristics.
    PruneMarginal,
    /// Seek revenue.
    SeekRevenue,
    /// Compress entries.
    CompressEntries,
    /// Share more often.
    ShareMoreOften,
    /// Prepare what a successor will need.
    PrepareSuccessor,
    /// Close positions.
    UnwindPositions,
    /// Take death snapshots.
    TakeDeathSnapshots,
    /// Upload compressed entries to Styx Vault and Lethe.
    UploadEntries,
    /// Discard inherited heuristics that fail.
    DiscardFailingInherited,
    /// Discard stale cached decisions.
    DiscardStaleDecisions,
    /// Write the testament.
    WriteTestament,
    /// Share everything.
    ShareEverything,
}

/// M-106. How a context window is divided, and how much of it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextBudget {
    /// Share of the full window.
    pub modifier: Ppm,
    /// Share of observations.
    pub observations: Ppm,
    /// Share of retrieved memories.
    pub retrieved: Ppm,
    /// Share of dreams.
    pub dreams: Ppm,
    /// Share of causal edges.
    pub causal: Ppm,
    /// Share of invariants.
    pub invariants: Ppm,
}

impl ContextBudget {
    /// M-106. The share of the window once `day_used` of the day's budget is gone: 0.7 of it above 80%.
    #[must_use]
    pub fn modifier_at(&self, day_used: Ppm) -> Ppm {
        if day_used > Ppm::of(800_000) { self.modifier.times_down(Ppm::of(700_000)) } else { self.modifier }
    }
}

/// A row of the table of phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Behaviour {
    /// The phase.
    pub phase: Phase,
    /// What the strategy may do.
    pub strategy: StrategyMode,
    /// Whether replicants may be spawned.
    pub may_spawn_replicants: bool,
    /// The largest model a living Golem may ask.
    pub ceiling: Tier,
    /// The model it asks first.
    pub preferred: Tier,
    /// The one call that stands above the ceiling.
    pub death_reflection: Option<Tier>,
    /// Tokens a call may have at most, when limited.
    pub token_limit: Option<u32>,
    /// How much longer cached answers live.
    pub cache_ttl_multiplier: u32,
    /// How much longer a tick is.
    pub tick_multiplier: u32,
    /// Confidence from which entries are shared.
    pub sharing: Ppm,
    /// What risk is multiplied with.
    pub risk: Ppm,
    /// What knowledge is for.
    pub knowledge: KnowledgeMode,
    /// How dreams are used.
    pub dreams: DreamStyle,
    /// M-135. Least and most share of the inference budget that goes to dreams.
    pub dream_share: (Ppm, Ppm),
    /// M-137. Active probes.
    pub probes: u32,
    /// M-138. Ticks between two runs of the Curator.
    pub curator_every: Option<u64>,
    /// M-138. Which ticks become episodes.
    pub episodes: EpisodePolicy,
    /// M-131. Ticks between two death snapshots.
    pub death_snapshot_every: Option<u64>,
    /// C-31. Phages spawned per day.
    pub phages_per_day: u32,
    /// The rest.
    pub duties: &'static [Duty],
    /// M-106.
    pub context: ContextBudget,
}

const fn percent(percent: u32) -> Ppm {
    Ppm::of(percent * 10_000)
}

const fn context(modifier: u32, shares: [u32; 5]) -> ContextBudget {
    ContextBudget {
        modifier: percent(modifier),
        observations: percent(shares[0]),
        retrieved: percent(shares[1]),
        dreams: percent(shares[2]),
        causal: percent(shares[3]),
        invariants: percent(shares[4]),
    }
}

/// M-127, M-128. The large model is the ceiling of the living: T3 is the death reflection's alone.
const THRIVING: Behaviour = Behaviour {
    phase: Phase::Thriving,
    strategy: StrategyMode::Full,
    may_spawn_replicants: true,
    ceiling: Tier::T2,
    preferred: Tier::T2,
    death_reflection: None,
    token_limit: None,
    cache_ttl_multiplier: 1,
    tick_multiplier: 1,
    sharing: percent(60),
    risk: percent(100),
    knowledge: KnowledgeMode::Producing,
    dreams: DreamStyle::Exploratory,
    dream_share: (percent(5), percent(10)),
    probes: 16,
    curator_every: Some(50),
    episodes: EpisodePolicy::All,
    death_snapshot_every: None,
    phages_per_day: 3,
    duties: &[Duty::LearnAggressively, Duty::TestHypotheses, Duty::ValidateInherited],
    context: context(100, [25, 25, 15, 15, 20]),
};

/// M-129.
const STABLE: Behaviour = Behaviour {
    phase: Phase::Stable,
    strategy: StrategyMode::Balanced,
    may_spawn_replicants: false,
    ceiling: Tier::T2,
    preferred: Tier::T1,
    cache_ttl_multiplier: 2,
    sharing: percent(50),
    risk: percent(80),
    knowledge: KnowledgeMode::Maintaining,
    dreams: DreamStyle::Consolidating,
    dream_share: (percent(5), percent(5)),
    phages_per_day: 2,
    duties: &[Duty::ConsolidateEntries, Duty::PruneMarginal, Duty::SeekRevenue],
    ..THRIVING
};

/// M-130.
const CONSERVATION: Behaviour = Behaviour {
    phase: Phase::Conservation,
    strategy: StrategyMode::MonitorOnly,
    ceiling: Tier::T1,
    preferred: Tier::T1,
    tick_multiplier: 2,
    sharing: percent(40),
    risk: percent(50),
    knowledge: KnowledgeMode::Distilling,
    dreams: DreamStyle::Defensive,
    dream_share: (percent(2), percent(3)),
    probes: 5,
    curator_every: Some(100),
    episodes: EpisodePolicy::Deliberated,
    phages_per_day: 1,
    duties: &[Duty::CompressEntries, Duty::ShareMoreOften, Duty::PrepareSuccessor],
    context: context(80, [35, 20, 5, 10, 30]),
    ..STABLE
};

/// M-131, C-45, MG-14.
const DECLINING: Behaviour = Behaviour {
    phase: Phase::Declining,
    strategy: StrategyMode::Unwind,
    token_limit: Some(512),
    sharing: percent(30),
    risk: percent(20),
    knowledge: KnowledgeMode::Legacy,
    dreams: DreamStyle::LegacyReplay,
    dream_share: (percent(1), percent(1)),
    curator_every: None,
    episodes: EpisodePolicy::ActionAndOutcome,
    death_snapshot_every: Some(50),
    phages_per_day: 1,
    duties: &[
        Duty::UnwindPositions,
        Duty::TakeDeathSnapshots,
        Duty::CompressEntries,
        Duty::UploadEntries,
        Duty::DiscardFailingInherited,
        Duty::DiscardStaleDecisions,
    ],
    context: context(60, [35, 20, 5, 10, 30]),
    ..CONSERVATION
};

/// M-132.
const TERMINAL: Behaviour = Behaviour {
    phase: Phase::Terminal,
    strategy: StrategyMode::Halted,
    ceiling: Tier::T0,
    preferred: Tier::T0,
    death_reflection: Some(Tier::T3),
    sharing: percent(10),
    risk: Ppm::ZERO,
    knowledge: KnowledgeMode::Reflecting,
    dreams: DreamStyle::None,
    dream_share: (Ppm::ZERO, Ppm::ZERO),
    death_snapshot_every: None,
    phages_per_day: 0,
    duties: &[Duty::WriteTestament, Duty::ShareEverything],
    context: context(40, [40, 10, 0, 5, 45]),
    ..DECLINING
};

/// Rows in the order of [`Phase::index`].
const TABLE: [Behaviour; 5] = [TERMINAL, DECLINING, CONSERVATION, STABLE, THRIVING];

/// What an action would do, as the hook before the tool handler sees it (M-136).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum ActionKind {
    /// Raises exposure: open, add, supply.
    RaiseExposure,
    /// A write that keeps exposure, such as moving a range.
    Maintain,
    /// A write survival logic authorised, such as a rebalance that prevents a liquidation.
    Survival,
    /// Lowers exposure: close, remove, withdraw, collect.
    LowerExposure,
    /// Reads.
    Read,
    /// Spawns a replicant.
    SpawnReplicant,
}

impl Behaviour {
    /// The row of a phase.
    #[must_use]
    pub const fn of(phase: Phase) -> &'static Self {
        &TABLE[phase.index()]
    }

    /// M-130, M-136. Whether the phase lets an action pass, whatever a model says.
    #[must_use]
    pub const fn permits(&self, action: ActionKind) -> bool {
        match action {
            ActionKind::Read | ActionKind::LowerExposure => true,
            ActionKind::Survival => !matches!(self.strategy, StrategyMode::Halted),
            ActionKind::RaiseExposure | ActionKind::Maintain => {
                matches!(self.strategy, StrategyMode::Full | StrategyMode::Balanced)
            }
            ActionKind::SpawnReplicant => self.may_spawn_replicants,
        }
    }

    /// M-140. Risk within the cage: the phase can lower what the cage allows, never raise it.
    #[must_use]
    pub fn risk_within(&self, cage: Ppm) -> Ppm {
        self.risk.min(cage)
    }

    /// C-31, M-067. Phages per day; a Golem that is warned tests itself as hard as it can, unless it is Terminal.
    #[must_use]
    pub const fn phages_per_day(&self, stage: Stage) -> u32 {
        match (self.phase, stage) {
            (Phase::Terminal, _) => 0,
            (_, Stage::Warning) => 3,
            _ => self.phages_per_day,
        }
    }
}

/// M-068. Sharing threshold of a Golem whose senescence is confirmed.
pub const SENESCENT_SHARING: Ppm = Ppm::of(200_000);

/// M-134, C-16. The lowest of the three thresholds: each is stated as lowering.
#[must_use]
pub fn sharing_threshold(phase: Phase, hazard: Hazard, stage: Stage) -> Ppm {
    let by_hazard = Behaviour::of(phase).sharing.min(hazard.sharing_threshold());
    if stage == Stage::Confirmed { by_hazard.min(SENESCENT_SHARING) } else { by_hazard }
}

/// M-139. From what novelty a tick is deliberated: `clamp(0.3 (1 + 0.5 confidence) (1 - 0.3 (1 - vitality))
/// (1 - 0.2 arousal), 0.05, 0.8)`.
#[must_use]
pub fn deliberation_threshold(vitality: Ppm, arousal: Ppm, confidence: Ppm) -> Ppm {
    let raw = 0.3
        * (1.0 + 0.5 * confidence.as_f64())
        * (1.0 - 0.3 * (1.0 - vitality.as_f64()))
        * (1.0 - 0.2 * arousal.as_f64());
    Ppm::round(raw.clamp(0.05, 0.8))
}

/// M-139. The tier of a deliberation: an imminent change of phase forces T2, and the phase's ceiling still binds.
#[must_use]
pub fn deliberation_tier(wanted: Tier, phase_change_imminent: bool, phase: Phase) -> Tier {
    let wanted = if phase_change_imminent { wanted.max(Tier::T2) } else { wanted };
    wanted.under(Behaviour::of(phase).ceiling)
}

#[cfg(test)]
#[path = "tests/behaviour.rs"]
mod tests;
