//! L-025. What a report says: the root of the records since the last one, and the rolls.

use golem_core::outcome_tree::OutcomeTree;
use golem_core::record::OutcomeVerification;
use golem_ports::{Rolls, Store};
use golem_primitives::{B256, Tick, keccak256};
use serde::{Deserialize, Serialize};

use crate::error::RuntimeError;

/// The note under which the contents of all reports stand, oldest first.
const BEATS: &str = "beats";

/// Rolls in one report, so that it always fits a transaction; what is more waits for the next.
const MOST_ROLLS: usize = 1_000;

/// Which records one report covers. Fixed when the report is first driven, so that it says the same after a crash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeatContent {
    /// The tick it reports: the one that wanted it, or the next the chain takes (a restored life is behind the chain).
    pub tick: Tick,
    /// The tick that wanted it.
    pub wanted: Tick,
    /// Records after this place ...
    pub after: u64,
    /// ... up to this one.
    pub upto: u64,
    /// Rolls after this tick ...
    pub rolls_after: Tick,
    /// ... up to this one.
    pub rolls_upto: Tick,
}

/// The leaf of a record: twice hashed, so that no node of the tree can pass for one.
#[must_use]
pub fn leaf(record: &OutcomeVerification) -> B256 {
    let json = serde_json::to_vec(record).expect("plain data with text keys");
    keccak256(keccak256(json))
}

/// The contents of all reports so far, oldest first.
///
/// # Errors
/// [`RuntimeError`] when the store cannot be read.
pub fn beat_contents<S: Store + ?Sized>(store: &S) -> Result<Vec<BeatContent>, RuntimeError> {
    Ok(store.note(BEATS)?.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// A report that was refused covers nothing: its records belong to the next one.
pub(crate) fn forget<S: Store + ?Sized>(store: &mut S, tick: Tick) -> Result<(), RuntimeError> {
    let mut beats = beat_contents(store)?;
    beats.retain(|beat| beat.wanted != tick);
    Ok(store.set_note(BEATS, &serde_json::to_string(&beats).expect("plain data"))?)
}

/// What the report of a tick says; decided once.
pub(crate) fn content<S: Store + ?Sized>(
    store: &mut S,
    wanted: Tick,
    reported: Option<Tick>,
) -> Result<(Tick, B256, u32, Rolls), RuntimeError> {
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
            let content = BeatContent { tick, wanted, after, upto, rolls_after, rolls_upto };
            beats.push(content.clone());
            store.set_note(BEATS, &serde_json::to_string(&beats).expect("plain data"))?;
            content
        }
    };
    let outcomes = store.outcomes_after(content.after)?;
    let leaves: Vec<B256> =
        outcomes.iter().filter(|outcome| outcome.seq <= content.upto).map(|outcome| leaf(&outcome.record)).collect();
    let rolls = store.rolls_after(content.rolls_after)?;
    let rolls = rolls.into_iter().filter(|(tick, _)| *tick <= content.rolls_upto).collect();
    let tree = OutcomeTree::new(leaves);
    Ok((content.tick, tree.root(), u32::try_from(tree.len()).unwrap_or(u32::MAX), rolls))
}
