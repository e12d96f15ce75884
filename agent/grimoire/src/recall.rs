//! Retrieval: which entries answer a moment, and why each scored as it did.

use std::collections::BTreeSet;

use golem_primitives::Tick;

use crate::emotion::Pad;
use crate::entry::Knowledge;
use crate::id::EntryId;
use crate::regime::RegimeBelief;
use crate::shelf::Grimoire;

pub mod fusion;

/// G-087. Weights of the base score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecallLaw {
    /// Of semantic similarity.
    pub semantic: f64,
    /// Of recency of access.
    pub temporal: f64,
    pub importance: f64,
    pub emotional: f64,
    /// G-090. What a bloodstain's score is multiplied by.
    pub bloodstain_boost: f64,
    /// GG-1. Ticks after which the temporal factor has fallen to 1/e.
    pub temporal_ticks: f64,
}

impl Default for RecallLaw {
    fn default() -> Self {
        Self {
            semantic: 0.40,
            temporal: 0.20,
            importance: 0.25,
            emotional: 0.15,
            bloodstain_boost: 1.2,
            temporal_ticks: 2_000.0,
        }
    }
}

/// The factors of one entry, each in [0, 1]: a search's numbers and an entry's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecallFactors {
    /// Cosine with the query, held at zero.
    pub semantic: f64,
    /// Ticks since it was last accessed.
    pub ticks_since_access: u64,
    /// G-026. Its quality.
    pub importance: f64,
    /// G-088. How alike its mood is.
    pub emotional: f64,
    /// G-091. What its regime weighs now.
    pub regime: f64,
    /// G-090. Whether it is knowledge of the dead.
    pub is_bloodstain: bool,
    /// G-099. What its source weighs.
    pub discount: f64,
}

/// A score by part: the sum of the four is the base, and each factor after it is a multiplication.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Explanation {
    /// Weighted semantic part.
    pub semantic: f64,
    /// Weighted temporal part.
    pub temporal: f64,
    pub importance: f64,
    /// Weighted emotional part.
    pub emotional: f64,
    /// Multiplied for the regime.
    pub regime: f64,
    /// Multiplied for a bloodstain.
    pub bloodstain: f64,
    /// Multiplied for a foreign source.
    pub discount: f64,
}

/// A final score in parts per million; unlike a share it may exceed one (GG-2), and unlike an `f64` it has an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecallScore(u64);

impl RecallScore {
    /// In parts per million.
    #[must_use]
    pub const fn parts(self) -> u64 {
        self.0
    }
}

impl std::fmt::Display for RecallScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000))
    }
}

impl Explanation {
    /// The score, rounded once; what is no number scores nothing.
    #[must_use]
    pub fn score(&self) -> RecallScore {
        let base = self.semantic + self.temporal + self.importance + self.emotional;
        let score = base * self.regime * self.bloodstain * self.discount;
        // `as` saturates and sends NaN to zero.
        RecallScore((score * 1e6 + 0.5) as u64)
    }
}

impl std::fmt::Display for Explanation {
    /// `0.700760 = (0.320000 semantic + 0.155760 temporal + ...) x 1.00 regime x 1.00 bloodstain x 1.00 source`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} = ({:.6} semantic + {:.6} temporal + {:.6} importance + {:.6} emotional",
            self.score(),
            self.semantic,
            self.temporal,
            self.importance,
            self.emotional
        )?;
        write!(f, ") x {:.2} regime x {:.2} bloodstain x {:.2} source", self.regime, self.bloodstain, self.discount)
    }
}

impl RecallLaw {
    /// G-087 to G-091, G-099. Scores an entry and says why.
    #[must_use]
    pub fn explain(&self, factors: &RecallFactors) -> Explanation {
        // Clamping keeps a NaN; the score sends it to zero.
        let temporal = libm::exp(-(factors.ticks_since_access as f64) / self.temporal_ticks);
        Explanation {
            semantic: self.semantic * factors.semantic.clamp(0.0, 1.0),
            temporal: self.temporal * temporal,
            importance: self.importance * factors.importance.clamp(0.0, 1.0),
            emotional: self.emotional * factors.emotional.clamp(0.0, 1.0),
            regime: factors.regime,
            bloodstain: if factors.is_bloodstain { self.bloodstain_boost } else { 1.0 },
            discount: factors.discount,
        }
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// How many entries are wanted.
    pub limit: usize,
    pub mood: Option<Pad>,
    pub belief: RegimeBelief,
    pub tick: Tick,
}

/// What a search found: an entry and its cosine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    pub id: EntryId,
    /// Cosine with the query.
    pub cosine: f64,
}

