//! When an outcome counts.

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

#[cfg(test)]
mod tests {
    use super::*;

    /// M-078: two blocks, five after more than ten reorganisations in a thousand.
    #[test]
    fn m_078_a_golem_that_saw_reorganisations_waits_longer() {
        assert_eq!((confirmation_depth(0), confirmation_depth(10), confirmation_depth(11)), (2, 2, 5));
    }
}
