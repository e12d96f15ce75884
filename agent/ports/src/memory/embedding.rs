//! Vectors, and which model made them.

use golem_primitives::B256;

/// G-006. The model behind a vector; vectors of different models are never compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EmbeddingModel {
    pub name: String,
    pub version: String,
    /// Hash of what is done to a text before.
    pub preprocessing: B256,
    pub dimensions: u16,
}

impl std::fmt::Display for EmbeddingModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let preprocessing = self.preprocessing.to_string();
        // Eight digits tell two preparations of one model apart.
        write!(f, "{} {} ({}, {})", self.name, self.version, self.dimensions, preprocessing.get(..10).unwrap_or(""))
    }
}

/// A vector with its model.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    pub model: EmbeddingModel,
    pub values: Vec<f32>,
}

/// How far a model has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingProgress {
    pub model: EmbeddingModel,
    /// Living entries with a vector of it.
    pub done: u64,
    pub total: u64,
}

/// G-006. The vectors of a Grimoire.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbeddingState {
    /// The model that is searched; `None` while there is no vector.
    pub active: Option<EmbeddingProgress>,
    /// The model that is on its way in.
    pub next: Option<EmbeddingProgress>,
}
