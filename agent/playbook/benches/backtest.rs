//! One rule over one series. `scripts/bench backtest` runs it and gives its peers the same series.
//!
//! Arguments: the file for the prices, how many, how often. It leaves the prices as raw little-endian micro-USDC and prints a
//! line a run: who, bars, seconds of a processor, entries, what the capital became, and the version.

#![expect(clippy::print_stdout, reason = "a bench prints its numbers")]
#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use golem_playbook::backtest::{BacktestSettings, Run, run};
use golem_playbook::promotion::Founding;
use golem_playbook::rule::Action;
use golem_playbook::{Book, Look};
use golem_primitives::{Ppm, Usdc};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

const CAPITAL: Usdc = Usdc::whole(10_000);
/// What the pool takes, how far the whole capital bends it, and gas. The peers pay the same.
const FEE_PPM: u32 = 500;
const IMPACT_PPM: u32 = 100;
const GAS: Usdc = Usdc::from_micros(20_000);

/// A level that walks, and a distance from it that dies out: prices in which the rule earns more than its costs. Elsewhere it
/// would be put to rest after some trips, and from there on less would be done than by the peers.
fn series(bars: usize) -> Vec<Look> {
    let mut chance = ChaCha12Rng::seed_from_u64(1);
    // Twelve even numbers make a bell.
    let mut bell = || (0..12).map(|_| (chance.next_u64() >> 11) as f64 / (1_u64 << 53) as f64).sum::<f64>() - 6.0;
    let (mut level, mut distance) = (2_000.0, 0.0);
    (0..bars as u64)
        .map(|at| {
            level *= 1.0 + 0.0002 * bell();
            distance = 0.97 * distance + 0.001 * bell();
            let price = Usdc::from_micros((level * (1.0 + distance) * 1e6) as u64);
            Look {
                time: 1_704_067_200 + 60 * at,
                price,
                twap: price,
                impact_ppm: IMPACT_PPM,
                fee_ppm: FEE_PPM,
                volume: Usdc::from_micros((50e9 * (1.0 + 0.1 * bell())) as u64),
                gas: GAS,
            }
        })
        .collect()
}

/// The rule other programs were timed with before, on a tenth of the capital: with all of it what it earns would double too
/// often. It promises nothing, so that it is held to earning anything at all.
fn book() -> Book {
    let mut book = Book::founding("mean-reversion").expect("it ships with the program");
    book.rules[0].action = Action::Hold { share: Ppm::of(100_000) };
    book.rules[0].expects = None;
    book
}

fn leave(prices: &Path, looks: &[Look]) {
    let raw: Vec<u8> = looks.iter().flat_map(|look| look.price.micros().to_le_bytes()).collect();
    fs::write(prices, raw).expect("a place for the prices");
}

/// Seconds this thread has had a processor, or wall time where the kernel does not say.
fn processor(since: Instant) -> f64 {
    let said = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = said.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    nanos.map_or_else(|| since.elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}

fn tell(looks: &[Look], seconds: f64, run: &Run) {
    let trips = run.rules.iter().map(|rule| rule.trips).sum::<u64>();
    assert!(run.trips.abs_diff(trips) <= 1, "money followed the rule: {} trips of {trips}", run.trips);
    let growth = run.end.micros() as f64 / CAPITAL.micros() as f64;
    println!("golem-playbook {} {seconds} {} {growth} {}", looks.len(), run.trips, env!("CARGO_PKG_VERSION"));
}

fn main() {
    // Cargo adds `--bench` behind what it was given.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [prices, bars, runs] = words.as_slice() else {
        // A run of all benches has nobody to compare with; `hand` times the same there.
        return;
    };
    let (bars, runs): (usize, usize) = (bars.parse().expect("bars"), runs.parse().expect("runs"));
    let looks = series(bars);
    leave(Path::new(prices), &looks);
    let book = book();
    let settings = BacktestSettings {
        capital: CAPITAL,
        rent_a_day: Usdc::ZERO,
        founding: Founding::Trust,
        search: false,
        life: None,
        folds: 4,
    };
    let began = Instant::now();
    for _ in 0..runs {
        let start = processor(began);
        let run = black_box(run(black_box(&book), black_box(&looks), &settings)).expect("it can be tried");
        tell(&looks, processor(began) - start, &run);
    }
}
