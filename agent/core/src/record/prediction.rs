//! What was said of the future before it came.

use golem_playbook::understanding::{MarketDomain, MarketQuestion};
use golem_primitives::{Tick, Usdc};
use serde::{Deserialize, Serialize};

/// A prediction, registered. Nothing changes or drops it: only its tick resolves it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    pub number: u64,
    pub said: Tick,
    pub due: Tick,
    pub claim: Claim,
}

/// What is said of the future.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The price will make this return before it makes the other one. Judged at the first look at which either is
    /// reached, and when it is due at the latest: when it ends is as fixed as what was said.
    PriceMove {
        from: Usdc,
        /// The return expected, in millionths.
        return_ppm: i64,
        /// The return at which it was wrong, on the other side of nothing.
        stop_ppm: i64,
        /// Whether the rule that says it moves money.
        moves_money: bool,
    },
    /// P-061. How far the price will move, how much will be traded, what an act will cost over the looks until then. Judged
    /// when that many looks were taken, which for who was blind is later than it is due.
    Level {
        question: MarketQuestion,
        /// The natural logarithm of what was said, in millionths.
        said_ppm: i64,
    },
    /// What a position will earn in fees until then.
    Fees {
        position: u64,
        /// Fees it had already earned.
        from: Usdc,
        earned: Usdc,
        notional: Usdc,
    },
}

impl Claim {
    /// Whether money follows it. Fees are spoken of only where liquidity stands.
    #[must_use]
    pub const fn moves_money(&self) -> bool {
        match self {
            Self::PriceMove { moves_money, .. } => *moves_money,
            Self::Fees { .. } => true,
            Self::Level { .. } => false,
        }
    }

    /// Its word on screens and in metrics.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::PriceMove { .. } => "price_move",
            Self::Level { question: MarketQuestion { domain: MarketDomain::Moves, .. }, .. } => "moves",
            Self::Level { question: MarketQuestion { domain: MarketDomain::Fees, .. }, .. } => "volume",
            Self::Level { question: MarketQuestion { domain: MarketDomain::Cost, .. }, .. } => "cost",
            Self::Fees { .. } => "fees",
        }
    }

    /// What came of one that is measured in money: what it earned for each unit that would have followed it, in millionths,
    /// after the pool's fee both ways where it asks for a trade. `None` where no money was said, or nothing came of it.
    #[must_use]
    pub fn earned_ppm(&self, verdict: Verdict, fee_ppm: u32) -> Option<i64> {
        match (self, verdict) {
            (Self::PriceMove { .. }, Verdict::Measured { predicted_ppm, actual_ppm }) => {
                Some((predicted_ppm.signum() * actual_ppm).saturating_sub(2 * i64::from(fee_ppm)))
            }
            (Self::Fees { .. }, Verdict::Measured { actual_ppm, .. }) => Some(actual_ppm),
            _ => None,
        }
    }

    /// Whether a level came as it was said: less than half as much again, and more than two thirds. `None` of what is no level.
    #[must_use]
    pub fn is_near(&self, verdict: Verdict) -> Option<bool> {
        /// The logarithm of three halves, in millionths.
        const NEAR_PPM: u64 = 405_465;
        match (self, verdict) {
            (Self::Level { .. }, Verdict::Measured { predicted_ppm, actual_ppm }) => {
                Some(predicted_ppm.abs_diff(actual_ppm) < NEAR_PPM)
            }
            _ => None,
        }
    }

    /// Whether it came true. A belief about the price did when following it would have earned something, fees when they are
    /// at least what was said; `None` where it came out even, or is a level.
    #[must_use]
    pub fn held(&self, verdict: Verdict, fee_ppm: u32) -> Option<bool> {
        let earned = self.earned_ppm(verdict, fee_ppm)?;
        match (self, verdict) {
            (Self::Fees { .. }, Verdict::Measured { predicted_ppm, actual_ppm }) => Some(actual_ppm >= predicted_ppm),
            _ => (earned != 0).then_some(earned > 0),
        }
    }
}

/// What came of a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A number was said and a number came, both per unit of notional; of a level, its natural logarithm.
    Measured { predicted_ppm: i64, actual_ppm: i64 },
    /// What it spoke of is gone: the position was closed.
    Moot,
}
