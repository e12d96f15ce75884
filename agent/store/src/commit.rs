//! A pass on its way to the disk: its input first, its result in one transaction.

use std::path::PathBuf;

use golem_core::record::{Effect, Event, Outcome, OutcomeResult, TickInput};
use golem_ports::{
    Committed, FinishedTrade, JournalEntry, OpenEffect, Payments, Restored, Rolls, Store, StoreError, StoredOutcome,
};
use golem_primitives::{B256, EffectId, GolemId, Tick};
use rusqlite::{Connection, OptionalExtension, Params, Transaction};

use crate::attempts::StateColumns;
use crate::codec::{self, Columns, Json, Number};
use crate::error::{At, failed};
use crate::insurance;
use crate::memory::{dreams, episodes};
use crate::reader::{Reader, begin};
use crate::store::SqliteStore;

/// Snapshots of the life that are kept to start from.
pub const SNAPSHOTS_KEPT: u64 = 3;

impl Store for SqliteStore {
    fn golem(&self) -> &GolemId {
        self.reader().golem()
    }

    fn append(&mut self, input: &TickInput) -> Result<u64, StoreError> {
        self.stand()?;
        append(self.reader(), input)
    }

    fn commit(&mut self, pass: Committed<'_>) -> Result<(), StoreError> {
        land(self.reader(), &pass)
    }

    fn open_effects(&self) -> Result<Vec<OpenEffect>, StoreError> {
        self.reader().open_effects()
    }

    fn reopen(&mut self, effect: EffectId) -> Result<(), StoreError> {
        reopen(self.reader(), effect)
    }

    fn was_refused(&self, effect: EffectId) -> Result<bool, StoreError> {
        let sql = "SELECT input FROM journal WHERE seq = (SELECT closed_seq FROM effects WHERE id = ?1)";
        let closing: Option<TickInput> = self.reader().maybe(sql, [codec::effect(effect)], |row| row.json("input"))?;
        let is_refusal =
            |outcome: &Outcome| outcome.effect == effect && matches!(outcome.result, OutcomeResult::Refused { .. });
        Ok(closing.is_some_and(|input| input.outcomes.iter().any(is_refusal)))
    }

    fn restore(&self) -> Result<Restored, StoreError> {
        let snapshot = self.reader().latest_snapshot()?;
        let from = snapshot.as_ref().map_or(1, |(seq, _)| seq + 1);
        Ok(Restored { journal: self.reader().journal(from, usize::MAX)?, snapshot })
    }

    fn journal(&self, from: u64, limit: usize) -> Result<Vec<JournalEntry>, StoreError> {
        self.reader().journal(from, limit)
    }

    fn outcomes_after(&self, seq: u64) -> Result<Vec<StoredOutcome>, StoreError> {
        self.reader().outcomes_after(seq)
    }

    fn trades_since(&self, tick: Tick) -> Result<Vec<FinishedTrade>, StoreError> {
        self.reader().trades_from(0, tick.get().saturating_add(1), usize::MAX)
    }

    fn rolls_after(&self, tick: Tick) -> Result<Rolls, StoreError> {
        let sql = "SELECT tick, block FROM rolls WHERE tick > ?1 ORDER BY tick";
        self.reader().all(sql, [codec::tick(tick)], |row| Ok((row.tick("tick")?, row.number("block")?)))
    }

    fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.reader().note(key)
    }

    fn set_note(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO notes (key, value) VALUES (?1, ?2)
                   ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        self.write(sql, (key, value)).map(drop)
    }

    fn insure(&mut self, tick: Tick) -> Result<PathBuf, StoreError> {
        let snapshot = insurance::insure(self.reader(), tick)?;
        dreams::purge(self.reader())?;
        Ok(snapshot)
    }

    fn payments(&mut self) -> Option<&mut (dyn Payments + Send)> {
        Some(self)
    }
}

