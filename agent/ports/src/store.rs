//! Memory: the input is appended, then the result of a pass lands in one transaction.

use std::path::PathBuf;

use golem_core::life::Life;
use golem_core::record::{Effect, Event, Order, Outcome, OutcomeVerification, TickInput, TickRecord};
use golem_grimoire::episode::Episode;
use golem_primitives::{B256, EffectId, GolemId, Tick, UtcTime};

use crate::chain::{Attempts, Rolls};
use crate::memory::Refusal;
use crate::payments::Payments;

/// Why memory failed. Nothing that was acknowledged is lost by any of these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Opening never makes one: a life that lost its file must not begin again unnoticed.
    #[error("there is no memory at {path}; create the Golem, or restore it with `bardo memory restore`")]
    Missing { path: PathBuf },
    #[error("{path} is already there; open it, or name another file")]
    Exists { path: PathBuf },
    #[error("{path} is in use by process {pid}; stop that one first: two processes must never live one life")]
    InUse { path: PathBuf, pid: u32 },
    #[error(
        "{path} has schema {found}, this program knows {known} and no other; use the program it was lived with, or go back \
         to a copy of schema {known} with `bardo memory restore`; the file is untouched"
    )]
    OtherSchema { path: PathBuf, found: u32, known: u32 },
    #[error("{path} belongs to {found}, not to {wanted}; the file is untouched")]
    Foreign {
        path: PathBuf,
        /// Whose it is. Two names would make every answer of a store three lines of cache long.
        found: Box<GolemId>,
        wanted: Box<GolemId>,
    },
    #[error("{path} is damaged: {detail}; restore it with `bardo memory restore`, the file is untouched")]
    Corrupt { path: PathBuf, detail: String },
    #[error("{path}: pass {seq} is out of order: {detail}; nothing was written")]
    OutOfOrder { path: PathBuf, seq: u64, detail: &'static str },
    /// Something the Grimoire does not take; nothing of it was written.
    #[error("{path}: {reason}; nothing was written")]
    Refused {
        path: PathBuf,
        #[source]
        reason: Box<Refusal>,
    },
    #[error("no room left on the disk of {path}; nothing was lost, make room and start again")]
    DiskFull { path: PathBuf },
    #[error("another program holds {path}, such as a backup or a database browser; nothing was lost, end it there")]
    Busy { path: PathBuf },
    /// The file that is lived is not the one that lies there any more.
    #[error(
        "{path} was removed, moved or replaced, or its log was, while this process lived it; {}",
        said_of_kept(kept.as_deref())
    )]
    Gone {
        path: PathBuf,
        /// A sealed copy of everything that was remembered.
        kept: Option<PathBuf>,
    },
    /// A copy of a memory that may be lived elsewhere.
    #[error(
        "{path} is a copy of another file, whose life may go on there, and two processes must never live one life; stop \
         the other for good, then say so here with `bardo memory restore GOLEM --as-is`"
    )]
    Copied { path: PathBuf },
    #[error(
        "{path} cannot be written: {detail}; give it and its folder to the user who runs this, on a disk that is mounted \
         for writing, and start again"
    )]
    Unwritable { path: PathBuf, detail: String },
    #[error("{path}: {detail}")]
    Failed { path: PathBuf, detail: String },
}

fn said_of_kept(kept: Option<&std::path::Path>) -> String {
    match kept {
        Some(copy) => format!(
            "what it remembered lies in {}; `bardo memory restore GOLEM --from {0}` goes on from there",
            copy.display()
        ),
        None => "put it back, or go on from a snapshot with `bardo memory restore`".to_owned(),
    }
}

/// The note by which an owner says that the memory that lies there is the one to go on from, however old.
pub const TAKE_OVER_NOTE: &str = "take_over";

impl StoreError {
    /// Whether the same call may succeed later without anyone changing the file.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::InUse { .. } | Self::DiskFull { .. } | Self::Busy { .. })
    }
}

/// One pass in the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct JournalEntry {
    /// Its place, from 1.
    pub seq: u64,
    pub input: TickInput,
    /// The hash of the life after it; `None` when the pass was journaled and never committed.
    pub hash: Option<B256>,
}

