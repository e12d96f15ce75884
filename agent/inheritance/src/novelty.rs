//! SUPER: an heir validates first what surprises it most.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::EmbeddingMark;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::regime::{Regime, RegimeBelief};
use golem_primitives::Ppm;
use golem_primitives::words;

use crate::heir::priority;

/// I-050. An entry's place in the space of one embedding model.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    pub mark: EmbeddingMark,
    pub values: Vec<f32>,
}

impl Vector {
    /// The cosine of two vectors of the same model; `None` for vectors of different models, of different length, or
    /// without direction, which are never compared.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> Option<f64> {
        if !self.mark.is_comparable(&other.mark) {
            return None;
        }
        cosine(&self.values, &other.values)
    }
}

/// The cosine of two vectors; `None` when they have no common space or no direction.
#[must_use]
pub fn cosine(a: &[f32], b: &[f32]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
    let norms = libm::sqrt(dot(a, a)) * libm::sqrt(dot(b, b));
    let cosine = dot(a, b) / norms;
    (norms > 0.0 && cosine.is_finite()).then(|| cosine.clamp(-1.0, 1.0))
}

/// I-050, I-053. An heir's own space: where texts stand in it, and what the heir has already. Empty without a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Space {
    texts: BTreeMap<String, Vector>,
    baseline: Vec<Vector>,
}

impl Space {
    /// The space of these texts, measured from what the heir begins with.
    #[must_use]
    pub const fn new(texts: BTreeMap<String, Vector>, baseline: Vec<Vector>) -> Self {
        Self { texts, baseline }
    }

    /// Where a text stands.
    #[must_use]
    pub fn vector(&self, text: &str) -> Option<&Vector> {
        self.texts.get(text)
    }

    /// I-053. What the heir has already.
    #[must_use]
    pub fn baseline(&self) -> &[Vector] {
        &self.baseline
    }
}

/// I-052. What uncertainty adds to novelty: what the dead were confused about, suspected or never tested.
const UNCERTAINTY_BONUS: f64 = 0.15;
/// I-055. Cosine above which an entry is a double, or should be merged.
const DUPLICATE_ABOVE: Ppm = Ppm::of(950_000);
const MERGE_ABOVE: Ppm = Ppm::of(900_000);

/// What ranking reads of an inherited entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Inherited {
    pub id: EntryId,
    /// Where it stands in the heir's own space; without one nothing can be said to be near.
    pub vector: Option<Vector>,
    /// What it is worth; ranking never changes it (I-058).
    pub confidence: Confidence,
    pub last_validated: Moment,
    /// I-052. Whether it is uncertainty: confused, suspected, untested.
    pub is_uncertain: bool,
}

words! {
    /// I-055. What becomes of an entry next.
    NoveltyBand {
        Queue = "queue",
        /// It says nearly what another says.
        Merge = "merge",
        Duplicate = "duplicate",
    }
}

/// I-051. An inherited entry with how surprising it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranked {
    pub id: EntryId,
    /// I-052. How far it lies from what is known.
    pub novelty: Ppm,
    /// I-055. What becomes of it.
    pub band: NoveltyBand,
    pub confidence: Confidence,
}

/// I-052, I-054. One less the nearest cosine, which is held at zero; all of it without anything to be near to.
#[must_use]
pub fn novelty(nearest: Option<f64>, is_uncertain: bool) -> Ppm {
    let near = nearest.map_or(0.0, |cosine| cosine.max(0.0));
    let bonus = if is_uncertain { UNCERTAINTY_BONUS } else { 0.0 };
    Ppm::round((1.0 - near + bonus).min(1.0))
}

/// I-051 to I-058. The order of validation: the most surprising first; ties by confidence, then newer confirmation, then
/// id. `baseline` is what the heir already has: catch-up and its own beginnings (I-053). Nothing is dropped and nothing
/// loses or gains confidence. Without ranking (I-057) the ties alone decide.
#[must_use]
pub fn rank(inherited: &[Inherited], baseline: &[Vector], use_novelty_ranking: bool) -> Vec<Ranked> {
    let mut keyed: Vec<_> = inherited
        .iter()
        .map(|entry| {
            let nearest = entry.vector.as_ref().and_then(|own| nearest(own, baseline));
            let novelty = novelty(nearest, entry.is_uncertain);
            let ranked = Ranked { id: entry.id, novelty, band: band(nearest), confidence: entry.confidence };
            let surprise = if use_novelty_ranking { novelty } else { Ppm::ZERO };
            ((Reverse(surprise), Reverse(entry.confidence), Reverse(entry.last_validated), entry.id), ranked)
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, ranked)| ranked).collect()
}

