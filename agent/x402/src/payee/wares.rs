//! What is sold, and who hands it out.

use std::future::Future;
use std::pin::Pin;

use golem_ports::{Goods, PaymentReceipt};
use golem_primitives::{B256, Usdc};
use serde_json::Value;

/// Something a Golem takes money for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Good {
    /// M-047. A top-up: the payer gets nothing but a longer life for the Golem.
    Feed,
    /// What it has learnt lately.
    Insights,
    /// What a successor or a stranger can learn from.
    Bundle,
    /// I-240. A set of the owner's library, by the hash of what is handed out.
    Set(B256),
}

/// A set that is published: what everybody is told of it, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetOnSale {
    /// The keccak256 of what is handed out.
    pub hash: B256,
    pub price: Usdc,
    /// What stands behind each thing in it.
    pub evidence: Value,
}

impl Good {
    /// All but the sets, of which there are as many as the owner publishes.
    pub const ALL: [Self; 3] = [Self::Feed, Self::Insights, Self::Bundle];

    /// Where it is sold.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Feed => "/feed",
            Self::Insights => "/insights",
            Self::Bundle => "/bundle",
            Self::Set(_) => "/library",
        }
    }

    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::Feed => "Credits for this Golem's life, straight into its vault",
            Self::Insights => "What this Golem has learnt lately",
            Self::Bundle => "What can be learnt from this Golem, as one file",
            Self::Set(_) => "A set of its owner's library; /library tells what stands behind each thing in it",
        }
    }
}

/// A payment that was settled, and for what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The name of its sale.
    pub sale: B256,
    /// What it bought.
    pub good: Good,
    pub amount: Usdc,
    /// What the facilitator says of it.
    pub receipt: PaymentReceipt,
    /// The same, in its own words.
    pub words: Value,
}

/// Who hands out what was paid for.
pub trait Wares: Send + Sync + 'static {
    /// Whether it is to be had now. Asked before anybody pays.
    fn has(&self, good: Good) -> bool;

    /// The sets that were published since the stall opened, so that what was paid for one that is withdrawn is still owed.
    /// [`Wares::has`] says which are to be had; those are told to everybody for nothing.
    fn sets(&self) -> Vec<SetOnSale>;

    /// Hands out what was paid for, once for each payment. `None` when it is gone after all.
    fn hand_out(&self, good: Good) -> Pin<Box<dyn Future<Output = Option<Goods>> + Send + '_>>;

    /// Says that money has come into the vault, not yet allocated (V-005).
    fn took(&self, taken: &Taken);

    /// What was paid before the stall opened, the newest last: whoever was cut off before he was served is owed it still.
    fn taken(&self) -> Vec<Taken>;
}
