//! I-070 to I-087, I-100: what comes from others through the one way there is, the customs of the Grimoire.

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::entry::EntryQuestion;
use golem_grimoire::gate::Admission;
use golem_grimoire::ingest::{Arrival, Customs, Ingested, TurnedAway, reading};
use golem_grimoire::kind::{EntryBody, Kind};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::retention::DecayClass;
use golem_grimoire::shelf::Grimoire;
use golem_inheritance::library::inflow::is_kept;
use golem_inheritance::negentropy::Negentropy;
use golem_primitives::Ppm;
use proptest::prelude::*;

use crate::make::{add, add_active, draft, foreign, golem, id, moment};

fn arrival(way: Provenance, confidence: u32) -> Arrival {
    Arrival {
        draft: foreign(Kind::Insight, "Gas above 40 gwei falls within 2 blocks.", way, confidence),
        way,
        sender: golem("elm"),
        is_left: false,
        claimed_cosine: None,
        on_chain: None,
    }
}

fn ingest(customs: &mut Customs, arrival: Arrival, grimoire: &Grimoire) -> Ingested {
    let read = reading(grimoire, &arrival.draft, None, moment(1));
    customs.ingest(id(1), arrival, &read, moment(1)).0
}

fn turned_away(arrival: Arrival, grimoire: &Grimoire) -> Option<TurnedAway> {
    match ingest(&mut Customs::default(), arrival, grimoire) {
        Ingested::TurnedAway(why) => Some(why),
        Ingested::Judged(_) => None,
    }
}

/// I-070, I-085, C-18: the layers in order; whatever else is wrong, the first one that fails is told.
#[test]
fn i_070_layers_in_order() {
    let none = Grimoire::default();
    let mut sent = arrival(Provenance::Clade, 1_000_000);
    sent.draft.content = String::new();
    (sent.claimed_cosine, sent.on_chain) = (Some(Ppm::of(850_000)), Some(false));
    assert_eq!(turned_away(sent.clone(), &none), Some(TurnedAway::Embedding), "layer 1");
    sent.claimed_cosine = None;
    assert_eq!(turned_away(sent.clone(), &none), Some(TurnedAway::Consensus), "layer 2: badly made and immodest");
    sent.draft = arrival(Provenance::Clade, 900_000).draft;
    assert_eq!(turned_away(sent.clone(), &none), Some(TurnedAway::OnChain), "layer 3");
    sent.on_chain = None;
    assert_eq!(turned_away(sent, &none), None, "layer 4 is candidacy");
}

/// I-074, I-075: the same condition with another action against what is well known is one voice against it, and locks it away where
/// little speaks for it; a second voice turns it away.
#[test]
fn i_075_two_of_three_voices_let_an_arrival_stand_at_the_gate() {
    let mut known = draft(Kind::Heuristic, "Buy when gas is low.");
    let (when, act) = match &known.body {
        EntryBody::Heuristic { when, act, .. } => (when.clone(), act.clone()),
        other => panic!("{other:?}"),
    };
    known.original_confidence = Confidence::of(900_000);
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, 7, known, Votes { up: 20, down: 0 });
    let says = |act: String, parts: u32| {
        let mut sent = arrival(Provenance::Clade, parts);
        sent.draft = foreign(Kind::Heuristic, "Sell when gas is low.", Provenance::Clade, parts);
        let EntryBody::Heuristic { when: theirs, act: does, .. } = &mut sent.draft.body else {
            panic!("{:?}", sent.draft)
        };
        (*theirs, *does) = (format!("  {}", when.to_uppercase()), act);
        sent
    };
    let otherwise = || format!("not: {act}");
    assert_eq!(turned_away(says(otherwise(), 1_000_000), &grimoire), Some(TurnedAway::Consensus), "and immodest");
    let quarantined = ingest(&mut Customs::default(), says(otherwise(), 100_000), &grimoire);
    assert!(matches!(quarantined, Ingested::Judged(Admission::Quarantined(_))), "I-074: {quarantined:?}");
    assert_eq!(turned_away(says(act.clone(), 1_000_000), &grimoire), None, "it agrees");
}

