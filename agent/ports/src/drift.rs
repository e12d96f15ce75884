//! G-006. Whether a model still says what it said: the same twenty texts, embedded again each week.
//!
//! The reference is the first embedding of these texts with a model. It is kept with the vectors it vouches for and never
//! renewed while they live; a new model begins with a reference of its own. A model on this machine cannot drift, because
//! its weights are pinned; one behind an endpoint can be exchanged under the same name.

use std::time::Duration;

use crate::embedder::{Embedder, EmbedderError, EmbeddingPurpose};
use crate::memory::EmbeddingModel;

/// How often to look.
pub const CHECK_EVERY: Duration = Duration::from_secs(7 * 24 * 3_600);
/// From this mean distance on it is worth a warning.
pub const WARN_FROM: f64 = 0.02;
/// Beyond this one nothing may be written any more.
pub const STOP_BEYOND: f64 = 0.05;

/// What is embedded. Never to be changed: they are compared with what they gave before. They cover what a Golem writes
/// (observations, rules, warnings, causes), short and long, numbers, names, and two other languages.
pub const REFERENCE_TEXTS: [&str; 20] = [
    "Gas on the L2 tripled within an hour and stayed high until the evening.",
    "Do not rebalance a range position when the fee tier pays less than the gas of the move.",
    "The pool's price returned to its mean within forty blocks in seven of nine cases.",
    "Volatility clusters: a day of large moves is followed by another more often than not.",
    "Slippage above 50 bps means the order is larger than the depth on that side of the book.",
    "When the oracle and the pool disagree by more than two percent, wait.",
    "USDC",
    "A funding rate of -0.04% per eight hours has been a sign of crowded shorts.",
    "The predecessor died of starvation after paying for inference during a quiet market.",
    "Momentum entries taken after three green hours lost money in a ranging regime.",
    "Liquidity leaves the pool before scheduled announcements and comes back after them.",
    "Keep a reserve for death: settlement costs money too.",
    "An approval to an unknown contract was refused by the vault's policy.",
    "The sequencer stopped for eleven minutes; every open order was stale afterwards.",
    "Was lange gut ging, ging nur lange gut.",
    "La liquidez se fue antes que el precio.",
    "0x4200000000000000000000000000000000000006",
    "Confidence 0.62 after 14 confirmations and 3 contradictions; half-life thirty days.",
    "Two heuristics that contradict each other were merged into one with a condition: below a daily volume of one \
     million the spread decides, above it the time of day does, and in neither case is a trade worth it when the expected \
     gain after fees is smaller than the cost of being wrong once in five times.",
    "The weather is pleasant today and the bread is fresh.",
];

/// What the reference texts gave, and which model gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    pub model: EmbeddingModel,
    /// One vector for each of [`REFERENCE_TEXTS`], in their order.
    pub vectors: Vec<Vec<f32>>,
}

/// What may be done with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    Healthy,
    /// It moves; tell the owner.
    Warn,
    /// It is another model; nothing may be written with it.
    StopWrites,
}

/// How far a model has moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// The mean of one minus cosine over the texts.
    pub mean: f64,
    pub worst: f64,
    /// The place of the text it belongs to.
    pub worst_text: usize,
}

/// Why two references say nothing about drift.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DriftError {
    #[error("the reference is of {} ({}) and the vectors of {} ({}); take a new reference for a new model",
        .reference.name, .reference.version, .now.name, .now.version)]
    OtherModel { reference: Box<EmbeddingModel>, now: Box<EmbeddingModel> },
    /// A reference that is not whole.
    #[error("vector {text} of the reference texts is missing or has no direction; take the reference again")]
    Broken { text: usize },
}

impl Reference {
    /// Embeds the reference texts: the first time it is the reference, each week after it is what is compared with it.
    pub async fn take(embedder: &impl Embedder) -> Result<Self, EmbedderError> {
        let vectors = embedder.embed(&REFERENCE_TEXTS, EmbeddingPurpose::Entry).await?;
        Ok(Self { model: embedder.model().clone(), vectors })
    }

