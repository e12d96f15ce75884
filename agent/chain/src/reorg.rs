//! R-022, M-078. The chain's memory of itself, and how deep an outcome has to lie to count.

use std::collections::{BTreeMap, VecDeque};

use alloy::primitives::B256;
use golem_core::record::{REORG_WINDOW_BLOCKS, confirmation_depth};

use crate::endpoints::Head;

/// How far back landed transactions are looked after.
pub(crate) const WATCHED_BLOCKS: u64 = 64;

/// Heads seen, and the reorganisations that showed in them.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    seen: BTreeMap<u64, B256>,
    reorgs: VecDeque<u64>,
}

impl Watch {
    /// Takes note of a head. A known block with another hash, or a head whose parent is not the block known before it,
    /// is a reorganisation; one counts once, however many blocks it took.
    pub(crate) fn observe(&mut self, head: &Head) -> bool {
        let replaced = self.seen.get(&head.number).is_some_and(|hash| *hash != head.hash);
        let orphaned = head.number > 0 && self.seen.get(&(head.number - 1)).is_some_and(|hash| *hash != head.parent);
        if replaced || orphaned {
            self.reorgs.push_back(head.number);
            // What is above the head, and what it disowns, is no longer known.
            self.seen.split_off(&head.number);
        }
        if head.number > 0 {
            self.seen.insert(head.number - 1, head.parent);
        }
        self.seen.insert(head.number, head.hash);
        let oldest = head.number.saturating_sub(REORG_WINDOW_BLOCKS);
        self.seen = self.seen.split_off(&oldest);
        self.reorgs.retain(|block| *block >= oldest);
        replaced || orphaned
    }

    /// M-078. Confirmations an outcome needs now, counted by [`golem_core::record::confirmations`].
    pub(crate) fn depth(&self, least: u64) -> u64 {
        confirmation_depth(self.reorgs.len() as u64).max(least)
    }
}

/// The newest block that has `depth` confirmations; the first block where the chain is shorter.
pub(crate) const fn newest_at_depth(head: u64, depth: u64) -> u64 {
    head.saturating_sub(depth)
}

#[cfg(test)]
mod tests {
    use golem_core::record::confirmations;
    use golem_primitives::UtcTime;

    use super::*;

    fn head(number: u64, fork: u8, parent: u8) -> Head {
        let hash =
            |number: u64, fork: u8| B256::with_last_byte(fork) | B256::left_padding_from(&(number << 8).to_be_bytes());
        Head { number, hash: hash(number, fork), parent: hash(number - 1, parent), time: UtcTime::EPOCH, base_fee: 0 }
    }

    /// M-078: eleven reorganisations in a thousand blocks make a Golem cautious; a quiet thousand makes it calm again.
    #[test]
    fn m_078_frequent_reorganisations_deepen_confirmation() {
        let mut watch = Watch::default();
        assert!(!watch.observe(&head(10, 0, 0)));
        assert!(!watch.observe(&head(10, 0, 0)), "the same head again is no news");
        assert!(!watch.observe(&head(11, 0, 0)));
        assert!(watch.observe(&head(11, 1, 0)), "another block of that number");
        assert!(watch.observe(&head(12, 2, 2)), "a parent nobody knew");
        assert!(!watch.observe(&head(15, 0, 0)), "a gap proves nothing");
        assert_eq!(watch.depth(2), 2);
        for fork in 0..9 {
            assert!(watch.observe(&head(15, fork + 1, 0)));
        }
        assert_eq!(watch.depth(2), 5, "eleven");
        assert_eq!(watch.depth(8), 8, "an owner may ask for more");
        watch.observe(&head(2_000, 0, 0));
        assert_eq!(watch.depth(2), 2);
    }

    /// M-078: a confirmation is a block on top, and nothing else counts as one.
    #[test]
    fn r_003_the_block_of_the_roll_lies_at_depth() {
        assert_eq!((confirmations(100, 100), confirmations(100, 102), confirmations(101, 100)), (0, 2, 0));
        for (head, depth) in [(100, 2), (100, 5), (100, 1)] {
            assert_eq!(confirmations(newest_at_depth(head, depth), head), depth);
        }
        assert_eq!((newest_at_depth(0, 5), newest_at_depth(u64::MAX, 2)), (0, u64::MAX - 2));
        assert_eq!(confirmations(0, u64::MAX), u64::MAX, "absurd numbers are held");
        assert_eq!(newest_at_depth(7, 0), 7);
    }
}
