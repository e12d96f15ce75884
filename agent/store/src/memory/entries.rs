//! Entries as rows. What was written comes back only through the law's own door.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{Draft, EmbeddingMark, Knowledge};
use golem_grimoire::id::EntryId;
use golem_grimoire::ingest::{Customs, FAST_REJECT};
use golem_grimoire::kind::{Domain, EntryBody, Kind};
use golem_grimoire::provenance::Source;
use golem_grimoire::regime::Regime;
use golem_grimoire::retention::DecayClass;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::{ArchiveReason, BurnReason, Burned, Entry, Promotion, Stored};
use golem_grimoire::strength::Strength;
use golem_ports::StoreError;
use golem_primitives::{B256, UtcTime};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row};

use super::columns::{Cells, Words, flag, json, maybe, maybe_json, number, put, small, word};
use crate::codec::{Columns, place};
use crate::commit::run;
use crate::error::{At, corrupt};
use crate::reader::Reader;

/// Every column of an entry, with who made its vector.
const ENTRY: &str = "SELECT e.*, v.at AS embedded_at, m.name AS model_name, m.version AS model_version,
                     m.preprocessing AS model_preprocessing
                     FROM entries e LEFT JOIN models m ON m.state = 'active'
                     LEFT JOIN vectors v ON v.entry = e.id AND v.model = m.id";

impl Reader {
    /// An entry in whatever state it is.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be read, or is not what a life under the law can have written.
    pub fn entry(&self, id: EntryId) -> Result<Option<Entry>, StoreError> {
        // A recall asks for dozens in a row, and so wide a statement costs more to prepare than to run.
        let mut statement = self.connection.prepare_cached(&format!("{ENTRY} WHERE e.id = ?1")).at(&self.path)?;
        match statement.query_row([id.to_be_bytes()], stored).optional().at(&self.path)? {
            Some(row) => row.reload().map(Some).map_err(|error| corrupt(&self.path, error.to_string())),
            None => self.maybe("SELECT * FROM burned WHERE id = ?1", [id.to_be_bytes()], burned),
        }
    }

    /// Living and archived entries by a condition of ours.
    pub(super) fn entries_where(
        &self,
        condition: &str,
        params: impl rusqlite::Params,
    ) -> Result<Vec<Entry>, StoreError> {
        let rows = self.all(&format!("{ENTRY} {condition}"), params, stored)?;
        rows.into_iter().map(|row| row.reload().map_err(|error| corrupt(&self.path, error.to_string()))).collect()
    }

    /// G-001. Every entry, archived and burned ones among them.
    pub fn grimoire(&self) -> Result<Grimoire, StoreError> {
        let kept = self.entries_where("ORDER BY e.place", ())?;
        let gone = self.all("SELECT * FROM burned ORDER BY place", (), burned)?;
        Ok(Grimoire::from_entries(kept.into_iter().chain(gone)))
    }
}

fn burned(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let at = golem_grimoire::id::Moment::new(row.tick("tick")?, row.time("at")?);
    Ok(Entry::Burned(Burned {
        id: row.entry_id("id")?,
        kind: row.word("kind", Kind::from_name)?,
        summary: row.get("summary")?,
        at,
        reason: row.word("reason", BurnReason::from_name)?,
        refuted: row.maybe_json("refuted")?,
    }))
}

/// A row, not yet believed.
pub(super) fn stored(row: &Row<'_>) -> rusqlite::Result<Stored> {
    let candidate_since = row.moment("candidate")?;
    let promotion = match row.maybe_moment("promoted")? {
        Some(at) => Some(Promotion {
            candidate_since,
            at,
            confirmations: Words::small(row, "promoted_confirmations")?,
            confidence: row.confidence("promoted_confidence")?,
        }),
        None => None,
    };
    let reason = row.maybe_word("archived_reason", ArchiveReason::from_name)?;
    let archived = row.maybe_moment("archived")?.zip(reason);
    Ok(Stored { knowledge: knowledge(row)?, candidate_since, promotion, archived })
}

fn knowledge(row: &Row<'_>) -> rusqlite::Result<Knowledge> {
    Ok(Knowledge {
        id: row.entry_id("id")?,
        draft: draft(row)?,
        confidence: row.confidence("confidence")?,
        quality: row.share("quality")?,
        validated: Words::small(row, "validated")?,
        contradicted: Words::small(row, "contradicted")?,
        last_validated: row.moment("validated")?,
        recorded: row.moment("recorded")?,
        decay_class: row.word("decay_class", DecayClass::from_name)?,
        last_accessed: row.tick("accessed_tick")?,
        access_count: Words::small(row, "access_count")?,
        useful_count: Words::small(row, "useful_count")?,
        strength: Strength::from_hundredths(Words::small(row, "strength")?),
        low_cycles: Words::small(row, "low_cycles")?,
        cycles: Words::small(row, "cycles")?,
        has_arousal_bias: row.flag("has_arousal_bias")?,
        embedding: embedding(row)?,
    })
}

