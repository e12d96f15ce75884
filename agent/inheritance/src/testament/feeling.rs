//! What a life felt, read from its memories: peaks, the ninth section and the emotional layer (M-196, M-204, M-224).

use std::collections::{BTreeMap, BTreeSet};

use golem_grimoire::emotion::{Emotion, EmotionalTag, Pad};
use golem_grimoire::id::EntryId;
use golem_grimoire::shelf::Grimoire;
use golem_primitives::{Ppm, Tick};

use super::acceptance::LastFeeling;
use super::affect::{EmotionalLayer, EmotionalTopology, Tension, arc, turning_points};
use super::section::{AdviceUrgency, Section};

/// M-196. One memory that was felt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeltMemory {
    pub tick: Tick,
    pub emotion: Emotion,
    pub pad: Pad,
    pub mood: Pad,
    pub intensity: Ppm,
    pub what: String,
    /// Whether it is read whatever it stirred: the first trade, the best, the worst and the like.
    pub is_mandatory: bool,
}

/// M-196. Memories read at the end, and how intense one must have been.
const PEAKS: usize = 20;
const PEAK_INTENSITY: Ppm = Ppm::of(300_000);
/// M-204. Ticks between two samples of the mood.
const SAMPLE_EVERY: u64 = 50;

/// M-196. The memories that stirred a life most, by `|arousal|` and not by recency; those that are read in any case come
/// before all others, and of equals the earlier.
#[must_use]
pub fn peaks(memories: &[FeltMemory]) -> Vec<(Tick, Emotion, String)> {
    let mut stirring: Vec<&FeltMemory> =
        memories.iter().filter(|one| one.is_mandatory || one.intensity > PEAK_INTENSITY).collect();
    let arousal = |one: &FeltMemory| one.pad.arousal().abs();
    stirring.sort_by(|a, b| {
        let by_arousal = arousal(b).total_cmp(&arousal(a));
        b.is_mandatory.cmp(&a.is_mandatory).then(by_arousal).then(a.tick.cmp(&b.tick)).then(a.what.cmp(&b.what))
    });
    stirring.truncate(PEAKS);
    stirring.into_iter().map(|one| (one.tick, one.emotion, one.what.clone())).collect()
}

/// M-204. The mood every fifty ticks: of each span the last one felt, oldest first.
#[must_use]
pub fn timeline(memories: &[FeltMemory]) -> Vec<(Tick, Pad)> {
    let mut spans: BTreeMap<u64, (Tick, Pad)> = BTreeMap::new();
    for one in memories {
        let span = spans.entry(one.tick.get() / SAMPLE_EVERY).or_insert((one.tick, one.mood));
        if one.tick >= span.0 {
            *span = (one.tick, one.mood);
        }
    }
    spans.into_values().collect()
}

/// M-224. The mood it was in most often, by the emotion nearest to it; of equals the first by name, and none where no mood
/// was far enough from the middle to have one.
#[must_use]
pub fn dominant(memories: &[FeltMemory]) -> Option<Emotion> {
    let mut counts: BTreeMap<Emotion, u32> = BTreeMap::new();
    let named = memories.iter().filter_map(|one| Emotion::of(one.mood));
    named.for_each(|emotion| *counts.entry(emotion).or_default() += 1);
    let most = counts.into_iter().max_by_key(|(emotion, count)| (*count, std::cmp::Reverse(*emotion)));
    most.map(|(emotion, _)| emotion)
}

/// M-224, G-193. Entries made in excitement that nobody confirmed since.
#[must_use]
pub fn hot_entries(grimoire: &Grimoire) -> Vec<EntryId> {
    let hot = grimoire.living().filter(|entry| {
        entry.draft.emotion.as_ref().is_some_and(EmotionalTag::biases_insight) && entry.validated <= entry.contradicted
    });
    hot.map(|entry| entry.id).collect()
}

