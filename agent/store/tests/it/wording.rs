//! Full text against the plain way: SQLite's own ranking, joined, sorted and cut off, and every answer scored by itself.

use std::collections::BTreeSet;
use std::path::Path;

use golem_grimoire::id::EntryId;
use golem_grimoire::kind::Kind;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::shelf::Change;
use golem_grimoire::status::{ArchiveReason, Status};
use golem_ports::{Asked, Filter, Memory, SearchOrder, Vector};
use golem_primitives::Ppm;
use golem_store::{Reader, SqliteStore};
use proptest::prelude::*;
use rusqlite::Connection;

use crate::mind::{asked, at, candidate, draft, id, land_changes, model};
use crate::world::{Lived, fresh, now};

/// Some stems in two forms, one word many have, signs, and letters with marks.
const WORDS: &str = "gas pool pools pays paying the the the Größe grosse café cafe USDC/WETH 40 gwei a.b-c liquidation \
                     liquidations \"quoted\" 東京";

/// As a person would write it: rank every match, join, filter, sort, cut.
fn plainly(path: &Path, text: &str, count: usize, filter: &Filter) -> Vec<(EntryId, f64)> {
    let words: Vec<String> = text
        .split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| format!("\"{word}\""))
        .collect();
    if words.is_empty() {
        return Vec::new();
    }
    let statuses: Vec<String> = filter.statuses().iter().map(|status| format!("'{}'", status.name())).collect();
    let kinds: Vec<String> = filter.kinds.iter().map(|kind| format!("'{}'", kind.name())).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!("AND e.kind IN ({})", kinds.join(", ")) };
    let sql = format!(
        "SELECT e.id, t.rank FROM entries_text t JOIN entries e ON e.place = t.rowid
         WHERE entries_text MATCH ?1 AND e.status IN ({}) {kinds} ORDER BY t.rank, e.id LIMIT ?2",
        statuses.join(", ")
    );
    let connection = Connection::open(path).expect("a file");
    let mut statement = connection.prepare(&sql).expect("a statement");
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, [u8; 16]>(0)?, -row.get::<_, f64>(1)?));
    let rows = statement.query_map((words.join(" OR "), count as i64), read).expect("asked");
    let named = rows.map(|row| row.expect("a row"));
    named.map(|(id, score)| (EntryId::from_be_bytes(id).expect("a name"), score)).collect()
}

fn statement() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS.split_whitespace().collect::<Vec<_>>()), 1..12)
        .prop_map(|words| words.join(" "))
}

/// Of every seventh a candidate stays, of every fifth a warning, and of every eleventh nothing but its archive.
fn stock(store: &mut SqliteStore, tick: u64, statements: &[String]) {
    let mut changes = Vec::new();
    for (place, said) in statements.iter().enumerate() {
        let name = format!("{tick}/{place}");
        let kind = if place % 5 == 0 { Kind::Warning } else { Kind::Insight };
        changes.push(Change::Add(candidate(&name, draft(said, kind, Provenance::Own), at(1))));
        if place % 7 != 0 {
            changes.push(Change::Promote { id: id(&name), fitness: Ppm::ONE });
        }
        if place % 11 == 10 {
            changes.push(Change::Archive { id: id(&name), reason: ArchiveReason::Decayed });
        }
    }
    land_changes(store, tick, &changes, None).expect("landed");
}

fn filters() -> impl Strategy<Value = Filter> {
    let warnings = Filter { kinds: BTreeSet::from([Kind::Warning]), ..Filter::default() };
    let archived = Filter { statuses: BTreeSet::from([Status::Archived]), ..Filter::default() };
    let all = Filter { statuses: Status::ALL.iter().copied().collect(), ..Filter::default() };
    prop::sample::select(vec![Filter::default(), warnings, archived, all])
}