    /// How far `now` is from this reference.
    pub fn drift(&self, now: &Self) -> Result<Drift, DriftError> {
        if self.model != now.model {
            let (reference, now) = (Box::new(self.model.clone()), Box::new(now.model.clone()));
            return Err(DriftError::OtherModel { reference, now });
        }
        let (mut sum, mut worst, mut worst_text) = (0.0, 0.0, 0);
        for text in 0..REFERENCE_TEXTS.len() {
            let pair = self.vectors.get(text).zip(now.vectors.get(text));
            let distance = pair.and_then(|(a, b)| distance(a, b)).ok_or(DriftError::Broken { text })?;
            sum += distance;
            if distance > worst {
                (worst, worst_text) = (distance, text);
            }
        }
        Ok(Drift { mean: sum / REFERENCE_TEXTS.len() as f64, worst, worst_text })
    }
}

/// One minus the cosine of two vectors; `None` when they cannot be compared.
#[must_use]
pub fn distance(a: &[f32], b: &[f32]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let distance = 1.0 - product(a, b) / (product(a, a) * product(b, b)).sqrt();
    distance.is_finite().then(|| distance.max(0.0))
}

impl Drift {
    /// G-006. Below 0.02 healthy, to 0.05 a warning, beyond it no writes.
    #[must_use]
    pub fn health(&self) -> Health {
        if self.mean < WARN_FROM {
            Health::Healthy
        } else if self.mean <= STOP_BEYOND {
            Health::Warn
        } else {
            // Also what is not a number.
            Health::StopWrites
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::B256;

    use super::*;

    fn reference(angle: f64) -> Reference {
        let model = EmbeddingModel { name: "m".into(), version: "1".into(), preprocessing: B256::ZERO, dimensions: 2 };
        let vector = vec![angle.cos() as f32, angle.sin() as f32];
        Reference { model, vectors: vec![vector; REFERENCE_TEXTS.len()] }
    }

    #[test]
    fn g_006_health_has_exact_edges() {
        for (mean, health) in [
            (0.0, Health::Healthy),
            (0.019_999_999, Health::Healthy),
            (0.02, Health::Warn),
            (0.05, Health::Warn),
            (0.050_000_001, Health::StopWrites),
            (2.0, Health::StopWrites),
            (f64::NAN, Health::StopWrites),
        ] {
            assert_eq!(Drift { mean, worst: mean, worst_text: 0 }.health(), health, "{mean}");
        }
    }

    #[test]
    fn g_006_drift_is_the_mean_distance_of_the_twenty_texts() {
        let was = reference(0.0);
        assert_eq!(was.drift(&was).unwrap(), Drift { mean: 0.0, worst: 0.0, worst_text: 0 });
        // One text of twenty turned by a right angle: 1/20 is still a warning, two of them are not.
        let mut now = was.clone();
        now.vectors[7] = vec![0.0, 1.0];
        let drift = was.drift(&now).unwrap();
        assert_eq!((drift.mean, drift.worst, drift.worst_text, drift.health()), (0.05, 1.0, 7, Health::Warn));
        now.vectors[8] = vec![0.0, 1.0];
        assert_eq!(was.drift(&now).unwrap().health(), Health::StopWrites);
        // acos(0.97): all texts moved by 0.03.
        let moved = was.drift(&reference(0.97_f64.acos())).unwrap();
        assert!((moved.mean - 0.03).abs() < 1e-6 && moved.health() == Health::Warn, "{moved:?}");
    }

    #[test]
    fn g_006_vectors_of_different_models_are_never_compared() {
        let was = reference(0.0);
        let mut other = was.clone();
        other.model.preprocessing = B256::repeat_byte(1);
        assert!(matches!(was.drift(&other), Err(DriftError::OtherModel { .. })));
        let mut short = was.clone();
        short.vectors.pop();
        assert_eq!(was.drift(&short), Err(DriftError::Broken { text: 19 }));
        let mut zero = was.clone();
        zero.vectors[3] = vec![0.0, 0.0];
        assert_eq!(was.drift(&zero), Err(DriftError::Broken { text: 3 }));
    }

    #[test]
    fn reference_texts_differ_from_each_other() {
        let different: std::collections::BTreeSet<_> = REFERENCE_TEXTS.iter().collect();
        assert_eq!(different.len(), 20);
    }
}
