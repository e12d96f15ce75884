//! The price the market trades to, block by block: a seeded process, a recorded history, or a still pool.

mod chance;
mod process;
mod replay;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use golem_primitives::Usdc;
use serde::{Deserialize, Serialize};

pub use process::Process;
pub use replay::{CsvError, Replay};

/// What a market does at a time of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarketRegime {
    TrendUp,
    TrendDown,
    /// Prices return to an anchor.
    Range,
    /// Prices swing and jump.
    Volatile,
}

impl MarketRegime {
    /// All regimes, in the order they are drawn.
    pub const ALL: [Self; 4] = [Self::TrendUp, Self::TrendDown, Self::Range, Self::Volatile];
}

impl fmt::Display for MarketRegime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::TrendUp => "trend up",
            Self::TrendDown => "trend down",
            Self::Range => "range",
            Self::Volatile => "volatile",
        })
    }
}

/// How much of the maker's liquidity stands in the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PoolDepth {
    Deep,
    /// A tenth of it.
    Thin,
}

impl fmt::Display for PoolDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Deep => "deep",
            Self::Thin => "thin",
        })
    }
}

/// The market at one block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarketMoment {
    /// What one WETH shall cost.
    pub price: Usdc,
    /// The block's base fee.
    pub base_fee_wei: u64,
    /// How deep the pool is.
    pub depth: PoolDepth,
    /// The regime of the process; a history and a still pool have none.
    pub regime: Option<MarketRegime>,
}

/// Which market a devnet has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarketKind {
    /// The process, switching among all regimes.
    #[default]
    Mixed,
    /// The process, held in one regime.
    Only(MarketRegime),
    /// A recorded history.
    Csv(PathBuf),
    /// No market: blocks come, the price stands where the last trade left it.
    Still,
}

impl fmt::Display for MarketKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mixed => f.pad("mixed"),
            Self::Only(MarketRegime::TrendUp) => f.pad("trend-up"),
            Self::Only(MarketRegime::TrendDown) => f.pad("trend-down"),
            Self::Only(MarketRegime::Range) => f.pad("range"),
            Self::Only(MarketRegime::Volatile) => f.pad("volatile"),
            Self::Csv(path) => write!(f, "csv:{}", path.display()),
            Self::Still => f.pad("still"),
        }
    }
}

/// A market name nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no market; choose mixed, trend-up, trend-down, range, volatile, still or csv:FILE")]
pub struct UnknownMarket(String);

impl FromStr for MarketKind {
    type Err = UnknownMarket;

    fn from_str(text: &str) -> Result<Self, UnknownMarket> {
        Ok(match text {
            "mixed" => Self::Mixed,
            "trend-up" => Self::Only(MarketRegime::TrendUp),
            "trend-down" => Self::Only(MarketRegime::TrendDown),
            "range" => Self::Only(MarketRegime::Range),
            "volatile" => Self::Only(MarketRegime::Volatile),
            "still" => Self::Still,
            other => match other.strip_prefix("csv:").filter(|path| !path.is_empty()) {
                Some(path) => Self::Csv(PathBuf::from(path)),
                None => return Err(UnknownMarket(other.to_owned())),
            },
        })
    }
}

/// A market in motion.
#[derive(Debug)]
pub(crate) enum Market {
    Process(Box<Process>),
    Replay(Replay),
    Still { base_fee_wei: u64 },
}

/// The base fee of a market without a process: 0.01 gwei, a quiet day on an L2.
const QUIET_BASE_FEE: u64 = 10_000_000;

impl Market {
    pub(crate) fn open(kind: &MarketKind, seed: u64, start: Usdc) -> Result<Self, CsvError> {
        Ok(match kind {
            MarketKind::Mixed => Self::Process(Box::new(Process::new(seed, None, start))),
            MarketKind::Only(regime) => Self::Process(Box::new(Process::new(seed, Some(*regime), start))),
            MarketKind::Csv(path) => Self::Replay(Replay::read(path)?),
            MarketKind::Still => Self::Still { base_fee_wei: QUIET_BASE_FEE },
        })
    }

    /// The price the pool opens with.
    pub(crate) fn start(&self, otherwise: Usdc) -> Usdc {
        match self {
            Self::Replay(replay) => replay.current(),
            Self::Process(_) | Self::Still { .. } => otherwise,
        }
    }

    /// The market `seconds` later. A history waits for the first live block; the process is already moving when the
    /// pool's past is written.
    pub(crate) fn step(&mut self, seconds: u64, live: bool, now: Usdc) -> MarketMoment {
        let quiet = |price| MarketMoment { price, base_fee_wei: QUIET_BASE_FEE, depth: PoolDepth::Deep, regime: None };
        match self {
            Self::Process(process) => process.step(seconds),
            Self::Replay(replay) if live => quiet(replay.next_price()),
            Self::Replay(replay) => quiet(replay.current()),
            Self::Still { base_fee_wei } => MarketMoment { base_fee_wei: *base_fee_wei, ..quiet(now) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn market_names_round_trip_and_others_are_refused_with_the_list() {
        for name in ["mixed", "trend-up", "trend-down", "range", "volatile", "still", "csv:prices.csv"] {
            assert_eq!(name.parse::<MarketKind>().expect(name).to_string(), name);
        }
        for name in ["", "bull", "csv:", "Mixed"] {
            assert!(name.parse::<MarketKind>().expect_err(name).to_string().contains("trend-up"));
        }
    }
}
