//! What a relay keeps: one log of frames, filed by owner, each behind the one before it (I-108, I-109).
//!
//! Two keep it: [`SqliteLog`] on one machine, [`NatsLog`] beyond one. Whoever is away asks for what stands behind the last
//! place he saw; nothing is copied for anybody, and nothing has to be marked as delivered.

mod nats;
mod sqlite;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use alloy::primitives::{Address, B256};
use golem_inheritance::clade::delta::TTL;
use golem_primitives::UtcTime;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::frame::Frame;

pub use nats::{NatsLog, NatsSettings};
pub use sqlite::{LogOpenError, SqliteLog};

/// An answer that takes a while.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What can be kept of one owner's frames at once.
pub const OWNER_BYTES: u64 = 64 << 20;

/// A frame and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Its place in the log: later ones are higher.
    pub place: u64,
    pub vault: Address,
    /// Its bytes, as they came.
    pub frame: Arc<[u8]>,
}

/// Something that was just put on disk, here or by another relay of the same log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fresh {
    /// A frame of an owner.
    Frame(Address, LogEntry),
    Scent(Box<LeftScent>),
}

/// I-323. A sign as it is kept: of whom, only what his siblings need to be told apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftScent {
    /// Whose siblings may read it.
    pub owner: Address,
    /// I-321. Its class by name.
    pub class: String,
    pub intensity_ppm: u32,
    /// The domain by name.
    pub domain: String,
    /// The regime by name.
    pub regime: Option<String>,
    /// Twelve bytes in hex.
    pub source: String,
    pub at: u64,
}

/// What became of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filing {
    pub place: u64,
    /// Whether it stood there before: the same word, sent again.
    pub is_again: bool,
}

/// Why a frame is not kept, or nothing can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    #[error("under number {seq} this vault said something else")]
    Forked { seq: u64 },
    /// A number from before what is kept.
    #[error("number {seq} was used before; the last is {last}")]
    Replayed { seq: u64, last: u64 },
    #[error("the owner's room is used up; wait until older frames are gone")]
    Full,
    #[error(
        "no address of a NATS server; write nats://TOKEN@host:port with a token of letters and digits, several with commas between them"
    )]
    Address,
    #[error("the log cannot be reached: {reason}")]
    Away { reason: String },
}

impl LogError {
    /// Whether the same frame may be kept later.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::Full | Self::Away { .. })
    }

    pub(crate) fn away(reason: impl std::fmt::Display) -> Self {
        Self::Away { reason: reason.to_string() }
    }
}

/// Part of a log, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    pub entries: Vec<LogEntry>,
    /// Whether more stands behind the last of them.
    pub more: bool,
}

/// What a relay stands on. What [`append`](Self::append) answered is on disk, whatever dies then.
pub trait Log: Send + Sync + 'static {
    /// The name of this log. Places of another mean nothing in it.
    fn name(&self) -> &str;

    /// Keeps a frame for the owner's others. The same word again is no error and stands where it stood.
    fn append<'a>(&'a self, owner: Address, frame: &'a Frame, now: UtcTime) -> Later<'a, Result<Filing, LogError>>;

    /// I-108, I-112. What stands behind a place, at most so much and none older than seven days.
    fn after(&self, owner: Address, place: u64, most: u16, now: UtcTime) -> Later<'_, Result<Page, LogError>>;

    /// The last place of an owner's log, and the last number of one of his vaults; zero before the first.
    fn last(&self, owner: Address, vault: Address) -> Later<'_, Result<(u64, u64), LogError>>;

    /// Keeps a sign.
    fn leave<'a>(&'a self, scent: &'a LeftScent) -> Later<'a, Result<(), LogError>>;

    /// Every sign that is still kept, in the order in which it was left.
    fn scents(&self) -> Later<'_, Result<Vec<LeftScent>, LogError>>;

    /// The bytes under which this log hides who left a sign.
    fn salt(&self) -> &[u8];

    /// Everything that is put on disk from now on. Told to one listener.
    fn fresh(&self) -> Later<'_, Result<mpsc::Receiver<Fresh>, LogError>>;

    /// Forgets what is too old.
    fn sweep(&self, now: UtcTime) -> Later<'_, Result<(), LogError>>;
}

/// I-108. Whether something of then is still told.
pub(crate) fn is_kept(at: UtcTime, now: UtcTime) -> bool {
    now.since(at) <= TTL
}

/// The word of a number that was used already: what is kept under it, and where.
pub(crate) fn settle(place: u64, content: B256, frame: &Frame) -> Result<Filing, LogError> {
    if content == frame.content() {
        Ok(Filing { place, is_again: true })
    } else {
        Err(LogError::Forked { seq: frame.seq })
    }
}
