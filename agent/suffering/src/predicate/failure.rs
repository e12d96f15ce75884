//! One pattern keeps failing.

use golem_primitives::Ppm;

use super::terms::{Onset, StressorLook};
use crate::attempt::{AttemptFacts, Streak};
use crate::facts::Facts;
use crate::truth::Truth;

/// S-041, S-127.
const FAILURES: u32 = 4;

fn by_rate(attempts: &AttemptFacts) -> Truth {
    if attempts.all() < FAILURES {
        return Truth::Unknown;
    }
    Truth::from(attempts.failed >= FAILURES && u64::from(attempts.failed) * 2 > u64::from(attempts.all()))
}

fn failing_key(attempts: &AttemptFacts) -> Option<&Streak> {
    attempts.streaks.iter().filter(|streak| streak.failures >= FAILURES).max_by_key(|streak| streak.failures)
}

pub(super) fn look(facts: &Facts) -> StressorLook {
    let Some(attempts) = &facts.attempts else { return StressorLook::of(Truth::Unknown) };
    let key = failing_key(attempts);
    let raise = by_rate(attempts).or(key.is_some().into());
    let (domain, watched) = (key.map(|streak| streak.domain.clone()), key.map(|streak| streak.key.clone()));
    StressorLook { domain: domain.filter(|domain| !domain.is_open()), watched, ..StressorLook::of(raise) }
}

pub(super) fn evidence(facts: &Facts) -> String {
    let Some(attempts) = &facts.attempts else { return String::new() };
    let percent = attempts.failure_rate().get() / 10_000;
    format!("{} of {} recent attempts failed ({percent}%)", attempts.failed, attempts.all())
}

pub(super) fn resolves(facts: &Facts, onset: &Onset<'_>) -> Truth {
    let Some(attempts) = &facts.attempts else { return Truth::Unknown };
    // S-062: strictly below 30%, with three successes.
    let below = u64::from(attempts.failed) * 10 < u64::from(attempts.all()) * 3;
    let eased = Truth::from(below && attempts.completed >= 3 && attempts.failure_rate() < Ppm::of(300_000));
    let Some(watched) = onset.watched else { return eased };
    let key = attempts.streaks.iter().find(|streak| streak.key == *watched);
    eased.and(key.map_or(Truth::Unknown, |streak| Truth::from(streak.successes >= 2)))
}
