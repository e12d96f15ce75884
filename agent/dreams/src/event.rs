//! What dreaming tells the outside.

use golem_primitives::{Tick, Usdc, words};

use crate::gate::DreamRefusal;
use crate::inputs::CycleId;
use crate::number::Hundredths;
use crate::onset::depth::Depth;
use crate::words::{DreamPhase, DreamTrigger, GolemMode};

words! {
    /// D-221. What a dream is said to be about.
    StartReason {
        Time = "time",
        EmotionalLoad = "emotional_load",
        NoveltyStreak = "novelty_streak",
    }
}

impl StartReason {
    /// C16. By what opened it; urgency is about feelings when they are its largest part.
    #[must_use]
    pub const fn of(trigger: DreamTrigger, is_emotional: bool) -> Self {
        match (trigger, is_emotional) {
            (DreamTrigger::Urgency, true) => Self::EmotionalLoad,
            (DreamTrigger::Urgency, false) => Self::NoveltyStreak,
            _ => Self::Time,
        }
    }
}

words! {
    /// D-222, C17. The three phases events name.
    CorePhase {
        Nrem = "NREM",
        Rem = "REM",
        Integration = "Integration",
    }
}

impl CorePhase {
    /// The core phase of a phase, if it is one.
    #[must_use]
    pub const fn of(phase: DreamPhase) -> Option<Self> {
        match phase {
            DreamPhase::Nrem => Some(Self::Nrem),
            DreamPhase::Rem => Some(Self::Rem),
            DreamPhase::Integration => Some(Self::Integration),
            DreamPhase::Onset | DreamPhase::Return => None,
        }
    }
}

/// D-221 to D-228. Something that happened in a dream.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamEvent {
    /// D-221.
    DreamStart {
        cycle_id: CycleId,
        trigger: StartReason,
        /// C16. What opened it.
        source: DreamTrigger,
    },
    /// D-222.
    DreamPhase {
        cycle_id: CycleId,
        phase: CorePhase,
        /// Tokens its budget buys.
        budget_tokens: u64,
    },
    /// D-223.
    DreamHypothesis {
        cycle_id: CycleId,
        hypothesis: String,
        /// When the first episode it was made of happened.
        seed_episode_tick: Option<Tick>,
    },
    /// D-224.
    DreamCounterfactual {
        cycle_id: CycleId,
        /// What is done instead.
        hypothesis: String,
        /// What would have come, in micro-USDC.
        outcome: i64,
        lesson: String,
        confidence: Hundredths,
    },
    /// D-225.
    DreamComplete {
        cycle_id: CycleId,
        episodes_replayed: u32,
        counterfactuals_generated: u32,
        insights_crystallized: u32,
        heuristics_proposed: u32,
        /// Feelings worked on.
        episodes_depotentiated: u32,
        /// Rules of PLAYBOOK.md that changed.
        playbook_edits: u32,
    },
    /// DG-23.
    DreamRefused { trigger: DreamTrigger, because: Vec<DreamRefusal> },
    /// D-068, D-228.
    DreamAborted { cycle_id: CycleId },
    /// D-228.
    OnsetStarted { cycle_id: CycleId },
    /// D-228.
    DepthChanged { depth: Depth },
    /// D-228.
    DaliInterrupt {
        interrupt: u32,
        /// Partials that came through.
        partials: u32,
    },
    /// D-228.
    FragmentCaptured { confidence: Hundredths },
    /// D-228.
    FragmentDiscarded,
    /// D-228.
    OnsetCompleted { fragments: u32 },
    /// D-067, D-228.
    AlarmAbort { reason: String },
    /// D-228.
    HypnopompicStarted,
    /// D-228.
    HypnopompicCompleted,
}

impl DreamEvent {
    /// D-227, D-228. The name on the wire.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::DreamStart { .. } => "dream.start",
            Self::DreamPhase { .. } => "dream.phase",
            Self::DreamHypothesis { .. } => "dream.hypothesis",
            Self::DreamCounterfactual { .. } => "dream.counterfactual",
            Self::DreamComplete { .. } => "dream.complete",
            Self::DreamRefused { .. } => "dream.refused",
            Self::DreamAborted { .. } => "dream.aborted",
            Self::OnsetStarted { .. } => "hypnagogia.onset_started",
            Self::DepthChanged { .. } => "hypnagogia.depth_changed",
            Self::DaliInterrupt { .. } => "hypnagogia.dali_interrupt",
            Self::FragmentCaptured { .. } => "hypnagogia.fragment_captured",
            Self::FragmentDiscarded => "hypnagogia.fragment_discarded",
            Self::OnsetCompleted { .. } => "hypnagogia.onset_completed",
            Self::AlarmAbort { .. } => "hypnagogia.alarm_abort",
            Self::HypnopompicStarted => "hypnagogia.hypnopompic_started",
            Self::HypnopompicCompleted => "hypnagogia.hypnopompic_completed",
        }
    }
}

/// D-226. What a face is told while it happens.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StreamEvent {
    /// On the way in and out.
    ModeChange { mode: GolemMode, tick: Tick },
    /// Into another phase.
    #[serde(rename_all = "camelCase")]
    DreamProgress { phase: DreamPhase, cycle_number: u64, budget_spent: Usdc },
    /// At the end.
    #[serde(rename_all = "camelCase")]
    DreamComplete {
        cycle_number: u64,
        hypotheses_generated: u32,
        insights_found: u32,
        #[serde(rename = "costUsdc")]
        cost: Usdc,
    },
}

impl StreamEvent {
    /// D-226. The name in the stream.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ModeChange { .. } => "mode_change",
            Self::DreamProgress { .. } => "dream_progress",
            Self::DreamComplete { .. } => "dream_complete",
        }
    }
}
