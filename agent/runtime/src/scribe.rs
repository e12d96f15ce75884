//! Embedding beside a life: entries get their vectors in small batches, and no tick and no death ever waits for one.

use std::collections::BTreeMap;

use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::status::Entry;
use golem_ports::drift::{Health, Reference};
use golem_ports::{Embedder, EmbedderError, EmbeddingModel, EmbeddingPurpose, Memory, StoreError, Vector};
use golem_primitives::UtcTime;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::vouch::{is_vouched, known_health, vouch};

const BATCH: usize = 16;
/// Questions whose vectors are kept: a life asks a few, again and again.
const QUESTIONS: usize = 16;

type Texts = Vec<(EntryId, String)>;
/// What was embedded, each with the text it was made of.
type Vectors = Vec<(EntryId, String, Vec<f32>)>;

#[derive(Debug, Default)]
struct Made {
    vectors: Vectors,
    /// Texts the model cannot read, and why.
    unreadable: Vec<(EntryId, String, EmbedderError)>,
}

/// What the scribe's task is asked for.
#[derive(Debug)]
enum Ask {
    Batch(Texts),
    Question(String),
    /// G-006. The reference texts.
    Reference,
}

/// What the scribe's task has to tell.
#[derive(Debug)]
enum Told {
    /// It is ready to work with this model.
    Ready(EmbeddingModel),
    /// A batch came out, or did not.
    Made(Result<Made, EmbedderError>),
    /// A question came out, or did not.
    Put(String, Result<Vec<Vec<f32>>, EmbedderError>),
    /// So does the model speak of the reference texts now.
    Spoke(Result<Reference, EmbedderError>),
}

/// Who embeds for a life. The model is opened and works in a task of its own, which ends with this.
#[derive(Debug)]
pub struct Scribe {
    model: Option<EmbeddingModel>,
    texts: mpsc::Sender<Ask>,
    told: mpsc::Receiver<Told>,
    task: JoinHandle<()>,
    /// Texts the model could not read: they are not asked for again while they say the same.
    unreadable: BTreeMap<EntryId, String>,
    /// Questions as vectors, and the one that has none yet.
    questions: BTreeMap<String, Vec<f32>>,
    wanted: Option<String>,
    /// G-006. What may be done with the model, once it was looked at.
    pub(crate) health: Option<Health>,
    is_due: bool,
    is_busy: bool,
    has_failed: bool,
}

impl Drop for Scribe {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Scribe {
    /// Puts an embedder to work once it is open; `None` when there is none, which whoever opened it has told. Must be
    /// called within the runtime that shall drive it.
    #[must_use]
    pub fn hire<E: Embedder + 'static>(opening: impl Future<Output = Option<E>> + Send + 'static) -> Self {
        let (texts, asked) = mpsc::channel::<Ask>(1);
        let (tell, told) = mpsc::channel(1);
        let task = tokio::spawn(async move {
            if let Some(embedder) = opening.await {
                work(&embedder, asked, tell).await;
            }
        });
        Self {
            model: None,
            texts,
            told,
            task,
            unreadable: BTreeMap::new(),
            questions: BTreeMap::new(),
            wanted: None,
            health: None,
            is_due: true,
            is_busy: false,
            has_failed: false,
        }
    }

    /// G-093. A question that may be asked soon: its vector is made before, so that nobody waits for it then.
    pub(crate) fn expect(&mut self, question: &str) {
        if !self.questions.contains_key(question) {
            self.wanted = Some(question.to_owned());
        }
    }

    /// A question as a vector, once it was made.
    pub(crate) fn vector_of(&self, question: &str) -> Option<Vector> {
        let values = self.questions.get(question)?.clone();
        Some(Vector { model: self.model.clone()?, values })
    }

    /// There may be entries without a vector.
    pub(crate) const fn wake(&mut self) {
        self.is_due = true;
    }

    /// Takes what is done and asks for more. Never waits. A failure is told once and tried again after the next cycle.
    pub(crate) fn look_after<S: Memory>(&mut self, store: &mut S, now: Moment) -> Result<(), StoreError> {
        match self.told.try_recv() {
            Ok(Told::Ready(model)) => self.model = Some(model),
            Ok(Told::Made(made)) => self.keep(store, made, now)?,
            Ok(Told::Spoke(spoke)) => self.judge(store, spoke, now.at)?,
            Ok(Told::Put(question, made)) => self.learn(question, made),
            Err(_) => {}
        }
        let Some(model) = &self.model else { return Ok(()) };
        // A question goes first: it is one text, and somebody may be about to ask it.
        if !self.is_busy
            && self.health.is_some_and(|health| health != Health::StopWrites)
            && let Some(question) = self.wanted.take()
        {
            self.is_busy = self.texts.try_send(Ask::Question(question)).is_ok();
        }
        if self.is_busy || !self.is_due {
            return Ok(());
        }
        let health = known_health(store, model, now.at)?;
        self.health = health.or(self.health);
        if health == Some(Health::StopWrites) {
            self.is_due = false;
            return Ok(());
        }
        let mut batch = store.unembedded(model, BATCH + self.unreadable.len())?;
        // A model that nobody needed yet is not looked at: one on this machine would be loaded for it.
        let is_needed = self.wanted.is_some() || !batch.is_empty();
        if health.is_none() && (is_needed || is_vouched(store, model)?) {
            self.is_busy = self.texts.try_send(Ask::Reference).is_ok();
            return Ok(());
        }
        if batch.is_empty() {
            finish(store, model, now.at)?;
        }
        batch.retain(|(id, text)| self.unreadable.get(id) != Some(text));
        batch.truncate(BATCH);
        self.is_due = !batch.is_empty();
        if self.is_due && self.texts.try_send(Ask::Batch(batch)).is_ok() {
            self.is_busy = true;
        }
        Ok(())
    }

