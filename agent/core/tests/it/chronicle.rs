//! One whole life, in lines a person can read.

use std::fmt::Write as _;

use golem_core::life::Life;
use golem_core::record::{Command, EffectKind, Event, Observation, Outcome, TickInput};
use golem_core::step::{Step, step};
use golem_mortality::economic::burn::CostSource;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::event::LawEvent;
use golem_mortality::law::Law;
use golem_mortality::stochastic::roll::Salt;
use golem_mortality::vitals::Chance;
use golem_primitives::Tick;

use crate::world::{answer, born, now, usdc};

/// Collects one line for every tick in which something worth telling happened.
#[derive(Debug, Clone, Default)]
struct LifeChronicle {
    text: String,
}

impl LifeChronicle {
    /// Adds what a pass brought.
    fn note(&mut self, step: &Step) {
        let told: Vec<String> = step.events.iter().filter_map(tell).collect();
        let wanted: Vec<String> = step.effects.iter().filter_map(|effect| want(&effect.kind)).collect();
        if told.is_empty() && wanted.is_empty() {
            return;
        }
        let vitals = step.life.vitals();
        let vitality = vitals.vitality();
        let _ = write!(
            self.text,
            "{:>6}  {:<12} V {:<9} e {:<9} f {:<9} {:>16}",
            vitals.tick(),
            vitality.phase,
            vitality.composite.to_string(),
            vitality.economic.to_string(),
            vitality.epistemic.to_string(),
            vitals.economic().balance().to_string(),
        );
        for line in told {
            let _ = write!(self.text, "; {line}");
        }
        if !wanted.is_empty() {
            let _ = write!(self.text, " -> wants {}", wanted.join(", "));
        }
        self.text.push('\n');
    }
}

/// An event in words; what happens every tick is not told.
fn tell(event: &Event) -> Option<String> {
    let Event::Mortality(event) = event else {
        return Some(format!("{event:?}"));
    };
    Some(match event {
        LawEvent::VitalityUpdate { .. } | LawEvent::StochasticRoll { .. } | LawEvent::EpistemicFitness { .. } => {
            return None;
        }
        LawEvent::PhaseTransition { from_phase, to_phase, trigger_clock, .. } => {
            format!("{from_phase} -> {to_phase} by the {trigger_clock:?} clock")
        }
        LawEvent::EconomicCritical { remaining, projected_ticks, .. } => {
            format!("credits are critical, {remaining} for {projected_ticks} ticks")
        }
        LawEvent::EpistemicWarning { fitness, .. } => format!("fitness is down to {fitness}"),
        LawEvent::CreditMilestone { rung, .. } => format!("{rung:?}"),
        LawEvent::FeedOption { amount, deadline } => format!("{amount} would buy a day, until tick {deadline}"),
        LawEvent::Funded { amount } => format!("given {amount}"),
        LawEvent::CreditsResplit { legacy, .. } => format!("{legacy} set aside as legacy"),
        LawEvent::ReserveRaised { reserve, .. } => format!("reserve raised to {reserve}"),
        LawEvent::SenescenceEntered { .. } => "senescence begins".to_owned(),
        LawEvent::SenescenceConfirmed { .. } => "senescence confirmed".to_owned(),
        LawEvent::EpistemicRecovery { .. } => "understands again".to_owned(),
        LawEvent::Dead(death) => {
            format!("dies of {} after {} ticks", death.cause.kind().name(), death.ticks_alive)
        }
        LawEvent::DeathTrigger { .. } | LawEvent::Dying { .. } => return None,
        other => other.telemetry_name().trim_start_matches("golem.").replace('_', " "),
    })
}

/// An effect in words; the Curator and insurance come as regularly as the tide and are not told.
fn want(kind: &EffectKind) -> Option<String> {
    Some(match kind {
        EffectKind::Declare { .. } => "to die well".to_owned(),
        EffectKind::EmergencyDream => "a last dream".to_owned(),
        EffectKind::Dream { trigger, .. } => format!("to dream by {trigger}"),
        EffectKind::UnwindPositions { open } => format!("to close {open} positions"),
        EffectKind::ResplitCredits { phase } => format!("credits split for {phase}"),
        EffectKind::MoveCredits { source, destination, amount } => {
            format!("{amount} moved from {source:?} to {destination:?}")
        }
        EffectKind::RaiseReserve { to } => format!("a reserve of {to}"),
        EffectKind::OfferFeed { .. } => "to ask for food".to_owned(),
        EffectKind::Reflect { .. } => "to reflect".to_owned(),
        EffectKind::Deliberate { tier, .. } => format!("to ask {tier:?}"),
        EffectKind::Distil { tier } => format!("to distil with {tier:?}"),
        EffectKind::TakeDeathSnapshot => "a death snapshot".to_owned(),
        EffectKind::Trade(order) => format!("to {}", order.name()),
        EffectKind::PayHost { amount, .. } => format!("to pay the host {amount}"),
        EffectKind::Refuel { amount } => format!("gas for {amount}"),
        EffectKind::Harvest => "to harvest".to_owned(),
        EffectKind::Buy { source } => format!("to buy {source}"),
        EffectKind::DrawFloat { amount, .. } => format!("{amount} to buy with"),
        EffectKind::WriteTestament => "to write its testament".to_owned(),
        EffectKind::Settle => "to settle".to_owned(),
        EffectKind::Rehearse(order) => format!("to rehearse a {}", order.name()),
        EffectKind::TakeInsuranceSnapshot | EffectKind::Curate | EffectKind::Beat { .. } | EffectKind::Allocate => {
            return None;
        }
    })
}

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
    (chronicle.text, next.life)
}

/// The chronicle of a life that stops understanding its market, is fed, and dies of it with money left: M-018, M-030,
/// M-031, M-043, M-047, M-067, M-125, M-131, M-151, M-230.
#[test]
fn a_life_from_birth_to_the_end_of_its_death() {
    let (text, life) = chronicle(born(Law::hosted(), "30"));
    assert!(life.death().is_some());
    insta::assert_snapshot!(text);
}
