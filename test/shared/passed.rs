//! A pass of a life, for its store.

use golem_core::record::TickInput;
use golem_core::step::Step;
use golem_ports::Committed;

/// A pass as it was lived, with nothing beside it.
pub(crate) fn committed<'a>(seq: u64, input: &'a TickInput, next: &'a Step) -> Committed<'a> {
    Committed {
        seq,
        input,
        life: &next.life,
        hash: next.life.hash(),
        events: &next.events,
        effects: &next.effects,
        record: next.record.as_ref(),
        roll_block: None,
        keep_snapshot: false,
        episodes: &[],
    }
}
