//! Vectors and their models (G-006): one is searched, another may be on its way in.

use std::collections::BTreeSet;
use std::path::Path;

use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::{Domain, Kind};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::shape::Shape;
use golem_grimoire::status::{ArchiveReason, Entry, Status};
use golem_ports::{EmbeddingModel, EmbeddingProgress, EmbeddingState, Filter, Refusal, StoreError, Vector};
use golem_primitives::UtcTime;
use rusqlite::types::FromSqlError;
use rusqlite::{Connection, OptionalExtension, Row};

use super::columns::Words;
use super::entries;
use super::entries::touch_vectors;
use super::index::{Loaded, RowFacts};
use super::matrix::{MOST_DIMENSIONS, Matrix, cosine, unit};
use crate::codec::{Columns, Number};
use crate::error::{At, refused};
use crate::reader::Reader;

/// A neighbour by its own numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Near {
    pub(crate) id: EntryId,
    pub(crate) cosine: f32,
}

fn model(row: &Row<'_>) -> rusqlite::Result<EmbeddingModel> {
    let dimensions = Columns::number(row, "dimensions")?;
    Ok(EmbeddingModel {
        name: row.get("name")?,
        version: row.get("version")?,
        preprocessing: row.hash("preprocessing")?,
        dimensions: u16::try_from(dimensions).map_err(|_| FromSqlError::OutOfRange(dimensions as i64))?,
    })
}

/// The parts of a vector as they lie in the file, least byte first.
fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|part| part.to_le_bytes()).collect()
}

/// The vector of those bytes.
pub(super) fn parts(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|part| f32::from_le_bytes(*part)).collect()
}

impl Reader {
    /// The model of that state with its number.
    fn model(&self, state: &str) -> Result<Option<(i64, EmbeddingModel)>, StoreError> {
        self.maybe("SELECT * FROM models WHERE state = ?1", [state], |row| Ok((row.get("id")?, model(row)?)))
    }

    /// The model that is searched.
    pub(super) fn active_model(&self) -> Result<Option<(i64, EmbeddingModel)>, StoreError> {
        self.model("active")
    }

    fn progress(&self, state: &str) -> Result<Option<EmbeddingProgress>, StoreError> {
        let Some((number, model)) = self.model(state)? else { return Ok(None) };
        let sql = "SELECT count(*) AS total, count(v.place) AS done FROM entries e
                   LEFT JOIN vectors v ON v.entry = e.id AND v.model = ?1 WHERE e.status <> 'archived'";
        self.one(sql, [number], |row| {
            let (done, total) = (Columns::number(row, "done")?, Columns::number(row, "total")?);
            Ok(Some(EmbeddingProgress { model, done, total }))
        })
    }

    /// G-006. Which model is searched, and how far another has come.
    pub fn embedding_state(&self) -> Result<EmbeddingState, StoreError> {
        Ok(EmbeddingState { active: self.progress("active")?, next: self.progress("next")? })
    }

    /// Living entries without a vector of that model, oldest first, with the text to embed.
    pub fn unembedded(&self, model: &EmbeddingModel, limit: usize) -> Result<Vec<(EntryId, String)>, StoreError> {
        let number = number_of(&self.connection, model).at(&self.path)?;
        let sql = "SELECT id, content FROM entries e WHERE status <> 'archived' AND NOT EXISTS
                   (SELECT 1 FROM vectors v WHERE v.entry = e.id AND v.model = ?1) ORDER BY place LIMIT ?2";
        let params = (number.map_or(-1, |(number, _)| number), i64::try_from(limit).unwrap_or(i64::MAX));
        self.all(sql, params, |row| Ok((row.entry_id("id")?, row.get("content")?)))
    }

