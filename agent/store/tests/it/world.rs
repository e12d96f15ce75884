//! A life lived against a store, for tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use golem_core::life::Life;
use golem_core::record::{
    ChainState, Chance, CostSource, Effect, EffectKind, Observation, Order, Outcome, OutcomeResult,
    OutcomeVerification, Receipt, Roll, SimulatedOutcome, TickInput,
};
use golem_core::step::{Step, step};
use golem_grimoire::episode::Episode;
use golem_mortality::law::Law;
use golem_ports::{Attempt, AttemptState, Committed, Refusal, Restored, Store, StoreError};
use golem_primitives::{Address, B256, EffectId, GolemId, PoolName, Tick, Usdc, UtcTime, keccak256};
use golem_store::SqliteStore;
use tempfile::TempDir;

use crate::passed::committed;

/// A day in November 2026, at midnight UTC.
pub(crate) const BIRTH: u64 = 1_794_700_800;

pub(crate) fn golem() -> GolemId {
    GolemId::new("golem-0001").expect("a name")
}

pub(crate) fn now(tick: u64) -> UtcTime {
    UtcTime::from_seconds(BIRTH + tick * Tick::NOMINAL_SECONDS)
}

pub(crate) fn born(golem: GolemId) -> Life {
    Life::birth(golem, Law::hosted(), Usdc::whole(50), 0, now(0)).expect("funded")
}

/// A whole tick with some upkeep, without chance.
pub(crate) fn input(tick: u64) -> TickInput {
    let mut input = TickInput::quiet(Tick::new(tick), now(tick), Chance::Given(Roll(u64::MAX)));
    let cost = Usdc::from_micros(1_000 + tick % 7);
    input.observations.push(Observation::Upkeep { source: CostSource::Compute, cost });
    input
}

pub(crate) fn effect_id(number: u64) -> EffectId {
    EffectId(keccak256(number.to_be_bytes()))
}

pub(crate) fn buy(number: u64) -> Effect {
    let order =
        Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(3), least: u128::from(number) + u128::from(u64::MAX) };
    Effect { id: effect_id(number), kind: EffectKind::Trade(order), budget: Usdc::from_micros(20_000) }
}

/// Who signs in these tests.
pub(crate) const KEY: Address = Address::repeat_byte(0xa1);

pub(crate) fn attempt(effect: EffectId, nonce: u64, fee: u8) -> Attempt {
    let raw = [&nonce.to_be_bytes()[..], &[fee]].concat();
    let hash = keccak256(&raw);
    let (permit, state) = (format!("fee {fee}"), AttemptState::Signed);
    Attempt { effect, key: KEY, nonce, hash, raw, permit, block: 100, state }
}

pub(crate) fn landed(block: u64) -> AttemptState {
    AttemptState::Landed { block, hash: B256::with_last_byte(block as u8) }
}

/// A trade verified at depth.
pub(crate) fn verified(effect: EffectId, tick: u64) -> Outcome {
    let balances = BTreeMap::from([(Address::repeat_byte(7), u128::MAX)]);
    let before = ChainState { balances, positions: BTreeMap::from([(3, 17)]), pool_state: B256::repeat_byte(1) };
    let prediction =
        SimulatedOutcome { expected_return_micros: -5, notional: Usdc::whole(3), ..SimulatedOutcome::default() };
    let receipt = Receipt { success: true, gas_used: 121_000, realised_return_micros: -7, ..Receipt::default() };
    let record =
        OutcomeVerification::compare(Tick::new(tick), effect, before, prediction, ChainState::default(), receipt);
    let cost = Some((CostSource::Gas, Usdc::from_micros(1_500)));
    Outcome { effect, cost, result: OutcomeResult::Verified(Box::new(record)) }
}

/// A life and where it is remembered.
pub(crate) struct World {
    pub(crate) store: SqliteStore,
    pub(crate) life: Life,
}

impl World {
    pub(crate) fn create(path: &Path) -> Self {
        let life = born(golem());
        Self { store: SqliteStore::create(path, &golem(), &life).expect("a new memory"), life }
    }

    /// Opens and recovers as the runtime does: the snapshot, every pass after it, and the one that never landed.
    pub(crate) fn open(path: &Path) -> Self {
        let mut store = SqliteStore::open(path, Some(&golem())).expect("a memory");
        let Restored { snapshot, journal } = store.restore().expect("something to go on from");
        let (mut last, mut life) = snapshot.expect("a snapshot or the birth");
        for entry in journal {
            last += 1;
            assert_eq!(entry.seq, last, "the journal has no gap");
            let next = step(life, &entry.input);
            let hash = next.life.hash();
            match entry.hash {
                Some(known) => assert_eq!(known, hash, "pass {last} leads where it led"),
                None => land(&mut store, last, &entry.input, &next, &[], false).expect("room"),
            }
            life = next.life;
        }
        Self { store, life }
    }

