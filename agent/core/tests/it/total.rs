//! `step` answers every input.

use golem_core::life::Body;
use golem_core::record::{
    Command, Effect, EffectKind, Event, Observation, Outcome, OutcomeResult, RECORD_VERSION, TickInput, Turn,
};
use golem_core::step::step;
use golem_mortality::cause::{CauseKind, KillOrder, Reason};
use golem_mortality::economic::burn::CostSource;
use golem_mortality::economic::partitions::{Partition, Partitions};
use golem_mortality::epistemic::domain::{Level, MarketState};
use golem_mortality::epistemic::window::Pair;
use golem_mortality::law::Law;
use golem_mortality::stochastic::roll::{Roll, Salt};
use golem_mortality::vitals::{BalanceReading, Chance};
use golem_primitives::{B256, EffectId, GolemId, Tick, Usdc, UtcTime};
use proptest::prelude::*;

use crate::world::{BIRTH, answer, born, live, quiet, trade, usdc};

/// Reads numbers from bytes; when they are used up it reads zeros.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Small mostly, anything sometimes.
    fn number(&mut self) -> u64 {
        match self.byte() {
            0..=199 => u64::from(self.byte()) * 1_000,
            200..=239 => u64::from(self.byte()) << 20,
            _ => u64::from_be_bytes(std::array::from_fn(|_| self.byte())),
        }
    }

    fn usdc(&mut self) -> Usdc {
        Usdc::from_micros(self.number())
    }

    fn source(&mut self) -> CostSource {
        CostSource::ALL[usize::from(self.byte()) % CostSource::ALL.len()]
    }

    fn level(&mut self) -> Level {
        [Level::Low, Level::Middle, Level::High][usize::from(self.byte()) % 3]
    }

    fn observation(&mut self) -> Observation {
        match self.byte() % 10 {
            0 => Observation::Balance(match self.byte() % 4 {
                0 => BalanceReading::Blind,
                1 => BalanceReading::Observed(Partitions::observed(std::array::from_fn(|_| self.usdc()))),
                _ => BalanceReading::Ledger,
            }),
            1 => Observation::Upkeep { source: self.source(), cost: self.usdc() },
            2 => Observation::Funded { amount: self.usdc() },
            3 => Observation::Revenue { amount: self.usdc() },
            4 => Observation::Market {
                predicted: MarketState(std::array::from_fn(|_| self.level())),
                observed: MarketState(std::array::from_fn(|_| self.level())),
            },
            5 => Observation::Regime { is_novel: self.byte().is_multiple_of(2) },
            6 => Observation::Positions { open: u32::from(self.byte()) << (self.byte() % 25) },
            7 => Observation::Pruned {
                archived: self.number() as u32,
                archived_recently: self.number() as u32,
                active_at_start: self.number() as u32,
            },
            8 => Observation::Resolved {
                pair: Pair::new(f64::from(self.byte()), f64::from(self.byte())).expect("a pair"),
            },
            _ => Observation::SiblingDied {
                golem: GolemId::new("sibling").expect("a name"),
                cause: CauseKind::Stochastic,
            },
        }
    }

    fn command(&mut self) -> Command {
        match self.byte() % 8 {
            0 => Command::Kill(KillOrder::Owner(Reason::new("a test").expect("short"))),
            1 => Command::Kill(KillOrder::Switch(Reason::new("silence").expect("short"))),
            2 => Command::RestoreSplit,
            3 => Command::Conclude,
            4 | 5 => Command::Sleep,
            _ => Command::Wake,
        }
    }

    fn outcome(&mut self, tick: u64) -> Outcome {
        let golem = GolemId::new("golem-0001").expect("a name");
        // Sometimes the id of an effect that is open.
        let due = tick.saturating_sub(u64::from(self.byte() % 3));
        let effect = EffectId::derive(&golem, Tick::new(due), 4, u32::from(self.byte() % 3));
        match self.byte() % 4 {
            0 => trade(effect, tick, self.number() as i64, self.number() as i64),
            1 => Outcome { effect, cost: None, result: OutcomeResult::Refused { reason: "no".into() } },
            2 => Outcome { effect, cost: None, result: OutcomeResult::Reflected { improved: true } },
            _ => Outcome { effect, cost: Some((self.source(), self.usdc())), result: OutcomeResult::Done },
        }
    }

    fn input(&mut self, due: u64) -> TickInput {
        let tick = if self.byte() < 8 { self.number() } else { due };
        let turn = match self.byte() {
            0..=9 => Turn::Sensing,
            10..=19 => Turn::Acting,
            _ => Turn::Sleeping,
        };
        let chance = match self.byte() {
            0..=3 => Chance::Given(Roll(self.number())),
            4..=20 => Chance::Named(Salt::Block(B256::repeat_byte(self.byte()))),
            _ => Chance::Named(Salt::Seed(7)),
        };
        let seconds = if self.byte() < 8 { self.number() } else { BIRTH + due * 40 };
        let many = |byte: u8, rare: u8| if byte < rare { usize::from(byte) % 5 } else { 0 };
        TickInput {
            version: if self.byte() < 2 { 7 } else { RECORD_VERSION },
            tick: Tick::new(tick),
            turn,
            now: UtcTime::from_seconds(seconds),
            chance,
            roll_block: None,
            observations: (0..many(self.byte(), 200)).map(|_| self.observation()).collect(),
            outcomes: (0..many(self.byte(), 80)).map(|_| self.outcome(due)).collect(),
            commands: (0..many(self.byte(), 6)).map(|_| self.command()).collect(),
        }
    }
}

