//! What the store keeps of the Grimoire is what the law made, whole, once, and never more than the law allows.

use std::collections::{BTreeMap, BTreeSet};

use golem_core::record::{OutcomeResult, TickInput};
use golem_grimoire::confidence::Votes;
use golem_grimoire::distil;
use golem_grimoire::emotion::{Emotion, EmotionalTag, Pad};
use golem_grimoire::entry::{DreamMark, EntryQuestion};
use golem_grimoire::episode::{EpisodeCircumstances, EpisodeOutcome};
use golem_grimoire::finding::{Finding, PatternKey};
use golem_grimoire::gate::Quarantined;
use golem_grimoire::kind::{Domain, Kind};
use golem_grimoire::playbook::{Edit, Holder, Playbook, RuleSection, Writership, WrittenRule};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::regime::Regime;
use golem_grimoire::retention::DecayClass;
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::{ArchiveReason, BurnReason, Entry, Status};
use golem_grimoire::strength::{LiveResult, Reinforcement, Strength};
use golem_mortality::phase::Phase;
use golem_ports::{Arrived, Arriving, Cycle, Memory, Refusal, Revised, Store, StoreError};
use golem_primitives::{B256, GolemId, Ppm, Tick, keccak256};
use golem_store::{Reader, SqliteStore};
use proptest::prelude::*;

use crate::mind::{
    active, arriving, at, candidate, curate_effect, draft, id, land_changes, lived, pass, run_curator, sibling,
};
use crate::world::{Lived, World, buy, effect_id, folder, fresh, golem, input, now, refusal, rows, tamper, verified};

/// Everything the Grimoire holds, as rows.
fn contents(path: &std::path::Path) -> Vec<String> {
    let tables = ["entries", "burned", "quarantine", "evidence", "changes", "cycles", "playbooks", "annotations"];
    rows(path, &tables, "1")
}

#[derive(Debug, Clone)]
struct Made {
    content: String,
    kind: Kind,
    provenance: Provenance,
    domain: Domain,
    regime: Option<Regime>,
    class: Option<DecayClass>,
    tags: BTreeSet<String>,
    feels: Option<Pad>,
    asks: bool,
    is_stained: bool,
    dreams: bool,
    fate: u8,
}

fn made() -> impl Strategy<Value = Made> {
    let word = |words: &'static [&'static str]| prop::sample::select(words).prop_map(str::to_owned);
    let what = (
        "[a-zA-Z0-9 \"'%_;:-]{1,40}",
        prop::sample::select(Kind::ALL),
        prop::sample::select(Provenance::ALL),
        prop::sample::select(Domain::ALL),
        prop::option::of(prop::sample::select(Regime::ALL)),
        prop::option::of(prop::sample::select(DecayClass::ALL)),
    );
    let more = (
        prop::collection::btree_set(word(&["swap", "USDC/WETH", "a\"b", "gas, mev"]), 0..3),
        prop::option::of((-1f64..1.0, -1f64..1.0, -1f64..1.0).prop_map(|(p, a, d)| Pad::round(p, a, d))),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        0u8..5,
    );
    (what, more).prop_map(|((content, kind, provenance, domain, regime, class), more)| {
        let (tags, feels, asks, is_stained, dreams, fate) = more;
        let content = format!("it was seen that {content}");
        Made { content, kind, provenance, domain, regime, class, tags, feels, asks, is_stained, dreams, fate }
    })
}

