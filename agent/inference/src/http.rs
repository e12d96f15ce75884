//! One request over HTTP, bounded in time and size, with failures in clean words.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, Url};

use crate::settings::{Checked, Format, SettingsError, host};

/// Largest answer that is read: far beyond what any number of output tokens comes to.
pub(crate) const LARGEST_ANSWER: usize = 1 << 20;
/// Longest piece of others' words that is kept.
const LONGEST_WORDS: usize = 200;
/// The longest wait a provider can ask for; what is longer is taken for this.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 3_600);
/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
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
    /// The time was up.
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

/// Clients by the proxy they go through: one holds the certificates and the connections of all providers behind it.
#[derive(Default)]
pub(crate) struct Clients(BTreeMap<Option<Url>, Client>);

impl Clients {
    fn through(&mut self, proxy: Option<&Url>) -> Result<Client, reqwest::Error> {
        if let Some(client) = self.0.get(&proxy.cloned()) {
            return Ok(client.clone());
        }
        // A redirect would carry the key to somebody nobody chose, and so would a proxy the environment names.
        let plain = Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().connect_timeout(CONNECT);
        let builder = match proxy {
            Some(proxy) => plain.proxy(reqwest::Proxy::all(proxy.clone())?),
            None => plain,
        };
        let client = builder.build()?;
        self.0.insert(proxy.cloned(), client.clone());
        Ok(client)
    }
}

impl Http {
    pub(crate) fn new(settings: &Checked, clients: &mut Clients) -> Result<Self, SettingsError> {
        let client = clients.through(settings.proxy.as_ref()).map_err(|error| SettingsError::Client {
            host: host(&settings.base),
            why: root_cause(&error.without_url()),
        })?;
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
        let body = read(&mut response, limit).await?;
        Ok(Raw { status, retry_after, body })
    }
}

async fn read(response: &mut Response, limit: Duration) -> Result<Vec<u8>, Lost> {
    let bound = LARGEST_ANSWER as u64;
    if response.content_length().is_some_and(|length| length > bound) {
        return Err(Lost::Oversized);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| lost(&error, limit))? {
        if body.len() + chunk.len() > LARGEST_ANSWER {
            return Err(Lost::Oversized);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn lost(error: &reqwest::Error, limit: Duration) -> Lost {
    if error.is_connect() || error.is_builder() {
        Lost::Unconnected(root_cause(error))
    } else if error.is_timeout() {
        Lost::TimedOut(limit)
    } else {
        Lost::Broken
    }
}

/// The innermost cause: the outer ones name the whole URL.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    while let Some(inner) = cause.and_then(Error::source) {
        cause = Some(inner);
    }
    let words = cause.map_or_else(|| "no connection".to_owned(), ToString::to_string);
    crate::text::line(&words, LONGEST_WORDS)
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