impl EmotionalTopology {
    /// M-196, M-197, M-224. The ninth section: peaks, turns, and what was still pressing when it ended.
    #[must_use]
    pub fn of(memories: &[FeltMemory], pressing: impl IntoIterator<Item = (String, Ppm)>) -> Self {
        let moods: Vec<(Tick, Pad)> = memories.iter().map(|one| (one.tick, one.mood)).collect();
        let tension = |(what, severity): (String, Ppm)| Tension { what, urgency: urgency(severity) };
        Self {
            peaks: peaks(memories),
            turning_points: turning_points(&moods),
            tensions: pressing.into_iter().map(tension).collect(),
        }
    }
}

/// M-224. How urgent what presses by that much is: from 0.7 critical, from 0.3 important.
fn urgency(severity: Ppm) -> AdviceUrgency {
    match severity.get() {
        700_000.. => AdviceUrgency::Critical,
        300_000.. => AdviceUrgency::Important,
        _ => AdviceUrgency::Nice,
    }
}

impl EmotionalLayer {
    /// M-224. The layer of a life that had moods: its last one, what accepting felt like, and what its memories say.
    #[must_use]
    pub fn of(
        memories: &[FeltMemory],
        end: LastFeeling,
        grimoire: &Grimoire,
        told: &BTreeMap<EntryId, Section>,
    ) -> Self {
        let moods: Vec<Pad> = memories.iter().map(|one| one.mood).collect();
        Self {
            final_mood: end.mood,
            acceptance: end.acceptance,
            dominant: dominant(memories).unwrap_or(end.acceptance),
            arc: arc(&moods),
            hot_entries: hot_entries(grimoire),
            annotations: annotations(memories, grimoire, told),
            timeline: timeline(memories),
        }
    }
}

