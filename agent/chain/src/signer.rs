//! Who signs: a key from an encrypted keystore, or a signer behind a URL. No key is ever shown.

mod cipher;
mod external;
mod handed;
mod keystore;

use std::fmt;

use alloy::consensus::{SignableTransaction, TxEip1559, TxEnvelope};
use alloy::eips::eip2718::Encodable2718;
use alloy::primitives::{Address, B256, Signature};
use alloy::signers::SignerSync;
use alloy::signers::local::PrivateKeySigner;
use alloy::sol_types::{Eip712Domain, SolStruct};
use serde::Serialize;
use zeroize::Zeroizing;

pub use cipher::Strength;
pub use external::ExternalSigner;
pub use handed::{HandedSigner, HandedTransaction};
pub use keystore::{KeyFileError, Keystore};

/// A password or a key in hex, wiped when dropped.
pub type Secret = Zeroizing<String>;

/// Signs transactions of one account.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Signer {
    /// A key in this process.
    Local(LocalKey),
    /// A key elsewhere.
    External(ExternalSigner),
    /// A person's own wallet, which signs what is handed to it and never here.
    Elsewhere(Address),
    /// The same while its owner is there: it sends what it is handed by itself.
    Handed(HandedSigner),
}

/// A private key in memory. It shows its address and nothing else, and is wiped when dropped.
#[derive(Clone)]
pub struct LocalKey {
    signer: PrivateKeySigner,
}

impl fmt::Debug for LocalKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LocalKey").field(&format_args!("{}", self.address())).finish()
    }
}

impl LocalKey {
    /// A new key from the operating system's randomness.
    ///
    /// # Errors
    /// [`SignerError::NoRandomness`].
    pub fn random() -> Result<Self, SignerError> {
        loop {
            let mut bytes = Zeroizing::new([0_u8; 32]);
            getrandom::fill(&mut *bytes).map_err(|_| SignerError::NoRandomness)?;
            // All but one in 2^127 are valid keys.
            if let Ok(key) = Self::from_bytes(&bytes) {
                return Ok(key);
            }
        }
    }

    /// The key of these 32 bytes.
    ///
    /// # Errors
    /// [`SignerError::NotAKey`] for zero and for numbers beyond the curve's order.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, SignerError> {
        PrivateKeySigner::from_slice(bytes).map(|signer| Self { signer }).map_err(|_| SignerError::NotAKey)
    }

    /// The key written in hex, with or without `0x`.
    ///
    /// # Errors
    /// [`SignerError::NotAKey`]; the text itself is in no message.
    pub fn from_hex(text: &Secret) -> Result<Self, SignerError> {
        let mut bytes = Zeroizing::new([0_u8; 32]);
        alloy::hex::decode_to_slice(text.trim(), &mut *bytes).map_err(|_| SignerError::NotAKey)?;
        Self::from_bytes(&bytes)
    }

    /// Whose key it is.
    #[must_use]
    pub const fn address(&self) -> Address {
        self.signer.address()
    }

    pub(crate) fn expose(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.signer.to_bytes().0)
    }

    fn sign_hash(&self, hash: &B256) -> Result<Signature, SignerError> {
        self.signer.sign_hash_sync(hash).map_err(|_| SignerError::Unsignable)
    }
}

impl Signer {
    /// Whose transactions it signs.
    #[must_use]
    pub const fn address(&self) -> Address {
        match self {
            Self::Local(key) => key.address(),
            Self::External(signer) => signer.address(),
            Self::Elsewhere(address) => *address,
            Self::Handed(wallet) => wallet.address(),
        }
    }

    /// Signs `tx` and returns it as it goes over the wire.
    ///
    /// # Errors
    /// [`SignerError`]; an external signer that returns anything but this transaction by this account is refused.
    pub async fn sign_tx(&self, tx: TxEip1559) -> Result<Vec<u8>, SignerError> {
        match self {
            Self::Local(key) => {
                let signature = key.sign_hash(&tx.signature_hash())?;
                Ok(TxEnvelope::Eip1559(tx.into_signed(signature)).encoded_2718())
            }
            Self::External(signer) => signer.sign_tx(tx).await,
            Self::Elsewhere(_) | Self::Handed(_) => Err(SignerError::Elsewhere { address: self.address() }),
        }
    }

