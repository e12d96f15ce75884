//! What comes up at the edge of sleep: chosen from what was lived, and caught as it drifts.

use golem_daimon::Pad;
use golem_grimoire::id::EpisodeId;
use golem_primitives::{Tick, words};

use crate::chance::Draws;
use crate::inputs::{Frozen, KnownEntry, Thread, Trace, newest};
use crate::nrem::utility::RECENCY_TICKS;
use crate::number::Hundredths;
use crate::vector::Vector;

/// D-060. What a fragment is worth.
pub const CONFIDENCE: Hundredths = Hundredths::of(15);
/// D-064. Newest episodes taken in.
pub const NEWEST: usize = 200;
/// D-064. Of those that stand out, at most.
pub const SALIENT: usize = 50;
/// D-064. From which salience.
pub const SALIENCE: f64 = 0.7;
/// D-064. Entries nearest to being forgotten.
pub const FADING: usize = 20;
/// D-064. Share that is shuffled, in percent.
pub const SHUFFLED_PERCENT: usize = 70;
/// D-066, G-092. The most a keyword adds.
pub const KEYWORD_BIAS: f64 = 0.2;

words! {
    /// D-127. Where a fragment stands.
    FragmentStatus {
        /// In the journal, not developed.
        Kept = "kept",
        /// Waits for a second look.
        Held = "held",
        Discarded = "discarded",
        /// An idea began from it.
        Developed = "developed",
        /// An idea holds it whole.
        Promoted = "promoted",
    }
}

/// D-059, D-127. Something caught at the edge of sleep: a creative prediction of little worth.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Fragment {
    /// What was caught; a model's words, and data to everyone.
    pub text: String,
    pub confidence: Hundredths,
    pub status: FragmentStatus,
    pub vector: Option<Vector>,
}

/// D-060. A fragment that waits for a second look.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Held {
    pub fragment: Fragment,
    pub until: Tick,
}

words! {
    /// D-065. What comes up more easily.
    FragmentBias {
        /// What threatens.
        Threat = "threat",
        /// What promises.
        Opportunity = "opportunity",
        /// Anything.
        Broad = "broad",
    }
}

impl FragmentBias {
    /// D-065. By the mood; edges are exclusive.
    #[must_use]
    pub fn of(mood: Option<Pad>) -> Self {
        match mood {
            Some(mood) if mood.arousal() > 0.3 && mood.pleasure() < -0.2 => Self::Threat,
            Some(mood) if mood.arousal() > 0.3 && mood.pleasure() > 0.2 => Self::Opportunity,
            _ => Self::Broad,
        }
    }

    /// Whether an episode is of what the mood looks for.
    #[must_use]
    pub const fn fits(self, trace: &Trace) -> bool {
        match self {
            Self::Threat => trace.sign() < 0,
            Self::Opportunity => trace.sign() > 0,
            Self::Broad => true,
        }
    }
}

/// D-066. The word a dream is nudged towards for one cycle: it biases and never commands.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Keyword {
    pub word: String,
    pub vector: Option<Vector>,
}

impl Keyword {
    /// D-066. One word: of an open puzzle if there is one, else of the most surprising recent episode. The longest of the
    /// text, the first of equals; `None` when there is nothing to ask about.
    #[must_use]
    pub fn choose(threads: &[Thread], traces: &[Trace]) -> Option<Self> {
        let puzzle = threads.iter().find(|thread| thread.is_puzzle);
        if let Some(word) = puzzle.and_then(|thread| longest_word(&thread.text)) {
            return Some(Self { word, vector: None });
        }
        let recent = newest(traces).into_iter().take(NEWEST);
        let striking = recent.filter(|trace| trace.surprise() >= SALIENCE);
        let most = striking.reduce(|best, one| if one.surprise() > best.surprise() { one } else { best })?;
        Some(Self { word: longest_word(&most.recorded.episode.text)?, vector: most.vector.clone() })
    }

    /// D-066. What it adds to an episode's rank, at most 0.2.
    #[must_use]
    pub fn bias(&self, trace: &Trace) -> f64 {
        let likeness = self.vector.as_ref().zip(trace.vector.as_ref()).and_then(|(a, b)| a.likeness(b));
        KEYWORD_BIAS * likeness.unwrap_or(0.0)
    }
}

fn longest_word(text: &str) -> Option<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let longest = words.reduce(|best, word| if word.chars().count() > best.chars().count() { word } else { best })?;
    Some(longest.chars().take(40).collect())
}

/// D-064. `0.4 recency + 0.3 salience + 0.3 likeness of mood`, and what the keyword adds (D-066).
#[must_use]
pub fn rank(trace: &Trace, mood: Option<Pad>, keyword: Option<&Keyword>, now: Tick) -> f64 {
    let age = now.since(trace.recorded.episode.happened.tick) as f64;
    let alike = mood.zip(trace.pad()).map_or(0.0, |(mood, felt)| mood.cosine(felt).max(0.0));
    0.4 * libm::exp(-age / RECENCY_TICKS)
        + 0.3 * trace.salience()
        + 0.3 * alike
        + keyword.map_or(0.0, |keyword| keyword.bias(trace))
}

/// D-064. What is laid before sleep.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Induction {
    /// Episodes, best rank first where they were not shuffled.
    pub episodes: Vec<EpisodeId>,
    /// Entries nearest to being forgotten.
    pub fading: Vec<golem_grimoire::id::EntryId>,
}

/// D-064. Chooses what is laid before sleep: the newest, with those that stand out, ranked with the mood's choice before
/// the rest; then 70% of the places are shuffled.
#[must_use]
pub fn induce(frozen: &Frozen, keyword: Option<&Keyword>, draws: &mut Draws) -> Induction {
    let bias = FragmentBias::of(frozen.mood);
    let all = newest(&frozen.traces);
    let (recent, older) = all.split_at(all.len().min(NEWEST));
    let salient = older.iter().filter(|trace| trace.salience() >= SALIENCE).take(SALIENT);
    let mut chosen: Vec<(bool, f64, EpisodeId)> = recent
        .iter()
        .chain(salient)
        .map(|trace| (!bias.fits(trace), -rank(trace, frozen.mood, keyword, frozen.opened.tick), trace.id()))
        .collect();
    chosen.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut episodes: Vec<EpisodeId> = chosen.into_iter().map(|(_, _, id)| id).collect();
    let kept = episodes.len() - episodes.len() * SHUFFLED_PERCENT / 100;
    draws.shuffle(&mut episodes[kept..]);
    let mut fading: Vec<&KnownEntry> = frozen.known.iter().collect();
    fading.sort_by_key(|known| (known.remaining, known.id));
    Induction { episodes, fading: fading.into_iter().take(FADING).map(|known| known.id).collect() }
}
