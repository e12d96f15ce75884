//! A Curator cycle comes back as an outcome.

use golem_core::record::{Effect, EffectKind, Event, Observation, Outcome, OutcomeResult};
use golem_core::step::step;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::event::LawEvent;
use golem_mortality::law::Law;

use crate::cycle::CYCLE;
use crate::world::{born, live, quiet};

/// G-077, G-195: a cycle erodes fitness exactly as pruning that was observed does, and is told.
#[test]
fn g_077_a_cycle_reaches_the_epistemic_clock_as_pruning_does() {
    let mut wanted: Option<Effect> = None;
    let life = live(born(Law::hosted(), "50"), (1..=50).map(|tick| quiet(tick, "0.001")), |step| {
        wanted =
            wanted.take().or_else(|| step.effects.iter().find(|effect| effect.kind == EffectKind::Curate).cloned());
    });
    let effect = wanted.expect("the Curator is asked for every fifty ticks").id;
    let outcome = |result| vec![Outcome { effect, cost: None, result }];
    let mut told = quiet(51, "0.001");
    told.outcomes = outcome(OutcomeResult::Curated(CYCLE));
    let mut seen = quiet(51, "0.001");
    seen.outcomes = outcome(OutcomeResult::Done);
    seen.observations.push(Observation::Pruned { archived: 7, archived_recently: 40, active_at_start: 100 });
    let (told, seen) = (step(life.clone(), &told), step(life.clone(), &seen));
    assert_eq!(told.life.hash(), seen.life.hash());
    assert_ne!(told.life.hash(), step(life, &quiet(51, "0.001")).life.hash());
    let event = Event::Curated(CYCLE);
    assert!(told.events.contains(&event) && !seen.events.contains(&event));
    assert_eq!(event.telemetry_name(), "golem.curator_cycle_complete");
}

/// M-065, M-252, G-077: what was pruned weighs on every tick until it is 500 ticks ago or another cycle says otherwise; it is told
/// once.
#[test]
fn m_065_pruning_weighs_for_five_hundred_ticks() {
    let told = |ticks: std::ops::RangeInclusive<u64>, pruned: &[(u64, u32)]| {
        let inputs = ticks.map(|tick| {
            let mut input = quiet(tick, "0.0001");
            let sure = (tick % 10) as f64 / 10.0;
            input.observations.push(Observation::Resolved { pair: Pair::new(sure, sure).expect("finite") });
            for (_, archived) in pruned.iter().filter(|(at, _)| *at == tick) {
                let (archived, archived_recently) = (*archived, *archived);
                input.observations.push(Observation::Pruned { archived, archived_recently, active_at_start: 100 });
            }
            input
        });
        let (mut scores, mut eroded) = (Vec::new(), 0);
        live(born(Law::hosted(), "50"), inputs, |step| {
            for event in &step.events {
                match event {
                    Event::Mortality(LawEvent::EpistemicFitness { score, .. }) => {
                        scores.push(score.map_or(0, |score| score.ppm().get()));
                    }
                    Event::Mortality(LawEvent::GrimoireErosion { .. }) => eroded += 1,
                    _ => {}
                }
            }
        });
        (scores, eroded)
    };
    let (scores, eroded) = told(1..=620, &[(100, 50)]);
    let at = |tick: usize| scores[tick - 1];
    assert_eq!([99, 100, 101, 599, 600].map(at), [1_000_000, 900_000, 900_000, 900_000, 1_000_000]);
    assert_eq!(eroded, 1, "told when something went");
    let (scores, _) = told(1..=200, &[(100, 50), (150, 0)]);
    assert_eq!([149, 150, 200].map(|tick: usize| scores[tick - 1]), [900_000, 1_000_000, 1_000_000]);
}
