//! The life of an heir: whose turn it is to be tried, what its line makes a default, and how it is measured at its end.

use std::collections::{BTreeMap, BTreeSet};

use golem_core::record::{Event, Forgone};
use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::EmbeddingMark;
use golem_grimoire::id::EntryId;
use golem_grimoire::regime::RegimeBelief;
use golem_grimoire::status::{Entry, Status};
use golem_inheritance::arrival::HeirTag;
use golem_inheritance::baldwin::ProposalStanding;
use golem_inheritance::bottleneck::Selection;
use golem_inheritance::genome::GenomeEntry;
use golem_inheritance::novelty::{GenerationStage, NoveltyBand, Space, Vector};
use golem_ports::Store as _;
use golem_primitives::{B256, LineageId, UtcTime};
use golem_runtime::{
    BEGUN_A_CYCLE, DEFAULTS_NOTE, Defaults, HERITAGE_NOTE, Heritage, LegacyBundle, TRIAL_NOTE, TestamentFile, Trials,
    inherit, inherit_in,
};
use golem_store::SqliteStore;

use crate::departed::{Departed, at_birth, bundle, die, heir};
use crate::fake::{Lived, born, live, reopen, resume, swinging, told};
use crate::mind::teach_to_avoid;

/// A store of a newborn that takes over a bundle.
fn newborn(dir: &std::path::Path, left: &LegacyBundle) -> (SqliteStore, Heritage) {
    let now = at_birth(left);
    let (candidates, heritage) = inherit(left, &heir(), &BTreeMap::new(), now);
    let mut store = born(dir, "eve");
    assert!(store.adopt(&candidates, &[], HERITAGE_NOTE, &heritage.to_note(), now).expect("landed"));
    (store, heritage)
}

fn trials(runtime: &Lived) -> Trials {
    Trials::of(runtime.store().note(TRIAL_NOTE).expect("read").as_deref())
}

fn active(runtime: &Lived) -> BTreeSet<EntryId> {
    runtime.store().reader().grimoire().expect("read").active().map(|active| active.knowledge().id).collect()
}

/// The same bundle with so many entries of the same kind before its own in the queue, which nothing here can confirm.
fn crowded(mut left: LegacyBundle, many: usize) -> LegacyBundle {
    let model = left.bequest.entries[0].clone();
    for entry in &mut left.bequest.entries {
        entry.bequeathed = entry.bequeathed.min(Confidence::of(900_000));
    }
    left.bequest.entries.extend((0..many).map(|nth| GenomeEntry {
        id: format!("00000000-0000-7000-8000-{nth:012x}").parse().expect("a UUID"),
        content: format!("{} and the moon was {nth} days old", model.content),
        claim: None,
        bequeathed: Confidence::of(990_000),
        ..model.clone()
    }));
    left
}

/// I-040, I-051, I-098: an heir tries what it inherited in the order of the queue, a batch with each cycle; what waits is
/// voted on and gets no place before its turn, and once nothing waits its effort goes to what is new. Without a queue the
/// same entries have their places sooner.
#[tokio::test]
async fn i_051_an_heir_tries_what_it_inherited_in_order() {
    let left = Departed::after(160).await.bundle();
    let own: BTreeSet<EntryId> = left.bequest.entries.iter().map(|entry| entry.id).collect();
    let ticks = 101;

    let plain = tempfile::tempdir().expect("a folder");
    let (store, _) = newborn(plain.path(), &left);
    let mut free = resume(plain.path(), "eve", store, &swinging());
    live(&mut free, ticks).await;
    let confirmed: BTreeSet<EntryId> = active(&free).intersection(&own).copied().collect();
    assert!(!confirmed.is_empty(), "what still holds is confirmed");
    assert!(own.is_subset(&trials(&free).begun), "few are tried at once");

    let crowd = tempfile::tempdir().expect("a folder");
    let (store, heritage) = newborn(crowd.path(), &crowded(left, 3 * BEGUN_A_CYCLE));
    let mut full = resume(crowd.path(), "eve", store, &swinging());
    live(&mut full, 51).await;
    assert_eq!(trials(&full).begun.len(), BEGUN_A_CYCLE, "I-098: one cycle, one batch");
    live(&mut full, ticks - 51).await;
    let begun = trials(&full).begun;
    assert_eq!((begun.len(), begun.is_disjoint(&own)), (2 * BEGUN_A_CYCLE, true), "the surest first");
    let grimoire = full.store().reader().grimoire().expect("read");
    for entry in &confirmed {
        let known = grimoire.get(*entry).expect("there");
        assert_eq!(known.status(), Status::Candidate, "its turn has not come");
        assert!(known.knowledge().is_some_and(|known| known.validated > 0), "its votes count all the same");
    }
    let queue = heritage.queue(&grimoire, &RegimeBelief::unknown(), &begun);
    assert_eq!(queue.stage(), GenerationStage::Validate);
    live(&mut full, 150).await;
    assert!(active(&full).intersection(&confirmed).count() > 0, "and then it comes");
    let grimoire = full.store().reader().grimoire().expect("read");
    let queue = heritage.queue(&grimoire, &RegimeBelief::unknown(), &trials(&full).begun);
    assert_eq!((queue.stage(), queue.waiting().count()), (GenerationStage::Explore, 0), "I-040");
}