    /// What cannot be embedded is asked by its words alone until it is expected again.
    fn learn(&mut self, question: String, made: Result<Vec<Vec<f32>>, EmbedderError>) {
        self.is_busy = false;
        match made {
            Ok(vectors) => {
                if self.questions.len() == QUESTIONS {
                    self.questions.pop_first();
                }
                self.questions.extend(vectors.into_iter().next().map(|vector| (question, vector)));
            }
            Err(error) => self.fail(&error.to_string()),
        }
    }

    fn keep<S: Memory>(
        &mut self,
        store: &mut S,
        made: Result<Made, EmbedderError>,
        now: Moment,
    ) -> Result<(), StoreError> {
        self.is_busy = false;
        let Some(model) = self.model.clone() else { return Ok(()) };
        let made = match made {
            Ok(made) => made,
            Err(error) => {
                self.fail(&error.to_string());
                return Ok(());
            }
        };
        for (id, text, error) in made.unreadable {
            tracing::warn!(entry = %id, %error, "the model cannot read this entry; it is found by its words alone");
            self.unreadable.insert(id, text);
        }
        // A cycle may have rewritten an entry meanwhile: a vector of its old words would be kept for its new ones.
        let mut vectors = Vec::with_capacity(made.vectors.len());
        for (id, text, vector) in made.vectors {
            let entry = store.entry(id)?;
            if entry.as_ref().and_then(Entry::knowledge).is_some_and(|known| known.draft.content == text) {
                vectors.push((id, vector));
            }
        }
        match store.keep_vectors(&model, &vectors, now.at) {
            Ok(_) => self.has_failed = false,
            Err(StoreError::Refused { reason, .. }) => {
                self.fail(&reason.to_string());
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        let ids: Vec<EntryId> = vectors.iter().map(|(id, _)| *id).collect();
        for entry in store.put_away_odd(&ids, now)? {
            tracing::warn!(%entry, "what was sent lies far from everything known here and is put away (I-071)");
        }
        Ok(())
    }

    /// G-006. Holds what the model says now against what it said first.
    fn judge<S: Memory>(
        &mut self,
        store: &mut S,
        spoke: Result<Reference, EmbedderError>,
        now: UtcTime,
    ) -> Result<(), StoreError> {
        self.is_busy = false;
        match spoke {
            Ok(spoke) => self.health = Some(vouch(store, spoke, now)?.health),
            Err(error) => self.fail(&error.to_string()),
        }
        Ok(())
    }

    fn fail(&mut self, why: &str) {
        self.is_due = false;
        if !std::mem::replace(&mut self.has_failed, true) {
            tracing::warn!(why, "entries were not embedded; tried again after the next cycle");
        }
    }
}

/// G-006. Lets the next model take over when the last entry it had no vector of is gone.
fn finish<S: Memory>(store: &mut S, model: &EmbeddingModel, now: UtcTime) -> Result<(), StoreError> {
    let is_next = store.embedding_state()?.next.is_some_and(|next| next.model == *model);
    if is_next { store.keep_vectors(model, &[], now).map(drop) } else { Ok(()) }
}

/// Whether a failure may be one text's alone.
const fn may_be_of_one(error: &EmbedderError) -> bool {
    match error {
        EmbedderError::Refused { status, .. } => matches!(*status, 400 | 413 | 422),
        EmbedderError::NoDirection { .. } | EmbedderError::TooMuch { .. } => true,
        _ => false,
    }
}

/// Embeds a batch; where one text spoils it, each by itself.
async fn embed<E: Embedder>(embedder: &E, batch: Texts) -> Result<Made, EmbedderError> {
    let texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
    let mut made = Made::default();
    match embedder.embed(&texts, EmbeddingPurpose::Entry).await {
        Ok(vectors) => {
            made.vectors = batch.into_iter().zip(vectors).map(|((id, text), vector)| (id, text, vector)).collect();
            return Ok(made);
        }
        Err(error) if may_be_of_one(&error) => {}
        Err(error) => return Err(error),
    }
    for (id, text) in batch {
        match embedder.embed(&[text.as_str()], EmbeddingPurpose::Entry).await {
            Ok(vectors) => made.vectors.extend(vectors.into_iter().map(|vector| (id, text.clone(), vector))),
            Err(error) if may_be_of_one(&error) => made.unreadable.push((id, text, error)),
            Err(error) => return Err(error),
        }
    }
    Ok(made)
}

/// Embeds batch after batch until nobody asks any more.
async fn work<E: Embedder>(embedder: &E, mut asked: mpsc::Receiver<Ask>, tell: mpsc::Sender<Told>) {
    if tell.send(Told::Ready(embedder.model().clone())).await.is_err() {
        return;
    }
    while let Some(ask) = asked.recv().await {
        let told = match ask {
            Ask::Batch(batch) => Told::Made(embed(embedder, batch).await),
            Ask::Question(text) => {
                let made = embedder.embed(&[text.as_str()], EmbeddingPurpose::Query).await;
                Told::Put(text, made)
            }
            Ask::Reference => Told::Spoke(Reference::take(embedder).await),
        };
        if tell.send(told).await.is_err() {
            return;
        }
    }
}
