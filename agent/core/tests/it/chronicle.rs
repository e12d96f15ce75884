//! One whole life, readable.

use golem_core::chronicle::LifeChronicle;
use golem_core::life::Life;
use golem_core::record::{Command, Observation, Outcome, TickInput};
use golem_core::step::step;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::law::Law;
use golem_mortality::stochastic::roll::Salt;
use golem_mortality::vitals::Chance;
use golem_primitives::Tick;

use crate::world::{answer, born, now, usdc};

/// A prediction resolved in this tick: right for most of this life, wrong in its last part.
fn resolved(tick: u64) -> Pair {
    let wave = ((tick * 37) % 101) as f64 / 1_000.0 - 0.05;
    let actual = if tick < 2_500 { wave + (tick % 7) as f64 / 500.0 } else { -wave / 2.0 };
    Pair::new(wave, actual).expect("a return")
}

/// Lives with the roll of its own name, trades, is fed once, and dies.
fn chronicle(mut life: Life) -> (String, Life) {
    let mut chronicle = LifeChronicle::default();
    let mut answers: Vec<Outcome> = Vec::new();
    for tick in 1.. {
        let mut input = TickInput::quiet(Tick::new(tick), now(tick), Chance::Named(Salt::Empty));
        let cost = usdc(if tick < 1_800 { "0.006" } else { "0.013" });
        input.observations.push(Observation::Upkeep { source: CostSource::Compute, cost });
        input.observations.push(Observation::Positions { open: if (600..2_900).contains(&tick) { 3 } else { 0 } });
        if tick == 2_900 {
            input.observations.push(Observation::Funded { amount: usdc("4") });
        }
        input.observations.push(Observation::Resolved { pair: resolved(tick) });
        input.outcomes = std::mem::take(&mut answers);
        let next = step(life, &input);
        chronicle.note(&next);
        answers = next.effects.iter().map(answer).collect();
        life = next.life;
        if !life.is_alive() {
            break;
        }
    }
    let input = TickInput {
        commands: vec![Command::Conclude],
        ..TickInput::quiet(life.tick().next(), now(life.tick().get() + 1), Chance::Named(Salt::Empty))
    };
    let next = step(life, &input);
    chronicle.note(&next);
    (chronicle.as_str().to_owned(), next.life)
}

/// The chronicle of a life that stops understanding its market, is fed, and dies of it with money left: M-018, M-030,
/// M-031, M-043, M-047, M-067, M-125, M-131, M-151, M-230.
#[test]
fn a_life_from_birth_to_the_end_of_its_death() {
    let (text, life) = chronicle(born(Law::hosted(), "30"));
    assert!(life.death().is_some());
    insta::assert_snapshot!(text);
}
