//! What an owner chose, as plain data, and every way in which it can be wrong.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;
use zeroize::Zeroizing;

/// Vectors longer than this come from no model anybody uses.
const MOST_DIMENSIONS: u16 = 8_192;
const OLLAMA: &str = "http://127.0.0.1:11434";
/// G-005.
const NOMIC: &str = "nomic-embed-text";
const NOMIC_DIMENSIONS: u16 = 768;

/// The table `[embedder]` as it was written; what is empty or zero was not.
#[derive(Debug, Clone, Default)]
pub struct EmbedderTable {
    /// `minilm`, `openai`, `ollama` or `none`; `minilm` when empty.
    pub kind: String,
    /// Where `minilm` is looked for; its cache when empty.
    pub folder: String,
    /// Where the endpoint is; Ollama's own port for `ollama`.
    pub base_url: String,
    /// The model's name there; nomic-embed-text when empty.
    pub model: String,
    /// Which one of that name; asked of Ollama when empty.
    pub version: String,
    /// Numbers of a vector; known for nomic-embed-text.
    pub dimensions: u16,
    /// What `key_env` names.
    pub key: Option<ApiKey>,
}

/// G-005. Which embedder to open.
#[derive(Debug, Clone)]
pub enum EmbedderSettings {
    /// None: what is known is searched by words alone.
    None,
    /// On this machine; `None` is [`default_folder`](super::minilm::default_folder).
    MiniLm(Option<PathBuf>),
    Remote(Endpoint),
}

/// An endpoint that embeds.
#[derive(Debug, Clone)]
pub struct Endpoint {
    pub(super) wire: Wire,
    pub(super) base: Url,
    pub(super) model: String,
    pub(super) version: Option<String>,
    pub(super) dimensions: u16,
    pub(super) key: Option<ApiKey>,
    /// How long and how often it is asked.
    pub patience: Patience,
}

/// Which protocol it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wire {
    /// `POST /embeddings`.
    OpenAi,
    /// `POST /api/embed`.
    Ollama,
}

/// How long and how often an endpoint is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For one whole answer.
    pub timeout: Duration,
    /// Requests for the same texts, the first one included.
    pub tries: u32,
    /// Before the second request; doubled each time.
    pub first_wait: Duration,
    /// No wait is longer, not even one the endpoint asks for: then it is told instead.
    pub longest_wait: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            tries: 3,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(20),
        }
    }
}

/// A key to somebody's endpoint. It is wiped from memory when dropped and never shown.
#[derive(Clone)]
pub struct ApiKey(Zeroizing<String>);

impl ApiKey {
    /// Takes a key as it stands in its environment variable.
    ///
    /// # Errors
    /// [`EmbedderSettingsError::Key`] when no header can carry it.
    pub fn new(key: Zeroizing<String>) -> Result<Self, EmbedderSettingsError> {
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(EmbedderSettingsError::Key);
        }
        Ok(Self(key))
    }

    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(***)")
    }
}

/// What is wrong with the table. No message repeats a URL or a key: both may be secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedderSettingsError {
    #[error("embedder.kind is {kind:?}; write minilm, openai, ollama or none")]
    Kind { kind: String },
    #[error("embedder.{key} is missing; {kind} needs it")]
    Missing { key: &'static str, kind: &'static str },
    #[error("embedder.{key} means nothing for {kind}; take it out")]
    Idle { key: &'static str, kind: &'static str },
    #[error("embedder.base_url {why}")]
    BaseUrl { why: &'static str },
    #[error("embedder.dimensions is {got}; write what the model gives, at most {MOST_DIMENSIONS}")]
    Dimensions { got: u16 },
    #[error("the key that embedder.key_env names is empty or has characters no header can carry; set it again")]
    Key,
}

impl EmbedderSettings {
    /// What was meant by what was written.
    ///
    /// # Errors
    /// [`EmbedderSettingsError`], the first mistake found.
    pub fn new(written: EmbedderTable) -> Result<Self, EmbedderSettingsError> {
        match written.kind.as_str() {
            "none" => written.without_endpoint("none").map(|_| Self::None),
            "" | "minilm" => written.without_endpoint("minilm").map(Self::MiniLm),
            "openai" => Endpoint::new(written, Wire::OpenAi).map(Self::Remote),
            "ollama" => Endpoint::new(written, Wire::Ollama).map(Self::Remote),
            _ => Err(EmbedderSettingsError::Kind { kind: written.kind.chars().take(40).collect() }),
        }
    }
}

impl EmbedderTable {
    fn without_endpoint(self, kind: &'static str) -> Result<Option<PathBuf>, EmbedderSettingsError> {
        let idle = [
            ("base_url", !self.base_url.is_empty()),
            ("model", !self.model.is_empty()),
            ("version", !self.version.is_empty()),
            ("dimensions", self.dimensions != 0),
            ("key_env", self.key.is_some()),
            ("folder", kind == "none" && !self.folder.is_empty()),
        ];
        match idle.into_iter().find(|(_, written)| *written) {
            Some((key, _)) => Err(EmbedderSettingsError::Idle { key, kind }),
            None => Ok((!self.folder.is_empty()).then(|| self.folder.into())),
        }
    }
}

