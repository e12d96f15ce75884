//! A life that is cut off anywhere goes on as if it had not been.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Child;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use golem_chain::OnChain;
use golem_core::record::Curated;
use golem_core::record::{Inflows, Sight, TickInput};
use golem_grimoire::confidence::Votes;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::status::Entry;
use golem_grimoire::strength::Reinforcement;
use golem_ports::{
    Arrived, Arriving, Asked, Attempt, AttemptState, Attempts, Blindness, Chain, ChainError, Committed, Cycle,
    EmbeddingModel, EmbeddingState, Errand, JournalEntry, Memory, OpenEffect, PlaybookHeader, PlaybookVersion,
    Progress, Restored, Rolls, SearchAnswer, Shelf, Store, StoreError, StoredOutcome,
};
use golem_primitives::{Address, B256, EffectId, GolemId, Tick, UtcTime};
use golem_runtime::{LivedTick, Metrics, Runtime, RuntimeError, Telemetry};
use golem_store::{Reader, SqliteStore};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::world::{Born, Ground, Nature, Sent, Town};

/// How long a child may take for a few ticks before the test is told to fail.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a whole life leaves behind.
#[derive(Debug, PartialEq)]
struct Left {
    passes: Vec<Passed>,
    sent: Sent,
    nonce: u64,
    knows: Vec<Entry>,
    cycles: usize,
}

/// A pass: where it stands and led to. What it was told is there for whoever has to find out why two lives part.
#[derive(Debug)]
struct Passed {
    seq: u64,
    hash: Option<B256>,
    input: TickInput,
}

impl PartialEq for Passed {
    fn eq(&self, other: &Self) -> bool {
        (self.seq, self.hash) == (other.seq, other.hash)
    }
}

async fn left(town: &Town, born: &Born) -> Left {
    born.replayed();
    let sent = town.assert_sent_once(born).await;
    let reader = born.reader();
    let knows = reader.grimoire().expect("read").entries().cloned().collect();
    let cycles = reader.last_cycles(1_000).expect("read").len();
    let passes = born.journal().into_iter().map(|JournalEntry { seq, input, hash }| Passed { seq, hash, input });
    Left { passes: passes.collect(), sent, nonce: sent.transactions, knows, cycles }
}

/// The first pass at which two lives differ, for a message a person can use.
fn assert_same(town: &Born, cut: &Left, whole: &Left) {
    let differs = cut.passes.iter().zip(&whole.passes).find(|(a, b)| a != b);
    if let Some((cut, whole)) = differs {
        let (name, seq, [cut, whole]) =
            (&town.name, cut.seq, [cut, whole].map(|passed| format!("{:#?}", passed.input)));
        panic!(
            "{name}: at pass {seq} the cut life parts from the whole one; it was told\n{cut}\nand the whole one\n{whole}"
        );
    }
    assert_eq!(cut, whole);
}

