//! What a life has told its siblings and had from them, as its store keeps it.

use std::collections::BTreeMap;

use golem_grimoire::id::EntryId;
use golem_grimoire::share::PUSH_PER_HOUR;
use golem_grimoire::shelf::Grimoire;
use golem_ports::Memory;
use golem_primitives::{GolemId, UtcTime};
use serde::{Deserialize, Serialize};

use crate::error::RuntimeError;
use crate::notes;

/// The note of a memory that holds it.
pub const NOTE: &str = "clade.ledger";
/// I-094. Seconds of a window, whatever a tick lasts.
const WINDOW_SECONDS: u64 = 3_600;

/// An entry a sibling sent, as its author calls it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    pub(super) golem: GolemId,
    pub(super) entry: EntryId,
}

/// The ledger; as large as what lives in the Grimoire.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Ledger {
    pub(super) entries: BTreeMap<EntryId, UtcTime>,
    pub(super) rules: BTreeMap<String, UtcTime>,
    /// Entries that came in and were not answered yet, by their names here.
    pub(super) received: BTreeMap<EntryId, Origin>,
    /// I-090. The window, and what of it is used.
    window: u64,
    sent: u32,
}

impl Ledger {
    /// As it was kept; one that cannot be read begins anew, and what is told twice is heard once.
    pub(super) fn read<S: Memory>(store: &S) -> Result<Self, RuntimeError> {
        Ok(notes::read(store, NOTE)?.unwrap_or_default())
    }

    /// Forgets what is no longer alive.
    pub(super) fn forget(&mut self, grimoire: &Grimoire) {
        self.entries.retain(|id, _| grimoire.get(*id).is_some());
        self.received.retain(|id, _| grimoire.get(*id).is_some());
    }

    /// Whether that entry of that sibling is here already.
    pub(super) fn has(&self, golem: &GolemId, entry: EntryId) -> bool {
        self.received.values().any(|origin| origin.golem == *golem && origin.entry == entry)
    }

    /// I-090, I-096. How many may still go out in this hour; the rest waits for the next. A clock that ran backwards opens no
    /// second window.
    pub(super) fn room(&mut self, now: UtcTime) -> usize {
        let window = now.seconds() / WINDOW_SECONDS;
        if window > self.window {
            (self.window, self.sent) = (window, 0);
        }
        PUSH_PER_HOUR.saturating_sub(self.sent) as usize
    }

    /// Entries went out; warnings count for nothing (I-093).
    pub(super) fn sent(&mut self, ids: impl Iterator<Item = EntryId>, counts: bool, now: UtcTime) {
        for id in ids {
            self.entries.insert(id, now);
            self.sent = self.sent.saturating_add(u32::from(counts));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-090, I-093, I-096, G-173: W-29. Of 130 entries and ten warnings 110 go now and 30 in the next hour; a clock that runs backwards
    /// opens no second window.
    #[test]
    fn i_090_w_29_pushes_are_held_and_warnings_are_not() {
        let golem = GolemId::new("ada").expect("a name");
        let ids =
            |from: u32, to: u32| (from..to).map(move |n| EntryId::derive(UtcTime::EPOCH, &golem, &n.to_be_bytes()));
        let at = |hour: u64| UtcTime::from_seconds(hour * WINDOW_SECONDS + 17);
        let mut ledger = Ledger::default();
        ledger.room(at(3));
        ledger.sent(ids(0, 10), false, at(3));
        let room = ledger.room(at(3));
        ledger.sent(ids(10, 140).take(room), true, at(3));
        assert_eq!((ledger.entries.len(), ledger.room(at(3)), ledger.room(at(2))), (110, 0, 0));
        let room = ledger.room(at(4));
        ledger.sent(ids(110, 140).take(room), true, at(4));
        assert_eq!((ledger.entries.len(), ledger.room(at(4))), (140, 70));
    }
}
