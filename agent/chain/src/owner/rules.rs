//! The owner's rule over a living Golem: key, guardian, policy, lists, sleep, taking over.

use alloy::primitives::{Address, B256, U256};
use alloy::sol_types::{SolCall, eip712_domain};
use golem_primitives::{AgentId, Usdc, UtcTime};

use super::desk::OwnerDesk;
use super::error::DeskError;
use super::policy::{Listing, Policy, Uses, WorstLoss};
use super::send::{ActReceipt, DeskListener, Wanted};
use crate::bindings::statements::AgentWalletSet;
use crate::bindings::{IIdentityRegistry, IVault};
use crate::signer::Signer;

/// A policy beside the one in force, and what each could cost if the key leaked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyChange {
    pub before: Policy,
    pub after: Policy,
    pub worst_before: WorstLoss,
    /// What it could cost under the new policy; `None` where the node cannot simulate.
    pub worst_after: Option<WorstLoss>,
}

/// What a new owner keeps of what the former one set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Takeover {
    /// The key from now on: to keep the present one it is named. `None`: no key at all.
    pub key: Option<Address>,
    /// The guardian from now on; `None` for nobody.
    pub guardian: Option<Address>,
    /// Whether the lists made before stay valid.
    pub keep_lists: bool,
    /// The policy in force, by its hash, to keep it; `None` returns to the template.
    pub keep_policy: Option<B256>,
}

/// A token that a vault holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VaultHolding {
    pub token: Address,
    /// What it has cost, outside of liquidity.
    pub cost: Usdc,
    /// Liquidity positions it is part of.
    pub positions: u64,
}

impl OwnerDesk {
    /// The policy in force.
    pub async fn policy(&self, vault: Address) -> Result<Policy, DeskError> {
        Ok(self.read(vault, IVault::policyCall {}).await?.into())
    }

    /// What a leaked key can cost in any 24 hours from now (V-031).
    pub async fn worst_loss(&self, vault: Address) -> Result<WorstLoss, DeskError> {
        Ok(self.read(vault, IVault::worstLossCall {}).await?.into())
    }

    /// Compares `after` with the policy in force, without changing anything.
    ///
    /// # Errors
    /// The vault's refusal of the new policy, such as a number out of its range.
    pub async fn weigh_policy(&self, vault: Address, after: &Policy) -> Result<PolicyChange, DeskError> {
        let before = self.policy(vault).await?;
        let worst_before = self.worst_loss(vault).await?;
        let change = set_policy(vault, after);
        self.preview(&change).await?;
        let worst_after = self.worst_loss_after(vault, &change).await?;
        Ok(PolicyChange { before, after: after.clone(), worst_before, worst_after })
    }

    /// Replaces the policy.
    pub async fn set_policy(
        &self,
        vault: Address,
        policy: &Policy,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let receipt = self.act(set_policy(vault, policy), report).await?;
        receipt.saying(vault, |_: &IVault::PolicySet| true)
    }

    /// Replaces the key; `None` revokes it. The old one is powerless in the same block (L-002).
    pub async fn rotate_key(
        &self,
        vault: Address,
        new_key: Option<Address>,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IVault::rotateKeyCall { newKey: new_key.unwrap_or_default() };
        let receipt = self.act(Wanted::call("rotating the key", vault, &call), report).await?;
        self.read_back_life(receipt, vault, |state| state.key == call.newKey).await
    }

    /// Replaces the guardian; `None` for nobody.
    pub async fn set_guardian(
        &self,
        vault: Address,
        guardian: Option<Address>,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IVault::setGuardianCall { newGuardian: guardian.unwrap_or_default() };
        let receipt = self.act(Wanted::call("setting the guardian", vault, &call), report).await?;
        self.read_back(receipt, vault, IVault::guardianCall {}, |seen| *seen == call.newGuardian).await
    }

    /// Lists or delists payees, pools and tokens.
    pub async fn set_listings(
        &self,
        vault: Address,
        listings: &[Listing],
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IVault::setListingsCall { listings: listings.iter().map(Into::into).collect() };
        let mut receipt = self.act(Wanted::call("changing the lists", vault, &call), report).await?;
        for wanted in listings {
            let says = |told: &IVault::ListingSet| (told.subject, told.uses) == (wanted.subject, wanted.uses.0);
            receipt = receipt.saying(vault, says)?;
        }
        Ok(receipt)
    }

    /// What a subject is listed for.
    pub async fn listing_of(&self, vault: Address, subject: Address) -> Result<Listing, DeskError> {
        let listed = self.read(vault, IVault::listingOfCall { subject }).await?;
        let priced_by = Some(listed.pricedBy).filter(|pool| !pool.is_zero());
        Ok(Listing { subject, uses: Uses(listed.uses), priced_by })
    }

