//! What the Grimoire says to a decision.

use golem_grimoire::id::EntryId;
use golem_grimoire::regime::Regime;
use golem_primitives::Ppm;
use serde::{Deserialize, Serialize};

/// What one entry says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryAdvice {
    pub entry: EntryId,
    pub says: Says,
    /// Of which tool; empty when of none in particular.
    pub tool: String,
    /// In which regime; `None` for any.
    pub regime: Option<Regime>,
    /// G-062. What it is worth now.
    pub confidence: Ppm,
}

/// What an entry says of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Says {
    Avoid,
    Use,
    Beware,
}
