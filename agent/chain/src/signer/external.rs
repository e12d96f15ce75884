//! A signer behind a URL (web3signer, clef): asked for a signature, never trusted with what is signed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use alloy::consensus::{TxEip1559, TxEnvelope};
use alloy::dyn_abi::TypedData;
use alloy::eips::eip2718::Decodable2718;
use alloy::primitives::{Address, B256, Bytes, Signature, U64, U256};
use alloy::rpc::json_rpc::RpcRecv;
use alloy::sol_types::{Eip712Domain, SolStruct};
use serde::{Deserialize, Serialize};

use super::error::SignerError;
use crate::endpoints::to_raw;
use crate::endpoints::wire::Wire;

/// A person may have to press a button.
const PATIENCE: Duration = Duration::from_secs(120);

/// A signer at a URL, for one account.
#[derive(Clone)]
pub struct ExternalSigner {
    wire: Arc<Wire>,
    address: Address,
}

impl fmt::Debug for ExternalSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExternalSigner").field("url", &self.wire.name()).field("address", &self.address).finish()
    }
}

/// web3signer answers with the raw transaction, geth and clef with an object around it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Answer {
    Raw(Bytes),
    Object { raw: Bytes },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Asked<'a> {
    from: Address,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'a Address>,
    gas: U64,
    max_fee_per_gas: U256,
    max_priority_fee_per_gas: U256,
    value: U256,
    nonce: U64,
    data: &'a Bytes,
    chain_id: U64,
}

impl ExternalSigner {
    /// Connects to `url` and checks that it holds the key of `address`.
    pub async fn connect(url: &str, address: Address) -> Result<Self, SignerError> {
        let wire = Wire::new(url, PATIENCE).map_err(|error| SignerError::BadUrl {
            url: crate::endpoints::redact_url(url),
            detail: error.to_string(),
        })?;
        let this = Self { wire: Arc::new(wire), address };
        let accounts: Vec<Address> = this.ask("eth_accounts", &[(); 0]).await?;
        if !accounts.contains(&address) {
            return Err(SignerError::UnknownAccount { url: this.wire.name().to_owned(), address });
        }
        Ok(this)
    }

    /// Whose transactions it signs.
    #[must_use]
    pub const fn address(&self) -> Address {
        self.address
    }

    pub(super) async fn sign_tx(&self, tx: TxEip1559) -> Result<Vec<u8>, SignerError> {
        let asked = Asked {
            from: self.address,
            to: tx.to.to(),
            gas: U64::from(tx.gas_limit),
            max_fee_per_gas: U256::from(tx.max_fee_per_gas),
            max_priority_fee_per_gas: U256::from(tx.max_priority_fee_per_gas),
            value: tx.value,
            nonce: U64::from(tx.nonce),
            data: &tx.input,
            chain_id: U64::from(tx.chain_id),
        };
        let raw = match self.ask("eth_signTransaction", &[asked]).await? {
            Answer::Raw(raw) | Answer::Object { raw } => raw,
        };
        let mut rest = &raw[..];
        let envelope = TxEnvelope::decode_2718(&mut rest).map_err(|_| self.tampered("what is no transaction"))?;
        if !rest.is_empty() {
            return Err(self.tampered("a transaction with something behind it"));
        }
        let TxEnvelope::Eip1559(signed) = envelope else {
            return Err(self.tampered("a transaction of another type"));
        };
        if *signed.tx() != tx {
            return Err(self.tampered("another transaction than the one asked for"));
        }
        self.check(signed.signature(), signed.signature_hash())?;
        Ok(raw.to_vec())
    }

    pub(super) async fn sign_typed<S>(
        &self,
        statement: &S,
        domain: &Eip712Domain,
        digest: B256,
    ) -> Result<Signature, SignerError>
    where
        S: SolStruct + Serialize + Sync,
    {
        let typed = TypedData::from_struct(statement, Some(domain.clone()));
        let raw: Bytes = self.ask("eth_signTypedData", &(self.address, typed)).await?;
        let signature = Signature::from_raw(&raw).map_err(|_| self.tampered("what is no signature"))?;
        self.check(&signature, digest)?;
        Ok(signature)
    }

    fn check(&self, signature: &Signature, digest: B256) -> Result<(), SignerError> {
        match signature.recover_address_from_prehash(&digest) {
            Ok(by) if by == self.address => Ok(()),
            Ok(by) => Err(self.tampered(&format!("a signature by {by} instead of {}", self.address))),
            Err(_) => Err(self.tampered("a signature by nobody")),
        }
    }

    async fn ask<P: Serialize, R: RpcRecv>(&self, method: &'static str, params: &P) -> Result<R, SignerError> {
        let refused = |detail| SignerError::External { url: self.wire.name().to_owned(), detail };
        let params = to_raw(params).map_err(refused)?;
        self.wire.call(method, &params).await.map_err(|fault| refused(fault.into_failure(self.wire.name()).what))
    }

    fn tampered(&self, what: &str) -> SignerError {
        SignerError::Tampered { url: self.wire.name().to_owned(), what: what.to_owned() }
    }
}
