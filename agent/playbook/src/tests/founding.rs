//! The founding books against the strategies they stand for.

use golem_primitives::Usdc;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::*;
use crate::look::Look;
use crate::observable::Stance;
use crate::parse::parse;
use crate::watch::Watch;

#[test]
fn p_008_founding_books_are_short_canonical_and_leave_nothing_to_remark() {
    for name in Book::founding_names() {
        let text = Book::founding_text(name).expect("it ships");
        let read = parse(text).unwrap_or_else(|mistakes| panic!("{name}: {mistakes}"));
        assert_eq!(read.remarks, Vec::new(), "{name}");
        assert!(text.lines().count() < 20, "{name}");
        assert_eq!(Book::founding(name), Some(read.book));
    }
    assert_eq!(Book::founding("martingale"), None);
}

/// A random walk with fat steps, as prices of a token.
fn walk(looks: usize) -> Vec<u64> {
    let mut chance = ChaCha8Rng::seed_from_u64(8);
    let mut price = 3_000_000_000_u64;
    let mut step = || (0..4).map(|_| (chance.next_u64() % 1_001) as i64 - 500).sum::<i64>();
    (0..looks)
        .map(|_| {
            price = (price as i64 + price as i64 / 1_000_000 * step()) as u64;
            price
        })
        .collect()
}

/// Whether a rule is awake at each look from the 64th on.
fn awake(rule: &Rule, prices: &[u64]) -> Vec<bool> {
    let mut watch = Watch::default();
    let mut entry: Option<u64> = None;
    let mut states = Vec::new();
    for (at, price) in prices.iter().enumerate() {
        let usdc = Usdc::from_micros(*price);
        let look = Look {
            time: at as u64,
            price: usdc,
            twap: usdc,
            impact_ppm: 0,
            fee_ppm: 500,
            volume: Usdc::ZERO,
            gas: Usdc::from_micros(1),
        };
        let seen = watch.look(&look, Usdc::whole(50));
        if at + 1 < 64 {
            continue;
        }
        let gain = entry.map_or(0, |entry| (*price as i64 - entry as i64) * 1_000_000 / entry as i64);
        let own = Stance { gain, ..Stance::default() };
        entry = match entry {
            Some(_) if rule.until.as_ref().is_some_and(|until| until.holds(seen, &own)) => None,
            None if rule.when.holds(seen, &own) => Some(*price),
            same => same,
        };
        states.push(entry.is_some());
    }
    states
}

/// The same of a strategy: what it says of the last 64 prices, and of its entry.
fn held(prices: &[u64], wants: impl Fn(&[f64], Option<f64>) -> bool) -> Vec<bool> {
    let prices: Vec<f64> = prices.iter().map(|price| *price as f64).collect();
    let mut entry = None;
    let mut states = Vec::new();
    for window in prices.windows(64) {
        let changes = wants(window, entry);
        entry = match entry {
            Some(_) if changes => None,
            None if changes => Some(window[63]),
            same => same,
        };
        states.push(entry.is_some());
    }
    states
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let middle = mean(values);
    mean(&values.iter().map(|value| (value - middle) * (value - middle)).collect::<Vec<_>>()).sqrt()
}

fn entries(states: &[bool]) -> usize {
    states.windows(2).filter(|pair| !pair[0] && pair[1]).count()
}

/// P-008.
#[test]
fn p_008_mean_reversion_holds_when_the_strategy_did() {
    let prices = walk(20_000);
    let book = Book::founding("mean-reversion").expect("it ships");
    let strategy = held(&prices, |window, entry| {
        let z = (window[63] - mean(window)) / deviation(window);
        match entry {
            Some(entry) => z >= 0.0 || window[63] / entry - 1.0 <= -0.015,
            None => z <= -1.25,
        }
    });
    assert!(entries(&strategy) > 200, "{}", entries(&strategy));
    assert_eq!(awake(&book.rules[0], &prices), strategy);
}

/// The language has no means of 6 and of 24: the book says nearly the same by other words.
#[test]
fn p_008_momentum_holds_nearly_when_the_strategy_did() {
    let prices = walk(20_000);
    let book = Book::founding("momentum").expect("it ships");
    let strategy = held(&prices, |window, entry| {
        let lean = mean(&window[58..]) / mean(&window[40..]) - 1.0;
        let returns: Vec<f64> = window.windows(2).map(|pair| pair[1] / pair[0] - 1.0).collect();
        if entry.is_some() { lean < 0.0 } else { lean > deviation(&returns) }
    });
    let rule = awake(&book.rules[0], &prices);
    let alike = rule.iter().zip(&strategy).filter(|(a, b)| a == b).count();
    assert!(alike * 100 >= 90 * strategy.len(), "{alike} of {}", strategy.len());
    assert!(entries(&rule).abs_diff(entries(&strategy)) * 10 <= entries(&strategy), "{}", entries(&rule));
}
