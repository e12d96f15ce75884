//! An amount against the median of its last ones.

use super::rounded;

/// Amounts remembered. Odd, so that one stands in the middle.
pub(super) const AMOUNTS: usize = 255;
/// The most that is told: a thousand medians.
const MOST_RATIO: f64 = 1e9;

/// The last amounts, as they came and sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Median {
    last: Box<[u64; AMOUNTS]>,
    sorted: Box<[u64; AMOUNTS]>,
    next: usize,
    known: usize,
}

impl Median {
    pub(super) fn new() -> Self {
        Self { last: Box::new([0; AMOUNTS]), sorted: Box::new([0; AMOUNTS]), next: 0, known: 0 }
    }

    /// Adds an amount and says how it stands to the median of the last ones, itself among them, in millionths. Nothing until
    /// all of them are known; where the median is nothing, nothing is once it.
    pub(super) fn push(&mut self, amount: u64) -> Option<i64> {
        let left = self.last[self.next];
        if self.known < AMOUNTS {
            let to = self.sorted[..self.known].partition_point(|other| *other < amount);
            self.sorted[to..=self.known].rotate_right(1);
            self.sorted[to] = amount;
            self.known += 1;
        } else if left != amount {
            self.replace(left, amount);
        }
        self.last[self.next] = amount;
        self.next = if self.next + 1 == AMOUNTS { 0 } else { self.next + 1 };
        (self.known == AMOUNTS).then(|| against(amount, self.sorted[AMOUNTS / 2]))
    }

    /// Takes one amount out and puts another in; what lies between moves by one.
    fn replace(&mut self, left: u64, amount: u64) {
        let from = self.sorted.partition_point(|other| *other < left);
        let to = self.sorted.partition_point(|other| *other < amount);
        if to > from {
            self.sorted.copy_within(from + 1..to, from);
            self.sorted[to - 1] = amount;
        } else {
            self.sorted.copy_within(to..from, to + 1);
            self.sorted[to] = amount;
        }
    }
}

fn against(amount: u64, median: u64) -> i64 {
    match (amount, median) {
        (0, 0) => 1_000_000,
        (_, 0) => MOST_RATIO as i64,
        _ => rounded((amount as f64 / median as f64 * 1e6).min(MOST_RATIO)),
    }
}
