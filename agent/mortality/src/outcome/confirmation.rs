//! When an outcome counts.

use crate::economic::tier::Tier;

/// M-078. Blocks behind the newest at which an outcome counts.
pub const DEPTH: u64 = 2;
/// M-078. The same after frequent reorganisations.
pub const CAUTIOUS_DEPTH: u64 = 5;
/// M-078. Blocks over which reorganisations are counted.
pub const REORG_WINDOW_BLOCKS: u64 = 1_000;

/// M-078. The depth after `reorgs` within the last 1,000 blocks: more than one per hundred makes a Golem cautious.
#[must_use]
pub const fn confirmation_depth(reorgs: u64) -> u64 {
    if reorgs * 100 > REORG_WINDOW_BLOCKS { CAUTIOUS_DEPTH } else { DEPTH }
}

/// M-078, R-022. How deep a block lies: the blocks that came after it. The newest block has no confirmation, and two
/// confirmations are two blocks on top of it. Whoever asks for depth, the law, the agent, the owner's desk or the
/// chronicle, means this.
#[must_use]
pub const fn confirmations(block: u64, head: u64) -> u64 {
    head.saturating_sub(block)
}

/// M-078. Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum RecordStatus {
    /// Not deep enough yet: it counts for nothing.
    Pending,
    /// It counts.
    Confirmed,
    /// Its block is gone: it and what followed from it are withdrawn, and the next decision is taken with care.
    Reorged,
}

impl RecordStatus {
    /// The status of a record in `block` when `head` is the newest block and its own block still stands or not.
    #[must_use]
    pub const fn of(block: u64, head: u64, depth: u64, stands: bool) -> Self {
        if !stands {
            Self::Reorged
        } else if confirmations(block, head) >= depth {
            Self::Confirmed
        } else {
            Self::Pending
        }
    }

    /// M-078. The tier the next decision is forced to, under the phase's ceiling.
    #[must_use]
    pub const fn forced_tier(self) -> Option<Tier> {
        match self {
            Self::Reorged => Some(Tier::T2),
            Self::Pending | Self::Confirmed => None,
        }
    }
}

/// M-080. What a Golem in production may ask of a chain to predict and verify. There is no fork among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// Simulate one call.
    Simulate,
    /// Simulate several calls as one.
    SimulateMany,
    /// Estimate gas.
    EstimateGas,
    /// Read state.
    ReadState,
    /// Read a receipt.
    Receipt,
    /// Read logs.
    Logs,
}

impl Primitive {
    /// All there are.
    pub const ALL: [Self; 6] =
        [Self::Simulate, Self::SimulateMany, Self::EstimateGas, Self::ReadState, Self::Receipt, Self::Logs];

    /// M-079. None of them costs anything.
    pub const COST: golem_primitives::Usdc = golem_primitives::Usdc::ZERO;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M-078: two blocks, five after more than ten reorganisations in a thousand.
    #[test]
    fn m_078_outcomes_count_at_depth_and_reorgs_are_withdrawn() {
        assert_eq!((confirmation_depth(0), confirmation_depth(10), confirmation_depth(11)), (2, 2, 5));
        assert_eq!(RecordStatus::of(100, 101, 2, true), RecordStatus::Pending);
        assert_eq!(RecordStatus::of(100, 102, 2, true), RecordStatus::Confirmed);
        assert_eq!(RecordStatus::of(100, 50, 2, true), RecordStatus::Pending, "a head that went back");
        let gone = RecordStatus::of(100, 102, 2, false);
        assert_eq!((gone, gone.forced_tier()), (RecordStatus::Reorged, Some(Tier::T2)));
        assert_eq!(RecordStatus::Confirmed.forced_tier(), None);
    }

    /// M-079, M-080.
    #[test]
    fn m_080_six_primitives_and_none_costs_anything() {
        assert_eq!((Primitive::ALL.len(), Primitive::COST.micros()), (6, 0));
    }
}