fn draft(row: &Row<'_>) -> rusqlite::Result<Draft> {
    Ok(Draft {
        content: row.get(place(row, "content")?)?,
        body: row.json::<EntryBody>("body")?,
        source: row.json::<Source>("source")?,
        original_confidence: row.confidence("original_confidence")?,
        domain: row.word("domain", Domain::from_name)?,
        regime: row.maybe_word("regime", Regime::from_name)?,
        decay_class: row.maybe_word("asked_class", DecayClass::from_name)?,
        valid_from: row.time("valid_from")?,
        valid_until: row
            .get::<_, Option<crate::codec::Number>>(place(row, "valid_until")?)?
            .map(|until| UtcTime::from_seconds(until.0)),
        parents: row.json("parents")?,
        tags: row.json("tags")?,
        emotion: row.maybe_json("emotion")?,
        question: row.maybe_json("question")?,
        gaps: row.json("gaps")?,
        method: row.json("method")?,
        dream: row.maybe_json("dream")?,
    })
}

fn embedding(row: &Row<'_>) -> rusqlite::Result<Option<EmbeddingMark>> {
    let Some(at) = row.get::<_, Option<crate::codec::Number>>(place(row, "embedded_at")?)? else { return Ok(None) };
    Ok(Some(EmbeddingMark {
        model: row.get(place(row, "model_name")?)?,
        version: row.get(place(row, "model_version")?)?,
        preprocessing: row.hash("model_preprocessing")?,
        at: UtcTime::from_seconds(at.0),
    }))
}

fn cells(row: &Stored, status: &str) -> rusqlite::Result<Cells> {
    let (known, draft) = (&row.knowledge, &row.knowledge.draft);
    let share = |share: Confidence| small(share.get().get());
    let mut cells: Cells = vec![
        ("id", Value::Blob(known.id.to_be_bytes().to_vec())),
        ("status", word(status)),
        ("kind", word(known.kind().name())),
        ("content", word(&draft.content)),
        ("body", json(&draft.body)?),
        ("provenance", word(draft.source.provenance.name())),
        ("origin", word(draft.source.origin.as_str())),
        ("generation", small(draft.source.generation)),
        ("is_bloodstain", flag(draft.source.is_bloodstain())),
        ("source", json(&draft.source)?),
        ("original_confidence", share(draft.original_confidence)),
        ("domain", word(draft.domain.name())),
        ("regime", maybe(draft.regime, |regime| word(regime.name()))),
        ("asked_class", maybe(draft.decay_class, |class| word(class.name()))),
        ("decay_class", word(known.decay_class.name())),
        ("valid_from", number(draft.valid_from.seconds())?),
        ("valid_until", draft.valid_until.map_or(Ok(Value::Null), |until| number(until.seconds()))?),
        ("parents", json(&draft.parents)?),
        ("tags", json(&draft.tags)?),
        ("emotion", maybe_json(draft.emotion.as_ref())?),
        ("question", maybe_json(draft.question.as_ref())?),
        ("is_open_question", flag(known.is_open_question())),
        ("gaps", json(&draft.gaps)?),
        ("method", json(&draft.method)?),
        ("dream", maybe_json(draft.dream.as_ref())?),
        ("confidence", share(known.confidence)),
        ("quality", small(known.quality.get())),
    ];
    cells.extend(fortunes(row)?);
    Ok(cells)
}

