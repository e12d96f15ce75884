//! Why nothing was signed.

use alloy::primitives::Address;

/// A signature that could not be had. Addresses of signers are redacted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignerError {
    #[error("this is no private key: 64 hex digits are expected")]
    NotAKey,
    #[error("the operating system gave no randomness for a new key")]
    NoRandomness,
    #[error("the key could not sign")]
    Unsignable,
    #[error("the key of {address} is in its owner's own wallet; hand it the transaction instead")]
    Elsewhere { address: Address },
    #[error("the wallet {address} sent nothing: {words}")]
    Unsent { address: Address, words: String },
    #[error("the external signer's address {url} cannot be used: {detail}")]
    BadUrl { url: String, detail: String },
    #[error("the external signer {url} did not sign: {detail}; check that it runs, is unlocked and approves")]
    External { url: String, detail: String },
    #[error("the external signer {url} does not hold the key of {address}")]
    UnknownAccount { url: String, address: Address },
    /// The external signer returned something else than what was asked; nothing of it was sent.
    #[error("the external signer {url} returned {what}; do not use it before it is examined")]
    Tampered { url: String, what: String },
}

impl SignerError {
    /// Whether the same request may succeed later.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::External { .. })
    }
}
