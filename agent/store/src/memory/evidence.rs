//! Votes, checks, retrievals and reinforcements, each kept once for its cause.

use golem_grimoire::confidence::Votes;
use golem_grimoire::id::EntryId;
use golem_grimoire::strength::Reinforcement;
use golem_ports::{Refusal, StoreError};
use golem_primitives::{B256, Tick};
use rusqlite::{Connection, params};

use super::entries;
use crate::codec::Json;
use crate::error::{At, refused};
use crate::reader::Reader;

/// What is told of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) enum Told {
    Vote(Votes),
    Check(bool),
    Reinforcement(Reinforcement),
}

/// Keeps what was told; answers whether it is news.
pub(super) fn keep(to: &Connection, cause: B256, id: EntryId, told: Told) -> rusqlite::Result<bool> {
    let (kind, votes, correct, detail) = match told {
        Told::Vote(votes) => ("vote", Some(votes), None, None),
        Told::Check(correct) => ("check", None, Some(correct), None),
        Told::Reinforcement(by) => ("reinforcement", None, None, Some(Json(by))),
    };
    let sql = "INSERT INTO evidence (cause, entry, kind, up, down, correct, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
               ON CONFLICT (cause, entry, kind) DO NOTHING";
    let (up, down) = (votes.map(|votes| votes.up), votes.map(|votes| votes.down));
    let values = params![cause.0, id.to_be_bytes(), kind, up, down, correct, detail];
    Ok(to.prepare_cached(sql)?.execute(values)? > 0)
}

/// Keeps something for the next cycle.
pub(super) fn tell(reader: &Reader, cause: B256, id: EntryId, told: Told) -> Result<(), StoreError> {
    let path = &reader.path;
    let transaction = crate::reader::begin(reader)?;
    let entry = reader.entry(id)?.ok_or_else(|| refused(path, Refusal::Unknown { id }))?;
    let is_news = keep(&transaction, cause, id, told).at(path)?;
    if let (true, Told::Reinforcement(by)) = (is_news, told) {
        let mut entry = entry;
        entry.reinforced(by);
        entries::write(&transaction, &entry).at(path)?;
    }
    transaction.commit().at(path)
}

/// G-081. Remembers retrievals; the law lets nothing grow by them.
pub(super) fn mark_accessed(reader: &Reader, ids: &[EntryId], tick: Tick) -> Result<(), StoreError> {
    let transaction = crate::reader::begin(reader)?;
    for id in ids {
        if let Some(mut entry) = reader.entry(*id)?.filter(|entry| entry.knowledge().is_some()) {
            entry.accessed(tick);
            entries::write(&transaction, &entry).at(&reader.path)?;
        }
    }
    transaction.commit().at(&reader.path)
}
