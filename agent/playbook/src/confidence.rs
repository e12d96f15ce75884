//! P-040. How far a candidate is believed: the seed's way from a supposition to what stands at the gate.
//!
//! Evidence says whether chance can explain what a rule earned, and decides who moves money. This says whether it does what it
//! is for at all: who mostly pays for itself is admitted, who mostly does not is refuted and forgotten long before its wealth
//! would say so.

/// What a confirmation adds and a contradiction takes, in hundredths.
const CONFIRMED: u8 = 10;
const CONTRADICTED: u8 = 5;
/// From here on it is admitted, if enough trips confirmed it.
const ADMITTED: u8 = 70;
const CONFIRMATIONS: u32 = 5;
/// Below this it is refuted.
const REFUTED: u8 = 10;
/// As sure as a candidate can be.
const SURE: u8 = 100;

/// A candidate's place on the way. Its criterion is its own `when` and `until`: a finished trip speaks, once, and agrees when it
/// paid for its costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RuleConfidence {
    hundredths: u8,
    confirmations: u32,
    is_admitted: bool,
}

impl RuleConfidence {
    /// What somebody proposes: an owner, a sibling, a stranger, a model.
    pub const PROPOSED: Self = Self::at(20);
    /// What the own record showed in its older part and again in its newer.
    pub const FOUND: Self = Self::at(30);
    /// D-162. What its owner does not want.
    pub const REJECTED: Self = Self::at(0);

    const fn at(hundredths: u8) -> Self {
        Self { hundredths, confirmations: 0, is_admitted: false }
    }

    /// After one finished trip. What is decided stays decided: who was admitted is judged by evidence and detector from there on.
    pub fn hear(&mut self, agrees: bool) {
        if self.is_admitted || self.is_refuted() {
            return;
        }
        if agrees {
            self.hundredths = (self.hundredths + CONFIRMED).min(SURE);
            self.confirmations += 1;
        } else {
            self.hundredths = self.hundredths.saturating_sub(CONTRADICTED);
        }
        self.is_admitted = self.hundredths >= ADMITTED && self.confirmations >= CONFIRMATIONS;
    }

    /// D-162. Its owner lets it through the gate, whatever its trips said so far.
    pub const fn approve(&mut self) {
        self.is_admitted = true;
    }

    /// In hundredths.
    #[must_use]
    pub const fn hundredths(&self) -> u8 {
        self.hundredths
    }

    /// Whether it went through the gate: only then may evidence let it move money.
    #[must_use]
    pub const fn is_admitted(&self) -> bool {
        self.is_admitted
    }

    /// Whether its trips spoke against it.
    #[must_use]
    pub const fn is_refuted(&self) -> bool {
        !self.is_admitted && self.hundredths < REFUTED
    }
}

#[cfg(test)]
#[path = "tests/confidence.rs"]
mod tests;
