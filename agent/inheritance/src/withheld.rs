//! When it is a fault to keep knowledge back from the Clade (I-067).

use std::collections::BTreeMap;

use golem_grimoire::id::EntryId;

/// I-067. Cycles an eligible entry may wait.
const PATIENCE: u32 = 2;

/// I-067. Watches that what may go out does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SharingWatch {
    waiting: BTreeMap<EntryId, u32>,
}

impl SharingWatch {
    /// A sync cycle went by: these passed their gate and did not go out. Those that wait for their second cycle or longer are
    /// told each cycle.
    pub fn cycle(&mut self, kept: &[EntryId]) -> Vec<EntryId> {
        let waited = |id: &EntryId| self.waiting.get(id).map_or(1, |cycles| cycles.saturating_add(1));
        self.waiting = kept.iter().map(|id| (*id, waited(id))).collect();
        self.waiting.iter().filter(|(_, cycles)| **cycles >= PATIENCE).map(|(id, _)| *id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-067: two cycles of silence are told.
    #[test]
    fn i_067_keeping_knowledge_back_is_a_fault() {
        let id = |n: u8| format!("00000000-0000-7000-8000-0000000000{n:02}").parse().expect("a UUID");
        let mut watch = SharingWatch::default();
        assert!(watch.cycle(&[id(1)]).is_empty());
        assert_eq!(watch.cycle(&[id(1), id(2)]), [id(1)]);
        assert!(watch.cycle(&[]).is_empty() && watch.cycle(&[id(1)]).is_empty(), "it went out and begins anew");
    }
}
