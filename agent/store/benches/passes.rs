//! passes a second with every one of them on the disk, and what a tick weighs.
//!
//! A quiet tick is one pass in which only upkeep came. A full tick is five, one of them with a whole look at the chain.

use std::io::Write;

use divan::Bencher;
use divan::counter::ItemsCount;
use golem_core::life::Life;
use golem_core::record::{
    BlockRef, ChainLife, Chance, CostSource, MarketReading, Observation, Partitions, Phase, PoolAccess,
    PositionReading, Roll, Sight, TickInput, Turn, VaultReading,
};
use golem_core::step::step;
use golem_mortality::law::Law;
use golem_ports::{Committed, Store};
use golem_primitives::{B256, GolemId, PoolName, Tick, U256, Usdc, UtcTime};
use golem_store::{Reader, SqliteStore};
use tempfile::TempDir;

#[path = "../../../test/shared/passed.rs"]
mod passed;

use passed::committed;

const BIRTH: u64 = 1_794_700_800;
const TURNS: [Turn; 5] = [Turn::Sensing, Turn::Deciding, Turn::Acting, Turn::Reflecting, Turn::Sleeping];
/// A snapshot of the life every hour.
const SNAPSHOT_TICKS: u64 = Tick::PER_HOUR;

fn main() {
    weigh("quiet tick", &[Turn::Sleeping]);
    weigh("full tick", &TURNS);
    reside();
    divan::main();
}

fn sight(tick: u64, now: UtcTime) -> Sight {
    let usdc = |number: u64| Usdc::from_micros(number * 1_000_003 + tick);
    let position = |id| PositionReading {
        pool: PoolName::HOME,
        id,
        lower: -201_340,
        upper: -199_340,
        liquidity: 8_123_456_789_012_345,
        token: 1_234_567_890_123_456_789,
        usdc: usdc(40),
        fees: usdc(1),
        book: usdc(40),
    };
    let vault = VaultReading {
        life: ChainLife::Alive,
        credits: Partitions::default(),
        reserve: usdc(1),
        idle: usdc(200),
        held: 1_234_567_890_123_456_789,
        held_cost: usdc(60),
        others: Default::default(),
        harvestable: usdc(2),
        capital: usdc(300),
        unallocated: Usdc::ZERO,
        positions: [position(812_345), position(812_399)].into_iter().collect(),
        key_wei: 12_345_678_901_234_567,
        reported_phase: Phase::Stable,
        reported_tick: Tick::new(tick),
        beat_at: now,
        spendable_today: [usdc(5); 4],
        barred: None,
    };
    let market = MarketReading {
        price: usdc(3_100),
        pool: PoolName::HOME,
        token: 0,
        access: PoolAccess::Open,
        denomination: golem_primitives::Denomination::default(),
        twap: Some(usdc(3_099)),
        pool_tick: -200_123,
        tick_spacing: 10,
        token_is_first: true,
        liquidity: 912_345_678_901_234_567,
        fee_ppm: 500,
        base_fee_wei: 5_123_456,
        ether: golem_primitives::Usdc::whole(3_000),
        fee_growth: [U256::from(7u128) << 150, U256::from(9u128) << 110],
    };
    let block = BlockRef { number: 24_000_000 + tick * 20, hash: B256::repeat_byte(tick as u8), time: now };
    Sight { block, market, elsewhere: Default::default(), vault: Some(vault) }
}

fn input(tick: u64, turn: Turn) -> TickInput {
    let now = UtcTime::from_seconds(BIRTH + tick * Tick::NOMINAL_SECONDS);
    let mut input = TickInput::quiet(Tick::new(tick), now, Chance::Given(Roll(u64::MAX)));
    input.turn = turn;
    match turn {
        Turn::Sensing => input.observations.push(Observation::Sight(Box::new(sight(tick, now)))),
        Turn::Sleeping => {
            let cost = Usdc::from_micros(100);
            input.observations.push(Observation::Upkeep { source: CostSource::Compute, cost });
            input.observations.push(Observation::Revenue { amount: cost });
        }
        _ => {}
    }
    input
}

