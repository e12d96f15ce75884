//! ticks per second of the pure step, with the roll given and with the roll of the Golem's own name, young and
//! old; the hash of the state beside it.

use divan::Bencher;
use divan::counter::ItemsCount;
use golem_core::life::Life;
use golem_core::record::{AffectTemper, Observation, Temper, TickInput};
use golem_core::step::step;
use golem_daimon::personality::Personality;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::law::Law;
use golem_mortality::stochastic::roll::{Roll, Salt};
use golem_mortality::vitals::Chance;
use golem_primitives::{GolemId, Tick, Usdc, UtcTime};
use golem_suffering::law::Profile;

fn main() {
    divan::main();
}

/// Ticks per sample.
const TICKS: u64 = 1_000;
const GIVEN: Chance = Chance::Given(Roll(u64::MAX));
const NAMED: Chance = Chance::Named(Salt::Seed(7));

/// An ordinary tick: upkeep, a model call, a revenue that pays for both, and one prediction resolved.
fn input(tick: u64, chance: Chance) -> TickInput {
    let x = (tick % 97) as f64 / 970.0;
    let pair = Pair::new(x, x + 0.004 * (tick % 3) as f64).expect("a return");
    let now = UtcTime::from_seconds(1_794_700_800 + tick * Tick::NOMINAL_SECONDS);
    let mut input = TickInput::quiet(Tick::new(tick), now, chance);
    input.observations = vec![
        Observation::Upkeep { source: CostSource::Compute, cost: Usdc::from_micros(100) },
        Observation::Upkeep { source: CostSource::Inference, cost: Usdc::from_micros(200) },
        Observation::Revenue { amount: Usdc::from_micros(400) },
        Observation::Resolved { pair },
    ];
    input
}

/// Lives to `age`, where the sample begins.
fn aged(age: u64) -> Life {
    let id = GolemId::new("golem-0001").expect("a name");
    let mut life = Life::birth(id, Law::hosted(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded");
    for tick in 1..=age {
        life = step(life, &input(tick, GIVEN)).life;
    }
    assert!(life.is_alive(), "the life of a bench does not end: {:?}", life.death().map(|death| &death.cause));
    life
}

fn run(bencher: Bencher<'_, '_>, age: u64, chance: Chance) {
    let life = aged(age);
    let inputs: Vec<TickInput> = (age + 1..=age + TICKS).map(|tick| input(tick, chance)).collect();
    bencher.counter(ItemsCount::new(TICKS)).with_inputs(|| life.clone()).bench_local_values(|mut life| {
        for input in &inputs {
            life = step(life, divan::black_box(input)).life;
        }
        life
    });
}

/// Target: 2,000,000 ticks a second.
#[divan::bench(args = [1_000, 10_000, 100_000, 1_000_000])]
fn roll_given(bencher: Bencher<'_, '_>, age: u64) {
    run(bencher, age, GIVEN);
}

/// Target: 1,000,000 ticks a second. Old ages are left out: there the roll would kill.
#[divan::bench(args = [1_000, 10_000])]
fn roll_by_keccak(bencher: Bencher<'_, '_>, age: u64) {
    run(bencher, age, NAMED);
}

/// With a mood and with suffering, whose facts are gathered at every tick: no target, but it must not grow with age.
#[divan::bench(args = [1_000, 10_000])]
fn with_mood_and_suffering(bencher: Bencher<'_, '_>, age: u64) {
    let mut told = input(1, GIVEN);
    let id = GolemId::new("golem-0001").expect("a name");
    let affect = Some(AffectTemper::of(Personality::born(&id, None)));
    let temper = Temper { affect, suffering: Some(Profile::Hardened), ..Temper::NONE };
    told.observations.push(Observation::Temper(Box::new(temper)));
    let mut life =
        step(Life::birth(id, Law::hosted(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded"), &told).life;
    for tick in 2..=age {
        life = step(life, &input(tick, GIVEN)).life;
    }
    let inputs: Vec<TickInput> = (age + 1..=age + TICKS).map(|tick| input(tick, GIVEN)).collect();
    bencher.counter(ItemsCount::new(TICKS)).with_inputs(|| life.clone()).bench_local_values(|mut life| {
        for input in &inputs {
            life = step(life, divan::black_box(input)).life;
        }
        life
    });
}

/// The hash of a whole life.
#[divan::bench(args = [1_000])]
fn state_hash(bencher: Bencher<'_, '_>, age: u64) {
    let life = aged(age);
    bencher.counter(ItemsCount::new(1u64)).bench_local(|| divan::black_box(&life).hash());
}