/// What a life does to an entry, from joining to its fate.
fn story(name: &str, made: &Made) -> Vec<Change> {
    let mut draft = draft(&made.content, made.kind, made.provenance);
    draft.domain = made.domain;
    draft.regime = made.regime;
    draft.decay_class = made.class;
    draft.tags = made.tags.clone();
    draft.valid_until = made.class.map(|_| now(900));
    draft.gaps = made.tags.iter().cloned().collect();
    draft.parents = lived(1, "USDC/WETH", &[true, false]).iter().map(|episode| episode.id).collect();
    draft.emotion = made.feels.map(|pad| EmotionalTag {
        primary: Emotion::Fear,
        pad,
        mood: Pad::NEUTRAL,
        intensity: Ppm::of(400_000),
        phase: Phase::Stable,
        reactivations: 2,
        since: now(3),
    });
    if made.asks {
        draft.question = Some(EntryQuestion::Open { requires_investigation: true });
    }
    if made.is_stained {
        draft.source = draft.source.clone().stained(draft.emotion);
    }
    if made.dreams {
        draft.dream = Some(DreamMark { cycle: "dream-9".into(), mood: Pad::NEUTRAL, ..DreamMark::default() });
    }
    let id = id(name);
    let mut story = vec![
        Change::Add(candidate(name, draft, at(1))),
        Change::Vote { id, votes: Votes { up: 9, down: 1 } },
        Change::Check { id, correct: true },
        Change::Cycle { id, is_low: true },
    ];
    story.extend(match made.fate {
        0 => vec![Change::Archive { id, reason: ArchiveReason::Decayed }],
        1 => vec![Change::Burn { id, reason: BurnReason::Contradicted }],
        2 => vec![Change::Archive { id, reason: ArchiveReason::Capacity }, Change::Restore { id, votes: Votes::UP }],
        _ => vec![],
    });
    // Promoted between joining and its fate, if the law lets it.
    let mut shelf = Grimoire::default();
    for change in &story[..4] {
        shelf.apply(change.clone(), at(50)).expect("allowed");
    }
    let promote = Change::Promote { id, fitness: Ppm::ONE };
    if shelf.apply(promote.clone(), at(50)).is_ok() {
        story.insert(4, promote);
    }
    story
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// G-049, G-021 to G-048, G-018: every field of every type in every state comes back as it was written, through the
    /// law's own door, also to another process.
    #[test]
    fn g_049_every_entry_reads_back_as_it_was(all in prop::collection::vec(made(), 1..6)) {
        let Lived { folder: _folder, path, mut world } = fresh();
        world.pass_with(&input(1), &lived(1, "USDC/WETH", &[true, false])).expect("room");
        let changes: Vec<Change> =
            all.iter().enumerate().flat_map(|(place, made)| story(&format!("entry {place}"), made)).collect();
        land_changes(&mut world.store, 50, &changes, None).expect("landed");
        let mut expected = Grimoire::default();
        for change in changes {
            expected.apply(change, at(50)).expect("allowed");
        }
        let shelf = world.store.shelf().expect("readable");
        prop_assert_eq!(&shelf.grimoire, &expected);
        let seen = Reader::open(&path).expect("a file").grimoire().expect("readable");
        prop_assert_eq!(&seen, &expected);
        for entry in expected.entries() {
            let one = world.store.entry(entry.id()).expect("readable");
            prop_assert_eq!(one.as_ref(), Some(entry));
        }
        prop_assert_eq!(world.store.reader().audit().expect("readable"), vec![]);
    }

    /// G-010: a cycle landed twice is a cycle landed once, and says the same both times.
    #[test]
    fn g_010_landing_twice_is_landing_once(all in prop::collection::vec(made(), 1..4)) {
        let Lived { folder: _folder, path, mut world } = fresh();
        let changes: Vec<Change> =
            all.iter().enumerate().flat_map(|(place, made)| story(&format!("entry {place}"), made)).collect();
        let shelf = world.store.shelf().expect("readable");
        let wanted = pass(&shelf, &changes, at(50));
        let cycle = Cycle::new(curate_effect(50), at(50), &shelf, &wanted, None);
        prop_assert_eq!(world.store.curated(cycle.effect).expect("readable"), None);
        let first = world.store.land_cycle(&cycle).expect("landed");
        let before = contents(&path);
        prop_assert_eq!(world.store.land_cycle(&cycle).expect("landed already"), first.clone());
        drop(world);
        let mut again = SqliteStore::open(&path, None).expect("a memory");
        prop_assert_eq!(again.land_cycle(&cycle).expect("landed already"), first.clone());
        prop_assert_eq!(again.curated(cycle.effect).expect("readable"), Some(first));
        prop_assert_eq!(contents(&path), before);
    }

    /// G-175, G-053, I-362: whatever arrives by whichever way, nothing of it is active; and a row that claims to be is
    /// not believed.
    #[test]
    fn g_175_nothing_from_outside_is_ever_active(all in prop::collection::vec(made(), 1..12), claims in any::<bool>()) {
        let Lived { folder: _folder, path, mut world } = fresh();
        let wanted: Vec<_> = all.iter().map(|made| {
            let mut one = arriving(&made.content, made.provenance, sibling());
            one.arrival.draft.body = crate::mind::body(made.kind);
            one.arrival.draft.tags = made.tags.clone();
            one
        }).collect();
        let arrived = world.store.ingest(wanted, at(3)).expect("landed");
        prop_assert_eq!(arrived.len(), all.len());
        let shelf = world.store.shelf().expect("readable");
        prop_assert_eq!(shelf.grimoire.active_count(), 0);
        for entry in shelf.grimoire.entries() {
            prop_assert_eq!(entry.status(), Status::Candidate);
            prop_assert!(!entry.knowledge().expect("alive").draft.source.provenance.is_own());
        }
        let first = shelf.grimoire.entries().next().map(Entry::id);
        if let Some(first) = first.filter(|_| claims) {
            drop(world);
            tamper(&path, "UPDATE entries SET status = 'active', promoted_tick = 3, promoted_at = recorded_at,
                           promoted_confirmations = 0, promoted_confidence = 900000");
            let reader = Reader::open(&path).expect("a file");
            let error = reader.entry(first).expect_err("a row no life can have written");
            prop_assert!(matches!(error, StoreError::Corrupt { .. }), "{}", error);
        }
    }
}

/// G-119, G-010: what a pass lived lands with it; told again it changes nothing, and nothing changes it.
#[test]
fn g_119_episodes_are_written_once() {
    let Lived { folder: _folder, path, mut world } = fresh();
    let episodes = lived(1, "USDC/WETH", &[true, false, true]);
    world.pass_with(&input(1), &episodes).expect("room");
    let mut again = episodes.clone();
    again[0].text = "something else".into();
    world.pass_with(&input(2), &again).expect("room");
    let kept: Vec<_> = world.store.reader().last_episodes(9).expect("readable");
    assert_eq!(kept.iter().map(|recorded| recorded.episode.clone()).collect::<Vec<_>>(), episodes);
    assert!(kept.iter().all(|recorded| !recorded.notes.is_consolidated));
    drop(world);
    let connection = rusqlite::Connection::open(&path).expect("sqlite");
    let flags = rusqlite::functions::FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("tally", -1, flags, |_| Ok(0)).expect("as a writer has it");
    for sql in ["UPDATE episodes SET text = 'x'", "DELETE FROM episodes"] {
        let error = connection.execute_batch(sql).expect_err("append-only").to_string();
        assert!(error.contains("an episode is"), "{error}");
    }
}

/// R-022, G-124: what a reorganisation took back is no evidence any more; landed again, it counts once.
#[test]
fn r_022_a_withdrawn_outcome_is_no_evidence() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    world.want(&[buy(1)]);
    let told = verified(effect_id(1), 1);
    let OutcomeResult::Verified(record) = &told.result else { unreachable!("made so") };
    let at_tick = |tick| {
        let key = PatternKey { tool: "swap".into(), chain: 8453, pair: "USDC/WETH".into() };
        let there = EpisodeCircumstances { golem: golem(), now: at(tick), key, regime: None, emotion: None };
        let mut lived = there.verified(record, Some(record.receipt.realised_return_micros));
        lived[0].outcome = EpisodeOutcome::Positive;
        lived
    };
    let tick = world.life.tick().get() + 1;
    let bringing = |tick| TickInput { outcomes: vec![told.clone()], ..input(tick) };
    world.pass_with(&bringing(tick), &at_tick(tick)).expect("room");
    let evidence = |world: &World| world.store.shelf().expect("readable").episodes.len();
    assert_eq!(evidence(&world), 1);
    world.store.reopen(effect_id(1)).expect("known");
    let kept = world.store.reader().last_episodes(9).expect("readable");
    assert_eq!(kept.iter().map(|recorded| recorded.notes.is_forgotten).collect::<Vec<_>>(), [true], "written for ever");
    world.pass_with(&bringing(tick + 1), &at_tick(tick + 1)).expect("room");
    let shelf = world.store.shelf().expect("readable");
    let counted = distil::group(&shelf.episodes).into_values().next().expect("a group");
    assert_eq!(counted.all.len(), 1, "counted once");
}

