//! A candidate with other fields, by the same way as a store reads its rows back.

use golem_grimoire::entry::Knowledge;
use golem_grimoire::status::{Candidate, Entry, Stored};

/// The candidate after `change`. It stays a candidate whatever is changed: a row without the record of a promotion is
/// never anything else (I-362).
pub(crate) fn rewritten(candidate: Candidate, change: impl FnOnce(&mut Knowledge)) -> Candidate {
    let Some(mut row) = Stored::of(&Entry::Candidate(candidate.clone())) else { return candidate };
    change(&mut row.knowledge);
    row.promotion = None;
    match row.reload() {
        Ok(Entry::Candidate(changed)) => changed,
        _ => candidate,
    }
}
