//! The shape of a life as its moods show it (I-303, M-197, M-198, M-224).

use golem_grimoire::emotion::{Emotion, Pad};
use golem_grimoire::id::EntryId;
use golem_primitives::words;
use golem_primitives::{Ppm, Tick};

use super::section::{AdviceUrgency, Section};

words! {
    /// I-303. The classes of a life's story.
    Arc {
        /// Through a low to something better.
        Redemptive = "redemptive",
        /// Through a high to something worse.
        Contaminating = "contaminating",
        /// Better and better.
        Progressive = "progressive",
        /// Worse and worse.
        Tragic = "tragic",
        /// Much the same throughout.
        Stable = "stable",
    }
}

/// I-303, M-198. A class, and how sure the reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ArcReading {
    pub arc: Arc,
    pub confidence: Ppm,
}

/// I-303. Moods below which no story is told.
const LEAST_MOODS: usize = 10;
/// M-198. Moods in the middle that are read together.
const MIDDLE: usize = 10;

fn mean(moods: &[Pad]) -> f64 {
    moods.iter().map(|mood| mood.pleasure()).sum::<f64>() / moods.len().max(1) as f64
}

/// I-303, M-198, A-122, A-123. The arc of a life's pleasure: the first quarter, the ten moods in the middle, the last quarter.
#[must_use]
pub fn arc(moods: &[Pad]) -> ArcReading {
    let reading = |arc, parts| ArcReading { arc, confidence: Ppm::of(parts) };
    if moods.len() < LEAST_MOODS {
        return reading(Arc::Stable, 300_000);
    }
    let quarter = (moods.len() / 4).max(1);
    let (early, late) = (mean(&moods[..quarter]), mean(&moods[moods.len() - quarter..]));
    let from = (moods.len() - MIDDLE) / 2;
    let middle = mean(&moods[from..from + MIDDLE]);
    // Pleasure is held in millionths, so a sum of a few differs from the written edge by less than this.
    let above = |a: f64, b: f64| a > b + 1e-9;
    if above(early - 0.2, middle) && above(late, middle + 0.15) {
        reading(Arc::Redemptive, 700_000)
    } else if above(middle, early + 0.2) && above(middle - 0.15, late) {
        reading(Arc::Contaminating, 700_000)
    } else if above(late - early, 0.2) {
        reading(Arc::Progressive, 600_000)
    } else if above(early - late, 0.3) {
        reading(Arc::Tragic, 600_000)
    } else {
        reading(Arc::Stable, 500_000)
    }
}

/// M-197, M-224. Where a mood turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TurningPoint {
    pub tick: Tick,
    /// How far it moved, in millionths; up to 3.47 for the whole diagonal.
    pub distance_micros: u32,
}

/// M-197. How far two successive moods lie apart at a turning point, and how many are kept.
const TURN_MICROS: u32 = 500_000;
const TURNS: usize = 5;

/// M-197. The five widest turns, widest first, then earliest.
#[must_use]
pub fn turning_points(moods: &[(Tick, Pad)]) -> Vec<TurningPoint> {
    let mut turns: Vec<TurningPoint> = moods
        .windows(2)
        .map(|pair| {
            let distance_micros = libm::round(pair[0].1.distance(pair[1].1) * 1e6) as u32;
            TurningPoint { tick: pair[1].0, distance_micros }
        })
        .filter(|turn| turn.distance_micros > TURN_MICROS)
        .collect();
    turns.sort_by(|a, b| b.distance_micros.cmp(&a.distance_micros).then(a.tick.cmp(&b.tick)));
    turns.truncate(TURNS);
    turns
}

/// M-224. Something left unsettled.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Tension {
    pub what: String,
    pub urgency: AdviceUrgency,
}

/// I-301, M-224. What was felt where: the ninth section.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct EmotionalTopology {
    /// Peak experiences: when, what, and what it was.
    pub peaks: Vec<(Tick, Emotion, String)>,
    pub turning_points: Vec<TurningPoint>,
    pub tensions: Vec<Tension>,
}

