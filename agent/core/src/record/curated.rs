//! What came of a Curator cycle.

use golem_grimoire::curator::Duty;
use golem_primitives::{Ppm, UtcTime};
use serde::{Deserialize, Serialize};

/// G-147, G-195. A Curator cycle in numbers: what the epistemic clock and the outside are told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Curated {
    /// How much of its work the Curator did.
    pub duty: Duty,
    pub added: u32,
    pub promoted: u32,
    pub demoted: u32,
    pub archived: u32,
    pub restored: u32,
    pub burned: u32,
    /// G-077. Archived in the last 500 ticks.
    pub archived_recently: u32,
    /// G-077. Active when those 500 ticks began.
    pub active_at_start: u32,
    /// Active entries after it.
    pub active: u32,
    /// Candidates after it.
    pub candidates: u32,
    /// Rules in PLAYBOOK.md after it.
    pub rules: u32,
    /// The version of PLAYBOOK.md after it.
    pub playbook_version: u64,
    /// Mean effective confidence of active entries before.
    pub mean_before: Ppm,
    pub mean_after: Ppm,
    /// W-26. When something was done that now spoke for or against an entry, once for each.
    pub taught: Vec<UtcTime>,
}

/// Why a Curator is wanted beside its turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Due {
    /// G-143. Ten episodes of one kind lie there that no cycle has looked at.
    Episodes,
    /// C32. The phase gives it no turn, and what fades must still go.
    Housekeeping,
}
