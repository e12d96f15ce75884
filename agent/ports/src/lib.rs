//! The waist: what the world can do for an agent, as traits. The law knows none of them; adapters know nothing else.
//!
//! [`Chain`] sees and acts, [`Store`] remembers what happened, [`Memory`] what it taught, [`TickSource`] says when. An adapter that refuses says so in an
//! [`Outcome`](golem_core::record::Outcome); only what keeps it from answering at all is an error.

mod chain;
mod memory;
mod store;
mod tick_source;

pub use chain::{
    Act, Attempt, AttemptState, Attempts, Blindness, Chain, ChainError, Declaration, Errand, Progress, Rolls, Stain,
    Testament,
};
pub use memory::{
    Answer, Arrived, Arriving, Asked, Basis, Cycle, EmbeddingModel, EmbeddingProgress, EmbeddingState, Filter, Hit,
    Memory, Order, PlaybookHeader, PlaybookVersion, Refusal, Revised, Shelf, Vector,
};
pub use store::{Committed, JournalEntry, OpenEffect, Restored, Store, StoreError, StoredOutcome};
pub use tick_source::{Moment, TickSource, TickSourceError};
