//! What comes from outside and what goes there.

use std::collections::BTreeSet;

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::entry::{Draft, DraftError, DreamMark, EntryQuestion, Method};
use golem_grimoire::event::{GrimoireEvent, IngestStage};
use golem_grimoire::gate::{Admission, GateReading};
use golem_grimoire::id::EpisodeId;
use golem_grimoire::ingest::{Arrival, Customs, Ingested, TurnedAway};
use golem_grimoire::kind::{EntryBody, Kind};
use golem_grimoire::provenance::{MODEL, Provenance, Source};
use golem_grimoire::retention::{DecayClass, RetentionLaw};
use golem_grimoire::share::{Giving, may_push, may_sell, sharing_threshold};
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::{ArchiveReason, Entry, Status};
use golem_mortality::mode::Mode;
use golem_mortality::phase::Phase;
use golem_primitives::{GolemId, Ppm, UtcTime};
use proptest::prelude::*;

use crate::cycle::Cycle;
use crate::make::{GOOD, START, candidate, draft, golem, id, moment};

fn sender() -> GolemId {
    GolemId::new("sibling").expect("a name")
}

fn arrival(way: Provenance) -> Arrival {
    let draft = draft(Kind::Insight, Provenance::Own);
    Arrival { draft, way, sender: sender(), is_left: false, claimed_cosine: None, on_chain: None }
}

fn turned_away(customs: &mut Customs, arrival: Arrival) -> Option<TurnedAway> {
    match customs.ingest(id("x"), arrival, &GOOD, moment(1, 0.0)).0 {
        Ingested::TurnedAway(why) => Some(why),
        Ingested::Judged(_) => None,
    }
}

/// G-053, G-034, G-035: the way decides the provenance, never the sender's word.
#[test]
fn g_053_the_way_decides_what_an_arrival_is() {
    let mut forged = arrival(Provenance::Clade);
    forged.draft.source = Source::own(golem()).stained(None);
    forged.draft.dream = Some(DreamMark { is_validated: true, ..DreamMark::default() });
    let (ingested, event) = Customs::default().ingest(id("x"), forged, &GOOD, moment(1, 0.0));
    let Ingested::Judged(Admission::Admitted(held)) = ingested else { panic!("admitted") };
    let entry = held.knowledge();
    assert_eq!((entry.draft.source.provenance, entry.draft.source.origin), (Provenance::Clade, sender()));
    assert!(!entry.draft.source.is_bloodstain());
    assert_eq!((entry.confidence, &entry.draft.method), (Confidence::of(400_000), &Method::Received));
    assert!(!entry.pace().is_dream_validated);
    let stage = IngestStage::Quarantine;
    assert_eq!(event, GrimoireEvent::IngestResult { provenance: Provenance::Clade, stage, is_accepted: true }, "G-195");
}

/// G-038, G-053, G-064, G-170: how long it is kept is not its sender's to say; a predecessor's questions and stain stay.
#[test]
fn g_053_a_sender_does_not_choose_its_longevity() {
    for way in Provenance::ALL.iter().copied().filter(|way| !way.is_own()) {
        let mut sent = arrival(way);
        sent.draft.source = sent.draft.source.stained(None);
        sent.draft.decay_class = Some(DecayClass::Structural);
        sent.draft.question = Some(EntryQuestion::Open { requires_investigation: true });
        let (ingested, _) = Customs::default().ingest(id("x"), sent, &GOOD, moment(1, 0.0));
        let Ingested::Judged(Admission::Admitted(held)) = ingested else { panic!("admitted") };
        let (pace, is_inherited) = (held.knowledge().pace(), way.is_inherited());
        assert_eq!(pace.class == DecayClass::Structural, is_inherited, "{way}");
        assert_eq!((pace.is_bloodstain, pace.is_open_question), (is_inherited, is_inherited), "{way}");
    }
}

