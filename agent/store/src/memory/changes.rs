//! What happened to an entry, for its history. Never what it said: that goes with it when it burns.

use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::shelf::Change;
use golem_ports::StoreError;
use golem_primitives::{B256, EffectId};
use rusqlite::Connection;

use super::columns::Words;
use crate::codec::{Columns, Number, tick};
use crate::reader::Reader;

/// Something that happened to an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryChange {
    pub at: Moment,
    pub what: String,
    /// What caused it: the effect that asked for the cycle, or the cause given with it.
    pub cause: Option<B256>,
    pub note: Option<String>,
}

impl Reader {
    /// What happened to an entry, oldest first.
    pub fn history(&self, id: EntryId) -> Result<Vec<EntryChange>, StoreError> {
        let sql = "SELECT tick, at, what, cause, note FROM changes WHERE entry = ?1 ORDER BY place";
        self.all(sql, [id.to_be_bytes()], |row| {
            Ok(EntryChange {
                at: Moment::new(row.tick("tick")?, row.time("at")?),
                what: row.get("what")?,
                cause: row.maybe_hash("cause")?,
                note: row.get("note")?,
            })
        })
    }
}

fn words(change: &Change) -> Option<(&'static str, Option<String>)> {
    Some(match change {
        Change::Add(_) => ("added", None),
        Change::Vote { votes, .. } => ("voted", Some(format!("{} for, {} against", votes.up, votes.down))),
        Change::Check { correct, .. } => ("checked", Some(if *correct { "right" } else { "wrong" }.to_owned())),
        Change::Promote { .. } => ("promoted", None),
        Change::Demote { .. } => ("demoted", None),
        Change::Archive { reason, .. } => ("archived", Some(reason.name().to_owned())),
        Change::Restore { votes, .. } => ("restored", Some(format!("{} for, {} against", votes.up, votes.down))),
        Change::Burn { reason, .. } => ("burned", Some(reason.name().to_owned())),
        Change::Edit { finding, .. } => ("counted", Some(format!("{} of {} held", finding.held, finding.trials))),
        Change::CountLink { link, .. } => ("counted", Some(format!("{} of {} looks", link.weight, link.evidence))),
        Change::Settle { .. } => ("settled", None),
        // Every cycle happens to every living entry; saying so each time would drown the rest.
        Change::Cycle { .. } => return None,
    })
}

/// Notes a change of a cycle.
pub(super) fn note(
    to: &Connection,
    id: EntryId,
    now: Moment,
    cause: Option<EffectId>,
    change: &Change,
) -> rusqlite::Result<()> {
    let Some((what, more)) = words(change) else { return Ok(()) };
    say(to, id, now, what, cause.map(|effect| effect.0), more.as_deref())
}

/// Notes anything else that happened to an entry.
pub(super) fn say(
    to: &Connection,
    id: EntryId,
    now: Moment,
    what: &str,
    cause: Option<B256>,
    more: Option<&str>,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO changes (entry, tick, at, what, cause, note) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let at = (tick(now.tick), Number(now.at.seconds()));
    to.prepare_cached(sql)?.execute((id.to_be_bytes(), at.0, at.1, what, cause.map(|cause| cause.0), more)).map(drop)
}
