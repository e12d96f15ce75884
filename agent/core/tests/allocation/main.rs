//! an ordinary step allocates nothing. This binary has an allocator that counts, and no test harness,
//! whose threads allocate when they like.

use std::alloc::System;

use golem_core::life::Life;
use golem_core::record::{Observation, TickInput};
use golem_core::step::step;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::law::Law;
use golem_mortality::stochastic::roll::Salt;
use golem_mortality::vitals::Chance;
use golem_primitives::{GolemId, Tick, Usdc, UtcTime};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Ticks that want nothing and tell nothing but the usual three events; the inputs are made before the counting begins.
fn main() {
    let id = GolemId::new("golem-0001").expect("a name");
    let mut life = Life::birth(id, Law::hosted(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded");
    let (mut ordinary, mut busy) = (0, 0);
    for tick in 1..=2_000u64 {
        let x = (tick % 97) as f64 / 970.0;
        let mut input = TickInput::quiet(
            Tick::new(tick),
            UtcTime::from_seconds(tick * Tick::NOMINAL_SECONDS),
            Chance::Named(Salt::Empty),
        );
        input.observations = vec![
            Observation::Upkeep { source: CostSource::Compute, cost: Usdc::from_micros(100) },
            Observation::Resolved { pair: Pair::new(x, x + 0.01).expect("a pair") },
        ];
        let region = Region::new(COUNTING);
        let next = step(life, &input);
        let allocations = region.change().allocations;
        if next.effects.is_empty() && next.events.len() <= 4 {
            assert_eq!(allocations, 0, "tick {tick}: {:?}", next.events);
            ordinary += 1;
        } else {
            busy += 1;
        }
        life = next.life;
    }
    assert!(ordinary > 1_900 && busy > 0, "{ordinary} ordinary, {busy} busy");
}
