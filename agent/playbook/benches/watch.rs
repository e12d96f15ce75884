//! P-003: looks a second of the watch alone, on a random walk with changing gas, all words full.

use divan::Bencher;
use divan::counter::ItemsCount;
use golem_playbook::watch::MEMORY;
use golem_playbook::{Look, Watch};
use golem_primitives::Usdc;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

fn main() {
    divan::main();
}

/// Looks per sample.
const LOOKS: usize = 2_000;
const STAKE: Usdc = Usdc::from_micros(50_000_000);

fn walk(looks: usize) -> Vec<Look> {
    let mut chance = ChaCha8Rng::seed_from_u64(7);
    let mut price = 3_000_000_000_u64;
    (0..looks as u64)
        .map(|at| {
            let step = chance.next_u64() % 6_001;
            price = price * (997_000 + step) / 1_000_000 + 1;
            Look {
                time: 1_700_000_000 + 12 * at,
                price: Usdc::from_micros(price),
                twap: Usdc::from_micros(price),
                impact_ppm: 120,
                fee_ppm: 500,
                volume: Usdc::from_micros(chance.next_u64() % 100_000_000_000),
                gas: Usdc::from_micros(10_000 + chance.next_u64() % 5_000),
            }
        })
        .collect()
}

#[divan::bench(sample_count = 400)]
fn looks(bencher: Bencher<'_, '_>) {
    let path = walk(MEMORY + LOOKS);
    let (before, sample) = path.split_at(MEMORY);
    let mut full = Watch::default();
    for look in before {
        full.look(look, STAKE);
    }
    bencher.counter(ItemsCount::new(LOOKS)).with_inputs(|| full.clone()).bench_local_values(|mut watch| {
        for look in sample {
            std::hint::black_box(watch.look(look, STAKE));
        }
        watch
    });
}
