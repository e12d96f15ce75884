//! What kind of market a tick happened in, so that like is compared with like.

use std::collections::BTreeMap;

use golem_primitives::UtcTime;

/// How volatile the market is against its own history, in fifths: 1 is the calmest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VolatilityQuintile(u8);

impl VolatilityQuintile {
    /// The middle fifth, where a market without history stands.
    pub const MIDDLE: Self = Self(3);

    /// The fifth of that number, or `None` outside 1 to 5.
    #[must_use]
    pub const fn new(fifth: u8) -> Option<Self> {
        if fifth >= 1 && fifth <= 5 { Some(Self(fifth)) } else { None }
    }

    /// Its number, 1 to 5.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The fifth of `history` in which `volatility` falls, by mid-rank: equal values count half.
    fn of(volatility: f64, history: &[f64]) -> Self {
        if history.is_empty() {
            return Self::MIDDLE;
        }
        let below = history.iter().filter(|v| **v < volatility).count();
        let equal = history.iter().filter(|v| **v == volatility).count();
        let fifth = 5 * (2 * below + equal) / (2 * history.len());
        Self(u8::try_from(fifth.min(4)).expect("at most four") + 1)
    }
}

/// Where the price is going.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrendDirection {
    /// Above its mean by more than a deviation.
    Up,
    /// Below its mean by more than a deviation.
    Down,
    /// Neither.
    Range,
}

/// What a transaction costs against what it used to cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GasPriceLevel {
    /// Below half of the usual.
    Low,
    /// From half to twice.
    Normal,
    /// From twice to five times.
    High,
    /// Five times or more.
    Spike,
}

/// How much can be traded against how much used to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LiquidityCondition {
    /// One and a half times the usual or more.
    Deep,
    /// From half.
    Normal,
    /// From a fifth.
    Thin,
    /// Below a fifth.
    Crisis,
}

/// The catalogue names the levels of M-085 without their edges; these are ours: inclusive floors of the ratio to the
/// trailing mean, best first, below the last is the remaining level.
const GAS_FLOORS: [(f64, GasPriceLevel); 3] =
    [(5.0, GasPriceLevel::Spike), (2.0, GasPriceLevel::High), (0.5, GasPriceLevel::Normal)];
const LIQUIDITY_FLOORS: [(f64, LiquidityCondition); 3] =
    [(1.5, LiquidityCondition::Deep), (0.5, LiquidityCondition::Normal), (0.2, LiquidityCondition::Thin)];

/// M-085. The market of one tick, attached to episodes, entries and performance snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegimeTag {
    /// How volatile.
    pub volatility: VolatilityQuintile,
    /// Where the price goes.
    pub trend: TrendDirection,
    /// What gas costs.
    pub gas: GasPriceLevel,
    /// What can be traded.
    pub liquidity: LiquidityCondition,
    /// When it was read.
    pub at: UtcTime,
    /// At which block.
    pub block: u64,
}

/// M-086. The part of a tag within which fitness may be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stratum {
    /// How volatile.
    pub volatility: VolatilityQuintile,
    /// Where the price goes.
    pub trend: TrendDirection,
}

impl RegimeTag {
    /// The part that must be equal for two ticks to be compared.
    #[must_use]
    pub const fn stratum(&self) -> Stratum {
        Stratum { volatility: self.volatility, trend: self.trend }
    }

    /// Whether fitness of both ticks may be compared (M-086).
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        self.stratum() == other.stratum()
    }
}

/// What one tick sees of the market.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarketReading {
    /// Price, above zero.
    pub price: f64,
    /// Deviation of returns, zero or more.
    pub volatility: f64,
    /// Gas price, zero or more.
    pub gas_price: f64,
    /// Tradable depth, zero or more.
    pub depth: f64,
    /// When it was read.
    pub at: UtcTime,
    /// At which block.
    pub block: u64,
}

/// What the market was like before, by which a reading is judged. Empty histories make the reading ordinary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trailing<'a> {
    /// Earlier deviations of returns.
    pub volatilities: &'a [f64],
    /// Earlier prices, of which the newest 20 count, newest last.
    pub prices: &'a [f64],
    /// Mean gas price, if known.
    pub gas_price: Option<f64>,
    /// Mean depth, if known.
    pub depth: Option<f64>,
}

/// Why a reading has no tag.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RegimeError {
    /// A quantity that is not a finite number, or is below its least value.
    #[error("{what} of {value} is no quantity a market can have")]
    Impossible {
        /// Which quantity.
        what: &'static str,
        /// What was read.
        value: f64,
    },
}