/// G-023: every text of a draft is bounded, and how many there are.
#[test]
fn g_023_every_text_of_a_draft_is_bounded() {
    let long = || "x".repeat(Draft::MOST_PART_BYTES + 1);
    let heuristic = |act: String, insights: u32| EntryBody::Heuristic {
        when: "a".into(),
        act,
        because: "c".into(),
        derived_from: (0..insights).map(|n| id(&n.to_string())).collect(),
    };
    let spoilt: [fn(&mut Draft, String); 4] = [
        |draft, text| draft.tags = BTreeSet::from([text]),
        |draft, text| draft.gaps = vec![text],
        |draft, text| draft.dream = Some(DreamMark { cycle: text, ..DreamMark::default() }),
        |draft, text| draft.body = EntryBody::StrategyFragment { entry: text, exit: "b".into(), sizing: "c".into() },
    ];
    for spoil in spoilt {
        let mut spoilt = draft(Kind::Insight, Provenance::Clade);
        spoil(&mut spoilt, "x".repeat(Draft::MOST_PART_BYTES));
        assert_eq!(spoilt.check(), Ok(()));
        spoil(&mut spoilt, long());
        assert!(matches!(spoilt.check(), Err(DraftError::LongPart { bytes: 1_001, .. })));
    }
    let mut many = draft(Kind::Insight, Provenance::Clade);
    many.body = heuristic(long(), 1);
    assert!(matches!(many.check(), Err(DraftError::LongPart { .. })));
    many.body = heuristic("b".into(), 65);
    assert_eq!(many.check(), Err(DraftError::TooMany { count: 65, most: 64 }));
    many.body = EntryBody::Insight;
    many.gaps = vec!["x".into(); 65];
    assert_eq!(many.check(), Err(DraftError::TooMany { count: 65, most: 64 }));
}

/// G-023, G-053: no text of a draft holds what moves, colours or turns round a line; letters of any script may stand.
#[test]
fn g_023_a_draft_is_plain_text() {
    for code in [0x0, 0x7, 0x9, 0xA, 0xD, 0x1B, 0x7F, 0x85, 0x9B, 0x61C, 0x200E, 0x2028, 0x202E, 0x2066, 0x2069] {
        let character = char::from_u32(code).expect("a character");
        let text = format!("pools{character}drain");
        let refused = Err(DraftError::Invisible { code });
        let mut said = draft(Kind::Insight, Provenance::Clade);
        said.content.clone_from(&text);
        assert_eq!(said.check(), refused, "{code:X}");
        let mut tagged = draft(Kind::Heuristic, Provenance::Clade);
        tagged.tags = BTreeSet::from([text.clone()]);
        assert_eq!(tagged.check(), refused, "{code:X}");
        tagged.tags.clear();
        tagged.gaps = vec![text];
        assert_eq!(tagged.check(), refused, "{code:X}");
    }
    let mut foreign = draft(Kind::Insight, Provenance::Clade);
    foreign.content = "Gas fällt nachts, الغاز ينخفض ليلا, 燃料费下降.".into();
    assert_eq!(foreign.check(), Ok(()));
}

/// G-056, M-263: what is inherited begins to decay when it arrives, however long it had gone unconfirmed before.
#[test]
fn m_263_the_clock_of_what_is_inherited_begins_at_its_arrival() {
    let arrived = moment(1, 300.0);
    let old = candidate("x", draft(Kind::Insight, Provenance::PredecessorArchive), moment(1, 0.0));
    let heirloom = Arrival { draft: old.knowledge().draft.clone(), ..arrival(Provenance::PredecessorArchive) };
    let (ingested, _) = Customs::default().ingest(id("x"), heirloom, &GOOD, arrived);
    let Ingested::Judged(Admission::Admitted(held)) = ingested else { panic!("admitted") };
    let (entry, law) = (held.knowledge(), RetentionLaw::default());
    assert_eq!((entry.last_validated, entry.remaining(&law, arrived.at)), (arrived, entry.confidence.get()));
    let left = old.knowledge().remaining(&law, arrived.at);
    assert!(left < Ppm::of(1_000), "in its first life it had faded: {left}");
}

