//! Who buys data for a life.

use std::future::Future;

use golem_core::record::{Bought, Offers, SourceName, Unbought};
use golem_primitives::{EffectId, Usdc, UtcTime};

/// What a life wants to buy. It names a source and no address: where money may go is the owner's word, kept by the adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedPurchase {
    /// Its one name for ever; asking again for it never pays again.
    pub effect: EffectId,
    pub source: SourceName,
    /// The most it may cost.
    pub at_most: Usdc,
    /// The life's time: its UTC day bears the cost.
    pub now: UtcTime,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purchased {
    /// It was served, for this much.
    Served { bought: Box<Bought>, paid: Usdc },
    /// It was not, and that is the end of it.
    Unserved { why: Unbought, paid: Usdc },
    /// It is not over: an authorisation may still be taken. It is asked for again, under the same name.
    Pending,
}

/// Buys, and knows what may be bought.
pub trait Buyer: Send + 'static {
    /// What may be bought, and within which bounds.
    fn offers(&self) -> Offers;

    /// Buys, or gives again what this effect bought before. Whatever dies meanwhile, nothing is paid twice.
    fn buy(&mut self, wanted: WantedPurchase) -> impl Future<Output = Purchased> + Send;

    /// Asks the chain what became of what was given away; what fails is asked again later.
    fn reconcile(&mut self) -> impl Future<Output = ()> + Send;
}
