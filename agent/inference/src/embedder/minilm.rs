//! all-MiniLM-L6-v2 on this machine: no network, no key, no cost.

mod files;
mod forward;
mod pointwise;
mod product;
mod tokens;
mod weights;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use golem_ports::{Embedder, EmbedderError, EmbeddingModel, EmbeddingPurpose};
use tokenizers::Tokenizer;
use tokio::sync::{Mutex, Semaphore};

pub use self::files::{FETCH_COMMAND, ModelError, Presence, default_folder, look};
use self::weights::{HIDDEN, LONGEST, Weights};
use super::OpenError;
use super::vectors::{checked, preprocessing};

/// G-006. What is done to a text; its hash goes with every vector, so a change here makes a new model of it.
const PREPROCESSING: &str = "entry and query alike, no prefix; the first 16384 bytes, whole characters; \
    tokenizer.json sha256 be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037: control characters dropped, \
    CJK characters apart, lower case, accents stripped, WordPiece; [CLS] and [SEP] around, cut to 256 tokens; \
    mean over all tokens; length one";

/// Tokens that go through the model together: enough to keep the arithmetic busy, and its memory stays in the cache.
const TOKENS_AT_ONCE: usize = LONGEST;
/// Texts in one call.
const MOST_TEXTS: usize = 4_096;

/// The model, loaded. Cloning shares it: one copy serves every Golem of a process.
#[derive(Debug, Clone)]
pub struct MiniLm {
    loaded: Arc<Loaded>,
}

/// The models in use, by their folders.
static LOADED: Mutex<BTreeMap<PathBuf, Weak<Loaded>>> = Mutex::const_new(BTreeMap::new());

/// How many texts of all Golems are worked on at once. The arithmetic of one fills a core, and its memory is a Golem's whole
/// share, so more at once would only be larger.
static DESKS: Semaphore = Semaphore::const_new(2);

#[derive(Debug)]
struct Loaded {
    model: EmbeddingModel,
    tokenizer: Tokenizer,
    weights: Weights,
}

impl MiniLm {
    /// Loads it from a folder, after comparing the digest of each file. It reads 91 MB, so on a runtime call it where
    /// blocking is allowed.
    ///
    /// # Errors
    /// [`ModelError`]: absent, damaged or unreadable; then nothing is loaded.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let damaged = |pinned: &files::Pinned| {
            let file = folder.join(pinned.name);
            move |why: String| ModelError::Damaged { file, why: format!("is not as expected: {why}") }
        };
        let tokenizer = files::read(folder, &files::TOKENIZER)?;
        let bytes = files::read(folder, &files::WEIGHTS)?;
        let tokenizer = tokens::read(&tokenizer).map_err(damaged(&files::TOKENIZER))?;
        let weights = Weights::read(&bytes).map_err(damaged(&files::WEIGHTS))?;
        let model = EmbeddingModel {
            name: "all-MiniLM-L6-v2".to_owned(),
            version: format!("sha256:{}", files::WEIGHTS.sha256),
            preprocessing: preprocessing(PREPROCESSING),
            dimensions: HIDDEN as u16,
        };
        Ok(Self { loaded: Arc::new(Loaded { model, tokenizer, weights }) })
    }

    /// The one of this process: loaded by whoever asks first, shared by everybody who asks while it is in use, and let go
    /// with the last.
    ///
    /// # Errors
    /// As [`MiniLm::open`]; the next who asks tries again.
    pub async fn shared(folder: PathBuf) -> Result<Self, OpenError> {
        // Held while it is loaded, so that a fleet that starts waits for one loading instead of doing it once each.
        let mut known = LOADED.lock().await;
        if let Some(loaded) = known.get(&folder).and_then(Weak::upgrade) {
            return Ok(Self { loaded });
        }
        let place = folder.clone();
        let opened = tokio::task::spawn_blocking(move || Self::open(&place)).await;
        let opened = opened.map_err(|error| EmbedderError::Local { why: error.to_string() })??;
        known.insert(folder, Arc::downgrade(&opened.loaded));
        Ok(opened)
    }

    /// What [`Embedder::embed`] does, on the calling thread.
    ///
    /// # Errors
    /// [`EmbedderError`]: too many texts, or the model gave something that is no vector.
    pub fn embed_now(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedderError> {
        if texts.len() > MOST_TEXTS {
            return Err(EmbedderError::TooMuch { why: format!("{} texts are more than {MOST_TEXTS}", texts.len()) });
        }
        let Loaded { model, tokenizer, weights } = &*self.loaded;
        let read = |text: &&str| tokens::ids(tokenizer, text).map_err(|why| EmbedderError::Local { why });
        let sequences = texts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let mut vectors = Vec::with_capacity(texts.len());
        for group in groups(&sequences) {
            vectors.extend(forward::forward(weights, group));
        }
        checked(vectors, texts.len(), model.dimensions)
    }
}

/// Neighbours whose tokens together stay within [`TOKENS_AT_ONCE`].
fn groups(sequences: &[Vec<u32>]) -> impl Iterator<Item = &[Vec<u32>]> {
    let mut rest = sequences;
    std::iter::from_fn(move || {
        let mut tokens = 0;
        let fits = |ids: &&Vec<u32>| {
            tokens += ids.len();
            tokens <= TOKENS_AT_ONCE
        };
        let count = rest.iter().take_while(fits).count().max(1).min(rest.len());
        let (group, later) = rest.split_at(count);
        rest = later;
        (!group.is_empty()).then_some(group)
    })
}

impl Embedder for MiniLm {
    fn model(&self) -> &EmbeddingModel {
        &self.loaded.model
    }

    async fn embed(&self, texts: &[&str], _purpose: EmbeddingPurpose) -> Result<Vec<Vec<f32>>, EmbedderError> {
        let desk = DESKS.acquire().await.map_err(|error| EmbedderError::Local { why: error.to_string() })?;
        let this = self.clone();
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let work = tokio::task::spawn_blocking(move || {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            this.embed_now(&texts)
        });
        let made = work.await.unwrap_or_else(|error| Err(EmbedderError::Local { why: error.to_string() }));
        drop(desk);
        made
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn groups_hold_everything_once_in_order_and_within_bounds(lengths in prop::collection::vec(1_usize..=LONGEST, 0..40)) {
            let sequences: Vec<Vec<u32>> = lengths.iter().map(|length| vec![0; *length]).collect();
            let grouped: Vec<&[Vec<u32>]> = groups(&sequences).collect();
            prop_assert_eq!(grouped.concat(), sequences.clone());
            for group in grouped {
                prop_assert!(!group.is_empty() && group.iter().map(Vec::len).sum::<usize>() <= TOKENS_AT_ONCE);
            }
        }
    }
}
