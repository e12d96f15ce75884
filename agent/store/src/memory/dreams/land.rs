//! D-183, D-186. The landing of a dream: all it changes in one transaction, under the effect that wanted it.

use golem_core::dreaming::Landing;
use golem_dreams::integration::journal::CycleEnding;
use golem_dreams::onset::fragment::{Fragment, FragmentStatus};
use golem_dreams::words::DreamTrigger;
use golem_grimoire::curator::CuratorPass;
use golem_grimoire::episode::Annotations;
use golem_grimoire::id::EpisodeId;
use golem_ports::{DreamRecord, FIRST_SUPPOSED_NOTE, Revised, Settled, StoreError};
use golem_primitives::Tick;
use rusqlite::{Connection, OptionalExtension, params};

use super::super::cycle::{change_entries, replace_quarantine};
use super::super::playbook;
use super::{FROZEN_KEPT, record};
use crate::codec::{self, Json, Number, tick};
use crate::error::At;
use crate::reader::Reader;

/// Lands a dream, all of it or nothing; one that landed answers what was recorded.
pub(super) fn land(reader: &Reader, settled: &Settled<'_>) -> Result<DreamRecord, StoreError> {
    let (path, landing) = (&reader.path, settled.landing);
    let transaction = crate::reader::begin(reader)?;
    let known = transaction
        .query_row("SELECT * FROM dream_journal WHERE effect = ?1", [codec::effect(settled.effect)], record)
        .optional()
        .at(path)?;
    if let Some(known) = known {
        return Ok(known);
    }
    if let Some(delivered) = &landing.delivered {
        deliver(reader, &transaction, settled, &delivered.pass)?;
    }
    if let Some(written) = &landing.written {
        let revised =
            Revised { playbook: written.playbook.clone(), cycle: written.cycle.clone(), event: written.event.clone() };
        playbook::write(&transaction, &revised, settled.now, path)?;
    }
    for (id, notes) in &landing.notes {
        note(&transaction, *id, notes).at(path)?;
    }
    keep(&transaction, landing).at(path)?;
    finish(&transaction, settled).at(path)?;
    transaction.commit().at(path)?;
    let (entry, dreamt) = (landing.journal.clone(), landing.dreamt.clone());
    Ok(DreamRecord { effect: settled.effect, at: settled.now, entry, dreamt, cost: settled.cost })
}

/// Does the changes to the entries as they are now, and locks away what the gate did, as a Curator's cycle does.
fn deliver(reader: &Reader, to: &Connection, settled: &Settled<'_>, pass: &CuratorPass) -> Result<(), StoreError> {
    change_entries(reader, to, pass, settled.now, settled.effect)?;
    replace_quarantine(to, &pass.quarantine).at(&reader.path)
}

/// D-089, D-139. What a dream leaves beside an episode; what happened stays as it was written.
fn note(to: &Connection, id: EpisodeId, notes: &Annotations) -> rusqlite::Result<()> {
    let sql = "UPDATE annotations SET strength = ?2, arousal = ?3, dream_priority = ?4, ambiguity = ?5,
               replay_count = ?6, replayed_tick = ?7, replayed_at = ?8
               WHERE place = (SELECT place FROM episodes WHERE id = ?1)";
    to.prepare_cached(sql)?
        .execute(params![
            id.to_be_bytes(),
            notes.strength.hundredths(),
            notes.arousal.get(),
            notes.dream_priority.map(|(priority, _)| priority.name()),
            notes.dream_priority.map(|(_, ambiguity)| ambiguity.name()),
            notes.replay_count,
            notes.last_replayed.map(|at| tick(at.tick)),
            notes.last_replayed.map(|at| Number(at.at.seconds())),
        ])
        .map(drop)
}

/// Feelings, fragments and rehearsals.
fn keep(to: &Connection, landing: &Landing) -> rusqlite::Result<()> {
    let cycle = || Number(landing.journal.cycle.0);
    let sql = "INSERT INTO dream_episodes (place, feeling) SELECT place, ?2 FROM episodes WHERE id = ?1
               ON CONFLICT (place) DO UPDATE SET feeling = excluded.feeling";
    for (id, feeling) in &landing.feelings {
        to.prepare_cached(sql)?.execute((id.to_be_bytes(), Json(feeling)))?;
    }
    // D-060. What was held and waits no longer has had its second look.
    to.execute("DELETE FROM dream_fragments WHERE until IS NOT NULL", ())?;
    for held in &landing.held {
        catch(to, cycle(), FragmentStatus::Held, Some(held.until), &held.fragment)?;
    }
    for fragment in &landing.journal.fragments {
        catch(to, cycle(), fragment.status, None, fragment)?;
    }
    let sql = "INSERT INTO dream_rehearsals (kind, rehearsal) VALUES (?1, ?2)
               ON CONFLICT (kind) DO UPDATE SET rehearsal = excluded.rehearsal";
    for (kind, rehearsal) in &landing.rehearsals.0 {
        to.prepare_cached(sql)?.execute((kind.name(), Json(rehearsal)))?;
    }
    Ok(())
}

fn catch(
    to: &Connection,
    cycle: Number,
    status: FragmentStatus,
    until: Option<Tick>,
    fragment: &Fragment,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO dream_fragments (cycle, status, until, fragment) VALUES (?1, ?2, ?3, ?4)";
    to.prepare_cached(sql)?.execute(params![cycle, status.name(), until.map(tick), Json(fragment)]).map(drop)
}

/// D-206. Whether a predecessor's hypotheses were taken by then: the first waking whole from a dream that supposed
/// anything. The last dream takes none.
fn supposes(landing: &Landing) -> bool {
    let dreamt = &landing.dreamt;
    dreamt.ending == CycleEnding::Complete && dreamt.trigger != DreamTrigger::Emergency && dreamt.counts.hypotheses > 0
}

fn finish(to: &Connection, settled: &Settled<'_>) -> rusqlite::Result<()> {
    let landing = settled.landing;
    let sql = "INSERT INTO dream_journal (effect, cycle, tick, at, cost, dreamt, entry, left)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let left = serde_json::json!({ "testament": landing.testament, "awakening": landing.awakening });
    to.execute(
        sql,
        params![
            codec::effect(settled.effect),
            Number(landing.journal.cycle.0),
            tick(settled.now.tick),
            Number(settled.now.at.seconds()),
            Number(settled.cost.micros()),
            Json(&landing.dreamt),
            Json(&landing.journal),
            left.to_string(),
        ],
    )?;
    if supposes(landing) {
        let sql = "INSERT INTO notes (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO NOTHING";
        to.execute(sql, (FIRST_SUPPOSED_NOTE, landing.journal.cycle.to_string()))?;
    }
    // What is over and old is not dreamt again; its journal stays.
    let old = "SELECT f.effect FROM dream_frozen f JOIN dream_journal j ON j.effect = f.effect
               ORDER BY f.place DESC LIMIT -1 OFFSET ?1";
    to.execute(&format!("DELETE FROM dream_answers WHERE effect IN ({old})"), [FROZEN_KEPT])?;
    to.execute(&format!("DELETE FROM dream_frozen WHERE effect IN ({old})"), [FROZEN_KEPT]).map(drop)
}
