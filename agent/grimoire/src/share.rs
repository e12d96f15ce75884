//! What leaves for others, and how much may come and go in an hour (G-172 to G-174, G-177). Who counts the hours stands in
//! the law of inheritance and in the store.

use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, UtcTime};

use crate::confidence::Confidence;
use crate::kind::Kind;
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
        Kind::CausalLink => worth(500_000) && knowledge.is_supported(),
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

/// I-065. The threshold at which every type has the gate of G-172; what is below it lowers those gates as far.
const AT_EASE: Confidence = Confidence::of(600_000);
/// I-065. The least any gate can be, whatever a phase or a mood gives away.
const LEAST_GATE: Ppm = Ppm::of(100_000);

/// G-172, G-177, I-065. Whether an entry may be sold to strangers: active, worth what its type is pushed from and what
/// this Golem shares from now, and learnt by itself, for what came from others is not its own to sell.
#[must_use]
pub fn may_sell(entry: &Entry, threshold: Confidence) -> bool {
    let Entry::Active(active) = entry else { return false };
    let known = active.knowledge();
    let lowered = AT_EASE.get().saturating_sub(threshold.get());
    let worth = |parts| known.confidence.get() >= Ppm::of(parts).saturating_sub(lowered).max(LEAST_GATE);
    let is_proven = match known.kind() {
        Kind::Insight | Kind::StrategyFragment => worth(600_000),
        Kind::Heuristic => worth(700_000) && known.validated >= 10,
        Kind::Warning => true,
        Kind::CausalLink => worth(500_000) && known.is_supported(),
    };
    let from = threshold.get().max(LEAST_GATE);
    is_proven && known.draft.source.provenance.is_own() && known.confidence.get() >= from
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
