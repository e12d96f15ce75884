//! What leaves for others, and how much may come and go in an hour (G-172 to G-174, G-177).

use std::collections::{BTreeMap, VecDeque};

use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, UtcTime};

use crate::confidence::Confidence;
use crate::kind::{Body, Kind};
use crate::status::Entry;

/// G-172, G-133. Whether an entry may be pushed to the Clade: a warning always, the others by type.
#[must_use]
pub fn may_push(entry: &Entry) -> bool {
    let (knowledge, is_active) = match entry {
        Entry::Active(active) => (active.knowledge(), true),
        Entry::Candidate(candidate) => (candidate.knowledge(), false),
        Entry::Archived(_) | Entry::Burned(_) => return false,
    };
    let worth = |parts| knowledge.confidence >= Confidence::of(parts);
    match knowledge.kind() {
        Kind::Insight => is_active && worth(600_000),
        Kind::Heuristic => worth(700_000) && knowledge.validated >= 10,
        Kind::Warning => true,
        Kind::CausalLink => worth(500_000) && !knowledge.draft.parents.is_empty(),
        Kind::StrategyFragment => worth(600_000),
    }
}

/// G-177. Confidence from which a Golem of that phase shares at all: the nearer the end, the more it gives away.
#[must_use]
pub const fn sharing_threshold(phase: Phase) -> Confidence {
    match phase {
        Phase::Thriving => Confidence::of(600_000),
        Phase::Stable => Confidence::of(500_000),
        Phase::Conservation => Confidence::of(400_000),
        Phase::Declining => Confidence::of(300_000),
        Phase::Terminal => Confidence::of(100_000),
    }
}

/// G-172, G-177. Whether an entry may be sold to strangers: active, pushable, worth what the phase shares from, and learnt
/// by this Golem itself, for what came from others is not its own to sell.
#[must_use]
pub fn may_sell(entry: &Entry, phase: Phase) -> bool {
    let Entry::Active(active) = entry else { return false };
    let known = active.knowledge();
    may_push(entry) && known.draft.source.provenance.is_own() && known.confidence >= sharing_threshold(phase)
}

/// G-133, G-182. Whether an entry goes into the library at death.
#[must_use]
pub fn is_deposited(entry: &Entry) -> bool {
    let Some(knowledge) = entry.knowledge() else { return false };
    let worth = |parts| knowledge.confidence >= Confidence::of(parts);
    match &knowledge.draft.body {
        Body::Insight | Body::Heuristic { .. } => worth(600_000),
        Body::Warning { .. } => true,
        Body::CausalLink(link) => worth(500_000) && link.evidence >= 3,
        Body::StrategyFragment { .. } => false,
    }
}

/// G-183. Confidence from which a living Golem exports an entry.
pub const LIVE_EXPORT: Confidence = Confidence::of(500_000);
/// G-183. Siblings whose validation lets an entry overflow to the library.
pub const OVERFLOW_SIBLINGS: u32 = 3;
/// G-173. Entries an hour to one destination, warnings apart.
pub const PUSH_PER_HOUR: u32 = 100;
/// G-174. Entries an hour from all sources.
pub const INGEST_PER_HOUR: u32 = 200;
/// G-174. And from one.
pub const INGEST_PER_SOURCE: u32 = 100;

/// The number of the hour.
const fn hour(now: UtcTime) -> u64 {
    now.seconds() / 3_600
}

/// G-173. How much went to each destination in this hour.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PushMeter {
    hour: u64,
    sent: BTreeMap<String, u32>,
}

impl PushMeter {
    /// Whether an entry may go now; if so it counts. Warnings always go and never count.
    pub fn may_send(&mut self, destination: &str, kind: Kind, now: UtcTime) -> bool {
        if kind == Kind::Warning {
            return true;
        }
        if hour(now) > self.hour {
            *self = Self { hour: hour(now), sent: BTreeMap::new() };
        }
        let sent = self.sent.entry(destination.to_owned()).or_default();
        if *sent >= PUSH_PER_HOUR {
            return false;
        }
        *sent += 1;
        true
    }
}

/// G-174. A queue of arrivals: at most 200 an hour and 100 from one source, the rest first-in first-out later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestQueue<T> {
    hour: u64,
    taken: u32,
    by_source: BTreeMap<String, u32>,
    waiting: VecDeque<(String, T)>,
    capacity: usize,
}

/// An arrival for which there is no room; it must come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the queue of arrivals is full at {capacity}")]
pub struct QueueFull {
    /// Its room.
    pub capacity: usize,
}

