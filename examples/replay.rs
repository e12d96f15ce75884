//! The same journal is the same life: lived twice, and once cut in the middle and taken up from a snapshot.
//!
//! `cargo run --example replay`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use golem_core::life::Life;
use golem_core::record::{Observation, TickInput};
use golem_core::step::step;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::law::Law;
use golem_mortality::stochastic::roll::Salt;
use golem_mortality::vitals::Chance;
use golem_primitives::{GolemId, Tick, Usdc, UtcTime};

fn main() {
    let journal: Vec<TickInput> = (1..=500).map(input).collect();
    let first = journal.iter().fold(newborn(), |life, input| step(life, input).life);
    let second = journal.iter().fold(newborn(), |life, input| step(life, input).life);
    let (before, behind) = journal.split_at(200);
    let cut = before.iter().fold(newborn(), |life, input| step(life, input).life);
    let kept = cut.to_snapshot();
    let taken_up = Life::from_snapshot(&kept).expect("what was written can be read");
    let third = behind.iter().fold(taken_up, |life, input| step(life, input).life);
    println!("lived          {}", first.hash());
    println!("lived again    {}", second.hash());
    println!("cut at 200     {} ({} bytes were kept)", third.hash(), kept.len());
    assert!(first.hash() == second.hash() && first.hash() == third.hash(), "the same journal is the same life");
}

fn newborn() -> Life {
    let id = GolemId::new("ada").expect("a name");
    Life::birth(id, Law::hosted(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("enough to live on")
}

fn input(tick: u64) -> TickInput {
    let now = UtcTime::from_seconds(1_794_700_800 + tick * Tick::NOMINAL_SECONDS);
    let mut input = TickInput::quiet(Tick::new(tick), now, Chance::Named(Salt::Seed(7)));
    input.observations = vec![Observation::Upkeep { source: CostSource::Compute, cost: Usdc::from_micros(1_000) }];
    input
}
