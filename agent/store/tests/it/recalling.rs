//! Search: exact, explained, filtered, and never fooled by the words of a question.

use std::collections::BTreeSet;

use golem_grimoire::emotion::{Emotion, EmotionalTag, Pad};
use golem_grimoire::entry::Draft;
use golem_grimoire::kind::{Domain, Kind};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::recall::{Found, Query, recall};
use golem_grimoire::shelf::Change;
use golem_grimoire::status::{ArchiveReason, Status};
use golem_mortality::phase::Phase;
use golem_ports::{Asked, Basis, Hit, Memory, Refusal, SearchOrder, Vector};
use golem_primitives::Ppm;
use golem_store::{Reader, SqliteStore};
use proptest::prelude::*;

use crate::mind::{active, asked, at, candidate, draft, id, land_changes, model};
use crate::world::{Lived, World, fresh, now, refusal};

fn names(found: &golem_ports::SearchAnswer) -> Vec<golem_grimoire::id::EntryId> {
    found.hits.iter().map(|hit| hit.entry.id()).collect()
}

const STATEMENTS: [&str; 4] = [
    "Gas falls at night on weekends",
    "The USDC/WETH pool widens its spread before a rebase",
    "Liquidations cluster after funding turns negative",
    "A swap above 40 gwei loses money",
];

fn stocked() -> Lived {
    let mut lived = fresh();
    let changes: Vec<Change> =
        STATEMENTS.iter().enumerate().flat_map(|(place, said)| active(&place.to_string(), said)).collect();
    land_changes(&mut lived.world.store, 50, &changes, None).expect("landed");
    lived
}

fn with(vector: &[f32], text: &str) -> Asked {
    let vector = Vector { model: model("small", 4), values: vector.to_vec() };
    Asked { vector: Some(vector), ..asked(text, 3) }
}

fn embed(store: &mut SqliteStore) {
    let corner = |place: usize| {
        let mut vector = vec![0.1f32; 4];
        vector[place] = 1.0;
        vector
    };
    let vectors: Vec<_> = (0..4).map(|place| (id(&place.to_string()), corner(place))).collect();
    store.keep_vectors(&model("small", 4), &vectors, now(51)).expect("kept");
}

/// G-094, G-002: without a model the words alone answer, and the answer says so; stems match.
#[test]
fn g_094_words_alone_answer_and_say_so() {
    let Lived { folder: _folder, path, mut world } = stocked();
    let answer = world.store.recall(&asked("liquidation clusters", 3)).expect("readable");
    assert_eq!((names(&answer)[0], answer.basis), (id("2"), Basis::TextForWantOfAVector));
    let hit = &answer.hits[0];
    assert_eq!((hit.text_rank, hit.vector_rank, hit.cosine), (Some(1), None, None));
    assert!(hit.bm25.is_some_and(|score| score > 0.0));
    let answer = world.store.recall(&with(&[1.0, 0.0, 0.0, 0.0], "gas")).expect("readable");
    assert_eq!(answer.basis, Basis::TextForWantOfVectors);
    embed(&mut world.store);
    let answer = world.store.recall(&with(&[0.0, 1.0, 0.0, 0.0], "liquidations")).expect("readable");
    assert_eq!(answer.basis, Basis::Both);
    assert_eq!(answer.hits.iter().find(|hit| hit.entry.id() == id("1")).and_then(|hit| hit.vector_rank), Some(1));
    let words = answer.hits.iter().find(|hit| hit.entry.id() == id("2")).expect("by its words");
    assert!(words.text_rank == Some(1) && words.cosine.is_some());
    assert_eq!(world.store.recall(&with(&[0.0, 1.0, 0.0, 0.0], " ")).expect("readable").basis, Basis::Vectors);
    let nothing = Reader::open(&path).expect("a file").recall(&asked("", 3)).expect("readable");
    assert_eq!((nothing.hits.len(), nothing.basis), (0, Basis::Nothing));
}

