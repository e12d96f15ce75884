//! What can go wrong with a local L2, each with what to do next.

use std::path::PathBuf;

use alloy::primitives::{Address, TxHash};
use alloy::transports::TransportError;

use crate::market::CsvError;
use crate::tools::ToolError;

/// A failure of the devnet.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DevnetError {
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error("port {port} is taken by another process; choose another with --port, or leave it out for a free one")]
    PortTaken { port: u16 },
    #[error(
        "a devnet already runs from {dir} (process {pid}, {rpc_url}{differs}); stop it with `bardo chain down`, or choose another --dir"
    )]
    AlreadyRunning {
        dir: PathBuf,
        /// The process that holds it.
        pid: u32,
        /// Where it answers.
        rpc_url: String,
        /// What of it is not as asked for, in words.
        differs: String,
    },
    #[error("no devnet runs from {dir}; start one with `bardo chain up`")]
    NotRunning { dir: PathBuf },
    #[error("process {pid} did not stop within {seconds} s; end it with `kill {pid}`")]
    WontStop {
        pid: u32,
        /// How long it was given.
        seconds: u64,
    },
    #[error(
        "chain id {chain_id} is {name}'s; a devnet signature would be valid there. Use another, such as the default {default}"
    )]
    PublicChainId { chain_id: u64, name: String, default: u64 },
    #[error("anvil {what}{}", tail(log))]
    NodeDied {
        what: String,
        /// The last lines it wrote.
        log: String,
    },
    #[error("the node failed to answer {what}")]
    Rpc {
        what: String,
        #[source]
        source: TransportError,
    },
    #[error("the node answered {what} with something unreadable: {detail}")]
    Unreadable { what: String, detail: String },
    #[error("{step} failed in transaction {tx}: {reason}")]
    Reverted { step: String, tx: TxHash, reason: String },
    #[error("the artifact {path} is unusable: {detail}; reinstall with ./scripts/setup")]
    Artifact { path: PathBuf, detail: String },
    #[error(transparent)]
    Csv(#[from] CsvError),
    #[error("the saved state {path} cannot be used: {detail}; start afresh with `bardo chain up` without --resume")]
    StaleState { path: PathBuf, detail: String },
    #[error("the chain at {url} has no {what} at {address}; fork a devnet of this version, Base or Base Sepolia")]
    NothingToFork { url: String, what: &'static str, address: Address },
    #[error("the balances of token {token} could not be found in its storage, so none can be dealt")]
    NoBalanceSlot { token: Address },
    #[error("{what} {path}")]
    File {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

impl DevnetError {
    pub(crate) fn rpc(what: impl Into<String>) -> impl FnOnce(TransportError) -> Self {
        let what = what.into();
        move |source| Self::Rpc { what, source }
    }

    pub(crate) fn file(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { what, path, source }
    }
}

fn tail(log: &str) -> String {
    if log.is_empty() { String::new() } else { format!("; it said:\n{log}") }
}
