//! Work without visible effect.

use golem_mortality::phase::Phase;
use golem_primitives::Ppm;

use super::terms::{Onset, StressorLook};
use crate::attempt::ActionFacts;
use crate::facts::{Facts, GoalFacts};
use crate::truth::{Truth, all, any};

/// S-127. Actions below which their share says nothing.
const LEAST_ACTIONS: u32 = 10;

fn share(actions: &ActionFacts) -> Ppm {
    if actions.count == 0 {
        return Ppm::ZERO;
    }
    Ppm::saturating(u64::from(actions.effective) * 1_000_000 / u64::from(actions.count))
}

/// S-042. All three; S-135: Conservation forbids trades by itself, so goals say nothing there.
fn by_goals(goals: &GoalFacts) -> Truth {
    let unused = goals.deployed > 0 && goals.called == 0;
    Truth::from(goals.stalled > goals.completed && unused && goals.completed < 2)
}

fn goals_of(facts: &Facts) -> Option<&GoalFacts> {
    facts.goals.as_ref().filter(|_| facts.phase > Phase::Conservation)
}

fn by_actions(actions: &ActionFacts) -> Truth {
    if actions.count < LEAST_ACTIONS {
        return Truth::Unknown;
    }
    let still = actions.net_pnl_micros.unsigned_abs() < actions.costs.micros();
    let learnt = actions.fitness_change_ppm.unsigned_abs() >= 20_000;
    Truth::from(share(actions) < Ppm::of(200_000) && still && !learnt)
}

pub(super) fn look(facts: &Facts) -> StressorLook {
    let unseen = |truth: Option<Truth>| Some(truth.unwrap_or(Truth::Unknown));
    let raise = any([unseen(goals_of(facts).map(by_goals)), unseen(facts.actions.as_ref().map(by_actions))]);
    StressorLook::of(raise)
}

pub(super) fn evidence(facts: &Facts) -> String {
    let goals = facts.goals.unwrap_or_default();
    let actions = facts.actions.unwrap_or_default();
    format!(
        "{} of {} actions in 24 h had an effect; {} goals completed, {} stalled",
        actions.effective, actions.count, goals.completed, goals.stalled
    )
}

pub(super) fn resolves(facts: &Facts, onset: &Onset<'_>) -> Truth {
    let effective = facts.actions.as_ref().map(|actions| {
        if actions.count < LEAST_ACTIONS {
            return Truth::Unknown;
        }
        Truth::from(share(actions) >= Ppm::of(400_000) && actions.effective >= 4)
    });
    let profit = facts.actions.as_ref().map(|actions| {
        let earned = i128::from(actions.net_pnl_micros) > i128::from(actions.costs.micros());
        let fitness = match (facts.survival.fitness.known(), onset.fitness) {
            (Some(now), Some(then)) => Truth::from(now >= then),
            _ => Truth::Unknown,
        };
        all([Some(Truth::from(earned)), Some(fitness)])
    });
    // S-063: the goals half has its own way out.
    let goals = goals_of(facts).map(|goals| {
        let used = goals.completed > 3 && goals.called >= 1;
        Truth::from(used || (goals.completed > 5 && goals.stalled <= goals.completed))
    });
    any([effective, profit, goals])
}