/// The answers by words: name and score by place in full text, whatever order they are told in.
fn by_words(store: &SqliteStore, asked: &Asked) -> Vec<(EntryId, f64)> {
    let mut hits = store.recall(asked).expect("readable").hits;
    hits.sort_by_key(|hit| hit.text_rank);
    hits.iter().filter(|hit| hit.text_rank.is_some()).filter_map(|hit| Some((hit.entry.id(), hit.bm25?))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// G-094: what is found by words, its order and its scores are to the last bit what SQLite's own ranking finds, also
    /// when few of the best may answer, and after more was written.
    #[test]
    fn g_094_words_find_what_the_plain_way_finds(
        first in prop::collection::vec(statement(), 1..60),
        second in prop::collection::vec(statement(), 0..20),
        questions in prop::collection::vec((statement(), filters(), 1usize..5), 1..4),
    ) {
        let Lived { folder: _folder, path, mut world } = fresh();
        for (tick, statements) in [(50, &first), (100, &second)] {
            stock(&mut world.store, tick, statements);
            for (text, filter, limit) in &questions {
                // Everything that is fetched is told, so that nothing is hidden behind the order of answers.
                let mut asked = asked(text, *limit);
                asked.filter = filter.clone();
                let fetched = asked.query.fetch().max(20);
                let plain = plainly(&path, text, fetched, filter);
                asked.query.limit = usize::MAX / 8;
                let all = by_words(&world.store, &asked);
                prop_assert_eq!(&all[..plain.len()], &plain[..], "{}", text);
                prop_assert_eq!(&all, &plainly(&path, text, 1_000, filter), "{}", text);
            }
        }
    }

    /// G-087, G-094: a whole recall is what scoring each of the plain finds by the law gives, in either order.
    #[test]
    fn g_087_a_whole_recall_is_what_the_plain_way_gives(
        statements in prop::collection::vec(statement(), 1..60),
        (text, turn) in (statement(), 0usize..3),
        is_hybrid in any::<bool>(),
    ) {
        let Lived { folder: _folder, path, mut world } = fresh();
        stock(&mut world.store, 50, &statements);
        let shelf = world.store.shelf().expect("readable");
        let vectors: Vec<_> = shelf.grimoire.living().enumerate().map(|(place, known)| {
            (known.id, vec![1.0, (place % 13) as f32 / 5.0, (place % 7) as f32 / 3.0])
        }).collect();
        let model = model("small", 3);
        world.store.keep_vectors(&model, &vectors, now(51)).expect("kept");
        let mut values = vec![0.2f32; 3];
        values[turn] = 1.0;
        let vector = Vector { model, values };
        let order = if is_hybrid { SearchOrder::Hybrid } else { SearchOrder::Canonical };
        let asked = Asked { vector: Some(vector.clone()), order, ..asked(&text, 5) };
        let answer = world.store.recall(&asked).expect("readable");
        let words = plainly(&path, &text, 20, &asked.filter);
        let near = Reader::open(&path).expect("a file").nearest(&vector, 20, &asked.filter).expect("readable");
        let found: BTreeSet<EntryId> = words.iter().map(|(id, _)| *id).chain(near.iter().map(|(id, _)| *id)).collect();
        prop_assert_eq!(answer.hits.len(), found.len().min(5));
        let everyone = reader_scores(&path, &asked, &found);
        for hit in &answer.hits {
            let place = |list: Vec<EntryId>| list.iter().position(|id| *id == hit.entry.id()).map(|place| place as u32 + 1);
            prop_assert_eq!(hit.text_rank, place(words.iter().map(|(id, _)| *id).collect()));
            prop_assert_eq!(hit.vector_rank, place(near.iter().map(|(id, _)| *id).collect()));
            let known = hit.entry.knowledge().expect("living");
            let lawful = asked.query.explain(&asked.law.recall, known, f64::from(hit.cosine.expect("a vector")));
            prop_assert_eq!((hit.explanation, hit.score), (lawful, lawful.score()));
        }
        if !is_hybrid {
            let told: Vec<EntryId> = answer.hits.iter().map(|hit| hit.entry.id()).collect();
            prop_assert_eq!(told, everyone.into_iter().take(5).collect::<Vec<_>>());
        }
    }
}

/// All that was found, by the law's base score, each with its own cosine.
fn reader_scores(path: &Path, asked: &Asked, found: &BTreeSet<EntryId>) -> Vec<EntryId> {
    let reader = Reader::open(path).expect("a file");
    let vector = asked.vector.clone().expect("a vector");
    let all = reader.nearest(&vector, usize::MAX / 8, &asked.filter).expect("readable");
    let mut scored: Vec<_> = all
        .into_iter()
        .filter(|(id, _)| found.contains(id))
        .map(|(id, cosine)| {
            let entry = reader.entry(id).expect("readable").expect("there");
            let known = entry.knowledge().expect("living");
            (asked.query.explain(&asked.law.recall, known, f64::from(cosine)).score(), id)
        })
        .collect();
    scored.sort_by(|(a, first), (b, second)| b.cmp(a).then(first.cmp(second)));
    scored.into_iter().map(|(_, id)| id).collect()
}

/// G-002: a question of nothing but signs has no words, a flood of words is cut, and neither is an error.
#[test]
fn g_002_whatever_is_asked_is_looked_for_as_words() {
    let Lived { folder: _folder, path, mut world } = fresh();
    stock(&mut world.store, 50, &["a candidate", "the pool pays", "gas", "the café"].map(str::to_owned));
    let reader = Reader::open(&path).expect("a file");
    for (text, hits) in [("", 0), ("- \" * ()", 0), ("cafe", 1), ("NEAR(the", 2), ("\u{0}", 0), ("\u{301}", 0)] {
        assert_eq!(reader.recall(&asked(text, 9)).expect("readable").hits.len(), hits, "{text:?}");
    }
    let flood = format!("{} gas", "pool ".repeat(100));
    assert_eq!(reader.recall(&asked(&flood, 9)).expect("readable").hits.len(), 1, "the last word is beyond the most");
}
