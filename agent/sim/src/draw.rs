//! Draws by name: every purpose under a seed has a stream of its own, so that a new draw in one never moves another.

use golem_primitives::keccak256;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A stream of chance for one purpose under one seed.
#[derive(Debug, Clone)]
pub(crate) struct Draw(ChaCha8Rng);

impl Draw {
    pub(crate) fn named(seed: u64, purpose: &str) -> Self {
        let bytes = [&seed.to_be_bytes(), purpose.as_bytes()].concat();
        Self(ChaCha8Rng::from_seed(keccak256(bytes).0))
    }

    /// Uniform in [0, 1): the top 53 bits, which a double holds exactly.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether something with this probability happens.
    pub(crate) fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of `count` things, each as likely.
    pub(crate) fn index(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// A standard normal draw; two uniforms each, so that the place in the stream does not depend on the values.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// Student with five degrees of freedom, scaled to a deviation of one.
    pub(crate) fn fat(&mut self) -> f64 {
        let squares: f64 = (0..5).map(|_| self.normal()).map(|draw| draw * draw).sum();
        self.normal() / libm::sqrt(squares / 5.0) * libm::sqrt(3.0 / 5.0)
    }
}
