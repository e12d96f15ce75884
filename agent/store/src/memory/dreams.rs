//! Dreams in the file: frozen before anything is asked, asked once, landed whole.

use std::collections::BTreeMap;

use golem_core::dreaming::{DreamShelf, SeenPrice, Slumber};
use golem_core::record::{Fill, Observation};
use golem_daimon::dream::DreamTrace;
use golem_dreams::dream::Answer;
use golem_dreams::heritage::bequeathed;
use golem_dreams::inputs::InheritedHypothesis;
use golem_dreams::onset::fragment::{Fragment, Held};
use golem_dreams::rem::hypothesis::Hypothesis;
use golem_dreams::rem::threat::{Rehearsals, ThreatKind};
use golem_grimoire::episode::{Ambiguity, DreamPriority, Recorded};
use golem_grimoire::gate::Quarantined;
use golem_grimoire::id::{EpisodeId, Moment};
use golem_ports::{DreamRecord, Dreams, OpenDream, Settled, Stirring, StoreError};
use golem_primitives::{EffectId, Usdc};
use rusqlite::{Row, params};

use super::columns::Words;
use super::episodes::{self, RECORDED, recorded};
use crate::codec::{self, Columns, Json, Number, tick};
use crate::error::{At, corrupt};
use crate::reader::{Reader, begin, look};
use crate::store::SqliteStore;

mod land;

/// Episodes a dream is frozen from at most, the newest: three weeks of a life that lives one in every other tick would be
/// more than anybody dreams of in a night.
const MOST_EPISODES: i64 = 1_000;
/// Unreplayed episodes that are counted; urgency is whole far below.
const MOST_COUNTED: i64 = 1_000;
/// D-038. Episodes whose arousal counts.
const LAST: i64 = 50;
/// Trades a dream reads.
const MOST_FILLS: i64 = 500;
/// Passes whose looks it reads.
const LOOKED_BACK: u64 = 800;
/// Worlds that are kept frozen behind dreams that are over, to dream them again from.
const FROZEN_KEPT: i64 = 8;

/// Fragments that stay behind a snapshot, the newest.
const FRAGMENTS_KEPT: i64 = 1_000;

/// What dreams left beside an episode.
const BESIDE: &str = "LEFT JOIN dream_episodes d ON d.place = e.place";

impl Reader {
    /// The newest episodes that nothing hides, oldest first, with their notes.
    pub fn dream_episodes(&self) -> Result<Vec<Recorded>, StoreError> {
        let sql = format!("{RECORDED} WHERE a.is_forgotten = 0 ORDER BY e.place DESC LIMIT ?1");
        let mut episodes = self.all(&sql, [MOST_EPISODES], recorded)?;
        episodes.reverse();
        Ok(episodes)
    }

    /// What memory keeps of dreams and for them.
    pub fn dream_shelf(&self) -> Result<DreamShelf, StoreError> {
        let _look = look(self)?;
        Ok(DreamShelf {
            supposed: self.supposed()?.into_iter().map(|one| one.description).collect(),
            feelings: self.feelings()?,
            rehearsals: self.rehearsals()?,
            held: self.held()?,
            fills: self.fills()?,
            looks: self.looks()?,
            ..DreamShelf::default()
        })
    }

    fn feelings(&self) -> Result<BTreeMap<EpisodeId, DreamTrace>, StoreError> {
        let sql = "SELECT e.id, d.feeling FROM dream_episodes d JOIN episodes e ON e.place = d.place
                   WHERE d.feeling IS NOT NULL ORDER BY d.place DESC LIMIT ?1";
        let felt = self.all(sql, [MOST_EPISODES], |row| Ok((row.episode_id("id")?, row.json("feeling")?)))?;
        Ok(felt.into_iter().collect())
    }

    /// Trades as they were made, oldest first.
    fn fills(&self) -> Result<Vec<Fill>, StoreError> {
        let sql = "SELECT fill FROM dream_fills ORDER BY place DESC LIMIT ?1";
        let mut fills = self.all(sql, [MOST_FILLS], |row| row.json("fill"))?;
        fills.reverse();
        Ok(fills)
    }

    /// The last looks, oldest first, as the journal has them.
    fn looks(&self) -> Result<Vec<SeenPrice>, StoreError> {
        let sql = "SELECT coalesce(max(seq), 0) AS last FROM journal";
        let last = self.one(sql, (), |row| Columns::number(row, "last"))?;
        let from = last.saturating_sub(LOOKED_BACK) + 1;
        let passes = self.journal(from, usize::try_from(LOOKED_BACK).unwrap_or(usize::MAX))?;
        let seen = passes.iter().flat_map(|pass| {
            pass.input.observations.iter().filter_map(|seen| match seen {
                Observation::Sight(sight) => Some(SeenPrice {
                    tick: pass.input.tick,
                    at: sight.block.time,
                    price: sight.market.price,
                    liquidity: sight.market.liquidity,
                }),
                _ => None,
            })
        });
        Ok(seen.collect())
    }

