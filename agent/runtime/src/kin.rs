//! M-218. Whose life it is to others.

use golem_primitives::{Address, AgentId, LineageId, UtcTime};
use serde::{Deserialize, Serialize};

/// M-218. Whose life it is to others; of a life on paper only its chain is known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Kin {
    pub chain: u64,
    pub agent: Option<AgentId>,
    pub vault: Address,
    /// Whose key signs for it.
    pub key: Address,
    /// Its owner at birth.
    pub owner: Address,
    pub lineage: LineageId,
    pub generation: u32,
    pub born: UtcTime,
}
