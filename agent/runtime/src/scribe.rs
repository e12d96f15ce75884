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

/// Who embeds for a life. The model works in a task of its own, which ends with this.
#[derive(Debug)]
pub struct Scribe {
    model: EmbeddingModel,
    texts: mpsc::Sender<Texts>,
    vectors: mpsc::Receiver<Result<Vectors, EmbedderError>>,
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
    /// Puts an embedder to work. Must be called within the runtime that shall drive it.
    #[must_use]
    pub fn employ<E: Embedder + 'static>(embedder: E) -> Self {
        let model = embedder.model().clone();
        let (texts, mut asked) = mpsc::channel::<Texts>(1);
        let (answer, vectors) = mpsc::channel(1);
        let task = tokio::spawn(async move {
            while let Some(batch) = asked.recv().await {
                let only_texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
                let made = embedder.embed(&only_texts, Purpose::Entry).await;
                let made = made.map(|made| batch.iter().map(|(id, _)| *id).zip(made).collect());
                if answer.send(made).await.is_err() {
                    return;
                }
            }
        });
        Self { model, texts, vectors, task, is_due: true, is_busy: false, has_failed: false }
    }

    /// There may be entries without a vector.
    pub(crate) const fn wake(&mut self) {
        self.is_due = true;
    }

    /// Takes what is done and asks for more. Never waits. A failure is told once and tried again after the next cycle.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read; vectors it does not take are told and left.
    pub(crate) fn look_after<S: Memory>(&mut self, store: &mut S, now: UtcTime) -> Result<(), StoreError> {
        if let Ok(made) = self.vectors.try_recv() {
            self.is_busy = false;
            match made {
                Ok(vectors) => match store.keep_vectors(&self.model, &vectors, now) {
                    Ok(_) => self.has_failed = false,
                    Err(StoreError::Refused { reason, .. }) => self.fail(&reason.to_string()),
                    Err(error) => return Err(error),
                },
                Err(error) => self.fail(&error.to_string()),
            }
        }
        if self.is_busy || !self.is_due {
            return Ok(());
        }
        let batch = store.unembedded(&self.model, BATCH)?;
        self.is_due = !batch.is_empty();
        if self.is_due && self.texts.try_send(batch).is_ok() {
            self.is_busy = true;
        }
        Ok(())
    }

    fn fail(&mut self, why: &str) {
        self.is_due = false;
        if !std::mem::replace(&mut self.has_failed, true) {
            tracing::warn!(model = %self.model, why, "entries were not embedded; tried again after the next cycle");
        }
    }
}
