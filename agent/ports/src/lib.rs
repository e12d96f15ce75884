//! The waist: what the world can do for an agent, as traits. The law knows none of them; adapters know nothing else.
//!
//! [`Chain`] sees and acts, [`Inference`] answers, [`Thinker`] puts choices and dreams to it, [`Store`] remembers what happened, [`Memory`] what it taught,
//! [`TickSource`] says when, [`Embedder`] measures what texts mean, [`Clade`] carries words between siblings, and [`Register`] says whose they are; [`Buyer`] buys, and [`Float`] and [`Payments`] are what
//! a purchase needs.
//! An adapter that refuses says so in an [`Outcome`](golem_core::record::Outcome); only what keeps it from answering at
//! all is an error.

mod buyer;
mod chain;
mod clade;
mod dreaming;
mod dreams;
pub mod drift;
mod embedder;
mod inference;
mod memory;
mod payments;
mod register;
mod store;
mod study;
mod thinker;
mod tick_source;

pub use buyer::{Buyer, Purchased, Wanted};
pub use chain::{
    Act, Attempt, AttemptState, Attempts, Blindness, Chain, ChainError, Declaration, Errand, Progress, Rolls, Stain,
    Testament,
};
pub use clade::{Clade, CladeError, HeardWord, WordKind};
pub use dreaming::{Mused, Reverie};
pub use dreams::{DreamRecord, Dreaming, Dreams, FIRST_SUPPOSED_NOTE, Settled, Stirring};
pub use embedder::{Embedder, EmbedderError, Purpose};
pub use inference::{
    Charge, Field, Inference, InferenceError, InferenceFault, Metering, Prompt, PromptId, Request, Schema, Thinking,
    Thought, Usage,
};
pub use memory::{
    Answer, Arrived, Arriving, Asked, Basis, Cycle, EmbeddingModel, EmbeddingProgress, EmbeddingState, Filter, Hit,
    Memory, Order, PlaybookHeader, PlaybookVersion, Refusal, Revised, Shelf, Vector,
};
pub use payments::{
    Authorisation, AuthorisationUse, Delivery, Float, FloatBook, FloatPlace, Goods, Payment, PaymentReceipt,
    PaymentState, Payments,
};
pub use register::{Enrolled, Reading, Register, Vital};
pub use store::{
    Committed, JournalEntry, OpenEffect, Restored, Store, StoreError, StoredOutcome, TAKE_OVER_NOTE, Trade,
};
pub use study::{About, Conclusion, Considered, Episodes, LastWords, LookBack, Matter, Misses, Supposition};
pub use thinker::{Advised, Question, Thinker};
pub use tick_source::{Moment, TickSource, TickSourceError};
