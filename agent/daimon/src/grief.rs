//! What a sibling's death does.

use golem_mortality::cause::CauseKind;
use golem_primitives::{Ppm, Tick};

use crate::emotion::Emotion;
use crate::feeling::Feeling;
use crate::pad::Pad;

/// From here on a sibling's strategy counts as one's own; exactly one half does not.
pub const KIN: Ppm = Ppm::of(500_000);
/// What risk is multiplied with at once.
const RISK_AT_ONCE: f64 = 0.8;
/// How much sooner is learnt.
pub const CONSOLIDATION: f64 = 1.2;
/// What the sharing threshold loses while one recalibrates.
pub const SHARING_RELIEF: f64 = 0.15;
/// What a sibling's death feels like, by its cause.
#[must_use]
pub fn sibling_death(cause: CauseKind, overlap: Ppm) -> Feeling {
    let (primary, pad) = match cause {
        CauseKind::EpistemicSenescence if overlap > KIN => (Emotion::Fear, Pad::thousandths(-400, 500, -400)),
        CauseKind::Economic | CauseKind::EpistemicSenescence => (Emotion::Sadness, Pad::thousandths(-400, 300, -200)),
        CauseKind::Stochastic => (Emotion::Sadness, Pad::thousandths(-300, 200, -400)),
        CauseKind::OwnerKill | CauseKind::KillSwitch => (Emotion::Sadness, Pad::thousandths(-200, 100, 0)),
    };
    Feeling::new(primary, pad, (0.4 + 0.4 * overlap.as_f64()).clamp(0.4, 0.8), 0.5)
}

/// A time of grief. A second death starts it anew and does not add to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Grief {
    since: Tick,
    window: u64,
    recalibrates: bool,
}

impl Grief {
    /// Grief that begins now, for `window` ticks.
    #[must_use]
    pub fn begin(tick: Tick, window: u64, cause: CauseKind, overlap: Ppm) -> Self {
        let recalibrates = cause == CauseKind::EpistemicSenescence && overlap > KIN;
        Self { since: tick, window, recalibrates }
    }

    /// Whether it lasts.
    #[must_use]
    pub const fn lasts(&self, tick: Tick) -> bool {
        tick.since(self.since) < self.window
    }

    /// Ticks of it that are left.
    #[must_use]
    pub const fn ticks_left(&self, tick: Tick) -> u64 {
        self.window.saturating_sub(tick.since(self.since))
    }

    /// What risk is multiplied with: 0.8 at once, back to one in a straight line.
    #[must_use]
    pub fn risk(&self, tick: Tick) -> f64 {
        if !self.lasts(tick) {
            return 1.0;
        }
        RISK_AT_ONCE + (1.0 - RISK_AT_ONCE) * tick.since(self.since) as f64 / self.window as f64
    }

    /// What the priority of consolidation is multiplied with.
    #[must_use]
    pub const fn consolidation(&self, tick: Tick) -> f64 {
        if self.lasts(tick) { CONSOLIDATION } else { 1.0 }
    }

    /// Whether one's own fitness in the failed domains is to be computed anew, and dreams are more urgent.
    #[must_use]
    pub const fn recalibrates(&self, tick: Tick) -> bool {
        self.recalibrates && self.lasts(tick)
    }

    /// What the sharing threshold loses.
    #[must_use]
    pub const fn sharing_relief(&self, tick: Tick) -> f64 {
        if self.recalibrates(tick) { SHARING_RELIEF } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W-27, and each cause its own colour.
    #[test]
    fn a_092_grief_depends_on_the_cause() {
        for (overlap, intensity) in [(0, 400_000), (500_000, 600_000), (1_000_000, 800_000)] {
            let felt = sibling_death(CauseKind::Economic, Ppm::of(overlap));
            assert_eq!(felt.intensity, Ppm::of(intensity), "W-27 at {overlap}");
        }
        let kin = Ppm::of(500_001);
        for (cause, overlap, primary, pad) in [
            (CauseKind::EpistemicSenescence, kin, Emotion::Fear, [-0.4, 0.5, -0.4]),
            (CauseKind::EpistemicSenescence, KIN, Emotion::Sadness, [-0.4, 0.3, -0.2]),
            (CauseKind::Economic, kin, Emotion::Sadness, [-0.4, 0.3, -0.2]),
            (CauseKind::Stochastic, kin, Emotion::Sadness, [-0.3, 0.2, -0.4]),
            (CauseKind::OwnerKill, kin, Emotion::Sadness, [-0.2, 0.1, 0.0]),
            (CauseKind::KillSwitch, kin, Emotion::Sadness, [-0.2, 0.1, 0.0]),
        ] {
            let felt = sibling_death(cause, overlap);
            assert_eq!((felt.primary, felt.pad.axes()), (primary, pad), "{}", cause.name());
        }
    }

    /// more caution and faster learning, which wear off.
    #[test]
    fn a_091_grief_wears_off_in_a_hundred_ticks() {
        let grief = Grief::begin(Tick::new(1_000), 100, CauseKind::Economic, Ppm::ZERO);
        for (tick, risk) in [(1_000, 0.8), (1_050, 0.9), (1_099, 0.998), (1_100, 1.0), (5_000, 1.0)] {
            assert!((grief.risk(Tick::new(tick)) - risk).abs() < 1e-12, "{tick}");
        }
        assert_eq!((grief.consolidation(Tick::new(1_099)), grief.consolidation(Tick::new(1_100))), (1.2, 1.0));
    }

    /// the death of one's own kind of understanding asks for recalibration.
    #[test]
    fn a_093_a_kindred_epistemic_death_recalibrates() {
        let grief = |cause, overlap| Grief::begin(Tick::new(10), 100, cause, Ppm::of(overlap));
        let kindred = grief(CauseKind::EpistemicSenescence, 600_000);
        assert!(kindred.recalibrates(Tick::new(109)) && !kindred.recalibrates(Tick::new(110)));
        assert_eq!(kindred.sharing_relief(Tick::new(50)), 0.15);
        assert!(!grief(CauseKind::EpistemicSenescence, 500_000).recalibrates(Tick::new(11)));
        assert!(!grief(CauseKind::Economic, 900_000).recalibrates(Tick::new(11)));
    }
}
