//! What leaves for others, and how much may come and go in an hour (G-172 to G-174, G-177). Who counts the hours stands in
//! the law of inheritance and in the store.

use golem_mortality::mode::Mode;
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, UtcTime};

use crate::confidence::Confidence;
use crate::entry::Knowledge;
use crate::kind::Kind;
use crate::status::Entry;

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
/// G-172. Confirmations a heuristic needs.
const HEURISTIC_VALIDATIONS: u32 = 10;
/// I-066. What a confirmed dream is worth at least.
const DREAM_GATE: Confidence = Confidence::of(500_000);

/// How freely a Golem gives now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Giving {
    /// From which confidence it shares.
    pub threshold: Confidence,
    /// I-065. It is about to die: everything worth a tenth goes, proven or not.
    pub is_last_chance: bool,
}

impl Giving {
    /// I-063, I-064, I-351. What a phase gives away; an immortal is always as one that thrives.
    #[must_use]
    pub fn of(phase: Phase, mode: Mode) -> Self {
        let phase = if mode.is_mortal() { phase } else { Phase::Thriving };
        Self { threshold: sharing_threshold(phase), is_last_chance: phase == Phase::Terminal }
    }
}

/// I-060, I-065. What an entry of that type must be worth where a Golem shares from this threshold on:
/// `max(0.1, type gate - (0.6 - threshold))`. A warning has no gate.
#[must_use]
pub fn gate(kind: Kind, threshold: Confidence) -> Option<Confidence> {
    let at_ease = match kind {
        Kind::Insight | Kind::StrategyFragment => Ppm::of(600_000),
        Kind::Heuristic => Ppm::of(700_000),
        Kind::CausalLink => Ppm::of(500_000),
        Kind::Warning => return None,
    };
    let lowered = AT_EASE.get().saturating_sub(threshold.get());
    Some(Confidence::new(at_ease.saturating_sub(lowered).max(LEAST_GATE)))
}

/// G-172, G-133. Whether what stands behind an entry is enough for its type; what it is worth is asked apart.
fn is_proven(known: &Knowledge, is_active: bool) -> bool {
    match known.kind() {
        Kind::Insight => is_active,
        Kind::Heuristic => known.validated >= HEURISTIC_VALIDATIONS,
        Kind::CausalLink => known.is_supported(),
        Kind::Warning | Kind::StrategyFragment => true,
    }
}

/// G-172, G-177, I-060 to I-066. Whether an entry goes to the Clade now: a warning always, the others by type and by what this
/// Golem gives, what was dreamt only once waking has confirmed it. What does not go is asked again next time (I-062).
#[must_use]
pub fn may_push(entry: &Entry, giving: Giving) -> bool {
    let (known, is_active) = match entry {
        Entry::Active(active) => (active.knowledge(), true),
        Entry::Candidate(candidate) => (candidate.knowledge(), false),
        Entry::Archived(_) | Entry::Burned(_) => return false,
    };
    if let Some(dream) = &known.draft.dream {
        return dream.is_validated && known.confidence >= DREAM_GATE;
    }
    let Some(gate) = gate(known.kind(), giving.threshold) else { return true };
    if giving.is_last_chance {
        return known.confidence.get() >= LEAST_GATE;
    }
    is_proven(known, is_active) && known.confidence >= gate
}

/// G-172, G-177, I-065. Whether an entry may be sold to strangers: active, worth what its type is pushed from and what
/// this Golem shares from now, and learnt by itself, for what came from others is not its own to sell.
#[must_use]
pub fn may_sell(entry: &Entry, threshold: Confidence) -> bool {
    let Entry::Active(active) = entry else { return false };
    let known = active.knowledge();
    let is_worth = gate(known.kind(), threshold).is_none_or(|gate| known.confidence >= gate);
    let from = threshold.get().max(LEAST_GATE);
    let is_own = known.draft.source.provenance.is_own();
    is_worth && is_proven(known, true) && is_own && known.confidence.get() >= from
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

    /// I-063, I-064, I-065: W-23, and I-351: an immortal never comes near its end.
    #[test]
    fn i_065_w_23_the_nearer_the_end_the_lower_the_gate() {
        let kinds = [Kind::Insight, Kind::Heuristic, Kind::CausalLink, Kind::StrategyFragment];
        let gates =
            |phase, mode| kinds.map(|kind| gate(kind, Giving::of(phase, mode).threshold).expect("gated").get().get());
        assert_eq!(gates(Phase::Declining, Mode::Hosted), [300_000, 400_000, 200_000, 300_000], "W-23");
        assert_eq!(gates(Phase::Thriving, Mode::Hosted), [600_000, 700_000, 500_000, 600_000], "I-060");
        assert!(Giving::of(Phase::Terminal, Mode::Hosted).is_last_chance, "I-065");
        for phase in Phase::ALL {
            assert_eq!(gate(Kind::Warning, sharing_threshold(phase)), None);
            assert_eq!(Giving::of(phase, Mode::Immortal), Giving::of(Phase::Thriving, Mode::Hosted), "I-351");
        }
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