/// I-051, R-021: a life that is cut off after every tick begins the same trials and learns the same.
#[tokio::test]
async fn i_051_trials_begin_once_whatever_is_cut() {
    let left = crowded(Departed::after(120).await.bundle(), 2 * BEGUN_A_CYCLE);
    let (whole_dir, cut_dir) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mut whole = resume(whole_dir.path(), "eve", newborn(whole_dir.path(), &left).0, &swinging());
    live(&mut whole, 54).await;
    drop(newborn(cut_dir.path(), &left).0);
    let chain = swinging();
    for _ in 0..54 {
        let mut cut = resume(cut_dir.path(), "eve", reopen(cut_dir.path(), "eve"), &chain);
        live(&mut cut, 1).await;
    }
    let cut = resume(cut_dir.path(), "eve", reopen(cut_dir.path(), "eve"), &chain);
    assert_eq!((trials(&cut), cut.life().hash()), (trials(&whole), whole.life().hash()));
    assert_eq!(active(&cut), active(&whole));
}

/// I-034, I-050 to I-053, I-055: with a model what an heir begins with is what surprise is measured from: what it has
/// already is put off, what is far comes first, and every entry says what it is to its heir.
#[tokio::test]
async fn i_053_what_an_heir_begins_with_surprises_it_least() {
    let left = Departed::after(260).await.bundle();
    let mark =
        EmbeddingMark { model: "toy".into(), version: "1".into(), preprocessing: B256::ZERO, at: UtcTime::EPOCH };
    let at = |values: [f32; 2]| Vector { mark: mark.clone(), values: values.to_vec() };
    let (same, far) = (&left.bequest.entries[0], &left.bequest.entries[1]);
    let texts = BTreeMap::from([(same.content.clone(), at([1.0, 0.0])), (far.content.clone(), at([0.0, 1.0]))]);
    let space = Space::new(texts, vec![at([1.0, 0.0])]);
    let (candidates, heritage) = inherit_in(&space, &left, &heir(), &BTreeMap::new(), at_birth(&left));
    let rank =
        |id| heritage.entries.iter().find(|handed| handed.id == id).and_then(|handed| handed.rank).expect("ranked");
    assert_eq!((rank(same.id).novelty.get(), rank(same.id).band), (0, NoveltyBand::Duplicate));
    assert_eq!((rank(far.id).novelty.get(), rank(far.id).band), (1_000_000, NoveltyBand::Queue));
    let queue = heritage.newborn(&candidates);
    assert!(queue.deferred().any(|one| one.id == same.id) && queue.waiting().all(|one| one.id != same.id));
    for candidate in &candidates {
        let tags = &candidate.knowledge().draft.tags;
        assert_eq!(tags.iter().filter(|word| HeirTag::from_name(word).is_some()).count(), 1, "I-034: {tags:?}");
    }
}

