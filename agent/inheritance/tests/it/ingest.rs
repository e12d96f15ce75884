//! I-070 to I-087, I-100, I-190: arrivals through every layer.

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::entry::{EmbeddingMark, Question};
use golem_grimoire::gate::Admission;
use golem_grimoire::kind::{Body, Kind};
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::retention::DecayClass;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::NotYet;
use golem_inheritance::ingest::claims::ChainAnswer;
use golem_inheritance::ingest::consensus::{Ballot, Strictness, contradicted};
use golem_inheritance::ingest::embedding::Shape;
use golem_inheritance::ingest::immune::ImmuneMemory;
use golem_inheritance::ingest::pipeline::{
    Arrival, Examined, IngestEvent, Layer, Recipient, Signature, adopt, examine,
};
use golem_inheritance::ingest::shadow::SandboxUse;
use golem_inheritance::library::inflow::is_kept;
use golem_inheritance::negentropy::Negentropy;
use golem_inheritance::novelty::Vector;
use golem_primitives::{B256, Ppm, UtcTime};
use proptest::prelude::*;

use crate::make::{GOOD, add, add_active, body, draft, foreign, golem, id, moment};

const ALL: Ballot = Ballot { agrees: true, is_sound: true, is_modest: true };

const OPEN: Recipient<'static> = Recipient { shape: None, ballot: ALL, strictness: Strictness::Two };

fn vector(values: &[f32]) -> Vector {
    let mark =
        EmbeddingMark { model: "nomic".into(), version: "1".into(), preprocessing: B256::ZERO, at: UtcTime::EPOCH };
    Vector { mark, values: values.to_vec() }
}

fn arrival(way: Provenance, confidence: u32) -> Arrival {
    Arrival {
        draft: foreign(Kind::Insight, "Gas above 40 gwei falls within 2 blocks.", way, confidence),
        way,
        sender: golem("elm"),
        signature: Signature::Valid,
        claimed: None,
        computed: None,
        claims: Vec::new(),
        sandbox: None,
    }
}

fn layer(arrival: &Arrival, recipient: &Recipient<'_>) -> Option<Layer> {
    match examine(arrival, recipient, &mut ImmuneMemory::default()).0 {
        Examined::Refused { layer, .. } => Some(layer),
        Examined::Held(_) | Examined::Passed(_) => None,
    }
}

fn far_shape() -> Shape {
    let known: Vec<&[f32]> = vec![&[1.0, 0.0]; 60];
    Shape::of(&known).expect("enough")
}

/// I-070, I-081, I-087: the layers in order, and an event of each.
#[test]
fn i_070_layers_in_order() {
    let plain = arrival(Provenance::Clade, 900_000);
    let (examined, events) = examine(&plain, &OPEN, &mut ImmuneMemory::default());
    assert!(matches!(examined, Examined::Passed(_)));
    let passed = [Layer::Embedding, Layer::Consensus, Layer::OnChain].map(|layer| IngestEvent::Passed { layer });
    assert_eq!(events[0], IngestEvent::Quarantined { sender: golem("elm") }, "I-087");
    assert_eq!(events[1..], passed, "I-070, I-087");

    // An arrival that is wrong everywhere is refused where it stands first.
    let shape = far_shape();
    let none = Ballot { agrees: false, is_sound: false, is_modest: false };
    let hostile = Recipient { shape: Some(&shape), ballot: none, strictness: Strictness::Three };
    let mut wrong = Arrival {
        signature: Signature::Missing,
        computed: Some(vector(&[-1.0, 0.0])),
        claims: vec![ChainAnswer::False],
        ..plain
    };
    assert_eq!(layer(&wrong, &hostile), Some(Layer::Signature), "I-081");
    wrong.signature = Signature::Invalid;
    assert_eq!(layer(&wrong, &hostile), Some(Layer::Signature), "I-081");
    wrong.signature = Signature::Valid;
    assert_eq!(layer(&wrong, &hostile), Some(Layer::Embedding), "I-071");
    wrong.computed = Some(vector(&[1.0, 0.0]));
    assert_eq!(layer(&wrong, &hostile), Some(Layer::Consensus), "I-074");
    assert_eq!(layer(&wrong, &Recipient { ballot: ALL, ..hostile }), Some(Layer::OnChain), "I-076");
    wrong.claimed = Some(vector(&[0.0, 1.0]));
    assert_eq!(layer(&wrong, &hostile), Some(Layer::Embedding), "I-073: not the vector of its text");
    let own = arrival(Provenance::Own, 900_000);
    assert_eq!(layer(&own, &OPEN), Some(Layer::Signature), "what arrives is not one's own");
}

