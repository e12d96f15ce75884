//! Episodes as rows: what happened is written once, what is noted since lies beside it (G-119).

use golem_core::record::{OutcomeVerification, TickInput};
use golem_grimoire::distil::EARLY_EPISODES;
use golem_grimoire::episode::{
    Ambiguity, Annotations, DreamPriority, Episode, EpisodeCircumstances, EpisodeKind, EpisodeOutcome, Importance,
    Recorded,
};
use golem_grimoire::finding::PatternKey;
use golem_grimoire::id::EpisodeId;
use golem_grimoire::regime::Regime;
use golem_grimoire::strength::Strength;
use golem_ports::StoreError;
use golem_primitives::{EffectId, GolemId, Tick, Usdc};
use rusqlite::{Connection, Row, params};

use super::columns::Words;
use crate::codec::{self, Columns, Json, Number, tick};
use crate::commit::run;
use crate::reader::Reader;

pub(super) const RECORDED: &str = "SELECT e.*, a.strength, a.arousal, a.dream_priority, a.ambiguity, a.replay_count,
                        a.replayed_tick, a.replayed_at, a.is_consolidated, a.is_forgotten, a.entries
                        FROM episodes e JOIN annotations a ON a.place = e.place";

impl Reader {
    /// The newest episodes, oldest first, with their notes.
    pub fn last_episodes(&self, limit: usize) -> Result<Vec<Recorded>, StoreError> {
        let sql = format!("{RECORDED} ORDER BY e.place DESC LIMIT ?1");
        let mut episodes = self.all(&sql, [i64::try_from(limit).unwrap_or(i64::MAX)], recorded)?;
        episodes.reverse();
        Ok(episodes)
    }

    /// An episode with its notes.
    pub fn episode(&self, id: EpisodeId) -> Result<Option<Recorded>, StoreError> {
        self.maybe(&format!("{RECORDED} WHERE e.id = ?1"), [id.to_be_bytes()], recorded)
    }

    /// G-143. Whether enough episodes of one key and regime are fresh for distillation not to wait.
    pub fn is_ripe(&self) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM annotations a CROSS JOIN episodes e ON e.place = a.place
                   WHERE a.is_consolidated = 0 AND a.is_forgotten = 0 AND e.outcome IN ('positive', 'negative')
                   GROUP BY e.tool, e.chain, e.pair, e.regime HAVING count(*) >= ?1 LIMIT 1";
        let enough = i64::try_from(EARLY_EPISODES).unwrap_or(i64::MAX);
        Ok(self.maybe(sql, [enough], |_| Ok(()))?.is_some())
    }

    /// What distillation looks at: whatever went well or badly, and everything since the last cycle.
    pub(super) fn episodes_to_distil(&self, since: Tick) -> Result<Vec<Recorded>, StoreError> {
        let sql = format!(
            "{RECORDED} WHERE (e.outcome IN ('positive', 'negative') AND a.is_forgotten = 0)
             OR (a.is_consolidated = 0 AND e.recorded_tick >= ?1) ORDER BY e.place"
        );
        self.all(&sql, [tick(since)], recorded)
    }
}

pub(super) fn recorded(row: &Row<'_>) -> rusqlite::Result<Recorded> {
    let priority = row.maybe_word("dream_priority", DreamPriority::from_name)?;
    let notes = Annotations {
        strength: Strength::from_hundredths(Words::small(row, "strength")?),
        arousal: row.share("arousal")?,
        dream_priority: priority.zip(row.maybe_word("ambiguity", Ambiguity::from_name)?),
        replay_count: Words::small(row, "replay_count")?,
        last_replayed: row.maybe_moment("replayed")?,
        is_consolidated: row.flag("is_consolidated")?,
        is_forgotten: row.flag("is_forgotten")?,
        entries: row.json("entries")?,
    };
    Ok(Recorded { episode: episode(row)?, notes })
}

fn episode(row: &Row<'_>) -> rusqlite::Result<Episode> {
    Ok(Episode {
        id: row.episode_id("id")?,
        kind: row.word("kind", EpisodeKind::from_name)?,
        text: row.get("text")?,
        key: PatternKey { tool: row.get("tool")?, chain: Columns::number(row, "chain")?, pair: row.get("pair")? },
        outcome: row.word("outcome", EpisodeOutcome::from_name)?,
        importance: row.word("importance", Importance::from_name)?,
        happened: row.moment("happened")?,
        recorded: row.moment("recorded")?,
        regime: row.maybe_word("regime", Regime::from_name)?,
        emotion: row.maybe_json("emotion")?,
        expected: row.get("expected")?,
        actual: row.get("actual")?,
        pnl_micros: row.get("pnl_micros")?,
        position: Usdc::from_micros(Columns::number(row, "position")?),
        confidence: row.confidence("confidence")?,
        is_unfinished: row.flag("is_unfinished")?,
    })
}

/// G-010. Writes what a pass lived. One that is there already stays as it was written.
pub(crate) fn write(to: &Connection, pass: u64, episodes: &[Episode]) -> rusqlite::Result<()> {
    for episode in episodes {
        write_one(to, pass, episode)?;
    }
    Ok(())
}