/// Appends an input. One that would not read back as it is would break every later replay, so it is refused here.
fn append(reader: &Reader, input: &TickInput) -> Result<u64, StoreError> {
    let text = serde_json::to_string(input).map_err(|error| failed(&reader.path, error.to_string()))?;
    if serde_json::from_str::<TickInput>(&text).ok().as_ref() != Some(input) {
        return Err(failed(&reader.path, "an input that does not read back as it was cannot be journalled"));
    }
    let seq = match reader.last_pass()? {
        None => 1,
        Some((last, true)) => last + 1,
        // The next input is decided from the life after this one, and that life is not known yet.
        Some((seq, false)) => {
            let detail = "it was appended and not yet committed, so nothing can follow it";
            return Err(StoreError::OutOfOrder { path: reader.path.clone(), seq, detail });
        }
    };
    let sql = "INSERT INTO journal (seq, tick, turn, input) VALUES (?1, ?2, ?3, ?4)";
    let values = (Number(seq), codec::tick(input.tick), codec::turn(input.turn), text);
    run(&reader.connection, sql, values).at(&reader.path)?;
    Ok(seq)
}

/// Lands the result of a pass, all of it or nothing.
fn land(reader: &Reader, pass: &Committed<'_>) -> Result<(), StoreError> {
    let path = &reader.path;
    let out_of_order = |detail| StoreError::OutOfOrder { path: path.clone(), seq: pass.seq, detail };
    if let Some(objection) = objection(&reader.connection, pass).at(path)? {
        return Err(out_of_order(objection));
    }
    let snapshot = if pass.keep_snapshot { Some(pass.life.to_snapshot()) } else { None };
    if snapshot.is_some() && pass.life.hash() != pass.hash {
        return Err(out_of_order("the hash is not that of the life"));
    }
    let transaction = begin(reader)?;
    write(&transaction, pass, snapshot.as_deref()).at(path)?;
    transaction.commit().at(path)
}

/// Runs a statement that every pass runs: SQLite reads its words, and those of what it sets off, once and not at each pass.
pub(crate) fn run(on: &Connection, sql: &str, values: impl Params) -> rusqlite::Result<usize> {
    on.prepare_cached(sql)?.execute(values)
}

/// Why a pass may not land now.
fn objection(connection: &Connection, pass: &Committed<'_>) -> rusqlite::Result<Option<&'static str>> {
    let sql = "SELECT tick, turn, hash IS NOT NULL AS landed FROM journal WHERE seq = ?1";
    let read = |row: &rusqlite::Row<'_>| Ok((row.tick("tick")?, row.turn("turn")?, row.get("landed")?));
    Ok(match connection.prepare_cached(sql)?.query_row([Number(pass.seq)], read).optional()? {
        None => Some("it was never appended"),
        Some((_, _, true)) => Some("it is committed already"),
        Some((tick, turn, false)) if tick == pass.input.tick && turn == pass.input.turn => None,
        Some(_) => Some("another input was appended there"),
    })
}

fn write(to: &Transaction<'_>, pass: &Committed<'_>, snapshot: Option<&[u8]>) -> rusqlite::Result<()> {
    let seq = || Number(pass.seq);
    run(to, "UPDATE journal SET hash = ?2 WHERE seq = ?1", (seq(), pass.hash.0))?;
    write_events(to, pass, pass.events)?;
    close_effects(to, pass)?;
    write_effects(to, pass, pass.effects)?;
    episodes::write(to, pass.seq, pass.episodes)?;
    dreams::write_fills(to, &pass.input.observations)?;
    if let Some(block) = pass.roll_block {
        let sql = "INSERT INTO rolls (tick, block) VALUES (?1, ?2)
                   ON CONFLICT (tick) DO UPDATE SET block = excluded.block";
        run(to, sql, (codec::tick(pass.input.tick), Number(block)))?;
    }
    if let Some(record) = pass.record {
        let sql = "INSERT INTO ticks (tick, seq, record) VALUES (?1, ?2, ?3)";
        run(to, sql, (codec::tick(record.tick), seq(), Json(record)))?;
    }
    if let Some(bytes) = snapshot {
        run(to, "INSERT INTO snapshots (seq, life) VALUES (?1, ?2)", (seq(), bytes))?;
        let sql = "DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?1)";
        run(to, sql, [Number(SNAPSHOTS_KEPT)])?;
    }
    Ok(())
}

fn write_events(to: &Transaction<'_>, pass: &Committed<'_>, events: &[Event]) -> rusqlite::Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let (tick, turn) = (pass.input.tick, codec::turn(pass.input.turn));
    let mut statement = to.prepare_cached("INSERT INTO events (seq, tick, turn, event) VALUES (?1, ?2, ?3, ?4)")?;
    for event in events {
        statement.execute((Number(pass.seq), codec::tick(tick), turn, Json(event)))?;
    }
    Ok(())
}