/// G-087 to G-091: the store answers exactly as the law scores the same finds, part by part.
#[test]
fn g_087_the_store_scores_as_the_law_does() {
    let Lived { folder: _folder, mut world, .. } = stocked();
    embed(&mut world.store);
    let question = with(&[0.9, 0.4, 0.1, 0.0], "");
    let answer = world.store.recall(&question).expect("readable");
    let found: Vec<Found> = answer
        .hits
        .iter()
        .map(|hit| Found { id: hit.entry.id(), cosine: f64::from(hit.cosine.expect("a vector")) })
        .collect();
    let shelf = world.store.shelf().expect("readable");
    let lawful = recall(&shelf.grimoire, &question.law.recall, &question.query, &found);
    assert_eq!(lawful.len(), 3);
    for (ours, theirs) in answer.hits.iter().zip(&lawful) {
        assert_eq!((ours.entry.id(), ours.score, ours.explanation), (theirs.id, theirs.score, theirs.explanation));
    }
    let hybrid = Asked { order: SearchOrder::Hybrid, ..with(&[0.9, 0.4, 0.1, 0.0], "gas at night") };
    let answer = world.store.recall(&hybrid).expect("readable");
    assert_eq!(names(&answer)[0], id("0"), "first in both lists");
    assert_eq!(answer.hits[0].rerank.fused, 1.0);
    assert!(answer.hits[0].reranked > Ppm::ZERO);
}

/// G-091, G-099: what a decision is told comes by how well its words and its vector match, and by what the law multiplies.
#[test]
fn g_091_what_a_decision_is_told_matches_by_words_and_by_vector() {
    let Lived { folder: _folder, mut world, .. } = stocked();
    embed(&mut world.store);
    let ask = |vector: &[f32], text: &str| Asked { order: SearchOrder::Matched, ..with(vector, text) };
    let answer = world.store.recall(&ask(&[0.9, 0.4, 0.1, 0.0], "gas at night")).expect("readable");
    let best = answer.hits.iter().filter_map(|hit| hit.bm25).fold(0.0, f64::max);
    let score = |hit: &Hit| {
        let vector = hit.cosine.map_or(0.0, f64::from).max(0.0);
        (hit.bm25.unwrap_or(0.0) / best + vector) * hit.explanation.regime * hit.explanation.discount
    };
    let scores: Vec<f64> = answer.hits.iter().map(score).collect();
    assert_eq!(names(&answer)[0], id("0"), "first in both");
    assert!(scores.len() > 1 && scores.is_sorted_by(|a, b| a >= b) && scores[0] > scores[1], "{scores:?}");
    // Each is first in one list and second in the other: ranks tie, what matches by much more words does not.
    let answer = world.store.recall(&ask(&[0.6, 0.0, 0.0, 0.8], "gas at night on weekends, gwei")).expect("readable");
    let ranks = |hit: &Hit| (hit.text_rank, hit.vector_rank);
    assert_eq!(answer.hits[..2].iter().map(ranks).collect::<Vec<_>>(), [(Some(1), Some(2)), (Some(2), Some(1))]);
    assert_eq!(names(&answer)[..2], [id("0"), id("3")]);
}

/// G-088, G-095: of what matches alike, a mood brings up what was felt alike; who feels nothing hears them as they stand.
#[test]
fn g_088_a_mood_colours_what_a_decision_is_told() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    let feeling = |pleasure: f64| EmotionalTag {
        primary: Emotion::Joy,
        pad: Pad::round(pleasure, 0.1, 0.1),
        mood: Pad::NEUTRAL,
        intensity: Ppm::ONE,
        phase: Phase::Stable,
        reactivations: 0,
        since: now(0),
    };
    let felt = |(name, pleasure)| {
        let said = draft("Gas falls at night", Kind::Insight, Provenance::Own);
        let said = Draft { emotion: Some(feeling(pleasure)), ..said };
        [Change::Add(candidate(name, said, at(1))), Change::Promote { id: id(name), fitness: Ppm::ONE }]
    };
    let changes: Vec<Change> = [("glad", 0.8), ("sad", -0.8)].into_iter().flat_map(felt).collect();
    land_changes(&mut world.store, 50, &changes, None).expect("landed");
    let told = |mood: Option<Pad>| {
        let plain = Asked { order: SearchOrder::Matched, ..asked("gas at night", 1) };
        let asked = Asked { query: Query { mood, ..plain.query.clone() }, ..plain };
        names(&world.store.recall(&asked).expect("readable"))
    };
    assert_eq!(told(Some(Pad::round(0.6, 0.1, 0.1))), [id("glad")]);
    assert_eq!(told(Some(Pad::round(-0.6, 0.1, 0.1))), [id("sad")]);
    assert_eq!(told(None).len(), 1);
}

