//! The five behavioural phases and how a life moves between them.

use golem_primitives::Ppm;

/// How a Golem lives at its vitality. Ordered from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The posture of dying; death itself is one of the checks (M-133).
    Terminal,
    /// Unwinding and leaving a legacy.
    Declining,
    /// Watching, distilling, not opening anything.
    Conservation,
    Stable,
    /// Full strategy, free exploration.
    Thriving,
}

/// M-124. Inclusive floors, best first; below the last one is Terminal.
const FLOORS: [(Phase, Ppm); 4] = [
    (Phase::Thriving, Ppm::of(700_000)),
    (Phase::Stable, Ppm::of(500_000)),
    (Phase::Conservation, Ppm::of(300_000)),
    (Phase::Declining, Ppm::of(100_000)),
];

impl Phase {
    /// Every phase, worst first.
    pub const ALL: [Self; 5] = [Self::Terminal, Self::Declining, Self::Conservation, Self::Stable, Self::Thriving];

    /// The phase of a composite without history (M-124).
    #[must_use]
    pub fn raw(composite: Ppm) -> Self {
        FLOORS.iter().find(|(_, floor)| composite >= *floor).map_or(Self::Terminal, |(phase, _)| *phase)
    }

    /// The lowest composite of this phase; zero for Terminal.
    #[must_use]
    pub fn floor(self) -> Ppm {
        FLOORS.iter().find(|(phase, _)| *phase == self).map_or(Ppm::ZERO, |(_, floor)| *floor)
    }

    /// M-125. A fall applies at once and may skip phases; a rise goes to the best phase whose floor is cleared by
    /// `margin`, so a life at the edge does not flicker and a better composite never means a worse phase.
    #[must_use]
    pub fn next(self, composite: Ppm, margin: Ppm) -> Self {
        let raw = Self::raw(composite);
        if raw <= self { raw } else { Self::raw(composite.saturating_sub(margin)).max(self) }
    }

    /// Position from worst (0) to best (4), for tables.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name as the catalogue and the screens spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Terminal => "Terminal",
            Self::Declining => "Declining",
            Self::Conservation => "Conservation",
            Self::Stable => "Stable",
            Self::Thriving => "Thriving",
        }
    }
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Phase::{Conservation, Declining, Stable, Terminal, Thriving};
    use super::*;

    const MARGIN: Ppm = Ppm::of(50_000);

    /// M-124, M-117, C-19: floors are inclusive.
    #[test]
    fn m_124_raw_phase_edges_are_inclusive() {
        for (parts, phase) in [
            (1_000_000, Thriving),
            (700_000, Thriving),
            (699_999, Stable),
            (500_000, Stable),
            (499_999, Conservation),
            (300_000, Conservation),
            (299_999, Declining),
            (100_000, Declining),
            (99_999, Terminal),
            (0, Terminal),
        ] {
            assert_eq!(Phase::raw(Ppm::of(parts)), phase, "{parts}");
        }
    }

    /// M-125, M-126, M-133 with the monotone reading. W-36 and W-44 describe the `f64` trap of the literal function;
    /// with integer edges exactly floor + margin rises, as the decision on hysteresis says.
    #[test]
    fn m_125_worked_vectors_w_25_to_w_44_in_the_monotone_reading() {
        for (id, composite, current, expected) in [
            ("W-25", 0.35, Conservation, Conservation),
            ("W-26", 0.549, Conservation, Conservation),
            ("W-27", 0.55, Conservation, Stable),
            ("W-28", 0.72, Conservation, Stable),
            ("W-29", 0.75, Conservation, Thriving),
            ("W-30", 0.749, Stable, Stable),
            ("W-31", 0.7, Thriving, Thriving),
            ("W-32", 0.699_999, Thriving, Stable),
            ("W-33", 0.49, Thriving, Conservation),
            ("W-34", 0.09, Thriving, Terminal),
            ("W-35", 0.12, Terminal, Terminal),
            ("W-36", 0.15, Terminal, Declining),
            ("W-37", 0.150_000_1, Terminal, Declining),
            ("W-38", 0.28, Terminal, Declining),
            ("W-39", 0.32, Terminal, Declining),
            ("W-40", 0.35, Terminal, Conservation),
            ("W-41", 0.34, Declining, Declining),
            ("W-42", 0.35, Declining, Conservation),
            ("W-43", 0.99, Terminal, Thriving),
            ("W-44", 0.1 + 0.05, Terminal, Declining),
        ] {
            assert_eq!(current.next(Ppm::round(composite), MARGIN), expected, "{id}");
        }
        // M-126, in the seed's own words.
        assert_eq!(Conservation.next(Ppm::of(350_000), MARGIN), Conservation);
        assert_eq!(Conservation.next(Ppm::of(550_000), MARGIN), Stable);
        assert_eq!(Terminal.next(Ppm::of(360_000), MARGIN), Conservation, "decision on C-20");
    }

    fn any_phase() -> impl Strategy<Value = Phase> {
        prop::sample::select(Phase::ALL.to_vec())
    }

    proptest! {
        /// M-125: a second look at the same composite changes nothing.
        #[test]
        fn m_125_phase_is_idempotent(parts in 0u32..=1_000_000, current in any_phase(), margin in 0u32..=200_000) {
            let (composite, margin) = (Ppm::of(parts), Ppm::of(margin));
            let once = current.next(composite, margin);
            prop_assert_eq!(once.next(composite, margin), once);
        }

        /// M-125: a better composite, or a better phase to start from, never ends in a worse phase.
        #[test]
        fn m_125_phase_is_monotone(a in 0u32..=1_000_000, b in 0u32..=1_000_000, x in any_phase(), y in any_phase()) {
            let (low, high) = (Ppm::of(a.min(b)), Ppm::of(a.max(b)));
            prop_assert!(x.next(low, MARGIN) <= x.next(high, MARGIN));
            prop_assert!(x.min(y).next(low, MARGIN) <= x.max(y).next(low, MARGIN));
        }

        /// M-125: falls apply at once.
        #[test]
        fn m_125_a_fall_is_never_delayed(parts in 0u32..=1_000_000, current in any_phase()) {
            let raw = Phase::raw(Ppm::of(parts));
            prop_assert!(raw > current || current.next(Ppm::of(parts), MARGIN) == raw);
        }
    }
}
