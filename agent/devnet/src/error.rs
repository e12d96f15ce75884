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
    PortTaken {
        /// The port.
        port: u16,
    },
    /// A devnet already runs from this folder.
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
    NotRunning {
        /// The folder.
        dir: PathBuf,
    },
    /// The running devnet ignored the request to stop.
    #[error("process {pid} did not stop within {seconds} s; end it with `kill {pid}`")]
    WontStop {
        pid: u32,
        /// How long it was given.
        seconds: u64,
    },
    #[error(
        "chain id {chain_id} is {name}'s; a devnet signature would be valid there. Use another, such as the default {default}"
    )]
    PublicChainId {
        /// The id asked for.
        chain_id: u64,
        /// The public chain.
        name: String,
        /// Ours.
        default: u64,
    },
    /// anvil ended or never answered.
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
    Unreadable {
        /// The request.
        what: String,
        /// What was wrong.
        detail: String,
    },
    /// A transaction of the devnet's own failed.
    #[error("{step} failed in transaction {tx}: {reason}")]
    Reverted {
        /// What was being done.
        step: String,
        /// The transaction.
        tx: TxHash,
        /// What the node says of it.
        reason: String,
    },
    /// A published artifact is not what it should be.
    #[error("the artifact {path} is unusable: {detail}; reinstall with ./scripts/setup")]
    Artifact {
        /// The file.
        path: PathBuf,
        /// What was wrong.
        detail: String,
    },
    /// The market's CSV cannot be used.
    #[error(transparent)]
    Csv(#[from] CsvError),
    #[error("the saved state {path} cannot be used: {detail}; start afresh with `bardo chain up` without --resume")]
    StaleState {
        /// The file.
        path: PathBuf,
        /// What was wrong.
        detail: String,
    },
    /// The forked chain has no contract where the world should stand.
    #[error("the chain at {url} has no {what} at {address}; fork a devnet of this version, Base or Base Sepolia")]
    NothingToFork {
        /// The endpoint.
        url: String,
        /// The missing part.
        what: &'static str,
        /// Where it was looked for.
        address: Address,
    },
    /// The balance slot of a token could not be found.
    #[error("the balances of token {token} could not be found in its storage, so none can be dealt")]
    NoBalanceSlot {
        /// The token.
        token: Address,
    },
    /// A file could not be read or written.
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