/// G-142, G-117, G-141: the Curator's own cycle, from episodes to a statement with its parents, through the file.
#[test]
fn g_142_a_cycle_distils_what_was_lived_and_notes_it() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    world.pass_with(&input(1), &lived(1, "USDC/WETH", &[true; 5])).expect("room");
    world.live_to(50);
    let shelf = world.store.shelf().expect("readable");
    let wanted = run_curator(&shelf, 50);
    assert_eq!(wanted.report.added, 1);
    let curated =
        world.store.land_cycle(&Cycle::new(curate_effect(50), at(50), &shelf, &wanted, None)).expect("landed");
    assert_eq!((curated.added, curated.active + curated.candidates), (1, 1));
    let after = world.store.shelf().expect("readable");
    assert_eq!(after.grimoire, wanted.grimoire);
    assert!(after.episodes.iter().all(|recorded| recorded.notes.is_consolidated));
    let entry = after.grimoire.living().next().expect("a statement").id;
    assert!(after.episodes.iter().all(|recorded| recorded.notes.entries == BTreeSet::from([entry])));
    assert_eq!(after.last_cycle, Some(at(50)));
    let history = world.store.reader().history(entry).expect("readable");
    assert_eq!(history.first().map(|change| change.what.as_str()), Some("added"));
    // Nothing new: the next cycle adds nothing (G-144).
    let again = run_curator(&after, 100);
    assert_eq!(again.report.added, 0);
}

