//! What an owner does with his own wallet: the calls the desk sends, tried as him and handed over unsigned.

use alloy::primitives::Address;
use golem_primitives::Usdc;

use super::desk::OwnerDesk;
use super::error::DeskError;
use super::send::Wanted;
use crate::bindings::IVault;
use crate::explorer::decode;
use crate::price::units;
use crate::signer::Unsigned;

/// Something an owner does to a Golem in one call of its vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnerAct {
    /// T-001. Ends its life.
    Kill { reason: String },
    /// T-001. Ends its life, and its key is powerless from the same block on.
    KillAndRevoke { reason: String },
    /// V-005. Gives it credits.
    TopUp { amount: Usdc },
    /// V-016. Gives it capital.
    FundCapital { amount: Usdc },
    /// V-016. Takes capital back.
    WithdrawCapital { amount: Usdc },
}

impl OwnerAct {
    pub(super) fn wanted(&self, vault: Address) -> Wanted {
        match self {
            Self::Kill { reason } => Wanted::call("the kill", vault, &IVault::killCall { reason: reason.clone() }),
            Self::KillAndRevoke { reason } => {
                Wanted::call("the kill", vault, &IVault::killAndRevokeCall { reason: reason.clone() })
            }
            Self::TopUp { amount } => Wanted::call("the top-up", vault, &IVault::topUpCall { amount: units(*amount) }),
            Self::FundCapital { amount } => {
                Wanted::call("funding the capital", vault, &IVault::fundCapitalCall { amount: units(*amount) })
            }
            Self::WithdrawCapital { amount } => {
                Wanted::call("the withdrawal", vault, &IVault::withdrawCapitalCall { amount: units(*amount) })
            }
        }
    }

    /// USDC that it takes from the wallet.
    const fn takes(&self) -> Option<Usdc> {
        match self {
            Self::TopUp { amount } | Self::FundCapital { amount } => Some(*amount),
            Self::Kill { .. } | Self::KillAndRevoke { .. } | Self::WithdrawCapital { .. } => None,
        }
    }
}

impl OwnerDesk {
    /// A call as its owner is shown it.
    pub(super) fn shown(&self, wanted: &Wanted) -> Unsigned {
        let Wanted { act, to, data, value } = wanted.clone();
        let call = decode::call(&data, self.deployment.kind_of(to));
        Unsigned { act, to, data, value, call }
    }

    /// The transactions of an act, in their order: whom they reach is asked, and they are tried as this desk's account, as
    /// before everything the desk sends itself.
    pub async fn unsigned(&self, vault: Address, act: &OwnerAct) -> Result<Vec<Unsigned>, DeskError> {
        let wanted = act.wanted(vault);
        let approval = match act.takes() {
            Some(amount) => self.approval_for(&wanted, amount).await?,
            None => {
                self.require_counterpart(&wanted).await?;
                None
            }
        };
        // With an approval before it, both were rehearsed together.
        if approval.is_none() {
            self.preview(&wanted).await?;
        }
        Ok(approval.into_iter().chain([wanted]).map(|wanted| self.shown(&wanted)).collect())
    }
}
