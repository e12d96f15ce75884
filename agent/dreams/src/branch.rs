//! The branch a dream is dreamt in: what it may read, and that it can do nothing.

use std::time::Duration;

use golem_primitives::words;

use crate::inputs::CycleId;
use crate::words::{Tier, Trigger};

words! {
    /// D-181. The tools of a dream, and all of them: reading.
    DreamTool {
        /// Reads the Grimoire.
        QueryGrimoire = "query_grimoire",
        /// Reads the state.
        QueryState = "query_state",
        /// Searches the context.
        SearchContext = "search_context",
    }
}

/// D-182. A call that a dream may not make.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a dream has no tool {tool:?}; it reads and it reports, and the waking Golem acts")]
pub struct ToolRefused {
    /// What was called.
    pub tool: String,
}

/// D-179, D-180. A forked session in which a dream is dreamt; the main session holds meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// D-179. Its name.
    pub name: String,
    /// The cycle.
    pub cycle: CycleId,
    /// What opened it.
    pub trigger: Trigger,
    /// How much is dreamt.
    pub tier: Tier,
    /// Turns at most.
    pub max_turns: u32,
    /// How long at most.
    pub timeout: Duration,
}

/// D-180. Turns of a full cycle.
pub const HARDENED_TURNS: u32 = 60;
/// Turns of a lightweight one.
pub const CORE_TURNS: u32 = 12;
/// D-021. Turns of the last one.
pub const EMERGENCY_TURNS: u32 = 6;

impl Branch {
    /// D-180. The branch of a cycle.
    #[must_use]
    pub fn fork(cycle: CycleId, trigger: Trigger, tier: Tier, timeout: Duration) -> Self {
        let max_turns = match (trigger, tier) {
            (Trigger::Emergency, _) => EMERGENCY_TURNS,
            (_, Tier::Core) => CORE_TURNS,
            (_, Tier::Hardened) => HARDENED_TURNS,
        };
        Self { name: format!("dream/{cycle}"), cycle, trigger, tier, max_turns, timeout }
    }

    /// D-180, D-182. Whether what is done here can change anything live. There is no branch of which it can.
    #[must_use]
    pub const fn can_affect_live(&self) -> bool {
        false
    }

    /// D-182. The tool of a call, before anything runs: what is not one of the three readers is refused by name, and no
    /// instruction in a prompt is relied on.
    ///
    /// # Errors
    /// [`ToolRefused`].
    pub fn route(&self, tool: &str) -> Result<DreamTool, ToolRefused> {
        let refused = || ToolRefused { tool: tool.chars().take(40).collect() };
        DreamTool::from_name(tool).filter(|_| !self.can_affect_live()).ok_or_else(refused)
    }
}
