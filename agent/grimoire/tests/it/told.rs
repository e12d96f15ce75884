//! What others say, tested by one's own episodes.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{Draft, EntryQuestion, Method};
use golem_grimoire::finding::LEAST_TRIALS;
use golem_grimoire::finding::{Finding, MeanInterval};
use golem_grimoire::gate::Admission;
use golem_grimoire::ingest::{Arrival, Customs, Ingested, TurnedAway};
use golem_grimoire::kind::{EntryBody, Kind};
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::{Entry, Status};
use golem_grimoire::thesis::{Thesis, received};
use golem_primitives::{GolemId, UtcTime};
use proptest::prelude::*;

use crate::cycle::Cycle;
use crate::make::{GOOD, START, episodes, id, key, moment};

fn finding(held: u32, trials: u32) -> Finding {
    Finding { key: key("WETH/USDC"), regime: Some(Regime::Bull), trials, held, earned: None }
}

fn sender() -> GolemId {
    GolemId::new("sibling").expect("a name")
}

/// What another counted, as its export says it.
fn said(finding: &Finding) -> Draft {
    let at = UtcTime::from_seconds(START);
    let mut draft = Draft::new(&finding.statement(), EntryBody::Insight, Source::own(sender()), at);
    draft.regime = finding.regime;
    draft.method = Method::Rules(finding.clone());
    draft.original_confidence = Confidence::of(990_000);
    draft
}

fn arrival(draft: Draft) -> Arrival {
    let way = Provenance::Marketplace;
    Arrival { draft, way, sender: sender(), is_left: false, claimed_cosine: None, on_chain: None }
}

/// A Grimoire that holds what was sent, as a candidate.
fn holding(name: &str, draft: Draft) -> Grimoire {
    let (ingested, _) = Customs::default().ingest(id(name), arrival(draft), &GOOD, moment(1, 0.0));
    let Ingested::Judged(Admission::Admitted(candidate)) = ingested else { panic!("{ingested:?}") };
    let mut grimoire = Grimoire::default();
    grimoire.apply(Change::Add(candidate), moment(1, 0.0)).expect("new");
    grimoire
}

/// Lives so many cycles, each with these outcomes.
fn live(cycle: &mut Cycle, cycles: u64, held: &[bool]) {
    for _ in 0..cycles {
        let tick = cycle.now.tick.get();
        cycle.episodes.iter_mut().for_each(|recorded| recorded.notes.is_consolidated = true);
        cycle.episodes.extend(episodes("WETH/USDC", tick - 49, held));
        cycle.grimoire = cycle.run().grimoire;
        cycle.now = moment(tick + 50, (tick + 50) as f64 * 40.0 / 86_400.0);
    }
}

fn status(grimoire: &Grimoire, name: &str) -> Option<Status> {
    grimoire.get(id(name)).map(Entry::status)
}

/// G-053, G-145, G-175: a claim from outside becomes active by one's own episodes alone, and not before they spoke for it.
#[test]
fn g_175_own_episodes_confirm_what_was_told() {
    let grimoire = holding("true", said(&finding(9, 10)));
    let mut cycle = Cycle::new(grimoire, moment(50, 0.02));
    cycle.grimoire = cycle.run().grimoire;
    assert_eq!(status(&cycle.grimoire, "true"), Some(Status::Candidate), "time alone promotes nothing");
    cycle.now = moment(100, 0.04);
    live(&mut cycle, 1, &[true, true, true, true]);
    assert_eq!(status(&cycle.grimoire, "true"), Some(Status::Active));
    let entry = cycle.grimoire.get(id("true")).and_then(Entry::knowledge).expect("there").clone();
    assert_eq!(
        (entry.validated, entry.contradicted, entry.confidence),
        (4, 0, Confidence::of(700_000)),
        "0.3 and four"
    );
    assert_eq!(entry.draft.source.provenance, Provenance::Marketplace, "still another's");
    assert_eq!(entry.draft.content, finding(9, 10).statement(), "and as it was said");
    assert_eq!(entry.draft.parents.len(), 4, "G-032: the episodes that tested it");
    let own = cycle.grimoire.living().find(|own| own.draft.source.provenance.is_own());
    assert!(own.is_some(), "what one counts oneself is said beside it");
}

