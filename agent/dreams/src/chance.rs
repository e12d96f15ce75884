//! Chance as a function of names (DG-20).

use golem_primitives::{GolemId, keccak256};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::inputs::CycleId;

/// DG-20. What decides a dream's choices: whose it is and which cycle. Each purpose draws apart from the others, so that
/// a new draw in one place changes no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    golem: GolemId,
    cycle: CycleId,
}

impl Seed {
    /// The seed of one cycle of one Golem.
    #[must_use]
    pub const fn new(golem: GolemId, cycle: CycleId) -> Self {
        Self { golem, cycle }
    }

    /// The draws of one purpose.
    #[must_use]
    pub fn draws(&self, purpose: &str) -> Draws {
        let mut bytes = Vec::with_capacity(160);
        for part in [b"dream".as_slice(), self.golem.as_bytes(), &self.cycle.0.to_be_bytes(), purpose.as_bytes()] {
            bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
            bytes.extend_from_slice(part);
        }
        Draws { source: ChaCha12Rng::from_seed(keccak256(bytes).0) }
    }
}

/// Draws of one purpose, in order.
#[derive(Debug, Clone)]
pub struct Draws {
    source: ChaCha12Rng,
}

impl Draws {
    /// A number below `limit`; of nothing it is zero. Equal chances to one part in 2^64 over `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 {
            return 0;
        }
        let wide = u128::from(self.source.next_u64()) * limit as u128;
        usize::try_from(wide >> 64).expect("below a limit that fits")
    }

    /// The same in another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
