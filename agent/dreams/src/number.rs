//! Confidence as staging counts it, and temperatures.

use std::fmt;

use golem_grimoire::confidence::Confidence;

/// DG-13. A confidence in integer hundredths: in floats 0.2 + 0.1 is 0.30000000000000004.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Hundredths(u8);

/// A number of hundredths that is no confidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a confidence has at most 100 hundredths, not {given}; give one between 0 and 1")]
pub struct AboveOne {
    pub given: u8,
}

impl Hundredths {
    /// None.
    pub const ZERO: Self = Self(0);

    /// A confidence for constants and tables.
    ///
    /// # Panics
    /// Above one hundred. In a constant this is a compile error.
    #[must_use]
    pub const fn of(hundredths: u8) -> Self {
        assert!(hundredths <= 100, "a confidence has at most one hundred hundredths");
        Self(hundredths)
    }

    /// The hundredths.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// As the Grimoire counts it.
    #[must_use]
    pub const fn confidence(self) -> Confidence {
        Confidence::of(self.0 as u32 * 10_000)
    }
}

impl TryFrom<u8> for Hundredths {
    type Error = AboveOne;

    fn try_from(given: u8) -> Result<Self, AboveOne> {
        if given <= 100 { Ok(Self(given)) } else { Err(AboveOne { given }) }
    }
}

impl From<Hundredths> for u8 {
    fn from(confidence: Hundredths) -> Self {
        confidence.0
    }
}

impl fmt::Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{:02}", self.0 / 100, self.0 % 100))
    }
}

/// A model's temperature in thousandths, so that two machines ask alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Temperature(u16);

impl Temperature {
    /// A temperature in thousandths.
    #[must_use]
    pub const fn thousandths(thousandths: u16) -> Self {
        Self(thousandths)
    }

    /// In thousandths.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Rounds a number once; what is no number or below zero is zero.
    #[must_use]
    pub fn round(value: f64) -> Self {
        // `as` saturates and sends NaN to zero.
        Self(libm::round(value * 1_000.0) as u16)
    }

    /// As a number.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1_000.0
    }

    /// Higher or lower by thousandths, never below zero.
    #[must_use]
    pub fn moved(self, thousandths: i16) -> Self {
        Self(self.0.saturating_add_signed(thousandths))
    }
}

/// A number held in [0, 1]; a NaN is zero.
pub(crate) fn clamp01(value: f64) -> f64 {
    if value >= 1.0 {
        1.0
    } else if value > 0.0 {
        value
    } else {
        0.0
    }
}

/// A count as wide as a record keeps it.
pub(crate) fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}
