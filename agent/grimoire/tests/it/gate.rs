//! The admission gate against its vectors and edges.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::emotion::{Emotion, EmotionalTag, Pad};
use golem_grimoire::entry::DraftError;
use golem_grimoire::gate::{
    Admission, Factors, GateExcuse, GateReading, GateVerdict, KeyRecord, Neighbour, OFF_TOPIC_TAG, Rejection,
    admission, admit, judge, rule_quality, rule_recency, rule_utility,
};
use golem_grimoire::kind::{EntryBody, Kind};
use golem_grimoire::provenance::Provenance;
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, UtcTime};
use proptest::prelude::*;

use crate::make::{GOOD, START, candidate, draft, id, moment};

fn factors(parts: [u32; 5]) -> Factors {
    let [utility, factual, novelty, recency, prior] = parts.map(Ppm::of);
    Factors { utility, factual, novelty, recency, prior }
}

/// G-103, G-106, G-107: W24, W25, W26, W27.
#[test]
fn g_103_composites_meet_w24_to_w27() {
    let own = Confidence::of(700_000);
    for (id, parts, composite, admitted) in [
        ("W24", [600_000, 700_000, 600_000, 900_000, 500_000], 655_000, Some(own)),
        ("W25", [450_000, 400_000, 500_000, 300_000, 500_000], 432_500, None),
        ("W26", [500_000, 450_000, 500_000, 400_000, 600_000], 487_500, Some(Confidence::of(300_000))),
        ("W27", [450_000; 5], 450_000, Some(Confidence::of(300_000))),
        ("W27", [550_000; 5], 550_000, Some(Confidence::of(300_000))),
    ] {
        let got = factors(parts).composite();
        assert_eq!(got, Ppm::of(composite), "{id}");
        assert_eq!(admission(got, own), admitted, "{id}");
    }
    let public = Confidence::of(200_000);
    assert_eq!(admission(Ppm::of(500_000), public), Some(public), "doubt never raises what little a source is worth");
}

/// G-104: the least of each factor is exclusive.
#[test]
fn g_104_minimums_are_exclusive() {
    let insight = draft(Kind::Insight, Provenance::Own);
    for (reading, factor) in [
        (GateReading { utility: Ppm::of(400_000), ..GOOD }, "future utility"),
        (GateReading { factual: Ppm::of(300_000), ..GOOD }, "factual confidence"),
        (GateReading { recency: Ppm::of(200_000), ..GOOD }, "recency"),
    ] {
        match judge(&insight, &reading) {
            GateVerdict::Reject(Rejection::BelowMinimum { factor: got, .. }) => assert_eq!(got, factor),
            other => panic!("{factor}: {other:?}"),
        }
    }
    let just = GateReading {
        utility: Ppm::of(400_001),
        factual: Ppm::of(300_001),
        recency: Ppm::of(200_001),
        nearest: Some(Neighbour { id: id("near"), cosine: Ppm::of(890_000) }),
        ..GOOD
    };
    assert!(matches!(judge(&insight, &just), GateVerdict::Reject(Rejection::BelowComposite { .. })), "G-107");
}

/// G-105: bands of similarity, all exclusive; GG-10 for the newborn.
#[test]
fn g_105_similar_drafts_are_skipped_merged_or_flagged() {
    let insight = draft(Kind::Insight, Provenance::Own);
    let near = |parts, known| GateReading {
        nearest: Some(Neighbour { id: id("near"), cosine: Ppm::of(parts) }),
        known,
        ..GOOD
    };
    assert_eq!(judge(&insight, &near(950_001, 1)), GateVerdict::Skip(id("near")));
    assert_eq!(judge(&insight, &near(950_000, 1)), GateVerdict::Merge(id("near")));
    assert_eq!(judge(&insight, &near(900_001, 1)), GateVerdict::Merge(id("near")));
    for (parts, known, off_topic) in
        [(900_000, 20, false), (500_000, 20, false), (499_999, 20, true), (499_999, 19, false)]
    {
        match judge(&insight, &near(parts, known)) {
            GateVerdict::Admit { is_off_topic, .. } => assert_eq!(is_off_topic, off_topic, "{parts} of {known}"),
            other => panic!("{parts}: {other:?}"),
        }
    }
    let Admission::Admitted(admitted) = admit(id("new"), insight.clone(), &near(100_000, 20), moment(1, 0.0)) else {
        panic!("admitted")
    };
    assert!(admitted.knowledge().draft.tags.contains(OFF_TOPIC_TAG));
    assert_eq!(admit(id("n"), insight.clone(), &near(920_000, 1), moment(1, 0.0)), Admission::Merged(id("near")));
    assert_eq!(admit(id("n"), insight, &near(960_000, 1), moment(1, 0.0)), Admission::Known(id("near")));
}

/// G-108: what attacks the well known with little behind it is locked away, warnings included.
#[test]
fn g_108_the_firewall_quarantines() {
    let attack = GateReading { factual: Ppm::of(299_999), contradicts: Some(Confidence::of(700_000)), ..GOOD };
    for kind in [Kind::Insight, Kind::Warning] {
        assert_eq!(judge(&draft(kind, Provenance::Clade), &attack), GateVerdict::Quarantine, "{kind}");
    }
    let weak = GateReading { contradicts: Some(Confidence::of(699_999)), ..attack };
    assert!(matches!(judge(&draft(Kind::Insight, Provenance::Clade), &weak), GateVerdict::Reject(_)));
    let locked = admit(id("q"), draft(Kind::Insight, Provenance::Clade), &attack, moment(7, 0.0));
    assert!(matches!(locked, Admission::Quarantined(locked) if locked.since == moment(7, 0.0)));
}

