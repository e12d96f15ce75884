//! Markets by seed, with memory where real ones have it.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::*;

/// How the price of a market moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Volatility wanders for hours; returns have fat tails.
    StochasticVolatility,
    /// Volatility never changes.
    RandomWalk,
    /// Volatility answers the last return.
    Garch,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::StochasticVolatility, Self::RandomWalk, Self::Garch];
}

/// What breaks in a market.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Break {
    pub(super) at: u64,
    pub(super) volatility: f64,
    pub(super) gas: f64,
}

/// A market that goes on for ever. Volume and gas remember themselves; volume also follows the moves.
pub(super) struct Market {
    kind: Kind,
    rng: ChaCha8Rng,
    spare: Option<f64>,
    look: u64,
    breaks: Option<Break>,
    log_price: f64,
    wander: f64,
    variance: f64,
    last: f64,
    volume: f64,
    gas: f64,
}

impl Market {
    pub(super) fn new(kind: Kind, seed: u64, breaks: Option<Break>) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(seed);
        let log_price = libm::log(3_000.0);
        let (wander, variance, last, volume, gas) = (0.0, 1.0, 0.0, 0.0, 0.0);
        Self { kind, rng, spare: None, look: 0, breaks, log_price, wander, variance, last, volume, gas }
    }

    /// A normal number, two at a time.
    fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let unit = |bits: u64| ((bits >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        let (one, two) = (unit(self.rng.next_u64()), unit(self.rng.next_u64()));
        let radius = libm::sqrt(-2.0 * libm::log(one));
        let angle = 2.0 * std::f64::consts::PI * two;
        self.spare = Some(radius * libm::sin(angle));
        radius * libm::cos(angle)
    }

    /// A number with five degrees of freedom and deviation one.
    fn fat(&mut self) -> f64 {
        let squares: f64 = (0..5).map(|_| self.normal()).map(|one| one * one).sum();
        self.normal() / libm::sqrt(squares / 5.0) * libm::sqrt(3.0 / 5.0)
    }

    /// The deviation of the next return, in units of the usual one.
    fn turbulence(&mut self) -> f64 {
        match self.kind {
            Kind::RandomWalk => 1.0,
            Kind::StochasticVolatility => {
                self.wander = 0.995 * self.wander + 0.05 * self.normal();
                libm::exp(self.wander)
            }
            Kind::Garch => {
                self.variance = 0.03 + 0.07 * self.last * self.last + 0.9 * self.variance;
                libm::sqrt(self.variance)
            }
        }
    }

    pub(super) fn next(&mut self) -> Sighting {
        self.look += 1;
        let broken = self.breaks.filter(|one| self.look >= one.at);
        let turbulence = self.turbulence();
        let shock = if self.kind == Kind::StochasticVolatility { self.fat() } else { self.normal() };
        self.last = turbulence * shock;
        self.log_price += 0.000_5 * self.last * broken.map_or(1.0, |one| one.volatility);
        self.volume = 0.98 * self.volume + 0.1 * self.normal();
        self.gas = 0.99 * self.gas + 0.05 * self.normal();
        let volume = libm::exp(10.0 + self.volume + 0.5 * libm::log(turbulence) + 0.5 * self.normal());
        let gas = libm::exp(16.0 + self.gas) * broken.map_or(1.0, |one| one.gas);
        Sighting {
            price: Usdc::from_micros((libm::exp(self.log_price) * 1e6) as u64),
            volume: Usdc::from_micros((volume * 1e6) as u64),
            gas_wei: gas as u64,
        }
    }
}
