//! How often the right entry is among the first five and ten: by words alone, by vectors alone, and by both.
//!
//! Two sets. One is made here, the same on every machine: statements about pools, each with a question in other words
//! whose one right answer is known. The other is a file of conversations with questions, as `scripts/bench-sessions.py`
//! writes it, named by the first argument. The vectors are the local model's; `scripts/model` fetches it.

#![expect(clippy::print_stdout, reason = "a bench prints its numbers")]

use std::collections::BTreeSet;
use std::path::Path;

use golem_core::life::Life;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Draft;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::EntryBody;
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::provenance::Source;
use golem_grimoire::recall::Query;
use golem_grimoire::recall::fusion::LIST_LENGTH;
use golem_grimoire::regime::RegimeBelief;
use golem_grimoire::shelf::Change;
use golem_inference::embedder::minilm::{self, MiniLm};
use golem_mortality::law::Law;
use golem_ports::{Asked, Cycle, Embedder, Filter, Hit, Memory, SearchOrder, Vector};
use golem_primitives::{B256, EffectId, GolemId, Ppm, Tick, Usdc, UtcTime, keccak256};
use golem_store::SqliteStore;

#[path = "../../../test/shared/admitted.rs"]
mod admitted;
#[path = "../../../test/shared/turn.rs"]
mod turn;

use admitted::admitted;

const STATEMENTS: usize = 5_200;
const QUESTIONS: usize = 520;

const PLACES: [&str; 8] = ["Base", "Arbitrum", "Optimism", "Scroll", "Linea", "zkSync", "Blast", "Mantle"];
const VENUES: [&str; 10] =
    ["Aerodrome", "Uniswap", "Curve", "Balancer", "Velodrome", "Camelot", "Maverick", "Sushi", "Morpho", "Aave"];
const PAIRS: [(&str, &str); 10] = [
    ("USDC/WETH", "ether against dollars"),
    ("WBTC/USDC", "bitcoin against dollars"),
    ("DAI/USDC", "the two stablecoins"),
    ("cbETH/WETH", "Coinbase's staked ether"),
    ("wstETH/WETH", "Lido's staked ether"),
    ("ARB/USDC", "the Arbitrum token"),
    ("OP/WETH", "the Optimism token"),
    ("LINK/WETH", "the oracle token"),
    ("AERO/USDC", "the Aerodrome token"),
    ("CRV/WETH", "the Curve token"),
];
/// What happens, and the same in a question's words.
const EVENTS: [(&str, &str); 14] = [
    ("gas rises above 40 gwei", "transaction fees become expensive"),
    ("funding turns negative", "shorts are paying longs"),
    ("an oracle lags by two blocks", "the price feed is stale"),
    ("a large holder withdraws liquidity", "a whale pulls out of the pool"),
    ("volatility doubles within an hour", "the market suddenly swings wildly"),
    ("the weekly incentives end", "reward emissions run out"),
    ("a governance vote passes", "the token holders approve a proposal"),
    ("the bridge is paused", "funds cannot cross between chains"),
    ("liquidations cascade", "leveraged borrowers are being closed out one after another"),
    ("the sequencer restarts", "the chain comes back after an outage"),
    ("trading volume dries up overnight", "hardly anyone trades while it is dark"),
    ("a stablecoin loses its peg", "a dollar token is no longer worth a dollar"),
    ("searchers sandwich every order", "bots front-run each transaction"),
    ("open interest reaches a record", "more leveraged bets are outstanding than ever"),
];
const EFFECTS: [&str; 8] = [
    "the spread widens by {n} bps for an hour",
    "a swap loses {n} bps against its quote",
    "providing liquidity earns {n} bps more a day",
    "the price returns within {n} ticks",
    "the position must be halved within {n} ticks",
    "waiting {n} blocks saves half of the cost",
    "depth falls by {n} percent",
    "the first move reverses {n} times out of ten",
];

/// One statement and a question it answers.
struct Fact {
    statement: String,
    question: String,
}

/// Statements, and questions with the places of the statements that answer them.
#[derive(Default)]
struct Set {
    statements: Vec<String>,
    questions: Vec<(String, BTreeSet<usize>)>,
}

/// A line of a set in a file.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Line {
    Statement { text: String },
    Question { question: String, answers: BTreeSet<usize> },
}

impl Set {
    fn made() -> Self {
        let facts = facts();
        let asked = facts.iter().take(QUESTIONS).enumerate();
        let questions = asked.map(|(place, fact)| (fact.question.clone(), BTreeSet::from([place]))).collect();
        Self { statements: facts.into_iter().map(|fact| fact.statement).collect(), questions }
    }

