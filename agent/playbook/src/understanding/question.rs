//! P-061. What is asked of the looks to come.

use golem_primitives::words;

words! {
    /// What can be known of a market.
    MarketDomain {
        /// How far the price goes.
        Moves = "moves",
        /// How much is traded, which is what liquidity is paid by.
        Fees = "fees",
        /// What an act costs in gas.
        Cost = "cost",
    }
}

/// The two sizes in which the same thing is asked, in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// Kind 0 of the catalogue.
    Small,
    /// Kind 1 of the catalogue.
    Large,
}

/// One of the six questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct MarketQuestion {
    pub domain: MarketDomain,
    pub size: Size,
}

/// Looks of the longer return of [`MarketDomain::Moves`].
pub(super) const LONG_RETURN: usize = 8;
/// How much more gas the large act takes than the small one.
const LARGE_ACT: f64 = 2.66;

impl MarketDomain {
    /// At which look of every sixteen it speaks.
    #[must_use]
    pub const fn phase(self) -> u64 {
        match self {
            Self::Moves => 0,
            Self::Fees => 5,
            Self::Cost => 10,
        }
    }

    /// How far each size stands from the plain quantity where the market has neither memory nor trend: an eight-look return
    /// is the square root of eight wide, a sum grows with its looks, gas with the act.
    pub(super) fn plain_offsets(self) -> [f64; 2] {
        match self {
            Self::Moves => [0.0, 0.5 * libm::log(LONG_RETURN as f64)],
            Self::Fees => [12.0, 32.0].map(libm::log),
            Self::Cost => [0.0, libm::log(LARGE_ACT)],
        }
    }
}

impl MarketQuestion {
    /// All six.
    pub const ALL: [Self; 6] = [
        Self { domain: MarketDomain::Moves, size: Size::Small },
        Self { domain: MarketDomain::Moves, size: Size::Large },
        Self { domain: MarketDomain::Fees, size: Size::Small },
        Self { domain: MarketDomain::Fees, size: Size::Large },
        Self { domain: MarketDomain::Cost, size: Size::Small },
        Self { domain: MarketDomain::Cost, size: Size::Large },
    ];

    /// How many looks ahead it asks.
    #[must_use]
    pub const fn looks(self) -> u64 {
        match (self.domain, self.size) {
            (MarketDomain::Moves, Size::Small) | (MarketDomain::Fees, Size::Large) => 32,
            (MarketDomain::Moves, Size::Large) => 64,
            (MarketDomain::Fees, Size::Small) => 12,
            (MarketDomain::Cost, _) => 16,
        }
    }

    /// What it asks, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match (self.domain, self.size) {
            (MarketDomain::Moves, Size::Small) => "deviation of one look over 32",
            (MarketDomain::Moves, Size::Large) => "deviation of eight looks over 64",
            (MarketDomain::Fees, Size::Small) => "volume of 12 looks",
            (MarketDomain::Fees, Size::Large) => "volume of 32 looks",
            (MarketDomain::Cost, Size::Small) => "gas of a small act over 16",
            (MarketDomain::Cost, Size::Large) => "gas of a large act over 16",
        }
    }
}
