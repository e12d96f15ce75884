//! P-003, P-056: a look allocates nothing after start-up, whatever trips end and rules rest at it: neither the words nor the
//! accounts nor the choice. This binary has an allocator that
//! counts, and no test harness, whose threads allocate when they like.

use std::alloc::System;

use golem_playbook::Book;
use golem_playbook::choice::{Circumstances, Limits};
use golem_playbook::cost::ONCE;
use golem_playbook::hand::Hand;
use golem_playbook::market::Market;
use golem_playbook::prices::Terms;
use golem_playbook::promotion::Founding;
use golem_primitives::Usdc;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let capital = Usdc::whole(1_000);
    let terms = Terms { fee_ppm: 500, gas: Usdc::from_micros(20_000), liquidity: Usdc::ZERO, capital };
    let looks = Market { seed: 5, looks: 15_000, edge: None }.looks(&terms);
    let mut book = Book::founding("mean-reversion").expect("it ships with the program");
    let rule = book.rules.remove(0);
    for at in 0..64 {
        let mut rule = rule.clone();
        rule.name = format!("dip-{at}");
        rule.when.parts[0].1.threshold -= at * 10_000;
        book.rules.push(rule);
    }
    let mut hand = Hand::found(&book, Founding::Trust, &looks[0], capital).expect("it can be tried");
    let now = Circumstances { capital, held: Usdc::ZERO, limits: Limits::NONE, caution_ppm: ONCE };
    let (mut orders, mut changes) = (0, 0);
    let region = Region::new(COUNTING);
    for look in &looks {
        orders += usize::from(hand.look(look, &now).order.is_some());
        changes += hand.events().count();
    }
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
    assert!(orders > 100 && changes > 64, "{orders} orders and {changes} changes are too few to tell");
}
