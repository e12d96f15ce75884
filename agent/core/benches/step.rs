//! ticks per second of the pure step, with the roll given and with the roll of the Golem's own name, young and
//! old; the hash of the state beside it.

use arrayvec::ArrayVec;
use divan::Bencher;
use divan::counter::ItemsCount;
use golem_core::life::Life;
use golem_core::record::{
    AffectTemper, BlockRef, DreamTerms, Observation, Sight, StudyQuotes, Temper, TickInput, Turn,
};
use golem_core::step::step;
use golem_core::trader::{Foundation, TraderSettings};
use golem_daimon::personality::Personality;
use golem_dreams::DreamLaw;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::law::Law;
use golem_mortality::stochastic::roll::{Roll, Salt};
use golem_mortality::vitals::Chance;
use golem_playbook::promotion::Founding;
use golem_primitives::{B256, GolemId, Tick, Usdc, UtcTime};
use golem_suffering::law::SufferingProfile;

#[path = "../../../test/shared/readings.rs"]
mod readings;

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
    let temper = Temper { affect, suffering: Some(SufferingProfile::Hardened), ..Temper::NONE };
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

/// One tick of a life with a hand: what it sees, then its end.
fn looking(life: &Life, tick: u64, more: Vec<Observation>) -> [TickInput; 2] {
    let price = Usdc::from_micros(3_000_000_000 + tick.wrapping_mul(2_654_435_761) % 6_000_000);
    let now = UtcTime::from_seconds(1_794_700_800 + tick * Tick::NOMINAL_SECONDS);
    let block = BlockRef { number: tick, hash: B256::ZERO, time: now };
    let (market, vault) = (readings::market(price), Some(readings::vault(now)));
    let sight = Observation::Sight(Box::new(Sight { block, market, elsewhere: ArrayVec::new(), vault }));
    let of = |turn, observations| TickInput { turn, observations, ..TickInput::quiet(life.tick(), now, GIVEN) };
    let tick = Tick::new(tick);
    [of(Turn::Deciding, [vec![sight], more].concat()), of(Turn::Sleeping, Vec::new())]
        .map(|one| TickInput { tick, ..one })
}

/// A life with a hand and the rooms it is told of, at an age at which everything has begun.
fn housed(rooms: Vec<Observation>) -> Life {
    let id = GolemId::new("golem-0001").expect("a name");
    // Prices of no pattern would end a mortal one of senescence before it is measured.
    let born = Life::birth(id, Law::immortal().on_chain(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded");
    let book = Foundation { founding: Founding::Paper, ..Foundation::shipped("mean-reversion").expect("it ships") };
    let mut life = born.with_trader(TraderSettings::default(), book);
    for tick in 1..=2_000 {
        let more = if tick == 1 { rooms.clone() } else { Vec::new() };
        for input in looking(&life, tick, more) {
            life = step(life, &input).life;
        }
    }
    assert!(life.is_alive(), "{:?}", life.death().map(|death| &death.cause));
    life
}

/// Whole ticks of a life with a hand that tries rules, without any other room and with all of them: mood, suffering, models, what
/// they advised, studies and dreams. No target; the furnished one is held against the bare.
#[divan::bench(args = [false, true])]
fn ticks_with_a_hand(bencher: Bencher<'_, '_>, is_furnished: bool) {
    let id = GolemId::new("golem-0001").expect("a name");
    let quote = Some(Usdc::from_micros(2_000));
    let affect = Some(AffectTemper::of(Personality::born(&id, None)));
    let temper = Temper { affect, suffering: Some(SufferingProfile::Hardened), ..Temper::NONE };
    let dreams = DreamTerms::new(&DreamLaw { enabled: true, ..DreamLaw::default() }, [quote; 3], "ETH");
    let [reflection, distillation, last_words] = [[None, quote, quote, None]; 3];
    let rooms = vec![
        Observation::Temper(Box::new(temper)),
        Observation::Faculties { quotes: [None, quote, quote, None] },
        Observation::Precedents { ttl_ticks: 100 },
        Observation::Studies { quotes: StudyQuotes { reflection, distillation, last_words } },
        Observation::Dreams(Box::new(dreams)),
    ];
    let life = housed(if is_furnished { rooms } else { Vec::new() });
    let inputs: Vec<TickInput> = (2_001..=2_000 + TICKS).flat_map(|tick| looking(&life, tick, Vec::new())).collect();
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
