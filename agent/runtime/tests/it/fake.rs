//! A chain by script behind the port, so that what the loop does can be told from what the world does.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use golem_core::life::Life;
use golem_core::memory::Venue;
use golem_core::record::{
    BlockRef, ChainLife, EffectKind, Event, Outcome, OutcomeResult, Partitions, Phase, Sight, Temper, VaultReading,
};
use golem_core::trader::TraderSettings;
use golem_mortality::law::Law;
use golem_ports::{
    Act, Attempts, Blindness, Chain, ChainError, Errand, Progress, Store as _, TickSource, TickSourceError, WaitEnd,
};
use golem_primitives::{B256, EffectId, GolemId, Ppm, Tick, Usdc, UtcTime, keccak256};
use golem_runtime::{EventLine, Metrics, Replayed, Runtime, RuntimeSettings, Telemetry, replay};
use golem_store::SqliteStore;
use tempfile::TempDir;
use tokio::sync::broadcast;

use crate::brisk;
use crate::readings;

pub(crate) const BIRTH: u64 = 1_767_225_600;

/// What the chain shall do.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) is_gone: bool,
    pub(crate) panics_at: Option<u64>,
    pub(crate) driven: Vec<(EffectId, &'static str)>,
    pub(crate) is_dying: bool,
    pub(crate) is_dead: bool,
    pub(crate) is_unreported: bool,
    pub(crate) refuses_beats: bool,
    /// How often the pace still fails, and how often it was asked.
    pub(crate) pace_fails: u32,
    pub(crate) rests: u32,
    pub(crate) swings: bool,
    /// Whether it swings down at every fourth tick and back at the next, and nothing else.
    pub(crate) hurries: bool,
    /// Whether there is little left to live on.
    pub(crate) is_poor: bool,
    /// Whether there is next to nothing left.
    pub(crate) is_spent: bool,
    /// Whether there is nothing left at all.
    pub(crate) is_starved: bool,
    /// Whether there is a key that can sign what is left, and whether it is away.
    pub(crate) has_key: bool,
    pub(crate) is_signer_away: bool,
    /// What it says of any transaction it is asked about.
    pub(crate) transactions: Option<bool>,
    /// What a reorganisation took back, told once.
    pub(crate) withdrawn: Vec<EffectId>,
}

/// The chain, told what to do by a script; its block is the tick.
#[derive(Debug, Clone, Default)]
pub(crate) struct FakeChain {
    pub(crate) script: Arc<Mutex<Script>>,
    pub(crate) blocks: Arc<AtomicU64>,
}

impl FakeChain {
    pub(crate) fn set(&self, change: impl FnOnce(&mut Script)) {
        change(&mut self.script.lock().expect("no test panics while it holds it"));
    }

    /// How often something of this name was driven.
    pub(crate) fn driven(&self, name: &str) -> usize {
        self.script.lock().expect("free").driven.iter().filter(|(_, driven)| *driven == name).count()
    }

    fn block(&self) -> u64 {
        self.blocks.load(Ordering::Relaxed)
    }
}

fn hash(block: u64) -> B256 {
    keccak256(block.to_be_bytes())
}

impl Chain for FakeChain {
    async fn sense(&self) -> Result<Sight, Blindness> {
        let number = self.block();
        // Whoever panics leaves the script to the others.
        let panics_at = self.script.lock().expect("free").panics_at;
        assert!(panics_at != Some(number), "as the script says");
        let script = self.script.lock().expect("free");
        if script.is_gone {
            return Err(Blindness { why: "as the script says".to_owned() });
        }
        let time = UtcTime::from_seconds(BIRTH + number * 20);
        // A market that swings is believed in; one that trembles is not worth a word.
        let swing = [0, 6, 10, 12, 10, 6, 0, -6, -10, -12, -10, -6][usize::try_from(number / 6 % 12).expect("small")];
        let dip = if (number / 2).is_multiple_of(4) { -40 } else { 0 };
        let swing = if script.hurries { dip } else { swing };
        let price = if script.swings { 3_000 + swing } else { 3_000 + i64::try_from(number % 7).expect("small") };
        let price = Usdc::whole(u32::try_from(price).expect("a price"));
        let life = match (script.is_dead, script.is_dying) {
            (true, _) => ChainLife::Dead { order: None },
            (_, true) => ChainLife::Dying { order: None, deadline: time },
            _ => ChainLife::Alive,
        };
        let market = readings::market(price);
        let vault = VaultReading {
            life,
            key_wei: 1 << 60,
            reported_phase: if script.is_unreported { Phase::Terminal } else { Phase::Stable },
            ..readings::vault(UtcTime::from_seconds(BIRTH))
        };
        let credits = match (script.is_spent, script.is_poor) {
            _ if script.is_starved => Partitions::observed([Usdc::ZERO; 4]),
            (true, _) => Partitions::observed([600_000, 200_000, 100_000, 0].map(Usdc::from_micros)),
            (_, true) => Partitions::observed([5, 2, 1, 0].map(Usdc::whole)),
            _ => vault.credits,
        };
        let vault = VaultReading { credits, ..vault };
        Ok(Sight {
            block: BlockRef { number, hash: hash(number), time },
            market,
            elsewhere: Default::default(),
            vault: Some(vault),
        })
    }