    fn read(path: &str) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut set = Self::default();
        for line in text.lines() {
            match serde_json::from_str(line).expect("a line of a set") {
                Line::Statement { text } => set.statements.push(text),
                Line::Question { question, answers } => set.questions.push((question, answers)),
            }
        }
        set
    }
}

/// Every venue, place, pair and event in a fixed disorder; the first so many.
fn facts() -> Vec<Fact> {
    let mut all: Vec<[usize; 4]> = Vec::new();
    for venue in 0..VENUES.len() {
        for place in 0..PLACES.len() {
            for pair in 0..PAIRS.len() {
                for event in 0..EVENTS.len() {
                    all.push([venue, place, pair, event]);
                }
            }
        }
    }
    let order = |fact: &[usize; 4]| keccak256(fact.map(|part| part as u8));
    all.sort_by_key(order);
    all.truncate(STATEMENTS);
    all.iter().map(fact).collect()
}

fn fact(parts: &[usize; 4]) -> Fact {
    let [venue, place, pair, event] = *parts;
    let chance = keccak256(parts.map(|part| part as u8 + 100));
    let effect = EFFECTS[usize::from(chance[0]) % EFFECTS.len()].replace("{n}", &(2 + chance[1] % 40).to_string());
    let (venue, place, (pair, thing), (event, happening)) = (VENUES[venue], PLACES[place], PAIRS[pair], EVENTS[event]);
    Fact {
        statement: format!("When {event}, {effect} in the {pair} pool of {venue} on {place}."),
        question: match chance[2] % 3 {
            0 => format!("What should I expect on {venue} ({place}) when trading {thing} while {happening}?"),
            1 => format!("{happening}: what does that do to {thing} at {venue}, {place} side?"),
            _ => format!("How does the {venue} market for {thing} on {place} react if {happening}?"),
        },
    }
}

fn golem() -> GolemId {
    GolemId::new("golem-bench").expect("a name")
}

fn at(tick: u64) -> Moment {
    Moment::new(Tick::new(tick), UtcTime::from_seconds(1_794_700_800 + tick * 40))
}

fn id(place: usize) -> EntryId {
    EntryId::derive(at(1).at, &golem(), &(place as u64).to_be_bytes())
}

fn join(place: usize, statement: &str) -> [Change; 2] {
    let mut draft = Draft::new(statement, EntryBody::Insight, Source::own(golem()), at(1).at);
    draft.original_confidence = Confidence::of(900_000);
    [Change::Add(admitted(id(place), draft, at(1))), Change::Promote { id: id(place), fitness: Ppm::ONE }]
}

fn stocked(folder: &Path, statements: &[String]) -> SqliteStore {
    let life = Life::birth(golem(), Law::hosted(), Usdc::whole(50), 0, at(0).at).expect("funded");
    let mut store = SqliteStore::create(&folder.join("quality.sqlite"), &golem(), &life).expect("a new memory");
    let changes: Vec<Change> =
        statements.iter().enumerate().flat_map(|(place, statement)| join(place, statement)).collect();
    let shelf = store.shelf().expect("readable");
    let mut grimoire = shelf.grimoire.clone();
    for change in &changes {
        grimoire.apply(change.clone(), at(50)).expect("allowed");
    }
    let pass = turn::pass(changes, grimoire);
    store.land_cycle(&Cycle::new(EffectId(B256::ZERO), at(50), &shelf, &pass, None)).expect("room");
    store
}

/// How answers are ordered.
#[derive(Clone, Copy)]
enum By {
    /// Their places in full text alone.
    Words,
    /// Their cosines alone.
    Vectors,
    /// G-094. Both lists' ranks fused, and nothing else.
    Ranks,
    /// G-094. The same weighed again, and not kept apart.
    Weighed,
    /// What the store answers in an order of the law.
    Law(SearchOrder),
    /// G-087. The base score without what the quality of a text weighs.
    Unjudged,
}