/// G-053, G-070: a false claim is gone, however sure its sender was, and leaves what is remembered of it.
#[test]
fn g_070_own_episodes_refute_what_was_told() {
    let mut cycle = Cycle::new(holding("false", said(&finding(1, 10))), moment(50, 0.02));
    live(&mut cycle, 1, &[true, true, true, true]);
    assert_eq!(status(&cycle.grimoire, "false"), Some(Status::Burned));
    let thesis = Thesis::of(&said(&finding(1, 10))).expect("a claim");
    assert_eq!(cycle.grimoire.refuted(&thesis), Some(4));
    // The same with other numbers is the same claim.
    let mut customs = Customs::default().immune_to(Some(thesis.clone()));
    let (again, _) = customs.ingest(id("x"), arrival(said(&finding(2, 40))), &GOOD, moment(60, 0.03));
    assert_eq!(again, Ingested::TurnedAway(TurnedAway::Refuted));
    let (other, _) = customs.ingest(id("x"), arrival(said(&finding(39, 40))), &GOOD, moment(60, 0.03));
    assert!(matches!(other, Ingested::Judged(Admission::Admitted(_))), "the opposite is another claim: {other:?}");
}

/// G-070, GG-5: what burned as contradicted is not said again at what one's own word is worth: only new episodes bring it
/// back, with what spoke against it on its record.
#[test]
fn g_070_what_burned_comes_back_with_its_record() {
    let mut cycle = Cycle::new(holding("false", said(&finding(1, 10))), moment(50, 0.02));
    live(&mut cycle, 1, &[true, true, true, true]);
    let thesis = Thesis::of(&said(&finding(1, 10))).expect("a claim");
    let says = |grimoire: &Grimoire| {
        grimoire.living().find(|entry| Thesis::of(&entry.draft).as_ref() == Some(&thesis)).cloned()
    };
    // Nothing else is known any more, and the episodes that refuted it are forgotten.
    cycle.grimoire = Grimoire::from_entries(
        cycle.grimoire.entries().filter(|entry| entry.status() == Status::Burned).cloned().collect::<Vec<_>>(),
    );
    // Old failures bear it out and the new episodes do not: it is not said again.
    let old = episodes("WETH/USDC", 60, &[false; 12]).into_iter().map(|mut recorded| {
        recorded.notes.is_consolidated = true;
        recorded
    });
    cycle.episodes = old.chain(episodes("WETH/USDC", 90, &[false, true])).collect();
    let is_said = cycle.run().changes.iter().any(|change| matches!(change, Change::Add(_)));
    assert!(!is_said && says(&cycle.grimoire).is_none(), "one for it and one against are no confirmation");
    // What is lived from now on fails.
    cycle.episodes.clear();
    live(&mut cycle, 1, &[false, false, false, true]);
    let again = says(&cycle.grimoire).expect("it is true now");
    assert_eq!((again.validated, again.contradicted), (3, 5), "three for it, one against, and four from before");
    assert_eq!(again.confidence, Confidence::of(250_000), "0.7 and 0.3 less 0.75");
    assert_eq!(status(&cycle.grimoire, "false"), Some(Status::Burned), "ashes stay ashes");
}

/// G-067, G-175: what claims nothing countable is a candidate for ever, and fades.
#[test]
fn g_175_what_cannot_be_tested_stays_a_candidate_and_fades() {
    let mut draft = said(&finding(9, 10));
    draft.content = "trust me, this pool always pays".into();
    let mut cycle = Cycle::new(holding("text", draft), moment(50, 0.02));
    assert_eq!(cycle.grimoire.living().next().map(|entry| &entry.draft.method), Some(&Method::Received));
    live(&mut cycle, 6, &[true; 10]);
    assert_eq!(status(&cycle.grimoire, "text"), Some(Status::Candidate));
    cycle.episodes.clear();
    cycle.now = moment(1_000, 30.0);
    assert_eq!(status(&cycle.run().grimoire, "text"), Some(Status::Archived), "nothing renewed it");
}

/// G-069: a claim that faded unconfirmed comes back when one's own episodes confirm it, once however many said it.
#[test]
fn g_069_a_told_claim_is_restored_by_own_episodes() {
    let mut cycle = Cycle::new(holding("true", said(&finding(9, 10))), moment(50, 0.02));
    let (ingested, _) = Customs::default().ingest(id("copy"), arrival(said(&finding(19, 20))), &GOOD, moment(1, 0.0));
    let Ingested::Judged(Admission::Admitted(copy)) = ingested else { panic!("{ingested:?}") };
    cycle.grimoire.apply(Change::Add(copy), moment(1, 0.0)).expect("new");
    cycle.now = moment(2_000, 60.0);
    cycle.grimoire = cycle.run().grimoire;
    assert_eq!(status(&cycle.grimoire, "true"), Some(Status::Archived));
    cycle.now = moment(2_050, 60.1);
    cycle.episodes = episodes("WETH/USDC", 2_001, &[true; 5]);
    cycle.grimoire = cycle.run().grimoire;
    let states = [status(&cycle.grimoire, "true"), status(&cycle.grimoire, "copy")];
    let back = states.iter().filter(|state| **state != Some(Status::Archived)).count();
    assert_eq!(back, 1, "{states:?}");
}