/// G-109: warnings, regime shifts and death reflections skip the composite; nothing skips the novelty check.
#[test]
fn g_109_bypasses_keep_the_novelty_check() {
    let poor = GateReading { utility: Ppm::ZERO, factual: Ppm::ZERO, recency: Ppm::ZERO, ..GOOD };
    let insight = draft(Kind::Insight, Provenance::Own);
    assert!(matches!(judge(&insight, &poor), GateVerdict::Reject(_)));
    assert!(matches!(judge(&draft(Kind::Warning, Provenance::Own), &poor), GateVerdict::Admit { .. }));
    for occasion in [GateExcuse::RegimeShift, GateExcuse::DeathReflection] {
        assert!(matches!(judge(&insight, &GateReading { occasion, ..poor }), GateVerdict::Admit { .. }), "{occasion}");
    }
    let known = GateReading { nearest: Some(Neighbour { id: id("near"), cosine: Ppm::ONE }), ..poor };
    assert_eq!(judge(&draft(Kind::Warning, Provenance::Own), &known), GateVerdict::Skip(id("near")));
}

/// G-023, G-031: what is no statement is refused by name.
#[test]
fn g_023_drafts_that_say_nothing_are_refused() {
    let mut empty = draft(Kind::Insight, Provenance::Own);
    empty.content = " \n".into();
    assert_eq!(judge(&empty, &GOOD), GateVerdict::Reject(Rejection::Malformed(DraftError::Empty)));
    let mut long = draft(Kind::Insight, Provenance::Own);
    long.content = "x".repeat(2_001);
    assert!(matches!(judge(&long, &GOOD), GateVerdict::Reject(Rejection::Malformed(DraftError::TooLong { .. }))));
    let mut backwards = draft(Kind::Insight, Provenance::Own);
    backwards.valid_until = Some(UtcTime::from_seconds(START - 1));
    let refused = judge(&backwards, &GOOD);
    assert!(
        matches!(refused, GateVerdict::Reject(Rejection::Malformed(DraftError::EndsBeforeItBegins { .. }))),
        "G-031"
    );
    let mut bare = draft(Kind::Heuristic, Provenance::Own);
    bare.body = EntryBody::Heuristic {
        when: "a".into(),
        act: "b".into(),
        because: "c".into(),
        derived_from: std::collections::BTreeSet::new(),
    };
    assert!(matches!(judge(&bare, &GOOD), GateVerdict::Reject(Rejection::Malformed(DraftError::Incomplete { .. }))));
}

/// G-056, G-191, G-193, G-194: clocks start on arrival; another's feelings stay with the other.
#[test]
fn g_056_arrival_restarts_the_clocks_and_drops_foreign_feelings() {
    let felt = EmotionalTag {
        primary: Emotion::Fear,
        pad: Pad::round(-0.5, 0.9, 0.0),
        mood: Pad::NEUTRAL,
        intensity: Ppm::ONE,
        phase: Phase::Stable,
        reactivations: 0,
        since: UtcTime::from_seconds(START),
    };
    let now = moment(400, 12.0);
    let mut own = draft(Kind::Insight, Provenance::Own);
    own.emotion = Some(felt);
    let own = candidate("own", own, now);
    assert_eq!((own.knowledge().draft.emotion, own.knowledge().has_arousal_bias), (Some(felt), true));
    let mut heirloom = draft(Kind::Insight, Provenance::Inheritance);
    heirloom.emotion = Some(felt);
    heirloom.source = heirloom.source.stained(Some(felt));
    let heirloom = candidate("heirloom", heirloom, now);
    assert_eq!(heirloom.knowledge().draft.emotion, None, "G-194");
    assert_eq!(heirloom.knowledge().draft.source.terminal_emotion(), Some(felt), "G-042");
    assert_eq!(heirloom.knowledge().last_validated, now, "G-056");
    assert_eq!(heirloom.knowledge().confidence, Confidence::of(765_000), "G-051");
}

/// G-112, G-113: dreams are judged by their own weights.
#[test]
fn g_113_dreams_are_judged_by_their_own_weights() {
    let awake = rule_quality(&draft(Kind::Insight, Provenance::Own), Ppm::ONE);
    let dreamt = rule_quality(&draft(Kind::Insight, Provenance::Dream), Ppm::ONE);
    let guard = rule_quality(&draft(Kind::Warning, Provenance::Dream), Ppm::ONE);
    assert!(awake != dreamt && dreamt != guard);
}

/// G-103: what the gate reads without a model.
#[test]
fn g_103_rule_readings_start_at_the_prior() {
    assert_eq!(rule_utility(Kind::Insight, KeyRecord::default()), Ppm::of(500_000));
    assert_eq!(rule_utility(Kind::Insight, KeyRecord { accessed: 5, useful: 5 }), Ppm::of(750_000));
    assert_eq!(rule_utility(Kind::Insight, KeyRecord { accessed: 5, useful: 0 }), Ppm::of(250_000));
    let now = UtcTime::from_seconds(START);
    assert_eq!(rule_recency(now, now), Ppm::ONE);
    assert_eq!(rule_recency(now, now.plus(std::time::Duration::from_secs(7 * 86_400))), Ppm::of(500_000));
    assert_eq!(rule_recency(now, UtcTime::EPOCH), Ppm::ONE, "evidence from the future is fresh");
}

proptest! {
    /// G-103, G-107: a better factor never turns an admission into a refusal.
    #[test]
    fn g_107_admission_is_monotone(a in prop::array::uniform5(0u32..=1_000_000), more in 0u32..=1_000_000, at in 0usize..5) {
        let mut better = a;
        better[at] = better[at].max(more);
        let own = Confidence::of(700_000);
        prop_assert!(admission(factors(better).composite(), own) >= admission(factors(a).composite(), own));
    }
}
