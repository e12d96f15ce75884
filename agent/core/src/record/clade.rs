//! What siblings tell.

use golem_primitives::{GolemId, Ppm};
use serde::{Deserialize, Serialize};

use crate::record::CauseKind;

/// A sibling whose death has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiblingDeath {
    /// Who.
    pub golem: GolemId,
    /// Why.
    pub cause: CauseKind,
    /// How much of its strategy is one's own.
    pub overlap: Ppm,
}

/// S-034. What reached a life of its siblings since it last listened. It moves a mood within the law
/// of affect and nothing else: no stressor, no order, no amount follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CladeNews {
    /// Crises that were told.
    pub warnings: u32,
    /// Deaths that have begun.
    pub deaths: Vec<SiblingDeath>,
}