    async fn roll_block(&self, _: Tick) -> Result<(u64, B256), Blindness> {
        let number = self.block().saturating_sub(2);
        if self.script.lock().expect("free").is_gone {
            return Err(Blindness { why: "as the script says".to_owned() });
        }
        Ok((number, hash(number)))
    }

    async fn drive(&self, errand: &Errand, _: &mut (dyn Attempts + Send)) -> Result<Progress, ChainError> {
        let mut script = self.script.lock().expect("free");
        if script.is_gone {
            return Err(Blindness { why: "as the script says".to_owned() }.into());
        }
        script.driven.push((errand.effect, errand.act.name()));
        match errand.act {
            Act::Declare(_) => script.is_dying = true,
            Act::Settle { .. } => script.is_dead = true,
            Act::Beat { .. } if script.refuses_beats => {
                let result = OutcomeResult::Refused { reason: "as the script says".to_owned() };
                return Ok(Progress::Done(Box::new(Outcome { effect: errand.effect, cost: None, result })));
            }
            Act::Beat { .. } => script.is_unreported = false,
            _ => {}
        }
        let outcome = Outcome { effect: errand.effect, cost: None, result: OutcomeResult::Done };
        Ok(Progress::Done(Box::new(outcome)))
    }

    async fn knows(&self, transactions: &[B256]) -> Vec<Option<bool>> {
        vec![self.script.lock().expect("free").transactions; transactions.len()]
    }

    async fn attest(&self, testament: B256, _: B256) -> Result<Option<Vec<u8>>, ChainError> {
        let script = self.script.lock().expect("free");
        match (script.has_key, script.is_signer_away) {
            (false, _) => Ok(None),
            (true, true) => Err(ChainError::Signer { why: "as the script says".to_owned() }),
            (true, false) => Ok(Some(testament.to_vec())),
        }
    }

    async fn withdrawn(&self, _: &mut (dyn Attempts + Send)) -> Result<Vec<EffectId>, ChainError> {
        Ok(std::mem::take(&mut self.script.lock().expect("free").withdrawn))
    }
}

/// Two blocks to a tick, at once; unless the script lets the pace fail.
#[derive(Debug)]
pub(crate) struct Blocks(pub(crate) FakeChain);

impl TickSource for Blocks {
    async fn rest(&mut self, since: UtcTime, length: Duration) -> Result<WaitEnd, TickSourceError> {
        let fails = {
            let mut script = self.0.script.lock().expect("free");
            script.rests += 1;
            let fails = script.pace_fails > 0;
            script.pace_fails = script.pace_fails.saturating_sub(1);
            fails
        };
        if fails {
            return Err(TickSourceError { why: "as the script says".to_owned() });
        }
        self.0.blocks.fetch_add(1, Ordering::Relaxed);
        let now = self.now().await;
        Ok(if now >= since.plus(length) { WaitEnd::Over } else { WaitEnd::Within })
    }

    async fn now(&self) -> UtcTime {
        UtcTime::from_seconds(BIRTH + self.0.block() * 20)
    }
}

pub(crate) fn venue() -> Venue {
    Venue { chain: 31_337, pair: "WETH/USDC".to_owned() }
}

pub(crate) type Lived = Runtime<FakeChain, SqliteStore, Blocks>;

pub(crate) fn id(name: &str) -> GolemId {
    GolemId::new(name).expect("a name")
}

/// A newborn's store in a folder.
pub(crate) fn born(dir: &Path, name: &str) -> SqliteStore {
    let settings = TraderSettings { host_per_tick: Usdc::from_micros(20_000), ..TraderSettings::default() };
    created(dir, name, Law::hosted().on_chain(), Usdc::whole(50), settings)
}

