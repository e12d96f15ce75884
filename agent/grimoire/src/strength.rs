//! Strength: how often knowledge was used and turned out right.

/// G-043, G-044. The factor by which use lengthens a half-life, in hundredths so that +0.1 and +0.5 add up exactly.
/// It starts at one and never falls below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(from = "u32", into = "u32")]
pub struct Strength(u32);

/// What can strengthen an entry. Mere retrieval is not among them (G-081).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reinforcement {
    /// G-079. Retrieved for a live tick, which had this result.
    Live(LiveResult),
    /// G-079. Replayed in a dream.
    DreamReplay,
    /// G-079. Confirmed by a sibling.
    CladeConfirmation,
    /// G-080. Matched in micro-consolidation.
    MicroConsolidation,
    /// G-079. Inherited.
    Inheritance,
}

/// The result of a live tick, as far as reinforcement asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct LiveResult {
    pub pnl_micros: i64,
    pub risk_improved: bool,
}

impl LiveResult {
    /// G-079. Whether the tick counts as a success.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.pnl_micros > 0 || self.risk_improved
    }
}

impl From<u32> for Strength {
    fn from(hundredths: u32) -> Self {
        Self::from_hundredths(hundredths)
    }
}

impl From<Strength> for u32 {
    fn from(strength: Strength) -> Self {
        strength.hundredths()
    }
}

impl Default for Strength {
    fn default() -> Self {
        Self::ONE
    }
}

impl Strength {
    /// Where every entry starts.
    pub const ONE: Self = Self(100);

    /// A strength from hundredths, held at one or more.
    #[must_use]
    pub const fn from_hundredths(hundredths: u32) -> Self {
        if hundredths < 100 { Self::ONE } else { Self(hundredths) }
    }

    /// In hundredths.
    #[must_use]
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// As a factor, one or more.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// G-079 to G-081. After a reinforcement; a live tick without success adds nothing.
    #[must_use]
    pub const fn reinforced(self, by: Reinforcement) -> Self {
        let gain = match by {
            Reinforcement::Live(result) if result.is_positive() => 100,
            Reinforcement::Live(_) | Reinforcement::Inheritance => 0,
            Reinforcement::DreamReplay => 50,
            Reinforcement::CladeConfirmation => 75,
            Reinforcement::MicroConsolidation => 10,
        };
        Self(self.0.saturating_add(gain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G-044, G-079, G-080, G-081: what adds, and how much, exactly.
    #[test]
    fn g_079_reinforcements_add_their_fractions() {
        let won = Reinforcement::Live(LiveResult { pnl_micros: 1, risk_improved: false });
        let safer = Reinforcement::Live(LiveResult { pnl_micros: -5, risk_improved: true });
        let merely_read = Reinforcement::Live(LiveResult::default());
        for (by, hundredths) in [
            (won, 200),
            (safer, 200),
            (merely_read, 100),
            (Reinforcement::DreamReplay, 150),
            (Reinforcement::CladeConfirmation, 175),
            (Reinforcement::MicroConsolidation, 110),
            (Reinforcement::Inheritance, 100),
        ] {
            assert_eq!(Strength::ONE.reinforced(by).hundredths(), hundredths, "{by:?}");
        }
        let ten = (0..10).fold(Strength::ONE, |s, _| s.reinforced(Reinforcement::MicroConsolidation));
        assert_eq!(ten.as_f64(), 2.0, "ten tenths are one");
    }

    /// G-043: never below the start, never over the end.
    #[test]
    fn g_043_strength_is_held_in_range() {
        assert_eq!(Strength::from_hundredths(0), Strength::default());
        let most = Strength::from_hundredths(u32::MAX);
        assert_eq!(most.reinforced(Reinforcement::DreamReplay), most);
    }
}
