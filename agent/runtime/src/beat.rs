//! L-025. What a report says: the root of the records since the last one, the rolls, and the pace of those to come.

use std::collections::VecDeque;

use golem_core::outcome_tree::OutcomeTree;
use golem_core::record::OutcomeVerification;
use golem_ports::{Rolls, Store};
use golem_primitives::{B256, Tick, keccak256};
use serde::{Deserialize, Serialize};

use crate::error::RuntimeError;
use crate::notes;

/// The note under which the contents of all reports stand, oldest first.
const BEATS: &str = "beats";

/// Rolls in one report, so that it always fits a transaction; what is more waits for the next.
const MOST_ROLLS: usize = 1_000;

/// Ticks over which the pace of blocks is measured, and the fewest that make a measure.
pub(crate) const PACE_TICKS: usize = 64;
const PACE_LEAST: usize = 8;

/// How many blocks pass in a tick, as this life has seen it lately.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    seen: VecDeque<(Tick, u64)>,
}

impl Pace {
    /// Notes the newest block at a tick.
    pub(crate) fn note(&mut self, tick: Tick, block: u64) {
        if self.seen.back().is_some_and(|(last, at)| tick <= *last || block < *at) {
            self.seen.clear();
        }
        self.seen.push_back((tick, block));
        if self.seen.len() > PACE_TICKS {
            self.seen.pop_front();
        }
    }

    /// The blocks between two rolls to announce, `None` while too little was seen. A thirty-second less than was measured,
    /// rounded down: the report lands some blocks behind its tick and a roll waits for depth, so that at the full pace every
    /// block would come too late; and what is announced too slow only falls behind.
    fn stride(&self) -> Option<u8> {
        let ((first, from), (last, to)) = (self.seen.front()?, self.seen.back()?);
        if self.seen.len() < PACE_LEAST {
            return None;
        }
        let ticks = last.get().saturating_sub(first.get()).max(1);
        let blocks = to.saturating_sub(*from).saturating_mul(31) / ticks.saturating_mul(32);
        Some(u8::try_from(blocks).unwrap_or(u8::MAX).max(1))
    }
}

/// Which records one report covers. Fixed when the report is first driven, so that it says the same after a crash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeatContent {
    /// The tick it reports: the one that wanted it, or the next the chain takes (a restored life is behind the chain).
    pub tick: Tick,
    pub wanted: Tick,
    /// Records after this place ...
    pub after: u64,
    /// ... up to this one.
    pub upto: u64,
    /// Rolls after this tick ...
    pub rolls_after: Tick,
    /// ... up to this one.
    pub rolls_upto: Tick,
    /// Blocks between two rolls as it announces them; `None` as the report before it did.
    pub stride: Option<u8>,
}

/// What a report says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) tick: Tick,
    pub(crate) root: B256,
    pub(crate) outcomes: u32,
    pub(crate) rolls: Rolls,
    pub(crate) stride: Option<u8>,
}

/// The hash of a record, as the tree and `verifyOutcome` take it.
#[must_use]
pub fn leaf(record: &OutcomeVerification) -> B256 {
    keccak256(serde_json::to_vec(record).expect("plain data with text keys"))
}

/// The contents of all reports so far, oldest first.
pub fn beat_contents<S: Store + ?Sized>(store: &S) -> Result<Vec<BeatContent>, RuntimeError> {
    Ok(notes::read(store, BEATS)?.unwrap_or_default())
}

/// A report that was refused covers nothing: its records belong to the next one.
pub(crate) fn forget<S: Store + ?Sized>(store: &mut S, tick: Tick) -> Result<(), RuntimeError> {
    let mut beats = beat_contents(store)?;
    beats.retain(|beat| beat.wanted != tick);
    Ok(notes::keep(store, BEATS, &beats)?)
}

/// What the report of a tick says; decided once.
pub(crate) fn content<S: Store + ?Sized>(
    store: &mut S,
    wanted: Tick,
    reported: Option<Tick>,
    pace: &Pace,
) -> Result<Said, RuntimeError> {
    let mut beats = beat_contents(store)?;
    let content = match beats.iter().find(|beat| beat.wanted == wanted) {
        Some(content) => content.clone(),
        None => {
            let last = beats.last();
            let after = last.map_or(0, |beat| beat.upto);
            let rolls_after = last.map_or(Tick::ZERO, |beat| beat.rolls_upto);
            let upto = store.outcomes_after(after)?.last().map_or(after, |outcome| outcome.seq);
            let rolls = store.rolls_after(rolls_after)?;
            let rolls_upto = rolls.iter().take(MOST_ROLLS).next_back().map_or(rolls_after, |(tick, _)| *tick);
            let tick = wanted.max(reported.map_or(wanted, Tick::next));
            // A life that is behind the chain rolls at ticks the chain knows already: nothing can be announced for them.
            let stride = if tick == wanted { pace.stride() } else { Some(0) };
            let content = BeatContent { tick, wanted, after, upto, rolls_after, rolls_upto, stride };
            beats.push(content.clone());
            notes::keep(store, BEATS, &beats)?;
            content
        }
    };
    let outcomes = store.outcomes_after(content.after)?;
    let leaves: Vec<B256> =
        outcomes.iter().filter(|outcome| outcome.seq <= content.upto).map(|outcome| leaf(&outcome.record)).collect();
    let rolls = store.rolls_after(content.rolls_after)?;
    let rolls = rolls.into_iter().filter(|(tick, _)| *tick <= content.rolls_upto).collect();
    let tree = OutcomeTree::new(leaves);
    let outcomes = u32::try_from(tree.len()).unwrap_or(u32::MAX);
    Ok(Said { tick: content.tick, root: tree.root(), outcomes, rolls, stride: content.stride })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// slower than what was seen, never nothing, never more than a byte, and unknown until there is a measure.
    #[test]
    fn r_003_the_announced_pace_is_a_little_slower_than_the_chain() {
        let stride = |blocks: u64, ticks: u64| {
            let mut pace = Pace::default();
            (1..=ticks).for_each(|tick| pace.note(Tick::new(tick), 500 + tick * blocks));
            pace.stride()
        };
        assert_eq!((stride(20, 7), stride(20, 8), stride(20, 500)), (None, Some(19), Some(19)));
        assert_eq!(
            (stride(2, 9), stride(1, 9), stride(0, 9), stride(1_000, 9)),
            (Some(1), Some(1), Some(1), Some(255))
        );
        let mut pace = Pace::default();
        (1..=9).for_each(|tick| pace.note(Tick::new(tick), 500));
        pace.note(Tick::new(10), 400);
        assert_eq!(pace.stride(), None, "a chain that went back is measured anew");
    }
}
