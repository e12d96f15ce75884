//! A private key in this process.

use std::fmt;

use alloy::primitives::{Address, B256, Signature};
use alloy::signers::SignerSync;
use alloy::signers::local::PrivateKeySigner;
use zeroize::Zeroizing;

use super::error::SignerError;

/// A password or a key in hex, wiped when dropped.
pub type Secret = Zeroizing<String>;

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

    pub(super) fn sign_hash(&self, hash: &B256) -> Result<Signature, SignerError> {
        self.signer.sign_hash_sync(hash).map_err(|_| SignerError::Unsignable)
    }
}