/// How it fared: the columns that change.
fn fortunes(row: &Stored) -> rusqlite::Result<Cells> {
    let known = &row.knowledge;
    let (promotion, archived) = (row.promotion, row.archived);
    Ok(vec![
        ("validated", small(known.validated)),
        ("contradicted", small(known.contradicted)),
        ("validated_tick", number(known.last_validated.tick.get())?),
        ("validated_at", number(known.last_validated.at.seconds())?),
        ("recorded_tick", number(known.recorded.tick.get())?),
        ("recorded_at", number(known.recorded.at.seconds())?),
        ("accessed_tick", number(known.last_accessed.get())?),
        ("access_count", small(known.access_count)),
        ("useful_count", small(known.useful_count)),
        ("strength", small(known.strength.hundredths())),
        ("low_cycles", small(known.low_cycles)),
        ("cycles", small(known.cycles)),
        ("has_arousal_bias", flag(known.has_arousal_bias)),
        ("candidate_tick", number(row.candidate_since.tick.get())?),
        ("candidate_at", number(row.candidate_since.at.seconds())?),
        ("promoted_tick", promotion.map_or(Ok(Value::Null), |promotion| number(promotion.at.tick.get()))?),
        ("promoted_at", promotion.map_or(Ok(Value::Null), |promotion| number(promotion.at.at.seconds()))?),
        ("promoted_confirmations", maybe(promotion, |promotion| small(promotion.confirmations))),
        ("promoted_confidence", maybe(promotion, |promotion| small(promotion.confidence.get().get()))),
        ("archived_tick", archived.map_or(Ok(Value::Null), |(at, _)| number(at.tick.get()))?),
        ("archived_at", archived.map_or(Ok(Value::Null), |(at, _)| number(at.at.seconds()))?),
        ("archived_reason", maybe(archived, |(_, reason)| word(reason.name()))),
    ])
}

/// Writes an entry as it is now: its row and its words keep step; a vector of other words goes.
pub(super) fn write(to: &Connection, entry: &Entry) -> rusqlite::Result<()> {
    let id = entry.id().to_be_bytes();
    let before = to
        .prepare_cached("SELECT place, content FROM entries WHERE id = ?1")?
        .query_row([id], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))
        .optional()?;
    let Some(row) = Stored::of(entry) else {
        return burn(to, entry, before);
    };
    put(to, "entries", "id", &cells(&row, entry.status().name())?)?;
    let content = &row.knowledge.draft.content;
    if before.as_ref().is_none_or(|(_, known)| known != content) {
        if let Some((place, known)) = &before {
            unlearn_words(to, *place, known)?;
            run(to, "DELETE FROM vectors WHERE entry = ?1", [id])?;
            touch_vectors(to)?;
        }
        let sql = "INSERT INTO entries_text (rowid, content) SELECT place, content FROM entries WHERE id = ?1";
        to.prepare_cached(sql)?.execute([id])?;
    }
    Ok(())
}

/// G-070. What is left of a burned entry is one line: content, words and vectors go.
fn burn(to: &Connection, entry: &Entry, before: Option<(i64, String)>) -> rusqlite::Result<()> {
    let Entry::Burned(burned) = entry else { return Ok(()) };
    let id = burned.id.to_be_bytes();
    if let Some((place, content)) = before {
        if burned.reason == BurnReason::Contradicted {
            // Nor do the same words come in again, whether or not they claim anything that can be tested.
            immunise(to, Customs::pattern_of(&content), FAST_REJECT)?;
        }
        unlearn_words(to, place, &content)?;
        run(to, "DELETE FROM entries WHERE id = ?1", [id])?;
        run(to, "DELETE FROM vectors WHERE entry = ?1", [id])?;
        touch_vectors(to)?;
    }
    let cells: Cells = vec![
        ("id", Value::Blob(id.to_vec())),
        ("kind", word(burned.kind.name())),
        ("summary", word(&burned.summary)),
        ("tick", number(burned.at.tick.get())?),
        ("at", number(burned.at.at.seconds())?),
        ("reason", word(burned.reason.name())),
        ("refuted", maybe_json(burned.refuted.as_ref())?),
    ];
    put(to, "burned", "id", &cells)
}

fn unlearn_words(to: &Connection, place: i64, content: &str) -> rusqlite::Result<()> {
    let sql = "INSERT INTO entries_text (entries_text, rowid, content) VALUES ('delete', ?1, ?2)";
    to.prepare_cached(sql)?.execute((place, content)).map(drop)
}

/// Whoever keeps entries in memory reads them again.
pub(super) fn touch_entries(to: &Connection) -> rusqlite::Result<()> {
    run(to, "UPDATE grimoire SET entries_revision = entries_revision + 1", ()).map(drop)
}

/// Whoever keeps vectors in memory reads them again.
pub(super) fn touch_vectors(to: &Connection) -> rusqlite::Result<()> {
    run(to, "UPDATE grimoire SET vectors_revision = vectors_revision + 1", ()).map(drop)
}

/// Remembers that a pattern was refused so often; what is remembered already never becomes less.
pub(super) fn immunise(to: &Connection, pattern: B256, times: u32) -> rusqlite::Result<()> {
    let sql = "INSERT INTO refusals (pattern, times) VALUES (?1, ?2)
               ON CONFLICT (pattern) DO UPDATE SET times = max(times, excluded.times)";
    run(to, sql, (pattern.0, times)).map(drop)
}
