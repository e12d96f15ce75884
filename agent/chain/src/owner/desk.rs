//! The desk itself: whose wallet stands before which contracts, and what it reads of them.

use std::time::Duration;

use alloy::primitives::{Address, Bytes};
use alloy::sol_types::SolCall;
use golem_primitives::AgentId;
use serde_json::{Value, json};

use super::error::DeskError;
use crate::bindings::{IErc721, ILineageRegistry, IVault};
use crate::deployment::Deployment;
use crate::endpoints::{EndpointError, Endpoints};
use crate::revert::ContractRefusal;
use crate::signer::Signer;

/// The least tip, for chains that answer zero.
pub(super) const LEAST_TIP: u128 = 1_000_000;

/// How the desk waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeskPatience {
    /// Between two looks for a receipt.
    pub poll: Duration,
    /// Before a transaction that hangs is sent again with a better fee.
    pub replace_after: Duration,
    /// Before the desk gives up looking.
    pub give_up_after: Duration,
}

impl Default for DeskPatience {
    fn default() -> Self {
        Self {
            poll: Duration::from_secs(1),
            replace_after: Duration::from_secs(30),
            give_up_after: Duration::from_secs(300),
        }
    }
}

/// Somebody with a wallet, before the contracts of one chain.
#[derive(Debug, Clone)]
pub struct OwnerDesk {
    pub(super) endpoints: Endpoints,
    pub(super) signer: Signer,
    pub(super) deployment: Deployment,
    pub(super) patience: DeskPatience,
    /// Offered for a place in a block; what the node suggests when left out.
    pub(super) tip: Option<u128>,
}

impl OwnerDesk {
    /// A desk for the account of `signer`.
    pub fn new(endpoints: Endpoints, signer: Signer, deployment: Deployment) -> Result<Self, DeskError> {
        if endpoints.chain_id() != deployment.chain_id {
            return Err(DeskError::OtherChain { found: endpoints.chain_id(), expected: deployment.chain_id });
        }
        Ok(Self { endpoints, signer, deployment, patience: DeskPatience::default(), tip: None })
    }

    /// The same desk, waiting otherwise.
    #[must_use]
    pub const fn with_patience(mut self, patience: DeskPatience) -> Self {
        self.patience = patience;
        self
    }

    /// The same desk, offering the least tip whatever the node suggests: for what has time, and a purse that is nearly empty.
    #[must_use]
    pub const fn thrifty(mut self) -> Self {
        self.tip = Some(LEAST_TIP);
        self
    }

    /// Who acts.
    #[must_use]
    pub const fn address(&self) -> Address {
        self.signer.address()
    }

    /// Where everything stands.
    #[must_use]
    pub const fn deployment(&self) -> &Deployment {
        &self.deployment
    }

    /// The vault of a Golem.
    pub async fn vault_of(&self, agent: AgentId) -> Result<Address, DeskError> {
        let call = ILineageRegistry::vaultOfCall { agentId: agent.0 };
        let vault = self.read(self.deployment.lineage, call).await?;
        if vault.is_zero() { Err(DeskError::Unborn { agent }) } else { Ok(vault) }
    }

    /// Whose vault this is.
    pub async fn agent_of(&self, vault: Address) -> Result<AgentId, DeskError> {
        let stranger = || DeskError::NotAVault { at: vault, chain_id: self.deployment.chain_id };
        let agent = match self.read(vault, IVault::agentIdCall {}).await {
            Ok(agent) => AgentId(agent),
            Err(DeskError::Unreadable { .. } | DeskError::Refused { .. }) => return Err(stranger()),
            Err(error) => return Err(error),
        };
        // A stranger may say any number: the registry has the last word.
        match self.vault_of(agent).await {
            Ok(found) if found == vault => Ok(agent),
            Ok(_) | Err(DeskError::Unborn { .. }) => Err(stranger()),
            Err(error) => Err(error),
        }
    }

    /// Who owns a Golem now.
    pub async fn owner_of(&self, agent: AgentId) -> Result<Address, DeskError> {
        self.read(self.deployment.identity, IErc721::ownerOfCall { tokenId: agent.0 }).await
    }

    /// Everything the lineage registry says of a Golem.
    pub async fn golem(&self, agent: AgentId) -> Result<ILineageRegistry::GolemView, DeskError> {
        let view = self.read(self.deployment.lineage, ILineageRegistry::golemCall { agentId: agent.0 }).await?;
        if view.vault.is_zero() { Err(DeskError::Unborn { agent }) } else { Ok(view) }
    }

    /// Asks a view of a contract, as it stands now.
    pub(crate) async fn read<C: SolCall>(&self, to: Address, call: C) -> Result<C::Return, DeskError> {
        self.read_at(to, call, json!("latest")).await
    }

    pub(super) async fn read_at<C: SolCall>(&self, to: Address, call: C, block: Value) -> Result<C::Return, DeskError> {
        let asked = json!([{ "to": to, "input": Bytes::from(call.abi_encode()) }, block]);
        let answer: Bytes =
            self.endpoints.agreed("eth_call", asked).await.map_err(|error| refused(C::SIGNATURE, error))?;
        C::abi_decode_returns(&answer).map_err(|_| DeskError::Unreadable { what: C::SIGNATURE, at: to })
    }
}

/// A revert in our words; everything else as it is.
pub(super) fn refused(act: &'static str, error: EndpointError) -> DeskError {
    match error {
        EndpointError::Reverted { data, message, .. } => {
            DeskError::Refused { act, refusal: ContractRefusal::of(data, message) }
        }
        other => other.into(),
    }
}