    /// Lives ticks to and including `tick`, snapshots every tenth.
    pub(crate) fn live_to(&mut self, tick: u64) -> &mut Self {
        while self.life.tick().get() < tick {
            let next = self.life.tick().get() + 1;
            self.pass(&input(next), &[]).expect("room on the disk");
        }
        self
    }

    /// One pass: appended, lived, committed. `effects` are wanted beside those of the law.
    pub(crate) fn pass(&mut self, input: &TickInput, effects: &[Effect]) -> Result<u64, StoreError> {
        let seq = self.store.append(input)?;
        let next = step(self.life.clone(), input);
        land(&mut self.store, seq, input, &next, effects, seq.is_multiple_of(10))?;
        self.life = next.life;
        Ok(seq)
    }

    /// One pass that lived these episodes.
    pub(crate) fn pass_with(&mut self, input: &TickInput, episodes: &[Episode]) -> Result<u64, StoreError> {
        let seq = self.store.append(input)?;
        let next = step(self.life.clone(), input);
        let roll_block = Some(1_000 + input.tick.get());
        self.store.commit(Committed { roll_block, episodes, ..committed(seq, input, &next) })?;
        self.life = next.life;
        Ok(seq)
    }

    /// A pass of the next tick that brings outcomes.
    pub(crate) fn bring(&mut self, outcomes: Vec<Outcome>) -> u64 {
        let input = TickInput { outcomes, ..input(self.life.tick().get() + 1) };
        self.pass(&input, &[]).expect("room on the disk")
    }

    /// A pass of the next tick that wants effects.
    pub(crate) fn want(&mut self, effects: &[Effect]) -> u64 {
        self.pass(&input(self.life.tick().get() + 1), effects).expect("room on the disk")
    }
}

pub(crate) fn land(
    store: &mut SqliteStore,
    seq: u64,
    input: &TickInput,
    next: &Step,
    effects: &[Effect],
    keep_snapshot: bool,
) -> Result<(), StoreError> {
    let effects: Vec<Effect> = next.effects.iter().chain(effects).cloned().collect();
    let roll_block = Some(1_000 + input.tick.get());
    store.commit(Committed { effects: &effects, roll_block, keep_snapshot, ..committed(seq, input, next) })
}

/// Why something was refused.
pub(crate) fn refusal(error: StoreError) -> Refusal {
    match error {
        StoreError::Refused { reason, .. } => *reason,
        other => panic!("not refused: {other}"),
    }
}

/// Somebody else.
pub(crate) fn stranger() -> GolemId {
    GolemId::new("golem-0002").expect("a name")
}

/// What these tables say, row by row.
pub(crate) fn rows(path: &Path, tables: &[impl AsRef<str>], order: &str) -> Vec<String> {
    let connection = rusqlite::Connection::open(path).expect("sqlite");
    let mut rows = Vec::new();
    for table in tables.iter().map(AsRef::as_ref) {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table} ORDER BY {order}")).expect("a table");
        let columns = statement.column_count();
        let mut found = statement.query(()).expect("rows");
        while let Some(row) = found.next().expect("a row") {
            let values: Vec<_> = (0..columns).map(|at| format!("{:?}", row.get_ref(at).expect("a value"))).collect();
            rows.push(format!("{table}: {}", values.join(" ")));
        }
    }
    rows
}

/// A folder of its own, and the file in it.
pub(crate) fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("golem.sqlite");
    (folder, path)
}

/// A life, and where it is remembered as long as the folder is kept.
pub(crate) struct Lived {
    pub(crate) folder: TempDir,
    pub(crate) path: PathBuf,
    pub(crate) world: World,
}

/// A newborn.
pub(crate) fn fresh() -> Lived {
    let (folder, path) = folder();
    let world = World::create(&path);
    Lived { folder, path, world }
}

/// A life of so many ticks.
pub(crate) fn grown(tick: u64) -> Lived {
    let mut lived = fresh();
    lived.world.live_to(tick);
    lived
}

/// The same, and a snapshot of it.
pub(crate) fn insured(tick: u64) -> (Lived, PathBuf) {
    let mut lived = grown(tick);
    let copy = lived.world.store.insure(Tick::new(tick)).expect("room");
    (lived, copy)
}

/// A memory that was lived to `tick` and closed.
pub(crate) fn lived(tick: u64) -> (TempDir, PathBuf) {
    let Lived { folder, path, .. } = grown(tick);
    (folder, path)
}

/// Opens a file as plain SQLite and changes it, as a stranger would, or damage: nothing
/// that the file itself does about a change is done.
pub(crate) fn tamper(path: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(path).expect("sqlite");
    connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false).expect("set");
    connection.execute_batch(sql).expect("sql");
    connection.close().expect("closed");
}