/// G-069, GG-5: archived and restored through the file, an entry is what it would have been without.
#[test]
fn g_069_archive_and_restore_are_inverse_through_the_store() {
    let (_folder, path) = folder();
    let (_other, beside) = folder();
    let (mut one, mut other) = (World::create(&path), World::create(&beside));
    for world in [&mut one, &mut other] {
        land_changes(&mut world.store, 50, &active("a", "gas falls at night"), None).expect("landed");
    }
    let name = id("a");
    land_changes(&mut one.store, 100, &[Change::Archive { id: name, reason: ArchiveReason::Decayed }], None)
        .expect("landed");
    assert_eq!(one.store.entry(name).expect("readable").expect("kept").status(), Status::Archived);
    land_changes(&mut one.store, 150, &[Change::Restore { id: name, votes: Votes::UP }], None).expect("landed");
    land_changes(&mut other.store, 150, &[Change::Vote { id: name, votes: Votes::UP }], None).expect("landed");
    assert_eq!(one.store.entry(name).expect("readable"), other.store.entry(name).expect("readable"));
    let words: Vec<String> =
        one.store.reader().history(name).expect("readable").into_iter().map(|change| change.what).collect();
    assert_eq!(words, ["added", "promoted", "archived", "restored"]);
}

/// G-070, C10: nothing of what it said is left of a burned entry but its line.
#[test]
fn g_070_a_burned_entry_leaves_one_line() {
    let Lived { folder: _folder, path, mut world } = fresh();
    let summary = "the first of it ".repeat(8)[..120].to_owned();
    let content = format!("{summary} and the quicksilver secret");
    land_changes(&mut world.store, 50, &active("a", &content), None).expect("landed");
    land_changes(&mut world.store, 100, &[Change::Burn { id: id("a"), reason: BurnReason::Superseded }], None)
        .expect("landed");
    assert!(
        matches!(world.store.entry(id("a")).expect("readable"), Some(Entry::Burned(burned)) if burned.summary == summary)
    );
    assert!(!contents(&path).iter().any(|row| row.contains("quicksilver")));
    assert_eq!(world.store.recall(&crate::mind::asked("quicksilver", 5)).expect("readable").hits, []);
}

