//! Retention: what is left of confidence after a time without confirmation, computed when it is read.

use std::time::Duration;

use golem_primitives::Ppm;

use crate::confidence::Confidence;
use crate::strength::Strength;
use golem_primitives::words;

words! {
    /// G-029, G-060. How fast knowledge of a kind goes stale.
    DecayClass {
        /// Mechanics, ABIs, chain parameters: never.
        Structural = "structural",
        /// Regime models, correlations: 14 days.
        RegimeConditional = "regime_conditional",
        /// Signals, spreads, gas estimates: 7 days.
        Tactical = "tactical",
        /// Order books, mempools, current prices: a day.
        Ephemeral = "ephemeral",
    }
}

impl DecayClass {
    /// G-059. After how long without confirmation half is left; `None` for knowledge that does not decay.
    #[must_use]
    pub const fn half_life(self) -> Option<Duration> {
        const DAY: u64 = 86_400;
        match self {
            Self::Structural => None,
            Self::RegimeConditional => Some(Duration::from_secs(14 * DAY)),
            Self::Tactical => Some(Duration::from_secs(7 * DAY)),
            Self::Ephemeral => Some(Duration::from_secs(DAY)),
        }
    }
}

/// The numbers of decay an owner may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionLaw {
    /// G-076. Whether knowledge decays at all: on for mortals.
    pub demurrage: bool,
    /// G-064. How many hundredths of its usual half-life a bloodstain has.
    pub bloodstain_hundredths: u32,
    archive_threshold: Ppm,
}

/// G-069. An archive threshold outside 0.01 to 0.30.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an archive threshold lies between 0.01 and 0.30, not at {given}")]
pub struct ThresholdOutOfRange {
    pub given: Ppm,
}

impl Default for RetentionLaw {
    fn default() -> Self {
        Self { demurrage: true, bloodstain_hundredths: 300, archive_threshold: Ppm::of(100_000) }
    }
}

impl RetentionLaw {
    /// G-067. Effective confidence never shows lower, so a faint trace stays findable.
    pub const FLOOR: Ppm = Ppm::of(50_000);
    /// G-069. The least an archive threshold may be.
    pub const LEAST_THRESHOLD: Ppm = Ppm::of(10_000);
    /// G-069. The most an archive threshold may be.
    pub const MOST_THRESHOLD: Ppm = Ppm::of(300_000);

    /// The same law with another archive threshold.
    ///
    /// # Errors
    /// [`ThresholdOutOfRange`] outside 0.01 to 0.30 (G-069).
    pub fn with_archive_threshold(self, given: Ppm) -> Result<Self, ThresholdOutOfRange> {
        if given < Self::LEAST_THRESHOLD || given > Self::MOST_THRESHOLD {
            return Err(ThresholdOutOfRange { given });
        }
        Ok(Self { archive_threshold: given, ..self })
    }

    /// G-068. Below it an entry leaves active context at the next Curator cycle.
    #[must_use]
    pub const fn archive_threshold(&self) -> Ppm {
        self.archive_threshold
    }
}

/// How fast one entry decays: its class and everything that stretches or shortens its half-life (G-063, GG-14).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    pub class: DecayClass,
    pub strength: Strength,
    /// G-064. Knowledge of the dead.
    pub is_bloodstain: bool,
    /// G-065. Dreamt and confirmed awake: half the rate.
    pub is_dream_validated: bool,
    /// G-066. Quality below 0.3: twice the rate.
    pub is_low_quality: bool,
    /// G-057. Inherited and not confirmed yet: twice the rate.
    pub is_unproven_inheritance: bool,
    /// C30. A question still open does not decay.
    pub is_open_question: bool,
}

impl Pace {
    /// The pace of a class with nothing else to it.
    #[must_use]
    pub const fn of(class: DecayClass) -> Self {
        Self {
            class,
            strength: Strength::ONE,
            is_bloodstain: false,
            is_dream_validated: false,
            is_low_quality: false,
            is_unproven_inheritance: false,
            is_open_question: false,
        }
    }

    /// G-063, M-144. The half-life in seconds with all factors; `None` when this entry does not decay.
    fn half_life_seconds(&self, law: &RetentionLaw) -> Option<f64> {
        if !law.demurrage || self.is_open_question {
            return None;
        }
        let mut seconds = self.class.half_life()?.as_secs() as f64 * self.strength.as_f64();
        if self.is_bloodstain {
            seconds *= f64::from(law.bloodstain_hundredths.max(1)) / 100.0;
        }
        if self.is_dream_validated {
            seconds *= 2.0;
        }
        if self.is_low_quality {
            seconds *= 0.5;
        }
        if self.is_unproven_inheritance {
            seconds *= 0.5;
        }
        Some(seconds)
    }

    /// G-062, G-063. The share left after `elapsed` without confirmation: one half at one half-life. Spans compose: what
    /// is left after two spans is the product of what each leaves.
    #[must_use]
    pub fn retention(&self, law: &RetentionLaw, elapsed: Duration) -> f64 {
        match self.half_life_seconds(law) {
            None => 1.0,
            Some(half_life) => libm::exp2(-(elapsed.as_secs() as f64) / half_life),
        }
    }

    /// G-062. What is left of `confidence`, rounded once; this is what archiving compares (GG-5).
    #[must_use]
    pub fn remaining(&self, law: &RetentionLaw, confidence: Confidence, elapsed: Duration) -> Ppm {
        Ppm::round(confidence.as_f64() * self.retention(law, elapsed))
    }

    /// G-067. What is left as retrieval and screens see it, at least 0.05.
    #[must_use]
    pub fn effective(&self, law: &RetentionLaw, confidence: Confidence, elapsed: Duration) -> Ppm {
        self.remaining(law, confidence, elapsed).max(RetentionLaw::FLOOR)
    }
}