    /// The entries nearest to a vector of the model in use, of those a filter lets in, with their cosines, nearest first
    /// and ties by id. They are exactly the nearest. Without any vectors nothing is near.
    ///
    /// # Errors
    /// [`StoreError`] when they cannot be read; [`Refusal`] for a vector that is none or of another model.
    pub fn nearest(&self, question: &Vector, count: usize, filter: &Filter) -> Result<Vec<(EntryId, f32)>, StoreError> {
        let _look = crate::reader::look(self)?;
        let near =
            if self.may_compare(question)? { self.near(&question.values, count, filter, None)? } else { Vec::new() };
        Ok(near.into_iter().map(|near| (near.id, near.cosine)).collect())
    }

    /// Whether there are vectors to compare with.
    pub(super) fn may_compare(&self, question: &Vector) -> Result<bool, StoreError> {
        inspect_question(question).map_err(|reason| refused(&self.path, reason))?;
        match self.active_model()? {
            None => Ok(false),
            Some((_, model)) if model == question.model => Ok(true),
            Some((_, model)) => {
                let (found, wanted) = (question.model.to_string(), model.to_string());
                Err(refused(&self.path, Refusal::OtherModel { found, wanted }))
            }
        }
    }

    pub(super) fn near(
        &self,
        question: &[f32],
        count: usize,
        filter: &Filter,
        tagged: Option<&BTreeSet<EntryId>>,
    ) -> Result<Vec<Near>, StoreError> {
        let Some(question) = unit(question) else { return Ok(Vec::new()) };
        self.load_index()?;
        let index = self.index.vectors.borrow();
        let Some(loaded) = index.as_ref() else { return Ok(Vec::new()) };
        let statuses = filter.statuses();
        let contenders = loaded.matrix.contenders(&question, count, |row| {
            let facts = &loaded.rows[row];
            facts.passes(filter, &statuses) && tagged.is_none_or(|tagged| tagged.contains(&facts.id))
        });
        let mut near = Vec::with_capacity(contenders.len());
        let mut statement =
            self.connection.prepare_cached("SELECT vector FROM vectors WHERE place = ?1").at(&self.path)?;
        for row in contenders {
            let facts = &loaded.rows[row];
            let vector =
                statement.query_row([facts.place], |row| Ok(parts(row.get_ref(0)?.as_blob()?))).at(&self.path)?;
            let cosine = unit(&vector).map_or(-1.0, |vector| cosine(&vector, &question));
            near.push(Near { id: facts.id, cosine });
        }
        near.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.id.cmp(&b.id)));
        near.truncate(count);
        Ok(near)
    }

    /// The vector of an entry by the model in use, of length one.
    pub(super) fn vector_of(&self, id: EntryId) -> Result<Option<Vec<f32>>, StoreError> {
        let sql = "SELECT v.vector FROM vectors v JOIN models m ON m.id = v.model AND m.state = 'active'
                   WHERE v.entry = ?1";
        let mut statement = self.connection.prepare_cached(sql).at(&self.path)?;
        let read = |row: &Row<'_>| Ok(parts(row.get_ref(0)?.as_blob()?));
        let found = statement.query_row([id.to_be_bytes()], read).optional().at(&self.path)?;
        Ok(found.and_then(|vector| unit(&vector)))
    }

    /// Brings the vectors in memory up to date.
    fn load_index(&self) -> Result<(), StoreError> {
        let sql = "SELECT vectors_revision, entries_revision FROM grimoire WHERE id = 1";
        let (vectors, entries) = self.one(sql, (), |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
        let mut index = self.index.vectors.borrow_mut();
        if index.as_ref().is_some_and(|loaded| (loaded.vectors, loaded.entries) == (vectors, entries)) {
            return Ok(());
        }
        let Some((number, model)) = self.active_model()? else {
            *index = None;
            return Ok(());
        };
        // Only what changed is read again; the vectors are the larger part by far.
        let known = index.take().filter(|loaded| loaded.vectors == vectors);
        let (rows, matrix) = match known {
            Some(loaded) => (self.facts(number, None)?, loaded.matrix),
            None => {
                let count =
                    self.one("SELECT count(*) FROM vectors WHERE model = ?1", [number], |row| row.get::<_, u32>(0))?;
                let mut matrix = Matrix::with_room(model.dimensions, count as usize);
                (self.facts(number, Some(&mut matrix))?, matrix)
            }
        };
        *index = Some(Loaded { vectors, entries, matrix, rows });
        Ok(())
    }

    /// The facts of each vector's entry, and the vectors themselves if they are wanted.
    fn facts(&self, model: i64, mut matrix: Option<&mut Matrix>) -> Result<Vec<RowFacts>, StoreError> {
        let vector = if matrix.is_some() { "v.vector" } else { "NULL" };
        let sql = format!(
            "SELECT v.place, v.entry, e.kind, e.status, e.domain, e.recorded_at, {vector} AS vector
             FROM vectors v JOIN entries e ON e.id = v.entry WHERE v.model = ?1 ORDER BY v.place"
        );
        self.all(&sql, [model], |row| {
            if let Some(matrix) = matrix.as_deref_mut() {
                let vector = parts(row.get_ref("vector")?.as_blob()?);
                unit(&vector).filter(|unit| matrix.push(unit)).ok_or(FromSqlError::InvalidType)?;
            }
            Ok(RowFacts {
                place: row.get("place")?,
                id: row.entry_id("entry")?,
                kind: row.word("kind", Kind::from_name)?,
                status: row.word("status", Status::from_name)?,
                domain: row.word("domain", Domain::from_name)?,
                recorded: row.time("recorded_at")?,
            })
        })
    }
}

