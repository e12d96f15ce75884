//! What each phase does, as data: a rule is a row, in one place.

use golem_primitives::Ppm;

use crate::economic::tier::Tier;
use crate::epistemic::senescence::SenescenceStage;
use crate::phase::Phase;
use crate::stochastic::hazard::Hazard;

/// M-127..M-132. What the strategy may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StrategyMode {
    Full,
    Balanced,
    /// Watching; only what survival asks is written.
    MonitorOnly,
    Unwind,
    Halted,
}

/// A row of the table of phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Behaviour {
    pub phase: Phase,
    pub strategy: StrategyMode,
    /// C-31. Phages a day, at the owner's usual rate.
    pub phages_a_day: u32,
    pub may_replicate: bool,
    /// The largest model a living Golem may ask.
    pub ceiling: Tier,
    /// The one call that stands above the ceiling.
    pub death_reflection: Option<Tier>,
    /// Tokens a call may have at most, when limited.
    pub token_limit: Option<u32>,
    pub cache_ttl_multiplier: u32,
    pub tick_multiplier: u32,
    /// Confidence from which entries are shared.
    pub sharing: Ppm,
    /// What risk is multiplied with.
    pub risk: Ppm,
    /// M-135. The most of the inference budget that goes to dreams.
    pub dream_share: Ppm,
    /// M-138. Ticks between two runs of the Curator.
    pub curator_every: Option<u64>,
    /// M-131. Ticks between two death snapshots.
    pub death_snapshot_every: Option<u64>,
}

const fn percent(percent: u32) -> Ppm {
    Ppm::of(percent * 10_000)
}

/// M-127, M-128. The large model is the ceiling of the living: T3 is the death reflection's alone.
const THRIVING: Behaviour = Behaviour {
    phase: Phase::Thriving,
    strategy: StrategyMode::Full,
    phages_a_day: 3,
    may_replicate: true,
    ceiling: Tier::T2,
    death_reflection: None,
    token_limit: None,
    cache_ttl_multiplier: 1,
    tick_multiplier: 1,
    sharing: percent(60),
    risk: percent(100),
    dream_share: percent(10),
    curator_every: Some(50),
    death_snapshot_every: None,
};

/// M-129.
const STABLE: Behaviour = Behaviour {
    phase: Phase::Stable,
    strategy: StrategyMode::Balanced,
    phages_a_day: 2,
    may_replicate: false,
    cache_ttl_multiplier: 2,
    sharing: percent(50),
    risk: percent(80),
    dream_share: percent(5),
    ..THRIVING
};

/// M-130.
const CONSERVATION: Behaviour = Behaviour {
    phase: Phase::Conservation,
    strategy: StrategyMode::MonitorOnly,
    phages_a_day: 1,
    ceiling: Tier::T1,
    tick_multiplier: 2,
    sharing: percent(40),
    risk: percent(50),
    dream_share: percent(3),
    curator_every: Some(100),
    ..STABLE
};

/// M-131, C-45, MG-14.
const DECLINING: Behaviour = Behaviour {
    phase: Phase::Declining,
    strategy: StrategyMode::Unwind,
    token_limit: Some(512),
    sharing: percent(30),
    risk: percent(20),
    dream_share: percent(1),
    curator_every: None,
    death_snapshot_every: Some(50),
    ..CONSERVATION
};

/// M-132.
const TERMINAL: Behaviour = Behaviour {
    phase: Phase::Terminal,
    strategy: StrategyMode::Halted,
    phages_a_day: 0,
    ceiling: Tier::T0,
    death_reflection: Some(Tier::T3),
    sharing: percent(10),
    risk: Ppm::ZERO,
    dream_share: Ppm::ZERO,
    death_snapshot_every: None,
    ..DECLINING
};

/// Rows in the order of [`Phase::index`].
const TABLE: [Behaviour; 5] = [TERMINAL, DECLINING, CONSERVATION, STABLE, THRIVING];

/// What an action would do, as the hook before the tool handler sees it (M-136).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// Raises exposure: open, add, supply.
    RaiseExposure,
    /// A write that keeps exposure, such as moving a range.
    Maintain,
    /// A write survival logic authorised, such as a rebalance that prevents a liquidation.
    Survival,
    /// Lowers exposure: close, remove, withdraw, collect.
    LowerExposure,
    Read,
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
        }
    }

    /// M-140. Risk within the cage: the phase can lower what the cage allows, never raise it.
    #[must_use]
    pub fn risk_within(&self, cage: Ppm) -> Ppm {
        self.risk.min(cage)
    }
}

/// M-068. Sharing threshold of a Golem whose senescence is confirmed.
pub const SENESCENT_SHARING: Ppm = Ppm::of(200_000);

/// M-134, C-16. The lowest of the three thresholds: each is stated as lowering.
#[must_use]
pub fn sharing_threshold(phase: Phase, hazard: Hazard, stage: SenescenceStage) -> Ppm {
    let by_hazard = Behaviour::of(phase).sharing.min(hazard.sharing_threshold());
    if stage == SenescenceStage::Confirmed { by_hazard.min(SENESCENT_SHARING) } else { by_hazard }
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
