//! What was refused before and need not be read again (I-082).

use std::collections::BTreeMap;

use golem_primitives::B256;

/// Patterns a bundle carries at most.
const CAPACITY: usize = 10_000;

/// I-082. The table of refused patterns; it goes into the death bundle and so to the heir.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct ImmuneMemory {
    refused: BTreeMap<B256, u32>,
}

impl ImmuneMemory {
    /// I-082. The table as a bundle carries it, by pattern.
    pub fn table(&self) -> impl Iterator<Item = (B256, u32)> + '_ {
        self.refused.iter().map(|(pattern, times)| (*pattern, *times))
    }

    /// I-082. The memory of an heir: what its predecessor refused.
    #[must_use]
    pub fn inherited(table: impl IntoIterator<Item = (B256, u32)>) -> Self {
        Self { refused: table.into_iter().take(CAPACITY).collect() }
    }
}