    /// D-039. What a tick asks of memory.
    pub fn stirring(&self) -> Result<Stirring, StoreError> {
        let _look = look(self)?;
        // Episodes are never taken away, so the last place is their number.
        let sql = "SELECT coalesce(max(place), 0) AS count FROM episodes";
        let episodes = self.one(sql, (), |row| Columns::number(row, "count"))?;
        let sql = "SELECT count(*) AS count FROM (SELECT 1 FROM annotations WHERE replay_count = 0 LIMIT ?1)";
        let unreplayed = self.one(sql, [MOST_COUNTED], |row| Columns::number(row, "count"))?;
        let sql = format!(
            "{} {BESIDE} ORDER BY e.place DESC LIMIT ?1",
            RECORDED.replace("a.entries", "a.entries, d.feeling")
        );
        let mut last = self.all(&sql, [LAST], |row| Ok((recorded(row)?, row.maybe_json("feeling")?)))?;
        last.reverse();
        Ok(Stirring { episodes, unreplayed, last })
    }

    /// D-020, D-247. What dreams supposed and nobody tried: the lines of the last dream, then what the last whole one supposed.
    pub fn untried(&self) -> Result<Vec<InheritedHypothesis>, StoreError> {
        let _look = look(self)?;
        // Only an emergency dream leaves lines, and a life has one at most.
        let sql = "SELECT json_extract(j.left, '$.testament') AS said FROM dream_journal j
                   WHERE json_array_length(j.left, '$.testament') > 0 ORDER BY j.place DESC LIMIT 1";
        let last = self.maybe(sql, (), |row| row.json("said"))?.unwrap_or_default();
        Ok(bequeathed(last, &self.supposed()?))
    }

    /// What the last dream that supposed anything supposed.
    fn supposed(&self) -> Result<Vec<Hypothesis>, StoreError> {
        let sql = "SELECT json_extract(entry, '$.hypotheses') AS said FROM dream_journal
                   WHERE json_array_length(entry, '$.hypotheses') > 0 ORDER BY place DESC LIMIT 1";
        Ok(self.maybe(sql, (), |row| row.json("said"))?.unwrap_or_default())
    }

    fn rehearsals(&self) -> Result<Rehearsals, StoreError> {
        let rows = self.all("SELECT kind, rehearsal FROM dream_rehearsals", (), |row| {
            Ok((row.word("kind", ThreatKind::from_name)?, row.json("rehearsal")?))
        })?;
        Ok(Rehearsals(rows.into_iter().collect()))
    }

    fn held(&self) -> Result<Vec<Held>, StoreError> {
        let sql = "SELECT until, fragment FROM dream_fragments WHERE until IS NOT NULL ORDER BY place";
        self.all(sql, (), |row| Ok(Held { fragment: row.json::<Fragment>("fragment")?, until: row.tick("until")? }))
    }

    /// The dream of that effect, if it began.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be read, or answers stand out of their order.
    pub fn dreaming(&self, effect: EffectId) -> Result<Option<OpenDream>, StoreError> {
        let key = || [codec::effect(effect)];
        let sql = "SELECT slumber FROM dream_frozen WHERE effect = ?1";
        let Some(slumber) = self.maybe(sql, key(), |row| row.json::<Slumber>("slumber"))? else { return Ok(None) };
        let sql = "SELECT ask, ceiling, answer FROM dream_answers WHERE effect = ?1 ORDER BY ask";
        let asked = self.all(sql, key(), |row| {
            let ceiling = Usdc::from_micros(Columns::number(row, "ceiling")?);
            Ok((Words::small(row, "ask")?, ceiling, row.maybe_json::<Answer>("answer")?))
        })?;
        let mut dreaming = OpenDream { slumber, answers: Vec::with_capacity(asked.len()), sent: None };
        for (ask, ceiling, answer) in asked {
            if dreaming.sent.is_some() {
                return Err(corrupt(&self.path, "a question of a dream was sent before another was answered"));
            }
            match answer {
                Some(answer) => dreaming.answers.push(answer),
                None => dreaming.sent = Some((ask, ceiling)),
            }
        }
        Ok(Some(dreaming))
    }

