//! G-100, I-340. Bloodstains on the market: where a line or a sibling died of its market, what that market looked like is remembered,
//! and who sees its like again is warned.
//!
//! A market is seen in five words. Two are alike by how far they lie apart in each, measured by how much that word moved over the
//! record of the one that died. A warning is voted on by what follows it: one that cries wolf as often as no guard may (D-136)
//! falls silent.

use arrayvec::ArrayVec;
use golem_mortality::cause::CauseKind;
use golem_primitives::Ppm;

use crate::look::Look;
use crate::observable::{Observable, Seen, Span, Stance, WordSet};
use crate::record::Row;
use crate::watch::{MEMORY, Watch};

/// What a market is seen in.
const SEEN_IN: [Observable; 5] = [
    Observable::Vol(Span::L64),
    Observable::Trend(Span::L64),
    Observable::Move(Span::L256),
    Observable::Gap,
    Observable::Gas,
];
/// Similarity above which the dead are heard, and below which they are silent again.
const ALIKE: Ppm = Ppm::of(800_000);
const UNLIKE: Ppm = Ppm::of(600_000);
/// Deaths that are remembered, the newest; a line that died more often remembers no more.
const MOST_STAINS: usize = 8;
/// I-340. Of them siblings' deaths at most: what one's own line died of is not pushed out by them.
const MOST_OF_SIBLINGS: usize = 3;
/// Looks after which it is seen whether a warning was right.
const JUDGED_AFTER: u64 = 50;
/// D-136. Fewer votes than these say nothing, and of so many at most three in ten may be false.
const VOTES: u32 = 10;

/// A market that somebody died of.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MarketStain {
    pub died_of: CauseKind,
    /// When, in seconds since 1970.
    pub time: u64,
    /// I-340. A sibling died of it, and none of its own line.
    pub is_siblings: bool,
    /// What the five words said.
    words: [i64; SEEN_IN.len()],
    /// How much each of them moved; at least one.
    spreads: [i64; SEEN_IN.len()],
    is_heard: bool,
    /// A warning that was not judged yet.
    warned: Option<Warned>,
    right: u32,
    wrong: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Warned {
    /// By the number of looks.
    look: u64,
    price: u64,
}

impl MarketStain {
    /// The mark of a death at the end of this record; of one that was too short, none, and none of who was killed by its owner or
    /// by chance: it did not die of its market.
    pub(crate) fn of(died_of: CauseKind, rows: &[Row]) -> Option<Self> {
        if !matches!(died_of, CauseKind::Economic | CauseKind::EpistemicSenescence) {
            return None;
        }
        let newest = rows.last()?;
        let mut watch = Watch::of(words());
        let (mut sums, mut count) = ([[0.0; 2]; SEEN_IN.len()], 0.0);
        for Row { look, capital } in &rows[rows.len().saturating_sub(MEMORY)..] {
            let Some(seen) = market(watch.look(look, *capital)) else { continue };
            count += 1.0;
            for (sum, value) in sums.iter_mut().zip(seen) {
                sum[0] += value as f64;
                sum[1] += value as f64 * value as f64;
            }
        }
        let words = market(watch.seen())?;
        let spreads = sums.map(|[sum, squares]| {
            let mean = sum / count;
            libm::sqrt((squares / count - mean * mean).max(0.0)).max(1.0) as i64
        });
        let time = newest.look.time;
        Some(Self {
            died_of,
            time,
            is_siblings: false,
            words,
            spreads,
            is_heard: false,
            warned: None,
            right: 0,
            wrong: 0,
        })
    }

    /// Where it is, and nothing of how often it was right for another.
    fn fresh(&self) -> Self {
        Self { is_heard: false, warned: None, right: 0, wrong: 0, ..self.clone() }
    }

    /// How like a market is to this one: one where all words say the same, a fifth less where each is two thirds of its usual
    /// move apart.
    fn similarity(&self, words: &[i64; SEEN_IN.len()]) -> Ppm {
        let apart = self.words.iter().zip(words).zip(&self.spreads).map(|((then, now), spread)| {
            let apart = (*now as f64 - *then as f64) / *spread as f64;
            apart * apart
        });
        Ppm::round(libm::exp(-0.5 * apart.sum::<f64>() / SEEN_IN.len() as f64))
    }

