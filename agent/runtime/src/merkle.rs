//! L-025. A keccak tree over sorted pairs, as `LineageRegistry.verifyOutcome` reads it.

use golem_primitives::{B256, keccak256};

/// The root over the leaves in their order; zero for none. A node without a partner moves up as it is.
#[must_use]
pub fn root(leaves: &[B256]) -> B256 {
    let mut level = leaves.to_vec();
    while level.len() > 1 {
        level = above(&level);
    }
    level.first().copied().unwrap_or(B256::ZERO)
}

/// The nodes that lead from a leaf to the root; `None` when there is no such leaf.
#[must_use]
pub fn proof(leaves: &[B256], mut at: usize) -> Option<Vec<B256>> {
    if at >= leaves.len() {
        return None;
    }
    let (mut level, mut path) = (leaves.to_vec(), Vec::new());
    while level.len() > 1 {
        path.extend(level.get(at ^ 1));
        level = above(&level);
        at /= 2;
    }
    Some(path)
}

fn above(level: &[B256]) -> Vec<B256> {
    level.chunks(2).map(|pair| if let [one, other] = pair { join(*one, *other) } else { pair[0] }).collect()
}

/// Pairs are sorted, so that a proof needs no directions.
fn join(one: B256, other: B256) -> B256 {
    let (low, high) = if one <= other { (one, other) } else { (other, one) };
    keccak256([low.as_slice(), high.as_slice()].concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// L-025: every leaf leads to the root, and no other leaf does by the same path.
        #[test]
        fn l_025_every_leaf_proves_itself(seeds in prop::collection::vec(any::<u64>(), 1..40), pick: prop::sample::Index) {
            let leaves: Vec<B256> = seeds.iter().map(|seed| keccak256(seed.to_be_bytes())).collect();
            let at = pick.index(leaves.len());
            let path = proof(&leaves, at).expect("it is there");
            let climb = |leaf| path.iter().fold(leaf, |node, step| join(node, *step));
            prop_assert_eq!(climb(leaves[at]), root(&leaves));
            prop_assert_ne!(climb(keccak256("another")), root(&leaves));
            prop_assert!(path.len() <= 6);
        }
    }

    #[test]
    fn nothing_has_the_zero_root_and_no_proof() {
        assert_eq!(root(&[]), B256::ZERO);
        assert_eq!(proof(&[], 0), None);
        assert_eq!(proof(&[B256::repeat_byte(1)], 0), Some(Vec::new()));
    }
}
