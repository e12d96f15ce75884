//! Draws by name: each purpose has a generator of its own, so that a new draw for gas never moves a price.

use golem_primitives::keccak256;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A stream of chance for one purpose under one seed.
#[derive(Debug, Clone)]
pub(super) struct Chance(ChaCha8Rng);

impl Chance {
    pub(super) fn named(seed: u64, purpose: &str) -> Self {
        let bytes = [&seed.to_be_bytes(), purpose.as_bytes()].concat();
        Self(ChaCha8Rng::from_seed(keccak256(bytes).0))
    }

    /// Uniform in [0, 1): the top 53 bits, which a double holds exactly.
    pub(super) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Whether something with this probability happens.
    pub(super) fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of `count` things, each as likely.
    pub(super) fn index(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// A standard normal draw (Box and Muller's polar-free form; two uniforms each, so that the stream's position does
    /// not depend on the values drawn).
    pub(super) fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_are_independent_and_repeatable() {
        let draw = |purpose| Chance::named(7, purpose).unit();
        assert_eq!(draw("price"), draw("price"));
        assert_ne!(draw("price"), draw("gas"));
        assert_ne!(Chance::named(8, "price").unit(), draw("price"));
    }

    #[test]
    fn normal_draws_have_their_mean_and_spread() {
        let mut chance = Chance::named(1, "test");
        let draws: Vec<f64> = (0..100_000).map(|_| chance.normal()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / draws.len() as f64;
        assert!(mean.abs() < 0.015 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }
}