    /// What came of the dream that effect wanted, if it landed.
    pub fn dreamt(&self, effect: EffectId) -> Result<Option<DreamRecord>, StoreError> {
        self.maybe("SELECT * FROM dream_journal WHERE effect = ?1", [codec::effect(effect)], record)
    }

    /// D-168. The last dreams, newest first.
    pub fn last_dreams(&self, limit: usize) -> Result<Vec<DreamRecord>, StoreError> {
        let sql = "SELECT * FROM dream_journal ORDER BY place DESC LIMIT ?1";
        self.all(sql, [i64::try_from(limit).unwrap_or(i64::MAX)], record)
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<DreamRecord> {
    Ok(DreamRecord {
        effect: row.effect("effect")?,
        at: Moment::new(row.tick("tick")?, row.time("at")?),
        entry: row.json("entry")?,
        dreamt: row.json("dreamt")?,
        cost: Usdc::from_micros(Columns::number(row, "cost")?),
    })
}

impl Dreams for SqliteStore {
    fn dream_shelf(&self) -> Result<DreamShelf, StoreError> {
        self.reader().dream_shelf()
    }

    fn dream_episodes(&self) -> Result<Vec<Recorded>, StoreError> {
        self.reader().dream_episodes()
    }

    fn dream_quarantine(&self) -> Result<Vec<Quarantined>, StoreError> {
        self.reader().quarantine()
    }

    fn stirring(&self) -> Result<Stirring, StoreError> {
        self.reader().stirring()
    }

    fn fall_asleep(&mut self, effect: EffectId, now: Moment, slumber: &Slumber) -> Result<(), StoreError> {
        let sql = "INSERT INTO dream_frozen (effect, cycle, tick, at, slumber) VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT (effect) DO NOTHING";
        let cycle = Number(slumber.frozen.cycle.0);
        let at = Number(now.at.seconds());
        self.write(sql, params![codec::effect(effect), cycle, tick(now.tick), at, Json(slumber)]).map(drop)
    }

    fn dreaming(&self, effect: EffectId) -> Result<Option<OpenDream>, StoreError> {
        self.reader().dreaming(effect)
    }

    fn ask(&mut self, effect: EffectId, ask: u32, ceiling: Usdc) -> Result<(), StoreError> {
        let sql = "INSERT INTO dream_answers (effect, ask, ceiling) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        self.write(sql, params![codec::effect(effect), ask, Number(ceiling.micros())]).map(drop)
    }

    fn answer(&mut self, effect: EffectId, answer: &Answer) -> Result<(), StoreError> {
        let sql = "UPDATE dream_answers SET answer = ?3 WHERE effect = ?1 AND ask = ?2 AND answer IS NULL";
        self.write(sql, params![codec::effect(effect), answer.ask, Json(answer)]).map(drop)
    }

    fn dreamt(&self, effect: EffectId) -> Result<Option<DreamRecord>, StoreError> {
        self.reader().dreamt(effect)
    }

    fn land(&mut self, settled: &Settled<'_>) -> Result<DreamRecord, StoreError> {
        land::land(self.reader(), settled)
    }

    fn tag_anomalies(&mut self, anomalies: &[EpisodeId]) -> Result<(), StoreError> {
        let reader = self.reader();
        let transaction = begin(reader)?;
        for id in anomalies {
            episodes::tag(&transaction, *id, (DreamPriority::High, Ambiguity::ContradictoryPattern)).at(&reader.path)?;
        }
        transaction.commit().at(&reader.path)
    }
}

/// D-243. Purges fragments of dreams behind an insurance snapshot that still has them. What waits for a second look stays, and
/// episodes are never taken away (G-010).
pub(crate) fn purge(reader: &Reader) -> Result<(), StoreError> {
    let sql = "DELETE FROM dream_fragments WHERE place IN
               (SELECT place FROM dream_fragments WHERE until IS NULL ORDER BY place DESC LIMIT -1 OFFSET ?1)";
    let transaction = begin(reader)?;
    transaction.execute(sql, [FRAGMENTS_KEPT]).at(&reader.path)?;
    transaction.commit().at(&reader.path)
}

/// D-110. Keeps how trades came about, each once for its effect.
pub(crate) fn write_fills(to: &rusqlite::Connection, observations: &[Observation]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO dream_fills (effect, fill) VALUES (?1, ?2) ON CONFLICT (effect) DO NOTHING";
    for seen in observations {
        if let Observation::Filled(fill) = seen {
            to.prepare_cached(sql)?.execute((codec::effect(fill.effect), Json(fill)))?;
        }
    }
    Ok(())
}