/// The names of the first ten answers.
fn first_ten(store: &SqliteStore, by: By, text: &str, vector: &Vector) -> Vec<EntryId> {
    let (text, vector) = match by {
        By::Words => (text, None),
        By::Vectors => ("", Some(vector.clone())),
        By::Ranks | By::Weighed | By::Law(_) | By::Unjudged => (text, Some(vector.clone())),
    };
    let order = if let By::Law(order) = by { order } else { SearchOrder::Canonical };
    // All that was found, where the law's own order does not count.
    let limit = if matches!(by, By::Law(_) | By::Unjudged) { 10 } else { 3 * LIST_LENGTH };
    let query = Query { limit, mood: None, belief: RegimeBelief::unknown(), tick: Tick::new(51) };
    let (mut law, filter) = (GrimoireLaw::default(), Filter::default());
    if matches!(by, By::Unjudged) {
        law.recall.importance = 0.0;
    }
    let asked = Asked { text: text.to_owned(), vector, query, now: at(51).at, law, filter, order };
    let mut hits = store.recall(&asked).expect("readable").hits;
    let fused = |hit: &Hit| {
        let part =
            |rank: Option<u32>| rank.filter(|rank| *rank <= 20).map_or(0.0, |rank| 1.0 / (60.0 + f64::from(rank)));
        part(hit.vector_rank) + part(hit.text_rank)
    };
    let place = |rank: Option<u32>| rank.unwrap_or(u32::MAX);
    match by {
        By::Words => hits.sort_by_key(|hit| place(hit.text_rank)),
        By::Vectors => hits.sort_by_key(|hit| place(hit.vector_rank)),
        By::Ranks => hits.sort_by(|a, b| fused(b).total_cmp(&fused(a)).then(a.entry.id().cmp(&b.entry.id()))),
        By::Weighed => hits.sort_by(|a, b| b.reranked.cmp(&a.reranked).then(a.entry.id().cmp(&b.entry.id()))),
        By::Law(_) | By::Unjudged => {}
    }
    hits.iter().take(10).map(|hit| hit.entry.id()).collect()
}

/// Shares of questions of which an answer is among the first five and ten.
fn score(store: &SqliteStore, set: &Set, vectors: &[Vector], by: By) -> (f64, f64) {
    let (mut five, mut ten) = (0u32, 0u32);
    for ((question, answers), vector) in set.questions.iter().zip(vectors) {
        let answers: BTreeSet<EntryId> = answers.iter().map(|place| id(*place)).collect();
        let rank = first_ten(store, by, question, vector).iter().position(|found| answers.contains(found));
        five += u32::from(rank.is_some_and(|rank| rank < 5));
        ten += u32::from(rank.is_some());
    }
    let share = |count: u32| f64::from(count) / set.questions.len() as f64;
    (share(five), share(ten))
}

fn line(name: &str, (five, ten): (f64, f64)) {
    println!("| {name} | {five:.3} | {ten:.3} |");
}

/// The local model's vectors of all texts, in their order.
fn embedded<'a>(model: &MiniLm, texts: impl Iterator<Item = &'a String>) -> Vec<Vec<f32>> {
    let texts: Vec<&str> = texts.map(String::as_str).collect();
    texts.chunks(64).flat_map(|texts| model.embed_now(texts).expect("short texts")).collect()
}

fn measure(name: &str, set: &Set, local: &MiniLm) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = stocked(folder.path(), &set.statements);
    let model = local.model().clone();
    let known = embedded(local, set.statements.iter());
    let asked = embedded(local, set.questions.iter().map(|(question, _)| question));
    let kept: Vec<_> = known.into_iter().enumerate().map(|(place, vector)| (id(place), vector)).collect();
    let (statements, questions) = (set.statements.len(), set.questions.len());
    println!("| {name}: {questions} questions of {statements} statements | recall@5 | recall@10 |\n|---|---:|---:|");
    store.keep_vectors(&model, &kept, at(51).at).expect("room");
    let asked: Vec<Vector> = asked.into_iter().map(|values| Vector { model: model.clone(), values }).collect();
    for (name, by) in [
        ("words alone", By::Words),
        ("vectors alone", By::Vectors),
        ("both, ranks fused", By::Ranks),
        ("both, half each, as decisions use it", By::Law(SearchOrder::Matched)),
        ("both, fused and weighed again (G-094)", By::Weighed),
        ("both, fused, weighed again and kept apart (G-094)", By::Law(SearchOrder::Hybrid)),
        ("both, base score (G-087)", By::Law(SearchOrder::Canonical)),
        ("both, base score without quality", By::Unjudged),
    ] {
        line(name, score(&store, set, &asked, by));
    }
    println!();
}

fn main() {
    let home = minilm::default_folder().expect("a home");
    let local = MiniLm::open(&home).unwrap_or_else(|error| panic!("{error}"));
    if let Some(path) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) {
        measure("LongMemEval", &Set::read(&path), &local);
    }
    measure("near-duplicates", &Set::made(), &local);
}
