//! Money in and out: balances, allowances, top-ups, capital, gas for the key.

use alloy::primitives::{Address, U256};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_primitives::{Usdc, UtcTime};
use serde::Serialize;

use super::desk::OwnerDesk;
use super::error::DeskError;
use super::send::{ActReceipt, DeskListener, Wanted};
use super::unsigned::OwnerAct;
use crate::bindings::{IErc20, IVault};
use crate::price::{units, usdc};

/// What a wallet has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WalletFunds {
    pub account: Address,
    pub usdc: Usdc,
    pub wei: u128,
}

/// What a vault's own views say of its money and its rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VaultBooks {
    /// Credits: llm, gas, data, legacy.
    pub credits: [Usdc; 4],
    pub reserve: Usdc,
    pub capital: Usdc,
    /// Cost of what is held in tokens and positions.
    pub deployed: Usdc,
    /// USDC beyond the books.
    pub unallocated: Usdc,
    /// Until when it sleeps, or slept last.
    pub hibernated_until: Option<UtcTime>,
    /// V-018. Until when nobody takes anything out, or could not last.
    pub locked_until: Option<UtcTime>,
    /// L-006. To whom key, guardian, lists and policy are bound; `None` until an owner has spoken for this vault.
    pub bound_owner: Option<Address>,
    pub guardian: Option<Address>,
}

impl OwnerDesk {
    /// A vault's books.
    pub async fn books(&self, vault: Address) -> Result<VaultBooks, DeskError> {
        let credits = self.read(vault, IVault::creditsCall {}).await?;
        let books = self.read(vault, IVault::booksCall {}).await?;
        let until: u64 = self.read(vault, IVault::hibernatedUntilCall {}).await?.saturating_to();
        let locked: u64 = self.read(vault, IVault::lockedUntilCall {}).await?.saturating_to();
        let guardian = self.read(vault, IVault::guardianCall {}).await?;
        let bound = self.read(vault, IVault::boundOwnerCall {}).await?;
        Ok(VaultBooks {
            credits: [credits.llm, credits.gas, credits.data, credits.legacy].map(Usdc::from_micros),
            reserve: Usdc::from_micros(books.reserve),
            capital: Usdc::from_micros(books.capital),
            deployed: Usdc::from_micros(books.deployed),
            unallocated: self.unallocated(vault).await?,
            hibernated_until: (until > 0).then(|| UtcTime::from_seconds(until)),
            locked_until: (locked > 0).then(|| UtcTime::from_seconds(locked)),
            bound_owner: Some(bound).filter(|owner| !owner.is_zero()),
            guardian: Some(guardian).filter(|guardian| !guardian.is_zero()),
        })
    }

    /// Capital in USDC that is not at work.
    pub async fn idle_capital(&self, vault: Address) -> Result<Usdc, DeskError> {
        Ok(Usdc::from_micros(self.read(vault, IVault::booksCall {}).await?.capital))
    }

    /// What `account` has.
    pub async fn purse(&self, account: Address) -> Result<WalletFunds, DeskError> {
        let balance = self.read(self.deployment.usdc, IErc20::balanceOfCall { account }).await?;
        Ok(WalletFunds { account, usdc: usdc(balance), wei: self.native_balance(account).await? })
    }

    /// How much of this wallet's USDC `spender` may take.
    pub async fn allowance(&self, spender: Address) -> Result<Usdc, DeskError> {
        let call = IErc20::allowanceCall { owner: self.address(), spender };
        Ok(usdc(self.read(self.deployment.usdc, call).await?))
    }

    /// Adds `amount` to a Golem's credits (V-005). Anyone may.
    pub async fn top_up(
        &self,
        vault: Address,
        amount: Usdc,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let receipt = self.act_with_usdc(OwnerAct::TopUp { amount }.wanted(vault), amount, report).await?;
        // V-003. What the vault was given it has: the token says that it came, the vault that it counts.
        let receipt = self.moved(receipt, (self.address(), vault), amount)?;
        receipt.saying::<IVault::ToppedUp>(vault, |told| told.amount == units(amount))
    }

    fn moved(
        &self,
        receipt: ActReceipt,
        (from, to): (Address, Address),
        amount: Usdc,
    ) -> Result<ActReceipt, DeskError> {
        let is_it = |told: &IErc20::Transfer| (told.from, told.to, told.value) == (from, to, units(amount));
        receipt.saying(self.deployment.usdc, is_it)
    }

