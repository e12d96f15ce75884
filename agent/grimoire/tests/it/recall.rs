//! Retrieval against its vectors and laws.

use std::collections::BTreeMap;

use golem_grimoire::emotion::Pad;
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::Kind;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::recall::fusion::{RerankFactors, diversify, fuse};
use golem_grimoire::recall::{Found, Query, RecallFactors, RecallLaw, recall};
use golem_grimoire::regime::{Regime, RegimeBelief};
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::ArchiveReason;
use golem_primitives::{Ppm, Tick};
use proptest::prelude::*;

use crate::make::{add_active, draft, felt, id, moment};

const W18: RecallFactors = RecallFactors {
    semantic: 0.8,
    ticks_since_access: 500,
    importance: 0.6,
    emotional: 0.5,
    regime: 1.0,
    is_bloodstain: false,
    discount: 1.0,
};

fn score(factors: &RecallFactors) -> u64 {
    RecallLaw::default().explain(factors).score().parts()
}

/// G-087, G-088, G-089, G-090, G-091, M-259: a stain weighs 1.2 times: W18, W19, W20, W21, W22. A-101: the starting weights of the law of affect are W22's, a
/// law that can be chosen; three times as many are fetched (G-093).
#[test]
fn g_087_scores_meet_w18_to_w22() {
    let unknown = RegimeBelief::unknown();
    assert!(Regime::ALL.iter().all(|regime| unknown.probability(*regime) == Ppm::of(166_666)), "nobody knows");
    let bull = RegimeBelief::new(BTreeMap::from([(Regime::Bull, Ppm::of(500_000))])).expect("at most one");
    for (id, factors, parts) in [
        ("W18", W18, 700_760),
        ("W19", RecallFactors { is_bloodstain: true, ..W18 }, 840_912),
        ("W19 P=0", RecallFactors { regime: bull.factor(Some(Regime::Bear)), ..W18 }, 210_228),
        ("W19 P=.5", RecallFactors { regime: bull.factor(Some(Regime::Bull)), ..W18 }, 455_494),
        ("W20", RecallFactors { semantic: 0.70, is_bloodstain: true, ..W18 }, 792_912),
    ] {
        assert_eq!(score(&factors), parts, "{id}");
    }
    let ends = |value, ticks| RecallFactors {
        semantic: value,
        ticks_since_access: ticks,
        importance: value,
        emotional: value,
        ..W18
    };
    assert_eq!((score(&ends(1.0, 0)), score(&ends(0.0, u64::MAX))), (1_000_000, 0), "W21");
    assert_ne!(score(&W18), 685_760, "W22 is another law");
    let other = RecallLaw { semantic: 0.35, emotional: 0.20, ..RecallLaw::default() };
    assert_eq!(other.explain(&W18).score().parts(), 685_760, "W22");
}

/// G-087: the answer says why, and its parts make its score.
#[test]
fn g_087_a_score_explains_itself() {
    let explained = RecallLaw::default().explain(&W18);
    assert_eq!(
        explained.to_string(),
        "0.700760 = (0.320000 semantic + 0.155760 temporal + 0.150000 importance + 0.075000 emotional) \
         x 1.00 regime x 1.00 bloodstain x 1.00 source"
    );
    assert_eq!(score(&RecallFactors { semantic: f64::NAN, ..W18 }), 0, "what is no number scores nothing");
}

fn query(limit: usize, tick: u64, mood: Option<Pad>) -> Query {
    Query { limit, mood, belief: RegimeBelief::certain(Regime::Bull), tick: Tick::new(tick) }
}

/// G-009, G-093, G-098, G-187: active entries only, best first, at most what was asked.
#[test]
fn g_098_only_active_entries_answer() {
    let now = moment(10, 0.0);
    let mut grimoire = Grimoire::default();
    for name in ["a", "b", "c", "d"] {
        add_active(&mut grimoire, name, draft(Kind::Insight, Provenance::Own), now);
    }
    grimoire.apply(Change::Demote { id: id("b") }, now).expect("active");
    grimoire.apply(Change::Archive { id: id("c"), reason: ArchiveReason::Decayed }, now).expect("alive");
    let found: Vec<Found> = [("a", 0.2), ("b", 0.9), ("c", 0.9), ("d", 0.3), ("nobody", 1.0)]
        .map(|(name, cosine)| Found { id: id(name), cosine })
        .to_vec();
    let law = RecallLaw::default();
    let answers: Vec<EntryId> = recall(&grimoire, &law, &query(9, 11, None), &found).iter().map(|r| r.id).collect();
    assert_eq!(answers, [id("d"), id("a")]);
    let untouched = grimoire.active().all(|active| active.knowledge().access_count == 0);
    assert!(untouched, "G-187: a dream may ask and leaves no trace; access is marked apart");
    assert_eq!(recall(&grimoire, &law, &query(1, 11, None), &found).len(), 1, "G-009");
    assert!(recall(&grimoire, &law, &query(0, 100, None), &found).is_empty());
    assert_eq!(query(5, 1, None).fetch(), 15, "G-093");
}