/// I-042, I-221, I-203: an heir's testament says what it did with what it was given and in what order it leaves what it
/// knows; the numbers are those of its records.
#[tokio::test]
async fn i_042_a_testament_measures_its_generation() {
    let first = Departed::after(160).await;
    let left = first.bundle();
    let measured = left.testament.measured.expect("measured");
    assert_eq!(measured.tally.inherited, 0);
    assert!(measured.tally.novel() > 0 && measured.negentropy.distilled.get() > 0, "{measured:?}");

    let dir = tempfile::tempdir().expect("a folder");
    let (store, heritage) = newborn(dir.path(), &left);
    let chain = swinging();
    let mut runtime = resume(dir.path(), "eve", store, &chain);
    live(&mut runtime, 160).await;
    die(&mut runtime, &chain).await;
    let file: TestamentFile = bundle(dir.path()).testament;
    let measured = file.measured.expect("measured");
    let came = heritage.entries.iter().filter(|handed| handed.arrived.is_some()).count();
    assert_eq!(measured.tally.inherited as usize, came);
    let grimoire = runtime.store().reader().grimoire().expect("read");
    let held = |known: &golem_grimoire::entry::Knowledge| known.validated > known.contradicted;
    let inherited = heritage.entries.iter().filter_map(|handed| grimoire.get(handed.id).and_then(Entry::knowledge));
    assert_eq!(measured.tally.validated as usize, inherited.filter(|known| held(known)).count());
    assert!(measured.tally.validated > 0 && measured.score == measured.tally.score());
    let row = file.generation().expect("a row of its line");
    assert_eq!((row.tally, row.ticks), (measured.tally, file.testament.stats.ticks), "I-045");
    let markdown = std::fs::read_to_string(dir.path().join("testament.md")).expect("written");
    assert!(
        markdown.contains(&format!("- ratchet: {}", measured.score)) && markdown.contains("- order: "),
        "{markdown}"
    );
    let failed = file.individuation.failed();
    assert!(!failed.is_empty() && markdown.contains(failed[0]), "I-203: its owner reads what it failed in");
}

/// A bundle that hands down a rule against mean reversion which its line confirmed through three inheritances.
async fn of_old_line() -> (LegacyBundle, EntryId) {
    let dead = Departed::after(160).await;
    let mut left = dead.bundle();
    let dir = tempfile::tempdir().expect("a folder");
    let mut store = born(dir.path(), "ada");
    teach_to_avoid(&mut store);
    let grimoire = store.reader().grimoire().expect("read");
    let rule = grimoire.active().map(|active| active.knowledge()).find(|entry| entry.is_avoidance()).expect("taught");
    let mut entry = GenomeEntry::of(rule, Selection::Priority);
    (entry.source.generation, entry.bequeathed) = (3, Confidence::of(800_000));
    let id = entry.id;
    left.bequest.entries = vec![entry];
    (left, id)
}

/// I-180, I-183, I-184: a rule that survived three inheritances is proposed and changes nothing; by its owner's word it
/// speaks from the first tick; and what this life contradicts goes back among the candidates.
#[tokio::test]
async fn i_183_a_default_speaks_by_its_owners_word_until_it_is_contradicted() {
    let (left, rule) = of_old_line().await;
    let now = at_birth(&left);
    let proposed = Defaults::proposed(&left, LineageId(0), now);
    assert_eq!(proposed.iter().map(|one| one.proposal.entry).collect::<Vec<_>>(), [rule]);
    let mut forgone = Vec::new();
    for is_accepted in [false, true] {
        let dir = tempfile::tempdir().expect("a folder");
        let (mut store, _) = newborn(dir.path(), &left);
        let mut defaults = proposed.clone();
        if is_accepted {
            assert!(defaults.accept(rule, now) && !defaults.accept(rule, now), "once");
        }
        store.set_note(DEFAULTS_NOTE, &defaults.to_note()).expect("noted");
        let chain = swinging();
        let mut runtime = resume(dir.path(), "eve", store, &chain);
        let mut events = runtime.telemetry().listen();
        live(&mut runtime, 45).await;
        let said = told(&mut events);
        let by_counsel = |event: &&Event| matches!(event, Event::TradeForgone { reason: Forgone::Counsel, .. });
        forgone.push((said.iter().filter(by_counsel).count(), chain.driven("buy")));
        let known = runtime.store().reader().grimoire().expect("read");
        assert_eq!(known.get(rule).map(Entry::status), Some(Status::Candidate), "I-362: it is active nowhere");
        if is_accepted {
            live(&mut runtime, 160).await;
            let after = Defaults::of(runtime.store().note(DEFAULTS_NOTE).expect("read").as_deref());
            let standing = after.iter().next().expect("kept").standing();
            assert!(matches!(standing, ProposalStanding::Returned { .. }), "I-183: {standing:?}");
            assert!(chain.driven("buy") > 0, "and it trades again");
        }
    }
    let [(proposed, traded), (heard, held)] = forgone[..] else { panic!("two lives") };
    assert_eq!((proposed, held), (0, 0), "a proposal holds nothing back, a default does");
    assert!(traded > 0 && heard > 0, "{forgone:?}");
}
