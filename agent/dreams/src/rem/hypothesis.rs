//! What a dream supposes in words: kept in its journal, read by its owner and by the dreams that follow, and acted on by nobody.

use golem_primitives::words;

use crate::rem::creative::CreativeMode;
use crate::vector::{DUPLICATE, Vector};

words! {
    /// D-149. Which work brought something forth.
    DreamOrigin {
        Replay = "replay",
        Counterfactual = "counterfactual",
        Creative = "creative",
        /// D-206. A predecessor.
        Predecessor = "predecessor",
    }
}

/// D-119. Something a dream supposes.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Hypothesis {
    pub source: DreamOrigin,
    pub mode: Option<CreativeMode>,
    pub description: String,
    pub rationale: String,
    pub failure_conditions: String,
    /// The simplest test of it.
    pub minimum_test: String,
    /// Its vector; no part of the journal.
    #[serde(skip)]
    pub vector: Option<Vector>,
}

/// D-249. Hypotheses of one cycle at most.
pub const MOST_HYPOTHESES: usize = 30;

/// Words as they are compared: spaces and capitals do not count.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

impl Hypothesis {
    /// As the journal keeps it.
    #[must_use]
    pub fn without_vector(&self) -> Self {
        Self { vector: None, ..self.clone() }
    }

    /// D-118. Whether it says what another says: the same words, or a cosine above 0.85.
    #[must_use]
    pub fn is_duplicate(&self, description: &str, vector: Option<&Vector>) -> bool {
        let cosine = self.vector.as_ref().zip(vector).and_then(|(a, b)| a.cosine(b));
        plain(&self.description) == plain(description) || cosine.is_some_and(|cosine| cosine > DUPLICATE)
    }
}
