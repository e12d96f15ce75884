//! P-064. A domain's own measure: what is usual in it, and how far from it is far.

use golem_mortality::epistemic::window::Pair;

/// Share of the newest once a scale is old: half is forgotten in 200 pairs, 1 - 2^(-1/200).
const PACE: f64 = 0.003_459_737_172_132_215_7;
/// Pairs a scale is fitted on before the first one counts.
const UNCOUNTED: u32 = 32;
/// Deviations beyond which a pair says no more.
const CLIP: f64 = 3.0;
/// A deviation below which nothing varies.
const STILL: f64 = 1e-9;

/// Running mean and deviation of what came in a domain.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Scale {
    pub(super) pairs: u32,
    mean: f64,
    variance: f64,
}

impl Scale {
    /// Measures a pair by what came before it, then takes it in. `None` for the first 32, and where nothing ever varied.
    pub(super) fn pair(&mut self, said: f64, came: f64) -> Option<Pair> {
        let deviation = libm::sqrt(self.variance);
        let measured = |value: f64| ((value - self.mean) / deviation).clamp(-CLIP, CLIP);
        let counts = self.pairs >= UNCOUNTED && deviation > STILL;
        let pair = if counts { Pair::new(measured(said), measured(came)).ok() } else { None };
        self.take(came);
        pair
    }

    fn take(&mut self, came: f64) {
        self.pairs = self.pairs.saturating_add(1);
        let weight = PACE.max(1.0 / f64::from(self.pairs));
        let apart = came - self.mean;
        self.mean += weight * apart;
        self.variance = (1.0 - weight) * (self.variance + weight * apart * apart);
    }
}
