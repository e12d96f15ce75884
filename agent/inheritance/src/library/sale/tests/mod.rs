use golem_grimoire::entry::{Draft, Method};
use golem_grimoire::finding::{Finding, PatternKey};
use golem_grimoire::gate::{Admission, GateExcuse, GateReading, admit};
use golem_grimoire::id::Moment;
use golem_grimoire::ingest::Arrival;
use golem_grimoire::kind::EntryBody;
use golem_primitives::{Ppm, Tick, UtcTime};

use super::*;
use crate::bottleneck::Selection;

fn golem(name: &str) -> GolemId {
    GolemId::new(name).expect("a name")
}

/// What one Golem of the third generation had from its grandmother and sells.
fn sold(nth: u32) -> SoldEntry {
    let key = PatternKey { tool: "mean-reversion".into(), chain: 8_453, pair: "WETH/USDC".into() };
    let finding = Finding { key, regime: Some(Regime::Sideways), trials: 20 + nth, held: 18, earned: None };
    let source = Source::foreign(Provenance::Inheritance, golem("first"), 2).stained(None);
    let mut draft = Draft::new(&finding.statement(), EntryBody::Insight, source, UtcTime::EPOCH);
    (draft.regime, draft.method) = (Some(Regime::Sideways), Method::Rules(finding));
    let reading = GateReading {
        utility: Ppm::ONE,
        factual: Ppm::ONE,
        recency: Ppm::ONE,
        nearest: None,
        known: 0,
        contradicts: None,
        occasion: GateExcuse::Ordinary,
    };
    let id = format!("00000000-0000-7000-8000-{nth:012x}").parse().expect("a UUID");
    let Admission::Admitted(known) = admit(id, draft, &reading, Moment::new(Tick::new(1), UtcTime::EPOCH)) else {
        panic!("it passes the gate")
    };
    let entry =
        GenomeEntry { bequeathed: Confidence::of(700_000), ..GenomeEntry::of(known.knowledge(), Selection::Fill) };
    let attribution = Attribution::held(&entry.source, golem("third"), 3);
    SoldEntry { entry, attribution, proved_by: 4 }
}

fn rule() -> SoldRule {
    let attribution = Attribution::held(&Source::own(golem("third")), golem("third"), 3);
    let evidence = RuleEvidence { looks: 9_000, trips: 61, evidence: 44, mean_ppm: 1_200, attribution };
    SoldRule { text: "### dip\n\n- when: z(64) <= -1.5\n- do: hold 40%".to_owned(), evidence }
}

fn set() -> KnowledgeSet {
    KnowledgeSet::new("calm", "for quiet markets", vec![sold(1), sold(2)], vec![rule()]).expect("a set")
}

/// I-230, I-232, I-233, I-240: what is told of a set is the evidence of each thing in it, and none of its words.
#[test]
fn i_240_a_listing_names_the_evidence_and_not_the_words() {
    let told = set().evidence();
    let [first, _] = &told.entries[..] else { panic!("{told:?}") };
    assert_eq!((first.confidence, first.proved_by), (Confidence::of(700_000), 4));
    assert_eq!(first.counted, Some(TimesHeld { trials: 21, held: 18 }));
    assert_eq!((first.attribution.origin(), first.attribution.origin_generation()), (golem("first"), Some(1)));
    assert_eq!((first.attribution.hop(), first.inheritances, first.is_bloodstain), (golem("third"), 2, true));
    assert_eq!((told.rules[0].looks, told.rules[0].trips, told.rules[0].evidence), (9_000, 61, 44));
    assert!(!format!("{told:?}").contains("mean-reversion") && !format!("{told:?}").contains("z(64)"));
}

/// I-030, I-036, I-233: at the gate what was bought is a stranger's at three tenths, still learnt by who learnt it; the mark of the dead
/// comes in only where whoever brings it has seen the death.
#[test]
fn i_233_what_is_bought_is_its_origins_and_a_strangers() {
    let SoldEntry { entry, attribution, .. } = sold(1);
    for (is_left, is_marked) in [(true, true), (false, false)] {
        let (draft, way) = (purchased(&entry), Provenance::Marketplace);
        let (sender, claimed_cosine, on_chain) = (attribution.origin(), None, None);
        let arrival = Arrival { draft, way, sender, is_left, claimed_cosine, on_chain };
        let at_the_gate = arrival.digested();
        assert_eq!((at_the_gate.source.provenance, at_the_gate.source.origin), (way, golem("first")));
        assert_eq!(at_the_gate.source.is_bloodstain(), is_marked);
        assert_eq!(way.initial_confidence(at_the_gate.original_confidence, 3), Confidence::of(300_000));
    }
    assert!(!unmarked(entry.clone()).source.is_bloodstain());
    assert_eq!(unmarked(entry.clone()).source.origin, entry.source.origin);
}

