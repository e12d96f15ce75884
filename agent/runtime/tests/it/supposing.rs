//! What dreams suppose: decided by waking ticks, told in the testament, taken up by the heir.

use std::collections::{BTreeMap, BTreeSet};

use golem_core::record::Observation;
use golem_dreams::inputs::{CycleId, Heirloom, Trace};
use golem_dreams::integration::journal::Ending;
use golem_dreams::integration::staging::{RevisionType, RowStatus, Staged};
use golem_dreams::nrem::pattern::{Pattern, patterns};
use golem_dreams::number::Hundredths;
use golem_dreams::rem::hypothesis::{Origin, dedup_hash};
use golem_dreams::words::{Tier, Trigger};
use golem_grimoire::id::{EntryId, Moment};
use golem_inheritance::heir::Heir;
use golem_ports::{Memory as _, Store as _};
use golem_primitives::{LineageId, Ppm, Tick, Usdc, UtcTime};
use golem_runtime::{HERITAGE_NOTE, Heritage, OwnerWord, TestamentFile, inherit};
use tempfile::TempDir;

use crate::departed::{bundle, die};
use crate::dreaming::{LIVED, asleep, grown, law, until_dreamt};
use crate::fake::{BIRTH, id, live, reopen};

/// What a staged row is worth at first.
const FIRST: u8 = 30;

/// A row that was staged when the life had lived so long.
fn staged(revision: RevisionType, proposed: &str, criterion: &str) -> Staged {
    Staged {
        id: EntryId::derive(UtcTime::from_seconds(BIRTH), &id("ada"), [proposed, criterion].concat().as_bytes()),
        revision,
        origin: Origin::Replay,
        section: "global".to_owned(),
        current: None,
        proposed: proposed.to_owned(),
        evidence: BTreeSet::new(),
        criterion: criterion.to_owned(),
        falsification: "the opposite comes".to_owned(),
        confidence: Hundredths::of(FIRST),
        cycle: CycleId(1),
        staged_at: Tick::new(LIVED),
        expires_at: Tick::MAX,
        status: RowStatus::Staged,
        closure: None,
        confirmed_by: BTreeSet::new(),
        contradicted_by: BTreeSet::new(),
        utility: Ppm::ZERO,
        is_far: false,
        dedup: dedup_hash(proposed),
        vector: None,
    }
}

/// As Integration stages a pattern.
fn says(pattern: &Pattern) -> Staged {
    let criterion = format!("{} is tried again under the same regime", pattern.id.key);
    let evidence = pattern.episodes.iter().copied().collect();
    Staged { evidence, ..staged(RevisionType::AddHeuristic, &pattern.sentence(), &criterion) }
}

/// As Integration stages a doubt in a rule.
fn doubts(rule: EntryId) -> Staged {
    let criterion = format!("{rule} is tried again and fails");
    let row = staged(RevisionType::ModifyHeuristic, &format!("Trust {rule} less."), &criterion);
    Staged { current: Some(rule.to_string()), ..row }
}

/// D-154, D-155, V28, V30: what was staged is held against the ticks a life goes on to live. Each episode that agrees is
/// worth a tenth and each that does not costs a twentieth: a pattern that goes on holding rises, a doubt in a rule that goes
/// on holding falls.
#[tokio::test]
async fn d_154_waking_ticks_raise_what_holds_and_lower_what_does_not() {
    let dir = TempDir::new().expect("a folder");
    let chain = grown(dir.path()).await;
    let mut store = reopen(dir.path(), "ada");
    let lived = store.reader().dream_episodes().expect("readable");
    let traces: Vec<Trace> = lived.into_iter().map(Trace::from).collect();
    let found = patterns(&traces.iter().collect::<Vec<_>>());
    let known = store.reader().grimoire().expect("readable");
    let rules = known.living().filter(|entry| entry.draft.counted().is_some_and(|rule| rule.sign() != 0));
    let rows: Vec<Staged> = found.iter().map(says).chain(rules.map(|rule| doubts(rule.id))).collect();
    store.dreams().expect("kept").restage(&rows).expect("on disk");
    let mut runtime = asleep(dir.path(), store, &chain, law(Tier::Hardened), None);
    live(&mut runtime, 80).await;
    let reader = runtime.store().reader();
    let episodes: BTreeMap<_, _> =
        reader.dream_episodes().expect("readable").into_iter().map(|one| (one.episode.id, one.episode)).collect();
    let (mut rose, mut fell) = (0, 0);
    for row in reader.staging().expect("readable").rows() {
        let heard = row.confirmed_by.union(&row.contradicted_by);
        assert!(heard.clone().all(|one| episodes[one].happened.tick > Tick::new(LIVED)), "only what came later speaks");
        let [up, down] = [&row.confirmed_by, &row.contradicted_by].map(|heard| u8::try_from(heard.len()).expect("few"));
        assert_eq!(row.confidence.get(), FIRST + 10 * up - 5 * down, "{row:?}");
        let status = match row.confidence.get() {
            70.. => RowStatus::Validated,
            ..10 => RowStatus::Refuted,
            _ if up > 0 => RowStatus::PartiallyValidated,
            _ => RowStatus::Staged,
        };
        assert_eq!(row.status, status, "{row:?}");
        rose += u32::from(row.revision == RevisionType::AddHeuristic && row.confidence.get() > FIRST);
        fell += u32::from(row.revision == RevisionType::ModifyHeuristic && row.confidence.get() < FIRST);
    }
    assert!(rose > 0 && fell > 0, "{rose} rose and {fell} fell of {}", rows.len());
}

