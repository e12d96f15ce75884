//! Payments over HTTP 402, both ways and both versions of the protocol.
//!
//! [`Payer`] buys: a 402 answer of a listed server is paid from the float within the owner's caps, by an EIP-3009
//! authorisation whose name follows from the purchase, recorded before it is sent. Whoever dies in between finds it, asks
//! the chain, and never pays twice. [`SourceMarket`] lets a life buy from the owner's sources by name; [`float`] says whose
//! money the float is.
//!
//! [`Payee`] sells: anyone feeds the vault or buys what the owner allows; a facilitator verifies and settles
//! before anything is handed out, and one header is one sale. [`advertise`] says so in the registration file.

mod fetch;
pub mod float;
mod host;
mod market;
mod offer;
mod payee;
mod payer;
mod payload;
mod purchase;
mod registration;

pub use host::{Host, HostError, Listed};
pub use market::{PaidSource, PurchaseBounds, SourceMarket};
pub use offer::Unfit;
pub use payee::{
    Counter, Good, LEAST_FEED, Payee, PayeeError, PayeeSettings, PriceList, SetOnSale, Taken, TillError, Wares,
};
pub use payer::{Payer, PayerSettings};
pub use purchase::{BoughtAnswer, Cap, Purchase, PurchaseError, PurchaseRequest, REQUEST_BYTES};
pub use registration::{Described, RegistrationError, ServiceTold, advertise, advertised, carried_image, described};
