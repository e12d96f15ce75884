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

pub use buyer::{Buyer, Purchased, WantedPurchase};
pub use chain::{
    Act, Attempt, AttemptState, Attempts, Blindness, Chain, ChainError, Declaration, Errand, Progress, Rolls,
    SettledTestament, Stain,
};
pub use clade::{Clade, CladeError, HeardWord, WordKind};
pub use dreaming::{Mused, Reverie};
pub use dreams::{DreamRecord, Dreams, FIRST_SUPPOSED_NOTE, OpenDream, Settled, Stirring};
pub use embedder::{Embedder, EmbedderError, EmbeddingPurpose};
pub use inference::{
    Charge, Inference, InferenceError, InferenceFault, Metering, Prompt, PromptId, Request, Schema, SchemaField,
    Thinking, Thought, Usage,
};
pub use memory::{
    Arrived, Arriving, Asked, Basis, Cycle, EmbeddingModel, EmbeddingProgress, EmbeddingState, Filter, Hit, Memory,
    PlaybookHeader, PlaybookVersion, Refusal, Revised, SearchAnswer, SearchOrder, Shelf, Vector,
};
pub use payments::{
    Authorisation, AuthorisationUse, Delivery, Float, FloatBook, FloatPlace, Goods, Payment, PaymentReceipt,
    PaymentState, Payments,
};
pub use register::{Enrolled, Register, RegisterAnswer, Vital};
pub use store::{
    Committed, FinishedTrade, JournalEntry, OpenEffect, Restored, Store, StoreError, StoredOutcome, TAKE_OVER_NOTE,
};
pub use study::{About, Conclusion, Considered, Episodes, LastWords, LookBack, Matter, Misses, Supposition};
pub use thinker::{Advised, ChoiceQuestion, Thinker};
pub use tick_source::{TickSource, TickSourceError, WaitEnd};
