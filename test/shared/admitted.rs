//! Entries that have passed the gate of a Grimoire.

use golem_grimoire::entry::Draft;
use golem_grimoire::gate::{Admission, GateExcuse, GateReading, admit};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::status::Candidate;
use golem_primitives::Ppm;

/// A reading that any statement passes with.
pub(crate) const GOOD: GateReading = GateReading {
    utility: Ppm::of(900_000),
    factual: Ppm::of(900_000),
    recency: Ppm::of(900_000),
    nearest: None,
    known: 0,
    contradicts: None,
    occasion: GateExcuse::Ordinary,
};

/// A draft that has passed with that reading.
pub(crate) fn admitted(id: EntryId, draft: Draft, now: Moment) -> Box<Candidate> {
    match admit(id, draft, &GOOD, now) {
        Admission::Admitted(candidate) => candidate,
        other => panic!("not admitted: {other:?}"),
    }
}