/// G-144, G-083, G-079, G-081: evidence is kept once for its cause and used up once; retrieval strengthens nothing.
#[test]
fn g_144_evidence_counts_once_and_retrieval_strengthens_nothing() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    land_changes(&mut world.store, 50, &active("a", "gas falls at night"), None).expect("landed");
    let (name, cause) = (id("a"), |number: u8| B256::repeat_byte(number));
    for _ in 0..2 {
        world.store.vote(cause(1), name, Votes::UP).expect("kept");
        world.store.vote(cause(2), name, Votes::DOWN).expect("kept");
        world.store.check(cause(1), name, true).expect("kept");
        let good = Reinforcement::Live(LiveResult { pnl_micros: 5, risk_improved: false });
        world.store.reinforce(cause(1), name, good).expect("kept");
    }
    let shelf = world.store.shelf().expect("readable");
    assert_eq!(shelf.votes.get(&name), Some(&Votes { up: 1, down: 1 }));
    assert_eq!(shelf.checks, [(name, true)]);
    let strength = |world: &World| {
        let entry = world.store.entry(name).expect("readable").expect("there");
        let known = entry.knowledge().expect("alive").clone();
        (known.strength, known.access_count, known.useful_count, known.last_accessed)
    };
    assert_eq!(strength(&world), (Strength::from_hundredths(200), 0, 1, Tick::new(1)));
    world.store.mark_accessed(&[name, id("nobody")], Tick::new(60)).expect("kept");
    assert_eq!(strength(&world), (Strength::from_hundredths(200), 1, 1, Tick::new(60)), "G-081");
    assert_eq!(
        refusal(world.store.vote(cause(3), id("nobody"), Votes::UP).expect_err("nobody")),
        Refusal::Unknown { id: id("nobody") }
    );
    // What was told after the look waits for the next cycle; what was retrieved in between is kept.
    let wanted = run_curator(&shelf, 100);
    world.store.vote(cause(4), name, Votes::UP).expect("kept");
    world.store.mark_accessed(&[name], Tick::new(99)).expect("kept");
    world.store.land_cycle(&Cycle::new(curate_effect(100), at(100), &shelf, &wanted, None)).expect("landed");
    let after = world.store.shelf().expect("readable");
    assert_eq!((after.votes.get(&name), after.checks.len()), (Some(&Votes::UP), 0));
    assert_eq!(strength(&world).1, 2);
    assert_eq!(after.grimoire.get(name).and_then(Entry::knowledge).expect("alive").validated, 1);
}

/// G-174, G-175: a hundred an hour of one sender, two hundred of all; the rest waits on disk, first come first served.
#[test]
fn g_174_an_hour_has_room_for_so_many() {
    let Lived { folder: _folder, path, mut world } = fresh();
    let say = |number: u32| arriving(&format!("pool {number} pays 3 bps above 40 gwei"), Provenance::Clade, sibling());
    let arrived = world.store.ingest((0..130).map(say).collect(), at(1)).expect("landed");
    let judged = |arrived: &[Arrived]| arrived.iter().filter(|one| matches!(one, Arrived::Judged { .. })).count();
    assert_eq!((judged(&arrived), arrived.len()), (100, 130));
    drop(world);
    let mut store = SqliteStore::open(&path, Some(&golem())).expect("a memory");
    assert_eq!(judged(&store.ingest(vec![say(999)], at(2)).expect("landed")), 0, "the same hour");
    let later = store.ingest(vec![say(1_000)], at(1 + 90)).expect("landed");
    assert_eq!(judged(&later), 32, "those that waited and the new one");
    let shelf = store.shelf().expect("readable");
    assert_eq!(shelf.grimoire.candidates().count(), 132);
    assert_eq!(shelf.grimoire.active_count(), 0);
    // The same words again are known, and confirm once for each sibling (G-079).
    store.ingest(vec![say(0), say(0)], at(300)).expect("landed");
    let strengths: Vec<u32> =
        store.shelf().expect("readable").grimoire.living().map(|known| known.strength.hundredths()).collect();
    assert_eq!(strengths.iter().filter(|strength| **strength == 175).count(), 1);
    assert_eq!(strengths.len(), 132);
}

