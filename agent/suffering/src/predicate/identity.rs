//! Acting against one's own rules.

use golem_primitives::{Ppm, UtcTime};

use super::terms::StressorLook;
use crate::facts::{Facts, Violation};
use crate::truth::Truth;

const WEEK: u64 = 7 * UtcTime::DAY_SECONDS;
const STRONG: Ppm = Ppm::of(700_000);
const HELD: Ppm = Ppm::of(500_000);

/// Whether neither ten clean commits nor a clean day lie behind it.
fn is_fresh(violation: &Violation, now: UtcTime) -> bool {
    violation.commits_since < 10 && now.since(violation.at).as_secs() < UtcTime::DAY_SECONDS
}

/// Violations of rules that are held, of the last week or fifty commits.
fn held(facts: &Facts) -> Option<impl Iterator<Item = &Violation> + Clone> {
    let now = facts.now;
    facts.conduct.as_ref().map(|conduct| {
        let recent = move |one: &&Violation| one.commits_since < 50 || now.since(one.at).as_secs() <= WEEK;
        conduct.violations.iter().filter(|one| one.confidence >= HELD).filter(recent)
    })
}

pub(super) fn look(facts: &Facts) -> StressorLook {
    let Some(held) = held(facts) else { return StressorLook::of(Truth::Unknown) };
    let fresh = held.clone().filter(|one| is_fresh(one, facts.now)).last();
    let strong = held.clone().any(|one| one.confidence >= STRONG && is_fresh(one, facts.now));
    let many = held.count() >= 3 && fresh.is_some();
    StressorLook { watched: fresh.map(|one| one.rule.clone()), ..StressorLook::of(Truth::from(strong || many)) }
}

pub(super) fn evidence(facts: &Facts) -> String {
    let Some(held) = held(facts) else { return String::new() };
    let rule = held.clone().last().map_or_else(|| "none".to_owned(), |one| one.rule.to_string());
    format!("{} violations of held rules in 7 d; last broke {rule}", held.count())
}

pub(super) fn resolves(facts: &Facts) -> Truth {
    let Some(mut held) = held(facts) else { return Truth::Unknown };
    // A rule that was deleted is neither met nor revised: it stays broken.
    Truth::from(held.all(|one| !is_fresh(one, facts.now) && one.made_good))
}