fn nearest(own: &Vector, baseline: &[Vector]) -> Option<f64> {
    baseline.iter().filter_map(|known| own.cosine(known)).max_by(f64::total_cmp)
}

fn band(nearest: Option<f64>) -> NoveltyBand {
    match Ppm::round(nearest.unwrap_or(0.0)) {
        near if near > DUPLICATE_ABOVE => NoveltyBand::Duplicate,
        near if near > MERGE_ABOVE => NoveltyBand::Merge,
        _ => NoveltyBand::Queue,
    }
}

words! {
    /// I-040. What a generation spends its effort on.
    GenerationStage {
        /// It takes in what was left to it.
        Inherit = "inherit",
        /// It proves it.
        Validate = "validate",
        /// It goes where nobody of its line has been.
        Explore = "explore",
    }
}

/// I-005. What has become of the entries of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueCounts {
    pub waiting: usize,
    pub put_off: usize,
    pub refused: usize,
}

/// I-040, I-098. The queue of validation: an heir takes from it at its own pace; the hourly limits of siblings do not
/// hold for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValidationQueue {
    waiting: VecDeque<Ranked>,
    deferred: Vec<Ranked>,
    rejected: Vec<EntryId>,
    is_loaded: bool,
}

impl ValidationQueue {
    /// I-051. The queue of a ranking: near doubles are deferred, not lost.
    #[must_use]
    pub fn new(ranked: impl IntoIterator<Item = Ranked>) -> Self {
        let (waiting, deferred): (Vec<_>, Vec<_>) = ranked.into_iter().partition(|one| one.band == NoveltyBand::Queue);
        Self { waiting: waiting.into(), deferred, rejected: Vec::new(), is_loaded: true }
    }

    /// I-024, I-051. The queue as it stands in this market: the most surprising first, each weighed by how likely its
    /// regime is now. What is of another regime waits behind and comes forward when its regime returns (I-022).
    #[must_use]
    pub fn weighed(ranked: impl IntoIterator<Item = (Ranked, Option<Regime>)>, belief: &RegimeBelief) -> Self {
        let mut all: Vec<_> = ranked.into_iter().collect();
        all.sort_by_key(|(one, regime)| Reverse(priority(one.novelty, *regime, belief)));
        Self::new(all.into_iter().map(|(one, _)| one))
    }

    /// This queue and behind it another.
    #[must_use]
    pub fn followed_by(mut self, other: Self) -> Self {
        self.waiting.extend(other.waiting);
        self.deferred.extend(other.deferred);
        self.rejected.extend(other.rejected);
        self
    }

    /// What waits, in order.
    pub fn waiting(&self) -> impl Iterator<Item = &Ranked> {
        self.waiting.iter()
    }

    /// What was put off, in order.
    pub fn deferred(&self) -> impl Iterator<Item = &Ranked> {
        self.deferred.iter()
    }

    /// The next to be validated.
    #[must_use]
    pub fn take(&mut self) -> Option<Ranked> {
        self.waiting.pop_front()
    }

    /// I-005. Refuses one; it is remembered as refused.
    pub fn reject(&mut self, one: Ranked) {
        self.rejected.push(one.id);
    }

    /// Brings what was put off back, at the end and in its order.
    pub fn revisit(&mut self) {
        self.waiting.extend(self.deferred.drain(..));
    }

    /// How many there are of each.
    #[must_use]
    pub fn counts(&self) -> QueueCounts {
        QueueCounts { waiting: self.waiting.len(), put_off: self.deferred.len(), refused: self.rejected.len() }
    }

