//! P-080. How fast the hand is: looks with some rules, a search of the record, a backtest.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use golem_mortality::fractal::PhageLaw;
use golem_playbook::backtest::{BacktestSettings, run};
use golem_playbook::choice::{Circumstances, Limits};
use golem_playbook::cost::ONCE;
use golem_playbook::hand::Hand;
use golem_playbook::market::Market;
use golem_playbook::phages::PhageTerms;
use golem_playbook::prices::Terms;
use golem_playbook::promotion::Founding;
use golem_playbook::rewriting::Rewrite;
use golem_playbook::search::STAGED;
use golem_playbook::{Book, Look};
use golem_primitives::Usdc;

const CAPITAL: Usdc = Usdc::whole(1_000);
const TERMS: Terms = Terms { fee_ppm: 500, gas: Usdc::from_micros(20_000), liquidity: Usdc::ZERO, capital: CAPITAL };

fn main() {
    divan::main();
}

fn market(looks: usize) -> Vec<Look> {
    Market { seed: 1, looks, edge: None }.looks(&TERMS)
}

/// The rule other programs were timed with, `count` times with thresholds that differ.
fn book(count: usize) -> Book {
    let mut book = Book::founding("mean-reversion").expect("it ships with the program");
    let rule = book.rules.remove(0);
    for at in 0..count {
        let mut rule = rule.clone();
        rule.name = format!("dip-{at}");
        rule.when.parts[0].1.threshold -= at as i64 * 1_000;
        book.rules.push(rule);
    }
    book
}

#[divan::bench(args = [1, 64, 256])]
fn looks(bencher: Bencher<'_, '_>, rules: usize) {
    let looks = market(20_000);
    let book = book(rules);
    let now = Circumstances { capital: CAPITAL, held: Usdc::ZERO, limits: Limits::NONE, caution_ppm: ONCE };
    bencher.counter(ItemsCount::new(looks.len())).bench_local(|| {
        let mut hand = Hand::found(&book, Founding::Trust, &looks[0], CAPITAL).expect("it can be tried");
        for look in &looks {
            black_box(hand.look(look, &now));
        }
    });
}

/// A hand with a full record, and its newest look.
fn lived() -> (Hand, Look) {
    let looks = market(12_000);
    let now = Circumstances { capital: CAPITAL, held: Usdc::ZERO, limits: Limits::NONE, caution_ppm: ONCE };
    let mut hand = Hand::found(&book(4), Founding::Trust, &looks[0], CAPITAL).expect("it can be tried");
    for look in &looks {
        hand.look(look, &now);
    }
    (hand, looks[11_999])
}

#[divan::bench]
fn search_of_ten_thousand_looks(bencher: Bencher<'_, '_>) {
    let (hand, look) = lived();
    bencher.with_inputs(|| hand.clone()).bench_local_refs(|hand| hand.search(&look, CAPITAL, None, STAGED));
}

/// What a full dream does with a record of ten thousand looks: it searches, rehearses threats and rewrites rules.
#[divan::bench]
fn full_dream_over_ten_thousand_looks(bencher: Bencher<'_, '_>) {
    let (hand, look) = lived();
    bencher.with_inputs(|| hand.clone()).bench_local_refs(|hand| {
        let rehearsed = hand.rehearse(&look, CAPITAL, None);
        let imagined = hand.imagine(&look, CAPITAL, None, Rewrite::ALL);
        (rehearsed, imagined, hand.search(&look, CAPITAL, None, STAGED))
    });
}

/// What the Curator does with it: what follows what, what is seen in bits, counted trips.
#[divan::bench]
fn curator_over_ten_thousand_looks(bencher: Bencher<'_, '_>) {
    let (hand, look) = lived();
    bencher
        .with_inputs(|| hand.clone())
        .bench_local_refs(|hand| (hand.count_links(), hand.read_information(), hand.tune(&look, CAPITAL, None)));
}

/// One phage: sent, and judged at its end.
#[divan::bench]
fn phage_over_ten_thousand_looks(bencher: Bencher<'_, '_>) {
    let (mut hand, look) = lived();
    let law = PhageLaw { lifetime: 0, ..PhageLaw::default() };
    let terms = PhageTerms { law, allowed: 1, elsewhere: 0, may_replicate: false };
    hand.tend_phages(&look, CAPITAL, None, &terms);
    assert_eq!(hand.phages().living().len(), 1);
    bencher.with_inputs(|| hand.clone()).bench_local_refs(|hand| hand.tend_phages(&look, CAPITAL, None, &terms));
}

#[divan::bench(sample_count = 3)]
fn backtest_of_a_million_looks(bencher: Bencher<'_, '_>) {
    let looks = market(1_000_000);
    let book = book(1);
    let settings = BacktestSettings {
        capital: CAPITAL,
        rent_a_day: Usdc::ZERO,
        founding: Founding::Trust,
        search: false,
        life: None,
        folds: 4,
    };
    bencher
        .counter(ItemsCount::new(looks.len()))
        .bench_local(|| black_box(run(&book, &looks, &settings)).expect("it can be tried"));
}
