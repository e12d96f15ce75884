//! The log of one machine: a SQLite file with one writer, who puts on disk at once whatever came while he was at the disk.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use alloy::primitives::{Address, B256};
use golem_edge::files;
use golem_inheritance::clade::delta::TTL;
use golem_primitives::UtcTime;
use rusqlite::{Connection, OptionalExtension as _, params};
use tokio::sync::{mpsc, oneshot};

use super::{Filing, Fresh, Later, LeftScent, Log, LogEntry, LogError, OWNER_BYTES, Page, is_kept, settle};
use crate::frame::Frame;
use crate::message::PAGE_BYTES;
use crate::scents::SCENT_TTL;

/// In the file's header: this is a relay's log. The letters STYX.
const APPLICATION_ID: u32 = 0x5354_5958;
/// Jobs that wait for the writer; whoever comes then waits himself.
const QUEUE: usize = 1_024;
/// Jobs of one commit.
const GROUP: usize = 256;

/// A folder that cannot be a relay's.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogOpenError {
    /// Two relays would not hear what the other stores.
    #[error("another relay is at work in {folder}; end it, or give this one a folder of its own", folder = .0.display())]
    Taken(PathBuf),
    #[error("{path} is no log of a relay; give the relay an empty folder", path = .0.display())]
    Foreign(PathBuf),
    #[error("the relay's folder cannot be used")]
    Folder(#[from] files::FileError),
    #[error("the relay's folder cannot be locked")]
    Lock(#[from] std::io::Error),
    #[error("the relay's log cannot be opened")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the operating system gave no randomness")]
    NoRandomness,
}

enum Job {
    Append { owner: Address, frame: Box<Frame>, now: UtcTime, answer: oneshot::Sender<Result<Filing, LogError>> },
    Leave { scent: Box<LeftScent>, answer: oneshot::Sender<Result<(), LogError>> },
    Sweep { now: UtcTime, answer: oneshot::Sender<Result<(), LogError>> },
}

/// A log in a folder.
#[derive(Debug)]
pub struct SqliteLog {
    name: String,
    salt: [u8; 32],
    jobs: mpsc::Sender<Job>,
    reader: Arc<Mutex<Connection>>,
    listener: Arc<Mutex<Option<mpsc::Sender<Fresh>>>>,
    lock: File,
}

impl Drop for SqliteLog {
    fn drop(&mut self) {
        // A process that is being begun elsewhere in this one has a copy of the file until it runs its program; closing ours alone
        // would leave the folder locked for that long.
        let _ = self.lock.unlock();
    }
}

impl SqliteLog {
    /// Opens the log of a folder, or begins one.
    ///
    /// # Errors
    /// [`LogOpenError`]: who has it already, or what is wrong with it.
    pub fn open(folder: &Path) -> Result<Self, LogOpenError> {
        files::make_folder(folder)?;
        let lock = files::open(&folder.join("lock"), OpenOptions::new().write(true).create(true).truncate(false))?;
        lock.try_lock().map_err(|error| match error {
            std::fs::TryLockError::WouldBlock => LogOpenError::Taken(folder.to_owned()),
            std::fs::TryLockError::Error(error) => LogOpenError::Lock(error),
        })?;
        let path = folder.join("log.sqlite");
        let mut writer = connect(&path)?;
        prepare(&mut writer, &path)?;
        let (name, salt) = writer.query_one("SELECT name, salt FROM meta", (), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let reader = Arc::new(Mutex::new(connect(&path)?));
        let listener = Arc::new(Mutex::new(None));
        let (jobs, queue) = mpsc::channel(QUEUE);
        let rooms = rooms(&writer)?;
        let desk = Writer { connection: writer, rooms, listener: Arc::clone(&listener) };
        std::thread::Builder::new().name("relay-log".to_owned()).spawn(move || desk.work(queue))?;
        Ok(Self { name, salt, jobs, reader, listener, lock })
    }

    async fn ask<T>(&self, job: Job, answer: oneshot::Receiver<Result<T, LogError>>) -> Result<T, LogError> {
        self.jobs.send(job).await.map_err(|_| LogError::away("its writer has ended"))?;
        answer.await.unwrap_or_else(|_| Err(LogError::away("its writer has ended")))
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, LogError> {
        let reader = Arc::clone(&self.reader);
        let work = move || read(&reader.lock().unwrap_or_else(PoisonError::into_inner));
        let read = tokio::task::spawn_blocking(work).await.map_err(LogError::away)?;
        read.map_err(LogError::away)
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

fn prepare(connection: &mut Connection, path: &Path) -> Result<(), LogOpenError> {
    let tables: i64 = connection.query_one("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if tables > 0 {
        return if application == i64::from(APPLICATION_ID) {
            Ok(())
        } else {
            Err(LogOpenError::Foreign(path.to_owned()))
        };
    }
    let mut random = [0; 48];
    getrandom::fill(&mut random).map_err(|_| LogOpenError::NoRandomness)?;
    let (name, salt) = random.split_at(16);
    let transaction = connection.transaction()?;
    transaction.execute_batch(include_str!("schema.sql"))?;
    transaction.execute("INSERT INTO meta VALUES (1, ?1, ?2)", params![alloy::hex::encode(name), salt])?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.commit()?;
    Ok(())
}

/// Bytes of each owner.
fn rooms(connection: &Connection) -> rusqlite::Result<BTreeMap<Address, u64>> {
    let mut sums = connection.prepare("SELECT owner, sum(length(frame)) FROM frames GROUP BY owner")?;
    sums.query_map((), |row| Ok((Address::from(row.get::<_, [u8; 20]>(0)?), row.get::<_, i64>(1)?.unsigned_abs())))?
        .collect()
}

/// Who holds the pen.
struct Writer {
    connection: Connection,
    rooms: BTreeMap<Address, u64>,
    listener: Arc<Mutex<Option<mpsc::Sender<Fresh>>>>,
}

/// What is told when the commit is on disk.
enum Done {
    Append(oneshot::Sender<Result<Filing, LogError>>, Result<Filing, LogError>),
    Plain(oneshot::Sender<Result<(), LogError>>, Result<(), LogError>),
}

impl Writer {
    fn work(mut self, mut queue: mpsc::Receiver<Job>) {
        let mut jobs = Vec::with_capacity(GROUP);
        while queue.blocking_recv_many(&mut jobs, GROUP) > 0 {
            let (done, fresh) = match self.group(&mut jobs) {
                Ok(done) => done,
                // What was counted for frames that are not on disk is counted again.
                Err((error, done)) => {
                    tracing::error!(%error, "the relay's log cannot be written");
                    self.rooms = rooms(&self.connection).unwrap_or_else(|_| std::mem::take(&mut self.rooms));
                    (done.into_iter().map(|one| one.failed(&error)).collect(), Vec::new())
                }
            };
            done.into_iter().for_each(Done::tell);
            let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(listener) = listener {
                fresh.into_iter().for_each(|fresh| drop(listener.blocking_send(fresh)));
            }
        }
    }

    #[allow(clippy::type_complexity, reason = "the two ends of one commit")]
    fn group(&mut self, jobs: &mut Vec<Job>) -> Result<(Vec<Done>, Vec<Fresh>), (rusqlite::Error, Vec<Done>)> {
        let (mut done, mut fresh) = (Vec::with_capacity(jobs.len()), Vec::new());
        let transaction = match self.connection.transaction() {
            Ok(transaction) => transaction,
            Err(error) => return Err((error, jobs.drain(..).map(Job::given_up).collect())),
        };
        for job in jobs.drain(..) {
            match job {
                Job::Append { owner, frame, now, answer } => {
                    let kept = append(&transaction, &mut self.rooms, owner, &frame, now);
                    if let Ok((kept, Some(bytes))) = &kept {
                        let entry = LogEntry { place: kept.place, vault: frame.vault, frame: Arc::clone(bytes) };
                        fresh.push(Fresh::Frame(owner, entry));
                    }
                    done.push(Done::Append(answer, kept.map(|(kept, _)| kept)));
                }
                Job::Leave { scent, answer } => {
                    let text = serde_json::to_string(&scent).expect("plain data");
                    let left = transaction
                        .prepare_cached("INSERT INTO scents (at, scent) VALUES (?1, ?2)")
                        .and_then(|mut insert| insert.execute(params![scent.at as i64, text]))
                        .map(|_| fresh.push(Fresh::Scent(scent)))
                        .map_err(LogError::away);
                    done.push(Done::Plain(answer, left));
                }
                Job::Sweep { now, answer } => {
                    let swept = sweep(&transaction, now).and_then(|()| rooms(&transaction));
                    let swept = swept.map(|rooms| self.rooms = rooms).map_err(LogError::away);
                    done.push(Done::Plain(answer, swept));
                }
            }
        }
        match transaction.commit() {
            Ok(()) => Ok((done, fresh)),
            Err(error) => Err((error, done)),
        }
    }
}

type Added = (Filing, Option<Arc<[u8]>>);

fn append(
    connection: &Connection,
    rooms: &mut BTreeMap<Address, u64>,
    owner: Address,
    frame: &Frame,
    now: UtcTime,
) -> Result<Added, LogError> {
    let known = connection
        .prepare_cached("SELECT place, content FROM frames WHERE vault = ?1 AND seq = ?2")
        .and_then(|mut known| {
            let row = (frame.vault.as_slice(), frame.seq as i64);
            known.query_one(row, |row| Ok((row.get::<_, i64>(0)?, row.get::<_, [u8; 32]>(1)?))).optional()
        })
        .map_err(LogError::away)?;
    if let Some((place, content)) = known {
        return settle(place.unsigned_abs(), B256::from(content), frame).map(|kept| (kept, None));
    }
    let last = last_seq(connection, frame.vault).map_err(LogError::away)?;
    if frame.seq <= last {
        return Err(LogError::Replayed { seq: frame.seq, last });
    }
    let bytes: Arc<[u8]> = frame.encode().into();
    let room = rooms.entry(owner).or_default();
    if *room + bytes.len() as u64 > OWNER_BYTES {
        return Err(LogError::Full);
    }
    let content = frame.content();
    let row = params![
        owner.as_slice(),
        frame.vault.as_slice(),
        frame.seq as i64,
        content.as_slice(),
        now.seconds() as i64,
        &*bytes
    ];
    connection
        .prepare_cached(
            "INSERT INTO frames (owner, vault, seq, content, stored, frame) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .and_then(|mut insert| insert.execute(row))
        .map_err(LogError::away)?;
    *room += bytes.len() as u64;
    let place = connection.last_insert_rowid().unsigned_abs();
    Ok((Filing { place, is_again: false }, Some(bytes)))
}

fn last_seq(connection: &Connection, vault: Address) -> rusqlite::Result<u64> {
    let mut last = connection.prepare_cached("SELECT max(seq) FROM frames WHERE vault = ?1")?;
    let last: Option<i64> = last.query_one([vault.as_slice()], |row| row.get(0))?;
    Ok(last.unwrap_or_default().unsigned_abs())
}

fn sweep(connection: &Connection, now: UtcTime) -> rusqlite::Result<()> {
    let before = |span: std::time::Duration| now.seconds().saturating_sub(span.as_secs()) as i64;
    connection.execute("DELETE FROM frames WHERE stored < ?1", [before(TTL)])?;
    connection.execute("DELETE FROM scents WHERE at < ?1", [before(SCENT_TTL)])?;
    Ok(())
}

impl Job {
    fn given_up(self) -> Done {
        match self {
            Self::Append { answer, .. } => Done::Append(answer, Err(LogError::away("not written"))),
            Self::Leave { answer, .. } | Self::Sweep { answer, .. } => {
                Done::Plain(answer, Err(LogError::away("not written")))
            }
        }
    }
}

impl Done {
    /// The commit failed: what was going to be told as kept is not.
    fn failed(self, error: &rusqlite::Error) -> Self {
        match self {
            Self::Append(answer, Ok(_)) => Self::Append(answer, Err(LogError::away(error))),
            Self::Plain(answer, Ok(())) => Self::Plain(answer, Err(LogError::away(error))),
            refused => refused,
        }
    }

    /// Whoever asked may be gone: that is his affair.
    fn tell(self) {
        match self {
            Self::Append(answer, said) => drop(answer.send(said)),
            Self::Plain(answer, said) => drop(answer.send(said)),
        }
    }
}

impl Log for SqliteLog {
    fn name(&self) -> &str {
        &self.name
    }

    fn append<'a>(&'a self, owner: Address, frame: &'a Frame, now: UtcTime) -> Later<'a, Result<Filing, LogError>> {
        let (answer, told) = oneshot::channel();
        let job = Job::Append { owner, frame: Box::new(frame.clone()), now, answer };
        Box::pin(self.ask(job, told))
    }

    fn after(&self, owner: Address, place: u64, most: u16, now: UtcTime) -> Later<'_, Result<Page, LogError>> {
        Box::pin(self.read(move |connection| {
            let mut rows = connection.prepare_cached(
                "SELECT place, vault, stored, frame FROM frames WHERE owner = ?1 AND place > ?2 ORDER BY place",
            )?;
            let place = i64::try_from(place).unwrap_or(i64::MAX);
            let mut rows = rows.query(params![owner.as_slice(), place])?;
            let (mut page, mut bytes) = (Page::default(), 0);
            while let Some(row) = rows.next()? {
                if !is_kept(UtcTime::from_seconds(row.get::<_, i64>(2)?.unsigned_abs()), now) {
                    continue;
                }
                if page.entries.len() >= usize::from(most) || bytes >= PAGE_BYTES {
                    page.more = true;
                    break;
                }
                let frame: Arc<[u8]> = row.get_ref(3)?.as_blob()?.into();
                bytes += frame.len();
                let (place, vault) = (row.get::<_, i64>(0)?.unsigned_abs(), row.get::<_, [u8; 20]>(1)?);
                page.entries.push(LogEntry { place, vault: Address::from(vault), frame });
            }
            Ok(page)
        }))
    }

    fn last(&self, owner: Address, vault: Address) -> Later<'_, Result<(u64, u64), LogError>> {
        Box::pin(self.read(move |connection| {
            let mut last = connection.prepare_cached("SELECT max(place) FROM frames WHERE owner = ?1")?;
            let place: Option<i64> = last.query_one([owner.as_slice()], |row| row.get(0))?;
            Ok((place.unwrap_or_default().unsigned_abs(), last_seq(connection, vault)?))
        }))
    }

    fn leave<'a>(&'a self, scent: &'a LeftScent) -> Later<'a, Result<(), LogError>> {
        let (answer, told) = oneshot::channel();
        Box::pin(self.ask(Job::Leave { scent: Box::new(scent.clone()), answer }, told))
    }

    fn scents(&self) -> Later<'_, Result<Vec<LeftScent>, LogError>> {
        Box::pin(async {
            let read = self.read(|connection| {
                let mut scents = connection.prepare_cached("SELECT scent FROM scents ORDER BY place")?;
                scents.query_map((), |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()
            });
            Ok(read.await?.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
        })
    }

    fn salt(&self) -> &[u8] {
        &self.salt
    }

    fn fresh(&self) -> Later<'_, Result<mpsc::Receiver<Fresh>, LogError>> {
        let (told, listener) = mpsc::channel(QUEUE);
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
        Box::pin(async { Ok(listener) })
    }

    fn sweep(&self, now: UtcTime) -> Later<'_, Result<(), LogError>> {
        let (answer, told) = oneshot::channel();
        Box::pin(self.ask(Job::Sweep { now, answer }, told))
    }
}
