//! Embedding beside a life: entries get their vectors in small batches, and no tick and no death ever waits for one.

use golem_grimoire::id::EntryId;
use golem_ports::{Embedder, EmbedderError, EmbeddingModel, Memory, Purpose, StoreError};
use golem_primitives::UtcTime;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Entries embedded at once.
const BATCH: usize = 16;

type Texts = Vec<(EntryId, String)>;
type Vectors = Vec<(EntryId, Vec<f32>)>;

/// What the scribe's task has to tell.
#[derive(Debug)]
enum Told {
    /// It is ready to work with this model.
    Ready(EmbeddingModel),
    /// A batch came out, or did not.
    Made(Result<Vectors, EmbedderError>),
}

/// Who embeds for a life. The model is opened and works in a task of its own, which ends with this.
#[derive(Debug)]
pub struct Scribe {
    model: Option<EmbeddingModel>,
    texts: mpsc::Sender<Texts>,
    told: mpsc::Receiver<Told>,
    task: JoinHandle<()>,
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
        let (texts, asked) = mpsc::channel::<Texts>(1);
        let (tell, told) = mpsc::channel(1);
        let task = tokio::spawn(async move {
            if let Some(embedder) = opening.await {
                work(&embedder, asked, tell).await;
            }
        });
        Self { model: None, texts, told, task, is_due: true, is_busy: false, has_failed: false }
    }

    /// There may be entries without a vector.
    pub(crate) const fn wake(&mut self) {
        self.is_due = true;
    }

    /// Takes what is done and asks for more. Never waits. A failure is told once and tried again after the next cycle.
    pub(crate) fn look_after<S: Memory>(&mut self, store: &mut S, now: UtcTime) -> Result<(), StoreError> {
        match self.told.try_recv() {
            Ok(Told::Ready(model)) => self.model = Some(model),
            Ok(Told::Made(made)) => self.keep(store, made, now)?,
            Err(_) => {}
        }
        let Some(model) = &self.model else { return Ok(()) };
        if self.is_busy || !self.is_due {
            return Ok(());
        }
        let batch = store.unembedded(model, BATCH)?;
        self.is_due = !batch.is_empty();
        if self.is_due && self.texts.try_send(batch).is_ok() {
            self.is_busy = true;
        }
        Ok(())
    }

    fn keep<S: Memory>(
        &mut self,
        store: &mut S,
        made: Result<Vectors, EmbedderError>,
        now: UtcTime,
    ) -> Result<(), StoreError> {
        self.is_busy = false;
        let Some(model) = &self.model else { return Ok(()) };
        match made.map(|vectors| store.keep_vectors(model, &vectors, now)) {
            Ok(Ok(_)) => self.has_failed = false,
            Ok(Err(StoreError::Refused { reason, .. })) => self.fail(&reason.to_string()),
            Ok(Err(error)) => return Err(error),
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

/// Embeds batch after batch until nobody asks any more.
async fn work<E: Embedder>(embedder: &E, mut asked: mpsc::Receiver<Texts>, tell: mpsc::Sender<Told>) {
    if tell.send(Told::Ready(embedder.model().clone())).await.is_err() {
        return;
    }
    while let Some(batch) = asked.recv().await {
        let texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
        let made = embedder.embed(&texts, Purpose::Entry).await;
        let made = made.map(|made| batch.iter().map(|(id, _)| *id).zip(made).collect());
        if tell.send(Told::Made(made)).await.is_err() {
            return;
        }
    }
}