/// I-300, M-224. A note on each section whose entries were felt: how many, and as what.
fn annotations(
    memories: &[FeltMemory],
    grimoire: &Grimoire,
    told: &BTreeMap<EntryId, Section>,
) -> Vec<(Section, String)> {
    let mut felt: BTreeMap<Section, Vec<Emotion>> = BTreeMap::new();
    for (id, section) in told {
        let known = grimoire.get(*id).and_then(|entry| entry.knowledge());
        if let Some(tag) = known.and_then(|entry| entry.draft.emotion) {
            felt.entry(*section).or_default().push(tag.primary);
        }
    }
    let mut notes: Vec<(Section, String)> = felt
        .into_iter()
        .map(|(section, emotions)| {
            let names: BTreeSet<&str> = emotions.iter().map(|emotion| emotion.name()).collect();
            let names = names.into_iter().collect::<Vec<_>>().join(", ");
            (section, format!("{} of its entries were made in {names}", emotions.len()))
        })
        .collect();
    if let Some(last) = memories.iter().max_by_key(|one| one.tick) {
        notes.push((Section::Killed, format!("the last thing that was felt was {}: {}", last.emotion, last.what)));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn felt(tick: u64, emotion: Emotion, arousal: f64, intensity: u32) -> FeltMemory {
        FeltMemory {
            tick: Tick::new(tick),
            emotion,
            pad: Pad::round(0.0, arousal, 0.0),
            mood: Pad::NEUTRAL,
            intensity: Ppm::of(intensity),
            what: format!("at {tick}"),
            is_mandatory: false,
        }
    }

    /// M-196: by arousal and not by recency, above 0.3 alone, twenty at most, and what is mandatory before all.
    #[test]
    fn m_196_what_stirred_most_is_read_first() {
        let mut memories = vec![
            felt(1, Emotion::Fear, -0.9, 500_000),
            felt(2, Emotion::Joy, 0.4, 500_000),
            felt(3, Emotion::Joy, 1.0, 300_000),
            felt(4, Emotion::Trust, 0.9, 300_001),
        ];
        let ticks = |memories: &[FeltMemory]| peaks(memories).iter().map(|one| one.0.get()).collect::<Vec<_>>();
        assert_eq!(ticks(&memories), [1, 4, 2], "exactly 0.3 is not above it; of equals the earlier");
        memories.push(FeltMemory { is_mandatory: true, ..felt(5, Emotion::Sadness, 0.0, 0) });
        assert_eq!(ticks(&memories), [5, 1, 4, 2]);
        let many: Vec<FeltMemory> = (0..50).map(|tick| felt(tick, Emotion::Joy, 0.5, 400_000)).collect();
        assert_eq!(ticks(&many), (0..20).collect::<Vec<_>>());
    }

    /// M-204: of each fifty ticks the last mood, whatever the order they come in.
    #[test]
    fn m_204_the_mood_is_sampled_every_fifty_ticks() {
        let memories = [
            felt(60, Emotion::Joy, 0.6, 1),
            felt(0, Emotion::Joy, 0.1, 1),
            felt(49, Emotion::Joy, 0.2, 1),
            felt(50, Emotion::Joy, 0.3, 1),
        ]
        .map(|one| FeltMemory { mood: one.pad, pad: Pad::round(1.0, 1.0, 1.0), ..one });
        let read: Vec<(u64, f64)> = timeline(&memories).iter().map(|(tick, pad)| (tick.get(), pad.arousal())).collect();
        assert_eq!(read, [(49, 0.2), (60, 0.6)]);
        assert!(timeline(&[]).is_empty());
    }

    const EVEN: LastFeeling = LastFeeling { mood: Pad::NEUTRAL, acceptance: Emotion::Trust };

    /// M-197, A-121, M-198: a strong feeling in an even mood is no turn, and an even mood is no story.
    #[test]
    fn m_197_feelings_are_no_moods() {
        let stirred = |tick: u64| FeltMemory {
            pad: Pad::round(if tick.is_multiple_of(2) { 0.9 } else { -0.9 }, 0.9, 0.0),
            mood: Pad::round(if tick < 20 { 0.6 } else { -0.6 }, 0.0, 0.0),
            ..felt(tick, Emotion::Fear, 0.0, 500_000)
        };
        let memories: Vec<FeltMemory> = (0..40).map(stirred).collect();
        let turns = EmotionalTopology::of(&memories, []).turning_points;
        assert_eq!(turns.iter().map(|turn| turn.tick.get()).collect::<Vec<_>>(), [20]);
        let layer = EmotionalLayer::of(&memories, EVEN, &Grimoire::default(), &BTreeMap::new());
        assert_eq!(layer.arc.arc, super::super::affect::Arc::Tragic);
    }

    /// M-224: what was felt most, what still presses, and a layer even of one who felt nothing.
    #[test]
    fn m_224_the_layer_says_what_was_felt() {
        let memories = [
            felt(1, Emotion::Fear, 0.1, 1),
            felt(2, Emotion::Joy, 0.1, 1),
            felt(3, Emotion::Fear, 0.1, 1),
            felt(4, Emotion::Joy, 0.1, 1),
        ];
        assert_eq!(dominant(&memories), None, "whatever was felt, no mood had a name");
        let glad = |one: &FeltMemory| FeltMemory { mood: Pad::round(0.6, 0.5, 0.5), ..one.clone() };
        assert_eq!(dominant(&memories.each_ref().map(glad)), Some(Emotion::Joy));
        let pressing =
            [("a", 700_000), ("b", 699_999), ("c", 299_999)].map(|(what, at)| (what.to_owned(), Ppm::of(at)));
        let topology = EmotionalTopology::of(&memories, pressing);
        let urgencies: Vec<AdviceUrgency> = topology.tensions.iter().map(|one| one.urgency).collect();
        assert_eq!(urgencies, [AdviceUrgency::Critical, AdviceUrgency::Important, AdviceUrgency::Nice]);
        let none = EmotionalLayer::of(&[], EVEN, &Grimoire::default(), &BTreeMap::new());
        assert_eq!((none.dominant, none.arc.confidence.get()), (Emotion::Trust, 300_000));
        assert!(none.hot_entries.is_empty() && none.annotations.is_empty() && none.timeline.is_empty());
    }
}
