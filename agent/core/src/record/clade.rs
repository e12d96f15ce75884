//! What siblings tell.

use golem_mortality::cause::CauseKind;
use golem_primitives::{GolemId, Ppm};
use golem_suffering::crisis::PeerMessage;
use serde::{Deserialize, Serialize};

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

/// S-031, S-033. What a sibling tells of its crisis: load and types, and when it is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiblingCrisis {
    /// Who.
    pub golem: GolemId,
    /// What it says.
    pub message: PeerMessage,
}

/// S-034. What reached a life of its siblings since it last listened. It moves a mood within the law
/// of affect and nothing else: no stressor, no order, no amount follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CladeNews {
    /// Crises that were told, and their ends.
    pub crises: Vec<SiblingCrisis>,
    /// Deaths that have begun.
    pub deaths: Vec<SiblingDeath>,
}

impl CladeNews {
    /// S-034. How many siblings say that they are in crisis: each is a warning, and no more than that.
    #[must_use]
    pub fn warnings(&self) -> u32 {
        u32::try_from(self.crises.iter().filter(|heard| !heard.message.is_over).count()).unwrap_or(u32::MAX)
    }
}
