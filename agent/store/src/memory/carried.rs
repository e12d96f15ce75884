//! G-178. A vector that travels with an entry: a claim about its text, which whoever takes it in computes again.

use golem_grimoire::id::EntryId;
use golem_ports::{EmbeddingModel, StoreError, Vector};
use golem_primitives::{B256, Ppm};
use serde::{Deserialize, Serialize};

use crate::reader::Reader;

/// A vector with its model, as a line has it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Carried {
    model: String,
    version: String,
    preprocessing: B256,
    values: Vec<f32>,
}

/// What an entry from outside says its vector is, and what became of that.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Claimed {
    /// It says nothing of a vector.
    #[default]
    Nothing,
    /// It brought one, and nobody has computed it again.
    Unchecked(Box<Vector>),
    /// It was computed again: so alike are the two.
    Checked(Ppm),
}

impl Claimed {
    /// How alike the claimed vector is to the text's own, when somebody looked.
    #[must_use]
    pub const fn cosine(&self) -> Option<Ppm> {
        match self {
            Self::Checked(cosine) => Some(*cosine),
            Self::Nothing | Self::Unchecked(_) => None,
        }
    }
}

impl From<Carried> for Claimed {
    /// One whose length no model can have made is like none.
    fn from(carried: Carried) -> Self {
        let Ok(dimensions) = u16::try_from(carried.values.len()) else { return Self::Checked(Ppm::ZERO) };
        let Carried { model: name, version, preprocessing, values } = carried;
        Self::Unchecked(Box::new(Vector { model: EmbeddingModel { name, version, preprocessing, dimensions }, values }))
    }
}

impl Reader {
    /// The vector of an entry to be given away with it.
    pub(super) fn carried(&self, model: Option<&EmbeddingModel>, id: EntryId) -> Result<Option<Carried>, StoreError> {
        let Some(model) = model else { return Ok(None) };
        let carried = |values| Carried {
            model: model.name.clone(),
            version: model.version.clone(),
            preprocessing: model.preprocessing,
            values,
        };
        Ok(self.vector_of(id)?.map(carried))
    }
}