/// What a pass made, to land in one transaction.
#[derive(Debug)]
pub struct Committed<'a> {
    /// The place of its input in the journal.
    pub seq: u64,
    /// The input, once more: its outcomes close their effects and are kept as records.
    pub input: &'a TickInput,
    /// The life after it.
    pub life: &'a Life,
    pub hash: B256,
    pub events: &'a [Event],
    pub effects: &'a [Effect],
    /// M-157. The audit record.
    pub record: Option<&'a TickRecord>,
    /// The block whose hash fed the death roll of this pass.
    pub roll_block: Option<u64>,
    /// Whether to keep the life as a snapshot to start from.
    pub keep_snapshot: bool,
    /// G-010. What the pass lived. One that is known already changes nothing.
    pub episodes: &'a [Episode],
}

/// An effect without an outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenEffect {
    pub tick: Tick,
    pub effect: Effect,
}

/// A verified outcome, as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredOutcome {
    /// Its place, from 1.
    pub seq: u64,
    pub record: OutcomeVerification,
    /// The transaction it verifies.
    pub tx: Option<B256>,
}

/// A trade that is over: verified, simulated or refused.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedTrade {
    /// Its place among all effects; ask on from here.
    pub place: u64,
    pub tick: Tick,
    pub effect: EffectId,
    pub order: Order,
    /// When its outcome was taken in.
    pub at: UtcTime,
    pub outcome: Outcome,
    /// The transaction that landed.
    pub tx: Option<B256>,
}

/// Where a life goes on from.
#[derive(Debug)]
pub struct Restored {
    /// The newest snapshot that can be read, and the place in the journal it stands at.
    pub snapshot: Option<(u64, Life)>,
    /// Every pass after it.
    pub journal: Vec<JournalEntry>,
}

/// What memory does for an agent. One writer; every call is durable when it returns.
pub trait Store: Attempts + Send {
    /// Whose life this is.
    fn golem(&self) -> &GolemId;

    /// Appends an input before anything is decided from it; answers its place.
    fn append(&mut self, input: &TickInput) -> Result<u64, StoreError>;

    /// Lands the result of a pass: hash, events, effects, closed effects, records, snapshot. All or nothing.
    fn commit(&mut self, pass: Committed<'_>) -> Result<(), StoreError>;

    /// Effects that wait for an outcome, oldest first.
    fn open_effects(&self) -> Result<Vec<OpenEffect>, StoreError>;

    /// Opens an effect again whose outcome was withdrawn.
    fn reopen(&mut self, effect: EffectId) -> Result<(), StoreError>;

    /// Whether the outcome that closed an effect was a refusal: then nothing was paid that could come back.
    fn was_refused(&self, effect: EffectId) -> Result<bool, StoreError>;

    /// The newest snapshot and the journal behind it.
    fn restore(&self) -> Result<Restored, StoreError>;

    /// The whole journal from a place on, in order, at most `limit` passes.
    fn journal(&self, from: u64, limit: usize) -> Result<Vec<JournalEntry>, StoreError>;

    /// Verified outcomes after a place, oldest first.
    fn outcomes_after(&self, seq: u64) -> Result<Vec<StoredOutcome>, StoreError>;

    /// M-193. Trades that a pass after that tick wanted and that are over, oldest first.
    fn trades_since(&self, tick: Tick) -> Result<Vec<FinishedTrade>, StoreError>;

    /// L-025. (tick, block) of each death roll after a tick, oldest first.
    fn rolls_after(&self, tick: Tick) -> Result<Rolls, StoreError>;

    /// A note of the runtime's own that must survive it, such as where the last beat's records ended.
    fn note(&self, key: &str) -> Result<Option<String>, StoreError>;

    /// Writes such a note.
    fn set_note(&mut self, key: &str, value: &str) -> Result<(), StoreError>;

    /// R-025, M-227. Writes an insurance snapshot: a whole copy of the memory, checked, into the folder of snapshots.
    ///
    /// # Errors
    /// [`StoreError`] when it could not be written; the memory itself is untouched.
    fn insure(&mut self, tick: Tick) -> Result<PathBuf, StoreError>;

    /// Where payments are recorded, for a store that keeps them.
    fn payments(&mut self) -> Option<&mut (dyn Payments + Send)> {
        None
    }
}