/// I-092: ten thousand may wait, of one load as of many; a load that brings more is refused whole, and whoever is let in makes room.
#[test]
fn i_092_ten_thousand_wait_and_not_one_more() {
    let Lived { folder: _folder, world: mut flooded, .. } = fresh();
    let say = |number: u32| arriving(&format!("pool {number} pays 3 bps above 40 gwei"), Provenance::Clade, sibling());
    let full = |refused: StoreError| assert_eq!(refusal(refused), Refusal::QueueFull { waiting: 10_000 });
    full(flooded.store.ingest((0..10_101).map(say).collect(), at(1)).expect_err("one too many"));
    assert_eq!(flooded.store.reader().grimoire_stats(Tick::new(1)).expect("read").waiting, 0, "nothing of it landed");
    flooded.store.ingest((0..10_100).map(say).collect(), at(1)).expect("landed");
    full(flooded.store.ingest(vec![say(10_100)], at(2)).expect_err("none is let in within the hour"));
    full(flooded.store.ingest((20_000..20_101).map(say).collect(), at(1 + 90)).expect_err("a hundred were let in"));
    flooded.store.ingest((20_000..20_100).map(say).collect(), at(1 + 90)).expect("as many as left");
    assert_eq!(flooded.store.reader().grimoire_stats(Tick::new(91)).expect("read").waiting, 10_000);
}

/// Who sends in which order; interleaved they take turns.
fn sends(counts: &[(&str, u32)], interleaved: bool) -> Vec<Arriving> {
    let say = |name: &str, number: u32| {
        let sender = GolemId::new(name).expect("a name");
        arriving(&format!("pool {number} of {name} pays 3 bps above 40 gwei"), Provenance::Clade, sender)
    };
    if !interleaved {
        return counts.iter().flat_map(|(name, count)| (0..*count).map(move |number| say(name, number))).collect();
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let turn =
        |number: u32| counts.iter().filter(move |(_, count)| number < *count).map(move |(name, _)| say(name, number));
    (0..most).flat_map(turn).collect()
}

/// I-091, I-092, I-094, I-095, I-363: W-24, W-25, W-26, W-27, W-30. An hour takes 200 and 100 of one sender, the rest waits in the order it
/// came, and one whose sender has used up its share holds up nobody else.
#[test]
fn i_091_w_24_to_w_30_arrivals_wait_for_their_window() {
    type Windows<'a> = &'a [&'a [(&'a str, usize)]];
    let even: &[(&str, usize)] = &[("a", 40), ("b", 40), ("c", 40), ("d", 40), ("e", 40)];
    let five = [("a", 200), ("b", 200), ("c", 200), ("d", 200), ("e", 200)];
    let cases: [(&str, Vec<Arriving>, Windows<'_>); 5] = [
        ("W-24", sends(&[("a", 250)], false), &[&[("a", 100)], &[("a", 100)], &[("a", 50)]]),
        ("W-25", sends(&[("a", 90), ("b", 90), ("c", 90)], false), &[&[("a", 90), ("b", 90), ("c", 20)], &[("c", 70)]]),
        ("W-26", sends(&[("a", 150), ("b", 60)], false), &[&[("a", 100), ("b", 60)], &[("a", 50)]]),
        (
            "W-27",
            sends(&[("a", 150), ("b", 150), ("c", 150)], true),
            &[
                &[("a", 67), ("b", 67), ("c", 66)],
                &[("a", 67), ("b", 66), ("c", 67)],
                &[("a", 16), ("b", 17), ("c", 17)],
            ],
        ),
        ("W-30", sends(&five, true), &[even; 5]),
    ];
    for (name, mut arriving, windows) in cases {
        let Lived { folder: _folder, mut world, .. } = fresh();
        let mut before = BTreeMap::<String, usize>::new();
        for (window, expected) in (0u64..).zip(windows) {
            world.store.ingest(std::mem::take(&mut arriving), at(1 + window * 90)).expect("landed");
            let mut after = BTreeMap::<String, usize>::new();
            for known in world.store.shelf().expect("readable").grimoire.living() {
                *after.entry(known.draft.source.origin.to_string()).or_default() += 1;
            }
            let new = after.iter().map(|(who, count)| (who.as_str(), count - before.get(who).unwrap_or(&0)));
            let new: Vec<(&str, usize)> = new.filter(|(_, count)| *count > 0).collect();
            assert_eq!(new, *expected, "{name}, window {window}");
            before = after;
        }
    }
}

