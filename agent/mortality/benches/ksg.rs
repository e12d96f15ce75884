//! Times the KSG estimate of 2,000 pairs (M-265) and leaves the pairs for another program to time itself on.
//!
//! A plain binary, because `scripts/bench ksg` needs one figure, one estimate and one file from one run. The pairs come
//! from a fixed seed: a correlated normal with a curved response, the shape of an action and what the market answers.

#![expect(clippy::disallowed_methods, reason = "a bench measures time")]
#![expect(clippy::print_stdout, reason = "the figures are its output")]

use std::fmt::Write as _;
use std::time::Instant;

use golem_mortality::ksg::{Ksg, standardise};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

const PAIRS: usize = 2_000;
const ROUNDS: usize = 301;
const SEED: u64 = 0x4B53_4721;

fn main() {
    let (x, y) = pairs();
    let estimate = || {
        let (x, y) = (standardise(&x), standardise(&y));
        Ksg::new(3).expect("allowed").mutual_information(&x, &y).expect("enough pairs").0
    };
    let mut seconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(estimate());
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    println!("pairs {PAIRS}");
    println!("seconds {:.9}", seconds[ROUNDS / 2]);
    println!("nats {:.12}", estimate());

    // Cargo passes its own flags; the file is the argument that is none.
    if let Some(path) = std::env::args().skip(1).find(|argument| !argument.starts_with('-')) {
        let mut text = String::new();
        for (x, y) in x.iter().zip(&y) {
            writeln!(text, "{x:?},{y:?}").expect("a string takes any text");
        }
        std::fs::write(&path, text).expect("the file can be written");
    }
}

fn pairs() -> (Vec<f64>, Vec<f64>) {
    let mut rng = ChaCha12Rng::seed_from_u64(SEED);
    let mut uniform = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let mut normal = || {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - uniform()));
        radius * libm::cos(std::f64::consts::TAU * uniform())
    };
    (0..PAIRS)
        .map(|_| {
            let action = normal();
            (action, libm::tanh(action) + 0.5 * normal())
        })
        .unzip()
}
