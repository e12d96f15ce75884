//! What a purchase over HTTP 402 needs of the world: the float in the key's own wallet, and a record that keeps
//! one purchase from being paid twice.

use std::future::Future;

use golem_core::record::Partition;
use golem_primitives::{Address, B256, EffectId, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use crate::chain::{Blindness, ChainError};
use crate::store::StoreError;

/// EIP-3009. Leave to take an amount of the float once, from now until a moment. Its nonce is its name: the token refuses
/// a second use of it, whatever else the two say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorisation {
    pub payee: Address,
    pub amount: Usdc,
    /// It is worth nothing from this moment on.
    pub valid_before: UtcTime,
    pub nonce: B256,
}

/// Where the float lies and what its token signs as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FloatPlace {
    /// The key's own address.
    pub holder: Address,
    pub chain_id: u64,
    pub usdc: Address,
    /// The name of the token's signing domain.
    pub name: String,
    pub version: String,
}

/// What the chain says of an authorisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuthorisationUse {
    /// Whether it is used at the newest block.
    pub used: bool,
    /// The time of the newest block at confirmation depth: one that has run out by then and is not used never will be.
    pub settled_to: UtcTime,
}

/// V-006. USDC in the key's own wallet, drawn from the vault within the chain's caps.
pub trait Float: Send + Sync {
    /// Where it lies.
    fn place(&self) -> &FloatPlace;

    /// How much is there.
    fn held(&self) -> impl Future<Output = Result<Usdc, Blindness>> + Send;

    /// Whether an authorisation was used.
    fn usage(&self, nonce: B256) -> impl Future<Output = Result<AuthorisationUse, Blindness>> + Send;

    /// Signs one: 65 bytes. The same authorisation gives leave for the same money, however often it is signed.
    fn sign(&self, authorisation: &Authorisation) -> impl Future<Output = Result<Vec<u8>, ChainError>> + Send;
}

/// An authorisation that was, or is about to be, given away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    pub effect: EffectId,
    pub partition: Partition,
    /// Who sells, as `host:port`.
    pub host: String,
    pub authorisation: Authorisation,
    /// The life's time when it was signed; its UTC day bears it.
    pub at: UtcTime,
    /// The protocol's version, 1 or 2.
    pub version: u8,
    /// The header as it is sent, so that asking again gives away nothing new.
    pub header: String,
    pub state: PaymentState,
    pub delivery: Delivery,
}

/// What became of the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentState {
    /// It may be taken, or has been without our seeing it. It counts as spent.
    Open,
    Settled,
    /// It ran out and can never be taken.
    Void,
}

/// What came back for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    Awaited,
    Served {
        /// The server's receipt, in its own words, when it gave one.
        receipt: Option<PaymentReceipt>,
        /// The answer; `None` when it was dropped for age.
        answer: Option<Goods>,
    },
    /// Paid for and not delivered: why.
    Unserved {
        why: String,
    },
}

/// What a server says of the settlement. It is kept, not believed: the chain is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentReceipt {
    pub tx: Option<B256>,
    pub payer: Option<Address>,
    /// The network, by either version's name.
    pub network: String,
}

/// An answer that was bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goods {
    pub media: String,
    pub body: Vec<u8>,
}

/// What went into the float and out of it, by partition in the order of [`Partition::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FloatBook {
    /// Drawn from the vault.
    pub drawn: [Usdc; 4],
    /// Paid and settled.
    pub paid: [Usdc; 4],
    /// Given away and neither settled nor void.
    pub open: [Usdc; 4],
}

/// Where payments are recorded. The store is behind it; the paying adapter knows only this.
pub trait Payments {
    /// Records a payment, durably, before its header is sent. One effect has at most one that is not void.
    ///
    /// # Errors
    /// [`StoreError`] when it is not on disk, or another payment of the effect may still be taken: then it must not be
    /// sent.
    fn intend(&mut self, payment: &Payment) -> Result<(), StoreError>;

    /// The payment of an effect that may be or was taken, else the newest that ran out.
    fn payment_of(&self, effect: EffectId) -> Result<Option<Payment>, StoreError>;

    /// Payments that may still be taken, oldest first.
    fn open_payments(&self) -> Result<Vec<Payment>, StoreError>;

    /// Says what became of the money.
    fn conclude(&mut self, nonce: B256, state: PaymentState) -> Result<(), StoreError>;

    /// Keeps what was bought, so that whoever dies before using it is given it again.
    fn served(&mut self, nonce: B256, receipt: Option<&PaymentReceipt>, answer: &Goods) -> Result<(), StoreError>;

    /// Notes that nothing came back, and bars the host until a moment when it was the host's doing.
    fn unserved(&mut self, nonce: B256, why: &str, bar_until: Option<UtcTime>) -> Result<(), StoreError>;

    /// What payments of a UTC day, settled and open, come to.
    fn spent_on(&self, day: u64) -> Result<Usdc, StoreError>;

    /// Until when nothing is bought from a host.
    fn barred_until(&self, host: &str) -> Result<Option<UtcTime>, StoreError>;

    /// Who was paid at a host first.
    fn payee_of(&self, host: &str) -> Result<Option<Address>, StoreError>;

    /// Notes that an effect drew float from a partition; noting it again changes nothing.
    fn drew(&mut self, effect: EffectId, partition: Partition, amount: Usdc) -> Result<(), StoreError>;

    /// What went in and out.
    fn float_book(&self) -> Result<FloatBook, StoreError>;
}
