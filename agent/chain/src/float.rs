//! R-033, V-006. The float: USDC in the key's own wallet, given away by EIP-3009 and by nothing else.

use std::fmt;

use alloy::primitives::{Address, B256, U256};
use alloy::sol_types::{Eip712Domain, eip712_domain};
use golem_ports::{Authorisation, AuthorisationUse, Blindness, ChainError, Float, FloatPlace};
use golem_primitives::Usdc;

use crate::batch::Batch;
use crate::bindings::IErc20;
use crate::bindings::statements::TransferWithAuthorization;
use crate::deployment::Deployment;
use crate::endpoints::Endpoints;
use crate::node::{At, Node};
use crate::reorg::newest_at_depth;
use crate::signer::Signer;

/// Why there is no float to pay from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FloatError {
    #[error(transparent)]
    Blind(#[from] Blindness),
    /// The token is not one that signs EIP-3009 under its own name.
    #[error("{usdc} signs for another domain than its name and version say; check `usdc` of the deployment")]
    Domain { usdc: Address },
}

/// The float of a key on a real chain.
#[derive(Clone)]
pub struct KeyFloat {
    node: Node,
    signer: Signer,
    place: FloatPlace,
    domain: Eip712Domain,
    multicall: Address,
    confirmations: u64,
}

impl fmt::Debug for KeyFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyFloat").field("place", &self.place).finish_non_exhaustive()
    }
}

impl KeyFloat {
    /// The float of `signer`'s key. The token's signing domain is read from the chain and checked, so that no server's
    /// word about it is ever signed.
    pub async fn open(endpoints: Endpoints, signer: Signer, deployment: &Deployment) -> Result<Self, FloatError> {
        let node = Node::new(endpoints);
        let at = At::from(node.head().await?);
        let usdc = deployment.usdc;
        let mut batch = Batch::default();
        let name = batch.add(usdc, &IErc20::nameCall {});
        let version = batch.add(usdc, &IErc20::versionCall {});
        let separator = batch.add(usdc, &IErc20::DOMAIN_SEPARATORCall {});
        let said = batch.ask(&node, deployment.multicall3, &at).await?;
        let (name, version) = (said.get(name)?, said.get(version)?);
        let chain_id = node.chain_id();
        let domain = eip712_domain! {
            name: name.clone(),
            version: version.clone(),
            chain_id: chain_id,
            verifying_contract: usdc,
        };
        if said.get(separator)? != domain.separator() {
            return Err(FloatError::Domain { usdc });
        }
        let place = FloatPlace { holder: signer.address(), chain_id, usdc, name, version };
        let (multicall, confirmations) = (deployment.multicall3, deployment.confirmations);
        Ok(Self { node, signer, place, domain, multicall, confirmations })
    }
}

impl Float for KeyFloat {
    fn place(&self) -> &FloatPlace {
        &self.place
    }

    async fn held(&self) -> Result<Usdc, Blindness> {
        let at = At::from(self.node.head().await?);
        let mut batch = Batch::default();
        let held = batch.add(self.place.usdc, &IErc20::balanceOfCall { account: self.place.holder });
        let held = batch.ask(&self.node, self.multicall, &at).await?.get(held)?;
        Ok(Usdc::from_micros(held.saturating_to()))
    }

    async fn usage(&self, nonce: B256) -> Result<AuthorisationUse, Blindness> {
        let head = self.node.head().await?;
        let mut batch = Batch::default();
        let call = IErc20::authorizationStateCall { authorizer: self.place.holder, nonce };
        let used = batch.add(self.place.usdc, &call);
        let used = batch.ask(&self.node, self.multicall, &At::from(head)).await?.get(used)?;
        let number = newest_at_depth(head.number, self.confirmations);
        let deep = self.node.block(number).await?;
        let deep = deep.ok_or_else(|| Blindness { why: format!("block {number} is below the head and missing") })?;
        Ok(AuthorisationUse { used, settled_to: deep.time })
    }

    async fn sign(&self, authorisation: &Authorisation) -> Result<Vec<u8>, ChainError> {
        let statement = TransferWithAuthorization {
            from: self.place.holder,
            to: authorisation.payee,
            value: U256::from(authorisation.amount.micros()),
            validAfter: U256::ZERO,
            validBefore: U256::from(authorisation.valid_before.seconds()),
            nonce: authorisation.nonce,
        };
        let signed = self.signer.sign_typed(&statement, &self.domain).await;
        let signature = signed.map_err(|error| ChainError::Signer { why: error.to_string() })?;
        Ok(signature.as_bytes().to_vec())
    }
}
