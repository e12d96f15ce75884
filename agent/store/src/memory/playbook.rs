//! PLAYBOOK.md, every version of it (G-162, G-165).

use std::path::Path;

use golem_grimoire::id::Moment;
use golem_grimoire::playbook::Playbook;
use golem_ports::{PlaybookHeader, PlaybookVersion, Refusal, Revised, StoreError};
use golem_primitives::keccak256;
use rusqlite::{Connection, Row, params};

use super::columns::Words;
use crate::codec::{Columns, Number, tick};
use crate::error::{At, corrupt, refused};
use crate::reader::Reader;

impl Reader {
    /// A version of PLAYBOOK.md, or the newest.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be read, or is not what was written.
    pub fn playbook(&self, version: Option<u64>) -> Result<Option<PlaybookVersion>, StoreError> {
        let sql = "SELECT * FROM playbooks WHERE ?1 IS NULL OR version = ?1 ORDER BY version DESC LIMIT 1";
        let read = |row: &Row<'_>| Ok((header(row)?, row.get::<_, String>("text")?));
        let Some((header, text)) = self.maybe(sql, [version.map(Number)], read)? else { return Ok(None) };
        if keccak256(&text) != header.hash {
            return Err(corrupt(&self.path, format!("PLAYBOOK version {} is not what was written", header.version)));
        }
        let playbook: Playbook = text.parse().map_err(|error| {
            corrupt(&self.path, format!("PLAYBOOK version {} cannot be read: {error}", header.version))
        })?;
        Ok(Some(PlaybookVersion { header, text, playbook }))
    }

    /// Every version of PLAYBOOK.md, oldest first.
    pub fn playbook_versions(&self) -> Result<Vec<PlaybookHeader>, StoreError> {
        self.all("SELECT version, cycle, tick, at, rules, hash FROM playbooks ORDER BY version", (), header)
    }
}

fn header(row: &Row<'_>) -> rusqlite::Result<PlaybookHeader> {
    Ok(PlaybookHeader {
        version: Columns::number(row, "version")?,
        cycle: row.get("cycle")?,
        at: Moment::new(row.tick("tick")?, row.time("at")?),
        rules: Words::small(row, "rules")?,
        hash: row.hash("hash")?,
    })
}

/// Writes the version after the newest. What would not read back as it is never becomes one.
pub(super) fn write(to: &Connection, revised: &Revised, now: Moment, path: &Path) -> Result<(), StoreError> {
    let last = "SELECT coalesce(max(version), 0) AS version FROM playbooks";
    let last = to.query_row(last, (), |row| Columns::number(row, "version")).at(path)?;
    let got = revised.playbook.version();
    if got <= last {
        return Err(refused(path, Refusal::PlaybookVersion { got, last }));
    }
    let text = revised.playbook.to_string();
    if text.parse::<Playbook>().ok().as_ref() != Some(&revised.playbook) {
        let detail = format!("PLAYBOOK version {got} does not read back as it was written");
        return Err(refused(path, Refusal::OutOfStep { detail }));
    }
    let rules = u32::try_from(revised.playbook.rules().count()).unwrap_or(u32::MAX);
    let sql = "INSERT INTO playbooks (version, cycle, tick, at, rules, hash, text)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let at = (tick(now.tick), Number(now.at.seconds()));
    let values = params![Number(got), revised.cycle, at.0, at.1, rules, keccak256(&text).0, text];
    to.execute(sql, values).at(path).map(drop)
}
