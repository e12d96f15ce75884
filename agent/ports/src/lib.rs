//! The waist: what the world can do for an agent, as traits. The law knows none of them; adapters know nothing else.
//!
//! [`Chain`] sees and acts, [`Store`] remembers, [`TickSource`] says when; [`Float`] and [`Payments`] are what a purchase
//! needs. An adapter that refuses says so in an
//! [`Outcome`](golem_core::record::Outcome); only what keeps it from answering at all is an error.

mod chain;
mod payments;
mod store;
mod tick_source;

pub use chain::{
    Act, Attempt, AttemptState, Attempts, Blindness, Chain, ChainError, Declaration, Errand, Progress, Rolls, Stain,
    Testament,
};
pub use payments::{
    Answer, Authorisation, Delivery, Float, FloatBook, FloatPlace, Payment, PaymentReceipt, PaymentState, Payments,
    Usage,
};
pub use store::{Committed, JournalEntry, OpenEffect, Restored, Store, StoreError, StoredOutcome};
pub use tick_source::{Moment, TickSource, TickSourceError};
