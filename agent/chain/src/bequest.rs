//! What a dying Golem's key signs, and who signed it (I-010).

use alloy::primitives::{Address, B256, Signature};
use alloy::sol_types::{Eip712Domain, SolStruct as _, eip712_domain};

use crate::bindings::statements::Bequest;
use crate::signer::{Signer, SignerError};

/// The words are for this vault on this chain and nowhere else.
fn domain(chain: u64, vault: Address) -> Eip712Domain {
    eip712_domain! { name: "BardoTestament", version: "1", chain_id: chain, verifying_contract: vault, }
}

/// Signs a testament's hash and its bundle's.
pub(crate) async fn sign(
    signer: &Signer,
    (chain, vault): (u64, Address),
    (testament, bundle): (B256, B256),
) -> Result<Vec<u8>, SignerError> {
    let statement = Bequest { testament, bundle };
    Ok(signer.sign_typed(&statement, &domain(chain, vault)).await?.as_bytes().to_vec())
}

/// I-010. Who signed a bundle: the address whose key it was, or nobody for bytes that are no signature.
#[must_use]
pub fn who_left(
    (chain, vault): (u64, Address),
    (testament, bundle): (B256, B256),
    signature: &[u8],
) -> Option<Address> {
    let signature = Signature::from_raw(signature).ok()?;
    let digest = Bequest { testament, bundle }.eip712_signing_hash(&domain(chain, vault));
    signature.recover_address_from_prehash(&digest).ok()
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
        let (place, what) = ((8_453, Address::repeat_byte(7)), (B256::repeat_byte(1), B256::repeat_byte(2)));
        let signature = sign(&Signer::Local(key), place, what).await.expect("signed");
        assert_eq!(who_left(place, what, &signature), Some(address));
        for (place, what) in [
            ((1, place.1), what),
            ((place.0, Address::repeat_byte(8)), what),
            (place, (B256::ZERO, what.1)),
            (place, (what.0, B256::ZERO)),
        ] {
            assert_ne!(who_left(place, what, &signature), Some(address));
        }
        assert_eq!(who_left(place, what, b"no signature"), None);
    }
}
