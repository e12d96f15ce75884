//! A market that changes its mind.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde::{Deserialize, Serialize};

/// What the market is like for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SimulatedRegime {
    /// Little moves.
    Ranging,
    /// Signals carry far.
    Trending,
    /// Much moves, little of it means anything.
    Storm,
    /// What was true is false.
    Reversal,
}

impl SimulatedRegime {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Ranging, Self::Trending, Self::Storm, Self::Reversal];

    /// Mean slope of return on signal, and noise beside it.
    const fn nature(self) -> (f64, f64) {
        match self {
            Self::Ranging => (0.006, 0.0015),
            Self::Trending => (0.012, 0.0025),
            Self::Storm => (0.008, 0.0060),
            Self::Reversal => (-0.010, 0.0025),
        }
    }
}

/// One tick of the market, the same for everyone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarketTick {
    /// What everyone can see, in [-1, 1].
    pub signal: f64,
    /// What follows from it and from noise.
    pub return_: f64,
    /// Which no one is told.
    pub regime: SimulatedRegime,
    /// What the signal means just now.
    pub slope: f64,
    /// Whether the regime has just begun.
    pub is_new: bool,
}

/// A path of the market, a function of the seed and of nothing else.
#[derive(Debug, Clone)]
pub struct SeededMarket {
    rng: ChaCha8Rng,
    regime: SimulatedRegime,
    slope: f64,
    noise: f64,
    regime_ticks: u32,
    is_new: bool,
}

impl SeededMarket {
    /// The market of a seed that changes its regime about every `regime_ticks`.
    #[must_use]
    pub fn new(seed: u64, regime_ticks: u32) -> Self {
        let mut market = Self {
            rng: stream(seed, Purpose::Market, 0),
            regime: SimulatedRegime::Ranging,
            slope: 0.0,
            noise: 0.0,
            regime_ticks: regime_ticks.max(1),
            is_new: true,
        };
        market.enter(SimulatedRegime::Ranging);
        market
    }

    fn enter(&mut self, regime: SimulatedRegime) {
        let (slope, noise) = regime.nature();
        self.regime = regime;
        self.slope = slope * (0.75 + 0.5 * unit(&mut self.rng));
        self.noise = noise;
        self.is_new = true;
    }
}

impl Iterator for SeededMarket {
    type Item = MarketTick;

    fn next(&mut self) -> Option<MarketTick> {
        if self.rng.next_u32().is_multiple_of(self.regime_ticks) {
            let at = SimulatedRegime::ALL.iter().position(|regime| *regime == self.regime).unwrap_or(0);
            let step = 1 + self.rng.next_u32() as usize % 3;
            self.enter(SimulatedRegime::ALL[(at + step) % SimulatedRegime::ALL.len()]);
        }
        let signal = 2.0 * unit(&mut self.rng) - 1.0;
        let return_ = self.slope * signal + self.noise * bell(&mut self.rng);
        let is_new = std::mem::replace(&mut self.is_new, false);
        Some(MarketTick { signal, return_, regime: self.regime, slope: self.slope, is_new })
    }
}

/// What a stream of chance is for: one purpose each, so that a new draw in one never changes another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Market,
    /// What a Golem sees of it.
    Sight,
    /// The cohort's rolls.
    Cohort,
}

/// The stream of a seed for a purpose and a member.
pub(crate) fn stream(seed: u64, purpose: Purpose, member: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(member << 2 | purpose as u64);
    rng
}

/// A number in [0, 1).
pub(crate) fn unit(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// A number of mean zero and variance one: twelve uniform ones less six, exact on every machine.
pub(crate) fn bell(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| unit(rng)).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_market_is_a_function_of_its_seed_and_visits_every_regime() {
        let path: Vec<MarketTick> = SeededMarket::new(7, 500).take(20_000).collect();
        assert_eq!(path, SeededMarket::new(7, 500).take(20_000).collect::<Vec<_>>());
        assert_ne!(path[..100], SeededMarket::new(8, 500).take(100).collect::<Vec<_>>()[..]);
        for regime in SimulatedRegime::ALL {
            assert!(path.iter().any(|tick| tick.regime == regime), "{regime:?}");
        }
        let changes = path.iter().filter(|tick| tick.is_new).count();
        assert!((20..80).contains(&changes), "about one in 500: {changes}");
    }

    #[test]
    fn the_bell_has_mean_zero_and_variance_one() {
        let mut rng = stream(1, Purpose::Sight, 0);
        let sample: Vec<f64> = (0..50_000).map(|_| bell(&mut rng)).collect();
        let mean = sample.iter().sum::<f64>() / 50_000.0;
        let variance = sample.iter().map(|x| x * x).sum::<f64>() / 50_000.0;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }
}
