//! The memory of a pretended chain: one file in the Golem's folder, written whole or not at all. Each effect has one place in
//! it, so that whoever drives it again, after a crash or a restart, is told what came of it and changes nothing.

use std::path::{Path, PathBuf};

use alloy::primitives::{Address, Bytes};
use golem_core::record::{Order, OutcomeVerification};
use golem_edge::files::{self, FileError};
use golem_ports::StoreError;
use golem_primitives::{Denomination, EffectId, PoolName, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use super::vault::{Line, PARTITIONS, PretendedVault};
use crate::node::Log;
use crate::place::{Place, Pool, PostingError};
use crate::preview::PermitRecord;
use crate::sight::{DEAD, DYING, PHASES};

/// The form of the file.
pub(super) const VERSION: u32 = 1;
/// More than this is no such file.
const MOST_BYTES: u64 = 16 << 20;
/// Effects whose end is remembered; far fewer are ever open at once.
const LANDED: usize = 128;
/// Logs that are kept for the books of a life.
const LOGS: usize = 512;

/// What a Golem on paper begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperPurse {
    pub credits: Usdc,
    pub capital: Usdc,
    /// The key's native coin, for gas.
    pub wei: u128,
}

/// P-057. A pool that a life on paper trades in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperPool {
    pub name: PoolName,
    pub address: Address,
    /// What it has beside USDC.
    pub token: Address,
    pub denomination: Denomination,
}

impl From<&Pool> for PaperPool {
    fn from(pool: &Pool) -> Self {
        Self { name: pool.name, address: pool.address, token: pool.token, denomination: pool.denomination() }
    }
}

/// R-013, P-057. The market that a life on paper lives beside: it never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperMarket {
    /// The chain; 0 for prices of the past.
    pub chain: u64,
    pub home: PaperPool,
    pub beside: Vec<PaperPool>,
}

impl PaperMarket {
    /// Every pool, the home pool first.
    pub fn pools(&self) -> impl Iterator<Item = &PaperPool> {
        std::iter::once(&self.home).chain(&self.beside)
    }

    /// Whether it is this one still. A token's maker may call it something else; it is the same token.
    pub(super) fn is(&self, other: &Self) -> bool {
        let of = |market: &Self| {
            let pools = market.pools().map(|pool| (pool.name, pool.address, pool.token, pool.denomination.decimals));
            (market.chain, pools.collect::<Vec<_>>())
        };
        of(self) == of(other)
    }
}

impl From<&Place> for PaperMarket {
    fn from(place: &Place) -> Self {
        Self {
            chain: place.deployment.chain_id,
            home: PaperPool::from(&place.pool),
            beside: place.elsewhere.iter().map(PaperPool::from).collect(),
        }
    }
}

impl std::fmt::Display for PaperMarket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pools: Vec<String> = self.pools().map(|pool| format!("{}={}", pool.name, pool.address)).collect();
        write!(f, "{} of chain {}", pools.join(", "), self.chain)
    }
}

/// Why nobody can live on paper there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PaperError {
    #[error(transparent)]
    Posting(#[from] PostingError),
    #[error("the pretended vault cannot be kept")]
    File(#[from] FileError),
    #[error("{} is no pretended vault that this version reads: {why}; use the version that wrote it, or another name", .path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error("there is a life on paper, and its pretended vault {} is gone; bring the file back, or begin another by another name", .path.display())]
    Missing { path: PathBuf },
    #[error(
        "it lives on paper beside {market}; name that chain and those pools, the first with --pool and the others with --also, \
         or no pool at all; or begin another by another name"
    )]
    Elsewhere { market: PaperMarket },
    #[error(
        "it lives on paper beside another market: files of prices that begin otherwise or have other names or fees, or a chain; \
         name that one, or begin another"
    )]
    OtherPrices,
    #[error("{credits} of credits leaves nothing beside the reserve of a death; give at least 1 USDC")]
    Poor { credits: Usdc },
}

/// A call that waits for the next block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Flight {
    pub(super) effect: EffectId,
    pub(super) tick: Tick,
    pub(super) order: Option<Order>,
    pub(super) to: Address,
    pub(super) data: Bytes,
    pub(super) block: u64,
    pub(super) record: PermitRecord,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    Trade(Box<OutcomeVerification>),
    /// Anything else that succeeded.
    Said(Vec<Log>),
    /// Anything else that did not.
    Reverted(String),
}

/// An effect that is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Landed {
    pub(super) effect: EffectId,
    pub(super) tick: Tick,
    pub(super) block: u64,
    pub(super) cost: Usdc,
    pub(super) verdict: Verdict,
}

/// What every form of the file says.
#[derive(Debug, Deserialize)]
struct Form {
    version: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Account {
    version: u32,
    pub(super) market: PaperMarket,
    born: u64,
    born_at: UtcTime,
    given: PaperPurse,
    /// The newest block that was looked at, and its time.
    pub(super) block: u64,
    pub(super) time: UtcTime,
    pub(super) vault: PretendedVault,
    pub(super) flight: Option<Flight>,
    pub(super) landed: Vec<Landed>,
    /// The newest tick that wanted something of it.
    pub(super) newest: Tick,
    /// Behind this block no log is missing.
    pub(super) logs_from: u64,
    pub(super) logs: Vec<(u64, Log)>,
}

impl Account {
    pub(super) fn begin(market: PaperMarket, given: PaperPurse, block: u64, time: UtcTime) -> Self {
        Self {
            version: VERSION,
            market,
            born: block,
            born_at: time,
            given,
            block,
            time,
            vault: PretendedVault::born(given.credits, given.capital, given.wei, block, time),
            flight: None,
            landed: Vec::new(),
            newest: Tick::ZERO,
            logs_from: block,
            logs: Vec::new(),
        }
    }