/// `bardo golem run`, killed outright at points drawn from a seed, ends in the state of a life that never
/// was, and the chain has each of its transactions once.
#[tokio::test(flavor = "multi_thread")]
async fn r_020_a_process_killed_again_and_again_lives_the_same_life() {
    let is_deep = std::env::var_os("BARDO_DEEP").is_some_and(|value| value != "0");
    let (kills, ticks, stride) = if is_deep { (200, 420, 3) } else { (40, 120, 6) };
    let whole = {
        let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
        run(&town, ticks).wait().expect("ended");
        left(&town, &born).await
    };
    let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
    let mut chance = ChaCha8Rng::seed_from_u64(20);
    let mut cut = 0;
    while cut < kills {
        let passes = passes(&born) + 1 + chance.next_u64() % stride;
        let mut child = run(&town, ticks);
        let since = Instant::now();
        while self::passes(&born) < passes && child.try_wait().expect("asked").is_none() {
            assert!(since.elapsed() < PATIENCE, "the life does not go on");
            tokio::time::sleep(Duration::from_micros(500)).await;
        }
        // Anywhere between this pass and the next: a blind moment is the point, not a wait for something.
        tokio::time::sleep(Duration::from_micros(chance.next_u64() % 30_000)).await;
        if child.try_wait().expect("asked").is_some() {
            break;
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
        cut += 1;
    }
    assert_eq!(cut, kills, "the life was too short for its test");
    assert!(run(&town, ticks).wait().expect("ended").success());
    // G-139: cut off in the middle of a Curator's cycle too, it knows the same and each cycle landed once.
    assert!(whole.cycles >= 2, "{}", whole.cycles);
    assert_same(&born, &left(&town, &born).await, &whole);
}

/// G-139, R-021: killed outright again and again around the tick of a Curator's cycle, a life knows what a life knows that
/// never was: nothing half done, nothing twice.
#[tokio::test(flavor = "multi_thread")]
async fn g_139_a_process_killed_in_its_curators_cycle_learns_the_same() {
    const TICKS: u64 = 52;
    let whole = {
        let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
        run(&town, TICKS).wait().expect("ended");
        left(&town, &born).await
    };
    let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
    run(&town, 49).wait().expect("ended");
    let mut chance = ChaCha8Rng::seed_from_u64(139);
    for _ in 0..12 {
        let before = passes(&born);
        let mut child = run(&town, TICKS);
        let since = Instant::now();
        // The second half of tick 50 asks for the cycle: pass 100, and from there on anywhere.
        while passes(&born) < before.max(99) && child.try_wait().expect("asked").is_none() {
            assert!(since.elapsed() < PATIENCE, "the life does not go on");
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        tokio::time::sleep(Duration::from_micros(chance.next_u64() % 20_000)).await;
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    assert!(run(&town, TICKS).wait().expect("ended").success());
    let cut = left(&town, &born).await;
    assert_eq!((cut.cycles, whole.cycles), (1, 1));
    assert_same(&born, &cut, &whole);
}

fn run(town: &Town, ticks: u64) -> Child {
    let ticks = ticks.to_string();
    town.bardo(&["golem", "run", "ada", "--speed", "1000000000", "--ticks", &ticks]).spawn().expect("bardo runs")
}

fn passes(born: &Born) -> u64 {
    // The writer may hold the file for a moment while it starts.
    let last = Reader::open(&born.store()).and_then(|reader| reader.last_pass());
    last.ok().flatten().map_or(0, |(seq, _)| seq)
}

/// cut off once before and once after every append, commit, record, mark and drive of a life.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_a_life_cut_at_every_boundary_is_the_same_life() {
    const TICKS: u64 = 24;
    let whole = {
        let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
        town.live_to(&born, TICKS).await;
        left(&town, &born).await
    };
    let (town, born) = Town::with(Ground::default(), "ada", &Nature::default()).await;
    let cuts = Cuts::default();
    let mut restarts = 0;
    while live_until_cut(&town, &born, &cuts, TICKS).await {
        restarts += 1;
        assert!(restarts < 5_000, "it is cut for ever");
    }
    let seen: BTreeSet<&str> = cuts.0.lock().expect("not poisoned").iter().map(|(what, ..)| *what).collect();
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["append", "commit", "drive", "mark", "record"]);
    assert!(restarts > 200, "{restarts}");
    assert_same(&born, &left(&town, &born).await, &whole);
}

/// Lives until the next cut; answers whether there was one.
async fn live_until_cut(town: &Town, born: &Born, cuts: &Cuts, ticks: u64) -> bool {
    let inner = SqliteStore::open(&born.store(), Some(&born.id)).expect("its memory");
    let store = CutStore { inner, cuts: cuts.clone() };
    let chain = CutChain { inner: town.hand(born, &town.running.rpc_url).await, cuts: cuts.clone() };
    let telemetry = Telemetry::new(Arc::new(Metrics::default()));
    let mut runtime = match Runtime::resume(chain, store, town.pace(), born.runtime(), telemetry) {
        Ok(runtime) => runtime,
        Err(error) => return is_cut(&error),
    };
    while runtime.lived() < Tick::new(ticks) {
        match runtime.tick().await {
            Ok(lived) => assert_eq!(lived, LivedTick::Alive),
            Err(error) => return is_cut(&error),
        }
    }
    // A tick whose last commit is done may still have something to send; the next one would.
    false
}

fn is_cut(error: &RuntimeError) -> bool {
    let told = format!("{error:?}");
    assert!(told.contains(CUT), "{told}");
    true
}

const CUT: &str = "cut off here";

/// Where lives were cut: what was called, on what, and whether before or after.
#[derive(Debug, Clone, Default)]
struct Cuts(Arc<Mutex<BTreeSet<Cut>>>);

type Cut = (&'static str, Vec<u8>, bool);

impl Cuts {
    /// The first time here the process ends.
    fn at(&self, what: &'static str, on: &[u8], after: bool) -> Result<(), StoreError> {
        if self.0.lock().expect("not poisoned").insert((what, on.to_vec(), after)) {
            return Err(StoreError::Failed { path: PathBuf::new(), detail: CUT.to_owned() });
        }
        Ok(())
    }
}

/// What is passed on as it is.
macro_rules! onward {
    () => {};
    (&$this:ident, $name:ident($($word:ident: $type:ty),*) -> $said:ty; $($more:tt)*) => {
        fn $name(&$this $(, $word: $type)*) -> Result<$said, StoreError> {
            $this.inner.$name($($word),*)
        }
        onward! { $($more)* }
    };
    (&mut $this:ident, $name:ident($($word:ident: $type:ty),*) -> $said:ty; $($more:tt)*) => {
        fn $name(&mut $this $(, $word: $type)*) -> Result<$said, StoreError> {
            $this.inner.$name($($word),*)
        }
        onward! { $($more)* }
    };
}

#[derive(Debug)]
struct CutStore {
    inner: SqliteStore,
    cuts: Cuts,
}

impl Attempts for CutStore {
    fn record(&mut self, attempt: &Attempt) -> Result<(), StoreError> {
        self.cuts.at("record", attempt.hash.as_slice(), false)?;
        self.inner.record(attempt)?;
        self.cuts.at("record", attempt.hash.as_slice(), true)
    }

    fn mark(&mut self, hash: B256, state: AttemptState) -> Result<(), StoreError> {
        self.cuts.at("mark", hash.as_slice(), false)?;
        self.inner.mark(hash, state)?;
        self.cuts.at("mark", hash.as_slice(), true)
    }

    onward! {
        &self, of(effect: EffectId) -> Vec<Attempt>;
        &self, highest_nonce(key: Address) -> Option<u64>;
    }

    fn landed_since(&self, block: u64) -> Result<Vec<Attempt>, StoreError> {
        Attempts::landed_since(&self.inner, block)
    }
}

impl Store for CutStore {
    fn golem(&self) -> &GolemId {
        self.inner.golem()
    }

    fn append(&mut self, input: &TickInput) -> Result<u64, StoreError> {
        let on = [input.tick.get().to_be_bytes().as_slice(), &[input.turn as u8]].concat();
        self.cuts.at("append", &on, false)?;
        let seq = self.inner.append(input)?;
        self.cuts.at("append", &on, true)?;
        Ok(seq)
    }

    fn commit(&mut self, pass: Committed<'_>) -> Result<(), StoreError> {
        let on = pass.seq.to_be_bytes();
        self.cuts.at("commit", &on, false)?;
        self.inner.commit(pass)?;
        self.cuts.at("commit", &on, true)
    }

    onward! {
        &self, open_effects() -> Vec<OpenEffect>;
        &mut self, reopen(effect: EffectId) -> ();
        &self, was_refused(effect: EffectId) -> bool;
        &self, restore() -> Restored;
        &self, journal(from: u64, limit: usize) -> Vec<JournalEntry>;
        &self, outcomes_after(seq: u64) -> Vec<StoredOutcome>;
        &self, trades_since(tick: Tick) -> Vec<golem_ports::FinishedTrade>;
        &self, rolls_after(tick: Tick) -> Rolls;
        &self, note(key: &str) -> Option<String>;
        &mut self, set_note(key: &str, value: &str) -> ();
        &mut self, insure(tick: Tick) -> PathBuf;
    }
}

impl Memory for CutStore {
    onward! {
        &self, shelf() -> Shelf;
        &self, at_hand() -> (golem_grimoire::shelf::Grimoire, Option<Moment>);
        &self, is_ripe() -> bool;
        &self, refusals() -> Vec<(B256, u32)>;
        &self, curated(effect: EffectId) -> Option<Curated>;
        &self, entry(id: EntryId) -> Option<Entry>;
        &mut self, vote(cause: B256, id: EntryId, votes: Votes) -> ();
        &mut self, check(cause: B256, id: EntryId, correct: bool) -> ();
        &mut self, mark_accessed(ids: &[EntryId], tick: Tick) -> ();
        &mut self, reinforce(cause: B256, id: EntryId, by: Reinforcement) -> ();
        &mut self, ingest(arriving: Vec<Arriving>, now: Moment) -> Vec<Arrived>;
        &self, unembedded(model: &EmbeddingModel, limit: usize) -> Vec<(EntryId, String)>;
        &mut self, keep_vectors(model: &EmbeddingModel, vectors: &[(EntryId, Vec<f32>)], at: UtcTime) -> EmbeddingState;
        &mut self, put_away_odd(ids: &[EntryId], now: Moment) -> Vec<EntryId>;
        &self, embedding_state() -> EmbeddingState;
        &self, recall(asked: &Asked) -> SearchAnswer;
        &self, playbook(version: Option<u64>) -> Option<PlaybookVersion>;
        &self, playbook_versions() -> Vec<PlaybookHeader>;
    }

    fn land_cycle(&mut self, cycle: &Cycle<'_>) -> Result<Curated, StoreError> {
        self.cuts.at("land", cycle.effect.0.as_slice(), false)?;
        let landed = self.inner.land_cycle(cycle)?;
        self.cuts.at("land", cycle.effect.0.as_slice(), true)?;
        Ok(landed)
    }
}

struct CutChain {
    inner: OnChain,
    cuts: Cuts,
}

impl Chain for CutChain {
    async fn sense(&self) -> Result<Sight, Blindness> {
        self.inner.sense().await
    }

    async fn roll_block(&self, tick: Tick) -> Result<(u64, B256), Blindness> {
        self.inner.roll_block(tick).await
    }

    async fn drive(&self, errand: &Errand, attempts: &mut (dyn Attempts + Send)) -> Result<Progress, ChainError> {
        let signed = attempts.of(errand.effect)?.len();
        let on = [errand.effect.0.as_slice(), &[u8::try_from(signed).unwrap_or(u8::MAX)]].concat();
        self.cuts.at("drive", &on, false)?;
        let progress = self.inner.drive(errand, attempts).await?;
        self.cuts.at("drive", &on, true)?;
        Ok(progress)
    }

    async fn withdrawn(&self, attempts: &mut (dyn Attempts + Send)) -> Result<Vec<EffectId>, ChainError> {
        self.inner.withdrawn(attempts).await
    }

    async fn inflows(&self, after: Option<u64>, at: u64) -> Result<Option<Inflows>, Blindness> {
        self.inner.inflows(after, at).await
    }
}
