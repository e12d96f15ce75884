//! Named questions to a memory. Each has its test; none hands out a row.

use std::path::{Path, PathBuf};

use golem_core::life::Life;
use golem_core::record::{Effect, EffectKind, TickInput, TickRecord, Turn};
use golem_ports::{FinishedTrade, JournalEntry, OpenEffect, StoreError, StoredOutcome};
use golem_primitives::{EffectId, GolemId, Tick, keccak256};
use rusqlite::{Connection, OptionalExtension, Params, Row, Transaction, TransactionBehavior};

use crate::codec::{self, Columns, Number};
use crate::error::{At, corrupt};
use crate::memory::index::Index;
use crate::open::{self, Care, Mode};
use crate::records::{Counts, EffectHistory, StoredEvent};
use crate::sums;

/// A memory that is only looked at, also while another process writes it.
#[derive(Debug)]
pub struct Reader {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    pub(crate) golem: GolemId,
    pub(crate) index: Index,
}

impl Reader {
    /// Opens a memory to look at it. The writer, if there is one, does not notice.
    ///
    /// # Errors
    /// [`StoreError`] for no file, a file that is no Golem's memory, or one of another schema.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let path = open::locate(path)?;
        let connection = open::connect(&path, Mode::Read)?;
        let seen = open::look(&connection, &path)?;
        Ok(Self { connection, path, golem: seen.golem, index: Index::default() })
    }

    /// Whose life this is.
    #[must_use]
    pub const fn golem(&self) -> &GolemId {
        &self.golem
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Looks at every page and every index.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] for the first thing that is wrong.
    pub fn check(&self) -> Result<(), StoreError> {
        open::examine(&self.connection, Care::Full, &self.path)
    }

    /// The tables whose rows are not what was written.
    pub fn damaged(&self) -> Result<Vec<String>, StoreError> {
        let _look = look(self)?;
        sums::damaged(&self.connection).at(&self.path)
    }

    /// The life as it began: the base of a replay of everything. `None` when its bytes are of other code.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be read, or is not what was written.
    pub fn birth(&self) -> Result<Option<Life>, StoreError> {
        let (bytes, hash) = self.one("SELECT life, hash FROM meta WHERE id = 1", (), |row| {
            Ok((row.get::<_, Vec<u8>>("life")?, row.hash("hash")?))
        })?;
        if keccak256(&bytes) != hash {
            return Err(corrupt(&self.path, "the life it began with is not what was written"));
        }
        Ok(Life::from_snapshot(&bytes).ok())
    }

    /// The newest life that can be read, and the pass it stands after; the birth stands after pass 0. A snapshot of
    /// other code, or one that is not what was written, is passed over: the journal makes up for it.
    pub fn latest_snapshot(&self) -> Result<Option<(u64, Life)>, StoreError> {
        let sql = "SELECT s.seq, s.life, j.hash FROM snapshots s JOIN journal j ON j.seq = s.seq ORDER BY s.seq DESC";
        let snapshots =
            self.all(sql, (), |row| Ok((row.number("seq")?, row.get::<_, Vec<u8>>("life")?, row.maybe_hash("hash")?)))?;
        for (seq, bytes, hash) in snapshots {
            match Life::from_snapshot(&bytes) {
                Ok(life) if hash == Some(life.hash()) => return Ok(Some((seq, life))),
                Ok(_) => tracing::warn!(seq, "a snapshot is not what was written; passed over"),
                Err(error) => tracing::warn!(seq, %error, "a snapshot cannot be read; passed over"),
            }
        }
        Ok(self.birth()?.map(|life| (0, life)))
    }

    /// The journal from a place on, in order, at most `limit` passes.
    pub fn journal(&self, from: u64, limit: usize) -> Result<Vec<JournalEntry>, StoreError> {
        let sql = "SELECT seq, input, hash FROM journal WHERE seq >= ?1 ORDER BY seq LIMIT ?2";
        self.all(sql, (Number(from), bound(limit)), |row| {
            Ok(JournalEntry { seq: row.number("seq")?, input: row.json("input")?, hash: row.maybe_hash("hash")? })
        })
    }

    /// Passes after a place in which the vault's log told of capital that its owner or a harvest moved, or could not be read
    /// back; oldest first. They are few: all others are passed over without being read.
    pub fn capital_moves(&self, after: u64) -> Result<Vec<JournalEntry>, StoreError> {
        let sql = r#"SELECT seq, input, hash FROM journal WHERE seq > ?1 AND turn = ?2 AND hash IS NOT NULL
                     AND (instr(input, '"after":null') > 0
                          OR instr(input, '"capital":[') > 0 AND instr(input, '"capital":[0,') = 0) ORDER BY seq"#;
        self.all(sql, (Number(after), codec::turn(Turn::Deciding)), |row| {
            Ok(JournalEntry { seq: row.number("seq")?, input: row.json("input")?, hash: row.maybe_hash("hash")? })
        })
    }

    /// The last pass in the journal and whether it landed.
    pub fn last_pass(&self) -> Result<Option<(u64, bool)>, StoreError> {
        let sql = "SELECT seq, hash IS NOT NULL AS landed FROM journal ORDER BY seq DESC LIMIT 1";
        self.maybe(sql, (), |row| Ok((row.number("seq")?, row.get("landed")?)))
    }

    /// Events from a place on, in order, at most `limit`.
    pub fn events(&self, from: u64, limit: usize) -> Result<Vec<StoredEvent>, StoreError> {
        let sql = "SELECT id, seq, tick, turn, event FROM events WHERE id >= ?1 ORDER BY id LIMIT ?2";
        self.all(sql, (Number(from), bound(limit)), stored_event)
    }

    /// The last `limit` events before the one numbered `before`, oldest first: where a screen begins. It goes on with
    /// [`Reader::events`] after the last.
    pub fn events_before(&self, before: u64, limit: usize) -> Result<Vec<StoredEvent>, StoreError> {
        let sql = "SELECT id, seq, tick, turn, event FROM events WHERE id < ?1 ORDER BY id DESC LIMIT ?2";
        let mut events = self.all(sql, (Number(before.min(i64::MAX.unsigned_abs())), bound(limit)), stored_event)?;
        events.reverse();
        Ok(events)
    }

    /// M-157. The audit trail of the ticks in `from..=to`, at most `limit`, evenly apart when there are more.
    pub fn ticks(&self, from: Tick, to: Tick, limit: usize) -> Result<Vec<TickRecord>, StoreError> {
        let limit = limit.max(1) as u64;
        let to = Tick::new(to.get().min(i64::MAX as u64));
        let newest = self.one("SELECT coalesce(max(tick), 0) AS newest FROM ticks", (), |row| row.number("newest"))?;
        let oldest = from.get().max(1);
        let span = (newest.min(to.get()) + 1).saturating_sub(oldest);
        let apart = span.div_ceil(limit).max(1);
        let sql = "SELECT record FROM ticks WHERE tick BETWEEN ?1 AND ?2 AND (tick - ?1) % ?3 = 0 ORDER BY tick";
        self.all(sql, (Number(oldest), codec::tick(to), Number(apart)), |row| row.json("record"))
    }

    /// Effects that wait for an outcome, oldest first.
    pub fn open_effects(&self) -> Result<Vec<OpenEffect>, StoreError> {
        let sql = "SELECT id, tick, kind, budget FROM effects WHERE closed_seq IS NULL ORDER BY place";
        self.all(sql, (), |row| Ok(OpenEffect { tick: row.tick("tick")?, effect: effect(row)? }))
    }

    /// An effect and what came of it.
    pub fn effect(&self, id: EffectId) -> Result<Option<EffectHistory>, StoreError> {
        let sql = "SELECT e.id, e.tick, e.kind, e.budget, e.closed_seq, j.input
                   FROM effects e LEFT JOIN journal j ON j.seq = e.closed_seq WHERE e.id = ?1";
        let found = self.maybe(sql, [codec::effect(id)], |row| {
            let closed = match row.get::<_, Option<Number>>("closed_seq")? {
                Some(Number(seq)) => Some((seq, row.json::<TickInput>("input")?)),
                None => None,
            };
            Ok((row.tick("tick")?, effect(row)?, closed))
        })?;
        let Some((tick, effect, closed)) = found else { return Ok(None) };
        let closed = match closed {
            Some((seq, input)) => Some((seq, self.outcome_in(input, id)?)),
            None => None,
        };
        Ok(Some(EffectHistory { tick, effect, closed }))
    }

    /// Trades that are over, after a place, oldest first.
    pub fn trades(&self, after: u64, limit: usize) -> Result<Vec<FinishedTrade>, StoreError> {
        self.trades_from(after, 0, limit)
    }

    pub(crate) fn trades_from(&self, after: u64, tick: u64, limit: usize) -> Result<Vec<FinishedTrade>, StoreError> {
        let sql = r#"SELECT e.place, e.id, e.tick, e.kind, j.input,
                       coalesce((SELECT o.tx FROM outcomes o WHERE o.effect = e.id AND o.withdrawn = 0),
                         (SELECT a.hash FROM attempts a WHERE a.effect = e.id AND a.state = 'landed')) AS tx
                     FROM effects e JOIN journal j ON j.seq = e.closed_seq
                     WHERE e.place > ?1 AND e.tick >= ?2 AND e.kind LIKE '{"trade":%' ORDER BY e.place LIMIT ?3"#;
        let rows = self.all(sql, (Number(after), Number(tick), bound(limit)), |row| {
            let (place, tick, id) = (row.number("place")?, row.tick("tick")?, row.effect("id")?);
            Ok((place, tick, id, row.json("kind")?, row.json::<TickInput>("input")?, row.maybe_hash("tx")?))
        })?;
        let mut trades = Vec::with_capacity(rows.len());
        for (place, tick, effect, kind, input, tx) in rows {
            let EffectKind::Trade(order) = kind else { continue };
            let at = input.now;
            trades.push(FinishedTrade { place, tick, effect, order, at, outcome: self.outcome_in(input, effect)?, tx });
        }
        Ok(trades)
    }

    /// Verified outcomes after a place, oldest first; those a reorganisation took back are not among them.
    pub fn outcomes_after(&self, seq: u64) -> Result<Vec<StoredOutcome>, StoreError> {
        let sql = "SELECT seq, record, tx FROM outcomes WHERE seq > ?1 AND withdrawn = 0 ORDER BY seq";
        self.all(sql, [Number(seq)], |row| {
            Ok(StoredOutcome { seq: row.number("seq")?, record: row.json("record")?, tx: row.maybe_hash("tx")? })
        })
    }

    /// A note of the runtime's own.
    pub fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.maybe("SELECT value FROM notes WHERE key = ?1", [key], |row| row.get("value"))
    }

    /// How much is remembered.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        // What is only ever appended is counted by its last place; a count would walk every row.
        let sql = "SELECT
            (SELECT coalesce(max(seq), 0) FROM journal) AS passes,
            (SELECT coalesce(max(seq), 0) FROM journal WHERE hash IS NOT NULL) AS committed,
            (SELECT count(*) FROM ticks) AS ticks,
            (SELECT coalesce(max(id), 0) FROM events) AS events,
            (SELECT coalesce(max(place), 0) FROM effects) AS effects,
            (SELECT count(*) FROM effects WHERE closed_seq IS NULL) AS open_effects,
            (SELECT coalesce(max(place), 0) FROM attempts) AS attempts,
            (SELECT count(*) FROM outcomes WHERE withdrawn = 0) AS outcomes";
        self.one(sql, (), |row| {
            Ok(Counts {
                passes: row.number("passes")?,
                committed: row.number("committed")?,
                ticks: row.number("ticks")?,
                events: row.number("events")?,
                effects: row.number("effects")?,
                open_effects: row.number("open_effects")?,
                attempts: row.number("attempts")?,
                outcomes: row.number("outcomes")?,
            })
        })
    }

    /// The outcome of an effect in the input that brought it. The journal holds it, so nothing else has to.
    fn outcome_in(&self, input: TickInput, id: EffectId) -> Result<golem_core::record::Outcome, StoreError> {
        let mut outcomes = input.outcomes.into_iter();
        outcomes.find(|outcome| outcome.effect == id).ok_or_else(|| {
            corrupt(&self.path, format!("effect {id} is closed by a pass that brought no outcome of it"))
        })
    }

    pub(crate) fn all<T, P: Params>(
        &self,
        sql: &str,
        params: P,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql).at(&self.path)?;
        let rows = statement.query_map(params, read).at(&self.path)?;
        rows.collect::<rusqlite::Result<_>>().at(&self.path)
    }

    pub(crate) fn maybe<T, P: Params>(
        &self,
        sql: &str,
        params: P,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.row(sql, params, read).optional().at(&self.path)
    }

    pub(crate) fn one<T, P: Params>(
        &self,
        sql: &str,
        params: P,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.row(sql, params, read).at(&self.path)
    }

    fn row<T, P: Params>(
        &self,
        sql: &str,
        params: P,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        self.connection.prepare_cached(sql)?.query_row(params, read)
    }
}

