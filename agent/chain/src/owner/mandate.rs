//! Mandates: what shall be born when a Golem dies, and the USDC put aside for it (T-020).

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::sol_types::eip712_domain;
use golem_primitives::{AgentId, LineageId, Usdc, UtcTime};

use super::birth::Born;
use super::desk::OwnerDesk;
use super::error::DeskError;
use super::policy::{Listing, Policy};
use super::send::{ActReceipt, DeskListener, Wanted};
use crate::bindings::ISuccession;
use crate::bindings::statements::SuccessorKey;
use crate::price::units;

/// What the owner commits to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MandatePlan {
    pub lineage: LineageId,
    pub budget: Usdc,
    pub successors: u64,
    pub expiry: UtcTime,
    /// Who may bring the birth about; never a Golem's key.
    pub executor: Address,
    /// The successors' policy; `None` for the default template.
    pub policy: Option<Policy>,
    pub listings: Vec<Listing>,
    pub guardian: Option<Address>,
    /// The successors' keys in order of birth; empty when the owner will sign each.
    pub keys: Vec<Address>,
    /// Any number, to tell two equal mandates apart.
    pub nonce: U256,
}

impl MandatePlan {
    /// The terms as the contract has them.
    #[must_use]
    pub fn terms(&self) -> ISuccession::Mandate {
        ISuccession::Mandate {
            lineage: U256::from(self.lineage.0),
            budget: units(self.budget),
            successors: U256::from(self.successors),
            expiry: U256::from(self.expiry.seconds()),
            executor: self.executor,
            policyHash: Policy::hash_of(self.policy.as_ref()),
            listsHash: Listing::hash_of(&self.listings),
            guardian: self.guardian.unwrap_or_default(),
            keys: self.keys.clone(),
            nonce: self.nonce,
        }
    }
}

/// What only the moment of a birth by mandate knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Succeeding {
    pub predecessor: AgentId,
    /// The successor's key: the mandate's next, or one the owner signed.
    pub key: Address,
    /// The owner's word for the key, where the mandate names none.
    pub key_signature: Bytes,
    /// Digest of the successor's playbook; it must differ from its predecessor's.
    pub playbook_digest: B256,
    pub nonce: U256,
    pub name: String,
    /// A registration file of its own; `None` has one built on chain.
    pub agent_uri: Option<String>,
}

/// A mandate that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommittedMandate {
    pub mandate: B256,
    pub receipt: ActReceipt,
}

/// Where a mandate stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MandateStanding {
    pub committer: Address,
    /// What is put aside.
    pub escrow: Usdc,
    pub born: u64,
    pub last_birth: Option<UtcTime>,
}

impl OwnerDesk {
    /// The id a mandate of this desk has or will have.
    pub async fn mandate_id(&self, plan: &MandatePlan) -> Result<B256, DeskError> {
        let call = ISuccession::mandateIdOfCall { committer: self.address(), mandate: plan.terms() };
        self.read(self.deployment.succession, call).await
    }

    /// Makes a mandate and puts `amount` aside for it.
    pub async fn commit_mandate(
        &self,
        plan: &MandatePlan,
        amount: Usdc,
        report: DeskListener<'_>,
    ) -> Result<CommittedMandate, DeskError> {
        let succession = self.deployment.succession;
        let call = ISuccession::commitCall { mandate: plan.terms(), amount: units(amount) };
        let receipt = self.act_with_usdc(Wanted::call("the mandate", succession, &call), amount, report).await?;
        let event: ISuccession::Committed = receipt.expect(succession)?;
        Ok(CommittedMandate { mandate: event.mandateId, receipt })
    }

    /// Puts more aside.
    pub async fn add_escrow(
        &self,
        mandate: B256,
        amount: Usdc,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let succession = self.deployment.succession;
        let call = ISuccession::addEscrowCall { mandateId: mandate, amount: units(amount) };
        let receipt = self.act_with_usdc(Wanted::call("adding escrow", succession, &call), amount, report).await?;
        receipt.saying::<ISuccession::EscrowAdded>(succession, |told| told.amount == units(amount))
    }

    /// Takes escrow back; without escrow a mandate gives no birth.
    pub async fn withdraw_escrow(
        &self,
        mandate: B256,
        amount: Usdc,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let succession = self.deployment.succession;
        let call = ISuccession::withdrawEscrowCall { mandateId: mandate, amount: units(amount) };
        let receipt = self.act(Wanted::call("withdrawing escrow", succession, &call), report).await?;
        receipt.saying::<ISuccession::EscrowWithdrawn>(succession, |told| told.amount == units(amount))
    }

    /// Where a mandate stands; `None` when there is none of that id.
    pub async fn standing_of(&self, mandate: B256) -> Result<Option<MandateStanding>, DeskError> {
        let call = ISuccession::standingOfCall { mandateId: mandate };
        let standing = self.read(self.deployment.succession, call).await?;
        let last = standing.lastBirthAt.to::<u64>();
        Ok((!standing.committer.is_zero()).then(|| MandateStanding {
            committer: standing.committer,
            escrow: Usdc::from_micros(standing.escrow),
            born: u64::from(standing.born),
            last_birth: (last > 0).then(|| UtcTime::from_seconds(last)),
        }))
    }

    /// Brings a successor about by the mandate of `committer`. The executor's.
    pub async fn succeed(
        &self,
        committer: Address,
        plan: &MandatePlan,
        succeeding: &Succeeding,
        report: DeskListener<'_>,
    ) -> Result<Born, DeskError> {
        let call = ISuccession::succeedCall {
            committer,
            mandate: plan.terms(),
            succeeding: ISuccession::Succeeding {
                predecessor: succeeding.predecessor.0,
                key: succeeding.key,
                keySignature: succeeding.key_signature.clone(),
                policy: plan.policy.iter().map(Into::into).collect(),
                listings: plan.listings.iter().map(Into::into).collect(),
                playbookDigest: succeeding.playbook_digest,
                nonce: succeeding.nonce,
                name: succeeding.name.clone(),
                agentURI: succeeding.agent_uri.clone().unwrap_or_default(),
            },
        };
        let receipt = self.act(Wanted::call("the succession", self.deployment.succession, &call), report).await?;
        self.newborn(receipt)
    }

    /// The owner's word for a successor's key that the mandate does not name.
    ///
    /// # Errors
    /// [`DeskError::Unreadable`] when the contract signs for another domain than this code knows.
    pub async fn sign_successor_key(
        &self,
        mandate: B256,
        predecessor: AgentId,
        key: Address,
    ) -> Result<Vec<u8>, DeskError> {
        let succession = self.deployment.succession;
        let statement = SuccessorKey { mandate, predecessor: predecessor.0, key };
        let domain = eip712_domain! {
            name: "BardoSuccession",
            version: "1",
            chain_id: self.deployment.chain_id,
            verifying_contract: succession,
        };
        let call = ISuccession::successorKeyDigestCall { mandateId: mandate, predecessor: predecessor.0, key };
        let digest = self.read(succession, call).await?;
        if digest != alloy::sol_types::SolStruct::eip712_signing_hash(&statement, &domain) {
            return Err(DeskError::Unreadable { what: "successorKeyDigest", at: succession });
        }
        Ok(self.signer.sign_typed(&statement, &domain).await?.as_bytes().to_vec())
    }
}
