//! M-218. Whose life it is to others.

use golem_primitives::{Address, AgentId, LineageId, UtcTime};
use serde::{Deserialize, Serialize};

/// M-218. Whose life it is to others; of a life on paper only its chain is known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Kin {
    /// The chain's number.
    pub chain: u64,
    /// Its identity there.
    pub agent: Option<AgentId>,
    /// Its vault.
    pub vault: Address,
    /// Whose key signs for it.
    pub key: Address,
    /// Its owner at birth.
    pub owner: Address,
    /// Its line.
    pub lineage: LineageId,
    /// Its generation.
    pub generation: u32,
    /// When it was born.
    pub born: UtcTime,
}