/// I-240, G-182: W-49, entries; C-36: fragments stay.
#[test]
fn i_240_w_49_what_a_death_deposits() {
    let deposited = |kind, parts: u32, evidence: Option<u32>| {
        let mut grimoire = Grimoire::default();
        let mut made = draft(kind, "Gas above 40 gwei falls within 2 blocks.");
        if let (EntryBody::CausalLink(link), Some(evidence)) = (&mut made.body, evidence) {
            link.evidence = evidence;
        }
        add(&mut grimoire, 1, made, Votes::default());
        let mut entry = grimoire.living().next().expect("one").clone();
        entry.confidence = Confidence::of(parts);
        is_kept(&entry.draft.body, entry.confidence)
    };
    assert!(deposited(Kind::Insight, 600_000, None) && !deposited(Kind::Insight, 590_000, None), "W-49");
    assert!(deposited(Kind::Heuristic, 600_000, None) && deposited(Kind::Warning, 50_000, None), "W-49");
    assert!(deposited(Kind::CausalLink, 500_000, Some(3)), "W-49");
    assert!(!deposited(Kind::CausalLink, 500_000, Some(2)) && !deposited(Kind::CausalLink, 490_000, Some(9)), "W-49");
    assert!(!deposited(Kind::StrategyFragment, 990_000, None), "C-36");
}

/// I-170, I-221: exactly five types; the signs of a Grimoire are counted.
#[test]
fn i_221_negentropy_is_counted() {
    assert_eq!(Kind::ALL.len(), 5, "I-170");
    let mut grimoire = Grimoire::default();
    add(&mut grimoire, 1, draft(Kind::CausalLink, "Gas comes 2 ticks before spread."), Votes { up: 0, down: 1 });
    add(&mut grimoire, 2, draft(Kind::Insight, "Gas falls after 3 blocks."), Votes::UP);
    let signs = Negentropy::of(&grimoire, 6);
    assert_eq!((signs.distilled, signs.edges_per_entry), (Ppm::of(250_000), Ppm::of(500_000)));
    assert_eq!((signs.domains, signs.contradicted), (1, Ppm::of(500_000)));
}

proptest! {
    /// I-362, I-077, I-078, I-086, I-036: no arrival, by whatever way and however sure, is ever more than a candidate worth no more
    /// than it was.
    #[test]
    fn i_362_no_way_leads_past_candidacy(way in 1..Provenance::ALL.len(), parts in 0u32..=1_000_000, votes in 0u32..5) {
        let way = Provenance::ALL[way];
        let came = ingest(&mut Customs::default(), arrival(way, parts), &Grimoire::default());
        if let Ingested::Judged(Admission::Admitted(candidate)) = came {
            prop_assert!(candidate.knowledge().confidence <= Confidence::of(parts));
            if way == Provenance::Clade {
                let worth = (u64::from(parts) * 8 / 10).min(400_000);
                prop_assert!(u64::from(candidate.knowledge().confidence.get().get()).abs_diff(worth) <= 1, "min(0.4, 0.8c)");
            }
            prop_assert!(candidate.clone().promote(Ppm::ONE, moment(9)).is_err());
            let mut grimoire = Grimoire::default();
            grimoire.apply(golem_grimoire::shelf::Change::Add(candidate), moment(1)).expect("new");
            let down = Votes { up: 0, down: votes };
            grimoire.apply(golem_grimoire::shelf::Change::Vote { id: id(1), votes: down }, moment(2)).expect("alive");
            prop_assert_eq!(grimoire.active_count(), 0);
        }
    }
}

/// I-030: W-08, what a sibling's knowledge is worth on arrival; and what the others bring.
#[test]
fn i_030_w_08_provenance_decides_what_an_arrival_is_worth() {
    for (way, own, parts) in [
        (Provenance::Clade, 900_000, 400_000),
        (Provenance::Clade, 500_000, 400_000),
        (Provenance::Clade, 450_000, 360_000),
        (Provenance::PredecessorArchive, 900_000, 300_000),
        (Provenance::Marketplace, 900_000, 300_000),
        (Provenance::Testament, 380_000, 380_000),
    ] {
        let came = ingest(&mut Customs::default(), arrival(way, own), &Grimoire::default());
        let Ingested::Judged(Admission::Admitted(candidate)) = came else { panic!("{way} {own}: {came:?}") };
        assert_eq!(candidate.knowledge().confidence, Confidence::of(parts), "{way} {own}");
    }
}

/// I-246, I-343, G-170: a living sibling says neither that it is dead, nor how long its word is kept, nor what its reader shall ask;
/// of one that died the mark stays and no more; what came down from a predecessor says all three.
#[test]
fn i_246_only_the_dead_bear_their_mark() {
    let told = |way, is_left| {
        let mut sent = Arrival { is_left, ..arrival(way, 900_000) };
        sent.draft.source = sent.draft.source.stained(None);
        sent.draft.decay_class = Some(DecayClass::Structural);
        sent.draft.question = Some(EntryQuestion::Open { requires_investigation: true });
        let draft = sent.digested();
        (draft.source.is_bloodstain(), draft.decay_class.is_some(), draft.question.is_some())
    };
    assert_eq!(told(Provenance::Clade, false), (false, false, false));
    assert_eq!(told(Provenance::Clade, true), (true, false, false), "I-343");
    assert_eq!(told(Provenance::Inheritance, false), (true, true, true));
}