/// G-098, G-121, G-033: only active entries answer a decision; a person may ask for others, by type, state, tag, domain
/// and by what was known at a time.
#[test]
fn g_098_only_active_entries_answer_a_decision() {
    let Lived { folder: _folder, mut world, .. } = stocked();
    let mut tagged = draft("Gas is cheap on Sundays", Kind::Warning, Provenance::Own);
    (tagged.domain, tagged.tags) = (Domain::GasMev, BTreeSet::from(["gas, mev".to_owned()]));
    let changes = [
        Change::Archive { id: id("0"), reason: ArchiveReason::Decayed },
        Change::Add(candidate("new", tagged, at(90))),
    ];
    land_changes(&mut world.store, 100, &changes, None).expect("landed");
    let store = &mut world.store;
    assert_eq!(names(&store.recall(&asked("gas", 9)).expect("readable")), []);
    let mut wide = asked("gas", 9);
    wide.filter.statuses = BTreeSet::from([Status::Archived]);
    assert_eq!(names(&store.recall(&wide).expect("readable")), [id("0")]);
    wide.filter.statuses = Status::ALL.iter().copied().collect();
    assert_eq!(store.recall(&wide).expect("readable").hits.len(), 2);
    let narrow = |change: fn(&mut Asked)| {
        let mut narrowed = wide.clone();
        change(&mut narrowed);
        narrowed
    };
    for (question, expected) in [
        (narrow(|asked| asked.filter.kinds = BTreeSet::from([Kind::Warning])), vec![id("new")]),
        (narrow(|asked| asked.filter.domain = Some(Domain::GasMev)), vec![id("new")]),
        (narrow(|asked| asked.filter.tags = BTreeSet::from(["gas, mev".to_owned()])), vec![id("new")]),
        (narrow(|asked| asked.filter.tags = BTreeSet::from(["gas".to_owned()])), vec![]),
        (narrow(|asked| asked.filter.known_at = Some(now(89))), vec![id("0")]),
    ] {
        assert_eq!(names(&store.recall(&question).expect("readable")), expected, "{:?}", question.filter);
    }
    // The same by vectors.
    embed(store);
    store.keep_vectors(&model("small", 4), &[(id("new"), vec![1.0, 0.0, 0.0, 0.1])], now(101)).expect("kept");
    let near = |change: fn(&mut Asked)| {
        let mut question = with(&[1.0, 0.0, 0.0, 0.0], "");
        question.filter.statuses = Status::ALL.iter().copied().collect();
        change(&mut question);
        question
    };
    let first = |question: &Asked| names(&store.recall(question).expect("readable")).first().copied();
    assert_eq!(first(&near(|asked| asked.filter.tags = BTreeSet::from(["gas, mev".to_owned()]))), Some(id("new")));
    assert_eq!(first(&near(|asked| asked.filter.kinds = BTreeSet::from([Kind::Warning]))), Some(id("new")));
    let decision = store.recall(&with(&[1.0, 0.0, 0.0, 0.0], "")).expect("readable");
    assert!(decision.hits.iter().all(|hit| hit.entry.status() == Status::Active) && decision.hits.len() == 3);
}

/// G-006: a vector that is none is refused with its reason, and nothing is kept.
#[test]
fn g_006_what_is_no_vector_is_refused() {
    let Lived { folder: _folder, mut world, .. } = stocked();
    let (first, small) = (id("0"), model("small", 4));
    for (vector, expected) in [
        (vec![1.0; 3], Refusal::Dimensions { id: first, got: 3, wanted: 4 }),
        (vec![f32::NAN, 0.0, 0.0, 1.0], Refusal::NoDirection { id: first }),
        (vec![f32::INFINITY, 0.0, 0.0, 1.0], Refusal::NoDirection { id: first }),
        (vec![0.0; 4], Refusal::NoDirection { id: first }),
    ] {
        let good = (id("1"), vec![1.0f32; 4]);
        let error = world.store.keep_vectors(&small, &[good, (first, vector)], now(51)).expect_err("no vector");
        assert_eq!(refusal(error), expected);
    }
    let error = world.store.keep_vectors(&small, &[(id("nobody"), vec![1.0; 4])], now(51)).expect_err("nobody");
    assert_eq!(refusal(error), Refusal::Unknown { id: id("nobody") });
    assert_eq!(world.store.embedding_state().expect("readable").active, None, "nothing was kept");
    embed(&mut world.store);
    let other = Asked { vector: Some(Vector { model: model("large", 4), values: vec![1.0; 4] }), ..asked("gas", 3) };
    assert!(matches!(refusal(world.store.recall(&other).expect_err("another model")), Refusal::OtherModel { .. }));
}