struct World {
    folder: TempDir,
    store: SqliteStore,
    life: Life,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let golem = GolemId::new("0x5fbdb2315678afecb367f032d93f642f64180aa3").expect("a name");
        let life = Life::birth(golem, Law::hosted(), Usdc::whole(50), 0, UtcTime::from_seconds(BIRTH)).expect("funded");
        let store = SqliteStore::create(&folder.path().join("golem.sqlite"), &golem, &life).expect("a new memory");
        Self { folder, store, life }
    }

    fn tick(&mut self, turns: &[Turn]) {
        let tick = self.life.tick().get() + 1;
        for turn in turns {
            let input = input(tick, *turn);
            let seq = self.store.append(&input).expect("room");
            let next = step(self.life.clone(), &input);
            let roll_block = next.record.is_some().then_some(24_000_000 + tick);
            let keep_snapshot = *turn == Turn::Sleeping && tick.is_multiple_of(SNAPSHOT_TICKS);
            let pass = Committed { roll_block, keep_snapshot, ..committed(seq, &input, &next) };
            self.store.commit(pass).expect("room");
            self.life = next.life;
        }
    }
}

/// Bytes this process has handed to the kernel so far.
fn written() -> u64 {
    let io = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    io.lines().find_map(|line| line.strip_prefix("wchar: ")).and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}

/// Says what a tick adds to the file, and what is written to the disk for it.
fn weigh(name: &str, turns: &[Turn]) {
    const TICKS: u64 = 540;
    let mut world = World::new();
    let before = written();
    for _ in 0..TICKS {
        world.tick(turns);
    }
    let traffic = (written() - before) / TICKS;
    let path = world.store.path().to_owned();
    drop(world.store);
    let bytes = std::fs::metadata(path).expect("there").len() / TICKS;
    let mib_a_day = bytes * Tick::PER_DAY / (1 << 20);
    writeln!(
        std::io::stdout(),
        "{name}: {bytes} bytes in the file, {traffic} written for it; {mib_a_day} MiB a day of {} ticks",
        Tick::PER_DAY
    )
    .expect("a terminal");
    drop(world.folder);
}

/// Says what an open memory with its life takes of the process.
fn reside() {
    const GOLEMS: u64 = 32;
    let resident = || {
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4
    };
    let before = resident();
    let mut worlds: Vec<World> = (0..GOLEMS).map(|_| World::new()).collect();
    for world in &mut worlds {
        (0..200).for_each(|_| world.tick(&TURNS));
    }
    let each = resident().saturating_sub(before) / GOLEMS;
    writeln!(std::io::stdout(), "an open memory and its life: {each} KiB resident").expect("a terminal");
}

/// Passes a second: append and commit, both on the disk.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn quiet_ticks(bencher: Bencher<'_, '_>) {
    let mut world = World::new();
    bencher.counter(ItemsCount::new(100u64)).bench_local(|| (0..100).for_each(|_| world.tick(&[Turn::Sleeping])));
}

/// Passes a second of ticks of five passes.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn passes_of_full_ticks(bencher: Bencher<'_, '_>) {
    let mut world = World::new();
    bencher.counter(ItemsCount::new(100u64)).bench_local(|| (0..20).for_each(|_| world.tick(&TURNS)));
}

/// Opening a memory of some ticks: every page is looked at.
#[divan::bench(args = [500, 5_000], sample_count = 5, sample_size = 1)]
fn open(bencher: Bencher<'_, '_>, ticks: u64) {
    let mut world = World::new();
    (0..ticks).for_each(|_| world.tick(&[Turn::Sleeping]));
    let path = world.store.path().to_owned();
    drop(world.store);
    bencher.bench_local(|| SqliteStore::open(&path, None).expect("a memory"));
    drop(world.folder);
}

/// a whole copy, checked and sealed.
#[divan::bench(args = [500, 5_000], sample_count = 5, sample_size = 1)]
fn insure(bencher: Bencher<'_, '_>, ticks: u64) {
    let mut world = World::new();
    (0..ticks).for_each(|_| world.tick(&[Turn::Sleeping]));
    bencher.bench_local(|| world.store.insure(Tick::new(ticks)).expect("room"));
}

/// What a screen asks for when it opens.
#[divan::bench(sample_count = 20)]
fn ask_for_a_screen(bencher: Bencher<'_, '_>) {
    let mut world = World::new();
    (0..5_000).for_each(|_| world.tick(&[Turn::Sleeping]));
    let reader = Reader::open(world.store.path()).expect("a memory");
    bencher.bench_local(|| {
        let counts = reader.counts().expect("counted");
        let chart = reader.ticks(Tick::ZERO, Tick::MAX, 200).expect("readable");
        (counts, chart, reader.events_before(u64::MAX, 50).expect("readable"))
    });
}
