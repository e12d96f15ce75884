//! Gut feelings: what earlier tries left in the body.

use golem_primitives::Ppm;

use crate::emotion::Emotion;
use crate::feeling::Feeling;

/// A mark on a cached decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize)]
pub struct SomaticMarker {
    pub strength: Ppm,
    /// How it felt, in millionths; below zero was bad.
    pub valence_ppm: i32,
}

impl SomaticMarker {
    /// The marker after another signal: `0.15 signal + 0.85 strength`, and the valence likewise.
    #[must_use]
    pub fn fired(self, signal: Ppm, feeling: &Feeling) -> Self {
        self.marked(signal, feeling.pad.pleasure())
    }

    /// The same by how it went: what a [`Leaf`] says of all tries so far.
    #[must_use]
    pub fn marked(self, signal: Ppm, valence: f64) -> Self {
        let blend = |old: f64, new: f64| 0.15 * new + 0.85 * old;
        let valence = if valence.is_nan() { 0.0 } else { valence };
        let valence = blend(f64::from(self.valence_ppm) / 1e6, valence);
        Self {
            strength: Ppm::round(blend(self.strength.as_f64(), signal.as_f64())),
            valence_ppm: libm::round(valence.clamp(-1.0, 1.0) * 1e6) as i32,
        }
    }

    /// Whether the decision is to be thought over by the large model.
    #[must_use]
    pub fn wants_second_thought(&self) -> bool {
        self.valence_ppm < -500_000 && self.strength > Ppm::of(700_000)
    }
}

/// The most parameters a strategy is known by here.
pub const DIMENSIONS: usize = 8;
/// Neighbours asked.
const NEIGHBOURS: usize = 5;

/// What came of one setting of a strategy's parameters.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Leaf {
    /// Where it lies; parameters that do not exist are zero.
    pub at: [f64; DIMENSIONS],
    pub wins: u32,
    pub tries: u32,
    /// Profit or loss as a share of what was at stake.
    pub pnl: f64,
}

/// What the body says of a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gut {
    /// From dread to confidence.
    pub valence: f64,
    pub confidence: f64,
}

/// What a gut says in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GutWord {
    Warning,
    Confidence,
}

impl Leaf {
    /// `1.2 (win rate - 0.5) + 0.4 sign(pnl) min(|pnl|, 1)`; a leaf never tried has no win rate to speak of.
    #[must_use]
    pub fn valence(&self) -> f64 {
        let rate = if self.tries == 0 { 0.5 } else { f64::from(self.wins.min(self.tries)) / f64::from(self.tries) };
        let pnl = if self.pnl.is_nan() { 0.0 } else { self.pnl.clamp(-1.0, 1.0) };
        1.2 * (rate - 0.5) + 0.4 * pnl
    }

    fn distance(&self, at: &[f64; DIMENSIONS]) -> f64 {
        let squares = self.at.iter().zip(at).map(|(a, b)| (a - b) * (a - b));
        libm::sqrt(squares.sum())
    }
}

/// What the five nearest leaves say of a setting, the nearer the louder. Ties go to the earlier leaf.
#[must_use]
pub fn gut(leaves: &[Leaf], at: &[f64; DIMENSIONS]) -> Option<Gut> {
    let mut near: Vec<(f64, &Leaf)> = leaves.iter().map(|leaf| (leaf.distance(at), leaf)).collect();
    near.retain(|(distance, _)| distance.is_finite());
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    near.truncate(NEIGHBOURS);
    let weight = |distance: f64| 1.0 / (distance + 0.01);
    let total: f64 = near.iter().map(|(distance, _)| weight(*distance)).sum();
    let tries: u32 = near.iter().fold(0, |sum, (_, leaf)| sum.saturating_add(leaf.tries));
    (!near.is_empty()).then(|| Gut {
        valence: near.iter().map(|(distance, leaf)| weight(*distance) * leaf.valence()).sum::<f64>() / total,
        confidence: (f64::from(tries) / 5.0).min(1.0),
    })
}

