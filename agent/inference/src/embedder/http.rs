//! One request to an endpoint, asked again within bounds, and its failures in words that are clean.

use std::time::Duration;

use golem_edge::client::{self, BodyError};
use golem_ports::EmbedderError;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url};
use serde::Deserialize;
use zeroize::Zeroizing;

use super::settings::{ApiKey, Endpoint, Patience};

/// Longest piece of an endpoint's own words that is kept.
const LONGEST_WORDS: usize = 300;
/// Largest refusal that is read.
const LARGEST_REFUSAL: usize = 16 << 10;

/// A connection to one endpoint.
#[derive(Debug)]
pub(super) struct Http {
    client: Client,
    base: Url,
    /// Scheme, host and port: all that is ever shown of it.
    name: String,
    key: Option<ApiKey>,
    patience: Patience,
}

/// What is asked: `None` is a GET.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) path: &'a str,
    pub(super) body: Option<&'a [u8]>,
    /// Bytes of the largest answer that is read.
    pub(super) largest: usize,
}

impl Http {
    pub(super) fn new(endpoint: &Endpoint) -> Result<Self, EmbedderError> {
        let Endpoint { base, key, patience, .. } = endpoint.clone();
        let name = base.origin().ascii_serialization();
        let client = client::client().map_err(|error| EmbedderError::Unreachable {
            endpoint: name.clone(),
            why: format!("cannot be spoken to: {}", client::cause(&error)),
        })?;
        Ok(Self { client, base, name, key, patience })
    }

    /// The bytes of a good answer.
    pub(super) async fn ask(&self, request: Request<'_>) -> Result<Vec<u8>, EmbedderError> {
        let mut tries = 1;
        loop {
            let limit = self.patience.timeout;
            let timed_out = || EmbedderError::TimedOut { endpoint: self.name.clone(), limit };
            let asked = tokio::time::timeout(limit, self.ask_once(request)).await;
            let error = match asked.unwrap_or_else(|_| Err(timed_out())) {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let Some(wait) = wait(&error, tries, &self.patience) else { return Err(error) };
            tracing::debug!(endpoint = self.name, %error, tries, ?wait, "asking an embedder again");
            tokio::time::sleep(wait).await;
            tries += 1;
        }
    }

    async fn ask_once(&self, request: Request<'_>) -> Result<Vec<u8>, EmbedderError> {
        let url = self.base.join(request.path).map_err(|_| self.malformed("has no such path"))?;
        let mut asked = match request.body {
            Some(body) => self.client.post(url).header(CONTENT_TYPE, "application/json").body(body.to_vec()),
            None => self.client.get(url),
        };
        if let Some(key) = &self.key {
            let line = Zeroizing::new(format!("Bearer {}", key.expose()));
            let mut value = HeaderValue::from_str(&line).map_err(|_| self.malformed("has a key no header carries"))?;
            value.set_sensitive(true);
            asked = asked.header(AUTHORIZATION, value);
        }
        let mut response = asked.send().await.map_err(|error| self.unreachable(&error))?;
        let status = response.status();
        if status.is_success() {
            return self.read(&mut response, request.largest).await;
        }
        if status.as_u16() == 429 {
            return Err(EmbedderError::Limited { endpoint: self.name.clone(), after: retry_after(&response) });
        }
        // What it says is worth having, but its status is what counts.
        let words = self.read(&mut response, LARGEST_REFUSAL).await.unwrap_or_default();
        Err(EmbedderError::Refused { endpoint: self.name.clone(), status: status.as_u16(), why: self.words(&words) })
    }

    async fn read(&self, response: &mut Response, largest: usize) -> Result<Vec<u8>, EmbedderError> {
        client::read(response, largest).await.map_err(|error| match error {
            BodyError::TooLong(_) => self.malformed(&format!("gives an answer of more than {largest} bytes")),
            BodyError::Cut(error) => self.unreachable(&error),
        })
    }

    pub(super) fn malformed(&self, why: &str) -> EmbedderError {
        EmbedderError::Malformed { endpoint: self.name.clone(), why: self.clean(why) }
    }

    pub(super) fn no_model(&self, model: &str) -> EmbedderError {
        EmbedderError::NoModel { endpoint: self.name.clone(), model: model.to_owned() }
    }

    fn unreachable(&self, error: &reqwest::Error) -> EmbedderError {
        let why = self.clean(&format!("cannot be reached: {}", client::cause(error)));
        EmbedderError::Unreachable { endpoint: self.name.clone(), why }
    }

    /// The message of a refusal in either protocol, else its beginning.
    fn words(&self, body: &[u8]) -> String {
        #[derive(Deserialize)]
        struct Refusal {
            error: Said,
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Said {
            OpenAi { message: String },
            Ollama(String),
        }
        let said = match serde_json::from_slice(body) {
            Ok(Refusal { error: Said::OpenAi { message } | Said::Ollama(message) }) => message,
            Err(_) => String::from_utf8_lossy(body).into_owned(),
        };
        let clean = self.clean(&said);
        if clean.is_empty() { "it does not say why".to_owned() } else { clean }
    }

    /// Somebody else's words, cut, on one line, and without our own key where they repeat it.
    fn clean(&self, words: &str) -> String {
        let plain: String = words.chars().filter(|c| !c.is_control()).collect();
        let clean = self.key.as_ref().map_or_else(|| plain.clone(), |key| plain.replace(key.expose(), "***"));
        clean.trim().chars().take(LONGEST_WORDS).collect()
    }
}

/// How long to wait before asking again; `None` is not at all.
fn wait(error: &EmbedderError, tries: u32, patience: &Patience) -> Option<Duration> {
    if tries >= patience.tries || !error.may_retry() {
        return None;
    }
    if let EmbedderError::Limited { after: Some(after), .. } = error {
        return (*after <= patience.longest_wait).then_some(*after);
    }
    let doubled = patience.first_wait.saturating_mul(2_u32.saturating_pow(tries - 1));
    Some(doubled.min(patience.longest_wait))
}

fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_within_bounds_and_an_endpoints_word_counts() {
        let seconds = Duration::from_secs;
        let patience = Patience { timeout: seconds(1), tries: 6, first_wait: seconds(2), longest_wait: seconds(10) };
        let endpoint = String::new;
        let limited = |after| EmbedderError::Limited { endpoint: endpoint(), after };
        let refused = |status| EmbedderError::Refused { endpoint: endpoint(), status, why: String::new() };
        for (error, tries, expected) in [
            (refused(500), 1, Some(2)),
            (refused(500), 2, Some(4)),
            (refused(500), 3, Some(8)),
            (refused(500), 4, Some(10)),
            (refused(500), 6, None),
            (refused(400), 1, None),
            (limited(None), 2, Some(4)),
            (limited(Some(seconds(7))), 1, Some(7)),
            (limited(Some(seconds(11))), 1, None),
            (EmbedderError::TimedOut { endpoint: endpoint(), limit: seconds(1) }, 1, Some(2)),
            (EmbedderError::Malformed { endpoint: endpoint(), why: String::new() }, 1, None),
        ] {
            assert_eq!(wait(&error, tries, &patience), expected.map(seconds), "{error}, try {tries}");
        }
    }
}