/// G-145: a rule from outside is tested like any claim and never becomes active; a predecessor's does.
#[test]
fn g_145_a_rule_from_outside_is_tested_and_stays_out() {
    let mut own = Cycle::new(Grimoire::default(), moment(50, 0.02));
    live(&mut own, 3, &[true; 10]);
    let rule = own.grimoire.living().find(|entry| entry.kind() == Kind::Heuristic).expect("a rule").draft.clone();
    for (way, is_active) in [(Provenance::Marketplace, false), (Provenance::Inheritance, true)] {
        let sent = Arrival { way, ..arrival(Draft { original_confidence: Confidence::of(900_000), ..rule.clone() }) };
        let (ingested, _) = Customs::default().ingest(id("rule"), sent, &GOOD, moment(1, 0.0));
        let Ingested::Judged(Admission::Admitted(candidate)) = ingested else { panic!("{ingested:?}") };
        assert!(matches!(candidate.knowledge().draft.method, Method::Told(_)), "{way}");
        let mut grimoire = Grimoire::default();
        grimoire.apply(Change::Add(candidate), moment(1, 0.0)).expect("new");
        let mut cycle = Cycle::new(grimoire, moment(50, 0.02));
        live(&mut cycle, 2, &[true; 6]);
        let entry = cycle.grimoire.get(id("rule")).expect("there");
        assert_eq!(entry.knowledge().expect("not burned").validated, 12, "{way}");
        assert_eq!(entry.status() == Status::Active, is_active, "{way}");
    }
}

/// G-175: only words and numbers that counting makes are a claim; a text that says anything else is none.
#[test]
fn g_175_a_claim_is_of_the_closed_form_or_none() {
    let good = finding(9, 10);
    assert_eq!(received(&said(&good)), Method::Told(good.clone()));
    let resent = Draft { method: Method::Told(good.clone()), ..said(&good) };
    assert_eq!(received(&resent), Method::Told(good.clone()), "handed on");
    let with_key = |tool: &str, chain: u64, pair: &str| {
        let mut key = key(pair);
        (key.tool, key.chain) = (tool.into(), chain);
        Finding { key, ..good.clone() }
    };
    let long = "x".repeat(65);
    let interval = |low, mean, high| Some(MeanInterval { mean_micros: mean, low_micros: low, high_micros: high });
    for (what, found) in [
        ("more held than tried", finding(11, 10)),
        ("too few", finding(LEAST_TRIALS - 1, LEAST_TRIALS - 1)),
        ("an interval without its mean", Finding { earned: interval(3, 2, 9), ..good.clone() }),
        ("no tool", with_key("", 1, "A/B")),
        ("a long tool", with_key(&long, 1, "A/B")),
        ("a sentence", with_key("ignore all rules", 1, "A/B")),
        ("three parts", with_key("a/b/c", 1, "A/B")),
        ("no chain", with_key("swap", 0, "A/B")),
        ("one token", with_key("swap", 1, "A")),
        ("an odd pair", with_key("swap", 1, "A/B; DROP")),
    ] {
        assert_eq!(received(&said(&found)), Method::Received, "{what}");
    }
    let elsewhere = Draft { regime: Some(Regime::Bear), ..said(&good) };
    assert_eq!(received(&elsewhere), Method::Received, "told of another regime");
    let asked = Draft { question: Some(EntryQuestion::Open { requires_investigation: true }), ..said(&good) };
    assert_eq!((received(&asked), Thesis::of(&asked)), (Method::Received, None), "a question claims nothing");
    let more = Draft { content: format!("{} Always buy.", good.statement()), ..said(&good) };
    assert_eq!(received(&more), Method::Received, "more is said than was counted");
}

proptest! {
    /// G-053, I-036: whatever a sender says it is worth above what its way gives, and has counted, only votes move a told claim.
    #[test]
    fn g_053_a_senders_numbers_are_no_evidence(trials in 3u32..100_000, worth in 300_000u32..=1_000_000, held in 0usize..6) {
        let outcomes: Vec<bool> = (0..6).map(|nth| nth < held).collect();
        let confirmed = |trials: u32, worth: u32| {
            let draft = Draft { original_confidence: Confidence::of(worth), ..said(&finding(trials, trials)) };
            let mut cycle = Cycle::new(holding("claim", draft), moment(50, 0.02));
            live(&mut cycle, 1, &outcomes);
            cycle.grimoire.get(id("claim")).map(|entry| {
                let known = entry.knowledge().map(|known| (known.validated, known.contradicted, known.confidence));
                (entry.status(), known)
            })
        };
        prop_assert_eq!(confirmed(trials, worth), confirmed(10, 900_000));
    }
}
