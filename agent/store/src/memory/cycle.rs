//! A Curator cycle: what it starts from, and its landing in one transaction.

use std::collections::{BTreeMap, BTreeSet};

use golem_core::record::Curated;
use golem_grimoire::confidence::Votes;
use golem_grimoire::curator::{CuratorPass, Duty};
use golem_grimoire::gate::Quarantined;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::shelf::{Change, Grimoire};
use golem_ports::{Cycle, Refusal, Shelf, StoreError};
use golem_primitives::{EffectId, Tick};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::columns::Words;
use super::entries::{touch_entries, write};
use super::{changes, episodes, playbook};
use crate::codec::{self, Columns, Json, Number, tick};
use crate::error::{At, refused};
use crate::reader::Reader;

impl Reader {
    /// What a Curator cycle starts from.
    pub fn shelf(&self) -> Result<Shelf, StoreError> {
        let _look = crate::reader::look(self)?;
        let last_cycle = self.last_cycle()?;
        let (votes, checks, evidence) = self.open_evidence()?;
        Ok(Shelf {
            grimoire: self.grimoire()?,
            episodes: self.episodes_to_distil(last_cycle.map_or(Tick::ZERO, |last| last.tick))?,
            quarantine: self.quarantine()?,
            votes,
            checks,
            playbook: self.playbook(None)?.map(|version| version.playbook).unwrap_or_default(),
            pruning: self.one("SELECT pruning FROM grimoire WHERE id = 1", (), |row| row.json("pruning"))?,
            last_cycle,
            evidence,
        })
    }

    /// What came of the cycle that effect asked for, if it landed.
    pub fn curated(&self, effect: EffectId) -> Result<Option<Curated>, StoreError> {
        self.maybe("SELECT * FROM cycles WHERE effect = ?1", [codec::effect(effect)], curated)
    }

    /// The last cycles, newest first, with their moments.
    pub fn last_cycles(&self, limit: usize) -> Result<Vec<(Moment, Curated)>, StoreError> {
        let sql = "SELECT * FROM cycles ORDER BY place DESC LIMIT ?1";
        self.all(sql, [i64::try_from(limit).unwrap_or(i64::MAX)], |row| Ok((moment(row)?, curated(row)?)))
    }

    fn last_cycle(&self) -> Result<Option<Moment>, StoreError> {
        self.maybe("SELECT tick, at FROM cycles ORDER BY place DESC LIMIT 1", (), moment)
    }

    /// G-108. What waits in quarantine, oldest first.
    pub fn quarantine(&self) -> Result<Vec<Quarantined>, StoreError> {
        self.all("SELECT * FROM quarantine ORDER BY place", (), |row| {
            Ok(Quarantined {
                draft: row.json("draft")?,
                claim: row.maybe_json("claim")?,
                since: row.moment("since")?,
                cycles: Words::small(row, "cycles")?,
            })
        })
    }

    #[expect(clippy::type_complexity, reason = "votes, checks and up to where they were read; asked in one place")]
    fn open_evidence(&self) -> Result<(BTreeMap<EntryId, Votes>, Vec<(EntryId, bool)>, u64), StoreError> {
        let sql = "SELECT entry, sum(up) AS up, sum(down) AS down FROM evidence
                   WHERE cycle IS NULL AND kind = 'vote' GROUP BY entry";
        let votes = self.all(sql, (), |row| {
            let votes = Votes { up: Words::small(row, "up")?, down: Words::small(row, "down")? };
            Ok((row.entry_id("entry")?, votes))
        })?;
        let sql = "SELECT entry, correct FROM evidence WHERE cycle IS NULL AND kind = 'check' ORDER BY place";
        let checks = self.all(sql, (), |row| Ok((row.entry_id("entry")?, row.flag("correct")?)))?;
        let sql = "SELECT coalesce(max(place), 0) AS last FROM evidence";
        let last = self.one(sql, (), |row| Columns::number(row, "last"))?;
        Ok((votes.into_iter().collect(), checks, last))
    }
}

