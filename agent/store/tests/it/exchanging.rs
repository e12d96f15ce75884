//! Lists, lookups, numbers, exports, imports and the audit: what people ask of a Grimoire.

use std::collections::BTreeSet;

use golem_grimoire::kind::{Domain, Kind};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::shelf::Change;
use golem_grimoire::status::{ArchiveReason, BurnReason, Entry, Status};
use golem_ports::{Arrived, Filter, Memory};
use golem_primitives::{Ppm, Tick};
use golem_store::{Import, ImportReason, Lookup, Reader};
use proptest::prelude::*;

use crate::mind::{active, at, candidate, draft, id, land_changes, model};
use crate::world::{Lived, World, effect_id, fresh, input, now, tamper, verified};

fn stocked() -> Lived {
    let mut lived = fresh();
    let mut warning = draft("The bridge of 3 validators halts above 90 gwei", Kind::Warning, Provenance::Clade);
    warning.domain = Domain::CrossChain;
    let changes: Vec<Change> = active("a", "Gas falls 4 gwei at night")
        .into_iter()
        .chain(active("b", "Spreads of USDC/WETH widen by 9 bps before a rebase"))
        .chain(active("c", "Pools of 5 bps drain first"))
        .chain([
            Change::Add(candidate("w", warning, at(1))),
            Change::Archive { id: id("b"), reason: ArchiveReason::Decayed },
            Change::Burn { id: id("c"), reason: BurnReason::Superseded },
        ])
        .collect();
    land_changes(&mut lived.world.store, 50, &changes, None).expect("landed");
    lived
}

fn exported(world: &World) -> Vec<u8> {
    let mut lines = Vec::new();
    assert_eq!(world.store.reader().export_entries(&Filter::default(), &mut lines).expect("written"), 3);
    lines
}

/// G-049, G-039: listed by filter and page, found by the beginning of a name.
#[test]
fn g_049_entries_are_listed_and_looked_up() {
    let Lived { folder: _folder, path, world } = stocked();
    let reader = world.store.reader();
    let names = |filter: &Filter, after, limit| -> Vec<_> {
        reader.list(filter, after, limit).expect("readable").iter().map(Entry::id).collect()
    };
    let all = Filter::default();
    let whole = names(&all, None, 9);
    assert_eq!(BTreeSet::from_iter(whole.clone()), BTreeSet::from([id("a"), id("b"), id("w")]));
    let first = names(&all, None, 2);
    assert_eq!([first.clone(), names(&all, first.last().copied(), 2)].concat(), whole);
    let archived = Filter { statuses: BTreeSet::from([Status::Archived]), ..Filter::default() };
    assert_eq!(names(&archived, None, 9), [id("b")]);
    assert_eq!(names(&Filter { domain: Some(Domain::CrossChain), ..all }, None, 9), [id("w")]);
    let whole = id("c").to_string();
    assert!(matches!(reader.lookup(&whole).expect("readable"), Lookup::One(entry) if entry.status() == Status::Burned));
    // All were made in one second: their names begin alike.
    assert!(matches!(reader.lookup(&whole[..8]).expect("readable"), Lookup::Several(ids) if ids.len() == 4));
    let unique = (9..36).find_map(|end| match reader.lookup(&whole[..end]).expect("readable") {
        Lookup::One(entry) => Some(entry.id()),
        _ => None,
    });
    assert_eq!(unique, Some(id("c")));
    for nothing in ["", "-", "zz", "ffffffff", "' OR 1=1"] {
        assert!(!matches!(reader.lookup(nothing).expect("readable"), Lookup::One(_)), "{nothing}");
    }
    drop(Reader::open(&path).expect("a file"));
}

