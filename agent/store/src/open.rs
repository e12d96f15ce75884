//! Looking before touching: a file is judged without a byte of it changing, and only then opened for writing.

use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use golem_ports::StoreError;
use golem_primitives::GolemId;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::codec::Name;
use crate::error::{At, corrupt, failed, foreign};
use crate::lock::beside;
use crate::schema::{self, APPLICATION_ID, SCHEMA};
use crate::sums;

/// How long a reader waits for a writer that is just finishing, and the other way round. Who holds it for longer is told of,
/// and a life waits for him as for room on the disk.
const PATIENCE: Duration = Duration::from_secs(2);
/// What is left of the log after a checkpoint; a log that once grew gives its room back.
const LOG_BYTES: u32 = 8 << 20;

/// A tick touches a dozen pages; a fleet has a thousand writers in one process.
const CACHE_KIB: i32 = 256;
/// Statements that stay read: a pass with everything in it runs some forty different ones.
const STATEMENTS: usize = 48;

/// How a file is opened. None of them creates one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Nobody writes it: no lock, no log, no file beside it.
    Still,
    /// Somebody may be writing it.
    Read,
    Write,
}

/// What a file says of itself.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) golem: GolemId,
}

/// The one name of a file that is there.
pub(crate) fn locate(path: &Path) -> Result<PathBuf, StoreError> {
    path.canonicalize().at(path)
}

/// The one name of a file that need not be there; its folder must.
pub(crate) fn place(path: &Path) -> Result<PathBuf, StoreError> {
    if let Ok(found) = path.canonicalize() {
        return Ok(found);
    }
    let name = path.file_name().ok_or_else(|| failed(path, "a file's name is needed"))?;
    let folder = folder(path);
    if !folder.is_dir() {
        return Err(failed(path, format!("there is no folder {}; make it first", folder.display())));
    }
    Ok(folder.canonicalize().at(folder)?.join(name))
}

/// The folder a file lies in.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Opens a file that is there.
pub(crate) fn connect(path: &Path, mode: Mode) -> Result<Connection, StoreError> {
    let access = match mode {
        Mode::Still | Mode::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Mode::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let flags = access | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address(path, mode), flags).at(path)?;
    configure(&connection, mode).at(path)?;
    Ok(connection)
}

fn configure(connection: &Connection, mode: Mode) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    // A file may come from elsewhere: nothing in its schema is run, and no statement of ours can damage it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    // A question's words are told apart in a table of their own, which is gone with the connection.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    sums::register(connection)?;
    if mode == Mode::Write {
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        // Money: a commit is on the disk when it returns, not when the next checkpoint comes.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "fullfsync", true)?;
        connection.pragma_update(None, "checkpoint_fullfsync", true)?;
        connection.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    }
    Ok(())
}

/// The file as an address. Bytes that mean something in an address are written as %XX.
fn address(path: &Path, mode: Mode) -> String {
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            address.push(char::from(*byte));
        } else {
            write!(address, "%{byte:02X}").expect("a string takes everything");
        }
    }
    if mode == Mode::Still {
        address.push_str("?immutable=1");
    }
    address
}

/// How to look at a file that nobody writes: when a log lies beside it the newest of it is in there.
pub(crate) fn still(path: &Path) -> Mode {
    let log = std::fs::metadata(beside(path, "-wal")).map(|log| log.len());
    if log.is_ok_and(|bytes| bytes > 0) { Mode::Read } else { Mode::Still }
}

/// Whether a file is a Golem's memory this code can read, and whose.
pub(crate) fn look(connection: &Connection, path: &Path) -> Result<Seen, StoreError> {
    let (application, found) = schema::header(connection).at(path)?;
    // Zero is what a header says that nobody wrote.
    if application != APPLICATION_ID || found == 0 {
        return Err(corrupt(path, "it is not a Golem's memory"));
    }
    if found != SCHEMA {
        return Err(StoreError::OtherSchema { path: path.into(), found, known: SCHEMA });
    }
    schema::check(connection, path)?;
    let Name(golem) = connection.query_one("SELECT golem FROM meta WHERE id = 1", (), |row| row.get(0)).map_err(
        |error| match error {
            rusqlite::Error::QueryReturnedNoRows => corrupt(path, "it names no Golem"),
            error => Err::<(), _>(error).at(path).expect_err("an error"),
        },
    )?;
    Ok(Seen { golem })
}

/// Whether it is the one that is wanted.
pub(crate) fn expect(seen: &Seen, wanted: Option<&GolemId>, path: &Path) -> Result<(), StoreError> {
    match wanted {
        Some(wanted) if *wanted != seen.golem => Err(foreign(path, &seen.golem, wanted)),
        _ => Ok(()),
    }
}

/// Whether a file that nobody writes has all the bytes it says. SQLite reads what is missing of the last page as zeros,
/// and those can pass for a page.
pub(crate) fn measure(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let word = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0)).at(path);
    let said = word("page_count")?.saturating_mul(word("page_size")?);
    let found = std::fs::metadata(path).at(path)?.len();
    if u64::try_from(said).is_ok_and(|said| said <= found) {
        return Ok(());
    }
    Err(corrupt(path, format!("it has {found} bytes and should have {said}")))
}

/// How closely pages are looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Care {
    /// Every page, in one pass: at each start.
    Quick,
    /// Indexes against their tables as well: before a copy is believed.
    Full,
}

/// Whether every page is what it should be.
pub(crate) fn examine(connection: &Connection, care: Care, path: &Path) -> Result<(), StoreError> {
    let pragma = match care {
        Care::Quick => "PRAGMA quick_check(1)",
        Care::Full => "PRAGMA integrity_check(1)",
    };
    let said: String = connection.query_one(pragma, (), |row| row.get(0)).at(path)?;
    if said == "ok" { Ok(()) } else { Err(corrupt(path, said)) }
}

/// Readers and the writer do not wait for each other.
pub(crate) fn write_ahead(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let set = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    let mode = connection.pragma_update_and_check(None, "journal_mode", "WAL", set).at(path)?;
    if mode == "wal" { Ok(()) } else { Err(failed(path, format!("its disk has no write-ahead log, only {mode}"))) }
}