/// D-229, R-020: what a sweep decided is told although the process ended between the sweep and its pass: once, by the pass that
/// comes next.
#[tokio::test]
async fn d_229_what_a_sweep_decided_is_told_after_a_crash() {
    let dir = TempDir::new().expect("a folder");
    let chain = grown(dir.path()).await;
    let mut runtime = asleep(dir.path(), reopen(dir.path(), "ada"), &chain, law(Tier::Hardened), None);
    live(&mut runtime, 1).await;
    let next = runtime.life().tick().next();
    drop(runtime);
    let mut store = reopen(dir.path(), "ada");
    store.set_note("dreams_decided", &format!("{} 2 1", next.get())).expect("noted");
    let mut runtime = asleep(dir.path(), store, &chain, law(Tier::Hardened), None);
    live(&mut runtime, 4).await;
    let passes = runtime.store().journal(1, usize::MAX).expect("readable");
    let told: Vec<_> = passes
        .iter()
        .flat_map(|pass| pass.input.observations.iter().map(move |seen| (pass.input.tick, seen)))
        .filter_map(|(tick, seen)| match seen {
            Observation::Recalled(told) if told.validated + told.refuted > 0 => {
                Some((tick, told.validated, told.refuted))
            }
            _ => None,
        })
        .collect();
    assert_eq!(told, [(next, 2, 1)]);
}

/// D-155, D-161, D-164, D-165, V28: a row that waking ticks raised to seven tenths stands at the admission gate when Integration
/// next holds the pen, and is in PLAYBOOK.md then; the same said a second time is refused there and is in no rule, however
/// often it was confirmed.
#[tokio::test]
async fn d_155_what_ticks_validated_passes_the_gate_into_the_playbook() {
    let dir = TempDir::new().expect("a folder");
    let chain = grown(dir.path()).await;
    let mut store = reopen(dir.path(), "ada");
    let lived = store.reader().dream_episodes().expect("readable");
    let traces: Vec<Trace> = lived.into_iter().map(Trace::from).collect();
    let found = patterns(&traces.iter().collect::<Vec<_>>());
    let rows: Vec<Staged> = found.iter().map(says).collect();
    store.dreams().expect("kept").restage(&rows).expect("on disk");
    let mut runtime = asleep(dir.path(), store, &chain, law(Tier::Hardened), None);
    let validated = |runtime: &crate::fake::Lived| -> Vec<Staged> {
        let staging = runtime.store().reader().staging().expect("readable");
        staging.rows().iter().filter(|row| row.status == RowStatus::Validated).cloned().collect()
    };
    for _ in 0..40 {
        live(&mut runtime, 10).await;
        if !validated(&runtime).is_empty() {
            break;
        }
    }
    let ready = validated(&runtime);
    let first = ready.first().unwrap_or_else(|| panic!("none of {} rows was validated", rows.len())).clone();
    assert!(first.confidence.get() >= 70 && first.confirmed_by.len() >= 4, "{first:?}");
    let text = || std::fs::read_to_string(dir.path().join("PLAYBOOK.md")).unwrap_or_default();
    assert!(!text().contains(&first.proposed), "D-165: nothing is written before the gate");
    let name = EntryId::derive(UtcTime::from_seconds(BIRTH), &id("ada"), b"again");
    let again = Staged { id: name, ..first.clone() };
    drop(runtime);
    let mut store = reopen(dir.path(), "ada");
    store.dreams().expect("kept").restage(&[again]).expect("on disk");
    let mut runtime = asleep(dir.path(), store, &chain, law(Tier::Hardened), None);
    OwnerWord::Dream.leave(dir.path()).expect("left");
    until_dreamt(&mut runtime, 1).await;
    let reader = runtime.store().reader();
    let dream = reader.last_dreams(1).expect("readable").remove(0);
    assert_eq!(dream.entry.ending, Ending::Complete);
    let staging = reader.staging().expect("readable");
    let status = |id: EntryId| staging.rows().iter().find(|row| row.id == id).expect("kept").status;
    assert_eq!((status(first.id), status(name)), (RowStatus::Applied, RowStatus::Validated), "{:?}", dream.dreamt);
    assert!(dream.dreamt.counts.promoted >= 1 && dream.dreamt.counts.refused >= 1, "{:?}", dream.dreamt.counts);
    let known = reader.grimoire().expect("readable");
    let promoted = known.active().filter(|entry| entry.knowledge().draft.content.contains(&first.proposed));
    let promoted: Vec<_> = promoted.map(|entry| entry.knowledge().id).collect();
    assert_eq!(promoted.len(), 1, "once");
    let playbook = reader.playbook(None).expect("readable").expect("a version");
    let rule = playbook.playbook.rule(promoted[0]).expect("a rule of its own");
    assert_eq!(rule.act, first.proposed);
    assert_eq!(rule.evidence, first.confirmed_by, "G-162");
    assert_eq!(text().matches(&first.proposed).count(), 1, "{}", text());
}

