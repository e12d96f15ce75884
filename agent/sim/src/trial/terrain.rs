//! The market of the trials: what was learnt of it can come true again, and can turn into its opposite.
//!
//! It has two weathers, calm and storm, which everybody can tell by how much the price moves in a tick; and in each of
//! them the price swings either wide, so that following it pays the pool's fee, or narrow, so that it does not. Nobody is
//! told which. What holds for a while is an epoch. A rule such as "in a storm leave mean reversion alone" is true in two
//! of the four epochs and false in the other two. The price comes back in all of them: what is believed of it is mostly
//! right, and whether it is worth anything has to be learnt.

use std::cmp::Ordering;

use golem_primitives::Usdc;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;
use serde::{Deserialize, Serialize};

use crate::market::{Purpose, bell, stream, unit};

/// How far a price swings before it comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Nature {
    /// Further than a round trip costs.
    Wide,
    /// Less far.
    Narrow,
}

impl Nature {
    const fn opposite(self) -> Self {
        match self {
            Self::Wide => Self::Narrow,
            Self::Narrow => Self::Wide,
        }
    }
}

/// What is true for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Epoch {
    /// While little moves.
    pub calm: Nature,
    /// While much moves.
    pub storm: Nature,
}

impl Epoch {
    /// All of them.
    pub const ALL: [Self; 4] = {
        use Nature::{Narrow, Wide};
        [
            Self { calm: Wide, storm: Narrow },
            Self { calm: Narrow, storm: Wide },
            Self { calm: Wide, storm: Wide },
            Self { calm: Narrow, storm: Narrow },
        ]
    };

    /// The one in which everything that is true here is false.
    #[must_use]
    pub const fn inverted(self) -> Self {
        Self { calm: self.calm.opposite(), storm: self.storm.opposite() }
    }
}

/// One tick of the market, the same for every arm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground {
    /// What the token costs.
    pub price: Usdc,
    /// What is true, which nobody is told.
    pub epoch: Epoch,
    /// Whether much moves.
    pub is_storm: bool,
    /// Whether another epoch has just begun; the first one is no switch.
    pub is_switch: bool,
}

/// How often things change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Ticks of an epoch on the mean; each lasts between six and fourteen tenths of it.
    pub epoch_ticks: u32,
    /// Ticks of a weather on the mean.
    pub weather_ticks: u32,
}

/// What a price moves by in a tick, and the share of its distance from home that it closes: calm, then in a storm; wide,
/// then narrow. A window of returns stands on either side of what a Golem calls volatile, whichever it is.
const SWING: [[(f64, f64); 2]; 2] = [[(0.002_0, 0.06), (0.001_6, 0.8)], [(0.003_4, 0.08), (0.001_2, 1.7)]];
/// What the place it comes back to moves by in a tick.
const WANDER: f64 = 0.000_1;
/// What the token costs at first, in micro-USDC.
const FIRST: f64 = 2_000e6;
/// The least it costs.
const LEAST: f64 = 1e6;

/// A path of the market, a function of its seed and its pace.
#[derive(Debug, Clone)]
pub struct Terrain {
    rng: ChaCha8Rng,
    pace: Pace,
    /// Set when the epoch is never to change.
    is_still: bool,
    epoch: Epoch,
    epoch_left: u64,
    is_storm: bool,
    is_first: bool,
    price: f64,
    home: f64,
}

impl Terrain {
    /// The market of a seed.
    #[must_use]
    pub fn new(seed: u64, pace: Pace) -> Self {
        let mut rng = stream(seed, Purpose::Terrain, 0);
        let epoch = Epoch::ALL[rng.next_u32() as usize % Epoch::ALL.len()];
        let epoch_left = length(&mut rng, pace.epoch_ticks);
        Self::begin(rng, pace, epoch, epoch_left, false)
    }

    /// A market in which one epoch lasts for ever, to find out what is true in it.
    #[must_use]
    pub fn still(seed: u64, pace: Pace, epoch: Epoch) -> Self {
        let member = 1 + Epoch::ALL.iter().position(|one| *one == epoch).unwrap_or(0) as u64;
        Self::begin(stream(seed, Purpose::Terrain, member), pace, epoch, u64::MAX, true)
    }

    const fn begin(rng: ChaCha8Rng, pace: Pace, epoch: Epoch, epoch_left: u64, is_still: bool) -> Self {
        let (price, home) = (FIRST, FIRST);
        Self { rng, pace, is_still, epoch, epoch_left, is_storm: false, is_first: true, price, home }
    }