    /// I-040. What the effort of this generation goes to now.
    #[must_use]
    pub fn stage(&self) -> GenerationStage {
        match (self.is_loaded, self.waiting.is_empty()) {
            (false, _) => GenerationStage::Inherit,
            (true, false) => GenerationStage::Validate,
            (true, true) => GenerationStage::Explore,
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::{B256, UtcTime};
    use proptest::prelude::*;

    use super::*;

    fn vector(model: &str, values: &[f32]) -> Vector {
        let mark =
            EmbeddingMark { model: model.into(), version: "1".into(), preprocessing: B256::ZERO, at: UtcTime::EPOCH };
        Vector { mark, values: values.to_vec() }
    }

    fn id(number: usize) -> EntryId {
        format!("00000000-0000-7000-8000-{number:012x}").parse().expect("a UUID")
    }

    fn inherited(number: usize, values: &[f32]) -> Inherited {
        Inherited {
            id: id(number),
            vector: Some(vector("nomic", values)),
            confidence: Confidence::of(500_000),
            last_validated: Moment::default(),
            is_uncertain: false,
        }
    }

    /// I-050, I-051, I-053, G-179: W-20.
    #[test]
    fn i_051_w_20_the_most_surprising_comes_first() {
        let baseline = [vector("nomic", &[1.0, 0.0, 0.0]), vector("nomic", &[0.0, 1.0, 0.0])];
        let entries = [[1.0, 0.0, 0.0], [3.0, 4.0, 0.0], [0.0, 0.0, 1.0], [4.0, 0.0, 3.0], [-1.0, 0.0, 0.0]];
        let entries: Vec<Inherited> =
            entries.iter().enumerate().map(|(at, values)| inherited(at + 1, values)).collect();
        let order = rank(&entries, &baseline, true);
        let novelty_of = |n| order.iter().find(|one| one.id == id(n)).expect("nothing is dropped").novelty.get();
        assert_eq!([1, 2, 3, 4, 5].map(novelty_of), [0, 200_000, 1_000_000, 200_000, 1_000_000], "W-20");
        let ids: Vec<EntryId> = order.iter().map(|one| one.id).collect();
        assert_eq!(ids, [3, 5, 2, 4, 1].map(id), "I-051, ties by id");
    }

    /// I-052: W-21.
    #[test]
    fn i_052_w_21_uncertainty_is_worth_a_look() {
        assert_eq!(novelty(Some(0.30), true), Ppm::of(850_000), "W-21");
        assert_eq!(novelty(Some(0.10), true), Ppm::ONE, "W-21: capped");
        assert_eq!(novelty(Some(-1.0), false), Ppm::ONE);
    }

    /// I-054, I-057: nothing known makes all new; ties, and the toggle.
    #[test]
    fn i_054_without_a_baseline_everything_is_new() {
        let mut entries = [inherited(1, &[1.0]), inherited(2, &[1.0]), inherited(3, &[1.0]), inherited(4, &[1.0])];
        entries[1].confidence = Confidence::of(900_000);
        entries[2].last_validated = Moment::new(9.into(), UtcTime::from_seconds(9));
        let order = rank(&entries, &[], true);
        assert!(order.iter().all(|one| one.novelty == Ppm::ONE));
        let ids: Vec<EntryId> = order.iter().map(|one| one.id).collect();
        assert_eq!(ids, [2, 3, 1, 4].map(id));
        let near = vector("nomic", &[1.0, 0.0]);
        let far_and_near = [inherited(1, &[1.0, 0.0]), inherited(2, &[0.0, 1.0])];
        let first = |ranked: Vec<Ranked>| ranked[0].id;
        assert_eq!(first(rank(&far_and_near, std::slice::from_ref(&near), true)), id(2), "I-057: the default");
        assert_eq!(first(rank(&far_and_near, &[near], false)), id(1), "I-057: off");
    }

    /// I-050: vectors of different models, or without direction, say nothing of each other.
    #[test]
    fn i_050_vectors_of_other_models_are_never_compared() {
        let one = vector("nomic", &[1.0, 0.0]);
        assert_eq!(one.cosine(&vector("minilm", &[1.0, 0.0])), None);
        assert_eq!(one.cosine(&vector("nomic", &[1.0])), None);
        assert_eq!(one.cosine(&vector("nomic", &[0.0, 0.0])), None);
        assert_eq!(one.cosine(&vector("nomic", &[f32::NAN, 0.0])), None);
        let entry = inherited(1, &[1.0, 0.0]);
        assert_eq!(rank(&[entry], &[vector("minilm", &[1.0, 0.0])], true)[0].novelty, Ppm::ONE);
    }

    /// I-055, I-005: bands defer and never drop; the heir may refuse.
    #[test]
    fn i_055_near_doubles_are_put_off() {
        for (cosine, band_of) in [
            (0.95, NoveltyBand::Merge),
            (0.950_001, NoveltyBand::Duplicate),
            (0.90, NoveltyBand::Queue),
            (0.900_001, NoveltyBand::Merge),
            (-1.0, NoveltyBand::Queue),
        ] {
            assert_eq!(band(Some(cosine)), band_of, "{cosine}");
        }
        let one = |n, band| Ranked { id: id(n), novelty: Ppm::ONE, band, confidence: Confidence::ZERO };
        let mut queue = ValidationQueue::new([
            one(1, NoveltyBand::Queue),
            one(2, NoveltyBand::Duplicate),
            one(3, NoveltyBand::Queue),
        ]);
        assert_eq!(queue.stage(), GenerationStage::Validate, "I-040");
        let first = queue.take().expect("one");
        queue.reject(first);
        assert_eq!(queue.take().map(|one| one.id), Some(id(3)), "the double waits");
        assert_eq!(
            (queue.counts(), queue.stage()),
            (QueueCounts { waiting: 0, put_off: 1, refused: 1 }, GenerationStage::Explore),
            "I-005, I-040"
        );
        queue.revisit();
        assert_eq!(
            (queue.counts(), queue.take().map(|one| one.id)),
            (QueueCounts { waiting: 1, put_off: 0, refused: 1 }, Some(id(2)))
        );
        assert_eq!(ValidationQueue::default().stage(), GenerationStage::Inherit, "I-040");
    }

    /// I-022, I-023, I-024: another regime's entry waits behind, is not lost, and comes forward with its regime.
    #[test]
    fn i_024_the_market_weighs_the_queue() {
        let one = |n, parts| Ranked {
            id: id(n),
            novelty: Ppm::of(parts),
            band: NoveltyBand::Queue,
            confidence: Confidence::ZERO,
        };
        let all =
            [(one(1, 900_000), Some(Regime::Bear)), (one(2, 500_000), Some(Regime::Bull)), (one(3, 600_000), None)];
        let order = |regime| {
            let queue = ValidationQueue::weighed(all, &RegimeBelief::certain(regime));
            queue.waiting().map(|one| one.id).collect::<Vec<_>>()
        };
        assert_eq!(order(Regime::Bull), [3, 2, 1].map(id));
        assert_eq!(order(Regime::Bear), [1, 3, 2].map(id), "it reactivates");
    }

    /// I-098: 2,048 entries need no eleven windows.
    #[test]
    fn i_098_a_genome_is_paced_by_its_queue_alone() {
        let all = (0..2_048).map(|n| Ranked {
            id: id(n),
            novelty: Ppm::ONE,
            band: NoveltyBand::Queue,
            confidence: Confidence::ZERO,
        });
        let mut queue = ValidationQueue::new(all);
        assert_eq!(std::iter::from_fn(|| queue.take()).count(), 2_048);
    }

    proptest! {
        /// I-058: ranking is a permutation that leaves confidence alone.
        #[test]
        fn i_058_ranking_drops_and_changes_nothing(
            values in prop::collection::vec(prop::collection::vec(-1.0f32..1.0, 3), 0..20),
            known in prop::collection::vec(prop::collection::vec(-1.0f32..1.0, 3), 0..5),
        ) {
            let entries: Vec<Inherited> = values.iter().enumerate().map(|(at, v)| inherited(at, v)).collect();
            let baseline: Vec<Vector> = known.iter().map(|v| vector("nomic", v)).collect();
            let order = rank(&entries, &baseline, true);
            let mut ids: Vec<EntryId> = order.iter().map(|one| one.id).collect();
            prop_assert!(order.is_sorted_by(|a, b| a.novelty >= b.novelty));
            prop_assert!(order.iter().all(|one| one.confidence == Confidence::of(500_000)));
            ids.sort();
            prop_assert_eq!(ids, (0..entries.len()).map(id).collect::<Vec<_>>());
        }
    }
}
