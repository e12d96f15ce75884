//! Lands at most one transaction per effect, and turns logs and reverts into typed outcomes.

mod acts;
mod batch;
pub mod bindings;
mod deployment;
mod endpoints;
mod node;
mod place;
mod price;
mod reading;
mod revert;
mod sight;
mod signer;

pub use deployment::{Deployment, DeploymentError};
pub use endpoints::{
    EndpointError, EndpointHealth, EndpointSettings, EndpointState, Endpoints, Failure, Head, Skew, redact_url,
};
pub use place::{Posting, PostingError};
pub use revert::Refusal;
pub use signer::{
    ExternalSigner, KeyFileError, Keystore, LocalKey, Secret, Signer, SignerError, Strength, forbid_core_dumps,
};
