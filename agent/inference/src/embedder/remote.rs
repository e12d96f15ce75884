//! A model behind an endpoint: OpenAI's `/embeddings`, which vLLM, LM Studio and Venice speak too, or Ollama's own.

use golem_ports::{Embedder, EmbedderError, EmbeddingModel, EmbeddingPurpose};
use serde::{Deserialize, Serialize};

use super::http::{Http, Request};
use super::settings::{Endpoint, Wire, is_nomic};
use super::vectors::{checked, cut, preprocessing};

/// Texts in one request.
const AT_ONCE: usize = 64;
/// Texts in one call.
const MOST_TEXTS: usize = 4_096;
/// Bytes of a text that are sent. A token is at least a byte, so with its prefix it stays within the 8192 tokens of the
/// model; an endpoint with less room refuses or cuts.
const LONGEST_BYTES: usize = 8_000;
/// Bytes one number of an answer may take, and what may stand around the numbers.
const NUMBER_BYTES: usize = 32;
const FRAME_BYTES: usize = 64 << 10;
/// The list of models an Ollama has.
const LARGEST_LIST: usize = 4 << 20;
/// What a model is called whose keeper tells no version.
const UNVERSIONED: &str = "unversioned";

/// A model behind an endpoint.
#[derive(Debug)]
pub struct Remote {
    http: Http,
    wire: Wire,
    model: EmbeddingModel,
    prefixes: Prefixes,
}

#[derive(Debug, Clone, Copy)]
struct Prefixes {
    entry: &'static str,
    query: &'static str,
}

impl Prefixes {
    /// G-005. nomic-embed-text was trained with these; without them its vectors are worse, not only different.
    fn of(model: &str) -> Self {
        if is_nomic(model) {
            Self { entry: "search_document: ", query: "search_query: " }
        } else {
            Self { entry: "", query: "" }
        }
    }

    const fn for_purpose(self, purpose: EmbeddingPurpose) -> &'static str {
        match purpose {
            EmbeddingPurpose::Entry => self.entry,
            EmbeddingPurpose::Query => self.query,
        }
    }

    fn description(self) -> String {
        let Self { entry, query } = self;
        format!(
            "prefix {entry:?} for an entry, {query:?} for a query; the first {LONGEST_BYTES} bytes of the text, whole \
             characters; tokens and pooling as the endpoint does it; length one"
        )
    }
}

impl Remote {
    /// Speaks to an endpoint. Without a version in its settings an Ollama is asked for the digest of its model; others
    /// have no such question, and their model is `unversioned`: there only the drift check notices an exchange.
    ///
    /// # Errors
    /// [`EmbedderError`] when Ollama does not answer, or does not have the model.
    pub async fn open(endpoint: &Endpoint) -> Result<Self, EmbedderError> {
        let http = Http::new(endpoint)?;
        let version = match (&endpoint.version, endpoint.wire) {
            (Some(version), _) => version.clone(),
            (None, Wire::Ollama) => ollama_digest(&http, &endpoint.model).await?,
            (None, Wire::OpenAi) => UNVERSIONED.to_owned(),
        };
        let prefixes = Prefixes::of(&endpoint.model);
        let model = EmbeddingModel {
            name: endpoint.model.clone(),
            version,
            preprocessing: preprocessing(&prefixes.description()),
            dimensions: endpoint.dimensions,
        };
        Ok(Self { http, wire: endpoint.wire, model, prefixes })
    }

    async fn embed_some(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedderError> {
        let asked = match self.wire {
            Wire::OpenAi => {
                serde_json::to_vec(&OpenAiRequest { model: &self.model.name, input: texts, encoding_format: "float" })
            }
            Wire::Ollama => {
                serde_json::to_vec(&OllamaRequest { model: &self.model.name, input: texts, truncate: true })
            }
        };
        let body = asked.map_err(|error| self.http.malformed(&format!("cannot be asked: {error}")))?;
        let path = match self.wire {
            Wire::OpenAi => "embeddings",
            Wire::Ollama => "api/embed",
        };
        let largest = texts.len() * usize::from(self.model.dimensions) * NUMBER_BYTES + FRAME_BYTES;
        let answer = self.http.ask(Request { path, body: Some(&body), largest }).await?;
        let vectors = match self.wire {
            Wire::OpenAi => self.in_order(self.parse::<OpenAiAnswer>(&answer)?.data)?,
            Wire::Ollama => self.parse::<OllamaAnswer>(&answer)?.embeddings,
        };
        checked(vectors, texts.len(), self.model.dimensions)
    }

    fn parse<'a, T: Deserialize<'a>>(&self, answer: &'a [u8]) -> Result<T, EmbedderError> {
        parse(&self.http, answer)
    }

    /// The protocol numbers the vectors and promises no order.
    fn in_order(&self, mut data: Vec<OpenAiVector>) -> Result<Vec<Vec<f32>>, EmbedderError> {
        data.sort_by_key(|vector| vector.index);
        if data.iter().enumerate().any(|(place, vector)| vector.index != place) {
            return Err(self.http.malformed("numbers its vectors wrongly"));
        }
        Ok(data.into_iter().map(|vector| vector.embedding).collect())
    }
}

fn parse<'a, T: Deserialize<'a>>(http: &Http, answer: &'a [u8]) -> Result<T, EmbedderError> {
    serde_json::from_slice(answer)
        .map_err(|error| http.malformed(&format!("gives an answer that cannot be read: {error}")))
}

async fn ollama_digest(http: &Http, model: &str) -> Result<String, EmbedderError> {
    let answer = http.ask(Request { path: "api/tags", body: None, largest: LARGEST_LIST }).await?;
    let list = parse::<OllamaModels>(http, &answer)?;
    let is_meant = |found: &&OllamaModel| found.name == model || found.name.strip_suffix(":latest") == Some(model);
    match list.models.iter().find(is_meant) {
        Some(found) if !found.digest.is_empty() => Ok(format!("ollama:{}", found.digest)),
        Some(_) => Err(http.malformed("tells no digest of its model")),
        None => Err(http.no_model(model)),
    }
}

impl Embedder for Remote {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[&str], purpose: EmbeddingPurpose) -> Result<Vec<Vec<f32>>, EmbedderError> {
        if texts.len() > MOST_TEXTS {
            return Err(EmbedderError::TooMuch { why: format!("{} texts are more than {MOST_TEXTS}", texts.len()) });
        }
        let prefix = self.prefixes.for_purpose(purpose);
        let texts: Vec<String> = texts.iter().map(|text| format!("{prefix}{}", cut(text, LONGEST_BYTES))).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for some in texts.chunks(AT_ONCE) {
            vectors.extend(self.embed_some(some).await?);
        }
        Ok(vectors)
    }
}

#[derive(Serialize)]
struct OpenAiRequest<'a> {
    model: &'a str,
    input: &'a [String],
    encoding_format: &'static str,
}

#[derive(Deserialize)]
struct OpenAiAnswer {
    data: Vec<OpenAiVector>,
}

#[derive(Deserialize)]
struct OpenAiVector {
    index: usize,
    embedding: Vec<f32>,
}

#[derive(Serialize)]
struct OllamaRequest<'a> {
    model: &'a str,
    input: &'a [String],
    truncate: bool,
}

#[derive(Deserialize)]
struct OllamaAnswer {
    embeddings: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct OllamaModels {
    models: Vec<OllamaModel>,
}

#[derive(Deserialize)]
struct OllamaModel {
    name: String,
    #[serde(default)]
    digest: String,
}
