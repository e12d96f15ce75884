//! What was refused before and need not be read again (I-082).

use std::collections::BTreeMap;

use golem_grimoire::entry::Draft;
use golem_grimoire::ingest::Customs;
use golem_primitives::B256;

/// I-082. Refusals from which a pattern is refused unread: the Grimoire's own number, or heirs would differ by it.
pub use golem_grimoire::ingest::FAST_REJECT;

/// Patterns remembered at most; the least seen are forgotten first.
const CAPACITY: usize = 10_000;

/// I-082. The table of refused patterns; it goes into the death bundle and so to the heir.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ImmuneMemory {
    refused: BTreeMap<B256, u32>,
}

impl ImmuneMemory {
    /// The pattern of a draft, as the Grimoire's customs know it: a store's refusals and this table are one.
    #[must_use]
    pub fn pattern(draft: &Draft) -> B256 {
        Customs::pattern(draft)
    }

    /// The customs an arrival of this pattern meets: the Grimoire's own, with what is remembered of it here.
    #[must_use]
    pub fn customs(&self, pattern: B256) -> Customs {
        Customs::remembering(self.refused.get(&pattern).map(|times| (pattern, *times)))
    }

    /// Remembers a refusal.
    pub fn refuse(&mut self, draft: &Draft) {
        let times = self.refused.entry(Self::pattern(draft)).or_default();
        *times = times.saturating_add(1);
        if self.refused.len() > CAPACITY {
            let least = self.refused.iter().min_by_key(|(pattern, times)| (**times, **pattern)).map(|(p, _)| *p);
            least.and_then(|pattern| self.refused.remove(&pattern));
        }
    }

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