/// G-006: another model is gathered beside the one in use and takes its place at once when it is complete, also over
/// restarts; the old one answers until then.
#[test]
fn g_006_a_new_model_takes_over_whole() {
    let Lived { folder: _folder, path, mut world } = stocked();
    embed(&mut world.store);
    let large = model("large", 8);
    let question = with(&[0.0, 1.0, 0.0, 0.0], "");
    let before = names(&world.store.recall(&question).expect("readable"));
    let wanting = world.store.unembedded(&large, 99).expect("readable");
    let texts: BTreeSet<&str> = wanting.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, BTreeSet::from(STATEMENTS));
    drop(world);
    for (done, (name, _)) in wanting.iter().enumerate() {
        let mut store = SqliteStore::open(&path, None).expect("a memory");
        assert_eq!(names(&store.recall(&question).expect("the old one answers")), before);
        let mut vector = vec![0.0f32; 8];
        vector[done] = 3.0;
        let state = store.keep_vectors(&large, &[(*name, vector)], now(60)).expect("kept");
        let next = state.next.map(|progress| (progress.done, progress.total));
        assert_eq!(next, (done < 3).then_some((done as u64 + 1, 4)));
    }
    let store = SqliteStore::open(&path, None).expect("a memory");
    let active = store.embedding_state().expect("readable").active.expect("in use");
    assert_eq!((active.model, active.done, active.total), (large.clone(), 4, 4));
    store.recall(&question).expect_err("the old one is gone");
    let mut values = vec![0.0f32; 8];
    values[2] = 1.0;
    let answer =
        store.recall(&Asked { vector: Some(Vector { model: large, values }), ..asked("", 1) }).expect("readable");
    assert_eq!(answer.hits[0].cosine, Some(1.0), "measured by its own numbers");
    assert_eq!(answer.hits[0].entry.knowledge().expect("alive").embedding.as_ref().expect("marked").model, "large");
}

