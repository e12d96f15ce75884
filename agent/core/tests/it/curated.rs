//! A Curator cycle comes back as an outcome.

use golem_core::record::{Curated, Effect, EffectKind, Event, Observation, Outcome, OutcomeResult};
use golem_core::step::step;
use golem_grimoire::curator::Duty;
use golem_mortality::law::Law;
use golem_primitives::Ppm;

use crate::world::{born, live, quiet};

const CYCLE: Curated = Curated {
    duty: Duty::Whole,
    added: 2,
    promoted: 1,
    demoted: 0,
    archived: 7,
    restored: 0,
    burned: 1,
    archived_recently: 40,
    active_at_start: 100,
    active: 60,
    candidates: 9,
    rules: 3,
    playbook_version: 4,
    mean_before: Ppm::of(500_000),
    mean_after: Ppm::of(520_000),
};

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