fn write_one(to: &Connection, pass: u64, episode: &Episode) -> rusqlite::Result<()> {
    let sql = "INSERT INTO episodes (id, pass, kind, text, tool, chain, pair, outcome, importance, happened_tick,
               happened_at, recorded_tick, recorded_at, regime, emotion, expected, actual, pnl_micros, position,
               confidence, is_unfinished)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
               ON CONFLICT (id) DO NOTHING";
    let written = to.prepare_cached(sql)?.execute(params![
        episode.id.to_be_bytes(),
        Number(pass),
        episode.kind.name(),
        episode.text,
        episode.key.tool,
        Number(episode.key.chain),
        episode.key.pair,
        episode.outcome.name(),
        episode.importance.name(),
        tick(episode.happened.tick),
        Number(episode.happened.at.seconds()),
        tick(episode.recorded.tick),
        Number(episode.recorded.at.seconds()),
        episode.regime.map(Regime::name),
        episode.emotion.map(Json),
        episode.expected,
        episode.actual,
        episode.pnl_micros,
        Number(episode.position.micros()),
        episode.confidence.get().get(),
        episode.is_unfinished,
    ])?;
    if written == 0 {
        return Ok(());
    }
    let place = to.last_insert_rowid();
    annotate(to, place, &Annotations::default())
}

fn annotate(to: &Connection, place: i64, notes: &Annotations) -> rusqlite::Result<()> {
    let sql = "INSERT INTO annotations (place, strength, arousal, dream_priority, ambiguity, replay_count,
               replayed_tick, replayed_at, is_consolidated, is_forgotten, entries)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    to.prepare_cached(sql)?
        .execute(params![
            place,
            notes.strength.hundredths(),
            notes.arousal.get(),
            notes.dream_priority.map(|(priority, _)| priority.name()),
            notes.dream_priority.map(|(_, ambiguity)| ambiguity.name()),
            notes.replay_count,
            notes.last_replayed.map(|at| tick(at.tick)),
            notes.last_replayed.map(|at| Number(at.at.seconds())),
            notes.is_consolidated,
            notes.is_forgotten,
            Json(&notes.entries),
        ])
        .map(drop)
}

/// G-117, G-141. Notes that a cycle has distilled an episode.
pub(super) fn mark_consolidated(to: &Connection, id: EpisodeId) -> rusqlite::Result<()> {
    let sql = "UPDATE annotations SET is_consolidated = 1
               WHERE place = (SELECT place FROM episodes WHERE id = ?1)";
    to.prepare_cached(sql)?.execute([id.to_be_bytes()]).map(drop)
}

/// What had no outcome has nothing to distil: once a whole cycle went by, it is no news any more.
pub(super) fn settle_descriptive(to: &Connection, until: Tick) -> rusqlite::Result<()> {
    let sql = "UPDATE annotations SET is_consolidated = 1 WHERE is_consolidated = 0 AND place IN
               (SELECT place FROM episodes WHERE outcome IN ('neutral', 'descriptive') AND recorded_tick <= ?1)";
    run(to, sql, [tick(until)]).map(drop)
}

/// What a reorganisation took back never happened: the episodes of an effect's standing outcomes count as forgotten,
/// so that evidence is counted once when the effect lands again. They stay written (G-119).
pub(crate) fn forget_withdrawn(to: &Connection, effect: EffectId) -> rusqlite::Result<()> {
    let golem: String = to.prepare_cached("SELECT golem FROM meta WHERE id = 1")?.query_row((), |row| row.get(0))?;
    let Ok(golem) = GolemId::new(&golem) else { return Ok(()) };
    let sql = "SELECT o.record, j.input FROM outcomes o JOIN journal j ON j.seq = o.pass
               WHERE o.effect = ?1 AND o.withdrawn = 0";
    let mut statement = to.prepare_cached(sql)?;
    let lived = statement.query_map([codec::effect(effect)], |row| {
        Ok((row.json::<OutcomeVerification>("record")?.action_id, row.json::<TickInput>("input")?.now))
    })?;
    for told in lived {
        let (action, now) = told?;
        for id in EpisodeCircumstances::names_of(action).map(|name| EpisodeId::derive(now, &golem, &name)) {
            let sql = "UPDATE annotations SET is_forgotten = 1
                       WHERE place = (SELECT place FROM episodes WHERE id = ?1)";
            to.prepare_cached(sql)?.execute([id.to_be_bytes()])?;
        }
    }
    Ok(())
}

/// G-141. Notes that an episode is to be dreamt of, and why.
pub(super) fn tag(
    to: &Connection,
    id: EpisodeId,
    (priority, ambiguity): (DreamPriority, Ambiguity),
) -> rusqlite::Result<()> {
    let sql = "UPDATE annotations SET dream_priority = ?2, ambiguity = ?3
               WHERE place = (SELECT place FROM episodes WHERE id = ?1)";
    to.prepare_cached(sql)?.execute((id.to_be_bytes(), priority.name(), ambiguity.name())).map(drop)
}

/// G-032. Notes beside episodes which entries were made of them.
pub(super) fn link(to: &Connection, id: EpisodeId, entry: golem_grimoire::id::EntryId) -> rusqlite::Result<()> {
    let sql = "UPDATE annotations SET entries = json_insert(entries, '$[#]', ?2)
               WHERE place = (SELECT place FROM episodes WHERE id = ?1)
               AND NOT EXISTS (SELECT 1 FROM json_each(entries) WHERE value = ?2)";
    to.prepare_cached(sql)?.execute((id.to_be_bytes(), entry.to_string())).map(drop)
}