/// A journal derived from bytes: mostly a life, sometimes nonsense.
pub(crate) fn inputs_from(bytes: &[u8]) -> Vec<TickInput> {
    let mut bytes = Bytes(bytes);
    let mut due = 1;
    let mut inputs = Vec::new();
    while !bytes.0.is_empty() {
        let input = bytes.input(due);
        let is_over = input.turn == Turn::Sleeping && input.tick == Tick::new(due) && input.version == RECORD_VERSION;
        due += u64::from(is_over);
        inputs.push(input);
    }
    inputs
}

/// The laws of a whole history, whatever the inputs were.
fn check(law: Law, inputs: Vec<TickInput>) -> Result<(), TestCaseError> {
    let mut life = born(law, "50");
    let mut deaths = 0;
    for input in inputs {
        let (was_alive, was_dead) = (life.is_alive(), matches!(life.body(), Body::Dead(_)));
        let tick = life.tick();
        let next = step(life, &input);
        let begun = next.effects.iter().filter(|e| matches!(e.kind, EffectKind::Declare { .. })).count();
        let told = |event: &&Event| matches!(event, Event::Mortality(golem_mortality::event::Event::Dead(_)));
        prop_assert_eq!(begun, next.events.iter().filter(told).count(), "a death is told once and wanted once");
        deaths += begun;
        // Invariant 7: once death has begun nothing else is wanted; a settled life wants nothing.
        prop_assert!(was_alive || next.effects.is_empty());
        prop_assert!(!was_dead || next.record.is_none());
        prop_assert!(next.life.tick() == tick || next.life.tick() == tick.next());
        prop_assert_eq!(next.life.is_alive(), next.life.death().is_none());
        for partition in Partition::ALL {
            let held = next.life.vitals().economic().purse().partitions().get(partition);
            prop_assert!(held <= next.life.vitals().economic().balance() || held == Usdc::MAX);
        }
        life = next.life;
    }
    prop_assert!(deaths <= 1);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Invariant 1: `step` is total on lives derived from any bytes.
    #[test]
    fn step_answers_every_life_made_of_bytes(bytes in prop::collection::vec(any::<u8>(), 0..3_000), law in 0u8..3) {
        let law = [Law::hosted().on_chain(), Law::self_hosted(), Law::immortal()][usize::from(law)];
        check(law, inputs_from(&bytes))?;
    }

    /// Invariant 1: and on whatever a damaged journal still decodes to.
    #[test]
    fn step_answers_whatever_decodes(bytes in prop::collection::vec(any::<u8>(), 1..200), at: prop::sample::Index, with in b'0'..=b'9') {
        for input in inputs_from(&bytes) {
            let mut line = serde_json::to_vec(&input).expect("plain");
            let digits: Vec<usize> = (0..line.len()).filter(|at| line[*at].is_ascii_digit()).collect();
            line[digits[at.index(digits.len())]] = with;
            if let Ok(input) = serde_json::from_slice::<TickInput>(&line) {
                check(Law::hosted(), vec![input])?;
            }
        }
    }
}

/// M-163, M-179, M-285: a kill works awake and asleep; after it nothing is obeyed but the end.
#[test]
fn m_179_once_death_has_begun_only_its_end_is_obeyed() {
    let kill = || Command::Kill(KillOrder::Switch(Reason::new("circuit breaker").expect("short")));
    let commanded = |tick, commands| TickInput { commands, ..quiet(tick, "0.01") };
    let mut steps = Vec::new();
    let life = live(
        born(Law::hosted(), "50"),
        [
            commanded(1, vec![Command::Sleep]),
            commanded(2, vec![Command::Sleep, Command::Conclude]),
            commanded(3, vec![kill(), kill(), Command::Wake]),
            commanded(4, vec![Command::Wake]),
            quiet(4, "1"),
            commanded(4, vec![Command::Conclude]),
            commanded(4, vec![Command::Conclude]),
        ],
        |step| steps.push((step.events.clone(), step.effects.clone())),
    );
    let refusals: Vec<String> = steps
        .iter()
        .flat_map(|(events, _)| events)
        .filter_map(|event| match event {
            Event::CommandRefused { reason } => Some(format!("{reason:?}")),
            Event::InputRefused { reason } => Some(format!("input {reason:?}")),
            _ => None,
        })
        .collect();
    assert_eq!(refusals, ["NoChange", "NotDying", "Dying", "Dying", "Dying", "input Dying", "input Dead"]);
    let wanted: Vec<EffectKind> = steps.iter().flat_map(|(_, effects)| effects).map(|effect| effect.kind).collect();
    assert_eq!(wanted, [EffectKind::Declare { cause: CauseKind::KillSwitch }]);
    assert!(matches!(life.body(), Body::Dead(_)));
    assert_eq!(life.vitals().economic().balance(), usdc("49.98"), "two ticks were lived");
}

/// R-021, invariant 4: an outcome is taken in once, and a cost beyond its budget is told.
#[test]
fn r_021_an_outcome_is_paid_once() {
    let mut wanted: Vec<Effect> = Vec::new();
    let life = live(born(Law::hosted(), "50"), (1..=540).map(|tick| quiet(tick, "0.001")), |step| {
        wanted.extend(step.effects.iter().filter(|e| e.kind == EffectKind::TakeInsuranceSnapshot).cloned());
    });
    let [effect] = &wanted[..] else { panic!("one snapshot in six hours: {wanted:?}") };
    let mut input = quiet(541, "0");
    input.outcomes = vec![answer(effect), answer(effect)];
    let before = life.vitals().economic().balance();
    let next = step(life, &input);
    assert!(next.events.contains(&Event::OutcomeUnknown { effect: effect.id }), "M-227: the second is refused");
    assert_eq!(before.saturating_sub(next.life.vitals().economic().balance()), effect.budget, "and not paid");
}