/// G-091, G-099: another regime waits; a stranger's word weighs less; structural knowledge always holds.
#[test]
fn g_091_other_regimes_are_deprioritised() {
    let now = moment(10, 0.0);
    let mut grimoire = Grimoire::default();
    let mut bear = draft(Kind::Insight, Provenance::Own);
    bear.regime = Some(Regime::Bear);
    let mut bear_link = draft(Kind::CausalLink, Provenance::Own);
    bear_link.regime = Some(Regime::Bear);
    add_active(&mut grimoire, "bear", bear, now);
    add_active(&mut grimoire, "link", bear_link, now);
    add_active(&mut grimoire, "clade", draft(Kind::Insight, Provenance::Clade), now);
    let found = ["bear", "link", "clade"].map(|name| Found { id: id(name), cosine: 0.5 });
    let answers = recall(&grimoire, &RecallLaw::default(), &query(9, 11, None), &found);
    let factor = |name: &str| {
        let answer = answers.iter().find(|a| a.id == id(name)).expect("deprioritised, not deleted");
        (answer.explanation.regime, answer.explanation.discount)
    };
    assert_eq!((factor("bear"), factor("link"), factor("clade")), ((0.3, 1.0), (1.0, 1.0), (1.0, 0.8)));
}

/// G-095: every hundred ticks the other side is heard, once.
#[test]
fn g_095_the_contrarian_is_heard_every_hundred_ticks() {
    let now = moment(10, 0.0);
    let mut grimoire = Grimoire::default();
    for (name, pleasure) in [("a", 0.9), ("b", 0.8), ("c", -0.9)] {
        let mut entry = draft(Kind::Insight, Provenance::Own);
        entry.emotion = Some(felt(pleasure));
        add_active(&mut grimoire, name, entry, now);
    }
    let found = [("a", 0.9), ("b", 0.8), ("c", 0.1)].map(|(name, cosine)| Found { id: id(name), cosine });
    let mood = Some(Pad::round(0.7, 0.1, 0.1));
    let ask = |tick| recall(&grimoire, &RecallLaw::default(), &query(2, tick, mood), &found);
    assert!(ask(199).iter().all(|answer| !answer.is_contrarian && answer.id != id("c")));
    let heard = ask(200);
    assert_eq!((heard.len(), heard[1].id, heard[1].is_contrarian), (2, id("c"), true));
    assert!(recall(&grimoire, &RecallLaw::default(), &query(0, 200, mood), &found).is_empty(), "G-009: not even then");
}

/// G-094: W23.
#[test]
fn g_094_fused_ranks_meet_w23() {
    let ids: Vec<EntryId> = (0..25).map(|n| id(&n.to_string())).collect();
    let mut vectors = ids.clone();
    vectors.swap(1, 4);
    let fused = fuse(&[&ids, &vectors]);
    let at = |name: usize| Ppm::round(fused[&ids[name]]);
    assert_eq!(at(0), Ppm::of(32_787), "W23 1+1");
    assert_eq!(Ppm::round(1.0 / 61.0 + 1.0 / 65.0), Ppm::of(31_778), "W23 1+5");
    let one_and_five = fuse(&[&ids, &[ids[9], ids[8], ids[7], ids[6], ids[0]]]);
    assert_eq!(Ppm::round(one_and_five[&ids[0]]), Ppm::of(31_778), "W23 1+5");
    assert_eq!(Ppm::round(fuse(&[&ids])[&ids[19]]), Ppm::of(12_500), "W23 20 in one list");
    assert_eq!(fuse(&[&ids]).len(), 20, "only the first twenty of a list");
    assert!(fuse(&[]).is_empty());
}

/// G-094: reranking and unlikeness.
#[test]
fn g_094_answers_are_reranked_and_diversified() {
    let factors = RerankFactors {
        fused: 0.5,
        confidence: Ppm::of(800_000),
        quality: Ppm::of(600_000),
        recency: 0.4,
        regime_match: 1.0,
    };
    assert_eq!(factors.score(), Ppm::of(630_000));
    assert_eq!(Ppm::round(RerankFactors::best_fused(2)), Ppm::of(32_787));
    let scored = [(id("a"), Ppm::of(900_000)), (id("twin"), Ppm::of(890_000)), (id("b"), Ppm::of(700_000))];
    let likeness = |x: EntryId, y: EntryId| {
        if [x, y].contains(&id("b")) { Ppm::ZERO } else { Ppm::ONE }
    };
    assert_eq!(diversify(&scored, likeness), [id("a"), id("b"), id("twin")]);
}

proptest! {
    /// G-093: the order is total and does not depend on the order in which a search found things.
    #[test]
    fn g_093_the_order_is_total(cosines in prop::collection::vec(0u32..5, 6), rotate in 0usize..6, limit in 0usize..8) {
        let now = moment(10, 0.0);
        let mut grimoire = Grimoire::default();
        let mut found: Vec<Found> = Vec::new();
        for (n, cosine) in cosines.iter().enumerate() {
            add_active(&mut grimoire, &n.to_string(), draft(Kind::Insight, Provenance::Own), now);
            found.push(Found { id: id(&n.to_string()), cosine: f64::from(*cosine) / 4.0 });
        }
        let law = RecallLaw::default();
        let one = recall(&grimoire, &law, &query(limit, 11, None), &found);
        found.rotate_left(rotate);
        found.extend(found.clone());
        let two = recall(&grimoire, &law, &query(limit, 11, None), &found);
        prop_assert_eq!(&one, &two);
        prop_assert!(one.len() <= limit);
        prop_assert!(one.windows(2).all(|w| w[0].score > w[1].score || (w[0].score == w[1].score && w[0].id < w[1].id)));
    }
}
