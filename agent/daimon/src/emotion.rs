//! Words for what is felt.

use golem_primitives::{Ppm, words};

use crate::pad::Pad;

words! {
    /// A-013, G-041. The eight primary emotions.
    Emotion {
        Joy = "joy",
        Trust = "trust",
        Fear = "fear",
        /// Surprise; it comes from appraisal alone, no octant yields it.
        Surprise = "surprise",
        Sadness = "sadness",
        Disgust = "disgust",
        Anger = "anger",
        Anticipation = "anticipation",
    }
}

words! {
    /// Three degrees of any of them.
    Degree {
        /// Below 0.3.
        Mild = "mild",
        /// Below 0.7.
        Moderate = "moderate",
        Intense = "intense",
    }
}

impl Degree {
    /// The word of an intensity.
    #[must_use]
    pub fn of(intensity: Ppm) -> Self {
        if intensity < Ppm::of(300_000) {
            Self::Mild
        } else if intensity < Ppm::of(700_000) {
            Self::Moderate
        } else {
            Self::Intense
        }
    }

    /// The intensity a model means by the word: the middle of its range.
    #[must_use]
    pub const fn middle(self) -> Ppm {
        match self {
            Self::Mild => Ppm::of(150_000),
            Self::Moderate => Ppm::of(500_000),
            Self::Intense => Ppm::of(850_000),
        }
    }
}

words! {
    /// What a mood is called; the only thing of it that is public.
    MoodLabel {
        Neutral = "neutral",
        Exuberant = "exuberant",
        Dependent = "dependent",
        Relaxed = "relaxed",
        Docile = "docile",
        Hostile = "hostile",
        Anxious = "anxious",
        Disdainful = "disdainful",
        Bored = "bored",
    }
}

/// Below this magnitude a vector is called neutral: by the sign rule nothing at all would read as joy.
const NAMELESS: f64 = 0.10;

/// Labels and primaries by octant; the index has a bit for each negative axis, pleasure highest.
const OCTANTS: [(MoodLabel, Emotion); 8] = [
    (MoodLabel::Exuberant, Emotion::Joy),
    (MoodLabel::Dependent, Emotion::Trust),
    (MoodLabel::Relaxed, Emotion::Anticipation),
    (MoodLabel::Docile, Emotion::Anticipation),
    (MoodLabel::Hostile, Emotion::Anger),
    (MoodLabel::Anxious, Emotion::Fear),
    (MoodLabel::Disdainful, Emotion::Disgust),
    (MoodLabel::Bored, Emotion::Sadness),
];

/// Zero counts as positive.
fn octant(pad: Pad) -> (MoodLabel, Emotion) {
    let index = pad.millionths().iter().fold(0, |index, axis| index << 1 | usize::from(*axis < 0));
    OCTANTS[index]
}

impl MoodLabel {
    /// What a mood is called.
    #[must_use]
    pub fn of(mood: Pad) -> Self {
        if mood.magnitude() < NAMELESS { Self::Neutral } else { octant(mood).0 }
    }
}

impl Emotion {
    /// The primary emotion of an octant; none when there is too little to name.
    #[must_use]
    pub fn of(pad: Pad) -> Option<Self> {
        (pad.magnitude() >= NAMELESS).then(|| octant(pad).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// the eight octants, and zero counts as positive.
    #[test]
    fn a_012_octants_name_mood_and_primary() {
        use Emotion::{Anger, Anticipation, Disgust, Fear, Joy, Sadness, Trust};
        for (signs, label, primary) in [
            ([1, 1, 1], MoodLabel::Exuberant, Joy),
            ([1, 1, -1], MoodLabel::Dependent, Trust),
            ([1, -1, 1], MoodLabel::Relaxed, Anticipation),
            ([1, -1, -1], MoodLabel::Docile, Anticipation),
            ([-1, 1, 1], MoodLabel::Hostile, Anger),
            ([-1, 1, -1], MoodLabel::Anxious, Fear),
            ([-1, -1, 1], MoodLabel::Disdainful, Disgust),
            ([-1, -1, -1], MoodLabel::Bored, Sadness),
        ] {
            let pad = Pad::thousandths(signs[0] * 200, signs[1] * 200, signs[2] * 200);
            assert_eq!((MoodLabel::of(pad), Emotion::of(pad)), (label, Some(primary)), "{signs:?}");
        }
        assert_eq!(MoodLabel::of(Pad::thousandths(0, 200, 0)), MoodLabel::Exuberant, "zero is positive");
    }

    /// eight primaries in three degrees; no octant surprises.
    #[test]
    fn a_013_eight_primaries_in_three_degrees() {
        assert_eq!((Emotion::ALL.len(), Degree::ALL.len()), (8, 3));
        assert!(OCTANTS.iter().all(|(_, primary)| *primary != Emotion::Surprise));
        for (parts, degree) in [(0, "mild"), (299_999, "mild"), (300_000, "moderate"), (700_000, "intense")] {
            assert_eq!(Degree::of(Ppm::of(parts)).name(), degree, "A-014 at {parts}");
        }
        for degree in Degree::ALL {
            assert_eq!(Degree::of(degree.middle()), *degree, "the middle of a word is in its range");
        }
    }

    /// too little to be named is neutral, and the edge is named.
    #[test]
    fn a_015_too_little_is_neutral() {
        assert_eq!((MoodLabel::of(Pad::NEUTRAL), Emotion::of(Pad::NEUTRAL)), (MoodLabel::Neutral, None));
        assert_eq!(MoodLabel::of(Pad::round(0.099_999, 0.0, 0.0)), MoodLabel::Neutral);
        assert_eq!(MoodLabel::of(Pad::round(0.1, 0.0, 0.0)), MoodLabel::Exuberant);
    }
}
