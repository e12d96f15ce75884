//! Whether the file that is open is the one that lies there, and whether it lies where it was lived.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use golem_ports::StoreError;
use rusqlite::{Connection, OptionalExtension};

use crate::error::At;
use crate::lock::beside;

/// Under which note a memory says which file it is. A copy of the file is another.
const FILE_NOTE: &str = "file";

/// What a name stood for when it was opened: the file, and its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    file: (u64, u64),
    log: Option<(u64, u64)>,
}

impl Place {
    /// What lies at a path; the log is there as soon as a connection has looked.
    pub(crate) fn of(path: &Path) -> Result<Self, StoreError> {
        let id = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
        Ok(Self { file: id(path).at(path)?, log: id(&beside(path, "-wal")).ok() })
    }

    /// Whether it still lies there. Without its log a file is an older life, so that is looked at too.
    pub(crate) fn stands(&self, path: &Path) -> bool {
        Self::of(path).is_ok_and(|found| found == *self)
    }
}

/// Whether a memory lies in another file than it was last lived in. What was copied may be lived elsewhere as well.
pub(crate) fn is_copy(connection: &Connection, path: &Path) -> Result<bool, StoreError> {
    let number = number(path)?;
    Ok(noted(connection, path)?.is_some_and(|noted| noted != number))
}

fn noted(connection: &Connection, path: &Path) -> Result<Option<String>, StoreError> {
    let sql = "SELECT value FROM notes WHERE key = ?1";
    connection.query_row(sql, [FILE_NOTE], |row| row.get(0)).optional().at(path)
}

/// Lets a memory say which file it is, where it does not.
pub(crate) fn settle(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    if noted(connection, path)?.is_none() {
        let sql = "INSERT INTO notes (key, value) VALUES (?1, ?2)";
        connection.execute(sql, (FILE_NOTE, number(path)?)).at(path)?;
    }
    Ok(())
}

/// Lets it lie anywhere: the next who lives it settles there.
pub(crate) fn leave(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM notes WHERE key = ?1", [FILE_NOTE]).map(drop)
}

/// The number of a file on its disk. The disk's own number is not asked: it may be another after a restart.
fn number(path: &Path) -> Result<String, StoreError> {
    fs::metadata(path).map(|found| found.ino().to_string()).at(path)
}
