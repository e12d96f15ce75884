//! I-117. A Golem's way to the archive beside its relay: what it lays down it sealed before.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use alloy::primitives::{Address, keccak256};
use golem_edge::client;

use crate::archive::{Filed, OBJECT_BYTES, ObjectName};
use crate::frame::{Statement, statements};
use crate::link::VaultKey;
use crate::message::RelayRefusal;
use crate::server::{AT, RelayClock, SIGNATURE, VAULT};
use crate::trust::{self, TrustError};

/// How long an object may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// The longest list that is read.
const MOST_LIST: usize = 4 << 20;

/// Why the archive did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    #[error("{0:?} is no relay's address; it begins with ws:// or wss://")]
    Address(String),
    #[error("the relay does not answer: {0}")]
    Unreachable(String),
    #[error("the relay refuses: {0}")]
    Refused(RelayRefusal),
    #[error(transparent)]
    Trust(#[from] TrustError),
    #[error("the key did not sign: {0}")]
    Unsigned(String),
    #[error("the relay answered {0}, which is no answer to this")]
    Strange(u16),
}

/// Lays sealed objects down for one vault, and fetches those of its siblings.
pub struct Archivist {
    base: String,
    /// A file in PEM of the one authority that vouches for the relay.
    ca: Option<PathBuf>,
    vault: Address,
    key: Arc<dyn VaultKey>,
    clock: RelayClock,
}

impl fmt::Debug for Archivist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archivist").field("base", &self.base).field("vault", &self.vault).finish_non_exhaustive()
    }
}

impl Archivist {
    /// The archive beside a relay.
    pub fn new(relay: &str, vault: Address, key: Arc<dyn VaultKey>, clock: RelayClock) -> Result<Self, ArchiveError> {
        let base = match (relay.strip_prefix("wss://"), relay.strip_prefix("ws://")) {
            (Some(rest), _) => format!("https://{}", rest.trim_end_matches('/')),
            (_, Some(rest)) => format!("http://{}", rest.trim_end_matches('/')),
            _ => return Err(ArchiveError::Address(relay.to_owned())),
        };
        Ok(Self { base, ca: None, vault, key, clock })
    }

    /// The same, and behind TLS it is known by the authority in that file alone; none for those of this machine.
    #[must_use]
    pub fn trusting(self, ca: Option<PathBuf>) -> Self {
        Self { ca, ..self }
    }

    /// The one client of this process, or one like it that trusts nobody but the owner's authority.
    fn client(&self) -> Result<reqwest::Client, ArchiveError> {
        let unreachable = |error: reqwest::Error| ArchiveError::Unreachable(client::cause(&error));
        let Some(ca) = self.ca.as_deref().filter(|_| self.base.starts_with("https://")) else {
            return client::client().map_err(unreachable);
        };
        let alike = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).referer(false);
        let alike =
            alike.connect_timeout(CONNECT).user_agent("bardo").tls_backend_preconfigured(trust::config(Some(ca))?);
        alike.build().map_err(unreachable)
    }

    async fn ask(&self, method: reqwest::Method, path: &str, body: Vec<u8>) -> Result<reqwest::Response, ArchiveError> {
        let at = (self.clock)().seconds();
        let what = format!("{method} {path}");
        let request = statements::Request { vault: self.vault, at, what, body: keccak256(&body) };
        let signature = self.key.sign(Statement::Request(request)).await.map_err(ArchiveError::Unsigned)?;
        let unreachable = |error: reqwest::Error| ArchiveError::Unreachable(client::cause(&error));
        let request = self
            .client()?
            .request(method, format!("{}{path}", self.base))
            .timeout(PATIENCE)
            .header(VAULT, self.vault.to_string())
            .header(AT, at.to_string())
            .header(SIGNATURE, alloy::hex::encode(signature))
            .body(body);
        request.send().await.map_err(unreachable)
    }

    /// Lays an object of this vault down.
    pub async fn lay(&self, name: ObjectName, sealed: Vec<u8>) -> Result<(), ArchiveError> {
        let answer = self.ask(reqwest::Method::PUT, &name.path(), sealed).await?;
        if answer.status().is_success() { Ok(()) } else { Err(refusal(answer).await) }
    }

    /// Every object of the Clade that is kept, the newest first.
    pub async fn list(&self) -> Result<Vec<Filed>, ArchiveError> {
        let mut answer = self.ask(reqwest::Method::GET, "/archive", Vec::new()).await?;
        let status = answer.status();
        if !status.is_success() {
            return Err(refusal(answer).await);
        }
        let read = client::read(&mut answer, MOST_LIST).await;
        let bytes = read.map_err(|error| ArchiveError::Unreachable(error.to_string()))?;
        serde_json::from_slice(&bytes).map_err(|_| ArchiveError::Strange(status.as_u16()))
    }

    /// An object of the Clade; `None` when it is not kept.
    pub async fn fetch(&self, name: ObjectName) -> Result<Option<Vec<u8>>, ArchiveError> {
        let mut answer = self.ask(reqwest::Method::GET, &name.path(), Vec::new()).await?;
        if answer.status() == reqwest::StatusCode::NOT_FOUND {
            return Ok(None);
        }
        if !answer.status().is_success() {
            return Err(refusal(answer).await);
        }
        let read = client::read(&mut answer, OBJECT_BYTES).await;
        read.map(Some).map_err(|error| ArchiveError::Unreachable(error.to_string()))
    }
}

async fn refusal(mut answer: reqwest::Response) -> ArchiveError {
    let status = answer.status().as_u16();
    match client::read(&mut answer, 64 * 1024).await.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
        Some(refused) => ArchiveError::Refused(refused),
        None => ArchiveError::Strange(status),
    }
}