/// M-224. The emotional layer, when affect is on.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EmotionalLayer {
    pub final_mood: Pad,
    pub acceptance: Emotion,
    pub dominant: Emotion,
    pub arc: ArcReading,
    /// Entries made in excitement, to be looked at in calm.
    pub hot_entries: Vec<EntryId>,
    /// I-300. A note on a section.
    pub annotations: Vec<(Section, String)>,
    /// M-204. The mood every fifty ticks.
    #[serde(default)]
    pub timeline: Vec<(Tick, Pad)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moods(parts: &[(f64, usize)]) -> Vec<Pad> {
        parts.iter().flat_map(|(pleasure, count)| vec![Pad::round(*pleasure, 0.0, 0.0); *count]).collect()
    }

    /// M-197, A-121: a turn is a step of more than 0.5; the five widest are kept, widest first, then earliest.
    #[test]
    fn m_197_the_five_widest_turns_are_kept() {
        let pleasures = [0.0, 0.6, 0.0, 0.7, 0.0, 0.8, 0.4, -0.5, 0.0];
        let moods: Vec<(Tick, Pad)> =
            (0..).zip(pleasures).map(|(tick, pleasure)| (Tick::new(tick), Pad::round(pleasure, 0.0, 0.0))).collect();
        let ticks: Vec<u64> = turning_points(&moods).iter().map(|turn| turn.tick.get()).collect();
        assert_eq!(ticks, [7, 5, 3, 4, 1]);
        assert!(turning_points(&moods[5..7]).is_empty(), "0.4 is no turn");
    }

    /// I-303, M-198, A-122: each class, and its edges.
    #[test]
    fn i_303_a_life_is_read_by_quarters_and_middle() {
        for (parts, arc_of, confidence) in [
            (vec![(0.5, 10), (-0.1, 20), (0.4, 10)], Arc::Redemptive, 700_000),
            (vec![(0.0, 10), (-0.3, 20), (0.0, 10)], Arc::Redemptive, 700_000),
            (vec![(0.0, 10), (0.3, 20), (0.0, 10)], Arc::Contaminating, 700_000),
            (vec![(0.0, 10), (0.1, 20), (0.3, 10)], Arc::Progressive, 600_000),
            (vec![(0.0, 10), (-0.1, 20), (-0.4, 10)], Arc::Tragic, 600_000),
            (vec![(0.0, 40)], Arc::Stable, 500_000),
            (vec![(0.5, 9)], Arc::Stable, 300_000),
            (vec![(0.0, 10), (0.5, 20), (0.0, 10)], Arc::Contaminating, 700_000),
            (vec![(0.0, 20), (0.3, 20)], Arc::Progressive, 600_000),
            (vec![(0.3, 20), (-0.1, 20)], Arc::Tragic, 600_000),
            (vec![(0.3, 20), (0.0, 20)], Arc::Stable, 500_000),
            (vec![(0.0, 20), (0.2, 20)], Arc::Stable, 500_000),
            (vec![(0.2, 10), (0.0, 20), (0.2, 10)], Arc::Stable, 500_000),
            (vec![(-1.0, 4), (1.0, 5)], Arc::Stable, 300_000),
            (vec![], Arc::Stable, 300_000),
        ] {
            let read = arc(&moods(&parts));
            assert_eq!((read.arc, read.confidence), (arc_of, Ppm::of(confidence)), "{parts:?}");
        }
        assert_eq!(Arc::ALL.len(), 5);
    }

    /// M-197, M-224: five widest turns above one half.
    #[test]
    fn m_224_turning_points_are_the_widest_five() {
        let steps = [0.0, 0.5, 0.0, 0.6, 0.0, 0.7, 0.0, 0.9];
        let moods: Vec<(Tick, Pad)> =
            steps.iter().enumerate().map(|(at, p)| (Tick::new(at as u64), Pad::round(*p, 0.0, 0.0))).collect();
        let turns = turning_points(&moods);
        let read: Vec<(u64, u32)> = turns.iter().map(|turn| (turn.tick.get(), turn.distance_micros)).collect();
        assert_eq!(read, [(7, 900_000), (5, 700_000), (6, 700_000), (3, 600_000), (4, 600_000)]);
    }
}
