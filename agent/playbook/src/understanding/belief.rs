//! P-062. What is believed of a domain, and how it is learnt.

use super::MarketClaim;
use super::question::{MarketDomain, Size};

/// Share of an error that moves the level.
const LEVEL_RATE: f64 = 0.1;
/// Share of an error that moves the offset of its size.
const OFFSET_RATE: f64 = 0.02;
/// What is left of the slope's sums after each claim.
const MEMORY: f64 = 0.99;
/// A logarithm that no market reaches.
const BOUND: f64 = 200.0;

/// A slope through nothing, fitted with fading memory: how much of what is seen to stand out will stand out still.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Slope {
    products: f64,
    squares: f64,
}

impl Default for Slope {
    /// One half, with the weight of twenty.
    fn default() -> Self {
        Self { products: 10.0, squares: 20.0 }
    }
}

impl Slope {
    /// The slope, within nothing and one.
    #[must_use]
    pub fn value(&self) -> f64 {
        if self.squares > 0.0 { (self.products / self.squares).clamp(0.0, 1.0) } else { 0.0 }
    }

    pub(super) fn learn(&mut self, seen: f64, came: f64) {
        self.products = MEMORY * self.products + seen * came;
        self.squares = MEMORY * self.squares + seen * seen;
    }

    pub(super) fn is_sound(&self) -> bool {
        let most = BOUND * BOUND / (1.0 - MEMORY);
        self.squares >= 0.0 && self.squares <= most && self.products.abs() <= most
    }
}

/// What is believed of a domain; every number is a natural logarithm.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Belief {
    pub(super) level: f64,
    /// How far the sizes stand from the level; they sum to nothing.
    pub(super) offsets: [f64; 2],
    slope: Slope,
}

impl Belief {
    /// What is believed before anything was learnt: the mean of the two sizes stands where the usual looks stood.
    #[must_use]
    pub fn founding(domain: MarketDomain, usual: f64) -> Self {
        let [small, large] = domain.plain_offsets();
        let half = (large - small) / 2.0;
        Self { level: usual + (small + large) / 2.0, offsets: [-half, half], slope: Slope::default() }
    }

    /// What is said of a size when the newest looks stand `state` from the usual ones.
    #[must_use]
    pub fn say(&self, size: Size, state: f64) -> f64 {
        self.level + self.offsets[size as usize] + self.slope.value() * state
    }

    /// Learns from a claim of its own and what came.
    pub(super) fn learn(&mut self, claim: &MarketClaim, came: f64) {
        let size = claim.question.size as usize;
        let error = came - claim.said;
        self.slope.learn(claim.state, came - self.offsets[size] - self.level);
        self.level += LEVEL_RATE * error;
        self.offsets[size] += OFFSET_RATE * error;
        let middle = (self.offsets[0] + self.offsets[1]) / 2.0;
        self.offsets = self.offsets.map(|offset| offset - middle);
    }

    /// How much of a state is believed to last.
    #[must_use]
    pub const fn slope(&self) -> &Slope {
        &self.slope
    }

    pub(super) fn is_sound(&self) -> bool {
        let within = |value: f64| value.abs() <= BOUND;
        within(self.level) && self.offsets.into_iter().all(within) && self.slope.is_sound()
    }
}
