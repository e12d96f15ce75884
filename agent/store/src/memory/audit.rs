//! Whether the Grimoire in the file is one that a life under the law can have written.

use std::collections::BTreeSet;

use golem_core::record::{OutcomeVerification, Phase, TickInput, TickRecord};
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_ports::StoreError;
use golem_primitives::keccak256;

use super::columns::Words;
use super::entries::stored;
use super::matrix::unit;
use super::recall::has_words;
use super::vectors::parts;
use crate::codec::Columns;
use crate::reader::Reader;

/// Something in the file that breaks a law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// Which law, by its number in the catalogue.
    pub law: &'static str,
    pub detail: String,
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.law, self.detail)
    }
}

/// The flaws found so far.
#[derive(Default)]
struct Flaws(Vec<Flaw>);

impl Flaws {
    fn say(&mut self, law: &'static str, detail: impl Into<String>) {
        self.0.push(Flaw { law, detail: detail.into() });
    }
}

impl Reader {
    /// Checks every law that can be checked in the file. Nothing found, nothing wrong.
    pub fn audit(&self) -> Result<Vec<Flaw>, StoreError> {
        let _look = crate::reader::look(self)?;
        let mut flaws = Flaws::default();
        self.audit_entries(&mut flaws)?;
        self.audit_episodes(&mut flaws)?;
        self.audit_outcomes(&mut flaws)?;
        self.audit_vectors(&mut flaws)?;
        self.audit_words(&mut flaws)?;
        self.audit_playbooks(&mut flaws)?;
        Ok(flaws.0)
    }

    /// I-362, G-053, G-032, G-070.
    fn audit_entries(&self, flaws: &mut Flaws) -> Result<(), StoreError> {
        let episodes: BTreeSet<EpisodeId> =
            self.all("SELECT id FROM episodes", (), |row| row.episode_id("id"))?.into_iter().collect();
        let sql = "SELECT e.*, NULL AS embedded_at FROM entries e ORDER BY place";
        // Each row on its own: one that cannot be read must not hide the next.
        for row in self.all(sql, (), |row| Ok((row.entry_id("id"), stored(row))))? {
            let (id, row) = match row {
                (Ok(id), Ok(row)) => (id, row),
                (Err(error), _) | (_, Err(error)) => {
                    flaws.say("G-049", format!("an entry cannot be read: {error}"));
                    continue;
                }
            };
            let (draft, is_active) = (row.knowledge.draft.clone(), row.promotion.is_some() && row.archived.is_none());
            if let Err(error) = row.reload() {
                flaws.say("I-362", error.to_string());
            }
            if let Err(error) = draft.check() {
                flaws.say("G-023", format!("entry {id}: {error}"));
            }
            let came = self.history(id)?.first().map(|change| change.what.clone());
            if is_active && !matches!(came.as_deref(), Some("added" | "received")) {
                flaws.say("I-362", format!("entry {id} is active and nobody saw it come"));
            }
            // Another's episodes stay with the other (G-120).
            let missing = draft.parents.difference(&episodes).next();
            if let Some(parent) = missing.filter(|_| draft.source.provenance.is_own()) {
                flaws.say("G-032", format!("entry {id} rests on episode {parent}, which is not there"));
            }
        }
        let sql = "SELECT id FROM burned WHERE id IN (SELECT id FROM entries)";
        for id in self.all(sql, (), |row| row.entry_id("id"))? {
            flaws.say("G-070", format!("entry {id} is burned and still there"));
        }
        Ok(())
    }

    /// G-119.
    fn audit_episodes(&self, flaws: &mut Flaws) -> Result<(), StoreError> {
        let sql = "SELECT
            (SELECT count(*) FROM episodes WHERE place NOT IN (SELECT place FROM annotations)) AS bare,
            (SELECT count(*) FROM annotations WHERE place NOT IN (SELECT place FROM episodes)) AS stray";
        let (bare, stray) = self.one(sql, (), |row| Ok((Words::small(row, "bare")?, Words::small(row, "stray")?)))?;
        if bare > 0 || stray > 0 {
            flaws.say("G-119", format!("{bare} episodes without notes, {stray} notes without an episode"));
        }
        Ok(())
    }