    /// Whether what followed its warnings took away its voice.
    #[must_use]
    pub const fn is_silenced(&self) -> bool {
        let votes = self.right + self.wrong;
        votes >= VOTES && 10 * self.wrong > 3 * votes
    }

    /// What followed its warnings, in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { died_of, right, wrong, .. } = self;
        let heard = match (right + wrong, self.is_silenced()) {
            (0, _) => "never heard yet".to_owned(),
            (votes, false) => format!("heard, right {right} times of {votes}"),
            (votes, true) => format!("heard no more, right only {right} times of {votes}"),
        };
        let who = if self.is_siblings { "a sibling" } else { "one of the line" };
        format!("{who} died of {}: {heard}", died_of.name().replace('_', " "))
    }
}

/// The deaths of a line in one pool.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Stains {
    all: ArrayVec<MarketStain, MOST_STAINS>,
}

impl Stains {
    /// All of them, the oldest first.
    #[must_use]
    pub fn all(&self) -> &[MarketStain] {
        &self.all
    }

    /// Whether a death is heard now.
    #[must_use]
    pub fn is_heard(&self) -> bool {
        self.all.iter().any(|stain| stain.is_heard)
    }

    /// I-340. Remembers what a sibling says of its death. Of many the newest are kept, and where the deaths of one's own line take
    /// all the room none is; what no record could say is not remembered.
    pub(crate) fn remember_siblings(&mut self, stain: &MarketStain) {
        let is_sound = stain.spreads.iter().all(|spread| *spread >= 1)
            && matches!(stain.died_of, CauseKind::Economic | CauseKind::EpistemicSenescence);
        if !is_sound || self.all.iter().any(|known| known.time == stain.time && known.words == stain.words) {
            return;
        }
        let theirs = self.all.iter().filter(|known| known.is_siblings).count();
        if theirs >= MOST_OF_SIBLINGS || self.all.is_full() {
            let Some(oldest) = self.all.iter().position(|known| known.is_siblings) else { return };
            self.all.remove(oldest);
        }
        self.all.push(MarketStain { is_siblings: true, ..stain.fresh() });
    }

    /// Remembers a death by its market.
    pub(crate) fn remember(&mut self, died_of: CauseKind, rows: &[Row]) {
        let Some(stain) = MarketStain::of(died_of, rows) else { return };
        if self.all.is_full() {
            self.all.remove(0);
        }
        self.all.push(stain);
    }

    /// The words that have to be kept for them.
    pub(crate) fn words(&self) -> WordSet {
        if self.all.is_empty() { WordSet::NONE } else { words() }
    }

    /// What an heir has of them: where they are, and nothing of how often they were right for another.
    pub(crate) fn inherited(&self) -> Self {
        Self { all: self.all.iter().map(MarketStain::fresh).collect() }
    }

    /// Lives through a look; the death that is heard from this look on, if one is.
    pub(crate) fn look(&mut self, seen: &Seen, look: &Look, looks: u64) -> Option<MarketStain> {
        let words = market(seen)?;
        let mut begins = None;
        for stain in &mut self.all {
            if let Some(warned) = stain.warned.take_if(|warned| looks.saturating_sub(warned.look) >= JUDGED_AFTER) {
                let fell = look.price.micros() < warned.price;
                stain.right += u32::from(fell);
                stain.wrong += u32::from(!fell);
            }
            let similarity = stain.similarity(&words);
            let was_heard = stain.is_heard;
            let from = if was_heard { UNLIKE } else { ALIKE };
            stain.is_heard = similarity > from && !stain.is_silenced();
            if stain.is_heard && !was_heard {
                stain.warned = stain.warned.or(Some(Warned { look: looks, price: look.price.micros() }));
                begins = Some(stain.clone());
            }
        }
        begins
    }
}

fn words() -> WordSet {
    SEEN_IN.iter().map(|word| WordSet::of(*word)).fold(WordSet::NONE, WordSet::with)
}

/// What the five words say, once enough was seen for the longest of them; where gas costs nothing it says nothing.
fn market(seen: &Seen) -> Option<[i64; SEEN_IN.len()]> {
    let value = |word: Observable| seen.get(word, &Stance::default());
    value(Observable::Move(Span::L256))?;
    Some(SEEN_IN.map(|word| value(word).unwrap_or(0)))
}

#[cfg(test)]
#[path = "tests/stains.rs"]
mod tests;
