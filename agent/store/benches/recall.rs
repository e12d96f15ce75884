//! Ten nearest of many on one core. `scripts/bench recall` runs it and asks its peers the same questions.
//!
//! Arguments: a folder for the files, then how many entries each shall have. For each it leaves `{rows}.sqlite`, the
//! questions as raw `f32` in `{rows}.questions` and the names found in `{rows}.found`, and prints a line of numbers.

#![expect(clippy::print_stdout, reason = "a bench prints its numbers")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use golem_core::life::Life;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Draft;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::EntryBody;
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::provenance::Source;
use golem_grimoire::pruning::PruningWindow;
use golem_grimoire::recall::Query;
use golem_grimoire::regime::RegimeBelief;
use golem_grimoire::shelf::{Change, Grimoire};
use golem_mortality::law::Law;
use golem_ports::{Asked, Cycle, EmbeddingModel, Filter, Memory, SearchOrder, Vector};
use golem_primitives::{B256, EffectId, GolemId, Ppm, Tick, Usdc, UtcTime, keccak256};
use golem_store::{Reader, SqliteStore};

#[macro_use]
#[path = "../../../test/shared/each.rs"]
mod each;

#[path = "../../../test/shared/admitted.rs"]
mod admitted;
#[path = "../../../test/shared/cycle.rs"]
mod cycle;
#[path = "../../../test/shared/turn.rs"]
mod turn;

use admitted::admitted;
use cycle::CYCLE;

const DIMENSIONS: u16 = 384;
const QUESTIONS: usize = 60;
const NEAREST: usize = 10;
const ROUNDS: usize = 10;
const TOPICS: usize = 256;
/// A cycle looks at all there is before it lands, so many small ones would be what is waited for.
const BATCH: usize = 50_000;

/// SplitMix64: the same vectors on every machine.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Twelve shares make a bell.
    fn bell(&mut self) -> f32 {
        ((0..12).map(|_| self.share()).sum::<f64>() - 6.0) as f32
    }

    fn vector(&mut self) -> Vec<f32> {
        (0..DIMENSIONS).map(|_| self.bell()).collect()
    }
}

/// A vector near one of the topics, as texts about few things are.
fn about(topics: &[Vec<f32>], chance: &mut Chance) -> Vec<f32> {
    let topic = &topics[(chance.next() % topics.len() as u64) as usize];
    topic.iter().map(|part| part + 0.8 * chance.bell()).collect()
}

fn golem() -> GolemId {
    GolemId::new("golem-bench").expect("a name")
}

fn at(tick: u64) -> Moment {
    Moment::new(Tick::new(tick), UtcTime::from_seconds(1_794_700_800 + tick * 40))
}

fn model() -> EmbeddingModel {
    EmbeddingModel { name: "bench".into(), version: "1".into(), preprocessing: B256::ZERO, dimensions: DIMENSIONS }
}

fn entry(place: usize) -> [Change; 2] {
    let now = at(1);
    let id = EntryId::derive(now.at, &golem(), &(place as u64).to_be_bytes());
    let mut draft = Draft::new(
        &format!("Pool {place} pays {} bps above 40 gwei", place % 97),
        EntryBody::Insight,
        Source::own(golem()),
        now.at,
    );
    draft.original_confidence = Confidence::of(900_000);
    [Change::Add(admitted(id, draft, now)), Change::Promote { id, fitness: Ppm::ONE }]
}

/// Lands a batch of entries as one cycle; answers their names.
fn stock(store: &mut SqliteStore, batch: u64, places: std::ops::Range<usize>) -> Vec<EntryId> {
    let changes: Vec<Change> = places.flat_map(entry).collect();
    let ids = each!(&changes, Change::Promote { id, .. } => *id);
    let pass = turn::pass(changes, Grimoire::default());
    let effect = EffectId(keccak256(batch.to_be_bytes()));
    let (pruning, now) = (PruningWindow::default(), at(1));
    let cycle = Cycle { effect, now, pass: &pass, revised: None, pruning, evidence: 0, waiting: 0, curated: CYCLE };
    store.land_cycle(&cycle).expect("room");
    ids
}

