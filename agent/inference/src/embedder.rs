//! Texts become vectors: on this machine, or at an endpoint the owner named.
//!
//! [`AnyEmbedder::open`] gives what [`EmbedderSettings`] say. When it cannot, a life goes on: what is known is searched by
//! words alone, and the error says so and what to do. Every vector has length one and is of exactly one
//! [`EmbeddingModel`]; [`drift`] notices when a model behind an endpoint is no longer the one it was.

pub use golem_ports::drift;
mod http;
pub mod minilm;
mod remote;
mod settings;
mod vectors;

use golem_ports::{Embedder, EmbedderError, EmbeddingModel, EmbeddingPurpose};

use self::minilm::{MiniLm, ModelError};
pub use self::remote::Remote;
pub use self::settings::{ApiKey, EmbedderSettings, EmbedderSettingsError, EmbedderTable, Endpoint, Patience};

/// The embedder that was chosen.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnyEmbedder {
    MiniLm(MiniLm),
    Remote(Box<Remote>),
}

/// Why there is no embedder. None of it keeps a Golem from living.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The model on this machine is absent or damaged.
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Endpoint(#[from] EmbedderError),
    #[error("there is no folder to look for the embedding model in; set HOME, XDG_CACHE_HOME or embedder.folder")]
    NoFolder,
}

impl OpenError {
    /// Whether opening it again may help.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        match self {
            Self::Model(error) => error.may_retry(),
            Self::Endpoint(error) => error.may_retry(),
            Self::NoFolder => false,
        }
    }
}

impl AnyEmbedder {
    /// Opens what was chosen; `None` when nothing was.
    ///
    /// # Errors
    /// [`OpenError`]: go on with words alone and tell it to the owner.
    pub async fn open(settings: &EmbedderSettings) -> Result<Option<Self>, OpenError> {
        match settings {
            EmbedderSettings::None => Ok(None),
            EmbedderSettings::MiniLm(folder) => {
                let folder = folder.clone().or_else(minilm::default_folder).ok_or(OpenError::NoFolder)?;
                Ok(Some(Self::MiniLm(MiniLm::shared(folder)?)))
            }
            EmbedderSettings::Remote(endpoint) => Ok(Some(Self::Remote(Box::new(Remote::open(endpoint).await?)))),
        }
    }
}

impl Embedder for AnyEmbedder {
    fn model(&self) -> &EmbeddingModel {
        match self {
            Self::MiniLm(local) => local.model(),
            Self::Remote(remote) => remote.model(),
        }
    }

    async fn embed(&self, texts: &[&str], purpose: EmbeddingPurpose) -> Result<Vec<Vec<f32>>, EmbedderError> {
        match self {
            Self::MiniLm(local) => local.embed(texts, purpose).await,
            Self::Remote(remote) => remote.embed(texts, purpose).await,
        }
    }
}
