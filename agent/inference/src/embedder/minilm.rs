//! all-MiniLM-L6-v2 on this machine: no network, no key, no cost.

mod files;
mod forward;
mod pointwise;
mod product;
mod tokens;
mod weights;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use golem_ports::{Embedder, EmbedderError, EmbeddingModel, EmbeddingPurpose};
use tokenizers::Tokenizer;
use tokio::sync::Semaphore;

pub use self::files::{FETCH_COMMAND, ModelError, Presence, default_folder, look};
use self::weights::{HIDDEN, LONGEST, Weights};
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

/// The model. Cloning shares it: one copy serves every Golem of a process.
#[derive(Debug, Clone)]
pub struct MiniLm {
    model: EmbeddingModel,
    place: Arc<Place>,
}

/// The models in use, by their folders.
static KNOWN: Mutex<BTreeMap<PathBuf, Weak<Place>>> = Mutex::new(BTreeMap::new());

/// How many texts of all Golems are worked on at once. The arithmetic of one fills a core, and its memory is a Golem's whole
/// share, so more at once would only be larger.
static DESKS: Semaphore = Semaphore::const_new(2);

/// Where it lies, and what was loaded from there.
#[derive(Debug)]
struct Place {
    folder: PathBuf,
    loaded: Mutex<Option<Arc<Loaded>>>,
}

#[derive(Debug)]
struct Loaded {
    tokenizer: Tokenizer,
    weights: Weights,
}

impl Place {
    fn new(folder: PathBuf) -> Arc<Self> {
        Arc::new(Self { folder, loaded: Mutex::new(None) })
    }

    /// What is there, loaded by whoever needs it first; the others wait for that instead of doing it once each.
    fn loaded(&self) -> Result<Arc<Loaded>, ModelError> {
        let mut kept = lock(&self.loaded);
        if let Some(loaded) = &*kept {
            return Ok(loaded.clone());
        }
        Ok(kept.insert(Arc::new(Loaded::read(&self.folder)?)).clone())
    }
}

impl Loaded {
    /// Reads 91 MB and compares the digest of each file.
    fn read(folder: &Path) -> Result<Self, ModelError> {
        let damaged = |pinned: &files::Pinned| {
            let file = folder.join(pinned.name);
            move |why: String| ModelError::Damaged { file, why: format!("is not as expected: {why}") }
        };
        let tokenizer = files::read(folder, &files::TOKENIZER)?;
        let bytes = files::read(folder, &files::WEIGHTS)?;
        let tokenizer = tokens::read(&tokenizer).map_err(damaged(&files::TOKENIZER))?;
        let weights = Weights::read(&bytes).map_err(damaged(&files::WEIGHTS))?;
        Ok(Self { tokenizer, weights })
    }
}

/// Told to somebody who is told anyway to fetch it again.
fn failed(error: ModelError) -> EmbedderError {
    let why = match error {
        ModelError::Absent { folder } => format!("it is not in {} any more", folder.display()),
        ModelError::Damaged { file, why } => format!("{} {why}", file.display()),
        ModelError::Unreadable { file, source } => format!("{} cannot be read: {source}", file.display()),
    };
    EmbedderError::Local { why }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MiniLm {
    fn at(place: Arc<Place>) -> Self {
        let model = EmbeddingModel {
            name: "all-MiniLM-L6-v2".to_owned(),
            version: format!("sha256:{}", files::WEIGHTS.sha256),
            preprocessing: preprocessing(PREPROCESSING),
            dimensions: HIDDEN as u16,
        };
        Self { model, place }
    }

    /// Loads it from a folder, after comparing the digest of each file. It reads 91 MB, so on a runtime call it where
    /// blocking is allowed.
    ///
    /// # Errors
    /// [`ModelError`]: absent, damaged or unreadable; then nothing is loaded.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let place = Place::new(folder.to_owned());
        place.loaded()?;
        Ok(Self::at(place))
    }

    /// The one of this process, shared by everybody who asks while it is in use, and let go with the last. That its files are there
    /// is looked up now; they are read and held against their digests with the first text, and most starts have none to embed.
    ///
    /// # Errors
    /// [`ModelError`]: absent, of another size, or unreadable.
    pub fn shared(folder: PathBuf) -> Result<Self, ModelError> {
        files::find(&folder)?;
        let mut known = lock(&KNOWN);
        let place = known.get(&folder).and_then(Weak::upgrade).unwrap_or_else(|| Place::new(folder.clone()));
        known.insert(folder, Arc::downgrade(&place));
        Ok(Self::at(place))
    }

    /// What [`Embedder::embed`] does, on the calling thread.
    ///
    /// # Errors
    /// [`EmbedderError`]: too many texts, files that are damaged, or the model gave something that is no vector.
    pub fn embed_now(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedderError> {
        if texts.len() > MOST_TEXTS {
            return Err(EmbedderError::TooMuch { why: format!("{} texts are more than {MOST_TEXTS}", texts.len()) });
        }
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let loaded = self.place.loaded().map_err(failed)?;
        let Loaded { tokenizer, weights } = &*loaded;
        let read = |text: &&str| tokens::ids(tokenizer, text).map_err(|why| EmbedderError::Local { why });
        let sequences = texts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let mut vectors = Vec::with_capacity(texts.len());
        for group in groups(&sequences) {
            vectors.extend(forward::forward(weights, group));
        }
        checked(vectors, texts.len(), self.model.dimensions)
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
        &self.model
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