    pub(super) fn read(path: &Path) -> Result<Self, PaperError> {
        let text = files::read_text(path, MOST_BYTES)?;
        let unreadable = |why: String| PaperError::Unreadable { path: path.to_owned(), why };
        // Its form first: of another one nothing else can be said.
        let Form { version } = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        if version != VERSION {
            return Err(unreadable(format!("it has the form {version}, this version writes {VERSION}")));
        }
        serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))
    }

    /// On disk when this returns.
    pub(super) fn keep(&self, path: &Path) -> Result<(), StoreError> {
        let text = serde_json::to_string(self)
            .map_err(|error| StoreError::Failed { path: path.to_owned(), detail: error.to_string() })?;
        files::write_whole(path, text.as_bytes()).map_err(|error| match error {
            FileError::Refused { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
                StoreError::DiskFull { path: path.to_owned() }
            }
            other => StoreError::Failed { path: path.to_owned(), detail: other.to_string() },
        })
    }

    pub(super) fn landed(&self, effect: EffectId) -> Option<&Landed> {
        self.landed.iter().rev().find(|landed| landed.effect == effect)
    }

    pub(super) fn land(&mut self, landed: Landed) {
        if self.landed.len() >= LANDED {
            self.landed.remove(0);
        }
        self.landed.push(landed);
    }

    /// Keeps what the books of a life are held against.
    pub(super) fn note(&mut self, block: u64, logs: &[Log]) {
        let vault = super::vault::VAULT;
        self.logs.extend(logs.iter().filter(|log| log.address == vault).map(|log| (block, log.clone())));
        if let Some(over) = self.logs.len().checked_sub(LOGS).filter(|over| *over > 0) {
            self.logs_from = self.logs.drain(..over).next_back().map_or(self.logs_from, |(block, _)| block);
        }
    }
}

/// P-057. What a pretended vault holds of a token outside of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PaperToken {
    pub token: Address,
    pub denomination: Denomination,
    /// How much of it, in its smallest units.
    pub held: u128,
    pub cost: Usdc,
}

impl PaperToken {
    fn of(line: &Line, market: &PaperMarket) -> Self {
        let pool = market.pools().find(|pool| pool.token == line.token);
        let denomination = pool.map_or_else(Denomination::default, |pool| pool.denomination);
        Self { token: line.token, denomination, held: line.held, cost: Usdc::from_micros(line.book) }
    }
}

/// What a pretended vault shows to whoever only looks, as the chain shows a real one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PaperView {
    pub market: PaperMarket,
    pub born: u64,
    pub born_at: UtcTime,
    pub given: PaperPurse,
    pub block: u64,
    pub time: UtcTime,
    /// `alive`, `dying` or `dead`.
    pub life: &'static str,
    pub phase: String,
    pub vitality_ppm: u32,
    /// The tick last reported.
    pub ticks: u64,
    pub last_beat: UtcTime,
    /// When anybody could end its death.
    pub deadline: Option<UtcTime>,
    pub credits: [(&'static str, Usdc); 4],
    pub reserve: Usdc,
    /// USDC to trade with that is not at work.
    pub capital: Usdc,
    /// What is at work has cost this.
    pub deployed: Usdc,
    /// Every token that it ever held.
    pub tokens: Vec<PaperToken>,
    /// The key's native coin.
    pub key_wei: u128,
    /// What gas has cost it so far.
    pub gas_wei: u128,
    pub host_paid: Usdc,
}

impl PaperView {
    /// Reads a pretended vault without touching it.
    pub fn read(path: &Path) -> Result<Self, PaperError> {
        Account::read(path).map(|account| Self::of(&account))
    }

    fn of(account: &Account) -> Self {
        let vault = &account.vault;
        Self {
            market: account.market.clone(),
            born: account.born,
            born_at: account.born_at,
            given: account.given,
            block: account.block,
            time: account.time,
            life: match vault.life {
                DEAD => "dead",
                DYING => "dying",
                _ => "alive",
            },
            phase: PHASES.get(usize::from(vault.pulse.phase)).map_or_else(String::new, ToString::to_string),
            vitality_ppm: vault.pulse.vitality,
            ticks: vault.pulse.tick,
            last_beat: UtcTime::from_seconds(vault.pulse.beat_at),
            deadline: (vault.life == DYING).then(|| UtcTime::from_seconds(vault.deadline)),
            credits: PARTITIONS.map(|(name, place)| (name, Usdc::from_micros(vault.credits[usize::from(place)]))),
            reserve: Usdc::from_micros(vault.reserve),
            capital: Usdc::from_micros(vault.capital),
            deployed: Usdc::from_micros(vault.deployed),
            tokens: vault.lines.iter().map(|line| PaperToken::of(line, &account.market)).collect(),
            key_wei: vault.key_wei,
            gas_wei: vault.gas_wei,
            host_paid: Usdc::from_micros(vault.host_paid),
        }
    }
}