/// G-006, G-142: a statement that was counted on has other words, and wants another vector.
#[test]
fn g_006_other_words_want_another_vector() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    world.pass_with(&crate::world::input(1), &crate::mind::lived(1, "a", &[true; 4])).expect("room");
    let cycle = |world: &mut World, tick| {
        let shelf = world.store.shelf().expect("readable");
        let wanted = crate::mind::run_curator(&shelf, tick);
        let cycle = golem_ports::Cycle::new(crate::mind::curate_effect(tick), at(tick), &shelf, &wanted, None);
        world.store.land_cycle(&cycle).expect("landed");
    };
    cycle(&mut world, 50);
    let small = model("small", 4);
    let (name, text) = world.store.unembedded(&small, 9).expect("readable").pop().expect("one");
    world.store.keep_vectors(&small, &[(name, vec![1.0; 4])], now(51)).expect("kept");
    assert_eq!(world.store.unembedded(&small, 9).expect("readable"), []);
    world.pass_with(&crate::world::input(2), &crate::mind::lived(60, "a", &[true; 3])).expect("room");
    cycle(&mut world, 100);
    let wanting = world.store.unembedded(&small, 9).expect("readable");
    let (_, new_text) = wanting.iter().find(|(id, _)| *id == name).expect("it wants another vector");
    assert_ne!(*new_text, text);
    assert_eq!(world.store.reader().audit().expect("readable"), vec![]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Words of a question are words, whatever signs are in them: never syntax, never an error.
    #[test]
    fn g_087_no_question_is_syntax(text in "[ -~]{0,40}|(gas|NEAR|OR|AND|NOT|\\*|\\(|\\)|\"|:|\\^|content){0,8}") {
        let Lived { folder: _folder, world, .. } = stocked();
        world.store.recall(&asked(&text, 3)).expect("words");
    }

    /// G-087: through the file, the nearest are exactly the nearest.
    #[test]
    fn g_087_the_file_finds_exactly_the_nearest(
        seed in prop::collection::vec(prop::collection::vec(-1f32..1.0, 16), 4..40),
        question in prop::collection::vec(-1f32..1.0, 16),
    ) {
        prop_assume!(seed.iter().chain([&question]).all(|vector| vector.iter().any(|part| part.abs() > 0.01)));
        let Lived { folder: _folder, mut world, .. } = fresh();
        let changes: Vec<Change> = (0..seed.len()).flat_map(|place| active(&place.to_string(), &format!("it is {place}"))).collect();
        land_changes(&mut world.store, 50, &changes, None).expect("landed");
        let vectors: Vec<_> = seed.iter().enumerate().map(|(place, vector)| (id(&place.to_string()), vector.clone())).collect();
        world.store.keep_vectors(&model("m", 16), &vectors, now(51)).expect("kept");
        let mut question = Asked { vector: Some(Vector { model: model("m", 16), values: question }), ..asked("", 5) };
        // Only nearness counts.
        (question.law.recall.temporal, question.law.recall.importance, question.law.recall.emotional) = (0.0, 0.0, 0.0);
        let length = |vector: &[f32]| vector.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
        let asked = question.vector.as_ref().expect("given").values.clone();
        let cosine = |vector: &[f32]| {
            vector.iter().zip(&asked).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>() / length(vector) / length(&asked)
        };
        let mut plainly: Vec<f64> = seed.iter().map(|vector| cosine(vector)).collect();
        plainly.sort_by(|a, b| b.total_cmp(a));
        let ranked = world.store.recall(&question).expect("readable");
        for (place, hit) in ranked.hits.iter().filter_map(|hit| hit.vector_rank.map(|rank| (rank as usize - 1, hit))) {
            prop_assert!((f64::from(hit.cosine.expect("measured")) - plainly[place]).abs() < 1e-5);
        }
    }
}

/// I-071, I-072: what was sent and lies far from everything held true is put away and not lost; what lies among it and what was
/// learned here stay, and below fifty entries nothing is unusual.
#[test]
fn i_071_what_was_sent_and_lies_far_outside_is_put_away() {
    let away_at = |known: usize| {
        let Lived { folder: _folder, mut world, .. } = fresh();
        let mut changes: Vec<Change> =
            (0..known).flat_map(|n| active(&format!("k{n}"), &format!("Gas falls after {n} blocks"))).collect();
        let sent = [
            ("far", Provenance::Clade),
            ("near", Provenance::Clade),
            ("bought", Provenance::Marketplace),
            ("own", Provenance::Own),
        ];
        changes.extend(sent.iter().map(|(name, way)| {
            let told = format!("{name} says that a pool empties");
            Change::Add(candidate(name, draft(&told, Kind::Insight, *way), at(50)))
        }));
        land_changes(&mut world.store, 50, &changes, None).expect("landed");
        let home = |n: usize| vec![1.0, 0.02 * (n % 7) as f32, if n.is_multiple_of(2) { 1.0 } else { 0.0 }, 0.0];
        let mut vectors: Vec<_> = (0..known).map(|n| (id(&format!("k{n}")), home(n))).collect();
        let ids = sent.map(|(name, _)| id(name));
        vectors.extend(ids.map(|one| (one, if one == id("near") { home(3) } else { vec![-1.0, 0.0, 0.0, 1.0] })));
        world.store.keep_vectors(&model("small", 4), &vectors, now(51)).expect("kept");
        let mut away = world.store.put_away_odd(&ids, at(52)).expect("judged");
        assert_eq!(world.store.put_away_odd(&ids, at(53)).expect("judged"), [], "once");
        for id in &away {
            assert_eq!(world.store.entry(*id).expect("read").map(|entry| entry.status()), Some(Status::Archived));
        }
        away.sort_unstable();
        away
    };
    assert_eq!(away_at(49), []);
    let mut expected = vec![id("far"), id("bought")];
    expected.sort_unstable();
    assert_eq!(away_at(50), expected);
}
