//! Which embedder an owner chose, and opening it.

use eyre::{Result, WrapErr, eyre};
use golem_inference::embedder::{AnyEmbedder, ApiKey, EmbedderSettings, EmbedderTable};
use golem_runtime::Scribe;
use zeroize::Zeroizing;

use super::settings::table::EmbedderChoice;

impl EmbedderChoice {
    /// Whether anything is to be embedded at all.
    pub(crate) fn is_none(&self) -> bool {
        self.kind == "none"
    }

    fn written(&self, key: Option<ApiKey>) -> EmbedderTable {
        EmbedderTable {
            kind: self.kind.clone(),
            folder: self.folder.clone(),
            base_url: self.base_url.clone(),
            model: self.model.clone(),
            version: self.version.clone(),
            dimensions: u16::try_from(self.dimensions).unwrap_or(u16::MAX),
            key,
        }
    }

    /// What is wrong with the choice, whether or not its key is at hand now.
    pub(crate) fn check(&self) -> Result<(), String> {
        let stand_in = ApiKey::new(Zeroizing::new("key".to_owned())).ok().filter(|_| !self.key_env.is_empty());
        EmbedderSettings::new(self.written(stand_in)).map(drop).map_err(|mistake| mistake.to_string())
    }

    /// Opens it; `None` when none was chosen.
    pub(crate) async fn open(&self) -> Result<Option<AnyEmbedder>> {
        let key = match self.key_env.as_str() {
            "" => None,
            name => {
                let key = std::env::var(name).map(Zeroizing::new);
                let key = key.map_err(|_| eyre!("embedder.key_env names {name}, which is not set; export it"))?;
                Some(ApiKey::new(key)?)
            }
        };
        let settings = EmbedderSettings::new(self.written(key))?;
        AnyEmbedder::open(&settings).await.wrap_err("the embedder cannot be opened")
    }

    /// Who embeds beside a life. It opens the model in its own time; without one what is known is searched by words.
    pub(crate) fn scribe(&self) -> Scribe {
        let choice = self.clone();
        Scribe::hire(async move {
            match choice.open().await {
                Ok(embedder) => embedder,
                Err(error) => {
                    tracing::warn!("{error:#}; its Grimoire is searched by words alone (`bardo doctor`)");
                    None
                }
            }
        })
    }
}