    /// Signs an EIP-712 statement, such as a permit.
    ///
    /// # Errors
    /// As [`Signer::sign_tx`].
    pub async fn sign_typed<S>(&self, statement: &S, domain: &Eip712Domain) -> Result<Signature, SignerError>
    where
        S: SolStruct + Serialize + Sync,
    {
        let digest = statement.eip712_signing_hash(domain);
        match self {
            Self::Local(key) => key.sign_hash(&digest),
            Self::External(signer) => signer.sign_typed(statement, domain, digest).await,
            Self::Elsewhere(_) | Self::Handed(_) => Err(SignerError::Elsewhere { address: self.address() }),
        }
    }
}

impl From<LocalKey> for Signer {
    fn from(key: LocalKey) -> Self {
        Self::Local(key)
    }
}

/// A signature that could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignerError {
    /// The text or bytes given are no private key.
    #[error("this is no private key: 64 hex digits are expected")]
    NotAKey,
    /// The operating system gave no randomness.
    #[error("the operating system gave no randomness for a new key")]
    NoRandomness,
    /// The curve refused; it never does for a valid key.
    #[error("the key could not sign")]
    Unsignable,
    /// The key is in its owner's own wallet.
    #[error("the key of {address} is in its owner's own wallet; hand it the transaction instead")]
    Elsewhere {
        /// Whose.
        address: Address,
    },
    /// Its owner's wallet was handed a transaction and did not send it.
    #[error("the wallet {address} sent nothing: {words}")]
    Unsent {
        /// Whose.
        address: Address,
        /// Why, in the wallet's words.
        words: String,
    },
    /// The external signer's address is none.
    #[error("the external signer's address {url} cannot be used: {detail}")]
    BadUrl {
        /// Redacted.
        url: String,
        /// Why not.
        detail: String,
    },
    /// The external signer gave no answer, or refused.
    #[error("the external signer {url} did not sign: {detail}; check that it runs, is unlocked and approves")]
    External {
        /// Redacted.
        url: String,
        /// Its words.
        detail: String,
    },
    /// The external signer does not hold the account.
    #[error("the external signer {url} does not hold the key of {address}")]
    UnknownAccount {
        /// Redacted.
        url: String,
        /// The account asked for.
        address: Address,
    },
    /// The external signer returned something else than what was asked; nothing of it was sent.
    #[error("the external signer {url} returned {what}; do not use it before it is examined")]
    Tampered {
        /// Redacted.
        url: String,
        /// What it returned.
        what: String,
    },
}

impl SignerError {
    /// Whether the same request may succeed later.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::External { .. })
    }
}

/// Forbids this process to leave its memory, and the keys in it, in a file when it crashes.
///
/// # Errors
/// When the operating system refuses to lower the limit.
pub fn forbid_core_dumps() -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    // The limit does not bind where the system hands dumps to a program; this does, and keeps debuggers out too.
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r_024_no_message_and_no_debug_output_has_the_key() {
        let text = Secret::new(format!("0x{}", "4c".repeat(32)));
        let key = LocalKey::from_hex(&text).expect("a key");
        let shown = format!("{:?} {:?}", key, Signer::from(key.clone()));
        assert!(shown.contains(&key.address().to_string()) && !shown.contains("4c4c"), "{shown}");
        for wrong in ["", "0x", "4c4c", &"0".repeat(64), &"f".repeat(64), &"zz".repeat(32)] {
            let error = LocalKey::from_hex(&Secret::new((*wrong).to_owned())).expect_err("no key");
            assert!(wrong.is_empty() || !format!("{error} {error:?}").contains(wrong), "{error}");
        }
    }

    #[test]
    fn r_024_core_dumps_can_be_forbidden() {
        forbid_core_dumps().expect("lowering a limit is always allowed");
        assert_eq!(rustix::process::getrlimit(rustix::process::Resource::Core).current, Some(0));
        #[cfg(target_os = "linux")]
        assert_eq!(
            rustix::process::dumpable_behavior().expect("known"),
            rustix::process::DumpableBehavior::NotDumpable
        );
    }
}
