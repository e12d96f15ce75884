//! One JSON-RPC request over HTTP, and its failures in words that are clean.
//!
//! Written on reqwest itself: alloy's transport names the whole URL, and with it the provider's key, in every tracing
//! span, and takes answers of any size.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use alloy::primitives::Bytes;
use alloy::rpc::json_rpc::ErrorPayload;
use alloy::transports::http::reqwest::{self, Response, Url, header};
use golem_edge::client::{self, BodyError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::error::Failure;
use super::redact::secrets;

/// Longest piece of a node's own words that is kept.
const LONGEST_WORDS: usize = 300;
/// Largest answer that is read: far beyond any page of logs a provider gives.
const LARGEST_ANSWER: usize = 128 << 20;

#[derive(Debug)]
pub(crate) struct Refusal {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Bytes>,
}

impl Refusal {
    pub(super) fn is_revert(&self) -> bool {
        self.code == 3 || self.data.is_some() || self.message.to_ascii_lowercase().contains("execution reverted")
    }

    pub(super) fn is_already_known(&self) -> bool {
        let said = self.message.to_ascii_lowercase();
        ["already known", "known transaction", "already imported", "alreadyknown", "already in mempool"]
            .iter()
            .any(|words| said.contains(words))
    }
}

/// Why one endpoint did not give what was asked.
#[derive(Debug)]
pub(crate) enum Fault {
    Timeout(Duration),
    Unreachable(String),
    Limited { after: Option<Duration>, words: String },
    Malformed(String),
    ForeignChain { found: u64, expected: u64 },
    Refused(Refusal),
}

impl Fault {
    pub(super) fn words(&self) -> String {
        match self {
            Self::Timeout(limit) => format!("no answer within {} ms", limit.as_millis()),
            Self::Unreachable(words) | Self::Limited { words, .. } | Self::Malformed(words) => words.clone(),
            Self::ForeignChain { found, expected } => format!("is on chain {found}, not on {expected}"),
            Self::Refused(refusal) => refusal.message.clone(),
        }
    }

    pub(crate) fn into_failure(self, url: &str) -> Failure {
        let limited = matches!(self, Self::Limited { .. });
        Failure { url: url.to_owned(), what: self.words(), limited }
    }
}

/// A connection to one endpoint. It has no `Debug`: its URL is a secret.
pub(super) struct Http {
    client: reqwest::Client,
    url: Url,
    secrets: Vec<String>,
    timeout: Duration,
    next_id: AtomicU64,
}

#[derive(Serialize)]
struct Request<'a> {
    jsonrpc: &'static str,
    id: u64,
    method: &'static str,
    params: &'a RawValue,
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(default)]
    id: Option<u64>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<ErrorPayload>,
}

/// `null` is an answer; only a missing field is none.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl Http {
    pub(super) fn new(url: Url, timeout: Duration) -> Result<Self, String> {
        let client = client::client().map_err(|error| client::cause(&error))?;
        Ok(Self { client, secrets: secrets(&url), url, timeout, next_id: AtomicU64::new(1) })
    }

    pub(super) async fn call<R: DeserializeOwned>(&self, method: &'static str, params: &RawValue) -> Result<R, Fault> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let request = Request { jsonrpc: "2.0", id, method, params };
        let body = serde_json::to_vec(&request).map_err(|error| Fault::Malformed(error.to_string()))?;
        let asked = async {
            let sent = self.client.post(self.url.clone()).header(header::CONTENT_TYPE, "application/json").body(body);
            let mut response = sent.send().await.map_err(|error| self.unreachable(&error))?;
            let (status, after) = (response.status().as_u16(), retry_after(&response));
            Ok((status, after, self.read(&mut response).await?))
        };
        let (status, after, body) =
            tokio::time::timeout(self.timeout, asked).await.map_err(|_| Fault::Timeout(self.timeout))??;
        // Some nodes wrap their refusals in an HTTP error; the refusal says more.
        let answer = serde_json::from_slice::<Answer<'_>>(&body);
        if let Ok(Answer { error: Some(refusal), .. }) = &answer {
            return Err(if status == 429 { http_fault(status, after) } else { self.refused(refusal) });
        }
        if !(200..300).contains(&status) {
            return Err(http_fault(status, after));
        }
        match answer {
            Err(_) => Err(Fault::Malformed("its answer is no JSON-RPC".to_owned())),
            Ok(Answer { id: other, .. }) if other != Some(id) => {
                Err(Fault::Malformed("it answered another request".to_owned()))
            }
            Ok(Answer { result: None, .. }) => {
                Err(Fault::Malformed("its answer has neither result nor error".to_owned()))
            }
            Ok(Answer { result: Some(result), .. }) => serde_json::from_str(result.get())
                .map_err(|error| Fault::Malformed(self.clean(&format!("its answer cannot be read: {error}")))),
        }
    }

    async fn read(&self, response: &mut Response) -> Result<Vec<u8>, Fault> {
        client::read(response, LARGEST_ANSWER).await.map_err(|error| match error {
            BodyError::TooLong(most) => Fault::Malformed(format!("its answer exceeds {} MiB", most >> 20)),
            BodyError::Cut(error) => self.unreachable(&error),
        })
    }

    fn unreachable(&self, error: &reqwest::Error) -> Fault {
        if error.is_timeout() {
            return Fault::Timeout(self.timeout);
        }
        Fault::Unreachable(self.clean(&format!("cannot be reached: {}", client::cause(error))))
    }

    fn refused(&self, payload: &ErrorPayload) -> Fault {
        let words = self.clean(&payload.message);
        let said = words.to_ascii_lowercase();
        let limited = matches!(payload.code, -32005 | -32029 | 429)
            || ["rate limit", "too many requests", "exceeded its"].iter().any(|sign| said.contains(sign));
        // -32005 is also "more than so many results", which no patience cures.
        if limited && !said.contains("results") && !said.contains("range") {
            return Fault::Limited { after: None, words: format!("limits our requests: {words}") };
        }
        Fault::Refused(Refusal { code: payload.code, message: words, data: payload.as_revert_data() })
    }

    /// Somebody else's words, cut, on one line, and without our own key where they repeat it.
    fn clean(&self, words: &str) -> String {
        let plain: String = words.chars().filter(|c| !c.is_control()).collect();
        let clean = self.secrets.iter().fold(plain, |words, secret| words.replace(secret, "***"));
        clean.chars().take(LONGEST_WORDS).collect()
    }
}

fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

fn http_fault(status: u16, after: Option<Duration>) -> Fault {
    if status == 429 || (status == 503 && after.is_some()) {
        return Fault::Limited { after, words: format!("limits our requests (HTTP {status})") };
    }
    match status {
        401 | 403 => Fault::Unreachable(format!("refuses us (HTTP {status}); check its key")),
        _ => Fault::Unreachable(format!("answers HTTP {status}")),
    }
}