fn number_of(connection: &Connection, model: &EmbeddingModel) -> rusqlite::Result<Option<(i64, String)>> {
    let sql = "SELECT id, state FROM models
               WHERE name = ?1 AND version = ?2 AND preprocessing = ?3 AND dimensions = ?4";
    let key = (&model.name, &model.version, model.preprocessing.0, model.dimensions);
    connection.prepare_cached(sql)?.query_row(key, |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// Whether a question's vector is one.
fn inspect_question(question: &Vector) -> Result<(), Refusal> {
    if question.values.len() != usize::from(question.model.dimensions) {
        return Err(Refusal::QuestionDimensions { got: question.values.len(), wanted: question.model.dimensions });
    }
    if unit(&question.values).is_none() { Err(Refusal::QuestionWithoutDirection) } else { Ok(()) }
}

/// Whether each vector is one.
fn inspect(model: &EmbeddingModel, id: EntryId, vector: &[f32]) -> Result<(), Refusal> {
    if vector.len() != usize::from(model.dimensions) || model.dimensions > MOST_DIMENSIONS {
        return Err(Refusal::Dimensions { id, got: vector.len(), wanted: model.dimensions.min(MOST_DIMENSIONS) });
    }
    if vector.iter().any(|part| !part.is_finite()) || unit(vector).is_none() {
        return Err(Refusal::NoDirection { id });
    }
    Ok(())
}

/// Keeps vectors, and lets the next model take over when it has one for every living entry.
pub(super) fn keep(
    reader: &Reader,
    model: &EmbeddingModel,
    vectors: &[(EntryId, Vec<f32>)],
    at: UtcTime,
) -> Result<EmbeddingState, StoreError> {
    let path = &reader.path;
    for (id, vector) in vectors {
        inspect(model, *id, vector).map_err(|reason| refused(path, reason))?;
    }
    let transaction = crate::reader::begin(reader)?;
    let (number, is_next) = enrol(&transaction, model).at(path)?;
    for (id, vector) in vectors {
        insert(&transaction, number, *id, vector, at, path)?;
    }
    if is_next && reader.unembedded(model, 1)?.is_empty() {
        take_over(&transaction, number).at(path)?;
    }
    touch_vectors(&transaction).at(path)?;
    transaction.commit().at(path)?;
    reader.embedding_state()
}

/// I-071. Puts away the candidates that were sent and lie far from everything held true.
pub(super) fn put_away_odd(reader: &Reader, ids: &[EntryId], now: Moment) -> Result<Vec<EntryId>, StoreError> {
    let mut sent = Vec::new();
    for id in ids {
        let entry = reader.entry(*id)?.filter(|entry| entry.status() == Status::Candidate);
        let way = entry.as_ref().and_then(Entry::knowledge).map(|known| known.draft.source.provenance);
        if way.is_some_and(Provenance::is_sent) {
            sent.extend(entry.zip(reader.vector_of(*id)?));
        }
    }
    // What is known is read only where somebody stands at the gate.
    if sent.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "SELECT v.vector FROM vectors v JOIN models m ON m.id = v.model AND m.state = 'active'
               JOIN entries e ON e.id = v.entry AND e.status = 'active' ORDER BY e.id";
    let known: Vec<Vec<f32>> = reader.all(sql, (), |row| Ok(parts(row.get_ref(0)?.as_blob()?)))?;
    let Some(shape) = Shape::of(&known.iter().map(Vec::as_slice).collect::<Vec<_>>()) else { return Ok(Vec::new()) };
    sent.retain(|(_, vector)| shape.is_anomalous(vector));
    if sent.is_empty() {
        return Ok(Vec::new());
    }
    let transaction = crate::reader::begin(reader)?;
    let mut away = Vec::with_capacity(sent.len());
    for (entry, _) in sent {
        away.push(entry.id());
        entries::write(&transaction, &entry.archive(ArchiveReason::FarOutside, now)).at(&reader.path)?;
    }
    entries::touch_entries(&transaction).at(&reader.path)?;
    transaction.commit().at(&reader.path)?;
    Ok(away)
}

fn insert(
    to: &Connection,
    model: i64,
    id: EntryId,
    vector: &[f32],
    at: UtcTime,
    path: &Path,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO vectors (model, entry, at, vector) SELECT ?1, ?2, ?3, ?4
               WHERE EXISTS (SELECT 1 FROM entries WHERE id = ?2)
               ON CONFLICT (entry, model) DO UPDATE SET at = excluded.at, vector = excluded.vector";
    let mut statement = to.prepare_cached(sql).at(path)?;
    let written = statement.execute((model, id.to_be_bytes(), Number(at.seconds()), bytes(vector))).at(path)?;
    if written == 0 { Err(refused(path, Refusal::Unknown { id })) } else { Ok(()) }
}

/// The number of a model and whether it is on its way in. The first is searched at once; a newcomer sends away whoever
/// else was on its way.
fn enrol(to: &Connection, model: &EmbeddingModel) -> rusqlite::Result<(i64, bool)> {
    if let Some((number, state)) = number_of(to, model)? {
        return Ok((number, state == "next"));
    }
    let has_active: bool =
        to.query_row("SELECT EXISTS (SELECT 1 FROM models WHERE state = 'active')", (), |row| row.get(0))?;
    to.execute("DELETE FROM vectors WHERE model = (SELECT id FROM models WHERE state = 'next')", ())?;
    to.execute("DELETE FROM models WHERE state = 'next'", ())?;
    let sql = "INSERT INTO models (name, version, preprocessing, dimensions, state) VALUES (?1, ?2, ?3, ?4, ?5)";
    let state = if has_active { "next" } else { "active" };
    to.execute(sql, (&model.name, &model.version, model.preprocessing.0, model.dimensions, state))?;
    Ok((to.last_insert_rowid(), has_active))
}

fn take_over(to: &Connection, number: i64) -> rusqlite::Result<()> {
    to.execute("DELETE FROM vectors WHERE model <> ?1", [number])?;
    to.execute("DELETE FROM models WHERE id <> ?1", [number])?;
    to.execute("UPDATE models SET state = 'active' WHERE id = ?1", [number]).map(drop)
}