/// The same of one that stakes enough for its entries to be worth a thought.
pub(crate) fn bold(dir: &Path) -> SqliteStore {
    let settings = TraderSettings { stake: Ppm::of(100_000), ..TraderSettings::default() };
    created(dir, "ada", Law::hosted().on_chain(), Usdc::whole(50), settings)
}

/// The same under that law, with so much to live on.
pub(crate) fn created(dir: &Path, name: &str, law: Law, funding: Usdc, settings: TraderSettings) -> SqliteStore {
    let life = Life::birth(id(name), law, funding, 0, UtcTime::from_seconds(BIRTH)).expect("funded");
    let life = life.with_trader(settings, brisk::foundation("mean-reversion"));
    SqliteStore::create(&dir.join(format!("{name}.sqlite")), &id(name), &life).expect("created")
}

pub(crate) fn reopen(dir: &Path, name: &str) -> SqliteStore {
    SqliteStore::open(&dir.join(format!("{name}.sqlite")), Some(&id(name))).expect("opens")
}

pub(crate) fn telemetry(dir: &Path, name: &str) -> Telemetry {
    let telemetry = Telemetry::new(Arc::new(Metrics::default()));
    telemetry.with_file(&dir.join(format!("{name}.jsonl"))).expect("a file")
}

/// A life of that store on that chain.
pub(crate) fn resume(dir: &Path, name: &str, store: SqliteStore, chain: &FakeChain) -> Lived {
    tempered(dir, name, store, chain, Temper::NONE)
}

/// The same of somebody like that.
pub(crate) fn tempered(dir: &Path, name: &str, store: SqliteStore, chain: &FakeChain, temper: Temper) -> Lived {
    arranged(name, store, chain, RuntimeSettings { temper, ..RuntimeSettings::new(dir, venue()) })
}

/// The same as its owner arranged it.
pub(crate) fn arranged(name: &str, store: SqliteStore, chain: &FakeChain, settings: RuntimeSettings) -> Lived {
    let told = telemetry(&settings.dir, name);
    Runtime::resume(chain.clone(), store, Blocks(chain.clone()), settings, told).expect("recovers")
}

/// A newborn in a folder and on a chain of its own.
pub(crate) struct Home {
    pub(crate) dir: TempDir,
    pub(crate) chain: FakeChain,
}

impl Home {
    pub(crate) fn on(chain: FakeChain) -> (Self, Lived) {
        let home = Self { dir: TempDir::new().expect("a folder"), chain };
        let runtime = resume(home.path(), "ada", born(home.path(), "ada"), &home.chain);
        (home, runtime)
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The life that was begun here, taken up again.
    pub(crate) fn again(&self) -> Lived {
        resume(self.path(), "ada", reopen(self.path(), "ada"), &self.chain)
    }
}

/// Lives so many ticks.
pub(crate) async fn live(runtime: &mut Lived, ticks: u64) {
    live_yielding(runtime, ticks, 1).await;
}

/// Lives so many ticks. Nothing in a script waits, so those who work beside the life are given so many turns behind each.
pub(crate) async fn live_yielding(runtime: &mut Lived, ticks: u64, turns: u64) {
    for _ in 0..ticks {
        runtime.tick().await.expect("lives");
        for _ in 0..turns {
            tokio::task::yield_now().await;
        }
    }
}

/// What came of effects like this, as it lies in the journal.
pub(crate) fn outcomes(store: &SqliteStore, like: fn(&EffectKind) -> bool) -> Vec<Outcome> {
    let journal = store.journal(1, 10_000).expect("read");
    let mut all: Vec<Outcome> = journal.into_iter().flat_map(|entry| entry.input.outcomes).collect();
    all.retain(|outcome| like(&store.reader().effect(outcome.effect).expect("read").expect("kept").effect.kind));
    all
}

/// The life of a store lived again, to the hashes its journal led to.
pub(crate) fn relived(store: &SqliteStore) -> Replayed {
    let birth = store.reader().birth().expect("read").expect("born");
    replay(store, birth, |_, _, _| {}).expect("the same life, without asking anybody")
}

/// What was told since it was last asked.
pub(crate) fn told(events: &mut broadcast::Receiver<Arc<EventLine>>) -> Vec<Event> {
    std::iter::from_fn(|| events.try_recv().ok()).map(|line| line.data.clone()).collect()
}

/// A market worth believing in.
pub(crate) fn swinging() -> FakeChain {
    let chain = FakeChain::default();
    chain.set(|script| script.swings = true);
    chain
}
