//! Where a value stands among its own last values.

use crate::observable::Span;

/// Values remembered, in spans.
pub(super) const SPANS: usize = 4;
/// Steps of the scale: the first sixteen values each, then sixteen to every doubling.
const STEPS: usize = 512;

/// The last values on a scale of steps, counted in a tree whose every node holds the sum of the ones before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rank {
    last: Box<[u16]>,
    next: usize,
    known: usize,
    counts: Box<[u16; STEPS]>,
    tree: Box<[u16; STEPS + 1]>,
}

impl Rank {
    pub(super) fn new(span: Span) -> Self {
        Self {
            last: vec![0; SPANS * span.looks()].into_boxed_slice(),
            next: 0,
            known: 0,
            counts: Box::new([0; STEPS]),
            tree: Box::new([0; STEPS + 1]),
        }
    }

    /// Adds a value and says which share of the last ones, itself among them, is lower; what stands on the same step counts
    /// half. In millionths; nothing until [`SPANS`] spans of values are known.
    pub(super) fn push(&mut self, value: i64) -> Option<i64> {
        let step = step_of(value);
        let left = (self.known == self.last.len()).then(|| usize::from(self.last[self.next]));
        if left != Some(step) {
            if let Some(left) = left {
                self.counts[left] -= 1;
                self.add(left, u16::MAX);
            }
            self.counts[step] += 1;
            self.add(step, 1);
            self.last[self.next] = step as u16;
        }
        self.known = (self.known + 1).min(self.last.len());
        self.next = if self.next + 1 == self.last.len() { 0 } else { self.next + 1 };
        (self.known == self.last.len()).then(|| self.share_below(step))
    }

    /// Adds to a count; `u16::MAX` is one less, for sums are kept modulo 2^16 and none reaches it.
    fn add(&mut self, step: usize, change: u16) {
        let mut node = step + 1;
        while node <= STEPS {
            self.tree[node] = self.tree[node].wrapping_add(change);
            node += node & node.wrapping_neg();
        }
    }

    fn share_below(&self, step: usize) -> i64 {
        let (mut node, mut below) = (step, 0_u16);
        while node > 0 {
            below = below.wrapping_add(self.tree[node]);
            node &= node - 1;
        }
        let halves = 2 * i64::from(below) + i64::from(self.counts[step]);
        let known = self.known as i64;
        (halves * 1_000_000 + known) / (2 * known)
    }
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