    /// G-124, G-010. Every verified outcome that stands has its episode, where the phase still writes them (G-122).
    fn audit_outcomes(&self, flaws: &mut Flaws) -> Result<(), StoreError> {
        let sql = "SELECT o.record, j.input, t.record AS tick FROM outcomes o JOIN journal j ON j.seq = o.pass
                   LEFT JOIN ticks t ON t.tick = j.tick
                   WHERE o.withdrawn = 0 ORDER BY o.seq";
        let outcomes = self.all(sql, (), |row| {
            let record = row.json::<OutcomeVerification>("record")?;
            Ok((record.action_id, row.json::<TickInput>("input")?.now, row.maybe_json::<TickRecord>("tick")?))
        })?;
        for (action, now, tick) in outcomes {
            // Who dies or is about to writes nothing down any more.
            if tick.is_none_or(|record| record.vitality.phase == Phase::Terminal) {
                continue;
            }
            let wanted = EpisodeId::derive(now, &self.golem, action.0.as_slice());
            if self.episode(wanted)?.is_none() {
                flaws.say("G-124", format!("the verified outcome of {action} left no episode {wanted}"));
            }
        }
        Ok(())
    }

    /// G-006.
    fn audit_vectors(&self, flaws: &mut Flaws) -> Result<(), StoreError> {
        let sql = "SELECT v.entry, v.vector, m.dimensions, e.id IS NOT NULL AS known FROM vectors v
                   LEFT JOIN models m ON m.id = v.model LEFT JOIN entries e ON e.id = v.entry";
        for (id, flaw) in self.all(sql, (), |row| {
            let id: EntryId = row.entry_id("entry")?;
            let bytes = row.get_ref("vector")?.as_blob()?.to_vec();
            let flaw = match row.get::<_, Option<u32>>("dimensions")? {
                _ if !row.flag("known")? => Some("belongs to no entry"),
                None => Some("is of no model"),
                Some(dimensions) if bytes.len() != dimensions as usize * 4 => {
                    Some("is of another length than its model's")
                }
                Some(_) if unit(&parts(&bytes)).is_none() => Some("is not finite or has no length"),
                Some(_) => None,
            };
            Ok((id, flaw))
        })? {
            if let Some(flaw) = flaw {
                flaws.say("G-006", format!("the vector of {id} {flaw}"));
            }
        }
        Ok(())
    }

    /// G-002. Full text is in step with its rows, both ways.
    fn audit_words(&self, flaws: &mut Flaws) -> Result<(), StoreError> {
        let sql = "SELECT count(*) FROM entries_text_docsize WHERE id NOT IN (SELECT place FROM entries)";
        let stray = self.one(sql, (), |row| row.get::<_, u32>(0))?;
        if stray > 0 {
            flaws.say("G-002", format!("the words of {stray} entries are kept that are gone"));
        }
        let rows = self.all("SELECT place, content FROM entries", (), |row| {
            Ok((row.get::<_, i64>("place")?, row.get::<_, String>("content")?))
        })?;
        let sql = "SELECT 1 FROM entries_text WHERE entries_text MATCH ?1 AND rowid = ?2";
        for (place, words) in rows {
            let whole = format!("\"{}\"", words.replace('"', "\"\""));
            if has_words(&words) && self.maybe(sql, (whole, place), |_| Ok(()))?.is_none() {
                flaws.say("G-002", format!("row {place} of entries is not found by its own words"));
            }
        }
        Ok(())
    }

    /// G-162, G-165.
    fn audit_playbooks(&self, flaws: &mut Flaws) -> Result<(), StoreError> {
        let sql = "SELECT version, hash, text FROM playbooks ORDER BY version";
        let rows = self.all(sql, (), |row| {
            Ok((Columns::number(row, "version")?, row.hash("hash")?, row.get::<_, String>("text")?))
        })?;
        for (place, (version, hash, text)) in (1u64..).zip(rows) {
            if version != place {
                flaws.say("G-165", format!("PLAYBOOK version {place} is missing before {version}"));
                return Ok(());
            }
            if keccak256(&text) != hash {
                flaws.say("G-165", format!("PLAYBOOK version {version} is not what was written"));
            }
            match text.parse::<golem_grimoire::playbook::Playbook>() {
                Err(error) => flaws.say("G-162", format!("PLAYBOOK version {version} cannot be read: {error}")),
                Ok(playbook) if playbook.version() != version => {
                    flaws.say("G-165", format!("PLAYBOOK version {version} says it is {}", playbook.version()));
                }
                Ok(playbook) => {
                    for (_, rule) in playbook.rules() {
                        if rule.evidence.is_empty() || rule.when.is_empty() || rule.act.is_empty() {
                            flaws.say("G-162", format!("rule {} of PLAYBOOK version {version} lacks a part", rule.id));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