/// G-075, G-174: what was sent waits in as much room as active entries have; the weakest gives way, one's own does not.
#[test]
fn g_075_what_was_sent_drowns_itself_alone() {
    let now = moment(1, 0.0);
    let mut grimoire = Grimoire::default();
    for (name, way, worth) in [
        ("weak", Provenance::Clade, 300_000),
        ("weaker", Provenance::PublicPool, 900_000),
        ("strong", Provenance::Clade, 900_000),
        ("heirloom", Provenance::PredecessorArchive, 900_000),
    ] {
        let mut sent = draft(Kind::Insight, way);
        sent.original_confidence = Confidence::of(worth);
        grimoire.apply(Change::Add(Box::new(candidate(name, sent, now))), now).expect("new");
    }
    let mut cycle = Cycle::new(grimoire, moment(50, 0.1));
    cycle.law.capacity = 1;
    let pass = cycle.run();
    let stays = |name: &str| pass.grimoire.get(id(name)).map(Entry::status) == Some(Status::Candidate);
    assert_eq!(["weak", "weaker", "strong", "heirloom"].map(stays), [false, false, true, true]);
}

/// G-175, G-178: each layer alone.
#[test]
fn g_175_arrivals_pass_every_layer() {
    let mut customs = Customs::default();
    for (arrival, expected) in [
        (arrival(Provenance::Own), Some(TurnedAway::ClaimsToBeOwn)),
        (Arrival { claimed_cosine: Some(Ppm::of(850_001)), ..arrival(Provenance::Clade) }, None),
    ] {
        assert_eq!(turned_away(&mut customs, arrival.clone()), expected, "{arrival:?}");
    }
    let lies = Arrival { claimed_cosine: Some(Ppm::of(850_000)), ..arrival(Provenance::Marketplace) };
    assert_eq!(turned_away(&mut Customs::default(), lies), Some(TurnedAway::Embedding), "G-178");
    let denied = Arrival { on_chain: Some(false), ..arrival(Provenance::Clade) };
    assert_eq!(turned_away(&mut Customs::default(), denied), Some(TurnedAway::OnChain));
    let attack = GateReading { factual: Ppm::ZERO, contradicts: Some(Confidence::CERTAIN), ..GOOD };
    let (locked, _) = Customs::default().ingest(id("x"), arrival(Provenance::Clade), &attack, moment(1, 0.0));
    assert!(matches!(locked, Ingested::Judged(Admission::Quarantined(_))), "consensus");
}

/// G-053, G-142: nobody outside is what a model supposed here, neither by name nor by what it says of its origin; what a
/// predecessor's models supposed comes down as its other knowledge does.
#[test]
fn g_142_nobody_outside_is_the_model_here() {
    let model = GolemId::new(MODEL).expect("a name");
    let stating = |way, generation| {
        let mut arrival = arrival(way);
        arrival.draft.source = Source::foreign(Provenance::Marketplace, model, generation);
        arrival
    };
    for (arrival, is_refused) in [
        (stating(Provenance::Marketplace, 1), true),
        (stating(Provenance::Clade, 3), true),
        (Arrival { sender: model, ..arrival(Provenance::Clade) }, true),
        (Arrival { sender: model, ..arrival(Provenance::Marketplace) }, false),
        // What it says at first hand is not believed: its sender is its origin.
        (stating(Provenance::Marketplace, 0), false),
        (stating(Provenance::Inheritance, 1), false),
    ] {
        let expected = is_refused.then_some(TurnedAway::ClaimsToBeSupposed);
        assert_eq!(turned_away(&mut Customs::default(), arrival.clone()), expected, "{arrival:?}");
    }
}

/// G-178: refused three times, it is refused unread, however it is spaced.
#[test]
fn g_178_a_refused_pattern_is_fast_rejected() {
    let mut customs = Customs::default();
    let denied = Arrival { on_chain: Some(false), ..arrival(Provenance::Clade) };
    for _ in 0..3 {
        assert_eq!(turned_away(&mut customs, denied.clone()), Some(TurnedAway::OnChain));
    }
    let mut again = arrival(Provenance::Clade);
    again.draft.content = again.draft.content.to_uppercase().replace(' ', "  ");
    assert_eq!(turned_away(&mut customs, again), Some(TurnedAway::SeenBefore));
    let mut other = arrival(Provenance::Clade);
    other.draft.content = "Pools of 3 drain within 9 blocks.".into();
    assert_eq!(turned_away(&mut customs, other), None);
}

