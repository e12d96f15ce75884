//! `step` answers every input.

use golem_core::life::{Body, Life};
use golem_core::record::{
    BlockRef, Command, DreamTier, EFFECTS_PER_STEP, EVENTS_PER_STEP, Effect, EffectKind, Event, Observation,
    RECORD_VERSION, Sight, StudyQuotes, TickInput, Turn,
};
use golem_core::step::step;
use golem_core::trader::TraderSettings;
use golem_daimon::personality::Personality;
use golem_dreams::words::ScheduleMode;
use golem_mortality::cause::{CauseKind, KillOrder, Reason};
use golem_mortality::economic::partitions::Partition;
use golem_mortality::law::Law;
use golem_primitives::{Tick, Usdc};
use proptest::prelude::*;

use crate::data_purchases::{offered, offers};
use crate::drawn::Bytes;
use crate::dreams::terms;
use crate::temper::whole;
use crate::venue::no_inflows;
use crate::world::{answer, born, live, now, quiet, turn, usdc};
use crate::{brisk, readings};

/// Mostly whole ticks, which is what a life without a hand has.
const TURNS: [Turn; 13] = {
    let mut turns = [Turn::Sleeping; 13];
    turns[0] = Turn::Sensing;
    turns[1] = Turn::Acting;
    turns
};

/// A journal derived from bytes: mostly a life, sometimes nonsense.
pub(crate) fn inputs_from(bytes: &[u8]) -> Vec<TickInput> {
    let mut bytes = Bytes::new(bytes);
    let mut due = 1;
    let mut inputs = Vec::new();
    while !bytes.is_empty() {
        let input = bytes.input(due, &TURNS);
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
        let told = next.events.iter().filter(|event| is_death(event)).count();
        prop_assert_eq!(begun, told, "a death is told once and wanted once");
        deaths += begun;
        // Invariant 7: once death has begun nothing else is wanted; a settled life wants nothing.
        prop_assert!(was_alive || next.effects.is_empty());
        prop_assert!(!was_dead || next.record.is_none());
        prop_assert!(next.life.tick() == tick || next.life.tick() == tick.next());
        prop_assert_eq!(next.life.is_alive(), next.life.death().is_none());
        check_partitions(&next.life)?;
        life = next.life;
    }
    prop_assert!(deaths <= 1);
    Ok(())
}

/// A life with a hand and every room furnished, behind its first look.
fn furnished(law: Law) -> Life {
    let life = born(law, "50").with_trader(TraderSettings::default(), brisk::foundation("mean-reversion"));
    let quotes = [None, Some(usdc("0.001")), Some(usdc("0.01")), Some(usdc("0.1"))];
    let studies = StudyQuotes { reflection: quotes, distillation: quotes, last_words: quotes };
    let block = BlockRef { number: 1, hash: Default::default(), time: now(1) };
    let (market, vault) = (readings::market(Usdc::whole(3_000)), Some(readings::vault(now(0))));
    let observations = vec![
        Observation::Sight(Box::new(Sight { block, market, elsewhere: Default::default(), vault })),
        Observation::Faculties { quotes },
        Observation::Precedents { ttl_ticks: 20 },
        Observation::Offers(Box::new(offers([offered("a", "a:443", 60)]))),
        Observation::Inflows(Box::new(no_inflows(1))),
        Observation::Studies { quotes: studies },
        Observation::Temper(Box::new(whole(Personality::born(life.id(), None)))),
        Observation::Dreams(Box::new(terms(DreamTier::Hardened, ScheduleMode::Hybrid))),
    ];
    let life = step(life, &TickInput { observations, ..turn(1, Turn::Deciding) }).life;
    assert!(life.mind().is_some() && life.precedents().is_some() && life.data_purchases().is_some());
    assert!(life.books().is_some());
    assert!(life.study().is_some() && life.affect().is_some() && life.pressure().is_some() && life.dreams().is_some());
    life
}

/// What holds of a life that has everything, whatever it is told: it dies once, its time goes on by single ticks, no
/// partition holds more than there is, and what is written of it is what it is.
fn check_furnished(law: Law, bytes: &[u8]) -> Result<(), TestCaseError> {
    let (mut life, mut bytes, mut deaths) = (furnished(law), Bytes::new(bytes), 0);
    while !bytes.is_empty() {
        let (due, turn) = life.next_pass();
        let mut input = bytes.input(due.get(), &[turn, turn, turn, turn, Turn::Deciding, Turn::Sleeping, Turn::Acting]);
        input.observations.splice(0..0, bytes.look().filter(|_| turn == Turn::Deciding));
        let (tick, was_dead) = (life.tick(), matches!(life.body(), Body::Dead(_)));
        let next = step(life, &input);
        bytes.want(&next.effects);
        deaths += next.events.iter().filter(|event| is_death(event)).count();
        prop_assert!(!was_dead || (next.record.is_none() && next.effects.is_empty()));
        prop_assert!(next.life.tick() == tick || next.life.tick() == tick.next());
        prop_assert_eq!(next.life.is_alive(), next.life.death().is_none());
        prop_assert!(next.events.len() <= EVENTS_PER_STEP && next.effects.len() <= EFFECTS_PER_STEP + 1);
        check_partitions(&next.life)?;
        life = next.life;
    }
    prop_assert!(deaths <= 1);
    let restored = Life::from_snapshot(&life.to_snapshot()).expect("just written");
    prop_assert_eq!(restored.hash(), life.hash());
    Ok(())
}

fn is_death(event: &Event) -> bool {
    matches!(event, Event::Mortality(golem_mortality::event::LawEvent::Dead(_)))
}

fn check_partitions(life: &Life) -> Result<(), TestCaseError> {
    for partition in Partition::ALL {
        let held = life.vitals().economic().purse().partitions().get(partition);
        prop_assert!(held <= life.vitals().economic().balance() || held == Usdc::MAX);
    }
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

    /// Invariant 1: and on lives with a hand and every room furnished, told everything a life can be told.
    #[test]
    fn step_answers_every_furnished_life(bytes in prop::collection::vec(any::<u8>(), 0..6_000), law in 0u8..3) {
        let law = [Law::hosted().on_chain(), Law::self_hosted(), Law::immortal()][usize::from(law)];
        check_furnished(law, &bytes)?;
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
    let events = steps.iter().flat_map(|(events, _)| events);
    let refusals = events.filter_map(|event| match event {
        Event::CommandRefused { reason } => Some(format!("{reason:?}")),
        Event::InputRefused { reason } => Some(format!("input {reason:?}")),
        _ => None,
    });
    let refusals: Vec<String> = refusals.collect();
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
