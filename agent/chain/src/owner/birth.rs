//! Giving birth (L-004): the order, its funding, and the vault's address before it exists.

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::sol_types::SolEvent;
use golem_primitives::{AgentId, LineageId, Usdc};

use super::desk::OwnerDesk;
use super::error::DeskError;
use super::policy::{Listing, Policy, micros};
use super::send::{Receipt, Report, Wanted};
use crate::bindings::statements::ReceiveWithAuthorization;
use crate::bindings::{IBirth, ILineageRegistry, IVault};
use crate::lineage::birth_of;

const ACT: &str = "the birth";

/// The predecessor of a generation 0.
const NO_GOLEM: U256 = U256::MAX;

/// Everything a Golem is born with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BirthPlan {
    pub owner: Address,
    /// Whose USDC it is.
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
            credits: micros(self.credits),
            capital: micros(self.capital),
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

/// How the USDC comes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FundingWay {
    /// An approval of exactly the sum, then the birth: two transactions.
    Allowance,
    /// An EIP-2612 permit, signed here: one transaction.
    Permit {
        /// Its end, in seconds since 1970.
        deadline: u64,
    },
    /// An EIP-3009 authorisation, signed here: one transaction, and bound to this birth alone.
    Authorisation {
        /// Its end, in seconds since 1970.
        valid_before: u64,
    },
    /// An EIP-3009 authorisation the funder signed elsewhere: this wallet only pays the gas.
    Signed {
        /// Its beginning, in seconds since 1970.
        valid_after: u64,
        /// Its end, in seconds since 1970.
        valid_before: u64,
        /// The signature.
        signature: Bytes,
    },
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
    pub receipt: Receipt,
}

impl OwnerDesk {
    /// Where the vault of `plan` will stand, however it is funded.
    ///
    /// # Errors
    /// When the chain cannot be seen.
    pub async fn vault_address(&self, plan: &BirthPlan) -> Result<Address, DeskError> {
        self.read(self.deployment.birth, IBirth::vaultAddressCall { order: plan.order() }).await
    }

    /// What an EIP-3009 authorisation for `plan` has to say, for a funder who signs elsewhere.
    ///
    /// # Errors
    /// When the chain cannot be seen.
    pub async fn birth_authorisation(
        &self,
        plan: &BirthPlan,
        valid_after: u64,
        valid_before: u64,
    ) -> Result<ReceiveWithAuthorization, DeskError> {
        let order = plan.order();
        Ok(ReceiveWithAuthorization {
            from: plan.funder,
            to: self.vault_address(plan).await?,
            value: micros(plan.total()),
            validAfter: U256::from(valid_after),
            validBefore: U256::from(valid_before),
            nonce: self.read(self.deployment.birth, IBirth::birthHashCall { order }).await?,
        })
    }

    /// Gives birth. All or nothing: a birth that fails leaves no token, no vault and no USDC moved (L-005).
    ///
    /// # Errors
    /// [`DeskError::NotEnoughUsdc`], [`DeskError::NotEnoughGas`], or the refusal with its next step.
    pub async fn birth(&self, plan: &BirthPlan, way: &FundingWay, report: Report<'_>) -> Result<Born, DeskError> {
        let funding = self.funding(plan, way).await?;
        let call = IBirth::birthCall { order: plan.order(), funding };
        let wanted = Wanted::call(ACT, self.deployment.birth, &call);
        let receipt = match way {
            FundingWay::Allowance => self.act_with_usdc(wanted, plan.total(), report).await?,
            _ => self.act(wanted, report).await?,
        };
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

    pub(super) fn newborn(&self, receipt: Receipt) -> Result<Born, DeskError> {
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

    async fn funding(&self, plan: &BirthPlan, way: &FundingWay) -> Result<IBirth::Funding, DeskError> {
        let own = !matches!(way, FundingWay::Signed { .. });
        if own && plan.funder != self.address() {
            let (funder, me) = (plan.funder, self.address());
            return Err(DeskError::Impossible(format!(
                "the funder is {funder}, this wallet is {me}; only the funder's own signature moves his USDC"
            )));
        }
        if own {
            self.require_usdc(ACT, plan.total()).await?;
        }
        let funding = |kind: u8, from: u64, until: u64, signature: Bytes| IBirth::Funding {
            kind,
            validAfter: U256::from(from),
            validBefore: U256::from(until),
            signature,
        };
        Ok(match way {
            FundingWay::Allowance => funding(0, 0, 0, Bytes::new()),
            FundingWay::Permit { deadline } => {
                let signature = self.sign_permit(self.deployment.birth, plan.total(), *deadline).await?;
                funding(1, 0, *deadline, signature.into())
            }
            FundingWay::Authorisation { valid_before } => {
                let statement = self.birth_authorisation(plan, 0, *valid_before).await?;
                funding(2, 0, *valid_before, self.sign_authorisation(&statement).await?.into())
            }
            FundingWay::Signed { valid_after, valid_before, signature } => {
                funding(2, *valid_after, *valid_before, signature.clone())
            }
        })
    }
}
