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

/// A request to the chain that has no answer, or an answer that is a refusal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndpointError {
    #[error("no RPC endpoint is set; give at least one URL")]
    NoEndpoints,
    #[error("{url} is not an http or https URL: {detail}")]
    BadUrl {
        /// The address, redacted.
        url: String,
        /// Why not.
        detail: String,
    },
    /// Parameters that cannot be written as JSON.
    #[error("the parameters of {method} cannot be written: {detail}")]
    BadRequest {
        /// The request.
        method: &'static str,
        /// Why not.
        detail: String,
    },
    /// An endpoint of another chain.
    #[error(
        "{url} is on chain {found}, but chain {expected} is wanted; give an endpoint of chain {expected} or change the chain"
    )]
    WrongChain {
        /// The endpoint.
        url: String,
        /// The chain it is on.
        found: u64,
        /// The chain it should be on.
        expected: u64,
    },
    /// Nobody answered.
    #[error("no endpoint answered {method}: {}", list(failures))]
    Unreachable {
        /// The request.
        method: &'static str,
        /// Each endpoint's failure.
        failures: Vec<Failure>,
    },
    /// Everybody asked for patience.
    #[error("every endpoint limits our requests ({method}): {}", list(failures))]
    RateLimited {
        /// The request.
        method: &'static str,
        /// Each endpoint's failure.
        failures: Vec<Failure>,
    },
    /// The call reverted.
    #[error("the chain refuses: {message}")]
    Reverted {
        /// The request.
        method: &'static str,
        /// The node's words.
        message: String,
        /// The revert data, when the node gave it.
        data: Option<Bytes>,
    },
    /// The node answered with an error.
    #[error("{url} refuses {method}: {message} ({code})")]
    Rpc {
        /// The request.
        method: &'static str,
        /// The endpoint.
        url: String,
        /// JSON-RPC's code.
        code: i64,
        /// The node's words.
        message: String,
    },
    /// The sender has already used this nonce.
    #[error("the nonce is used already: {message}")]
    NonceTooLow {
        /// The node's words.
        message: String,
    },
    /// Another transaction with this nonce waits, and pays too much to be replaced by this one.
    #[error("another transaction with this nonce waits and pays more: {message}")]
    ReplacementUnderpriced {
        /// The node's words.
        message: String,
    },
    /// The fee is below what the block or the pool takes.
    #[error("the fee is too low: {message}")]
    FeeTooLow {
        /// The node's words.
        message: String,
    },
    /// The sender cannot pay for it.
    #[error("the account cannot pay for gas and value: {message}")]
    InsufficientFunds {
        /// The node's words.
        message: String,
    },
    /// All that is to be seen of the chain is old.
    #[error("the newest block to be seen, {number}, is {age} s old; beyond {limit} s the chain counts as not seen")]
    Stale {
        /// The block.
        number: u64,
        /// Its age in seconds.
        age: u64,
        /// The limit in seconds.
        limit: u64,
    },
    /// All that is to be seen of the chain lies in the future.
    #[error("the newest block to be seen, {number}, is {seconds} s in the future; check this machine's clock")]
    FutureHead {
        /// The block.
        number: u64,
        /// Seconds ahead of this machine.
        seconds: u64,
    },
    /// Endpoints contradict each other, and none has a majority behind it.
    #[error(
        "no majority of the {all} endpoints says the same of {method} (asked: {}); if it stays so one of them is wrong: \
         take it out, or name a third",
        voices.join(", ")
    )]
    Disagreement {
        /// The request.
        method: &'static str,
        /// Those that said something.
        voices: Vec<String>,
        /// How many endpoints there are.
        all: usize,
    },
    /// The chain became shorter by more than a reorg.
    #[error("the chain went back from block {from} to {to}, more than a reorg; blocks since {to} must be read again")]
    WentBack {
        /// The newest block seen before.
        from: u64,
        /// The newest block now.
        to: u64,
    },
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
        matches!(
            self,
            Self::Unreachable { .. }
                | Self::RateLimited { .. }
                | Self::Stale { .. }
                | Self::FutureHead { .. }
                | Self::Disagreement { .. }
        )
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
