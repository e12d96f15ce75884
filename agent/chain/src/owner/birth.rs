//! Giving birth (L-004): the order, its funding, and the vault's address before it exists.

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::sol_types::SolEvent;
use golem_primitives::{AgentId, LineageId, Usdc};

use super::desk::OwnerDesk;
use super::error::DeskError;
use super::policy::{Listing, Policy};
use super::send::{ActReceipt, DeskListener, Wanted};
use crate::bindings::{IBirth, ILineageRegistry, IVault};
use crate::lineage::{NO_GOLEM, birth_of};
use crate::price::units;

const ACT: &str = "the birth";

/// Everything a Golem is born with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BirthPlan {
    pub owner: Address,
    /// Whose USDC it is; he signs the birth himself.
    pub funder: Address,
    pub key: Address,
    pub guardian: Option<Address>,
    /// Own numbers, or the default template.
    pub policy: Option<Policy>,
    pub listings: Vec<Listing>,
    pub predecessor: Option<AgentId>,
    /// Any number; with the fields above it makes the vault's address.
    pub nonce: U256,
    /// USDC for partitions and reserve, at least 1.
    pub credits: Usdc,
    pub capital: Usdc,
    /// Digest of the playbook; for a successor it must differ from its predecessor's.
    pub playbook_digest: B256,
    pub name: String,
    /// A registration file of one's own; `None` has one built on chain.
    pub agent_uri: Option<String>,
}

impl BirthPlan {
    /// A generation 0 by the default policy, owned and funded by `owner`.
    #[must_use]
    pub fn new(owner: Address, key: Address, name: impl Into<String>, credits: Usdc) -> Self {
        Self {
            owner,
            funder: owner,
            key,
            guardian: None,
            policy: None,
            listings: Vec::new(),
            predecessor: None,
            nonce: U256::ZERO,
            credits,
            capital: Usdc::default(),
            playbook_digest: B256::ZERO,
            name: name.into(),
            agent_uri: None,
        }
    }

    fn order(&self) -> IBirth::Order {
        IBirth::Order {
            owner: self.owner,
            funder: self.funder,
            key: self.key,
            guardian: self.guardian.unwrap_or_default(),
            policy: self.policy.iter().map(Into::into).collect(),
            listings: self.listings.iter().map(Into::into).collect(),
            predecessor: self.predecessor.map_or(NO_GOLEM, |agent| agent.0),
            nonce: self.nonce,
            credits: units(self.credits),
            capital: units(self.capital),
            playbookDigest: self.playbook_digest,
            name: self.name.clone(),
            agentURI: self.agent_uri.clone().unwrap_or_default(),
        }
    }

    /// Credits and capital together.
    #[must_use]
    pub const fn total(&self) -> Usdc {
        self.credits.saturating_add(self.capital)
    }
}

/// A newborn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Born {
    pub agent: AgentId,
    pub lineage: LineageId,
    pub generation: u64,
    pub vault: Address,
    pub key: Address,
    pub owner: Address,
    pub credits: Usdc,
    pub capital: Usdc,
    pub receipt: ActReceipt,
}

impl OwnerDesk {
    /// Where the vault of `plan` will stand.
    pub async fn vault_address(&self, plan: &BirthPlan) -> Result<Address, DeskError> {
        self.read(self.deployment.birth, IBirth::vaultAddressCall { order: plan.order() }).await
    }

    /// Gives birth. All or nothing: a birth that fails leaves no token, no vault and no USDC moved (L-005).
    pub async fn birth(&self, plan: &BirthPlan, report: DeskListener<'_>) -> Result<Born, DeskError> {
        let (funder, me) = (plan.funder, self.address());
        if funder != me {
            return Err(DeskError::Impossible(format!(
                "the funder is {funder}, this wallet is {me}; give birth from the funder's own"
            )));
        }
        self.require_usdc(ACT, plan.total()).await?;
        let funding =
            IBirth::Funding { kind: 0, validAfter: U256::ZERO, validBefore: U256::ZERO, signature: Bytes::new() };
        let call = IBirth::birthCall { order: plan.order(), funding };
        let wanted = Wanted::call(ACT, self.deployment.birth, &call);
        let receipt = self.act_with_usdc(wanted, plan.total(), report).await?;
        self.newborn(receipt)
    }

    /// L-004. The birth of `plan`, if it has happened: its vault stands where owner, key, lists and nonce put it and
    /// nowhere else. For one who gave birth and was cut off before he could write it down. What it was born with is told
    /// as the chain has it, whatever `plan` says of sums and names.
    pub async fn find_birth(&self, plan: &BirthPlan) -> Result<Option<Born>, DeskError> {
        let vault = self.vault_address(plan).await?;
        let agent = match self.read(vault, IVault::agentIdCall {}).await {
            Ok(agent) => AgentId(agent),
            // Nothing stands there.
            Err(DeskError::Unreadable { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let told = birth_of(&self.endpoints, &self.deployment, agent).await?;
        let tx = told.ok_or(DeskError::Unreadable { what: ILineageRegistry::Born::SIGNATURE, at: vault })?;
        self.newborn(self.confirmed(ACT, tx).await?).map(Some)
    }

    pub(super) fn newborn(&self, receipt: ActReceipt) -> Result<Born, DeskError> {
        let born: ILineageRegistry::Born = receipt.expect(self.deployment.lineage)?;
        let began: IVault::Initialised = receipt.expect(born.vault)?;
        Ok(Born {
            agent: AgentId(born.agentId),
            lineage: LineageId(born.lineage.saturating_to()),
            generation: born.generation.saturating_to(),
            vault: born.vault,
            key: born.key,
            owner: born.owner,
            credits: Usdc::from_micros(began.credits.saturating_to()),
            capital: Usdc::from_micros(began.capital.saturating_to()),
            receipt,
        })
    }
}
