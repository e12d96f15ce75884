//! What affect gives to memory.

use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, UtcTime, words};

use crate::emotion::{Emotion, MoodLabel};
use crate::feeling::Felt;
use crate::pad::Pad;
use crate::review::Arc;

/// A-103, W-23. How soon an episode is consolidated: arousal counts by its size, an untagged one has none. Grief makes
/// it sooner.
#[must_use]
pub fn consolidation_priority(importance: Ppm, novelty: Ppm, arousal: Option<f64>, grief: f64) -> f64 {
    importance.as_f64() * novelty.as_f64() * (1.0 + 0.3 * arousal.map_or(0.0, f64::abs)) * grief
}

words! {
    /// What a recall did for an entry.
    Reinforcement {
        /// It came to mind.
        Recalled = "recalled",
        /// A dream validated or replayed it.
        Dreamt = "dreamt",
        /// It came to mind and the outcome was good.
        Proved = "proved",
    }
}

impl Reinforcement {
    /// What the strength of an entry gains, in halves of one.
    #[must_use]
    pub const fn half_steps(self) -> u32 {
        match self {
            Self::Recalled => 0,
            Self::Dreamt => 1,
            Self::Proved => 2,
        }
    }
}

/// Ticks of high arousal in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Flashbulb {
    ticks: u32,
}

impl Flashbulb {
    /// Whether this tick is burnt in: arousal above 0.7 for the second tick or more.
    pub fn notes(&mut self, arousal: f64) -> bool {
        self.ticks = if arousal > 0.7 { self.ticks.saturating_add(1) } else { 0 };
        self.ticks >= 2
    }
}

/// What an insight felt like on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EmotionalProvenance {
    /// The mean vector.
    pub mean: Pad,
    /// What was felt at its discovery.
    pub discovery: Emotion,
    /// Its way.
    pub arc: Arc,
    /// How varied the moods were it was validated in.
    pub diversity: Ppm,
}

impl EmotionalProvenance {
    /// Of what was felt, first to last; of nothing there is none.
    #[must_use]
    pub fn of(felt: &[Felt]) -> Option<Self> {
        let discovery = felt.first()?.feeling.primary;
        let count = felt.len() as f64;
        let mean = |axis: usize| felt.iter().map(|one| one.feeling.pad.axes()[axis]).sum::<f64>() / count;
        let pleasures: Vec<f64> = felt.iter().map(|one| one.feeling.pad.pleasure()).collect();
        let bits = crate::watch::entropy_bits(felt.iter().map(|one| one.feeling.primary));
        Some(Self {
            mean: Pad::round(mean(0), mean(1), mean(2)),
            discovery,
            arc: Arc::of(&pleasures).0,
            diversity: Ppm::round(bits / libm::log2(Emotion::ALL.len() as f64)),
        })
    }
}

/// One row of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LogRow {
    /// The tick.
    pub tick: Tick,
    /// When.
    pub at: UtcTime,
    /// The mood.
    pub mood: Pad,
    /// What it is called.
    pub label: MoodLabel,
    /// The market's regime, as the Grimoire writes it.
    pub regime: String,
    /// The phase.
    pub phase: Phase,
}

/// Whether a row of that tick and time is still kept: all for thirty days, then one of fifty.
#[must_use]
pub fn keeps_row(tick: Tick, at: UtcTime, now: UtcTime) -> bool {
    now.since(at).as_secs() <= 30 * UtcTime::DAY_SECONDS || tick.get().is_multiple_of(50)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feeling::Feeling;
    use crate::trigger::TriggerKind;

    /// W-23.
    #[test]
    fn a_103_consolidation_meets_w_23() {
        let priority = |arousal| consolidation_priority(Ppm::of(600_000), Ppm::of(500_000), arousal, 1.0);
        assert!((priority(Some(0.9)) - 0.381).abs() < 1e-9, "W-23");
        assert!((priority(Some(-0.9)) - 0.381).abs() < 1e-9, "by its size");
        assert!((priority(None) - 0.30).abs() < 1e-9, "W-23");
    }

    /// mere recall strengthens nothing.
    #[test]
    fn a_104_proof_strengthens_recall_does_not() {
        let steps: Vec<u32> = Reinforcement::ALL.iter().map(|one| one.half_steps()).collect();
        assert_eq!(steps, [0, 1, 2]);
    }

    /// two ticks above 0.7.
    #[test]
    fn a_105_two_aroused_ticks_burn_in() {
        let mut bulb = Flashbulb::default();
        let notes = [0.71, 0.71, 0.9, 0.7, 0.8, 0.8].map(|arousal| bulb.notes(arousal));
        assert_eq!(notes, [false, true, true, false, false, true]);
    }

    ///
    #[test]
    fn a_106_insights_remember_their_way() {
        let felt = |primary, pleasure| Felt {
            feeling: Feeling::new(primary, Pad::thousandths(pleasure, 200, 0), 0.5, 0.5),
            trigger: TriggerKind::KnowledgeValidated,
            mood: Pad::NEUTRAL,
            tick: Tick::ZERO,
            at: UtcTime::EPOCH,
        };
        assert_eq!(EmotionalProvenance::of(&[]), None);
        let way = EmotionalProvenance::of(&[felt(Emotion::Fear, -400), felt(Emotion::Joy, 600)]).expect("two");
        assert_eq!((way.mean, way.discovery), (Pad::thousandths(100, 200, 0), Emotion::Fear));
        assert_eq!((way.diversity, way.arc), (Ppm::of(333_333), Arc::Stable), "fewer than ten are no arc");
    }

    /// thirty days whole, then one of fifty.
    #[test]
    fn a_107_the_log_is_bounded() {
        let at = |days: u64| UtcTime::from_seconds(days * 86_400);
        assert!(keeps_row(Tick::new(7), at(0), at(30)) && !keeps_row(Tick::new(7), at(0), at(31)));
        assert!(keeps_row(Tick::new(100), at(0), at(400)));
    }
}
