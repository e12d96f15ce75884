//! Who signs: a key from an encrypted keystore, or a signer behind a URL. No key is ever shown.

mod cipher;
mod error;
mod external;
mod handed;
mod key;
mod keystore;

use alloy::consensus::{SignableTransaction, TxEip1559, TxEnvelope};
use alloy::eips::eip2718::Encodable2718;
use alloy::primitives::{Address, Signature};
use alloy::sol_types::{Eip712Domain, SolStruct};
use serde::Serialize;

pub use cipher::PasswordStrength;
pub use error::SignerError;
pub use external::ExternalSigner;
pub use handed::{HandedSigner, HandedTransaction, Unsigned};
pub use key::{LocalKey, Secret};
pub use keystore::{KeyFileError, Keystore};

/// Signs transactions of one account.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Signer {
    Local(LocalKey),
    External(ExternalSigner),
    /// A person's own wallet, which signs what is handed to it and never here.
    Elsewhere(Address),
    /// The same while its owner is there: it sends what it is handed by itself.
    Handed(HandedSigner),
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

    /// Signs an EIP-712 statement, such as an authorisation.
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

/// Forbids this process to leave its memory, and the keys in it, in a file when it crashes.
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
        let shown = format!("{:?} {:?}", key, Signer::Local(key.clone()));
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
