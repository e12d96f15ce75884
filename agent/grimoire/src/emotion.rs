//! What an entry or an episode felt like when it was made.

use std::collections::BTreeMap;

pub use golem_daimon::{Emotion, Pad};

use golem_daimon::feeling::Felt;
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, UtcTime};

/// G-193. Arousal above which an insight is suspect until it was looked at in calm.
const BIASING_AROUSAL: f64 = 0.5;

/// G-041, G-191. What was felt, read from the Daimon at creation and never chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct EmotionalTag {
    pub primary: Emotion,
    pub pad: Pad,
    /// The mood it met.
    pub mood: Pad,
    /// How intense it was when made or last re-activated.
    pub intensity: Ppm,
    pub phase: Phase,
    pub reactivations: u32,
    /// When it was made or last re-activated: where its fading begins.
    pub since: UtcTime,
}

impl EmotionalTag {
    /// A-100, G-041. The tag of what the Daimon felt in the tick the memory was made.
    #[must_use]
    pub const fn of(felt: &Felt, phase: Phase) -> Self {
        let Felt { feeling, mood, at, .. } = *felt;
        Self {
            primary: feeling.primary,
            pad: feeling.pad,
            mood,
            intensity: feeling.intensity,
            phase,
            reactivations: 0,
            since: at,
        }
    }

    /// G-193. Whether an insight made in this mood must be checked again in calm.
    #[must_use]
    pub fn biases_insight(&self) -> bool {
        self.pad.arousal() > BIASING_AROUSAL
    }
}

/// G-085. How varied the moods are in which an entry was validated: Shannon entropy of the labels over that of all eight
/// alike. None or one label has no variety.
#[must_use]
pub fn diversity(labels: &[Emotion]) -> Ppm {
    let mut counts: BTreeMap<Emotion, u32> = BTreeMap::new();
    for label in labels {
        *counts.entry(*label).or_default() += 1;
    }
    let total = labels.len() as f64;
    let entropy: f64 =
        counts.values().map(|count| f64::from(*count) / total).map(|share| -share * libm::log2(share)).sum();
    Ppm::round(entropy / libm::log2(Emotion::ALL.len() as f64))
}

/// G-152. The mean valence since the last cycle, and what the sign in the minority gains by it.
#[must_use]
pub fn minority_weight(valences: &[f64]) -> f64 {
    if valences.is_empty() {
        return 0.0;
    }
    let mean = valences.iter().sum::<f64>() / valences.len() as f64;
    if mean.abs() > 0.5 { -0.4 * mean } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use golem_daimon::feeling::Feeling;
    use golem_daimon::trigger::TriggerKind;
    use golem_primitives::Tick;
    use proptest::prelude::*;

    use super::*;

    fn tag(intensity: u32) -> EmotionalTag {
        EmotionalTag {
            primary: Emotion::Fear,
            pad: Pad::NEUTRAL,
            mood: Pad::NEUTRAL,
            intensity: Ppm::of(intensity),
            phase: Phase::Stable,
            reactivations: 0,
            since: UtcTime::from_seconds(1_000_000),
        }
    }

    /// G-088: W17.
    #[test]
    fn g_088_congruence_meets_w17() {
        let a = Pad::round(-0.5, 0.6, -0.3);
        for (id, other, parts) in [
            ("W17", Pad::round(-0.4, 0.5, -0.2), 998_888),
            ("W17 opposite", Pad::round(0.5, -0.6, 0.3), 0),
            ("W17 orthogonal", Pad::round(0.6, 0.5, 0.0), 500_000),
            ("W17 zero", Pad::NEUTRAL, 500_000),
        ] {
            assert_eq!(Ppm::round(a.congruence(other)), Ppm::of(parts), "{id}");
        }
    }

    /// G-193: the edge is exclusive.
    #[test]
    fn g_193_excited_insights_are_marked() {
        let at = |arousal| EmotionalTag { pad: Pad::round(0.0, arousal, 0.0), ..tag(0) };
        assert!(at(0.500_001).biases_insight() && !at(0.5).biases_insight());
    }

    /// A-100, G-041: a memory is tagged with what the Daimon felt, and with nothing else.
    #[test]
    fn a_100_tags_are_read_from_the_daimon() {
        let feeling = Feeling::new(Emotion::Fear, Pad::thousandths(-500, 700, -300), 0.4, 0.9);
        let at = UtcTime::from_seconds(7);
        let felt = Felt { feeling, trigger: TriggerKind::TradeLoss, mood: Pad::NEUTRAL, tick: Tick::new(3), at };
        let tag = EmotionalTag::of(&felt, Phase::Stable);
        assert_eq!((tag.primary, tag.pad, tag.intensity), (Emotion::Fear, feeling.pad, Ppm::of(400_000)));
        assert_eq!((tag.phase, tag.reactivations, tag.since), (Phase::Stable, 0, at));
    }

    /// G-085.
    #[test]
    fn g_085_diversity_is_normalised_entropy() {
        assert_eq!(diversity(&[]), Ppm::ZERO);
        assert_eq!(diversity(&[Emotion::Joy; 9]), Ppm::ZERO);
        assert_eq!(diversity(Emotion::ALL), Ppm::ONE);
        assert_eq!(diversity(&[Emotion::Joy, Emotion::Fear]), Ppm::of(333_333));
    }

    /// G-152: the minority gains only when the mood was lopsided.
    #[test]
    fn g_152_the_minority_sign_is_weighted() {
        assert_eq!(minority_weight(&[0.5, 0.5]), 0.0, "0.5 is not above 0.5");
        assert_eq!(minority_weight(&[]), 0.0);
        assert!((minority_weight(&[0.8, 0.6]) + 0.28).abs() < 1e-12);
        assert!((minority_weight(&[-0.8, -0.6]) - 0.28).abs() < 1e-12);
    }

    /// G-041: what is no number is no feeling.
    #[test]
    fn g_041_moods_are_held_in_range() {
        assert_eq!(Pad::round(f64::NAN, 7.0, -7.0), Pad::round(0.0, 1.0, -1.0));
        assert_eq!(Emotion::ALL.len(), 8);
        assert!(Pad::round(0.1, 0.0, 0.0).opposes(Pad::round(-0.1, 0.0, 0.0)));
        assert!(!Pad::NEUTRAL.opposes(Pad::round(-0.1, 0.0, 0.0)));
    }

    proptest! {
        /// G-088: symmetric, in range, whole with itself.
        #[test]
        fn g_088_congruence_is_a_share(a in any::<[f64; 3]>(), b in any::<[f64; 3]>()) {
            let (a, b) = (Pad::round(a[0], a[1], a[2]), Pad::round(b[0], b[1], b[2]));
            let score = a.congruence(b);
            prop_assert!((0.0..=1.0).contains(&score));
            prop_assert_eq!(score, b.congruence(a));
        }
    }
}
