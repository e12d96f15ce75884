//! Lands at most one transaction per effect, and turns logs and reverts into typed outcomes.
//!
//! Two hands on one chain. [`OnChain`] is the agent's: it sees ([`Chain::sense`](golem_ports::Chain::sense), one
//! multicall at one block) and drives errands, each a step at a time: preview of the exact call, an [`ActionPermit`]
//! that only a preview grants, a signed attempt that is recorded before it is sent, then receipt, depth, verification.
//! Its only memory is the attempts, so it may be dropped between any two steps. [`OnPaper`] is the same without sending: it
//! sees the same market, and its calls move a pretended vault by the vault's own rules. The owner's hand is in `owner`, with its own keys and its own refusals.
//!
//! What either needs: [`Endpoints`] (several nodes as one), a [`Signer`] (keystore or external), a [`Deployment`] (the
//! suite's addresses, checked against the chain). What a contract says no with is a [`ContractRefusal`].
//!
//! ```no_run
//! # async fn example(deployment: golem_chain::Deployment, signer: golem_chain::Signer, posting: golem_chain::Posting)
//! # -> Result<(), Box<dyn std::error::Error>> {
//! use golem_chain::{EndpointSettings, Endpoints, HandSettings, OnChain};
//! use golem_ports::Chain;
//!
//! let endpoints = Endpoints::connect(&["http://127.0.0.1:8545".to_owned()], EndpointSettings::devnet()).await?;
//! let chain = OnChain::take_up(endpoints, signer, deployment, &posting, HandSettings::default()).await?;
//! println!("one token costs {}", chain.sense().await?.market.price);
//! # Ok(())
//! # }
//! ```

mod acts;
mod again;
mod batch;
mod bequest;
pub mod bindings;
mod deployment;
mod drive;
mod endpoints;
pub mod explorer;
mod fees;
mod fill;
mod float;
mod flows;
mod inflows;
pub mod lineage;
mod node;
mod on_chain;
mod owner;
mod paper;
mod place;
mod preview;
mod price;
mod reading;
mod reckoning;
mod register;
mod reorg;
mod revert;
mod rolls;
mod roster;
mod sight;
mod signer;
mod verify;

pub use again::Again;
pub use bequest::Attestation;
pub use deployment::{Deployment, DeploymentError};
pub use endpoints::{
    EndpointError, EndpointHealth, EndpointSettings, EndpointState, Endpoints, Failure, Head, Skew, redact_url,
};
pub use float::{FloatError, KeyFloat};
pub use on_chain::{HandSettings, OnChain};
pub use owner::{
    ActReceipt, BirthPlan, Born, CommittedMandate, DeskError, DeskListener, DeskPatience, DeskProgress, Listing,
    MandatePlan, MandateStanding, OwnerAct, OwnerDesk, Policy, PolicyChange, PoolReport, PoolStanding, ProfileError,
    RegistrationProfile, Service, Succeeding, Takeover, Uses, VaultBooks, VaultHolding, WalletFunds, WorstLoss,
};
pub use paper::{
    OnPaper, PaperError, PaperMarket, PaperPool, PaperPurse, PaperToken, PaperView, PastMarket, PastPool, PastPrice,
};
pub use place::{ListedPool, Posting, PostingError};
pub use preview::ActionPermit;
pub use reckoning::Stands;
pub use register::OnChainRegister;
pub use revert::ContractRefusal;
pub use roster::{PoolBeside, PoolStay, Roster};
pub use signer::{
    ExternalSigner, HandedSigner, HandedTransaction, KeyFileError, Keystore, LocalKey, PasswordStrength, Secret,
    Signer, SignerError, Unsigned, forbid_core_dumps,
};
