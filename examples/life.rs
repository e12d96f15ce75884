//! A whole life without a chain, a disk or a clock: time, chance and costs are inputs of one pure function.
//!
//! `cargo run --example life`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use golem_core::life::Life;
use golem_core::record::{Event, Observation, TickInput};
use golem_core::step::step;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::event::LawEvent;
use golem_mortality::law::Law as MortalLaw;
use golem_mortality::stochastic::roll::Salt;
use golem_mortality::vitals::Chance;
use golem_primitives::{GolemId, Tick, Usdc, UtcTime};

fn main() {
    let born = UtcTime::from_seconds(1_794_700_800);
    let id = GolemId::new("ada").expect("a name");
    let mut life = Life::birth(id, MortalLaw::hosted(), Usdc::whole(50), 0, born).expect("enough to live on");
    for tick in 1.. {
        let now = UtcTime::from_seconds(1_794_700_800 + tick * Tick::NOMINAL_SECONDS);
        // The roll of its death follows from its name and this seed: whoever knows both can check it.
        let mut input = TickInput::quiet(Tick::new(tick), now, Chance::Named(Salt::Seed(7)));
        input.observations = vec![Observation::Upkeep { source: CostSource::Compute, cost: Usdc::from_micros(25_000) }];
        let after = step(life, &input);
        for event in &after.events {
            if let Event::Mortality(LawEvent::PhaseTransition { from_phase, to_phase, composite, .. }) = event {
                println!("tick {tick}: {from_phase} -> {to_phase} (vitality {composite})");
            }
        }
        life = after.life;
        if let Some(death) = life.death() {
            println!("tick {tick}: it dies of {}", death.cause.kind().name());
            break;
        }
    }
}