/// G-156, G-171: the Grimoire in numbers.
#[test]
fn g_156_the_grimoire_in_numbers() {
    let Lived { folder: _folder, mut world, .. } = stocked();
    world.store.keep_vectors(&model("m", 4), &[(id("a"), vec![1.0; 4])], now(51)).expect("kept");
    let stats = world.store.reader().grimoire_stats(Tick::new(60)).expect("counted");
    let count = |map: &std::collections::BTreeMap<String, u64>, word: &str| map.get(word).copied().unwrap_or(0);
    assert_eq!(["active", "candidate", "archived", "burned"].map(|word| count(&stats.by_status, word)), [1, 1, 1, 1]);
    assert_eq!((count(&stats.by_kind, "warning"), count(&stats.by_kind, "insight")), (1, 1));
    assert_eq!((count(&stats.by_domain, "cross_chain"), count(&stats.by_provenance, "clade")), (1, 1));
    assert_eq!((stats.confidence.iter().sum::<u64>(), stats.quality.iter().sum::<u64>()), (2, 2));
    assert_eq!(stats.confidence[7], 1, "own knowledge begins at 0.7");
    assert_eq!((stats.open_questions, stats.question_ratio), (0, Some(Ppm::ZERO)));
    let embedding = stats.embedding.active.expect("a model");
    assert_eq!((embedding.done, embedding.total), (1, 2));
    assert_eq!(stats.cycles.len(), 1);
    assert_eq!((stats.is_survival_healthy, stats.is_hit_rate_healthy), (None, None));
    world.store.mark_accessed(&[id("a")], Tick::new(60)).expect("kept");
    let stats = world.store.reader().grimoire_stats(Tick::new(60)).expect("counted");
    assert_eq!(stats.is_hit_rate_healthy, Some(false));
}

/// G-175, G-053, G-056: what one Golem exports another takes in at the gate, as candidates of that source.
#[test]
fn g_175_an_import_stands_at_the_gate() {
    let Lived { folder: _folder, world, .. } = stocked();
    let lines = exported(&world);
    let import = Import::read(&mut &lines[..]).expect("whole");
    assert_eq!((import.golem, import.drafts.len()), (*golem_ports::Store::golem(&world.store), 3));
    let Lived { folder: _other, world: mut heir, .. } = fresh();
    let arrived = heir.store.import(import.clone(), Provenance::Inheritance, at(9)).expect("landed");
    assert_eq!(arrived.iter().filter(|one| matches!(one, Arrived::Judged { .. })).count(), 3);
    let shelf = heir.store.shelf().expect("readable");
    assert!(shelf.grimoire.candidates().count() > 0 && shelf.grimoire.active_count() == 0);
    for known in shelf.grimoire.living() {
        assert_eq!(known.draft.source.provenance, Provenance::Inheritance);
    }
    let before = shelf.grimoire.entries().count();
    heir.store.import(import, Provenance::Inheritance, at(200)).expect("landed");
    assert_eq!(heir.store.shelf().expect("readable").grimoire.entries().count(), before, "known already");
}

/// an export of chosen entries keeps its bound, leaves out what does not fit, and proves itself all the same.
#[test]
fn r_034_an_export_of_chosen_entries_is_bounded() {
    let Lived { folder: _folder, world, .. } = stocked();
    let reader = world.store.reader();
    let all = reader.list(&Filter::default(), None, usize::MAX).expect("readable");
    let whole = String::from_utf8(exported(&world)).expect("text");
    let sizes: Vec<usize> = whole.lines().skip(1).take(all.len()).map(str::len).collect();
    let total: usize = sizes.iter().sum();
    for room in [0, sizes[0] - 1, sizes[0], sizes[0] + sizes[1], total - 1, total, usize::MAX] {
        let mut text = Vec::new();
        let written = reader.export_these(&all, room, &mut text).expect("written");
        let read = Import::read(&mut &text[..]).expect("it proves itself");
        assert_eq!(read.drafts.len() as u64, written);
        let lines = String::from_utf8(text).expect("text");
        let used: usize = lines.lines().skip(1).take(read.drafts.len()).map(str::len).sum();
        assert!(used <= room, "{used} of {room}");
        assert_eq!(written == all.len() as u64, room >= total, "{room}");
    }
}

