//! The observer: a cool look at what was caught.

use golem_primitives::{Ppm, Tick};

use crate::number::{Hundredths, Temperature, clamp01};

/// D-058, C27. How cool.
pub const TEMPERATURE: Temperature = Temperature::thousandths(400);
/// D-060. Score from which it is kept.
pub const KEEP: Ppm = Ppm::of(150_000);
/// D-060. Ticks for which what lies between waits.
pub const HOLD_TICKS: u64 = 50;
/// D-061. What is judged of a fragment, each in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Judgement {
    /// How unlike everything known: one less the nearest cosine.
    pub novelty: Ppm,
    /// Whether it matters here.
    pub relevance: Ppm,
    /// Whether it hangs together.
    pub coherence: Ppm,
}

impl Judgement {
    /// D-061. `novelty^0.5 * relevance^0.3 * coherence^0.2`, corrected; a part of nothing makes nothing of the whole.
    #[must_use]
    pub fn score(&self, bias: f64) -> Ppm {
        let part = |share: Ppm, power: f64| {
            if share == Ppm::ZERO { 0.0 } else { libm::pow(share.as_f64(), power) }
        };
        Ppm::round(part(self.novelty, 0.5) * part(self.relevance, 0.3) * part(self.coherence, 0.2) * bias.max(0.0))
    }
}

/// D-060. What becomes of a fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FragmentFate {
    Discard,
    /// Looked at again then.
    Hold(Tick),
    /// Written into the journal.
    Keep,
}

/// D-060, D-239. By its score and the owner's floor; a second look keeps or drops.
#[must_use]
pub fn fate(score: Ppm, floor: Hundredths, is_second_look: bool, now: Tick) -> FragmentFate {
    if score >= KEEP {
        FragmentFate::Keep
    } else if score < floor.confidence().get() || is_second_look {
        FragmentFate::Discard
    } else {
        FragmentFate::Hold(now.checked_add(HOLD_TICKS).unwrap_or(Tick::MAX))
    }
}

/// D-061. How new something is: one less the nearest cosine to anything known; wholly new where nothing can be compared.
#[must_use]
pub fn novelty(nearest: Option<f64>) -> Ppm {
    Ppm::round(clamp01(1.0 - nearest.unwrap_or(0.0)))
}
