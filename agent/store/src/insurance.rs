//! R-025, M-227. Whole copies of a memory that prove themselves, and the way back from one.
//!
//! A copy is one sealed SQLite file: an insurance snapshot, an export and what is imported are the same thing.

use std::fs::{self, File, OpenOptions, Permissions};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use golem_ports::{StoreError, TAKE_OVER_NOTE};
use golem_primitives::{GolemId, Tick};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, TransactionBehavior};

use crate::codec::Columns;
use crate::error::{At, corrupt, failed};
use crate::lock::{Lock, beside};
use crate::open::{self, Care, Mode, Seen};
use crate::reader::Reader;
use crate::records::{Insured, Restoration};
use crate::{home, seal, sums};

/// Insurance snapshots that are kept: two days of them.
pub const INSURANCE_KEPT: usize = 8;

/// What lies beside a memory while SQLite works on it.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];
const EXTENSION: &str = "sqlite";

/// The folder in which the insurance snapshots of the store at `path` lie.
#[must_use]
pub fn folder_of(path: &Path) -> PathBuf {
    open::folder(path).join("insurance")
}

/// Every file in a folder of insurance snapshots, the newest tick first, those that cannot be used last. They are
/// looked at, not proved: [`verify`] does that, and [`restore`] never goes without it.
///
/// # Errors
/// [`StoreError`] when the folder cannot be read; a folder that is not there holds nothing.
pub fn list(folder: &Path) -> Result<Vec<Insured>, StoreError> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).at(folder)? {
        let path = entry.at(folder)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            let bytes = fs::metadata(&path).at(&path)?.len();
            let contents = sealed(&path).map(|(_, seen, tick)| (seen.golem, tick));
            found.push(Insured { path, bytes, contents });
        }
    }
    let tick = |insured: &Insured| insured.contents.as_ref().ok().map(|(_, tick)| *tick);
    found.sort_by(|a, b| tick(b).cmp(&tick(a)).then_with(|| a.path.cmp(&b.path)));
    Ok(found)
}

/// Proves a copy: every page, every index, every value against its seal. Answers whose it is and where it stands.
///
/// # Errors
/// [`StoreError`] for a copy that is damaged, unsealed, of another schema, or another Golem's.
pub fn verify(path: &Path, wanted: Option<&GolemId>) -> Result<(GolemId, Tick), StoreError> {
    let path = open::locate(path)?;
    let (connection, seen, tick) = sealed(&path)?;
    open::expect(&seen, wanted, &path)?;
    prove(&connection, tick, &path)?;
    Ok((seen.golem, tick))
}

/// Puts a copy in the place of a store, or where there is none. The copy is proved first, a store in use is left alone,
/// and the file that was there is kept aside: sound, damaged, or of a schema that this program does not know.
///
/// # Errors
/// [`StoreError`] for a copy that cannot be believed and a store that is in use or another Golem's; then nothing was
/// changed.
pub fn restore(from: &Path, to: &Path, golem: &GolemId) -> Result<Restoration, StoreError> {
    let (from, to) = (open::locate(from)?, open::place(to)?);
    let (connection, seen, tick) = sealed(&from)?;
    open::expect(&seen, Some(golem), &from)?;
    drop(connection);
    let _lock = Lock::take(&to)?;
    match refuse_foreign(&to, golem) {
        // It is kept aside, so that the program that knows its schema still has it.
        Err(StoreError::OtherSchema { .. }) => {}
        said => said?,
    }
    let half = beside(&to, ".restoring");
    clear(&half)?;
    fs::copy(&from, &half).at(&half)?;
    fs::set_permissions(&half, Permissions::from_mode(0o600)).at(&half)?;
    // What is proved is the very bytes that will be lived on, not those they were copied from.
    let seq = revive(&half, tick).inspect_err(|_| drop(clear(&half))).map_err(|error| rename(error, &half, &from))?;
    let replaced = put_aside(&to)?;
    put_in_place(&half, &to)?;
    Ok(Restoration { golem: *golem, tick, seq, replaced })
}

