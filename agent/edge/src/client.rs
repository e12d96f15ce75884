//! The one HTTP client. It goes where it is told and nowhere else: a proxy the environment names, or a redirection, would
//! carry keys and questions to somebody nobody chose. Each question has its own time-out; answers are read up to a bound, and
//! failures are told without the address, which may hold a key.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);

/// By the proxy they go through. One holds the certificates and the connections of everybody in this process.
static CLIENTS: Mutex<BTreeMap<Option<Url>, Client>> = Mutex::new(BTreeMap::new());

/// The client of this process.
pub fn client() -> Result<Client, reqwest::Error> {
    through(None)
}

/// The same through a proxy that the owner named.
///
/// # Errors
/// As [`client`], or when the proxy cannot be one.
pub fn through(proxy: Option<&Url>) -> Result<Client, reqwest::Error> {
    let mut clients = CLIENTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(client) = clients.get(&proxy.cloned()) {
        return Ok(client.clone());
    }
    let plain = Client::builder().no_proxy().redirect(Policy::none()).referer(false).connect_timeout(CONNECT);
    let plain = plain.user_agent("bardo");
    let client = match proxy {
        Some(proxy) => plain.proxy(reqwest::Proxy::all(proxy.clone())?),
        None => plain,
    }
    .build()?;
    clients.insert(proxy.cloned(), client.clone());
    Ok(client)
}

/// Why an answer was not read to its end.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    #[error("its answer is longer than {0} bytes")]
    TooLong(usize),
    #[error("its answer was cut: {}", cause(.0))]
    Cut(reqwest::Error),
}

/// The whole of an answer, if it has no more than `most` bytes.
pub async fn read(response: &mut Response, most: usize) -> Result<Vec<u8>, BodyError> {
    if response.content_length().is_some_and(|length| length > most as u64) {
        return Err(BodyError::TooLong(most));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(BodyError::Cut)? {
        if body.len() + chunk.len() > most {
            return Err(BodyError::TooLong(most));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The innermost cause of a failure: the outer ones name the whole address.
#[must_use]
pub fn cause(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    while let Some(inner) = cause.and_then(Error::source) {
        cause = Some(inner);
    }
    cause.map_or_else(|| "the connection failed".to_owned(), ToString::to_string)
}
