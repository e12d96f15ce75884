//! What can go wrong between us and the chain, in variants a caller can act on.

use std::fmt;

use alloy::primitives::Bytes;

use super::http::Refusal;

/// How one endpoint failed, with its address redacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub url: String,
    pub what: String,
    pub limited: bool,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.url, self.what)
    }
}

/// A request to the chain that has no answer, or an answer that is a refusal. Addresses are redacted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndpointError {
    #[error("no RPC endpoint is set; give at least one URL")]
    NoEndpoints,
    #[error("{url} is not an http or https URL: {detail}")]
    BadUrl { url: String, detail: String },
    #[error("the parameters of {method} cannot be written: {detail}")]
    BadRequest { method: &'static str, detail: String },
    #[error(
        "{url} is on chain {found}, but chain {expected} is wanted; give an endpoint of chain {expected} or change the chain"
    )]
    WrongChain { url: String, found: u64, expected: u64 },
    #[error("no endpoint answered {method}: {}", list(failures))]
    Unreachable { method: &'static str, failures: Vec<Failure> },
    #[error("every endpoint limits our requests ({method}): {}", list(failures))]
    RateLimited { method: &'static str, failures: Vec<Failure> },
    #[error("the chain refuses: {message}")]
    Reverted { method: &'static str, message: String, data: Option<Bytes> },
    #[error("{url} refuses {method}: {message} ({code})")]
    Rpc { method: &'static str, url: String, code: i64, message: String },
    #[error("the nonce is used already: {message}")]
    NonceTooLow { message: String },
    #[error("another transaction with this nonce waits and pays more: {message}")]
    ReplacementUnderpriced { message: String },
    #[error("the fee is too low: {message}")]
    FeeTooLow { message: String },
    #[error("the account cannot pay for gas and value: {message}")]
    InsufficientFunds { message: String },
    #[error("the newest block to be seen, {number}, is {age} s old; beyond {limit} s the chain counts as not seen")]
    Stale { number: u64, age: u64, limit: u64 },
    #[error("the newest block to be seen, {number}, is {seconds} s in the future; check this machine's clock")]
    FutureHead { number: u64, seconds: u64 },
    /// Endpoints contradict each other, and none has a majority behind it.
    #[error(
        "no majority of the {all} endpoints says the same of {method} (asked: {}); if it stays so one of them is wrong: \
         take it out, or name a third",
        voices.join(", ")
    )]
    Disagreement { method: &'static str, voices: Vec<String>, all: usize },
    #[error("the chain went back from block {from} to {to}, more than a reorg; blocks since {to} must be read again")]
    WentBack { from: u64, to: u64 },
}

impl EndpointError {
    /// Whether this means that the chain cannot be seen, rather than that it said no.
    #[must_use]
    pub const fn is_blind(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. }
                | Self::RateLimited { .. }
                | Self::Stale { .. }
                | Self::FutureHead { .. }
                | Self::Disagreement { .. }
                | Self::WentBack { .. }
        )
    }

    /// Whether the same request may succeed later, with nothing changed.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        self.is_blind() && !matches!(self, Self::WentBack { .. })
    }

    /// Whether a node has refused a transaction for what it is: the same bytes will be refused again, unless somebody
    /// feeds the account.
    #[must_use]
    pub const fn is_final_for_tx(&self) -> bool {
        matches!(self, Self::InsufficientFunds { .. } | Self::Rpc { .. })
    }

    pub(super) fn reverted(method: &'static str, refusal: Refusal) -> Self {
        Self::Reverted { method, message: refusal.message, data: refusal.data }
    }

    pub(super) fn rpc(method: &'static str, url: &str, refusal: Refusal) -> Self {
        Self::Rpc { method, url: url.to_owned(), code: refusal.code, message: refusal.message }
    }

    pub(super) fn unanswered(method: &'static str, failures: Vec<Failure>) -> Self {
        if !failures.is_empty() && failures.iter().all(|failure| failure.limited) {
            Self::RateLimited { method, failures }
        } else {
            Self::Unreachable { method, failures }
        }
    }

    /// A refusal of a transaction, by the words nodes use for it.
    pub(super) fn send_refused(method: &'static str, url: &str, refusal: Refusal) -> Self {
        let said = refusal.message.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
        let message = refusal.message.clone();
        if has(&["nonce too low", "nonce is too low", "oldnonce", "nonce has already been used"]) {
            Self::NonceTooLow { message }
        } else if has(&["replacement transaction underpriced", "replacement underpriced", "could not replace"]) {
            Self::ReplacementUnderpriced { message }
        } else if has(&["insufficient funds", "insufficient balance", "upfront cost exceeds account balance"]) {
            Self::InsufficientFunds { message }
        } else if has(&["underpriced", "less than block base fee", "fee cap less than", "feetoolow", "fee too low"]) {
            Self::FeeTooLow { message }
        } else {
            Self::rpc(method, url, refusal)
        }
    }

    /// Of several endpoints' refusals the one that says most about the transaction is told.
    pub(super) const fn weight(&self) -> u8 {
        match self {
            Self::NonceTooLow { .. } => 4,
            Self::ReplacementUnderpriced { .. } => 3,
            Self::InsufficientFunds { .. } => 2,
            Self::FeeTooLow { .. } => 1,
            _ => 0,
        }
    }
}

fn list(failures: &[Failure]) -> String {
    failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