/// D-020, D-021, D-206, D-247: the dream at the edge of Terminal goes into the testament and what was staged and nobody tried
/// goes with it; the heir keeps both from its birth, its first whole dream supposes them, and no later one does.
#[tokio::test]
async fn d_020_the_last_dream_reaches_the_testament_and_the_heirs_first() {
    const STAGED: &str = "gas leads the price by an hour";
    let dir = TempDir::new().expect("a folder");
    let chain = grown(dir.path()).await;
    let mut store = reopen(dir.path(), "ada");
    let row = staged(RevisionType::Hypothesis, STAGED, "gas doubles within an hour");
    store.dreams().expect("kept").restage(&[row]).expect("on disk");
    let mut runtime = asleep(dir.path(), store, &chain, law(Tier::Hardened), None);
    live(&mut runtime, 2).await;
    chain.set(|script| script.is_spent = true);
    until_dreamt(&mut runtime, 1).await;
    let last = runtime.store().reader().last_dreams(9).expect("readable").remove(0);
    assert_eq!(
        (last.entry.trigger, &last.entry.ending, last.cost),
        (Trigger::Emergency, &Ending::Complete, Usdc::ZERO)
    );
    let untried = runtime.store().reader().untried().expect("readable");
    let (staged, lines) = untried.split_last().expect("something");
    assert_eq!((staged.text.as_str(), staged.criterion.as_str()), (STAGED, "gas doubles within an hour"));
    // What it found and the Grimoire did not know, and no more: no line is made up to fill a section.
    let (nrem, rem) = (&last.entry.nrem, &last.entry.rem);
    assert_eq!(lines.len(), (nrem.novel + rem.hypotheses + rem.threats) as usize, "{:?}", last.entry);
    die(&mut runtime, &chain).await;
    let bytes = std::fs::read(dir.path().join("testament.json")).expect("written");
    let file: TestamentFile = serde_json::from_slice(&bytes).expect("a testament");
    let told = file.testament.sections.untested.iter().filter(|one| one.entry.is_none());
    let told: Vec<Heirloom> = told
        .inspect(|one| assert!(one.is_dreamt, "I-056"))
        .map(|one| Heirloom { text: one.statement.clone(), criterion: one.validation.clone() })
        .collect();
    assert_eq!(told, untried[..untried.len().min(10)]);
    let markdown = std::fs::read_to_string(dir.path().join("testament.md")).expect("written");
    assert!(told.iter().all(|one| markdown.contains(&one.text)), "{markdown}");

    let left = bundle(dir.path());
    let heir = Heir { golem: id("eve"), lineage: LineageId(0), generation: 1 };
    let now = Moment::new(Tick::new(0), left.testament.written);
    let (_, heritage) = inherit(&left, &heir, true, &BTreeMap::new(), now);
    assert_eq!(heritage.hypotheses[..told.len()], told);
    assert!(inherit(&left, &heir, false, &BTreeMap::new(), now).1.hypotheses.is_empty(), "who takes nothing gets none");
    take_up(&heritage).await;
}

/// An heir with that heritage dreams twice.
async fn take_up(heritage: &Heritage) {
    let dir = TempDir::new().expect("a folder");
    let chain = grown(dir.path()).await;
    let mut store = reopen(dir.path(), "ada");
    store.set_note(HERITAGE_NOTE, &heritage.to_note()).expect("noted");
    let mut runtime = asleep(dir.path(), store, &chain, law(Tier::Hardened), None);
    for dreams in 1..=2 {
        OwnerWord::Dream.leave(dir.path()).expect("left");
        until_dreamt(&mut runtime, dreams).await;
        let reader = runtime.store().reader();
        let dream = reader.last_dreams(1).expect("readable").remove(0);
        assert_eq!(dream.entry.ending, Ending::Complete);
        let frozen = reader.dreaming(dream.effect).expect("readable").expect("kept").slumber.frozen;
        assert_eq!(frozen.heirlooms, if dreams == 1 { heritage.hypotheses.clone() } else { Vec::new() });
        let staging = reader.staging().expect("readable");
        let first = &heritage.hypotheses[0];
        let taken = staging.rows().iter().find(|row| row.proposed == first.text).expect("it waits for waking ticks");
        assert_eq!((taken.confidence.get(), &taken.criterion), (15, &first.criterion), "D-247");
    }
}