    /// What a vault holds of its capital in tokens and liquidity.
    pub async fn holdings(&self, vault: Address) -> Result<Vec<VaultHolding>, DeskError> {
        let lines = self.read(vault, IVault::holdingsCall {}).await?;
        let held = |line: IVault::Holding| VaultHolding {
            token: line.token,
            cost: Usdc::from_micros(line.book),
            positions: line.positions.into(),
        };
        Ok(lines.into_iter().map(held).collect())
    }

    /// Takes a Golem over after a purchase or a gift (L-006). Whatever the takeover does not name falls away.
    pub async fn accept(
        &self,
        vault: Address,
        takeover: &Takeover,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IVault::acceptCall {
            newKey: takeover.key.unwrap_or_default(),
            newGuardian: takeover.guardian.unwrap_or_default(),
            keepLists: takeover.keep_lists,
            keepPolicy: takeover.keep_policy.unwrap_or_default(),
        };
        let receipt = self.act(Wanted::call("taking the Golem over", vault, &call), report).await?;
        receipt.expect::<IVault::Accepted>(vault)?;
        self.read_back_life(receipt, vault, |state| state.key == call.newKey).await
    }

    /// The name of the policy in force, by which a takeover keeps it.
    pub async fn policy_hash(&self, vault: Address) -> Result<B256, DeskError> {
        self.read(vault, IVault::policyHashCall {}).await
    }

    /// V-018. Gives up, until `until`, to take anything out or to change policy and lists; at most 30 days ahead, and only
    /// ever longer.
    pub async fn lock(
        &self,
        vault: Address,
        until: UtcTime,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IVault::lockCall { until: U256::from(until.seconds()) };
        let receipt = self.act(Wanted::call("the lock", vault, &call), report).await?;
        receipt.saying(vault, |told: &IVault::LockSet| told.until == call.until)
    }

    /// V-018. Until when nothing can be taken out; `None` when nothing is locked.
    pub async fn locked_until(&self, vault: Address) -> Result<Option<UtcTime>, DeskError> {
        let until = UtcTime::from_seconds(self.read(vault, IVault::lockedUntilCall {}).await?.saturating_to());
        let now = self.endpoints.head().await?.time;
        Ok(Some(until).filter(|until| *until > now))
    }

    /// Puts a Golem to sleep until `until`, at most 90 days away (L-007).
    pub async fn hibernate(
        &self,
        vault: Address,
        until: UtcTime,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IVault::hibernateCall { until: U256::from(until.seconds()) };
        let receipt = self.act(Wanted::call("the hibernation", vault, &call), report).await?;
        self.read_back(receipt, vault, IVault::hibernatedUntilCall {}, |seen| *seen == call.until).await
    }

    /// Ends the sleep.
    pub async fn wake(&self, vault: Address, report: DeskListener<'_>) -> Result<ActReceipt, DeskError> {
        let receipt = self.act(Wanted::call("waking", vault, &IVault::wakeCall {}), report).await?;
        receipt.saying(vault, |_: &IVault::Woken| true)
    }

    /// Links `wallet`, usually the key, to the identity (L-013). The wallet signs; the owner sends.
    pub async fn link_wallet(
        &self,
        agent: AgentId,
        wallet: &Signer,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        // The standard allows five minutes of chain time.
        const VALID_SECONDS: u64 = 240;
        let identity = self.deployment.identity;
        let deadline = U256::from(self.endpoints.head().await?.time.seconds() + VALID_SECONDS);
        let (new_wallet, owner) = (wallet.address(), self.owner_of(agent).await?);
        let statement = AgentWalletSet { agentId: agent.0, newWallet: new_wallet, owner, deadline };
        let domain = eip712_domain! {
            name: "ERC8004IdentityRegistry",
            version: "1",
            chain_id: self.deployment.chain_id,
            verifying_contract: identity,
        };
        let signature = wallet.sign_typed(&statement, &domain).await?.as_bytes();
        let call = IIdentityRegistry::setAgentWalletCall {
            agentId: agent.0,
            newWallet: new_wallet,
            deadline,
            signature: signature.into(),
        };
        let receipt = self.act(Wanted::call("linking the wallet", identity, &call), report).await?;
        let asked = IIdentityRegistry::getAgentWalletCall { agentId: agent.0 };
        self.read_back(receipt, identity, asked, |seen| *seen == new_wallet).await
    }

    /// The change and the question, one after the other.
    async fn worst_loss_after(&self, vault: Address, change: &Wanted) -> Result<Option<WorstLoss>, DeskError> {
        let question = Wanted::call("the worst loss", vault, &IVault::worstLossCall {});
        let Some(answers) = self.rehearse(&[change, &question]).await? else { return Ok(None) };
        let unreadable = || DeskError::Unreadable { what: IVault::worstLossCall::SIGNATURE, at: vault };
        let answer = answers.last().ok_or_else(unreadable)?;
        let loss = IVault::worstLossCall::abi_decode_returns(answer).map_err(|_| unreadable())?;
        Ok(Some(loss.into()))
    }
}

fn set_policy(vault: Address, policy: &Policy) -> Wanted {
    Wanted::call("setting the policy", vault, &IVault::setPolicyCall { newPolicy: policy.into() })
}
