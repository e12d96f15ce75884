//! Hybrid search (G-094): fuse the ranks of vectors and of full text, rerank, and keep answers apart from each other.

use std::collections::BTreeMap;

use golem_primitives::Ppm;

use crate::id::EntryId;

/// How many of each list are fused.
pub const LIST_LENGTH: usize = 20;
/// What softens the first ranks.
const RANK_OFFSET: f64 = 60.0;
/// How much of the choice is relevance, the rest being unlikeness to what was chosen.
const RELEVANCE: f64 = 0.7;
/// How many answers unlikeness chooses among.
const DIVERSIFIED: usize = 10;

/// G-094. `sum 1 / (60 + rank)` over the lists an entry is in, ranks from 1, the first 20 of each list. An entry named
/// twice in a list counts at its better rank.
#[must_use]
pub fn fuse(lists: &[&[EntryId]]) -> BTreeMap<EntryId, f64> {
    let mut fused: BTreeMap<EntryId, f64> = BTreeMap::new();
    for list in lists {
        let mut seen = std::collections::BTreeSet::new();
        for (place, id) in list.iter().take(LIST_LENGTH).enumerate() {
            if seen.insert(*id) {
                *fused.entry(*id).or_default() += 1.0 / (RANK_OFFSET + place as f64 + 1.0);
            }
        }
    }
    fused
}

/// What reranking weighs, each in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RerankFactors {
    /// Fused rank, over the best possible.
    pub fused: f64,
    pub confidence: Ppm,
    pub quality: Ppm,
    pub recency: f64,
    /// Whether its regime holds now.
    pub regime_match: f64,
}

impl RerankFactors {
    /// The fused score that is first in `lists` lists, by which others are measured.
    #[must_use]
    pub fn best_fused(lists: usize) -> f64 {
        lists as f64 / (RANK_OFFSET + 1.0)
    }

    /// G-094. `0.30 fused + 0.25 confidence + 0.20 quality + 0.15 recency + 0.10 regime`, rounded once.
    #[must_use]
    pub fn score(&self) -> Ppm {
        Ppm::round(
            0.30 * self.fused.clamp(0.0, 1.0)
                + 0.25 * self.confidence.as_f64()
                + 0.20 * self.quality.as_f64()
                + 0.15 * self.recency.clamp(0.0, 1.0)
                + 0.10 * self.regime_match.clamp(0.0, 1.0),
        )
    }
}

/// G-094. Orders the ten best by marginal relevance: `0.7 score - 0.3 likeness to the nearest chosen`, ties by the order
/// given. `scored` comes best first; `likeness` answers for two of them.
#[must_use]
pub fn diversify(scored: &[(EntryId, Ppm)], likeness: impl Fn(EntryId, EntryId) -> Ppm) -> Vec<EntryId> {
    let mut left: Vec<(EntryId, Ppm)> = scored.iter().take(DIVERSIFIED).copied().collect();
    let mut chosen: Vec<EntryId> = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let marginal = |(id, score): &(EntryId, Ppm)| {
            let nearest = chosen.iter().map(|other| likeness(*id, *other)).max().unwrap_or(Ppm::ZERO);
            // In parts, so that equal margins compare equal.
            libm::round((RELEVANCE * score.as_f64() - (1.0 - RELEVANCE) * nearest.as_f64()) * 1e6) as i64
        };
        let mut best = 0;
        for at in 1..left.len() {
            if marginal(&left[at]) > marginal(&left[best]) {
                best = at;
            }
        }
        chosen.push(left.remove(best).0);
    }
    chosen
}
