//! Causal links as a graph, and when two series earn one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use golem_primitives::{Ppm, Tick};

use crate::id::EntryId;
use crate::kind::{Body, CausalBasis, CausalLink};
use crate::shelf::Grimoire;
use golem_primitives::words;

/// G-131. How far retrieval follows links.
pub const HOPS: u32 = 3;
/// G-134. What an inherited edge starts at.
pub const INHERITED_WEIGHT: Ppm = Ppm::of(300_000);
/// Ticks after which an edge last seen counts for 1/e.
const RECENCY_TICKS: f64 = 2_000.0;

words! {
    /// Which way links are followed.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    Direction {
        /// From cause to effect.
        Forward = "forward",
        /// From effect to cause.
        Backward = "backward",
    }
}

/// A variable reached from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The variable.
    pub variable: String,
    /// Over how many links.
    pub hops: u32,
    /// The product of what the links on the way weigh.
    pub weight: Ppm,
    /// The last link.
    pub link: EntryId,
}

/// G-131. What an edge weighs in retrieval: its strength times how recently it was seen.
#[must_use]
pub fn edge_weight(link: &CausalLink, now: Tick) -> Ppm {
    Ppm::round(link.weight.as_f64() * libm::exp(-(now.since(link.last_fired) as f64) / RECENCY_TICKS))
}

/// G-128, G-129, G-131. Breadth-first from a variable over active links, at most `hops` far. Each variable is reached
/// once, over the fewest links and among those the weightiest; circles end.
#[must_use]
pub fn reach(grimoire: &Grimoire, from: &str, direction: Direction, hops: u32, now: Tick) -> Vec<Reached> {
    let mut edges: BTreeMap<&str, Vec<(&str, Ppm, EntryId)>> = BTreeMap::new();
    for active in grimoire.active() {
        let Body::CausalLink(link) = &active.knowledge().draft.body else { continue };
        let (start, end) = match direction {
            Direction::Forward => (&link.cause, &link.effect),
            Direction::Backward => (&link.effect, &link.cause),
        };
        edges.entry(start).or_default().push((end, edge_weight(link, now), active.knowledge().id));
    }
    for next in edges.values_mut() {
        next.sort_by(|a, b| b.1.cmp(&a.1).then(a.2.cmp(&b.2)));
    }
    let mut seen = BTreeSet::from([from]);
    let mut queue = VecDeque::from([(from, 0u32, Ppm::ONE)]);
    let mut reached = Vec::new();
    while let Some((variable, far, weight)) = queue.pop_front() {
        if far >= hops {
            continue;
        }
        for (next, edge, link) in edges.get(variable).into_iter().flatten() {
            if seen.insert(next) {
                let weight = weight.times_down(*edge);
                reached.push(Reached { variable: (*next).to_owned(), hops: far + 1, weight, link: *link });
                queue.push_back((next, far + 1, weight));
            }
        }
    }
    reached
}

/// G-132, G-130. The same link after a verified outcome: seen again it has more evidence and weight, missed it has less
/// weight. A miss is no evidence against what was seen.
#[must_use]
pub fn observed(link: &CausalLink, held: bool, tick: Tick) -> CausalLink {
    let step = Ppm::of(if held { 50_000 } else { 100_000 });
    let mut link = link.clone();
    if held {
        link.evidence = link.evidence.saturating_add(1);
        link.weight = link.weight.saturating_add(step);
        link.last_fired = link.last_fired.max(tick);
    } else {
        link.weight = link.weight.saturating_sub(step);
    }
    link
}

/// G-134. The link as an heir receives it.
#[must_use]
pub fn inherited(link: &CausalLink) -> CausalLink {
    CausalLink { weight: INHERITED_WEIGHT, basis: CausalBasis::Associational, ..link.clone() }
}

/// Moves from which a sign test says anything: five of five are chance once in thirty-two.
const LEAST_MOVES: u32 = 6;

/// What two series earn by moving together: of the ticks in which both moved, how often they moved the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Association {
    /// Moves seen.
    pub moves: u32,
    /// In the same direction.
    pub same: u32,
    /// Ticks between.
    pub lag_ticks: u64,
}