    const fn nature(&self) -> Nature {
        if self.is_storm { self.epoch.storm } else { self.epoch.calm }
    }

    /// One time of two what was true is false; else another epoch, which may have been there before.
    fn turn(&mut self) -> Epoch {
        if self.rng.next_u32().is_multiple_of(2) {
            return self.epoch.inverted();
        }
        let at = Epoch::ALL.iter().position(|one| *one == self.epoch).unwrap_or(0);
        let step = 1 + self.rng.next_u32() as usize % (Epoch::ALL.len() - 1);
        Epoch::ALL[(at + step) % Epoch::ALL.len()]
    }
}

impl Iterator for Terrain {
    type Item = Ground;

    fn next(&mut self) -> Option<Ground> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        let is_switch = !is_first && !self.is_still && self.epoch_left == 0;
        if is_switch {
            self.epoch = self.turn();
            self.epoch_left = length(&mut self.rng, self.pace.epoch_ticks);
        }
        self.epoch_left = self.epoch_left.saturating_sub(u64::from(!self.is_still));
        if self.rng.next_u32().is_multiple_of(self.pace.weather_ticks.max(1)) {
            self.is_storm = !self.is_storm;
        }
        let (sigma, pull) = SWING[usize::from(self.is_storm)][self.nature() as usize];
        self.home *= 1.0 + WANDER * bell(&mut self.rng);
        let move_ = pull * (self.home / self.price - 1.0) + sigma * bell(&mut self.rng);
        self.price = (self.price * (1.0 + move_)).max(LEAST);
        let price = Usdc::from_micros(libm::round(self.price) as u64);
        Some(Ground { price, epoch: self.epoch, is_storm: self.is_storm, is_switch })
    }
}

/// How long an epoch lasts.
fn length(rng: &mut ChaCha8Rng, mean: u32) -> u64 {
    let ticks = f64::from(mean.max(1)) * (0.6 + 0.8 * unit(rng));
    match ticks.partial_cmp(&1.0) {
        Some(Ordering::Greater) => ticks as u64,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { epoch_ticks: 1_000, weather_ticks: 200 };

    #[test]
    fn a_terrain_is_a_function_of_its_seed_and_its_epochs_return_and_invert() {
        let path: Vec<Ground> = Terrain::new(7, PACE).take(60_000).collect();
        assert_eq!(path, Terrain::new(7, PACE).take(60_000).collect::<Vec<_>>());
        assert_ne!(path[..50], Terrain::new(8, PACE).take(50).collect::<Vec<_>>()[..]);
        let switches: Vec<(Epoch, Epoch)> =
            path.windows(2).filter(|pair| pair[1].is_switch).map(|pair| (pair[0].epoch, pair[1].epoch)).collect();
        assert!((45..80).contains(&switches.len()), "{}", switches.len());
        assert!(switches.iter().all(|(from, to)| from != to));
        let inverted = switches.iter().filter(|(from, to)| from.inverted() == *to).count();
        assert!(inverted * 10 > switches.len() * 4, "{inverted} of {}", switches.len());
        assert!(Epoch::ALL.iter().all(|epoch| path.iter().any(|tick| tick.epoch == *epoch)));
        assert!(!path[0].is_switch);
    }

    #[test]
    fn a_wide_price_swings_further_than_a_narrow_one_and_both_come_back() {
        // How far the price stands from its mean over the last 64 ticks, by weather.
        let swing = |epoch: Epoch, is_storm: bool| {
            let path: Vec<Ground> = Terrain::still(3, PACE, epoch).take(40_000).collect();
            let alike = |span: &&[Ground]| span.iter().all(|tick| tick.is_storm == is_storm);
            let far = path.windows(64).step_by(16).filter(alike).map(|span| {
                let mean = span.iter().map(|tick| tick.price.micros() as f64).sum::<f64>() / 64.0;
                (span[63].price.micros() as f64 / mean - 1.0).abs()
            });
            let far: Vec<f64> = far.collect();
            far.iter().sum::<f64>() / far.len() as f64
        };
        for is_storm in [false, true] {
            let of = |nature: Nature| Epoch { calm: nature, storm: nature };
            let (wide, narrow) = (swing(of(Nature::Wide), is_storm), swing(of(Nature::Narrow), is_storm));
            assert!(wide > 1.6 * narrow && wide < 0.02, "{is_storm}: {wide} {narrow}");
        }
        let path: Vec<Ground> = Terrain::still(3, PACE, Epoch::ALL[2]).take(5_000).collect();
        assert!(path.iter().all(|tick| tick.epoch == Epoch::ALL[2] && !tick.is_switch));
    }
}