/// Takes the memory that lies there for the one to go on from: a copy whose original is gone for good, one that is
/// older than what the chain knows, or one whose rows were damaged and nothing better is at hand. Its pages must be sound.
/// Answers the tables that were not what was written.
///
/// # Errors
/// [`StoreError`] for a file that is in use, of another Golem, or cannot be read; then nothing was changed.
pub fn accept(path: &Path, golem: &GolemId) -> Result<Vec<String>, StoreError> {
    let path = open::locate(path)?;
    let _lock = Lock::take(&path)?;
    let mut connection = open::connect(&path, Mode::Write)?;
    let seen = open::look(&connection, &path)?;
    open::expect(&seen, Some(golem), &path)?;
    open::examine(&connection, Care::Quick, &path)?;
    let damaged = sums::damaged(&connection).at(&path)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).at(&path)?;
    take_over(&transaction, &path)?;
    sums::begin(&transaction).at(&path)?;
    transaction.commit().at(&path)?;
    Ok(damaged)
}

/// The owner has chosen this memory: it lies where it lies, and what the chain knows beyond it is no reason to refuse.
fn take_over(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    home::leave(connection).at(path)?;
    let sql = "INSERT INTO notes (key, value) VALUES (?1, 'by its owner')
               ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    connection.execute(sql, [TAKE_OVER_NOTE]).at(path).map(drop)
}

impl Reader {
    /// Writes one portable, sealed file: the whole memory as it is now.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when something is there; otherwise what kept it from being written.
    pub fn export(&self, to: &Path) -> Result<(), StoreError> {
        let to = open::place(to)?;
        if to.exists() {
            return Err(StoreError::Exists { path: to });
        }
        let newest = self.one("SELECT coalesce(max(tick), 0) AS tick FROM ticks", (), |row| row.tick("tick"))?;
        copy(self, newest, &to)
    }
}

/// Writes the snapshot of a tick and lets the oldest go. Taken again for the same tick, as after a crash, it replaces
/// the one before.
pub(crate) fn insure(reader: &Reader, tick: Tick) -> Result<PathBuf, StoreError> {
    let folder = folder_of(&reader.path);
    fs::create_dir_all(&folder).at(&folder)?;
    let to = folder.join(format!("{}.{EXTENSION}", tick.get()));
    refuse_foreign(&to, &reader.golem)?;
    copy(reader, tick, &to)?;
    for old in beyond_kept(list(&folder)?, &reader.golem, tick) {
        fs::remove_file(&old).at(&old)?;
    }
    Ok(to)
}

/// Ours that are too many. After a restore the folder may hold ticks this life has not lived yet: those go first, or the
/// future that was given up would crowd out the snapshots of the life that is lived.
fn beyond_kept(all: Vec<Insured>, golem: &GolemId, tick: Tick) -> Vec<PathBuf> {
    let ours = all.into_iter().filter_map(|insured| {
        insured.contents.ok().filter(|(owner, _)| owner == golem).map(|(_, at)| (at, insured.path))
    });
    let (mut lived, unlived): (Vec<_>, Vec<_>) = ours.partition(|(at, _)| *at <= tick);
    lived.extend(unlived);
    lived.into_iter().skip(INSURANCE_KEPT).map(|(_, path)| path).collect()
}

/// A healthy memory of another Golem, or of another schema, is never written over. One that cannot be read is nobody's any
/// more.
fn refuse_foreign(path: &Path, golem: &GolemId) -> Result<(), StoreError> {
    if !path.exists() {
        return Ok(());
    }
    let seen = open::connect(path, open::still(path)).and_then(|connection| open::look(&connection, path));
    match seen {
        Ok(seen) => open::expect(&seen, Some(golem), path),
        Err(error @ StoreError::OtherSchema { .. }) => Err(error),
        Err(_) => Ok(()),
    }
}

/// Copies a memory into one sealed file. It appears whole or not at all.
fn copy(from: &Reader, tick: Tick, to: &Path) -> Result<(), StoreError> {
    let half = beside(to, ".part");
    clear(&half)?;
    let written = write_copy(from, tick, &half).and_then(|()| put_in_place(&half, to));
    // A copy that failed leaves nothing: on a full disk its bytes are what the life itself needs.
    written.inspect_err(|_| drop(clear(&half)))
}

