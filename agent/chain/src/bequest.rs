//! What a dying Golem's key signs, and who signed it (I-010).

use alloy::primitives::{Address, B256, Signature};
use alloy::sol_types::{Eip712Domain, SolStruct as _, eip712_domain};

use crate::bindings::statements::Bequest;
use crate::signer::{Signer, SignerError};

/// What was left, and by whom: a testament and a bundle by their hashes, of a vault on a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attestation {
    pub chain: u64,
    pub vault: Address,
    pub testament: B256,
    pub bundle: B256,
}

impl Attestation {
    /// The words are for this vault on this chain and nowhere else.
    fn domain(&self) -> Eip712Domain {
        eip712_domain! {
            name: "BardoTestament", version: "1", chain_id: self.chain, verifying_contract: self.vault,
        }
    }

    const fn statement(&self) -> Bequest {
        Bequest { testament: self.testament, bundle: self.bundle }
    }

    pub(crate) async fn sign(&self, signer: &Signer) -> Result<Vec<u8>, SignerError> {
        Ok(signer.sign_typed(&self.statement(), &self.domain()).await?.as_bytes().to_vec())
    }

    /// I-010. Who signed it: the address whose key it was, or nobody for bytes that are no signature.
    #[must_use]
    pub fn signed_by(&self, signature: &[u8]) -> Option<Address> {
        let signature = Signature::from_raw(signature).ok()?;
        let digest = self.statement().eip712_signing_hash(&self.domain());
        signature.recover_address_from_prehash(&digest).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signer::LocalKey;

    /// I-010: the signature is of this testament, this bundle, this vault and this chain, or of nobody.
    #[tokio::test]
    async fn i_010_a_bundle_is_signed_by_its_golems_key() {
        let key = LocalKey::random().expect("a key");
        let address = key.address();
        let left = Attestation {
            chain: 8_453,
            vault: Address::repeat_byte(7),
            testament: B256::repeat_byte(1),
            bundle: B256::repeat_byte(2),
        };
        let signature = left.sign(&Signer::Local(key)).await.expect("signed");
        assert_eq!(left.signed_by(&signature), Some(address));
        for other in [
            Attestation { chain: 1, ..left },
            Attestation { vault: Address::repeat_byte(8), ..left },
            Attestation { testament: B256::ZERO, ..left },
            Attestation { bundle: B256::ZERO, ..left },
        ] {
            assert_ne!(other.signed_by(&signature), Some(address));
        }
        assert_eq!(left.signed_by(b"no signature"), None);
    }
}
