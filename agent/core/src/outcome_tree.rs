//! The outcome tree (L-025): keccak over sorted pairs, an odd node carried up as it is. Record hashes are hashed once more
//! to be its leaves, so that no inner node passes as one. `LineageRegistry.verifyOutcome` takes its proofs.

use golem_primitives::{B256, keccak256};

/// A Merkle tree over record hashes in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeTree {
    /// Leaves first, the root last.
    rows: Vec<Vec<B256>>,
}

impl OutcomeTree {
    /// L-025. The tree over the hashes of records. Of none the root is zero, of one it is that one's leaf.
    #[must_use]
    pub fn new(records: Vec<B256>) -> Self {
        let mut rows = vec![records.into_iter().map(leaf).collect::<Vec<_>>()];
        while let Some(row) = rows.last().filter(|row| row.len() > 1) {
            rows.push(row.chunks(2).map(|pair| if let [a, b] = pair { join(*a, *b) } else { pair[0] }).collect());
        }
        Self { rows }
    }

    /// What a beat carries.
    #[must_use]
    pub fn root(&self) -> B256 {
        self.rows.last().and_then(|row| row.first()).copied().unwrap_or_default()
    }

    /// How many records it covers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows[0].len()
    }

    /// Whether it covers none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows[0].is_empty()
    }

    /// What proves that the record at `index` is in the tree; `None` beyond the last.
    #[must_use]
    pub fn proof(&self, index: usize) -> Option<Vec<B256>> {
        if index >= self.len() {
            return None;
        }
        let mut at = index;
        let mut proof = Vec::with_capacity(self.rows.len());
        for row in &self.rows[..self.rows.len() - 1] {
            proof.extend(row.get(at ^ 1));
            at /= 2;
        }
        Some(proof)
    }

    /// Whether the record hash is among those of `root`, as the contract decides it.
    #[must_use]
    pub fn verify(root: B256, record: B256, proof: &[B256]) -> bool {
        proof.iter().fold(leaf(record), |node, sibling| join(node, *sibling)) == root
    }
}

fn leaf(record: B256) -> B256 {
    keccak256(record)
}

fn join(a: B256, b: B256) -> B256 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    keccak256([low.0, high.0].concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn records(count: usize) -> Vec<B256> {
        (0..count).map(|n| keccak256(n.to_be_bytes())).collect()
    }

    #[test]
    fn l_025_small_trees_are_as_drawn() {
        assert_eq!(OutcomeTree::new(vec![]).root(), B256::ZERO);
        let three = records(3);
        let leaves: Vec<B256> = three.iter().map(keccak256).collect();
        assert_eq!(OutcomeTree::new(vec![three[0]]).root(), leaves[0]);
        let tree = OutcomeTree::new(three.clone());
        let inner = join(leaves[0], leaves[1]);
        assert_eq!(tree.root(), join(inner, leaves[2]));
        assert_eq!(tree.proof(2), Some(vec![inner]));
        assert!(!OutcomeTree::verify(tree.root(), inner, &[leaves[2]]), "an inner node is no record");
        assert_eq!((tree.proof(3), OutcomeTree::new(vec![]).proof(0)), (None, None));
        assert_eq!(OutcomeTree::new(vec![three[0]]).proof(0), Some(vec![]));
        assert_eq!((tree.len(), tree.is_empty(), OutcomeTree::new(vec![]).is_empty()), (3, false, true));
        // Pairs are sorted, so the order of two neighbours does not matter and a proof needs no directions.
        assert_eq!(OutcomeTree::new(vec![three[1], three[0], three[2]]).root(), tree.root());
    }

    proptest! {
        #[test]
        fn l_025_every_record_is_proved_and_no_other(count in 1_usize..70, picked in any::<prop::sample::Index>(), stranger: [u8; 32]) {
            let records = records(count);
            let tree = OutcomeTree::new(records.clone());
            let index = picked.index(count);
            let proof = tree.proof(index).expect("within");
            prop_assert!(OutcomeTree::verify(tree.root(), records[index], &proof));
            prop_assert!(!OutcomeTree::verify(tree.root(), B256::from(stranger), &proof));
            prop_assert!(proof.len() <= 7);
        }

        #[test]
        fn l_025_a_changed_record_changes_the_root(count in 1_usize..40, picked in any::<prop::sample::Index>(), other: [u8; 32]) {
            let before = records(count);
            let mut after = before.clone();
            after[picked.index(count)] = other.into();
            prop_assert_ne!(OutcomeTree::new(before).root(), OutcomeTree::new(after).root());
        }
    }
}
