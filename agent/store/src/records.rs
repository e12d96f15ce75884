//! What the store answers faces with: plain data.

use std::path::PathBuf;

use golem_core::record::{Effect, Event, Outcome, Turn};
use golem_ports::StoreError;
use golem_primitives::{GolemId, Tick};

/// Something that happened, as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvent {
    /// Its place, from 1, without gaps.
    pub id: u64,
    /// The pass it happened in.
    pub seq: u64,
    pub tick: Tick,
    pub turn: Turn,
    pub event: Event,
}

/// An effect and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectHistory {
    pub tick: Tick,
    pub effect: Effect,
    /// The pass that took in its outcome, and the outcome; `None` while it is open.
    pub closed: Option<(u64, Outcome)>,
}

/// How much is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Passes in the journal.
    pub passes: u64,
    /// Passes that landed.
    pub committed: u64,
    /// Ticks the law ran for.
    pub ticks: u64,
    pub events: u64,
    /// Effects ever wanted.
    pub effects: u64,
    /// Effects without an outcome.
    pub open_effects: u64,
    /// Transactions signed.
    pub attempts: u64,
    /// Outcomes verified, without those that were taken back.
    pub outcomes: u64,
}

/// One insurance snapshot in its folder.
#[derive(Debug)]
pub struct Insured {
    pub path: PathBuf,
    pub bytes: u64,
    /// Whose it is and the tick it stands at; or why it cannot be used.
    pub contents: Result<(GolemId, Tick), StoreError>,
}

/// What a restore did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restoration {
    pub golem: GolemId,
    pub tick: Tick,
    /// The last pass in it.
    pub seq: u64,
    /// Where the file lies that was replaced.
    pub replaced: Option<PathBuf>,
}