/// G-178: what was refused three times is refused unread, also after a restart.
#[test]
fn g_178_the_fourth_time_it_is_not_read() {
    use golem_grimoire::ingest::{Ingested, TurnedAway};
    let (_folder, path) = folder();
    drop(World::create(&path));
    let mut told = Vec::new();
    for hour in 0..4 {
        let mut store = SqliteStore::open(&path, None).expect("a memory");
        let mut one = arriving("the vault pays 9 bps", Provenance::Clade, sibling());
        one.arrival.on_chain = Some(false);
        told.extend(store.ingest(vec![one], at(1 + hour * 90)).expect("judged"));
    }
    let last =
        |one: &Arrived| matches!(one, Arrived::Judged { ingested: Ingested::TurnedAway(TurnedAway::SeenBefore), .. });
    assert_eq!(told.iter().filter(|one| last(one)).count(), 1);
    assert!(last(&told[3]));
}

/// G-108, G-149: what attacks the well known is locked away and comes back to the Curator as it was.
#[test]
fn g_108_quarantine_is_kept_for_the_curator() {
    let Lived { folder: _folder, path, mut world } = fresh();
    let shelf = world.store.shelf().expect("readable");
    let mut wanted = pass(&shelf, &[], at(50));
    let key = PatternKey { tool: "swap".into(), chain: 8453, pair: "USDC/WETH".into() };
    let claim = Some(Finding { key, regime: None, trials: 9, held: 1, earned: None });
    let draft = draft("x fails", Kind::Insight, Provenance::Clade);
    let locked = Quarantined { draft, claim, since: at(9), cycles: 1 };
    wanted.quarantine = vec![locked.clone()];
    world.store.land_cycle(&Cycle::new(curate_effect(50), at(50), &shelf, &wanted, None)).expect("landed");
    let after = world.store.shelf().expect("readable");
    assert_eq!(after.quarantine, [locked]);
    // A cycle that began before is out of step, and nothing of it lands.
    let before = contents(&path);
    let late = Cycle::new(curate_effect(100), at(100), &shelf, &wanted, None);
    let error = refusal(world.store.land_cycle(&late).expect_err("out of step"));
    assert!(matches!(error, Refusal::OutOfStep { .. }), "{error}");
    assert_eq!(contents(&path), before);
}