/// An answer with its reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recalled {
    pub id: EntryId,
    pub score: RecallScore,
    pub explanation: Explanation,
    /// G-095. Brought in because it feels the opposite way, shown apart.
    pub is_contrarian: bool,
}

impl Query {
    /// G-093. How many a search must fetch for this query.
    #[must_use]
    pub const fn fetch(&self) -> usize {
        self.limit.saturating_mul(3)
    }

    /// G-087 to G-091, G-099. Scores an entry for this query and says why. Whether it may answer at all is another
    /// question: [`recall`] asks it for decisions (G-098), a person may look at any.
    #[must_use]
    pub fn explain(&self, law: &RecallLaw, entry: &Knowledge, cosine: f64) -> Explanation {
        law.explain(&self.factors(entry, cosine))
    }

    fn factors(&self, entry: &Knowledge, cosine: f64) -> RecallFactors {
        let mood = entry.draft.emotion.zip(self.mood).map_or(0.5, |(tag, mood)| tag.pad.congruence(mood));
        let regime = match entry.decay_class {
            crate::retention::DecayClass::Structural => 1.0,
            _ => self.belief.factor(entry.draft.regime),
        };
        RecallFactors {
            semantic: cosine,
            ticks_since_access: self.tick.since(entry.last_accessed),
            importance: entry.quality.as_f64(),
            emotional: mood,
            regime,
            is_bloodstain: entry.draft.source.is_bloodstain(),
            discount: entry.draft.source.provenance.search_discount(),
        }
    }
}

/// G-095. Ticks between two moments at which an opposite feeling is heard.
pub const CONTRARIAN_TICKS: u64 = 100;

/// G-093, G-098, G-009. The best entries of what a search found, best first, ties by id. Only active entries answer
/// (candidates, archived, burned and quarantined ones do not), and never more than asked for. Every 100 ticks the best
/// entry of opposite valence takes the last place if none is there.
#[must_use]
pub fn recall(grimoire: &Grimoire, law: &RecallLaw, query: &Query, found: &[Found]) -> Vec<Recalled> {
    let mut all: Vec<(Recalled, bool)> = found
        .iter()
        .filter_map(|hit| match grimoire.get(hit.id)? {
            crate::status::Entry::Active(active) => Some((active.knowledge(), hit.cosine)),
            _ => None,
        })
        .map(|(entry, cosine)| {
            let explanation = query.explain(law, entry, cosine);
            let opposes = entry.draft.emotion.zip(query.mood).is_some_and(|(tag, mood)| tag.pad.opposes(mood));
            let score = explanation.score();
            (Recalled { id: entry.id, score, explanation, is_contrarian: false }, opposes)
        })
        .collect();
    all.sort_by(|(a, _), (b, _)| b.score.cmp(&a.score).then(a.id.cmp(&b.id)));
    // A search may name an entry twice; its better score stands.
    let mut seen = BTreeSet::new();
    all.retain(|(recalled, _)| seen.insert(recalled.id));
    let rest = all.split_off(query.limit.min(all.len()));
    let has_opposite = all.iter().any(|(_, opposes)| *opposes);
    let mut answers: Vec<Recalled> = all.into_iter().map(|(recalled, _)| recalled).collect();
    let opposite = rest.into_iter().find(|(_, opposes)| *opposes);
    if query.tick.is_every(CONTRARIAN_TICKS)
        && !has_opposite
        && let Some((opposite, _)) = opposite
        && let Some(last) = answers.last_mut()
    {
        *last = Recalled { is_contrarian: true, ..opposite };
    }
    answers
}