impl<T> IngestQueue<T> {
    /// An empty queue with room for `capacity` arrivals.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self { hour: 0, taken: 0, by_source: BTreeMap::new(), waiting: VecDeque::new(), capacity }
    }

    /// How many wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes an arrival in.
    ///
    /// # Errors
    /// [`QueueFull`] when there is no room, so that a flood cannot fill memory.
    pub fn push(&mut self, source: &str, arrival: T) -> Result<(), QueueFull> {
        if self.waiting.len() >= self.capacity {
            return Err(QueueFull { capacity: self.capacity });
        }
        self.waiting.push_back((source.to_owned(), arrival));
        Ok(())
    }

    /// The next arrival whose source has not used up its hour, or `None` until the next hour.
    pub fn take(&mut self, now: UtcTime) -> Option<(String, T)> {
        if hour(now) > self.hour {
            (self.hour, self.taken) = (hour(now), 0);
            self.by_source.clear();
        }
        if self.taken >= INGEST_PER_HOUR {
            return None;
        }
        let may = |(source, _): &(String, T)| self.by_source.get(source).is_none_or(|n| *n < INGEST_PER_SOURCE);
        let at = self.waiting.iter().position(may)?;
        let (source, arrival) = self.waiting.remove(at)?;
        *self.by_source.entry(source.clone()).or_default() += 1;
        self.taken += 1;
        Some((source, arrival))
    }
}

/// G-184. Whether entries of several Golems propose a bundle: three or more, alike above 0.85, within seven days.
#[must_use]
pub fn is_bundle(golems: u32, least_cosine: Ppm, first: UtcTime, last: UtcTime) -> bool {
    golems >= 3 && least_cosine > Ppm::of(850_000) && last.since(first).as_secs() <= 7 * UtcTime::DAY_SECONDS
}

/// G-184. Validators from which a bundle is published.
pub const BUNDLE_VALIDATORS: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    /// G-177.
    #[test]
    fn g_177_the_nearer_the_end_the_more_is_given() {
        let parts: Vec<u32> = Phase::ALL.iter().map(|phase| sharing_threshold(*phase).get().get()).collect();
        assert_eq!(parts, [100_000, 300_000, 400_000, 500_000, 600_000]);
    }

    /// G-173.
    #[test]
    fn g_173_a_hundred_an_hour_and_warnings_apart() {
        let mut meter = PushMeter::default();
        let now = UtcTime::from_seconds(7_200);
        let sent = (0..150).filter(|_| meter.may_send("a", Kind::Insight, now)).count();
        assert_eq!(sent, 100);
        assert!(meter.may_send("a", Kind::Warning, now) && meter.may_send("b", Kind::Insight, now));
        assert!(meter.may_send("a", Kind::Insight, UtcTime::from_seconds(10_800)), "the next hour");
        assert!(!(0..101).all(|_| meter.may_send("a", Kind::Insight, now)), "an hour that ran back opens nothing");
    }

    /// G-174.
    #[test]
    fn g_174_arrivals_wait_their_hour_in_order() {
        let mut queue = IngestQueue::new(1_000);
        for n in 0..150 {
            queue.push("a", n).expect("room");
        }
        for n in 150..300 {
            queue.push("b", n).expect("room");
        }
        let now = UtcTime::from_seconds(3_600);
        let first: Vec<i32> = std::iter::from_fn(|| queue.take(now)).map(|(_, n)| n).collect();
        assert_eq!(first, (0..100).chain(150..250).collect::<Vec<_>>());
        assert_eq!((queue.waiting(), queue.take(now)), (100, None));
        let next: Vec<i32> = std::iter::from_fn(|| queue.take(UtcTime::from_seconds(7_200))).map(|(_, n)| n).collect();
        assert_eq!(next, (100..150).chain(250..300).collect::<Vec<_>>(), "first in, first out");
        assert_eq!(IngestQueue::new(0).push("a", 1), Err(QueueFull { capacity: 0 }));
    }

    /// G-183, G-184.
    #[test]
    fn g_184_bundles_need_three_golems_within_a_week() {
        let (first, week) = (UtcTime::from_seconds(0), UtcTime::from_seconds(604_800));
        assert!(is_bundle(3, Ppm::of(850_001), first, week));
        assert!(!is_bundle(2, Ppm::ONE, first, week) && !is_bundle(3, Ppm::of(850_000), first, week));
        assert!(!is_bundle(3, Ppm::ONE, first, UtcTime::from_seconds(604_801)));
        assert_eq!((BUNDLE_VALIDATORS, OVERFLOW_SIBLINGS, LIVE_EXPORT), (2, 3, Confidence::of(500_000)), "G-183");
    }
}
