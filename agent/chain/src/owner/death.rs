//! Ending a life, and what is left to do after it.

use alloy::primitives::{Address, U256};
use golem_ports::SettledTestament;

use super::desk::OwnerDesk;
use super::error::DeskError;
use super::send::{ActReceipt, DeskListener, Wanted};
use super::unsigned::OwnerAct;
use crate::acts::testament_of;
use crate::bindings::{IErc721, ILineageRegistry, IVault};
use crate::price::usdc;
use crate::sight::DYING;

impl OwnerDesk {
    /// Ends the life (T-001). The owner's, at any time while it lives.
    pub async fn kill(&self, vault: Address, reason: &str, report: DeskListener<'_>) -> Result<ActReceipt, DeskError> {
        let receipt = self.act(OwnerAct::Kill { reason: reason.to_owned() }.wanted(vault), report).await?;
        self.read_back_life(receipt, vault, |state| state.life >= DYING).await
    }

    /// Ends the life, and the key is powerless from the same block on.
    pub async fn kill_and_revoke(
        &self,
        vault: Address,
        reason: &str,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let receipt = self.act(OwnerAct::KillAndRevoke { reason: reason.to_owned() }.wanted(vault), report).await?;
        self.read_back_life(receipt, vault, |state| state.life >= DYING && state.key.is_zero()).await
    }

    /// Trips the kill switch. The guardian's.
    pub async fn trip(&self, vault: Address, trigger: &str, report: DeskListener<'_>) -> Result<ActReceipt, DeskError> {
        let call = IVault::tripCall { trigger: trigger.to_owned() };
        let receipt = self.act(Wanted::call("tripping the kill switch", vault, &call), report).await?;
        self.read_back_life(receipt, vault, |state| state.life >= DYING).await
    }

    /// Posts notice of a silence beyond the policy's limit. Anyone may.
    pub async fn notice(&self, vault: Address, report: DeskListener<'_>) -> Result<ActReceipt, DeskError> {
        let receipt = self.act(Wanted::call("the notice of silence", vault, &IVault::noticeCall {}), report).await?;
        receipt.saying(self.deployment.lineage, |_: &ILineageRegistry::NoticePosted| true)
    }

    /// Kills after 24 hours of notice without a beat. Anyone may.
    pub async fn kill_silent(&self, vault: Address, report: DeskListener<'_>) -> Result<ActReceipt, DeskError> {
        let receipt = self.act(Wanted::call("ending the silence", vault, &IVault::killSilentCall {}), report).await?;
        self.read_back_life(receipt, vault, |state| state.life >= DYING).await
    }

    /// Ends what the agent did not, after the deadline. Anyone may. Everything goes to the owner in kind if he is the bound
    /// one or calls himself; else it waits for him, which [`OwnerDesk::waits`] tells of the receipt.
    pub async fn finalise(&self, vault: Address, report: DeskListener<'_>) -> Result<ActReceipt, DeskError> {
        let receipt = self.act(Wanted::call("the finalisation", vault, &IVault::finaliseCall {}), report).await?;
        self.read_back_life(receipt, vault, |state| state.life > DYING).await
    }

    /// The same in parts: USDC and at most `items` tokens and positions.
    pub async fn finalise_part(
        &self,
        vault: Address,
        items: u64,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IVault::finalisePartCall { items: U256::from(items) };
        let receipt = self.act(Wanted::call("the finalisation", vault, &call), report).await?;
        self.read_back_life(receipt, vault, |state| state.life > DYING).await
    }

    /// T-005. Whether the sweep of a settlement or finalisation stopped before all was given out: it was limited, or the
    /// owner has not spoken to this vault, or he locked it.
    #[must_use]
    pub fn waits(receipt: &ActReceipt, vault: Address) -> bool {
        receipt.event::<IVault::SweepPaused>(vault).is_some()
    }

    /// Takes all of an asset a dead Golem still holds; `None` is the native coin. Returns the amount in the asset's own
    /// units.
    pub async fn claim(
        &self,
        vault: Address,
        asset: Option<Address>,
        report: DeskListener<'_>,
    ) -> Result<(U256, ActReceipt), DeskError> {
        let call = IVault::claimCall { asset: asset.unwrap_or_default() };
        let receipt = self.act(Wanted::call("the claim", vault, &call), report).await?;
        let claimed: IVault::Claimed = receipt.expect(vault)?;
        Ok((claimed.amount, receipt))
    }

    /// Takes an NFT a dead Golem still holds.
    pub async fn claim_nft(
        &self,
        vault: Address,
        collection: Address,
        id: U256,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IVault::claimNftCall { collection, id };
        let receipt = self.act(Wanted::call("the claim", vault, &call), report).await?;
        let is_gone = |owner: &Address| *owner != vault;
        self.read_back(receipt, collection, IErc721::ownerOfCall { tokenId: id }, is_gone).await
    }

    /// Gives a testament to one that was finalised without.
    pub async fn attach_testament(
        &self,
        vault: Address,
        testament: &SettledTestament,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IVault::attachTestamentCall { testament: testament_of(testament) };
        let receipt = self.act(Wanted::call("attaching the testament", vault, &call), report).await?;
        let asked = ILineageRegistry::recordedTestamentCall { agentId: self.agent_of(vault).await?.0 };
        self.read_back(receipt, self.deployment.lineage, asked, |hash| *hash == testament.hash).await
    }

    /// USDC beyond the vault's books, that a sync would allocate or a claim would take.
    pub async fn unallocated(&self, vault: Address) -> Result<golem_primitives::Usdc, DeskError> {
        Ok(usdc(self.read(vault, IVault::unallocatedCall {}).await?))
    }
}
