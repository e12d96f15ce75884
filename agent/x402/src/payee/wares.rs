//! What is sold, and who hands it out.

use std::future::Future;
use std::pin::Pin;

use golem_ports::{Goods, PaymentReceipt};
use golem_primitives::Usdc;

/// Something a Golem takes money for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Good {
    /// M-047. A top-up: the payer gets nothing but a longer life for the Golem.
    Feed,
    /// What it has learnt lately.
    Insights,
    /// What a successor or a stranger can learn from.
    Bundle,
}

impl Good {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Feed, Self::Insights, Self::Bundle];

    /// Where it is sold.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Feed => "/feed",
            Self::Insights => "/insights",
            Self::Bundle => "/bundle",
        }
    }

    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::Feed => "Credits for this Golem's life, straight into its vault",
            Self::Insights => "What this Golem has learnt lately",
            Self::Bundle => "What can be learnt from this Golem, as one file",
        }
    }
}

/// Who hands out what was paid for.
pub trait Wares: Send + Sync + 'static {
    /// Whether it is to be had now. Asked before anybody pays.
    fn has(&self, good: Good) -> bool;

    /// Hands out what was paid for, once for each payment. `None` when it is gone after all.
    fn hand_out(&self, good: Good) -> Pin<Box<dyn Future<Output = Option<Goods>> + Send + '_>>;

    /// Says that money has come into the vault, not yet allocated (V-005).
    fn took(&self, good: Good, amount: Usdc, receipt: &PaymentReceipt);
}
