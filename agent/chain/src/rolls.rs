//! R-003, L-025. Which block feeds the death roll of a tick, as beats announce it and anybody recomputes it.

use golem_primitives::Tick;

use crate::bindings::lineage::ILineageRegistry::Pulse;

/// The blocks that a beat announces for the rolls behind it, before anybody knows their hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RollSchedule {
    pub(crate) tick: Tick,
    pub(crate) block: u64,
    /// Blocks between the rolls of two ticks; 0 when nothing was announced.
    pub(crate) stride: u8,
}

impl From<&Pulse> for RollSchedule {
    fn from(pulse: &Pulse) -> Self {
        Self { tick: Tick::new(pulse.tick.to()), block: u64::from(pulse.beatBlock), stride: pulse.rollStride }
    }
}

impl RollSchedule {
    /// The block announced for a tick, as `VaultDeath` recomputes it; `None` for a tick the beat says nothing of.
    pub(crate) fn block_of(&self, tick: Tick) -> Option<u64> {
        let after = tick.get().checked_sub(self.tick.get()).filter(|after| *after != 0 && self.stride != 0)?;
        self.block.checked_add(after.checked_mul(u64::from(self.stride))?)
    }

    /// Of all rolls since this beat, oldest first, those that nobody can tell from it: with another block, or, up to the
    /// last that is given, with none at all, which is said as block 0.
    pub(crate) fn untold(&self, rolls: &[(Tick, u64)]) -> Vec<(Tick, u64)> {
        let mut told = Vec::new();
        let mut expected = self.tick;
        for (tick, block) in rolls {
            if self.stride != 0 && *tick > expected {
                told.extend((expected.get() + 1..tick.get()).map(|missing| (Tick::new(missing), 0)));
                expected = *tick;
            }
            if self.block_of(*tick) != Some(*block) {
                told.push((*tick, *block));
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEDULE: RollSchedule = RollSchedule { tick: Tick::new(10), block: 1_000, stride: 100 };

    #[test]
    fn r_003_a_beat_announces_a_block_for_every_later_tick() {
        let block_of = |tick| SCHEDULE.block_of(Tick::new(tick));
        assert_eq!((block_of(9), block_of(10), block_of(11), block_of(14)), (None, None, Some(1_100), Some(1_400)));
        assert_eq!(block_of(u64::MAX), None, "absurd ticks have no block");
        assert_eq!(RollSchedule { stride: 0, ..SCHEDULE }.block_of(Tick::new(11)), None);
    }

    /// L-025: what followed the schedule is not told, what did not is, and so is what had no block.
    #[test]
    fn r_003_a_beat_tells_of_rolls_that_followed_no_schedule() {
        let at = |tick, block| (Tick::new(tick), block);
        let rolls = [at(9, 900), at(10, 1_000), at(11, 1_100), at(12, 1_201), at(14, 1_400)];
        assert_eq!(SCHEDULE.untold(&rolls), [at(9, 900), at(10, 1_000), at(12, 1_201), at(13, 0)]);
        assert_eq!(RollSchedule { stride: 0, ..SCHEDULE }.untold(&rolls), rolls);
        assert!(SCHEDULE.untold(&[]).is_empty());
    }
}