fn write_effects(to: &Transaction<'_>, pass: &Committed<'_>, effects: &[Effect]) -> rusqlite::Result<()> {
    if effects.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO effects (id, seq, tick, kind, budget) VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut statement = to.prepare_cached(sql)?;
    for effect in effects {
        let (id, tick) = (codec::effect(effect.id), codec::tick(pass.input.tick));
        statement.execute((id, Number(pass.seq), tick, Json(effect.kind), Json(effect.budget)))?;
    }
    Ok(())
}

/// Closes the effects whose outcomes this pass took in. An outcome nobody waits for closes nothing and is no record:
/// the same one may come twice, and is paid for and counted once.
fn close_effects(to: &Transaction<'_>, pass: &Committed<'_>) -> rusqlite::Result<()> {
    for outcome in &pass.input.outcomes {
        let id = || codec::effect(outcome.effect);
        let sql = "UPDATE effects SET closed_seq = ?2 WHERE id = ?1 AND closed_seq IS NULL";
        let closed = run(to, sql, (id(), Number(pass.seq)))?;
        let OutcomeResult::Verified(record) = &outcome.result else { continue };
        if closed == 0 {
            continue;
        }
        let sql = "INSERT INTO outcomes (pass, effect, record, tx) VALUES (?1, ?2, ?3,
                   (SELECT hash FROM attempts WHERE effect = ?2 AND state = 'landed' ORDER BY place DESC LIMIT 1))";
        run(to, sql, (Number(pass.seq), id(), Json(record)))?;
    }
    Ok(())
}

/// Changes the state of an attempt. One that was over and is in the race again takes its outcome back in the same
/// transaction: a crash between the two would leave an effect closed by something that never happened.
pub(crate) fn mark(reader: &Reader, hash: B256, state: StateColumns) -> Result<(), StoreError> {
    let path = &reader.path;
    let transaction = begin(reader)?;
    let sql = "SELECT effect, landed_block IS NOT NULL AS over FROM attempts WHERE hash = ?1";
    let read = |row: &rusqlite::Row<'_>| Ok((row.effect("effect")?, row.get::<_, bool>("over")?));
    let asked = transaction.prepare_cached(sql).and_then(|mut found| found.query_row([hash.0], read).optional());
    let Some((effect, was_over)) = asked.at(path)? else {
        return Err(failed(path, format!("no attempt {hash} was recorded")));
    };
    if was_over && state.0 == "signed" {
        open_again(&transaction, effect).at(path)?;
    }
    let sql = "UPDATE attempts SET state = ?2, landed_block = ?3, landed_hash = ?4 WHERE hash = ?1";
    run(&transaction, sql, (hash.0, state.0, state.1, state.2)).at(path)?;
    transaction.commit().at(path)
}

/// Opens an effect again and takes its verified outcome off the list. The record stays: it was told once.
fn reopen(reader: &Reader, effect: EffectId) -> Result<(), StoreError> {
    let path = &reader.path;
    let transaction = begin(reader)?;
    if open_again(&transaction, effect).at(path)? == 0 {
        return Err(failed(path, format!("no effect {effect} was ever wanted")));
    }
    transaction.commit().at(path)
}

fn open_again(to: &Transaction<'_>, effect: EffectId) -> rusqlite::Result<usize> {
    crate::memory::episodes::forget_withdrawn(to, effect)?;
    let sql = "UPDATE outcomes SET withdrawn = 1 WHERE effect = ?1 AND withdrawn = 0";
    run(to, sql, [codec::effect(effect)])?;
    run(to, "UPDATE effects SET closed_seq = NULL WHERE id = ?1", [codec::effect(effect)])
}