    /// Adds `amount` to the strategy's capital (V-016).
    pub async fn fund_capital(
        &self,
        vault: Address,
        amount: Usdc,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let receipt = self.act_with_usdc(OwnerAct::FundCapital { amount }.wanted(vault), amount, report).await?;
        let receipt = self.moved(receipt, (self.address(), vault), amount)?;
        receipt.saying::<IVault::CapitalFunded>(vault, |told| told.amount == units(amount))
    }

    /// Takes `amount` of USDC capital back (V-016).
    pub async fn withdraw_capital(
        &self,
        vault: Address,
        amount: Usdc,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let receipt = self.act(OwnerAct::WithdrawCapital { amount }.wanted(vault), report).await?;
        let receipt = self.moved(receipt, (vault, self.address()), amount)?;
        receipt.saying::<IVault::CapitalWithdrawn>(vault, |told| told.amount == units(amount))
    }

    /// Moves the owner's share of realised profit to the credits, and returns how much it was (V-014).
    pub async fn harvest(&self, vault: Address, report: DeskListener<'_>) -> Result<(Usdc, ActReceipt), DeskError> {
        let receipt = self.act(Wanted::call("the harvest", vault, &IVault::harvestCall {}), report).await?;
        let event: IVault::Harvested = receipt.expect(vault)?;
        Ok((usdc(event.toCredits), receipt))
    }

    /// Locks more of a partition (0 llm, 1 gas, 2 data) for the death. Nothing lowers it while the Golem lives (V-007).
    pub async fn raise_reserve(
        &self,
        vault: Address,
        partition: u8,
        amount: Usdc,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IVault::raiseReserveCall { from: partition, amount: units(amount) };
        let receipt = self.act(Wanted::call("raising the reserve", vault, &call), report).await?;
        receipt.saying::<IVault::ReserveRaised>(vault, |told| told.amount == units(amount))
    }

    /// Cuts the partitions by birth shares again, once the phase has risen (V-009).
    pub async fn split_as_at_birth(&self, vault: Address, report: DeskListener<'_>) -> Result<ActReceipt, DeskError> {
        let call = IVault::resplitCall { wanted: 0 };
        let receipt = self.act(Wanted::call("the new split", vault, &call), report).await?;
        receipt.expect::<IVault::Resplit>(vault)?;
        Ok(receipt)
    }

    /// Sends native coin, as gas for a key.
    pub async fn send_gas(&self, to: Address, wei: u128, report: DeskListener<'_>) -> Result<ActReceipt, DeskError> {
        if to.is_zero() || wei == 0 {
            return Err(DeskError::Impossible("gas goes to somebody, and is more than nothing".to_owned()));
        }
        let wanted = Wanted { act: "sending gas", to, data: Default::default(), value: U256::from(wei) };
        self.act(wanted, report).await
    }

    /// Does what takes `amount` of this wallet's USDC: lets the contract take exactly that, unless it may already, and
    /// only when both would pass, so that a refusal leaves no approval behind.
    pub(super) fn act_with_usdc<'a>(
        &'a self,
        wanted: Wanted,
        amount: Usdc,
        report: DeskListener<'a>,
    ) -> BoxFuture<'a, Result<ActReceipt, DeskError>> {
        async move {
            if let Some(approval) = self.approval_for(&wanted, amount).await? {
                self.act(approval, report).await?;
            }
            self.act(wanted, report).await
        }
        .boxed()
    }

    /// The approval that has to come before an act that takes USDC; none where the contract may take it already.
    pub(super) fn approval_for<'a>(
        &'a self,
        wanted: &'a Wanted,
        amount: Usdc,
    ) -> BoxFuture<'a, Result<Option<Wanted>, DeskError>> {
        async move {
            self.require_counterpart(wanted).await?;
            self.require_usdc(wanted.act, amount).await?;
            if self.allowance(wanted.to).await? >= amount {
                return Ok(None);
            }
            let call = IErc20::approveCall { spender: wanted.to, value: units(amount) };
            let approval = Wanted::call("the approval of USDC", self.deployment.usdc, &call);
            self.rehearse(&[&approval, wanted]).await?;
            Ok(Some(approval))
        }
        .boxed()
    }

    pub(super) fn require_usdc<'a>(&'a self, act: &'static str, needs: Usdc) -> BoxFuture<'a, Result<(), DeskError>> {
        async move {
            let account = self.address();
            let has = usdc(self.read(self.deployment.usdc, IErc20::balanceOfCall { account }).await?);
            if has < needs { Err(DeskError::NotEnoughUsdc { act, account, has, needs }) } else { Ok(()) }
        }
        .boxed()
    }
}
