//! One question over HTTP, bounded in time and size. Redirections are not followed: they would leave the list.

use std::time::Duration;

use golem_edge::client::{self, BodyError};
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url};

use crate::host::short;
use crate::payload::{HEADER_BYTES, PAYMENT_REQUIRED, PAYMENT_RESPONSE, X_PAYMENT_RESPONSE};
use crate::purchase::PurchaseRequest;

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) media: String,
    pub(crate) required: Option<Vec<u8>>,
    pub(crate) receipt: Option<Vec<u8>>,
    pub(crate) body: Vec<u8>,
}

/// Why nothing whole came back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("{0}")]
    Transport(String),
    #[error("its answer was cut: {0}")]
    Cut(String),
    #[error("its answer is longer than {0} bytes")]
    TooLong(usize),
}

/// Asks over HTTP.
#[derive(Debug, Clone)]
pub(crate) struct Fetch {
    client: Client,
    patience: Duration,
    longest: usize,
}

impl Fetch {
    pub(crate) fn new(patience: Duration, longest: usize) -> Result<Self, FetchError> {
        let client = client::client().map_err(|error| FetchError::Transport(words(error)))?;
        Ok(Self { client, patience, longest })
    }

    /// Asks, with a header that pays or without.
    pub(crate) async fn ask(
        &self,
        url: &Url,
        request: &PurchaseRequest,
        payment: Option<(&'static str, &str)>,
    ) -> Result<Reply, FetchError> {
        let mut asking = match request {
            PurchaseRequest::Get => self.client.get(url.clone()),
            PurchaseRequest::Post { media, body } => {
                self.client.post(url.clone()).header(CONTENT_TYPE, media).body(body.clone())
            }
        };
        if let Some((name, value)) = payment {
            let value = HeaderValue::from_str(value).map_err(|_| FetchError::Transport("no header".to_owned()))?;
            asking = asking.header(HeaderName::from_static(name), value);
        }
        let response =
            asking.timeout(self.patience).send().await.map_err(|error| FetchError::Transport(words(error)))?;
        self.read(response).await
    }

    async fn read(&self, mut response: Response) -> Result<Reply, FetchError> {
        let status = response.status();
        let header = |name: &str| {
            let value = response.headers().get(name).map(HeaderValue::as_bytes);
            value.filter(|value| value.len() <= HEADER_BYTES).map(<[u8]>::to_vec)
        };
        let required = header(PAYMENT_REQUIRED);
        let receipt = header(PAYMENT_RESPONSE).or_else(|| header(X_PAYMENT_RESPONSE));
        let media = response.headers().get(CONTENT_TYPE).and_then(|media| media.to_str().ok()).map(short);
        let body = client::read(&mut response, self.longest).await.map_err(|error| match error {
            BodyError::TooLong(most) => FetchError::TooLong(most),
            BodyError::Cut(error) => FetchError::Cut(words(error)),
        })?;
        Ok(Reply { status, media: media.unwrap_or_default(), required, receipt, body })
    }
}

/// The library's words and their causes, without the address: it may carry what is asked.
pub(crate) fn words(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(deeper) = cause {
        text.push_str(": ");
        text.push_str(&deeper.to_string());
        cause = deeper.source();
    }
    short(&text)
}
