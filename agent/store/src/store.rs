//! The one writer of a life.

use std::path::{Path, PathBuf};

use golem_core::life::Life;
use golem_ports::{Payments, StoreError};
use golem_primitives::GolemId;
use rusqlite::Params;

use crate::commit::run;
use crate::error::{At, corrupt, foreign};
use crate::home::Place;
use crate::lock::{Lock, beside};
use crate::memory::index::Index;
use crate::open::{self, Care, Mode};
use crate::reader::Reader;
use crate::schema;
use crate::{home, insurance, seal, sums};

/// A life's memory, held by this process alone.
#[derive(Debug)]
pub struct SqliteStore {
    // Closed before the lock is let go: fields drop in this order.
    reader: Reader,
    /// What it opened, to notice when something else lies there.
    place: Place,
    /// None for a second hand, which lives under the first one's.
    _lock: Option<Lock>,
}

impl SqliteStore {
    /// Makes the memory of a life that begins. The file appears whole or not at all.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when something is there, [`StoreError::Foreign`] when the life is not that Golem's.
    pub fn create(path: &Path, golem: &GolemId, birth: &Life) -> Result<Self, StoreError> {
        let path = open::place(path)?;
        if birth.id() != golem {
            return Err(foreign(&path, birth.id(), golem));
        }
        let lock = Lock::take(&path)?;
        if path.exists() {
            return Err(StoreError::Exists { path });
        }
        if beside(&path, "-wal").exists() {
            return Err(corrupt(&path, "its log is there and the file itself is gone"));
        }
        let half = beside(&path, ".new");
        insurance::clear(&half)?;
        insurance::create_private(&half)?;
        let mut connection = open::connect(&half, Mode::Write)?;
        open::write_ahead(&connection, &half)?;
        schema::create(&mut connection).at(&half)?;
        let bytes = birth.to_snapshot();
        let hash = golem_primitives::keccak256(&bytes).0;
        let sql = "INSERT INTO meta (id, golem, life, hash) VALUES (1, ?1, ?2, ?3)";
        connection.execute(sql, (golem.as_str(), bytes, hash)).at(&half)?;
        connection.close().map_err(|(_, error)| error).at(&half)?;
        insurance::put_in_place(&half, &path)?;
        Self::hold(path, Some(lock))
    }

    /// Opens the memory of a life to live on. Whatever is wrong with the file is found before a byte of it changes.
    ///
    /// # Errors
    /// [`StoreError`] for no file, one in use, damaged, foreign or of another schema.
    pub fn open(path: &Path, expected: Option<&GolemId>) -> Result<Self, StoreError> {
        let path = open::locate(path)?;
        let lock = Lock::take(&path)?;
        let mode = open::still(&path);
        let connection = open::connect(&path, mode)?;
        let seen = open::look(&connection, &path)?;
        open::expect(&seen, expected, &path)?;
        if mode == Mode::Still {
            open::measure(&connection, &path)?;
        }
        open::examine(&connection, Care::Quick, &path)?;
        if seal::read(&connection).at(&path)?.is_some() {
            return Err(corrupt(&path, "it is a sealed copy, not a living memory"));
        }
        sums::check(&connection, &path)?;
        if home::is_copy(&connection, &path)? {
            return Err(StoreError::Copied { path });
        }
        connection.close().map_err(|(_, error)| error).at(&path)?;
        Self::hold(path, Some(lock))
    }

    fn hold(path: PathBuf, lock: Option<Lock>) -> Result<Self, StoreError> {
        let connection = open::connect(&path, Mode::Write)?;
        open::write_ahead(&connection, &path)?;
        let golem = open::look(&connection, &path)?.golem;
        home::settle(&connection, &path)?;
        let place = Place::of(&path)?;
        Ok(Self { reader: Reader { connection, path, golem, index: Index::default() }, place, _lock: lock })
    }

    /// Whether the file that is written is still the one that lies there: what is written into one that was removed
    /// or replaced is gone with this process. What is remembered here and nowhere else is kept as a copy.
    pub(crate) fn stand(&self) -> Result<(), StoreError> {
        if self.place.stands(self.path()) {
            return Ok(());
        }
        let kept = self.rescue().inspect_err(|error| tracing::error!(%error, "what was remembered could not be kept"));
        Err(StoreError::Gone { path: self.path().into(), kept: kept.ok() })
    }

    fn rescue(&self) -> Result<PathBuf, StoreError> {
        let folder = self.insurance_folder();
        match std::fs::create_dir(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(error).at(&folder),
            _ => {}
        }
        let passes = self.reader.counts()?.passes;
        let to = folder.join(format!("rescued-{passes}.sqlite"));
        if !to.exists() {
            self.reader.export(&to)?;
        }
        Ok(to)
    }

    /// A second hand on the same memory that writes payments and nothing else, for who pays beside the life. The
    /// life's own lock stands over both.
    pub fn till(&self) -> Result<impl Payments + Send + use<>, StoreError> {
        Self::hold(self.path().to_owned(), None)
    }

    /// The questions that can be asked of it.
    #[must_use]
    pub const fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.reader.path()
    }

    /// The folder its insurance snapshots lie in.
    #[must_use]
    pub fn insurance_folder(&self) -> PathBuf {
        insurance::folder_of(self.path())
    }

    /// Bounds the file, as a host's quota does: beyond it every write is [`StoreError::DiskFull`] and nothing is lost.
    /// A bound below what is already there is held at that.
    pub fn limit(&mut self, bytes: u64) -> Result<(), StoreError> {
        let size: i64 =
            self.reader.connection.pragma_query_value(None, "page_size", |row| row.get(0)).at(self.path())?;
        let pages = i64::try_from(bytes).unwrap_or(i64::MAX) / size.max(1);
        let set = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        self.reader.connection.pragma_update_and_check(None, "max_page_count", pages.max(1), set).at(self.path())?;
        Ok(())
    }

    pub(crate) fn write(&mut self, sql: &str, values: impl Params) -> Result<usize, StoreError> {
        run(&self.reader.connection, sql, values).at(&self.reader.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// what no killed process can show, because the kernel outlives it: each commit waits for the disk.
    #[test]
    fn r_021_a_commit_waits_for_the_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let golem = GolemId::new("golem-0001").expect("a name");
        let law = golem_mortality::law::Law::hosted();
        let funding = golem_primitives::Usdc::whole(50);
        let birth = Life::birth(golem, law, funding, 0, golem_primitives::UtcTime::EPOCH).expect("funded");
        let path = folder.path().join("golem.sqlite");
        let made = SqliteStore::create(&path, &golem, &birth).expect("a new memory");
        let settings = |store: &SqliteStore| {
            let ask = |name| store.reader.connection.pragma_query_value(None, name, |row| row.get::<_, String>(0));
            let number = |name| store.reader.connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
            (ask("journal_mode").expect("a mode"), number("synchronous").expect("a level"))
        };
        assert_eq!(settings(&made), ("wal".into(), 2));
        drop(made);
        assert_eq!(settings(&SqliteStore::open(&path, None).expect("a memory")), ("wal".into(), 2));
    }
}