impl Endpoint {
    fn new(written: EmbedderTable, wire: Wire) -> Result<Self, EmbedderSettingsError> {
        let EmbedderTable { folder, base_url, model, version, dimensions, key, .. } = written;
        let kind = wire.name();
        if !folder.is_empty() {
            return Err(EmbedderSettingsError::Idle { key: "folder", kind });
        }
        let base = match (base_url.as_str(), wire) {
            ("", Wire::OpenAi) => return Err(EmbedderSettingsError::Missing { key: "base_url", kind }),
            ("", Wire::Ollama) => OLLAMA,
            (written, _) => written,
        };
        let base = read_base(base, key.is_some())?;
        let model = match (model.is_empty(), wire) {
            (false, _) => model,
            (true, Wire::OpenAi) => format!("{NOMIC}-v1.5"),
            (true, Wire::Ollama) => NOMIC.to_owned(),
        };
        let dimensions = match dimensions {
            0 if is_nomic(&model) => NOMIC_DIMENSIONS,
            0 => return Err(EmbedderSettingsError::Missing { key: "dimensions", kind }),
            got @ 1..=MOST_DIMENSIONS => got,
            got => return Err(EmbedderSettingsError::Dimensions { got }),
        };
        let version = Some(version).filter(|version| !version.is_empty());
        Ok(Self { wire, base, model, version, dimensions, key, patience: Patience::default() })
    }
}

impl Wire {
    const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
        }
    }
}

/// Whether a name means the model of G-005, which was trained with a word for its task before each text.
pub(super) fn is_nomic(model: &str) -> bool {
    model.contains(NOMIC)
}

fn read_base(written: &str, has_key: bool) -> Result<Url, EmbedderSettingsError> {
    let refuse = |why| Err(EmbedderSettingsError::BaseUrl { why });
    let Ok(mut url) = written.trim().parse::<Url>() else {
        return refuse("is no URL; write one such as https://host/v1");
    };
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return refuse("is not of the web; write one that begins with https:// or http://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("holds a user or a password; take it out and name the key's variable in embedder.key_env");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return refuse("has a query or a fragment; write it only up to its path");
    }
    if has_key && url.scheme() == "http" && !is_this_machine(&url) {
        return refuse("would carry the key in the clear; write https://");
    }
    // The protocol's path is put behind it.
    let path = format!("{}/", url.path().trim_end_matches('/'));
    url.set_path(&path);
    Ok(url)
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Option<ApiKey> {
        Some(ApiKey::new(Zeroizing::new("sk-secret".to_owned())).unwrap())
    }

    fn written(kind: &str, base_url: &str) -> EmbedderTable {
        EmbedderTable { kind: kind.into(), base_url: base_url.into(), ..EmbedderTable::default() }
    }

    fn endpoint(written: EmbedderTable) -> Endpoint {
        match EmbedderSettings::new(written).unwrap() {
            EmbedderSettings::Remote(endpoint) => endpoint,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn g_005_nothing_written_is_the_local_model_and_an_endpoint_serves_nomic() {
        assert!(matches!(EmbedderSettings::new(EmbedderTable::default()), Ok(EmbedderSettings::MiniLm(None))));
        assert!(matches!(EmbedderSettings::new(written("none", "")), Ok(EmbedderSettings::None)));
        let ollama = endpoint(written("ollama", ""));
        assert_eq!((ollama.model.as_str(), ollama.dimensions), ("nomic-embed-text", 768));
        assert_eq!(ollama.base.as_str(), "http://127.0.0.1:11434/");
        let openai = endpoint(written("openai", "https://api.venice.ai/api/v1"));
        assert_eq!((openai.model.as_str(), openai.dimensions), ("nomic-embed-text-v1.5", 768));
        assert_eq!(openai.base.as_str(), "https://api.venice.ai/api/v1/");
    }

    #[test]
    fn mistakes_are_named_and_secrets_are_not() {
        let with_key = |url: &str| EmbedderTable { key: key(), ..written("openai", url) };
        for (written, said) in [
            (written("openai", ""), "embedder.base_url is missing; openai needs it"),
            (written("gemini", ""), "write minilm, openai, ollama or none"),
            (written("minilm", "http://h"), "embedder.base_url means nothing for minilm"),
            (written("openai", "not a url secret"), "embedder.base_url is no URL"),
            (written("openai", "ftp://h"), "begins with https:// or http://"),
            (written("openai", "https://me:secret@h/v1"), "holds a user or a password"),
            (written("openai", "https://secret@h/v1"), "holds a user or a password"),
            (written("openai", "https://h/v1?key=secret"), "has a query"),
            (with_key("http://192.168.0.7/v1"), "would carry the key in the clear"),
            (EmbedderTable { model: "other".into(), ..written("ollama", "") }, "embedder.dimensions is missing"),
            (EmbedderTable { dimensions: 9_000, ..written("ollama", "") }, "embedder.dimensions is 9000"),
            (EmbedderTable { folder: "x".into(), ..written("ollama", "") }, "embedder.folder means nothing for ollama"),
        ] {
            let error = EmbedderSettings::new(written).unwrap_err().to_string();
            assert!(error.contains(said) && !error.contains("secret"), "{error}");
        }
        for local in ["http://127.0.0.1:1234/v1", "http://localhost:1234/v1", "http://[::1]:1234/v1"] {
            assert!(EmbedderSettings::new(with_key(local)).is_ok(), "{local}");
        }
    }

    #[test]
    fn a_key_is_never_shown() {
        let shown =
            format!("{:?}", EmbedderSettings::new(EmbedderTable { key: key(), ..written("openai", "https://h/v1") }));
        assert!(shown.contains("ApiKey(***)") && !shown.contains("sk-secret"), "{shown}");
        for bad in ["", "two words", "line\nbreak", "ümlaut"] {
            assert_eq!(ApiKey::new(Zeroizing::new(bad.to_owned())).unwrap_err(), EmbedderSettingsError::Key, "{bad:?}");
        }
    }
}
