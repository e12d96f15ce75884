//! P-065. One life's understanding of a file of prices, through the epistemic clock that real lives die by.
//!
//! `cargo run --release -p golem-playbook --example understanding -- FILE.csv [SEED]`
//!
//! The file has a line of names with `close` and a column that begins with `volume`; it may stand newest first. Files of prices
//! have no gas, so that of each look is made up by the seed, with memory.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it reports to the terminal")]

use std::process::ExitCode;

use golem_mortality::epistemic::clock::{EpistemicClock, EpistemicFacts, EpistemicLaw};
use golem_mortality::ring::Ring;
use golem_playbook::understanding::{MarketQuestion, PRICE_EVERY, Sighting, Understanding};
use golem_primitives::{Tick, Usdc};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: understanding FILE.csv [SEED]");
        return ExitCode::FAILURE;
    };
    let seed = arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let read = std::fs::read_to_string(&path).map_err(|error| error.to_string()).and_then(|text| rows(&text));
    match read {
        Ok(rows) => live(&rows, seed),
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Close and volume of each row, oldest first.
fn rows(text: &str) -> Result<Vec<(f64, f64)>, String> {
    let mut lines = text.lines().enumerate();
    let names =
        lines.by_ref().map(|(_, line)| line.to_lowercase()).find(|line| line.split(',').any(|name| name == "close"));
    let names = names.ok_or("no line of names with a column \"close\"")?;
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    let place = |is_it: fn(&str) -> bool| names.iter().rposition(|name| is_it(name));
    let close = place(|name| name == "close").ok_or("no column \"close\"")?;
    let volume = place(|name| name.starts_with("volume")).ok_or("no column that begins with \"volume\"")?;
    let mut dates = Vec::new();
    let mut rows = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |at: usize| cells.get(at).and_then(|cell| cell.trim().parse::<f64>().ok());
        let (Some(price), Some(traded)) = (cell(close), cell(volume)) else {
            return Err(format!("line {}: close and volume must be numbers", number + 1));
        };
        dates.push(cells[0]);
        rows.push((price, traded));
    }
    if dates.first() > dates.last() {
        rows.reverse();
    }
    Ok(rows)
}

fn live(rows: &[(f64, f64)], seed: u64) {
    let law = EpistemicLaw::default();
    let (mut clock, mut understanding) = (EpistemicClock::default(), Understanding::default());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut prices = Ring::<f64, 64>::new();
    let (mut gas, mut outlook) = (0.0, None);
    let (mut scores, mut sum, mut lowest, mut senescent) = (0u32, 0.0, 1.0f64, None);
    let mut counted = [0u32; 2];
    for (look, (close, traded)) in (1..).zip(rows) {
        // Twelve uniform numbers less six are as good as normal here.
        let noise: f64 = (0..12).map(|_| f64::from(rng.next_u32()) / f64::from(u32::MAX)).sum::<f64>() - 6.0;
        gas = 0.99 * gas + 0.05 * noise;
        let seen = Sighting {
            price: Usdc::from_micros((close * 1e6) as u64),
            volume: Usdc::from_micros((traded * 1e6) as u64),
            gas_wei: libm::exp(16.0 + gas) as u64,
        };
        prices.push(*close);
        let looked = understanding.look(&seen);
        let mut pairs: Vec<_> = looked.judged.iter().filter_map(|judged| judged.pair).collect();
        counted[0] += pairs.len() as u32;
        if look % PRICE_EVERY == 0 {
            if let Some((from, expected)) = outlook {
                let pair = understanding.price(expected, close / from - 1.0, PRICE_EVERY);
                counted[1] += u32::from(pair.is_some());
                pairs.extend(pair);
            }
            let mean = prices.iter().sum::<f64>() / prices.len() as f64;
            outlook = Some((*close, 0.5 * (mean / close - 1.0)));
        }
        let facts = EpistemicFacts { pairs: &pairs, ..EpistemicFacts::default() };
        if let Some(score) = clock.tick(&law, Tick::new(look), &facts).score {
            (scores, sum) = (scores + 1, sum + score.get());
        }
        lowest = lowest.min(clock.fitness().get());
        if clock.senescence().is_senescent() {
            senescent.get_or_insert(look);
        }
    }
    println!("looks {}, pairs {} and {} about the price", rows.len(), counted[0], counted[1]);
    println!("senescent: {}", senescent.map_or("no".to_owned(), |look| format!("yes, from look {look}")));
    println!(
        "R² mean {:.3}; fitness lowest {lowest:.3}, last {:.3}",
        sum / f64::from(scores.max(1)),
        clock.fitness().get()
    );
    for question in MarketQuestion::ALL {
        if let (Some(belief), Some(judged)) =
            (understanding.learnt().beliefs[question.domain as usize], understanding.newest(question))
        {
            let words = format!("{} ({})", question.domain.name(), question.words());
            let [level, said, came] = [belief.say(question.size, 0.0), judged.claim.said, judged.came].map(libm::exp);
            println!("{words:<44} believed {level:>14.6} said {said:>14.6} came {came:>14.6}");
        }
    }
}