fn held(kind: Kind, votes: Votes, is_active: bool, episodes: usize) -> Entry {
    let mut entry = draft(kind, Provenance::Own);
    entry.parents = (0..episodes)
        .map(|n| EpisodeId::derive(UtcTime::from_seconds(START), &golem(), &[n as u8]))
        .collect::<BTreeSet<_>>();
    held_as(entry, votes, is_active)
}

fn held_as(entry: Draft, votes: Votes, is_active: bool) -> Entry {
    let now = moment(1, 0.0);
    let mut grimoire = Grimoire::default();
    grimoire.apply(Change::Add(Box::new(candidate("a", entry, now))), now).expect("new");
    if is_active {
        grimoire.apply(Change::Promote { id: id("a"), fitness: Ppm::ONE }, now).expect("earned");
    }
    grimoire.apply(Change::Vote { id: id("a"), votes }, now).expect("alive");
    grimoire.get(id("a")).expect("there").clone()
}

/// G-133, G-172, I-060 to I-066, I-364: what may be pushed.
#[test]
fn g_172_push_rules_go_by_type() {
    const NONE: Votes = Votes { up: 0, down: 0 };
    for (entry, pushed) in [
        (held(Kind::Insight, NONE, true, 0), true),
        (held(Kind::Insight, NONE, false, 0), false),
        (held(Kind::Insight, Votes::DOWN, true, 0), false),
        (held(Kind::Heuristic, Votes { up: 10, down: 0 }, true, 0), true),
        (held(Kind::Heuristic, Votes { up: 9, down: 0 }, true, 0), false),
        (held(Kind::Warning, Votes { up: 0, down: 4 }, false, 0), true),
        (held(Kind::CausalLink, NONE, false, 1), true),
        (held(Kind::CausalLink, NONE, false, 0), false),
        (held(Kind::StrategyFragment, NONE, false, 0), true),
        (held(Kind::StrategyFragment, Votes::DOWN, false, 0), false),
    ] {
        let may = |phase, mode| may_push(&entry, Giving::of(phase, mode));
        assert_eq!(may(Phase::Thriving, Mode::Hosted), pushed, "{entry:?}");
        assert_eq!(may(Phase::Terminal, Mode::Immortal), pushed, "I-351: {entry:?}");
        let worth = entry.knowledge().expect("alive").confidence;
        let is_warning = entry.knowledge().expect("alive").kind() == Kind::Warning;
        assert_eq!(
            may(Phase::Terminal, Mode::Hosted),
            is_warning || worth >= Confidence::of(100_000),
            "I-065: {entry:?}"
        );
        // From the worst to the best: what a phase gives away every worse one does, and a warning always goes (I-364).
        let by_phase: Vec<bool> = Phase::ALL.iter().map(|phase| may(*phase, Mode::Hosted)).collect();
        assert!(by_phase.is_sorted_by(|worse, better| worse >= better), "I-364: {by_phase:?}");
        assert!(!is_warning || by_phase.iter().all(|goes| *goes), "I-364");
    }
    let dream = |is_validated| {
        let mark = Some(DreamMark { is_validated, ..DreamMark::default() });
        let dreamt = held_as(Draft { dream: mark, ..draft(Kind::Insight, Provenance::Own) }, NONE, true);
        may_push(&dreamt, Giving::of(Phase::Terminal, Mode::Hosted))
    };
    assert!(!dream(false) && dream(true), "I-066: waking confirms a dream before anybody hears of it");
    let archived = held(Kind::Warning, NONE, true, 0).archive(ArchiveReason::Expired, moment(2, 0.0));
    assert!(!may_push(&archived, Giving::of(Phase::Terminal, Mode::Hosted)));
}