/// A store of that many entries, each with its vector; answers its file and the seconds both halves took.
fn fill(folder: &Path, rows: usize, topics: &[Vec<f32>], chance: &mut Chance) -> (PathBuf, f64, f64) {
    let path = folder.join(format!("{rows}.sqlite"));
    for ending in ["", "-wal", "-shm", ".lock"] {
        let mut name = path.clone().into_os_string();
        name.push(ending);
        drop(fs::remove_file(name));
    }
    let life = Life::birth(golem(), Law::hosted(), Usdc::whole(50), 0, at(0).at).expect("funded");
    let mut store = SqliteStore::create(&path, &golem(), &life).expect("a new memory");
    let (began, mut stocking, mut keeping) = (Instant::now(), 0.0, 0.0);
    for (batch, from) in (0..rows).step_by(BATCH).enumerate() {
        let start = processor(began);
        let ids = stock(&mut store, batch as u64, from..rows.min(from + BATCH));
        stocking += processor(began) - start;
        let vectors: Vec<_> = ids.into_iter().map(|id| (id, about(topics, chance))).collect();
        let start = processor(began);
        store.keep_vectors(&model(), &vectors, at(2).at).expect("room");
        keeping += processor(began) - start;
    }
    (path, stocking, keeping)
}

/// Seconds this thread has had a processor: what a question costs, whoever else is on the machine. Wall time where the
/// kernel does not say.
fn processor(since: Instant) -> f64 {
    let said = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = said.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    nanos.map_or_else(|| since.elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}

/// Mean milliseconds of a processor. The kernel counts in whole ticks, so only many together are measured.
fn each(began: Instant, times: usize, mut act: impl FnMut(usize)) -> f64 {
    let start = processor(began);
    (0..times).for_each(&mut act);
    (processor(began) - start) * 1e3 / times as f64
}

fn ask(vector: Vec<f32>) -> Asked {
    Asked {
        text: "which pool pays more when gas is high".into(),
        vector: Some(Vector { model: model(), values: vector }),
        query: Query { limit: NEAREST, mood: None, belief: RegimeBelief::unknown(), tick: Tick::new(7) },
        now: at(7).at,
        law: GrimoireLaw::default(),
        filter: Filter::default(),
        order: SearchOrder::Canonical,
    }
}

fn measure(folder: &Path, rows: usize) {
    let mut chance = Chance(42);
    let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| chance.vector()).collect();
    let (path, stocking, keeping) = fill(folder, rows, &topics, &mut chance);
    let questions: Vec<Vec<f32>> = (0..QUESTIONS).map(|_| about(&topics, &mut chance)).collect();
    let reader = Reader::open(&path).expect("a memory");
    let filter = Filter::default();
    let vector = |values: &Vec<f32>| Vector { model: model(), values: values.clone() };
    let began = Instant::now();
    let start = processor(began);
    // The first question brings vectors and words into memory.
    reader.recall(&ask(questions[0].clone())).expect("readable");
    let load = (processor(began) - start) * 1e3;
    let asked: Vec<Vector> = questions.iter().map(vector).collect();
    let near = |question: &Vector| reader.nearest(question, NEAREST, &filter).expect("readable");
    let names = |question: &Vector| near(question).iter().map(|(id, _)| id.to_string()).collect::<Vec<_>>().join(" ");
    let found: Vec<String> = asked.iter().map(names).collect();
    let mean = each(began, ROUNDS * QUESTIONS, |place| drop(near(&asked[place % QUESTIONS])));
    let whole: Vec<Asked> = questions.iter().cloned().map(ask).collect();
    let recall = each(began, QUESTIONS, |place| drop(reader.recall(&whole[place]).expect("readable")));
    let raw: Vec<u8> = questions.iter().flatten().flat_map(|part| part.to_le_bytes()).collect();
    fs::write(folder.join(format!("{rows}.questions")), raw).expect("written");
    fs::write(folder.join(format!("{rows}.found")), found.join("\n")).expect("written");
    let (stocked, kept) = (rows as f64 / stocking, rows as f64 / keeping);
    println!("{rows} {mean:.4} {recall:.4} {load:.1} {stocked:.0} {kept:.0}");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    // Run without words, as a test of all benches does, it shows that it runs.
    let Some((folder, sizes)) = arguments.split_first() else {
        let folder = tempfile::tempdir().expect("a folder");
        return measure(folder.path(), 1_000);
    };
    fs::create_dir_all(folder).expect("a folder");
    for size in sizes {
        measure(Path::new(folder), size.parse().expect("a number of entries"));
    }
}
