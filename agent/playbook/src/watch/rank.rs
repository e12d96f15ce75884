//! Where a value stands among its own last values.

use crate::observable::Span;

/// Values remembered, in spans.
pub(super) const SPANS: usize = 4;
/// Blocks of the scale. Steps are counted one by one and by the block, so that those below a step are few sums, always as
/// many: a processor adds them side by side and has nothing to guess.
const BLOCKS: usize = 16;
/// Steps of a block. The scale has the first sixteen values each, then sixteen steps to every doubling.
const BLOCK: usize = 32;

/// The last values on a scale of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rank {
    last: Box<[u16]>,
    next: usize,
    known: usize,
    counts: Box<[[u16; BLOCK]; BLOCKS]>,
    blocks: [u16; BLOCKS],
}

impl Rank {
    pub(super) fn new(span: Span) -> Self {
        Self {
            last: vec![0; SPANS * span.looks()].into_boxed_slice(),
            next: 0,
            known: 0,
            counts: Box::new([[0; BLOCK]; BLOCKS]),
            blocks: [0; BLOCKS],
        }
    }

    /// Adds a value and says which share of the last ones, itself among them, is lower; what stands on the same step counts
    /// half. In millionths; nothing until [`SPANS`] spans of values are known.
    pub(super) fn push(&mut self, value: i64) -> Option<i64> {
        let step = step_of(value);
        let place = &mut self.last[self.next];
        let left = usize::from(std::mem::replace(place, step as u16));
        self.next = if self.next + 1 == self.last.len() { 0 } else { self.next + 1 };
        if self.known == self.last.len() {
            self.counts[left / BLOCK][left % BLOCK] -= 1;
            self.blocks[left / BLOCK] -= 1;
        } else {
            self.known += 1;
        }
        self.counts[step / BLOCK][step % BLOCK] += 1;
        self.blocks[step / BLOCK] += 1;
        (self.known == self.last.len()).then(|| self.share_below(step))
    }

    fn share_below(&self, step: usize) -> i64 {
        let (block, within) = (step / BLOCK, step % BLOCK);
        let below = sum_before(&self.blocks, block) + sum_before(&self.counts[block], within);
        let halves = 2 * i64::from(below) + i64::from(self.counts[block][within]);
        // So many are known as four spans have looks, a power of two.
        let doublings = self.known.ilog2();
        (halves * 1_000_000 + (1 << doublings)) >> (doublings + 1)
    }
}

/// The sum of the first `end` counts. No sum of counts reaches 2^16.
fn sum_before<const N: usize>(counts: &[u16; N], end: usize) -> u16 {
    let mut sum = 0;
    for (place, count) in counts.iter().enumerate() {
        sum += if (place as u16) < end as u16 { *count } else { 0 };
    }
    sum
}

/// The step of a value of at least nothing.
pub(super) fn step_of(value: i64) -> usize {
    let value = value.clamp(0, i64::from(i32::MAX)) as usize;
    if value < 16 {
        return value;
    }
    let doublings = value.ilog2() as usize;
    (doublings - 3) * 16 + (value >> (doublings - 4)) % 16
}
