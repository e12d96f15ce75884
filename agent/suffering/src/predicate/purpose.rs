//! No reason for the work.

use golem_mortality::phase::Phase;
use golem_primitives::UtcTime;

use super::terms::StressorLook;
use crate::facts::{Facts, PurposeFacts};
use crate::truth::Truth;

fn has_purpose(purpose: &PurposeFacts) -> bool {
    purpose.strategy_active && purpose.predictions >= 1 && purpose.goals_completed >= 1 && purpose.verified >= 1
}

/// S-135. Only where trading is allowed does idleness say anything.
fn of(facts: &Facts) -> Option<&PurposeFacts> {
    facts.purpose.as_ref().filter(|_| facts.phase > Phase::Conservation)
}

pub(super) fn look(facts: &Facts) -> StressorLook {
    StressorLook::of(of(facts).map_or(Truth::Unknown, |purpose| {
        let for_a_day = |since: UtcTime| facts.now.since(since).as_secs() >= UtcTime::DAY_SECONDS;
        let lost = purpose.idle_since.is_some_and(for_a_day) || purpose.ruleless_since.is_some_and(for_a_day);
        Truth::from(lost && !has_purpose(purpose))
    }))
}

pub(super) fn evidence(facts: &Facts) -> String {
    let Some(purpose) = &facts.purpose else { return String::new() };
    let PurposeFacts { predictions, goals_completed, verified, .. } = purpose;
    format!(
        "{predictions} predictions open, {goals_completed} goals completed and {verified} outcomes verified in 24 h"
    )
}

pub(super) fn resolves(facts: &Facts) -> Truth {
    of(facts).map_or(Truth::Unknown, |purpose| Truth::from(has_purpose(purpose)))
}
