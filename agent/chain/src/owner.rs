//! The owner's desk: one function for each thing an owner, a guardian or anybody may do to a Golem (O-002).
//!
//! Before anything is signed the chain, the code at the address and the registry are asked whom it would reach. Each act is
//! tried first without being sent, so that a refusal costs nothing and comes in words with the next step; then it is sent,
//! replaced with a better fee when it hangs, and awaited to the deployment's confirmation depth. What it was for is
//! read back from the block it landed in: a mined transaction is no effect yet.
//!
//! A [`DeskError`] says why not: what a contract refused with its next step, what the wallet lacks, or what cannot be seen.

mod birth;
mod death;
mod desk;
mod error;
mod funds;
mod mandate;
mod policy;
mod preflight;
mod registration;
mod rules;
mod send;
mod unsigned;

pub use birth::{BirthPlan, Born};
pub use desk::{DeskPatience, OwnerDesk};
pub use error::DeskError;
pub use funds::{VaultBooks, WalletFunds};
pub use mandate::{CommittedMandate, MandatePlan, MandateStanding, Succeeding};
pub use policy::{Listing, Policy, Uses, WorstLoss};
pub use preflight::{PoolReport, PoolStanding};
pub use registration::{ProfileError, RegistrationProfile, Service};
pub use rules::{PolicyChange, Takeover, VaultHolding};
pub use send::{ActReceipt, DeskListener, DeskProgress};
pub use unsigned::OwnerAct;
