//! Records are a format: pinned by snapshot.

use golem_core::record::{Command, Effect, EffectKind, Event, Observation, TickInput, Turn};
use golem_mortality::cause::{KillOrder, Reason};
use golem_mortality::law::Law;
use golem_mortality::stochastic::roll::{Roll, Salt};
use golem_mortality::vitals::{BalanceReading, Chance};
use golem_primitives::{B256, EffectId, GolemId, Tick, Usdc};

use crate::world::{answer, born, live, now, quiet, trade};

/// Version 1 of the input, as it lies in the journal.
#[test]
fn the_input_format_is_pinned() {
    let golem = GolemId::new("golem-0001").expect("a name");
    let effect = EffectId::derive(&golem, Tick::new(6), 4, 0);
    let kind = EffectKind::TakeInsuranceSnapshot;
    let input = TickInput {
        turn: Turn::Sleeping,
        observations: vec![
            Observation::Balance(BalanceReading::Blind),
            Observation::Funded { amount: Usdc::whole(5) },
            Observation::Positions { open: 2 },
        ],
        outcomes: vec![
            answer(&Effect { id: effect, kind, budget: Usdc::from_micros(10_000) }),
            trade(effect, 7, 1_000_000, 995_000),
        ],
        commands: vec![Command::Kill(KillOrder::Owner(Reason::new("enough").expect("short")))],
        ..TickInput::quiet(Tick::new(7), now(7), Chance::Named(Salt::Block(B256::repeat_byte(0xab))))
    };
    let json = serde_json::to_string_pretty(&input).expect("plain");
    assert_eq!(serde_json::from_str::<TickInput>(&json).expect("just written"), input);
    insta::assert_snapshot!(json);
}

/// Version 1 of events and effects, as they lie in the store: every tick of a life that dies at once.
#[test]
fn the_event_and_effect_formats_are_pinned() {
    let mut lines = Vec::new();
    let mut dies = quiet(2, "0.01");
    dies.chance = Chance::Given(Roll(0));
    live(born(Law::hosted(), "50"), [quiet(1, "40"), dies], |step| {
        for event in &step.events {
            let line = serde_json::to_string(event).expect("plain");
            assert_eq!(&serde_json::from_str::<Event>(&line).expect("just written"), event);
            lines.push(line);
        }
        for effect in &step.effects {
            let line = serde_json::to_string(effect).expect("plain");
            assert_eq!(&serde_json::from_str::<Effect>(&line).expect("just written"), effect);
            lines.push(line);
        }
    });
    insta::assert_snapshot!(lines.join("\n"));
}
