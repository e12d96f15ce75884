//! What one event felt like.

use std::time::Duration;

use golem_primitives::{Ppm, Tick, UtcTime};

use crate::emotion::{Degree, Emotion};
use crate::pad::Pad;
use crate::trigger::TriggerKind;

/// Half of an emotion is gone after thirty minutes.
const HALF_LIFE_SECONDS: f64 = 30.0 * 60.0;

/// What an appraisal says: an emotion, where it lies, how strong it is, how much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Feeling {
    pub primary: Emotion,
    pub degree: Degree,
    pub pad: Pad,
    pub intensity: Ppm,
    pub relevance: Ppm,
}

impl Feeling {
    /// A feeling whose word follows from its intensity.
    #[must_use]
    pub fn new(primary: Emotion, pad: Pad, intensity: f64, relevance: f64) -> Self {
        let intensity = Ppm::round(intensity);
        Self { primary, degree: Degree::of(intensity), pad, intensity, relevance: Ppm::round(relevance) }
    }

    /// The same, with the word the catalogue gives it.
    #[must_use]
    pub const fn called(mut self, degree: Degree) -> Self {
        self.degree = degree;
        self
    }

    /// What is left of its intensity after a while.
    #[must_use]
    pub fn intensity_after(&self, elapsed: Duration) -> Ppm {
        Ppm::round(self.intensity.as_f64() * libm::exp2(-(elapsed.as_secs() as f64) / HALF_LIFE_SECONDS))
    }
}

/// A feeling with what brought it and the mood it met: what an episode made in the same tick is tagged
/// with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Felt {
    pub feeling: Feeling,
    pub trigger: TriggerKind,
    pub mood: Pad,
    pub tick: Tick,
    pub at: UtcTime,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// an emotion halves in thirty minutes.
    #[test]
    fn a_020_an_emotion_halves_in_thirty_minutes() {
        let feeling = Feeling::new(Emotion::Fear, Pad::NEUTRAL, 0.8, 0.9);
        assert_eq!(feeling.intensity_after(Duration::ZERO), Ppm::of(800_000));
        assert_eq!(feeling.intensity_after(Duration::from_secs(1_800)), Ppm::of(400_000));
        assert_eq!(feeling.intensity_after(Duration::from_secs(3_600)), Ppm::of(200_000));
        assert_eq!(feeling.intensity_after(Duration::MAX), Ppm::ZERO);
    }

    /// the word follows from the same number as the intensity, unless the catalogue gives one.
    #[test]
    fn a_034_the_word_follows_the_intensity() {
        let feeling = Feeling::new(Emotion::Trust, Pad::NEUTRAL, 0.4, 0.4);
        assert_eq!(feeling.degree, Degree::Moderate);
        assert_eq!(feeling.called(Degree::Mild).degree, Degree::Mild);
    }
}
