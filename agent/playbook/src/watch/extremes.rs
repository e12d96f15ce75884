//! The highest of the last looks, for every span at once.

use super::{filled, slot};
use crate::observable::Span;

/// A value and the look it was seen at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Peak {
    value: u64,
    at: u64,
}

/// Values that nothing later overtook, falling from the oldest to the newest. The longest span's line holds those of all
/// shorter ones, so one ring serves all, each with its own head. Constant time a look on average: what is passed over goes
/// for good, and a head moves by one at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Extremes {
    peaks: Box<[Peak; super::LONGEST]>,
    heads: [u64; Span::ALL.len()],
    tail: u64,
}

impl Extremes {
    pub(super) fn new() -> Self {
        Self { peaks: filled(Peak::default()), heads: [0; Span::ALL.len()], tail: 0 }
    }

    /// Adds the value of a look. For the lowest, push complements.
    pub(super) fn push(&mut self, at: u64, value: u64) {
        let longest = Span::L1024 as usize;
        for span in Span::ALL {
            let head = &mut self.heads[span as usize];
            let is_gone = *head < self.tail && self.peaks[slot(*head)].at + span.looks() as u64 <= at;
            *head += u64::from(is_gone);
        }
        while self.tail > self.heads[longest] && self.peaks[slot(self.tail - 1)].value <= value {
            self.tail -= 1;
        }
        for head in &mut self.heads {
            *head = (*head).min(self.tail);
        }
        self.peaks[slot(self.tail)] = Peak { value, at };
        self.tail += 1;
    }

    /// The highest of a span, by its place among the spans.
    pub(super) fn get(&self, span: usize) -> u64 {
        self.peaks[slot(self.heads[span])].value
    }
}
