//! What a devnet is started with, and how far its start has come.

use std::fmt;
use std::path::PathBuf;

use alloy_chains::NamedChain;
use golem_primitives::UtcTime;

use crate::error::DevnetError;
use crate::market::MarketKind;

/// The devnet's own chain id; no public chain has it.
const CHAIN_ID: u64 = 763_088;
/// The first block's time, 2026-01-01: fixed, because equal seeds shall give equal hashes.
const GENESIS: UtcTime = UtcTime::from_seconds(1_767_225_600);

/// What a devnet is started with.
#[derive(Debug, Clone)]
pub struct DevnetSettings {
    /// Folder for the lock, the log and saved chains.
    pub dir: PathBuf,
    /// A port, or any free one.
    pub port: Option<u16>,
    pub chain_id: u64,
    pub seed: u64,
    pub market: MarketKind,
    /// Seconds between blocks, in chain time.
    pub block_seconds: u64,
    /// Time of the first block.
    pub genesis: UtcTime,
    /// Start as a fork of another chain.
    pub fork: Option<Fork>,
    /// Use and fill the cache of built worlds.
    pub cache: bool,
    /// Go on where the last devnet of this folder stopped.
    pub resume: bool,
}

impl DevnetSettings {
    /// The defaults, kept in `dir`.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            port: None,
            chain_id: CHAIN_ID,
            seed: 1,
            market: MarketKind::Mixed,
            block_seconds: 2,
            genesis: GENESIS,
            fork: None,
            cache: true,
            resume: false,
        }
    }
}

/// A chain to fork.
#[derive(Debug, Clone)]
pub struct Fork {
    pub url: String,
    /// A block, or the newest.
    pub block: Option<u64>,
}

/// How far the start has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StartStage {
    Starting,
    /// Contracts are being deployed.
    Building,
    /// The pool's past is being traded.
    Remembering,
    /// A saved chain is being loaded.
    Loading,
    /// Another chain is being forked.
    Forking,
    /// Blocks can be produced.
    Ready,
}

impl fmt::Display for StartStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Starting => "starting anvil",
            Self::Building => {
                "deploying USDC, WETH9, Uniswap V3 and Multicall3 from their published artifacts, and the suite"
            }
            Self::Remembering => "trading half an hour of history into the pool",
            Self::Loading => "loading the saved chain",
            Self::Forking => "forking the other chain and dealing USDC",
            Self::Ready => "ready",
        })
    }
}

/// Refuses the id of a public chain; the two that every local node uses are nobody's.
pub fn check_chain_id(chain_id: u64) -> Result<(), DevnetError> {
    match NamedChain::try_from(chain_id) {
        Ok(NamedChain::Dev | NamedChain::AnvilHardhat) | Err(_) => Ok(()),
        Ok(public) => Err(DevnetError::PublicChainId { chain_id, name: public.to_string(), default: CHAIN_ID }),
    }
}