fn possible(what: &'static str, value: f64) -> Result<f64, RegimeError> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(RegimeError::Impossible { what, value }) }
}

/// M-085. Tags a reading.
///
/// # Errors
/// [`RegimeError`] for a NaN, an infinity, a negative quantity or a price of zero, in the reading or before it.
pub fn classify(reading: &MarketReading, trailing: &Trailing<'_>) -> Result<RegimeTag, RegimeError> {
    let price = possible("a price", reading.price)?;
    if price == 0.0 {
        return Err(RegimeError::Impossible { what: "a price", value: price });
    }
    for earlier in trailing.prices {
        possible("an earlier price", *earlier)?;
    }
    for earlier in trailing.volatilities {
        possible("an earlier volatility", *earlier)?;
    }
    let recent = &trailing.prices[trailing.prices.len().saturating_sub(AVERAGE_TICKS - 1)..];
    let band = Band::of(recent.iter().copied().chain([price]));
    let gas = ratio("a gas price", reading.gas_price, trailing.gas_price)?;
    let liquidity = ratio("a depth", reading.depth, trailing.depth)?;
    Ok(RegimeTag {
        volatility: VolatilityQuintile::of(possible("a volatility", reading.volatility)?, trailing.volatilities),
        trend: band.trend(price),
        gas: GAS_FLOORS.iter().find(|(floor, _)| gas >= *floor).map_or(GasPriceLevel::Low, |(_, level)| *level),
        liquidity: LIQUIDITY_FLOORS
            .iter()
            .find(|(floor, _)| liquidity >= *floor)
            .map_or(LiquidityCondition::Crisis, |(_, level)| *level),
        at: reading.at,
        block: reading.block,
    })
}

/// A value against its mean; one when no mean is known.
fn ratio(what: &'static str, value: f64, mean: Option<f64>) -> Result<f64, RegimeError> {
    let value = possible(what, value)?;
    let Some(mean) = mean else { return Ok(1.0) };
    let mean = possible(what, mean)?;
    if mean == 0.0 { Ok(1.0) } else { Ok(value / mean) }
}

/// Prices in the moving average of a trend (M-085).
const AVERAGE_TICKS: usize = 20;

/// A mean with its deviation over all the prices given.
#[derive(Debug, Clone, Copy)]
struct Band {
    mean: f64,
    deviation: f64,
}

impl Band {
    fn of(prices: impl Iterator<Item = f64> + Clone) -> Self {
        let count = prices.clone().count().max(1) as f64;
        let mean = prices.clone().sum::<f64>() / count;
        let variance = prices.map(|p| (p - mean) * (p - mean)).sum::<f64>() / count;
        Self { mean, deviation: libm::sqrt(variance) }
    }

    fn trend(&self, price: f64) -> TrendDirection {
        if price > self.mean + self.deviation {
            TrendDirection::Up
        } else if price < self.mean - self.deviation {
            TrendDirection::Down
        } else {
            TrendDirection::Range
        }
    }
}

/// What worse predictions in a market mean (M-090).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Degradation {
    /// The market is new to this Golem: written down, no pressure.
    Logged,
    /// The market is known: it counts.
    Counts,
}

/// How often each kind of market was met.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegimeHistory {
    ticks: BTreeMap<Stratum, u64>,
}

impl RegimeHistory {
    /// Matched ticks from which a market is known.
    pub const KNOWN_TICKS: u64 = 20;

    /// Remembers one tick.
    pub fn observe(&mut self, tag: &RegimeTag) {
        let ticks = self.ticks.entry(tag.stratum()).or_insert(0);
        *ticks = ticks.saturating_add(1);
    }

    /// Earlier ticks in the same kind of market.
    #[must_use]
    pub fn matched_ticks(&self, stratum: Stratum) -> u64 {
        self.ticks.get(&stratum).copied().unwrap_or(0)
    }

    /// M-090. Whether degradation in this market adds mortality pressure; `known_ticks` is the grace of the
    /// configuration, [`RegimeHistory::KNOWN_TICKS`] unless told.
    #[must_use]
    pub fn degradation(&self, stratum: Stratum, known_ticks: u64) -> Degradation {
        if self.matched_ticks(stratum) < known_ticks { Degradation::Logged } else { Degradation::Counts }
    }
}

#[cfg(test)]
mod tests;
