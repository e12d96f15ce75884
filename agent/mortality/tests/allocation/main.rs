//! a tick of the law allocates nothing. This binary has an allocator that counts, and no test harness,
//! whose threads allocate when they like.

use std::alloc::System;

use golem_mortality::economic::burn::TickCosts;
use golem_mortality::epistemic::clock::EpistemicFacts;
use golem_mortality::epistemic::domain::Matches;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::event::LawEvents;
use golem_mortality::law::Law;
use golem_mortality::lifecycle::{Fate, Golem};
use golem_mortality::stochastic::roll::Salt;
use golem_mortality::vitals::{Chance, TickFacts};
use golem_primitives::{GolemId, Tick, Usdc, UtcTime};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// M-052, M-096, M-146..M-153: windows, rolls, books and events of 20,000 ticks, not one allocation.
fn main() {
    let id = GolemId::new("golem-0001").expect("a name");
    let mut golem =
        Golem::provision(id, Law::hosted(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded").give_birth();
    let region = Region::new(COUNTING);
    for tick in 1..=20_000u64 {
        let x = (tick % 97) as f64 / 970.0;
        let pairs = [Pair::new(x, x + 0.01).expect("a pair")];
        let facts = TickFacts {
            tick: Tick::new(tick),
            now: UtcTime::from_seconds(tick * Tick::NOMINAL_SECONDS),
            costs: TickCosts {
                compute: Usdc::from_micros(100),
                gas: Usdc::from_micros(1_000 * u64::from(tick % 7 == 0)),
                inference: Usdc::from_micros(2_000),
                ..TickCosts::default()
            },
            revenue: Usdc::from_micros(1_500),
            epistemic: EpistemicFacts {
                pairs: &pairs,
                matches: Some(Matches([tick % 2 == 0, true, true, tick % 5 == 0, true])),
                ..EpistemicFacts::default()
            },
            chance: Chance::Named(Salt::Empty),
            open_positions: (tick / 500) as u32,
            ..TickFacts::default()
        };
        let mut events = LawEvents::new();
        let Ok((Fate::Lives(next), _)) = golem.tick(&facts, &mut events) else { panic!("died at {tick}") };
        golem = next;
    }
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
    drop(golem);
}