impl Gut {
    /// Said only with some confidence, and only when it is clear.
    #[must_use]
    pub fn word(&self) -> Option<GutWord> {
        if self.confidence < 0.3 {
            None
        } else if self.valence < -0.3 {
            Some(GutWord::Warning)
        } else if self.valence > 0.3 {
            Some(GutWord::Confidence)
        } else {
            None
        }
    }
}

/// What helps against, or with, an emotion: a hint for the context, never an order. Some only help when the
/// emotion lasts.
#[must_use]
pub const fn coping_hint(emotion: Emotion, sustained: bool) -> Option<&'static str> {
    match (emotion, sustained) {
        (Emotion::Fear, _) => Some("reduce risk"),
        (Emotion::Anger, _) => Some("find the root cause"),
        (Emotion::Surprise, _) => Some("probe before acting"),
        (Emotion::Anticipation, _) => Some("prepare"),
        (Emotion::Disgust, _) => Some("reject stale knowledge"),
        (Emotion::Joy, true) => Some("exploit what works"),
        (Emotion::Sadness, true) => Some("withdraw and reflect"),
        (Emotion::Trust, true) => Some("deepen and share"),
        (Emotion::Joy | Emotion::Sadness | Emotion::Trust, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pad::Pad;

    fn leaf(at: f64, wins: u32, tries: u32, pnl: f64) -> Leaf {
        let mut place = [0.0; DIMENSIONS];
        place[0] = at;
        Leaf { at: place, wins, tries, pnl }
    }

    /// W-25.
    #[test]
    fn a_080_markers_meet_w_25() {
        let fear = Feeling::new(Emotion::Fear, Pad::thousandths(-1_000, 0, 0), 0.5, 0.5);
        let marker = SomaticMarker { strength: Ppm::of(500_000), valence_ppm: 0 }.fired(Ppm::ONE, &fear);
        assert_eq!((marker.strength, marker.valence_ppm), (Ppm::of(575_000), -150_000), "W-25");
        assert!(!marker.wants_second_thought());
        let dreaded = (0..12).fold(marker, |marker, _| marker.fired(Ppm::ONE, &fear));
        assert!(dreaded.wants_second_thought());
    }

    /// W-25, neighbours and words.
    #[test]
    fn a_081_the_landscape_meets_w_25() {
        assert!((leaf(0.0, 7, 10, -0.25).valence() - 0.14).abs() < 1e-9, "W-25");
        assert!((leaf(0.0, 2, 10, -3.0).valence() + 0.76).abs() < 1e-9, "W-25");
        let here = [0.0; DIMENSIONS];
        assert_eq!(gut(&[], &here), None);
        let bad = gut(&[leaf(0.0, 2, 10, -3.0)], &here).expect("one leaf");
        assert_eq!(bad.word(), Some(GutWord::Warning), "W-25");
        assert_eq!(gut(&[leaf(0.0, 0, 1, -3.0)], &here).expect("a leaf").word(), None, "one try is too few");
        let far = [leaf(0.0, 9, 10, 1.0), leaf(50.0, 0, 10, -1.0)];
        assert_eq!(gut(&far, &here).expect("two").word(), Some(GutWord::Confidence), "the near leaf is louder");
        let six: Vec<Leaf> = (0..6).map(|n| leaf(f64::from(n), if n < 5 { 1 } else { 0 }, 1, 0.0)).collect();
        assert!((gut(&six, &here).expect("six").valence - 0.6).abs() < 1e-9, "the sixth is not asked");
    }

    ///
    #[test]
    fn a_082_every_emotion_has_its_hint() {
        for emotion in Emotion::ALL {
            assert!(coping_hint(*emotion, true).is_some(), "{emotion}");
        }
        assert_eq!(coping_hint(Emotion::Joy, false), None);
        assert_eq!(coping_hint(Emotion::Fear, false), Some("reduce risk"));
    }
}