/// SQLite's own bound of a list is signed; "all" is its largest.
fn bound(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn effect(row: &Row<'_>) -> rusqlite::Result<Effect> {
    Ok(Effect { id: row.effect("id")?, kind: row.json("kind")?, budget: row.json("budget")? })
}

fn stored_event(row: &Row<'_>) -> rusqlite::Result<StoredEvent> {
    Ok(StoredEvent {
        id: row.number("id")?,
        seq: row.number("seq")?,
        tick: row.tick("tick")?,
        turn: row.turn("turn")?,
        event: row.json("event")?,
    })
}

/// Begins to write. Whoever else is in the file is met before anything is written, not in the middle.
pub(crate) fn begin(reader: &Reader) -> Result<Transaction<'_>, StoreError> {
    Transaction::new_unchecked(&reader.connection, TransactionBehavior::Immediate).at(&reader.path)
}

/// Begins to look: everything until it is dropped is seen as of one moment. Inside a writer's own transaction there is
/// nothing to begin.
pub(crate) fn look(reader: &Reader) -> Result<Option<Transaction<'_>>, StoreError> {
    if !reader.connection.is_autocommit() {
        return Ok(None);
    }
    Transaction::new_unchecked(&reader.connection, TransactionBehavior::Deferred).at(&reader.path).map(Some)
}
