//! Five bands of load.

use golem_daimon::trigger::Strain;
use golem_primitives::{Ppm, words};

use crate::severity::Severity;

words! {
    /// S-021. What a load does. Ordered from none to worst.
    Band {
        /// Absent from the prompt, without effect.
        Background = "background",
        /// In every prompt that picks a goal.
        Present = "present",
        /// Some goals are closed.
        Constrained = "constrained",
        /// Relief comes first.
        Dominant = "dominant",
        /// Only self-examination and peers.
        Crisis = "crisis",
    }
}

/// S-021. Inclusive floors, worst first.
const FLOORS: [(Band, Severity); 4] = [
    (Band::Crisis, Severity::of(Ppm::of(900_000))),
    (Band::Dominant, Severity::of(Ppm::of(750_000))),
    (Band::Constrained, Severity::of(Ppm::of(550_000))),
    (Band::Present, Severity::of(Ppm::of(350_000))),
];

impl Band {
    /// S-021, S-023. The band of a load; plain limits, no memory.
    #[must_use]
    pub fn of(load: Severity) -> Self {
        FLOORS.iter().find(|(_, floor)| load >= *floor).map_or(Self::Background, |(band, _)| *band)
    }

    /// S-144. What affect is told on entry.
    #[must_use]
    pub const fn strain(self) -> Option<Strain> {
        match self {
            Self::Background | Self::Present => None,
            Self::Constrained => Some(Strain::Constrained),
            Self::Dominant => Some(Strain::Dominant),
            Self::Crisis => Some(Strain::Crisis),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-021, S-023: W-08.
    #[test]
    fn s_021_bands_meet_w_08() {
        for (parts, band) in [
            (0, Band::Background),
            (349_900, Band::Background),
            (350_000, Band::Present),
            (549_900, Band::Present),
            (550_000, Band::Constrained),
            (750_000, Band::Dominant),
            (899_900, Band::Dominant),
            (900_000, Band::Crisis),
            (1_000_000, Band::Crisis),
        ] {
            assert_eq!(Band::of(Severity::of(Ppm::of(parts))), band, "W-08 at {parts}");
        }
    }

    /// S-024: count alone reaches crisis.
    #[test]
    fn s_024_five_fresh_stressors_are_a_crisis() {
        let bands: Vec<Band> = (1..=5).map(|count| Band::of(Severity::of(Ppm::of(count * 200_000)))).collect();
        assert_eq!(bands, Band::ALL);
    }
}
