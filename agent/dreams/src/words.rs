//! The words of dreaming, each spelled the same in files, tables, streams and screens.

use golem_primitives::words;

words! {
    /// D-001, D-187. The five phases of a cycle, in their order.
    DreamPhase {
        /// The edge of sleep: the world is shut out.
        Onset = "onset",
        /// What happened is read again.
        Nrem = "nrem",
        /// What never happened is tried.
        Rem = "rem",
        /// What was found is classified and staged.
        Integration = "integration",
        /// The way back.
        Return = "return",
    }
}

impl DreamPhase {
    /// The phase behind this one; `None` behind the last.
    #[must_use]
    pub const fn next(self) -> Option<Self> {
        match self {
            Self::Onset => Some(Self::Nrem),
            Self::Nrem => Some(Self::Rem),
            Self::Rem => Some(Self::Integration),
            Self::Integration => Some(Self::Return),
            Self::Return => None,
        }
    }
}

words! {
    /// D-003, D-187. How much a Golem dreams.
    DreamTier {
        /// By rules, lightweight.
        Core = "core",
        /// Everything, with models up to T2.
        Hardened = "hardened",
    }
}

words! {
    /// D-187. What a Golem is doing.
    GolemMode {
        Waking = "waking",
        Dreaming = "dreaming",
        Dying = "dying",
    }
}

words! {
    /// D-040. Who decides when.
    ScheduleMode {
        /// Windows only.
        Owner = "owner",
        /// Urgency only.
        Autonomous = "autonomous",
        /// Windows, and urgency outside them.
        Hybrid = "hybrid",
    }
}

words! {
    /// D-015, C15, C16. What opened a dream.
    DreamTrigger {
        /// A configured window is open.
        Window = "window",
        /// The score reached its threshold.
        Urgency = "urgency",
        Owner = "owner",
        /// The lightweight cycle is due.
        Interval = "interval",
        /// D-020. The edge into Terminal.
        Emergency = "emergency",
    }
}

words! {
    /// D-083. What orders replay.
    Prioritisation {
        /// Gain times need.
        Utility = "utility",
        /// The newest first.
        Recency = "recency",
        /// The most surprising first.
        Surprise = "surprise",
        /// By chance under the seed.
        Uniform = "uniform",
    }
}

words! {
    /// The most expensive model that may be asked; a tier is a ceiling (C11).
    Grade {
        /// Rules, or the cheapest.
        T0 = "t0",
        T1 = "t1",
        T2 = "t2",
    }
}