/// I-084, I-085, I-190, C-18: a replicant skips the first layer and no other; nobody else skips any.
#[test]
fn i_084_only_a_replicant_skips_only_the_first() {
    let shape = far_shape();
    let recipient = Recipient { shape: Some(&shape), ..OPEN };
    let far = |way| Arrival { computed: Some(vector(&[-1.0, 0.0])), ..arrival(way, 900_000) };
    assert_eq!(layer(&far(Provenance::Replicant), &recipient), None, "I-084");
    for way in [Provenance::Clade, Provenance::Marketplace, Provenance::Testament, Provenance::PublicPool] {
        assert_eq!(layer(&far(way), &recipient), Some(Layer::Embedding), "I-085 {way}");
    }
    let lying = Arrival { claims: vec![ChainAnswer::False], ..far(Provenance::Replicant) };
    assert_eq!(layer(&lying, &recipient), Some(Layer::OnChain), "I-190");
    let strict = Recipient { ballot: Ballot { agrees: false, ..ALL }, strictness: Strictness::Three, ..OPEN };
    assert_eq!(layer(&far(Provenance::Replicant), &strict), Some(Layer::Consensus), "I-190");
}

/// I-076, I-083: an unread chain or a missing run holds; a run beyond its sandbox is refused.
#[test]
fn i_083_what_cannot_be_judged_yet_waits() {
    let mut memory = ImmuneMemory::default();
    let unread = Arrival { claims: vec![ChainAnswer::True, ChainAnswer::Unknown], ..arrival(Provenance::Clade, 1) };
    assert_eq!(examine(&unread, &OPEN, &mut memory).0, Examined::Held(Layer::OnChain), "I-076");
    let mut strategy = arrival(Provenance::Clade, 900_000);
    strategy.draft.body = body(Kind::Heuristic);
    assert_eq!(examine(&strategy, &OPEN, &mut memory).0, Examined::Held(Layer::Quarantine), "I-083");
    strategy.sandbox = Some(SandboxUse { ended: true, ..SandboxUse::default() });
    assert!(matches!(examine(&strategy, &OPEN, &mut memory).0, Examined::Passed(_)));
    strategy.sandbox = Some(SandboxUse { ended: true, network_attempts: 1, ..SandboxUse::default() });
    assert_eq!(layer(&strategy, &OPEN), Some(Layer::Quarantine));
}

/// I-082: refused three times, then unread; and the memory is handed down.
#[test]
fn i_082_what_was_refused_thrice_is_not_read_again() {
    let mut memory = ImmuneMemory::default();
    let lie = Arrival { claims: vec![ChainAnswer::False], ..arrival(Provenance::Clade, 900_000) };
    for _ in 0..3 {
        let (examined, _) = examine(&lie, &OPEN, &mut memory);
        assert!(matches!(examined, Examined::Refused { layer: Layer::OnChain, .. }));
    }
    let mut heirs = ImmuneMemory::inherited(memory.table());
    let mut spaced = arrival(Provenance::Clade, 900_000);
    spaced.draft.content = "  GAS above 40 gwei   falls within 2 blocks. ".into();
    let (examined, events) = examine(&spaced, &OPEN, &mut heirs);
    assert!(matches!(examined, Examined::Refused { layer: Layer::Immune, .. }), "I-082");
    assert!(events.contains(&IngestEvent::ImmuneMatch { sender: golem("elm") }), "I-087");
}

/// I-077, I-078, I-086, I-100, I-030: in as a candidate at its way's worth, tagged with its sender, never by time alone.
#[test]
fn i_077_arrivals_are_candidates_whatever_they_were() {
    for (way, parts, worth) in [
        (Provenance::Clade, 990_000, 400_000),
        (Provenance::Clade, 450_000, 360_000),
        (Provenance::Replicant, 900_000, 300_000),
        (Provenance::Marketplace, 900_000, 300_000),
        (Provenance::Marketplace, 200_000, 200_000),
    ] {
        let Examined::Passed(draft) = examine(&arrival(way, parts), &OPEN, &mut ImmuneMemory::default()).0 else {
            panic!("passes")
        };
        assert!(draft.parents.is_empty(), "I-061: no raw episode comes along");
        let (admission, event) = adopt(id(1), *draft, &GOOD, moment(1));
        let Admission::Admitted(candidate) = admission else { panic!("in") };
        assert_eq!(candidate.knowledge().confidence, Confidence::of(worth), "I-036, I-030 {way} {parts}");
        assert_eq!(candidate.knowledge().draft.source.provenance, way, "I-100");
        assert_eq!(candidate.knowledge().draft.source.origin, golem("elm"), "I-100, I-230");
        assert_eq!(event, Some(IngestEvent::Adopted { id: id(1) }), "I-087");
        assert_eq!(candidate.promote(Ppm::ONE, moment(1_000_000)).expect_err("unproven"), NotYet::Unconfirmed, "I-078");
    }
}