fn write_copy(from: &Reader, tick: Tick, half: &Path) -> Result<(), StoreError> {
    create_private(half)?;
    let mut target = Connection::open(half).at(half)?;
    match Backup::new(&from.connection, &mut target).and_then(|backup| backup.step(-1)).at(half)? {
        StepResult::Done => {}
        // One step copies everything unless someone else holds the file.
        _ => return Err(failed(half, "the memory was busy; nothing was copied")),
    }
    target.close().map_err(|(_, error)| error).at(half)?;
    let target = open::connect(half, Mode::Write)?;
    // One file without a log: it can be read from a read-only disk.
    let set = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    target.pragma_update_and_check(None, "journal_mode", "DELETE", set).at(half)?;
    open::examine(&target, Care::Full, half)?;
    // What is damaged is not sealed as if it were sound.
    sums::check(&target, &from.path)?;
    seal::put(&target, tick).at(half)?;
    target.close().map_err(|(_, error)| error).at(half)
}

/// Opens a copy and reads what it says of itself.
fn sealed(path: &Path) -> Result<(Connection, Seen, Tick), StoreError> {
    let connection = open::connect(path, Mode::Still)?;
    let seen = open::look(&connection, path)?;
    let seal = seal::read(&connection).at(path)?;
    let seal = seal.ok_or_else(|| corrupt(path, "it carries no seal: a living memory is exported, not copied"))?;
    Ok((connection, seen, seal.tick))
}

fn prove(connection: &Connection, tick: Tick, path: &Path) -> Result<(), StoreError> {
    open::measure(connection, path)?;
    open::examine(connection, Care::Full, path)?;
    let digest = seal::digest(connection, tick).at(path)?;
    match seal::read(connection).at(path)? {
        Some(seal) if seal.tick == tick && seal.digest == digest => Ok(()),
        _ => Err(corrupt(path, "its contents are not what was sealed")),
    }
}

/// Makes a living memory of a proved copy; answers its last pass.
fn revive(half: &Path, tick: Tick) -> Result<u64, StoreError> {
    let (connection, _, _) = sealed(half)?;
    prove(&connection, tick, half)?;
    drop(connection);
    let connection = open::connect(half, Mode::Write)?;
    seal::remove(&connection).at(half)?;
    take_over(&connection, half)?;
    open::write_ahead(&connection, half)?;
    let last = "SELECT coalesce(max(seq), 0) AS seq FROM journal";
    let seq = connection.query_row(last, (), |row| row.number("seq")).at(half)?;
    connection.close().map_err(|(_, error)| error).at(half)?;
    Ok(seq)
}

/// The working file's troubles are told of the file the owner named.
fn rename(error: StoreError, half: &Path, from: &Path) -> StoreError {
    match error {
        StoreError::Corrupt { path, detail } if path == half => corrupt(from, detail),
        error => error,
    }
}

/// Moves the store that is there aside, its log with it. The file goes first: a crash in between leaves no file, which
/// is noticed, rather than a file without its log, which would be an older life that nobody notices.
fn put_aside(path: &Path) -> Result<Option<PathBuf>, StoreError> {
    let name = |number: u32| beside(path, &format!(".replaced-{number}"));
    let free = (1..).find(|number| !name(*number).exists()).expect("fewer files than numbers");
    let aside = if path.exists() {
        fs::rename(path, name(free)).at(path)?;
        name(free)
    } else {
        // An earlier restore was cut off here: what is left of the store belongs to the last one put aside.
        name(free.saturating_sub(1).max(1))
    };
    for companion in COMPANIONS {
        let left = beside(path, companion);
        if left.exists() {
            fs::rename(&left, beside(&aside, companion)).at(&left)?;
        }
    }
    sync_folder(path)?;
    Ok(aside.exists().then_some(aside))
}

/// Removes a working file and what SQLite left beside it.
pub(crate) fn clear(half: &Path) -> Result<(), StoreError> {
    let companions = COMPANIONS.map(|companion| beside(half, companion));
    for path in companions.iter().map(PathBuf::as_path).chain([half]) {
        match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error).at(path),
            _ => {}
        }
    }
    Ok(())
}

/// An empty file that only its owner reads: SQLite gives its log the same rights.
pub(crate) fn create_private(path: &Path) -> Result<(), StoreError> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map(drop).at(path)
}

/// Gives a finished file its name, on disk before this returns.
pub(crate) fn put_in_place(half: &Path, path: &Path) -> Result<(), StoreError> {
    File::open(half).and_then(|file| file.sync_all()).at(half)?;
    fs::rename(half, path).at(path)?;
    sync_folder(path)
}

fn sync_folder(path: &Path) -> Result<(), StoreError> {
    let folder = open::folder(path);
    File::open(folder).and_then(|folder| folder.sync_all()).at(folder)
}
