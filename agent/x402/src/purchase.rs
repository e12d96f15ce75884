//! A purchase, what came of it, and why it did not.

use golem_core::record::Partition;
use golem_ports::{Blindness, ChainError, Goods, PaymentReceipt, StoreError};
use golem_primitives::{Address, EffectId, Usdc, UtcTime};

use crate::host::HostError;
use crate::offer::Unfit;

/// The longest body that is sent.
pub const REQUEST_BYTES: usize = 256 * 1024;

/// Something to be bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    /// Its one name for ever; asking again for it never pays again.
    pub effect: EffectId,
    /// The partition that bears it: data, or llm for paid inference.
    pub partition: Partition,
    pub url: String,
    pub request: PurchaseRequest,
    /// The most this one may cost.
    pub at_most: Usdc,
    /// The life's time: its UTC day bears the cost.
    pub now: UtcTime,
}

/// How something is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurchaseRequest {
    /// Nothing is sent.
    Get,
    Post {
        media: String,
        /// Its bytes, at most [`REQUEST_BYTES`].
        body: Vec<u8>,
    },
}

/// What was bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoughtAnswer {
    /// The answer. Untrusted text, as every answer is.
    pub answer: Goods,
    /// What it cost; nothing when the server asked for nothing.
    pub paid: Usdc,
    /// The server's receipt.
    pub receipt: Option<PaymentReceipt>,
}

/// Which bound a price is above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cap {
    /// The purchase's own.
    Purchase,
    /// The owner's for one call.
    PerCall,
}

impl Cap {
    const fn words(self) -> &'static str {
        match self {
            Self::Purchase => "this purchase",
            Self::PerCall => "one call, `x402.per_call`,",
        }
    }
}

/// Why nothing was bought. Up to [`PurchaseError::NotTaken`] nothing was given away.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PurchaseError {
    #[error(transparent)]
    Host(#[from] HostError),
    #[error("{host} is not listed; the owner adds it to `x402.hosts` if it may be paid")]
    NotListed { host: String },
    /// It took money and served nothing.
    #[error("{host} took money and served nothing; nothing is bought there until {until}")]
    Barred {
        host: String,
        /// The end of the day.
        until: UtcTime,
    },
    #[error("the request has {bytes} bytes, at most {most} are sent; ask for less")]
    RequestTooLong { bytes: usize, most: usize },
    #[error("{host} does not answer: {why}; nothing was paid, try again later")]
    Unreachable { host: String, why: String },
    #[error("{host} answered {status} instead of serving or naming a price")]
    Refused { host: String, status: u16 },
    /// A 402 that offers nothing readable.
    #[error("{host} asks for payment and names no terms that can be read: {why}")]
    NoOffer { host: String, why: &'static str },
    #[error("{host} offers nothing that is paid here: {why}")]
    Unfit { host: String, why: Unfit },
    #[error("{host} asks {price}, {} may cost {most}; nothing was signed", cap.words())]
    TooDear { host: String, price: Usdc, most: Usdc, cap: Cap },
    #[error("{host} asks {price}, of the day's `x402.per_day` {left} is left; try again tomorrow")]
    DayCap { host: String, price: Usdc, left: Usdc },
    /// It wants somebody else to be paid than before.
    #[error(
        "{host} was paid at {known} and now names {offered}; the owner pins the payee in `x402.hosts` if that is right"
    )]
    PayeeChanged {
        host: String,
        /// Whom it named first, or the owner pinned.
        known: Address,
        /// Whom it names now.
        offered: Address,
    },
    /// V-006. The partition's share of the float does not cover it.
    #[error("the float of {partition:?} lacks {short}; draw it from the vault and try again")]
    FloatShort {
        partition: Partition,
        /// How much is missing.
        short: Usdc,
    },
    /// The effect was a purchase elsewhere before.
    #[error("effect {effect} is a purchase at {host} already; a purchase keeps its effect")]
    AnotherPurchase { effect: EffectId, host: String },
    #[error(transparent)]
    Blind(#[from] Blindness),
    #[error(transparent)]
    Signer(#[from] ChainError),
    #[error("the payment could not be recorded")]
    Store(#[from] StoreError),
    #[error("{host} was offered {amount} and has not taken it: {why}; ask again with the same effect")]
    NotTaken {
        host: String,
        /// How much it may still take.
        amount: Usdc,
        why: String,
    },
    #[error("{host} was offered {amount} and did not take it in time; nothing was paid, buy it under a new effect")]
    RanOut { host: String, amount: Usdc },
    /// The money is gone and nothing came back.
    #[error("{host} took {amount} and served nothing: {why}; it is barred for the day")]
    Unserved {
        host: String,
        amount: Usdc,
        /// What it answered instead.
        why: String,
    },
}

impl PurchaseError {
    /// Whether the same purchase, under the same effect, may succeed later.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::Blind(_)
            | Self::NotTaken { .. }
            | Self::FloatShort { .. }
            | Self::DayCap { .. }
            | Self::Barred { .. } => true,
            Self::Refused { status, .. } => *status >= 500 || *status == 429,
            Self::Signer(error) => error.may_retry(),
            Self::Store(error) => error.may_retry(),
            _ => false,
        }
    }

    /// What it cost all the same.
    #[must_use]
    pub const fn spent(&self) -> Usdc {
        match self {
            Self::Unserved { amount, .. } => *amount,
            _ => Usdc::ZERO,
        }
    }
}
