//! P-003: a look allocates nothing. This binary has an allocator that counts, and no test harness, whose threads allocate
//! when they like.

use std::alloc::System;

use golem_playbook::{Look, Watch};
use golem_primitives::Usdc;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let mut watch = Watch::new();
    let region = Region::new(COUNTING);
    for at in 0..12_000_u64 {
        let price = Usdc::from_micros(3_000_000_000 + at * at % 7_919 * 10_000);
        let look = Look {
            time: 12 * at,
            price,
            twap: price,
            impact_ppm: 100,
            fee_ppm: 500,
            volume: Usdc::from_micros(at * 1_000_000),
            gas: Usdc::from_micros(at % 613),
            regime: 2,
        };
        watch.look(&look, Usdc::whole(50));
    }
    assert_eq!(region.change().allocations, 0);
    assert_eq!(watch.looks(), 12_000);
}