fn moment(row: &Row<'_>) -> rusqlite::Result<Moment> {
    Ok(Moment::new(row.tick("tick")?, row.time("at")?))
}

const fn duty_name(duty: Duty) -> &'static str {
    match duty {
        Duty::Rest => "rest",
        Duty::Austerity => "austerity",
        Duty::Housekeeping => "housekeeping",
        Duty::Whole => "whole",
    }
}

fn curated(row: &Row<'_>) -> rusqlite::Result<Curated> {
    let all = [Duty::Rest, Duty::Austerity, Duty::Housekeeping, Duty::Whole];
    Ok(Curated {
        duty: row.word("duty", |word| all.into_iter().find(|duty| duty_name(*duty) == word))?,
        added: Words::small(row, "added")?,
        promoted: Words::small(row, "promoted")?,
        demoted: Words::small(row, "demoted")?,
        archived: Words::small(row, "archived")?,
        restored: Words::small(row, "restored")?,
        burned: Words::small(row, "burned")?,
        archived_recently: Words::small(row, "archived_recently")?,
        active_at_start: Words::small(row, "active_at_start")?,
        active: Words::small(row, "active")?,
        candidates: Words::small(row, "candidates")?,
        rules: Words::small(row, "rules")?,
        playbook_version: Columns::number(row, "playbook_version")?,
        mean_before: row.share("mean_before")?,
        mean_after: row.share("mean_after")?,
        taught: row.json("taught")?,
    })
}

/// Which entry a change is about.
pub(super) fn subject(change: &Change) -> EntryId {
    match change {
        Change::Add(candidate) => candidate.knowledge().id,
        Change::Vote { id, .. }
        | Change::Check { id, .. }
        | Change::Promote { id, .. }
        | Change::Demote { id }
        | Change::Archive { id, .. }
        | Change::Restore { id, .. }
        | Change::Burn { id, .. }
        | Change::Edit { id, .. }
        | Change::CountLink { id, .. }
        | Change::Settle { id, .. }
        | Change::Cycle { id, .. } => *id,
    }
}

/// Lands a cycle, all of it or nothing; one that landed answers what was recorded.
pub(super) fn land(reader: &Reader, cycle: &Cycle<'_>) -> Result<Curated, StoreError> {
    let path = &reader.path;
    let transaction = crate::reader::begin(reader)?;
    let known = transaction
        .query_row("SELECT * FROM cycles WHERE effect = ?1", [codec::effect(cycle.effect)], curated)
        .optional()
        .at(path)?;
    if let Some(known) = known {
        return Ok(known);
    }
    change_entries(reader, &transaction, cycle.pass, cycle.now, cycle.effect)?;
    if let Some(revised) = cycle.revised {
        playbook::write(&transaction, revised, cycle.now, path)?;
    }
    change_quarantine(reader, &transaction, cycle)?;
    note_episodes(&transaction, cycle).at(path)?;
    finish(&transaction, cycle).at(path)?;
    transaction.commit().at(path)?;
    Ok(cycle.curated.clone())
}

/// Does the changes to the entries as they are now. Between the look and the landing an entry may have been retrieved or
/// reinforced; that is kept. What no longer fits stops all of it.
pub(super) fn change_entries(
    reader: &Reader,
    to: &Connection,
    pass: &CuratorPass,
    now: Moment,
    effect: EffectId,
) -> Result<(), StoreError> {
    let path = &reader.path;
    let out_of_step = |detail: String| refused(path, Refusal::OutOfStep { detail });
    let touched: BTreeSet<EntryId> = pass.changes.iter().map(subject).collect();
    let mut entries = Vec::with_capacity(touched.len());
    for id in &touched {
        entries.extend(reader.entry(*id)?);
    }
    let mut grimoire = Grimoire::from_entries(entries);
    for change in &pass.changes {
        grimoire.apply(change.clone(), now).map_err(|error| out_of_step(error.to_string()))?;
        changes::note(to, subject(change), now, Some(effect), change).at(path)?;
        if let Change::Add(candidate) = change {
            for parent in &candidate.knowledge().draft.parents {
                episodes::link(to, *parent, candidate.knowledge().id).at(path)?;
            }
        }
    }
    for id in touched {
        let entry = grimoire.get(id).ok_or_else(|| out_of_step(format!("no entry {id}")))?;
        write(to, entry).at(path)?;
    }
    touch_entries(to).at(path)
}