/// G-172, G-177, R-034: own, active knowledge is sold from the phase's threshold on, and nothing else is.
#[test]
fn g_177_only_own_active_knowledge_is_sold_and_by_phase() {
    const NONE: Votes = Votes { up: 0, down: 0 };
    let insight = held(Kind::Insight, NONE, true, 0);
    let doubted = held(Kind::Warning, Votes { up: 0, down: 4 }, true, 0);
    let worth = doubted.knowledge().expect("alive").confidence;
    let may_sell = |entry: &Entry, phase: Phase| may_sell(entry, sharing_threshold(phase));
    for phase in Phase::ALL {
        assert!(may_sell(&insight, phase), "{phase}");
        assert_eq!(may_sell(&doubted, phase), worth >= sharing_threshold(phase), "{phase}");
        assert!(!may_sell(&held(Kind::Insight, NONE, false, 0), phase), "a candidate");
        assert!(!may_sell(&insight.clone().archive(ArchiveReason::Expired, moment(2, 0.0)), phase), "an archived one");
        assert!(!may_sell(&held(Kind::Insight, Votes { up: 0, down: 9 }, true, 0), phase), "a refuted one");
    }
    assert!(!may_sell(&doubted, Phase::Thriving), "a warning may be pushed always and is sold only when believed");
}

/// A-077, I-065: a lower threshold lowers the gate of each type as far and no gate below a tenth; a higher one raises it.
#[test]
fn a_077_a_lower_threshold_opens_the_gates_as_far() {
    let insight = held(Kind::Insight, Votes::DOWN, true, 0);
    let worth = insight.knowledge().expect("alive").confidence;
    assert!(worth < Confidence::of(600_000) && !may_sell(&insight, Confidence::of(600_000)), "{worth}");
    assert!(may_sell(&insight, worth), "I-065: {worth}");
    assert!(!may_sell(&insight, Confidence::new(worth.get().saturating_add(Ppm::of(1)))));
    let refuted = held(Kind::Insight, Votes { up: 0, down: 40 }, true, 0);
    let left = refuted.knowledge().expect("alive").confidence;
    assert_eq!(may_sell(&refuted, Confidence::of(0)), left >= Confidence::of(100_000), "a tenth is the least: {left}");
}

/// G-053, R-034: what came from another is confirmed, active, pushed on, and never sold.
#[test]
fn r_034_what_came_from_others_is_not_sold() {
    let now = moment(1, 0.0);
    let mut grimoire = Grimoire::default();
    let foreign = candidate("a", draft(Kind::Insight, Provenance::Clade), now);
    grimoire.apply(Change::Add(Box::new(foreign)), now).expect("new");
    grimoire.apply(Change::Vote { id: id("a"), votes: Votes { up: 12, down: 0 } }, now).expect("alive");
    grimoire.apply(Change::Promote { id: id("a"), fitness: Ppm::ONE }, now).expect("confirmed");
    let entry = grimoire.get(id("a")).expect("there");
    assert!(
        matches!(entry, Entry::Active(_)) && may_push(entry, Giving::of(Phase::Thriving, Mode::Hosted)),
        "{entry:?}"
    );
    assert!(Phase::ALL.iter().all(|phase| !may_sell(entry, sharing_threshold(*phase))));
}

proptest! {
    /// G-053, G-175: by no way and with no claim does an arrival become more than a candidate, or worth more than its
    /// way allows.
    #[test]
    fn g_175_no_arrival_is_more_than_a_candidate(
        way in prop::sample::select(Provenance::ALL), claims in prop::sample::select(Provenance::ALL),
        kind in prop::sample::select(Kind::ALL), worth in 0u32..=1_000_000, generation in 0u32..6, stained: bool,
    ) {
        let mut sent = arrival(way);
        sent.draft = draft(kind, claims);
        sent.draft.original_confidence = Confidence::of(worth);
        sent.draft.source.generation = generation;
        if stained {
            sent.draft.source = sent.draft.source.stained(None);
        }
        let (ingested, _) = Customs::default().ingest(id("x"), sent, &GOOD, moment(1, 0.0));
        match ingested {
            Ingested::Judged(Admission::Admitted(held)) => {
                prop_assert!(!way.is_own());
                let most = way.initial_confidence(Confidence::of(worth), generation);
                prop_assert!(held.knowledge().confidence <= most && held.knowledge().validated == 0);
                prop_assert!(held.promote(Ppm::ONE, moment(2, 9.0)).is_err(), "time alone promotes nothing");
            }
            Ingested::TurnedAway(why) => prop_assert_eq!(why, TurnedAway::ClaimsToBeOwn),
            Ingested::Judged(other) => prop_assert!(false, "{:?}", other),
        }
    }
}
