//! What a newborn is given: landed once, as candidates alone.

use golem_grimoire::id::Moment;
use golem_grimoire::status::{Candidate, Entry};
use golem_ports::{Store as _, StoreError};
use golem_primitives::B256;

use super::{changes, entries};
use crate::error::At;
use crate::reader::begin;
use crate::store::SqliteStore;

impl SqliteStore {
    /// I-005, I-082, I-362. Lands what is inherited, what the dead refused of others, and the record of it as the note `key`,
    /// all in one transaction. Where the note stands already nothing is done: a birth that was cut off and is finished
    /// inherits once. Answers whether it landed.
    pub fn adopt(
        &mut self,
        candidates: &[Candidate],
        refusals: &[(B256, u32)],
        key: &str,
        record: &str,
        now: Moment,
    ) -> Result<bool, StoreError> {
        if self.note(key)?.is_some() {
            return Ok(false);
        }
        let reader = self.reader();
        let path = &reader.path;
        let transaction = begin(reader)?;
        for candidate in candidates {
            let known = candidate.knowledge();
            entries::write(&transaction, &Entry::Candidate(candidate.clone())).at(path)?;
            let note = format!("{} of {}", known.draft.source.provenance.name(), known.draft.source.origin);
            changes::say(&transaction, known.id, now, "inherited", None, Some(&note)).at(path)?;
        }
        for (pattern, times) in refusals {
            entries::immunise(&transaction, *pattern, *times).at(path)?;
        }
        let sql = "INSERT INTO notes (key, value) VALUES (?1, ?2)";
        transaction.execute(sql, (key, record)).at(path)?;
        entries::touch_entries(&transaction).at(path)?;
        transaction.commit().at(path)?;
        Ok(true)
    }
}
