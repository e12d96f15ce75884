//! Meaning as numbers: texts become vectors that can be compared with vectors of the same model, and with no others.

use std::future::Future;
use std::time::Duration;

use crate::memory::EmbeddingModel;

/// What a text is embedded for. Some models were trained to see the two differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmbeddingPurpose {
    /// To be kept and found.
    Entry,
    Query,
}

/// Why texts were not embedded. Whatever it was, no vector is given: a wrong vector is worse than none. An endpoint stands in
/// it without its secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedderError {
    #[error("{endpoint} {why}; check that it runs and that [embedder] base_url names it")]
    Unreachable { endpoint: String, why: String },
    /// No whole answer came in time.
    #[error("{endpoint} gave no answer within {} ms; ask again later, or embed fewer texts at once", .limit.as_millis())]
    TimedOut { endpoint: String, limit: Duration },
    #[error("{endpoint} limits our requests{}", wait(.after))]
    Limited {
        endpoint: String,
        /// When it may be asked again, if it said so.
        after: Option<Duration>,
    },
    #[error("{endpoint} refuses (HTTP {status}): {why}; check [embedder] model, base_url and key_env")]
    Refused {
        endpoint: String,
        status: u16,
        /// Its own words, cut and cleaned.
        why: String,
    },
    #[error("{endpoint} {why}; check that it speaks the protocol chosen by [embedder] kind")]
    Malformed { endpoint: String, why: String },
    #[error("{endpoint} does not have the model {model}; get it there, on an Ollama with `ollama pull {model}`")]
    NoModel { endpoint: String, model: String },
    #[error("{asked} texts were given and {got} vectors came back; none of them is used")]
    Count { asked: usize, got: usize },
    #[error("vector {index} has {got} dimensions and the model {expected}; set [embedder] dimensions to its own")]
    Dimensions {
        /// Which of the texts, from zero.
        index: usize,
        expected: u16,
        got: usize,
    },
    /// A vector without a direction: not finite, or zero.
    #[error("vector {index} has no direction ({why}); the model is broken or was given something it cannot read")]
    NoDirection {
        /// Which of the texts, from zero.
        index: usize,
        why: &'static str,
    },
    #[error("{why}; give less at once")]
    TooMuch { why: String },
    #[error("the local model failed: {why}; fetch it again with `./scripts/model`")]
    Local { why: String },
}

fn wait(after: &Option<Duration>) -> String {
    after.map_or_else(
        || "; ask again later".to_owned(),
        |after| format!("; ask again in {} s", after.as_secs_f64().ceil()),
    )
}

impl EmbedderError {
    /// Whether the same texts may succeed later.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } | Self::Limited { .. } => true,
            Self::Refused { status, .. } => *status >= 500,
            _ => false,
        }
    }
}

/// Turns texts into vectors. What a text says is never obeyed here: it is only measured.
pub trait Embedder: Send + Sync {
    /// G-006. Which model this is; the same for as long as the embedder lives.
    fn model(&self) -> &EmbeddingModel;

    /// One vector for each text, in their order, each finite, of length one and of [`EmbeddingModel::dimensions`].
    /// All or nothing: when one text fails, no vector is given.
    fn embed(
        &self,
        texts: &[&str],
        purpose: EmbeddingPurpose,
    ) -> impl Future<Output = Result<Vec<Vec<f32>>, EmbedderError>> + Send;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_passes_by_itself_is_asked_again() {
        let endpoint = || "http://127.0.0.1:1".to_owned();
        let refused = |status| EmbedderError::Refused { endpoint: endpoint(), status, why: "no".to_owned() };
        for (error, again) in [
            (EmbedderError::Unreachable { endpoint: endpoint(), why: String::new() }, true),
            (EmbedderError::TimedOut { endpoint: endpoint(), limit: Duration::from_secs(1) }, true),
            (EmbedderError::Limited { endpoint: endpoint(), after: None }, true),
            (refused(503), true),
            (refused(401), false),
            (EmbedderError::Malformed { endpoint: endpoint(), why: String::new() }, false),
            (EmbedderError::NoModel { endpoint: endpoint(), model: String::new() }, false),
            (EmbedderError::Count { asked: 2, got: 1 }, false),
            (EmbedderError::Dimensions { index: 0, expected: 768, got: 384 }, false),
            (EmbedderError::NoDirection { index: 0, why: "zero" }, false),
            (EmbedderError::Local { why: String::new() }, false),
        ] {
            assert_eq!(error.may_retry(), again, "{error}");
        }
    }

    #[test]
    fn a_limit_says_when_to_ask_again() {
        let limited = |after| EmbedderError::Limited { endpoint: "http://h".to_owned(), after }.to_string();
        assert_eq!(limited(None), "http://h limits our requests; ask again later");
        assert_eq!(limited(Some(Duration::from_millis(1_500))), "http://h limits our requests; ask again in 2 s");
    }
}
