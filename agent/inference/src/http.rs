//! One request over HTTP, bounded in time and size, with failures in clean words.

use std::time::Duration;

use golem_edge::client::{self, BodyError};
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Url};

use crate::settings::{Checked, Format, SettingsError, host};

/// Largest answer that is read: far beyond what any number of output tokens comes to.
pub(crate) const LARGEST_ANSWER: usize = 1 << 20;
/// Longest piece of others' words that is kept.
const LONGEST_WORDS: usize = 200;
/// The longest wait a provider can ask for; what is longer is taken for this.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 3_600);
/// The version of Anthropic's API these formats were written to.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// A connection to one provider.
pub(crate) struct Http {
    client: Client,
    base: Url,
    headers: HeaderMap,
    timeout: Duration,
}

/// What came back, whole.
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: Vec<u8>,
}

/// Why nothing whole came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lost {
    /// No connection was made, so nothing was asked.
    Unconnected(String),
    TimedOut(Duration),
    /// It broke after the question was sent.
    Broken,
    /// It did not end where it should.
    Oversized,
}

impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Http").field("host", &host(&self.base)).finish_non_exhaustive()
    }
}

impl Http {
    pub(crate) fn new(settings: &Checked) -> Result<Self, SettingsError> {
        let client = client::through(settings.proxy.as_ref())
            .map_err(|error| SettingsError::Client { host: host(&settings.base), why: words(&error) })?;
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        if settings.format == Format::Anthropic {
            headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
        }
        if let Some(key) = &settings.key {
            match settings.format {
                Format::Anthropic => headers.insert("x-api-key", key.header("")),
                Format::OpenAi => headers.insert(header::AUTHORIZATION, key.header("Bearer ")),
            };
        }
        Ok(Self { client, base: settings.base.clone(), headers, timeout: settings.timeout })
    }

    /// Posts a question; `key` names it for providers that know idempotency keys.
    pub(crate) async fn post(&self, path: &str, body: Vec<u8>, key: &str, limit: Duration) -> Result<Raw, Lost> {
        let mut headers = self.headers.clone();
        let key = HeaderValue::from_str(key).map_err(|_| Lost::Unconnected("its name is no header".to_owned()))?;
        headers.insert(HeaderName::from_static("idempotency-key"), key);
        self.send(Method::POST, path, headers, body, limit.min(self.timeout)).await
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Raw, Lost> {
        self.send(Method::GET, path, self.headers.clone(), Vec::new(), self.timeout).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        headers: HeaderMap,
        body: Vec<u8>,
        limit: Duration,
    ) -> Result<Raw, Lost> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        let asked = self.client.request(method, url).headers(headers).body(body).timeout(limit);
        let mut response = asked.send().await.map_err(|error| lost(&error, limit))?;
        let (status, retry_after) = (response.status().as_u16(), retry_after(response.headers()));
        let body = client::read(&mut response, LARGEST_ANSWER).await.map_err(|error| match error {
            BodyError::TooLong(_) => Lost::Oversized,
            BodyError::Cut(error) => lost(&error, limit),
        })?;
        Ok(Raw { status, retry_after, body })
    }
}

fn lost(error: &reqwest::Error, limit: Duration) -> Lost {
    if error.is_connect() || error.is_builder() {
        Lost::Unconnected(words(error))
    } else if error.is_timeout() {
        Lost::TimedOut(limit)
    } else {
        Lost::Broken
    }
}

fn words(error: &reqwest::Error) -> String {
    crate::text::line(&client::cause(error), LONGEST_WORDS)
}

/// Seconds or, as some providers also say, milliseconds. A date is not read: it would need a clock that both agree on.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
    let millis = number("retry-after-ms").map(Duration::from_millis);
    millis.or_else(|| number("retry-after").map(Duration::from_secs)).map(|wait| wait.min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_says_how_long_to_wait_in_seconds_or_milliseconds() {
        for (name, value, expected) in [
            ("retry-after", "7", Some(Duration::from_secs(7))),
            ("retry-after-ms", "250", Some(Duration::from_millis(250))),
            ("retry-after", "18446744073709551615", Some(LONGEST_WAIT)),
            ("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT", None),
            ("retry-after", "-1", None),
            ("x-other", "7", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
            assert_eq!(retry_after(&headers), expected, "{name}: {value}");
        }
    }
}
