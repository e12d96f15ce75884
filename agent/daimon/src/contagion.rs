//! What siblings' moods do to one's own.

use golem_primitives::{Ppm, UtcTime};

use crate::pad::Pad;

/// How far pleasure and arousal are drawn toward a sibling's.
const PULL: f64 = 0.3;
/// The most arousal one sync can bring.
const AROUSAL_PER_SYNC: f64 = 0.3;
/// What a warning, a crisis message or a regime alert brings.
const WARNING: f64 = 0.1;
/// What a sibling's good day brings, in dominance.
const SUCCESS: f64 = 0.05;
/// Half of it is gone after six hours.
const HALF_LIFE_SECONDS: f64 = 6.0 * 3_600.0;

/// What one sync with the Clade brought.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sync<'a> {
    /// Moods that came with shared knowledge.
    pub moods: &'a [Pad],
    /// Warnings, regime alerts and crisis messages.
    pub warnings: u32,
    /// Whether a sibling's Sharpe ratio of a day was above two.
    pub success: bool,
}

/// A trace others left of a threat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ThreatTrace {
    pub intensity: Ppm,
    pub confirmations: u32,
}

/// What others left in one's mood: apart from it and added on reading, so that its half-life is
/// exact, one's own nature does not distort it, and nothing of it is ever passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Contagion {
    term: Pad,
    scent: Pad,
    at: UtcTime,
}

impl Contagion {
    /// What is left of it.
    #[must_use]
    pub fn left(&self, now: UtcTime) -> Pad {
        let share = libm::exp2(-(now.since(self.at).as_secs() as f64) / HALF_LIFE_SECONDS);
        Pad::NEUTRAL.toward(self.term, share)
    }

    /// The mood with what others left in it.
    #[must_use]
    pub fn colour(&self, mood: Pad, now: UtcTime) -> Pad {
        let [p, a, d] = self.left(now).axes();
        let [scent_p, scent_a, _] = self.scent.axes();
        mood.plus(p + scent_p, a + scent_a, d)
    }

    /// Takes in one sync; answers whether the bound on arousal was met.
    pub fn absorb(&mut self, sync: &Sync<'_>, own: Pad, now: UtcTime) -> bool {
        let left = self.left(now);
        let (mut pleasure, mut arousal) = (0.0, WARNING * f64::from(sync.warnings.min(100)));
        for mood in sync.moods {
            pleasure += PULL * (mood.pleasure() - own.pleasure());
            arousal += PULL * (mood.arousal() - own.arousal());
        }
        // In `f64` three tenths are more than 0.3; the bound is judged in the unit that is kept.
        let is_capped = libm::round((arousal - AROUSAL_PER_SYNC) * 1e6) > 0.0;
        let lift = if sync.success { (SUCCESS - left.dominance()).max(0.0) } else { 0.0 };
        self.term = left.plus(pleasure, arousal.min(AROUSAL_PER_SYNC), lift);
        self.at = self.at.max(now);
        is_capped
    }

    /// What hangs in the air now; it replaces what hung there before, and only the engine takes it in.
    pub fn smell(&mut self, threats: &[ThreatTrace]) {
        let strongest = threats.iter().map(|threat| threat.intensity).max().unwrap_or(Ppm::ZERO);
        let confirmed = threats.iter().any(|threat| threat.confirmations >= 3);
        self.scent = Pad::round(if confirmed { -0.1 } else { 0.0 }, 0.3 * strongest.as_f64(), 0.0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(hours: u64) -> UtcTime {
        UtcTime::from_seconds(1_000_000 + hours * 3_600)
    }

    fn near(got: f64, wanted: f64) -> bool {
        (got - wanted).abs() <= 1e-6
    }

    /// W-17.
    #[test]
    fn a_096_contagion_meets_w_17() {
        let mut term = Contagion::default();
        let capped =
            term.absorb(&Sync { moods: &[Pad::thousandths(0, 1_000, 0)], ..Sync::default() }, Pad::NEUTRAL, at(0));
        assert!(!capped, "0.3 is the bound and not above it");
        for (hours, left) in [(0, 0.3), (3, 0.212_132_0), (6, 0.15), (12, 0.075)] {
            assert!(near(term.left(at(hours)).arousal(), left), "W-17 after {hours} h");
            assert!(near(term.colour(Pad::NEUTRAL, at(hours)).arousal(), left));
        }
    }

    /// warnings count a tenth each, three tenths at most.
    #[test]
    fn a_162_warnings_are_bounded() {
        for (warnings, arousal, capped) in [(1, 0.1, false), (3, 0.3, false), (4, 0.3, true), (u32::MAX, 0.3, true)] {
            let mut term = Contagion::default();
            assert_eq!(term.absorb(&Sync { warnings, ..Sync::default() }, Pad::NEUTRAL, at(0)), capped, "{warnings}");
            assert!(near(term.left(at(0)).arousal(), arousal), "{warnings}");
        }
    }

    /// a sibling's good day lifts dominance by 0.05 and no further.
    #[test]
    fn a_095_a_siblings_success_lifts_a_little() {
        let mut term = Contagion::default();
        for _ in 0..5 {
            term.absorb(&Sync { success: true, ..Sync::default() }, Pad::NEUTRAL, at(0));
        }
        assert!(near(term.left(at(0)).dominance(), 0.05));
    }

    /// A-084, I-326: W-47. Threats in the air rouse, and confirmed ones weigh.
    #[test]
    fn a_084_pheromones_rouse() {
        let trace = |intensity, confirmations| ThreatTrace { intensity: Ppm::of(intensity), confirmations };
        let mut term = Contagion::default();
        term.smell(&[trace(500_000, 2), trace(1_000_000, 0)]);
        assert_eq!(term.colour(Pad::NEUTRAL, at(0)), Pad::round(0.0, 0.3, 0.0));
        term.smell(&[trace(500_000, 3)]);
        assert_eq!(term.colour(Pad::NEUTRAL, at(0)), Pad::round(-0.1, 0.15, 0.0));
        assert_eq!(term.colour(Pad::thousandths(0, 950, 0), at(0)).arousal(), 1.0, "capped at one");
        assert_eq!(term.colour(Pad::thousandths(-950, 0, 0), at(0)).pleasure(), -1.0, "no lower than minus one");
        term.smell(&[trace(800_000, 0)]);
        for (arousal, roused) in [(500, 0.74), (900, 1.0)] {
            assert!(near(term.colour(Pad::thousandths(0, arousal, 0), at(0)).arousal(), roused), "W-47");
        }
        term.smell(&[]);
        assert_eq!(term.colour(Pad::NEUTRAL, at(0)), Pad::NEUTRAL);
    }

    proptest! {
        /// moods and warnings never change dominance, and a sync never adds more than 0.3 of arousal.
        #[test]
        fn a_154_contagion_never_changes_dominance(
            moods in prop::collection::vec(any::<[f64; 3]>(), 0..20), own in any::<[f64; 3]>(), warnings: u32,
        ) {
            let moods: Vec<Pad> = moods.into_iter().map(|m| Pad::round(m[0], m[1], m[2])).collect();
            let own = Pad::round(own[0], own[1], own[2]);
            let mut term = Contagion::default();
            term.absorb(&Sync { moods: &moods, warnings, success: false }, own, at(0));
            prop_assert_eq!(term.left(at(0)).dominance(), 0.0);
            prop_assert!(term.left(at(0)).arousal() <= 0.3 + 1e-9);
            prop_assert_eq!(term.colour(own, at(1)).dominance(), own.dominance());
        }
    }
}