/// R-032, I-233, I-240: whatever a stranger writes, a set is within its bounds or none, and the reason says which.
#[test]
fn i_240_what_is_no_set_is_refused_with_its_reason() {
    let changed = |change: &dyn Fn(&mut KnowledgeSet)| {
        let mut set = set();
        change(&mut set);
        set.check().expect_err("it is none")
    };
    let long = |set: &mut KnowledgeSet| set.entries[1].entry.content = "a".repeat(Draft::MOST_BYTES + 1);
    assert!(matches!(changed(&long), SetError::Entry { at: 1, .. }));
    let loud = |set: &mut KnowledgeSet| set.entries[0].entry.content = "buy\u{1b}[2J".to_owned();
    assert!(matches!(changed(&loud), SetError::Entry { at: 0, why: DraftError::Invisible { .. } }));
    let many = |set: &mut KnowledgeSet| set.entries = (0..=MOST_ENTRIES as u32).map(sold).collect();
    assert_eq!(changed(&many), SetError::TooMany { what: "entries", count: 257, most: 256 });
    let twice = |set: &mut KnowledgeSet| set.entries[1].entry.id = set.entries[0].entry.id;
    assert_eq!(changed(&twice), SetError::Twice { at: 1 });
    let stolen = |set: &mut KnowledgeSet| {
        set.entries[0].attribution = Attribution::held(&Source::own(golem("thief")), golem("thief"), 0);
    };
    assert_eq!(changed(&stolen), SetError::Origin { at: 0, origin: golem("thief") });
    let supposed = |set: &mut KnowledgeSet| {
        set.entries[0].entry.source = Source::own(golem(MODEL));
        set.entries[0].attribution = Attribution::held(&Source::own(golem(MODEL)), golem("third"), 0);
    };
    assert_eq!(changed(&supposed), SetError::Origin { at: 0, origin: golem(MODEL) }, "nobody's own model's");
    let nothing = |set: &mut KnowledgeSet| (set.entries, set.rules) = (Vec::new(), Vec::new());
    assert_eq!(changed(&nothing), SetError::Empty);
    let rules = |set: &mut KnowledgeSet| set.rules = vec![rule(); MOST_RULES + 1];
    assert!(matches!(changed(&rules), SetError::TooMany { what: "rules", .. }));
    let text = |set: &mut KnowledgeSet| set.rules[0].text = "a".repeat(MOST_RULE_BYTES + 1);
    assert!(matches!(changed(&text), SetError::Text { what: "rule", .. }));
    let name = |set: &mut KnowledgeSet| set.name = "calm\u{202e}".to_owned();
    assert!(matches!(changed(&name), SetError::Text { what: "name", .. }));
    let newer = |set: &mut KnowledgeSet| set.version = 2;
    assert!(matches!(changed(&newer), SetError::Format { version: 2, .. }));
}

/// I-240: bytes of another hash, and a set whose evidence is not what was listed, are not what was paid for.
#[test]
fn i_240_what_comes_is_what_was_listed_or_nothing() {
    let bytes = b"the set, as it was listed";
    let listed = ListedSet { hash: keccak256(bytes), evidence: set().evidence() };
    assert_eq!(listed.named(bytes), Ok(()));
    assert!(
        matches!(listed.named(b"another"), Err(DeliveryError::AnotherHash { listed: hash, .. }) if hash == listed.hash)
    );
    assert_eq!(listed.holds(&set()), Ok(()));
    let mut weaker = set();
    weaker.entries[0].entry.bequeathed = Confidence::of(200_000);
    assert_eq!(listed.holds(&weaker), Err(DeliveryError::AnotherEvidence));
    let mut fewer = set();
    fewer.rules.clear();
    assert_eq!(listed.holds(&fewer), Err(DeliveryError::AnotherEvidence));
}