fn change_quarantine(reader: &Reader, to: &Connection, cycle: &Cycle<'_>) -> Result<(), StoreError> {
    let path = &reader.path;
    let waiting = reader.one("SELECT count(*) FROM quarantine", (), |row| row.get::<_, u32>(0))?;
    if usize::try_from(waiting).ok() != Some(cycle.waiting) {
        let detail = format!("{waiting} drafts are in quarantine, the cycle began with {}", cycle.waiting);
        return Err(refused(path, Refusal::OutOfStep { detail }));
    }
    replace_quarantine(to, &cycle.pass.quarantine).at(path)
}

/// What waits in quarantine from now on.
pub(super) fn replace_quarantine(to: &Connection, waiting: &[Quarantined]) -> rusqlite::Result<()> {
    to.execute("DELETE FROM quarantine", ())?;
    waiting.iter().try_for_each(|locked| lock_away(to, locked))
}

/// G-108. Puts a draft into quarantine.
pub(super) fn lock_away(to: &Connection, locked: &Quarantined) -> rusqlite::Result<()> {
    let sql = "INSERT INTO quarantine (content, kind, provenance, draft, claim, since_tick, since_at, cycles)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let draft = &locked.draft;
    to.execute(
        sql,
        params![
            draft.content,
            draft.body.kind().name(),
            draft.source.provenance.name(),
            Json(draft),
            locked.claim.as_ref().map(Json),
            tick(locked.since.tick),
            Number(locked.since.at.seconds()),
            locked.cycles
        ],
    )
    .map(drop)
}

fn note_episodes(to: &Connection, cycle: &Cycle<'_>) -> rusqlite::Result<()> {
    for id in &cycle.pass.consolidated {
        episodes::mark_consolidated(to, *id)?;
    }
    for (id, why) in &cycle.pass.tags {
        episodes::tag(to, *id, *why)?;
    }
    if cycle.pass.duty == Duty::Whole {
        episodes::settle_descriptive(to, cycle.now.tick)?;
    }
    Ok(())
}

fn finish(to: &Connection, cycle: &Cycle<'_>) -> rusqlite::Result<()> {
    let effect = || codec::effect(cycle.effect);
    // A Curator that rests or only lets go counts no evidence (G-153): it waits for the next.
    if cycle.pass.duty >= Duty::Housekeeping {
        let sql = "UPDATE evidence SET cycle = ?1 WHERE cycle IS NULL AND kind <> 'reinforcement' AND place <= ?2";
        to.execute(sql, (effect(), Number(cycle.evidence)))?;
    }
    to.execute("UPDATE grimoire SET pruning = ?1", [Json(&cycle.pruning)])?;
    let done = &cycle.curated;
    let sql = "INSERT INTO cycles (effect, tick, at, duty, added, promoted, demoted, archived, restored, burned,
               archived_recently, active_at_start, active, candidates, rules, playbook_version, mean_before,
               mean_after, taught, minority_weight, to_push, events)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
               ?22)";
    to.execute(
        sql,
        params![
            effect(),
            tick(cycle.now.tick),
            Number(cycle.now.at.seconds()),
            duty_name(done.duty),
            done.added,
            done.promoted,
            done.demoted,
            done.archived,
            done.restored,
            done.burned,
            done.archived_recently,
            done.active_at_start,
            done.active,
            done.candidates,
            done.rules,
            Number(done.playbook_version),
            done.mean_before.get(),
            done.mean_after.get(),
            Json(&done.taught),
            cycle.pass.minority_weight,
            Json(&cycle.pass.to_push),
            Json(&cycle.pass.events),
        ],
    )
    .map(drop)
}