/// I-233, I-230: passed on it keeps its origin; what a sender claims to have learned itself is the sender's.
#[test]
fn i_233_origins_survive_every_hop() {
    let origin = |stated: Source| {
        let mut passed = arrival(Provenance::Clade, 900_000);
        passed.draft.source = stated;
        match examine(&passed, &OPEN, &mut ImmuneMemory::default()).0 {
            Examined::Passed(draft) => draft.source.origin,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(origin(Source::foreign(Provenance::Clade, golem("oak"), 0)), golem("oak"));
    assert_eq!(origin(Source::foreign(Provenance::Inheritance, golem("oak"), 2)), golem("oak"));
    assert_eq!(origin(Source::own(golem("oak"))), golem("elm"), "nobody speaks for another");
}

/// I-074: the same condition with another action, against what is well known.
#[test]
fn i_074_contradictions_are_found_by_rule() {
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, 1, draft(Kind::Heuristic, "Wait."), Votes::UP);
    let mut other = foreign(Kind::Heuristic, "Swap at once.", Provenance::Clade, 900_000);
    if let Body::Heuristic { when, act, .. } = &mut other.body {
        *when = "GAS is above  40 gwei".into();
        *act = "swap at once".into();
    }
    assert_eq!(contradicted(&other, &grimoire), Some(id(1)), "I-074");
    let ballot = Ballot::by_rule(&other, &grimoire);
    assert!(!ballot.agrees && ballot.is_enough(Strictness::Two) && !ballot.is_enough(Strictness::Three));
    let boast = foreign(Kind::Insight, "Gas falls.", Provenance::Clade, 1_000_000);
    assert!(!Ballot::by_rule(&boast, &grimoire).is_modest);
    assert_eq!(contradicted(&foreign(Kind::Insight, "Gas falls.", Provenance::Clade, 1), &grimoire), None);
}

/// I-240, G-182: W-49, entries; C-36: fragments stay.
#[test]
fn i_240_w_49_what_a_death_deposits() {
    let deposited = |kind, parts: u32, evidence: Option<u32>| {
        let mut grimoire = Grimoire::default();
        let mut made = draft(kind, "Gas above 40 gwei falls within 2 blocks.");
        if let (Body::CausalLink(link), Some(evidence)) = (&mut made.body, evidence) {
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
    /// I-362: no arrival, by whatever way and however sure, is ever more than a candidate worth what it was.
    #[test]
    fn i_362_no_way_leads_past_candidacy(way in 1usize..13, parts in 0u32..=1_000_000, votes in 0u32..5) {
        let way = Provenance::ALL[way];
        if let Examined::Passed(draft) = examine(&arrival(way, parts), &OPEN, &mut ImmuneMemory::default()).0 {
            let (admission, _) = adopt(id(1), *draft, &GOOD, moment(1));
            if let Admission::Admitted(candidate) = admission {
                prop_assert!(candidate.knowledge().confidence <= Confidence::of(parts));
                prop_assert!(candidate.promote(Ppm::ONE, moment(9)).is_err());
                let mut grimoire = Grimoire::default();
                grimoire.apply(golem_grimoire::shelf::Change::Add(candidate), moment(1)).expect("new");
                let down = Votes { up: 0, down: votes };
                grimoire.apply(golem_grimoire::shelf::Change::Vote { id: id(1), votes: down }, moment(2)).expect("alive");
                prop_assert_eq!(grimoire.active_count(), 0);
            }
        }
    }
}

/// I-246, G-170: a sibling says neither that it is dead, nor how long its word is kept, nor what its reader shall ask;
/// what came down from a predecessor says all three.
#[test]
fn i_246_only_the_dead_bear_their_mark() {
    let told = |way| {
        let mut sent = arrival(way, 900_000);
        sent.draft.source = sent.draft.source.stained(None);
        sent.draft.decay_class = Some(DecayClass::Structural);
        sent.draft.question = Some(Question::Open { requires_investigation: true });
        match examine(&sent, &OPEN, &mut ImmuneMemory::default()).0 {
            Examined::Passed(draft) => *draft,
            other => panic!("not passed: {other:?}"),
        }
    };
    let sibling = told(Provenance::Clade);
    assert!(!sibling.source.is_bloodstain() && sibling.decay_class.is_none() && sibling.question.is_none());
    let dead = told(Provenance::Inheritance);
    assert!(dead.source.is_bloodstain() && dead.decay_class.is_some() && dead.question.is_some());
}
