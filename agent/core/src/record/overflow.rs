//! What a tick could not hold.

use serde::{Deserialize, Serialize};

/// What overflowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dropped {
    Pairs,
    Trades,
    Events,
}