/// G-162, G-165: every version of PLAYBOOK.md is kept with its cycle, time, text and hash.
#[test]
fn g_165_every_version_of_the_playbook_is_kept() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    let mut playbook = Playbook::default();
    let writership = Writership { dreams: false, is_dying: false, phase: Phase::Stable };
    for version in 1..=3u64 {
        let rule = WrittenRule {
            id: id("h"),
            when: format!("gas is above {version} gwei"),
            act: "wait".into(),
            because: "gas falls".into(),
            confidence: golem_grimoire::confidence::Confidence::of(800_000),
            regime: None,
            evidence: lived(1, "a", &[true]).iter().map(|episode| episode.id).collect(),
            open_question: None,
        };
        let cycle = format!("curator-{version}");
        let edits = [Edit::Put { section: RuleSection::Global, rule }];
        let revision = playbook.pen(Holder::Curator, writership).expect("the writer").commit(&cycle, &edits);
        let event = revision.expect("sound").expect("a change").event;
        let revised = Revised { playbook: playbook.clone(), cycle, event };
        let curated = land_changes(&mut world.store, version * 50, &[], Some(&revised)).expect("landed");
        assert_eq!((curated.playbook_version, curated.rules), (version, 1));
    }
    let versions = world.store.playbook_versions().expect("readable");
    assert_eq!(
        versions.iter().map(|header| (header.version, header.cycle.as_str(), header.at)).collect::<Vec<_>>(),
        [(1, "curator-1", at(50)), (2, "curator-2", at(100)), (3, "curator-3", at(150)),]
    );
    let second = world.store.playbook(Some(2)).expect("readable").expect("kept");
    assert!(second.text.contains("above 2 gwei") && second.header.hash == keccak256(&second.text));
    assert_eq!(world.store.playbook(None).expect("readable").expect("kept").playbook, playbook);
    assert_eq!(world.store.playbook(Some(9)).expect("readable"), None);
    let stale = Revised {
        playbook,
        cycle: "again".into(),
        event: golem_grimoire::event::GrimoireEvent::PlaybookEvolved { edits: 1, cycle: "again".into() },
    };
    let error = refusal(land_changes(&mut world.store, 200, &[], Some(&stale)).expect_err("not newer"));
    assert_eq!(error, Refusal::PlaybookVersion { got: 3, last: 3 });
    assert_eq!(world.store.curated(curate_effect(200)).expect("readable"), None);
}

/// G-077: what erodes is what was active; a candidate that is archived was never known.
#[test]
fn g_077_candidates_do_not_erode() {
    let Lived { folder: _keep, mut world, .. } = fresh();
    let sent = |name: &str| Change::Add(candidate(name, draft(name, Kind::Insight, Provenance::Clade), at(1)));
    let [joins, promoted] = active("a", "a holds");
    let changes = [joins, promoted, sent("b"), sent("c")];
    land_changes(&mut world.store, 50, &changes, None).expect("room");
    let gone = |name: &str| Change::Archive { id: id(name), reason: ArchiveReason::Capacity };
    let faded = land_changes(&mut world.store, 100, &[gone("b"), gone("c")], None).expect("room");
    assert_eq!((faded.archived, faded.archived_recently), (2, 0));
    let lost = land_changes(&mut world.store, 150, &[gone("a")], None).expect("room");
    assert_eq!((lost.archived, lost.archived_recently), (1, 1));
}

/// G-143: the store counts fresh episodes as the Curator does, whatever they are of.
#[test]
fn g_143_the_store_knows_when_episodes_are_ripe() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    let ripe = |world: &World| {
        let shelf = world.store.reader().shelf().expect("readable");
        assert_eq!(world.store.is_ripe().expect("readable"), distil::is_due_early(&shelf.episodes));
        world.store.is_ripe().expect("readable")
    };
    assert!(!ripe(&world), "nothing was lived");
    world.pass_with(&input(1), &lived(1, "A/B", &[true; 9])).expect("room");
    world.pass_with(&input(2), &lived(2, "C/D", &[true; 9])).expect("room");
    assert!(!ripe(&world), "nine of each");
    world.pass_with(&input(3), &lived(3, "A/B", &[false])).expect("room");
    assert!(ripe(&world), "ten of one");
    let shelf = world.store.reader().shelf().expect("readable");
    let done = run_curator(&shelf, 50);
    world.store.land_cycle(&Cycle::new(curate_effect(50), at(50), &shelf, &done, None)).expect("landed");
    assert!(!ripe(&world), "looked at");
}
