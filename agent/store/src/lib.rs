//! One SQLite file holds journal, outbox and knowledge of a Golem.
//!
//! [`SqliteStore`] is the one writer of a life: an input is appended, then the result of the pass lands in one
//! transaction. [`Reader`] looks on, also while another process writes. [`insurance`] makes whole copies that
//! prove themselves, and puts one back. This is the only room that writes SQL.

mod attempts;
mod codec;
mod commit;
mod error;
mod home;
pub mod insurance;
mod lock;
mod memory;
mod open;
mod payments;
mod reader;
mod records;
mod schema;
mod seal;
mod store;
mod sums;

pub use commit::SNAPSHOTS_KEPT;
pub use golem_ports::FinishedTrade;
pub use golem_ports::StoreError;
pub use insurance::INSURANCE_KEPT;
pub use memory::{Claimed, EntryChange, Flaw, GrimoireStats, Import, ImportError, ImportReason, Lookup};
pub use reader::Reader;
pub use records::{Counts, EffectHistory, Insured, Restoration, StoredEvent};
pub use schema::{APPLICATION_ID, SCHEMA};
pub use store::SqliteStore;