impl Association {
    /// Counts the moves of `effect` that came `lag` ticks after a move of `cause`; what is no number is no move.
    #[must_use]
    pub fn count(cause: &[f64], effect: &[f64], lag: usize) -> Self {
        let (mut moves, mut same) = (0u32, 0u32);
        for (before, after) in cause.iter().zip(effect.iter().skip(lag)) {
            let product = before * after;
            if product.is_finite() && product != 0.0 {
                moves = moves.saturating_add(1);
                same = same.saturating_add(u32::from(product > 0.0));
            }
        }
        Self { moves, same, lag_ticks: u64::try_from(lag).unwrap_or(u64::MAX) }
    }

    /// Whether chance is excluded by a two-sided sign test at one in twenty.
    #[must_use]
    pub fn excludes_chance(&self) -> bool {
        self.moves >= LEAST_MOVES && sign_test(self.same.max(self.moves - self.same), self.moves) <= 0.05
    }

    /// G-015, G-132. The link it earns, if any: marked as seen together, not as caused.
    #[must_use]
    pub fn link(&self, cause: &str, effect: &str, tick: Tick) -> Option<CausalLink> {
        let larger = self.same.max(self.moves.saturating_sub(self.same));
        self.excludes_chance().then(|| CausalLink {
            cause: cause.to_owned(),
            effect: effect.to_owned(),
            weight: Ppm::saturating(u64::from(larger) * 1_000_000 / u64::from(self.moves.max(1))),
            evidence: self.moves,
            lag_ticks: self.lag_ticks,
            last_fired: tick,
            basis: CausalBasis::Associational,
            mechanism: None,
        })
    }
}

/// The chance of at least `larger` of `moves` on either side, when both sides are as likely.
fn sign_test(larger: u32, moves: u32) -> f64 {
    let n = f64::from(moves);
    let log_choose = |k: f64| libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    let log_half = n * libm::log(0.5);
    let tail: f64 = (larger..=moves).map(|k| libm::exp(log_choose(f64::from(k)) + log_half)).sum();
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G-015, G-132: chance earns no link, and what is earned says what it is.
    #[test]
    fn g_015_links_are_earned_by_a_sign_test() {
        for (same, moves, excluded) in [
            (5, 5, false),
            (6, 6, true),
            (0, 6, true),
            (8, 10, false),
            (9, 10, true),
            (50, 100, false),
            (61, 100, true),
        ] {
            let seen = Association { moves, same, lag_ticks: 2 };
            assert_eq!(seen.excludes_chance(), excluded, "{same} of {moves}");
            assert_eq!(seen.link("gas", "spread", Tick::new(9)).is_some(), excluded);
        }
        let link =
            Association { moves: 10, same: 9, lag_ticks: 2 }.link("gas", "spread", Tick::new(9)).expect("earned");
        assert_eq!((link.basis, link.mechanism.as_ref()), (CausalBasis::Associational, None));
        assert_eq!((link.weight, link.evidence, link.lag_ticks), (Ppm::of(900_000), 10, 2));
        assert!((sign_test(9, 10) - 22.0 / 1_024.0).abs() < 1e-12);
    }

    /// G-130: moves are matched over the lag; what is no number is no move.
    #[test]
    fn g_130_moves_are_matched_over_the_lag() {
        let cause = [1.0, -1.0, 1.0, f64::NAN, 0.0];
        let effect = [9.0, 1.0, -1.0, -1.0, 5.0];
        assert_eq!(Association::count(&cause, &effect, 1), Association { moves: 3, same: 2, lag_ticks: 1 });
        assert_eq!(Association::count(&cause, &effect, 99).moves, 0);
    }

    /// G-129, G-132, G-134.
    #[test]
    fn g_132_verified_outcomes_move_a_link() {
        let seen = Association { moves: 10, same: 9, lag_ticks: 2 };
        let link = seen.link("gas", "spread", Tick::new(9)).expect("earned");
        let again = observed(&link, true, Tick::new(20));
        assert_eq!((again.evidence, again.weight, again.last_fired), (11, Ppm::of(950_000), Tick::new(20)));
        let missed = observed(&link, false, Tick::new(20));
        assert_eq!((missed.evidence, missed.weight, missed.last_fired), (10, Ppm::of(800_000), Tick::new(9)));
        assert_eq!(observed(&link, true, Tick::new(1)).last_fired, Tick::new(9), "time that runs backwards");
        assert_eq!(inherited(&link).weight, Ppm::of(300_000), "G-134");
        assert_eq!(inherited(&link).evidence, 10, "G-128: evidence survives death");
    }
}