/// An export that is foreign, newer, cut off or altered is refused with its line, and nothing of it is taken in.
#[test]
fn g_175_an_import_that_does_not_prove_itself_is_refused() {
    let Lived { folder: _folder, world, .. } = stocked();
    let text = String::from_utf8(exported(&world)).expect("text");
    let read = |text: &str| Import::read(&mut text.as_bytes()).expect_err("not to be believed");
    assert_eq!((read("").line, read("").reason), (1, ImportReason::Foreign));
    assert_eq!(read("{\"a\":1}\n").reason, ImportReason::Foreign);
    let newer = text.replacen("\"version\":1", "\"version\":2", 1);
    assert_eq!((read(&newer).line, read(&newer).reason), (1, ImportReason::Newer { found: 2 }));
    let lines: Vec<&str> = text.lines().collect();
    let cut = lines[..lines.len() - 1].join("\n") + "\n";
    assert_eq!((read(&cut).line, read(&cut).reason), (5, ImportReason::Truncated));
    let altered = text.replacen("4 gwei", "5 gwei", 1);
    assert_eq!((read(&altered).line, read(&altered).reason), (5, ImportReason::Altered));
    let more = format!("{text}{}\n", lines[1]);
    assert_eq!(read(&more).reason, ImportReason::Altered);
    let broken = text.replacen(lines[2], "{\"id\":7}", 1);
    assert!(
        matches!(read(&broken), error if error.line == 3 && matches!(error.reason, ImportReason::Malformed { .. }))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Wherever an export is cut off, it is refused.
    #[test]
    fn g_175_a_truncated_import_is_refused_wherever_it_ends(share in 0f64..1.0) {
        let Lived { folder: _folder, world, .. } = stocked();
        let lines = exported(&world);
        let end = (lines.len() as f64 * share) as usize;
        Import::read(&mut &lines[..end]).expect_err("cut off");
    }
}

/// I-362, G-006, G-032, G-119, G-124, G-070, G-002, G-165: the audit names what no life can have written.
#[test]
fn g_049_the_audit_names_what_is_wrong() {
    let spoil = |sql: &str| {
        let Lived { folder: _folder, path, mut world } = stocked();
        world.store.keep_vectors(&model("m", 4), &[(id("a"), vec![1.0; 4])], now(51)).expect("kept");
        world.pass_with(&input(1), &crate::mind::lived(1, "x", &[true])).expect("room");
        assert_eq!(world.store.reader().audit().expect("readable"), vec![]);
        drop(world);
        tamper(&path, sql);
        let flaws = Reader::open(&path).expect("a file").audit().expect("readable");
        flaws.into_iter().map(|flaw| flaw.law).collect::<BTreeSet<_>>()
    };
    for (sql, law) in [
        ("UPDATE entries SET candidate_at = recorded_at + 99999 WHERE status = 'active'", "I-362"),
        ("DELETE FROM changes", "I-362"),
        (
            "UPDATE entries SET parents = '[\"0192f0c1-5b00-7abc-8def-0123456789ab\"]' WHERE provenance <> 'clade'",
            "G-032",
        ),
        ("UPDATE entries SET kind = 'poem', domain = 'poetry'", "G-049"),
        ("UPDATE vectors SET vector = x'0000c07f0000c07f0000c07f0000c07f'", "G-006"),
        ("UPDATE vectors SET vector = x'00000000'", "G-006"),
        ("UPDATE vectors SET entry = x'00000000000070008000000000000000'", "G-006"),
        ("UPDATE entries SET content = 'other words altogether' WHERE status = 'active'", "G-002"),
        ("DELETE FROM annotations", "G-119"),
        ("INSERT INTO burned SELECT 99, id, kind, 'x', 1, 1, 'death', NULL FROM entries LIMIT 1", "G-070"),
        ("INSERT INTO playbooks VALUES (1, 'c', 1, 1, 0, zeroblob(32), 'x')", "G-165"),
    ] {
        let found = spoil(sql);
        assert!(found.contains(law), "{sql}: {found:?}");
    }
}

/// G-124, G-010: a verified outcome that stands wants its episode, from the pass on at which the Grimoire began.
#[test]
fn g_124_an_outcome_without_its_episode_is_found() {
    use golem_grimoire::episode::EpisodeCircumstances;
    use golem_grimoire::finding::PatternKey;
    for lives_it in [true, false] {
        let Lived { folder: _folder, mut world, .. } = fresh();
        world.want(&[crate::world::buy(1)]);
        let outcome = verified(effect_id(1), 1);
        let golem_core::record::OutcomeResult::Verified(record) = &outcome.result else { panic!("verified") };
        let key = PatternKey { tool: "swap".into(), chain: 8453, pair: "USDC/WETH".into() };
        let circumstances =
            EpisodeCircumstances { golem: crate::world::golem(), now: at(2), key, regime: None, emotion: None };
        let episodes = if lives_it {
            circumstances.verified(record, Some(record.receipt.realised_return_micros))
        } else {
            Vec::new()
        };
        let input = golem_core::record::TickInput { outcomes: vec![outcome.clone()], ..input(2) };
        world.pass_with(&input, &episodes).expect("room");
        let flaws = world.store.reader().audit().expect("readable");
        assert_eq!(
            flaws.iter().map(|flaw| flaw.law).collect::<Vec<_>>(),
            if lives_it { vec![] } else { vec!["G-124"] }
        );
    }
}
