//! Lands at most one transaction per effect, and turns logs and reverts into typed outcomes.

mod acts;
mod again;
mod batch;
pub mod bindings;
mod deployment;
mod drive;
mod endpoints;
mod fees;
mod flows;
pub mod lineage;
mod node;
mod on_chain;
mod owner;
mod paper;
mod place;
mod preview;
mod price;
mod reading;
mod reorg;
mod revert;
mod sight;
mod signer;
mod verify;

pub use again::Again;
pub use deployment::{Deployment, DeploymentError};
pub use endpoints::{
    EndpointError, EndpointHealth, EndpointSettings, EndpointState, Endpoints, Failure, Head, Skew, redact_url,
};
pub use on_chain::{HandSettings, OnChain};
pub use owner::{
    BirthPlan, Born, Committed, DeskError, DeskProgress, FundingWay, Listing, MandatePlan, OwnerDesk, Patience, Policy,
    PolicyChange, Purse, Receipt, Report, Standing, Succeeding, Uses, VaultBooks, WorstLoss,
};
pub use paper::OnPaper;
pub use place::{Posting, PostingError};
pub use preview::ActionPermit;
pub use revert::Refusal;
pub use signer::{
    ExternalSigner, KeyFileError, Keystore, LocalKey, Secret, Signer, SignerError, Strength, forbid_core_dumps,
};
