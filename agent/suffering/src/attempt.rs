//! Attempts and actions, judged by what the chain says of them.

use std::collections::VecDeque;

use golem_primitives::{Ppm, Usdc, UtcTime};

use crate::domain::WorkDomain;
use crate::text::Key;

/// S-041. Outcomes that are remembered, and for how long.
pub const ATTEMPTS: usize = 40;
const ATTEMPT_SECONDS: u64 = 7 * UtcTime::DAY_SECONDS;
/// Simulations that count as successes in a day.
const SIMULATIONS_PER_DAY: usize = 3;
/// Actions that are remembered for a day.
pub const ACTIONS: usize = 256;

/// What came of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptResult {
    /// A receipt, with what was simulated and what was realised, in the smallest unit.
    Landed {
        simulated: u128,
        realised: u128,
    },
    Reverted,
    /// It was dropped past its deadline.
    Dropped,
    /// A fork simulation, checked later against the chain.
    Rehearsed {
        simulated: u128,
        realised: u128,
    },
}

impl AttemptResult {
    /// W-25. Whether it failed: reverted, dropped, or off by more than 50 basis points of what was simulated; exactly 50
    /// passes. What is off is whole, so the part that the division drops decides nothing.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        match self {
            Self::Reverted | Self::Dropped => true,
            Self::Landed { simulated, realised } | Self::Rehearsed { simulated, realised } => {
                simulated.abs_diff(*realised) > *simulated / 200
            }
        }
    }
}

/// One attempt. Refusals before broadcast and phage probes are none.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ActionAttempt {
    pub at: UtcTime,
    pub result: AttemptResult,
    /// Protocol, selector and class of error or action, as one name.
    pub key: Key,
    pub domain: WorkDomain,
}

/// How one key has gone lately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Streak {
    pub key: Key,
    pub domain: WorkDomain,
    pub failures: u32,
    pub successes: u32,
}

/// S-041. The last attempts, as the predicates read them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AttemptFacts {
    pub failed: u32,
    pub completed: u32,
    pub streaks: Vec<Streak>,
}

impl AttemptFacts {
    /// Attempts in the window.
    #[must_use]
    pub const fn all(&self) -> u32 {
        self.failed.saturating_add(self.completed)
    }

    /// The share that failed.
    #[must_use]
    pub const fn failure_rate(&self) -> Ppm {
        match (self.failed as u64 * 1_000_000).checked_div(self.all() as u64) {
            Some(parts) => Ppm::saturating(parts),
            None => Ppm::ZERO,
        }
    }
}

/// S-041, S-127. A bounded memory of attempts.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct AttemptLog {
    attempts: VecDeque<ActionAttempt>,
}

impl AttemptLog {
    /// Remembers an attempt. Of rehearsals that succeed only three a day count; the rest leaves no trace.
    pub fn record(&mut self, attempt: ActionAttempt) {
        let rehearsed =
            |one: &ActionAttempt| matches!(one.result, AttemptResult::Rehearsed { .. }) && !one.result.is_failure();
        let today = |one: &&ActionAttempt| rehearsed(one) && attempt.at.since(one.at).as_secs() < UtcTime::DAY_SECONDS;
        if rehearsed(&attempt) && self.attempts.iter().filter(today).count() >= SIMULATIONS_PER_DAY {
            return;
        }
        if self.attempts.len() == ATTEMPTS {
            self.attempts.pop_front();
        }
        self.attempts.push_back(attempt);
    }

    /// An attempt that was recorded has not been one: the newest like it is forgotten.
    pub fn take_back(&mut self, attempt: &ActionAttempt) {
        if let Some(at) = self.attempts.iter().rposition(|one| one == attempt) {
            self.attempts.remove(at);
        }
    }

    /// What the last 40 attempts of seven days say.
    #[must_use]
    pub fn facts(&self, now: UtcTime) -> AttemptFacts {
        let mut facts = AttemptFacts::default();
        for attempt in self.attempts.iter().filter(|one| now.since(one.at).as_secs() <= ATTEMPT_SECONDS) {
            let failed = attempt.result.is_failure();
            if failed {
                facts.failed += 1
            } else {
                facts.completed += 1
            }
            let at = facts.streaks.iter().position(|streak| streak.key == attempt.key).unwrap_or_else(|| {
                let (key, domain) = (attempt.key.clone(), attempt.domain.clone());
                facts.streaks.push(Streak { key, domain, failures: 0, successes: 0 });
                facts.streaks.len() - 1
            });
            let streak = &mut facts.streaks[at];
            (streak.failures, streak.successes) =
                if failed { (streak.failures + 1, 0) } else { (0, streak.successes + 1) };
        }
        facts
    }
}

/// What an action brought by its horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct ActionOutcome {
    pub at: UtcTime,
    /// Net profit or loss attributed to it, in micro-USDC.
    pub pnl_micros: i64,
    pub gas: Usdc,
    /// The value of everything held.
    pub nav: Usdc,
    /// Change of epistemic fitness it brought, in millionths.
    pub fitness_change_ppm: i32,
    /// Whether it validated or contradicted a Grimoire entry.
    pub taught: bool,
}

impl ActionOutcome {
    /// W-26. Whether it had an effect: a profit or loss of at least its gas and of one basis point of all that is held,
    /// a change of fitness of at least 0.01, or a lesson.
    #[must_use]
    pub fn is_effective(&self) -> bool {
        // One basis point, rounded up: what is smaller does not count.
        let least = self.gas.micros().max(self.nav.micros().div_ceil(10_000));
        self.taught || self.fitness_change_ppm.unsigned_abs() >= 10_000 || self.pnl_micros.unsigned_abs() >= least
    }
}

/// A day of actions, as the predicates read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct ActionFacts {
    /// Committed actions, and resolved predictions without capital.
    pub count: u32,
    pub effective: u32,
    /// Net profit or loss, in micro-USDC.
    pub net_pnl_micros: i64,
    /// Gas and inference.
    pub costs: Usdc,
    /// Change of fitness over the day, in millionths.
    pub fitness_change_ppm: i32,
}

/// A bounded memory of a day's actions.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct ActionLog {
    outcomes: VecDeque<ActionOutcome>,
}

impl ActionLog {
    /// Remembers an action.
    pub fn record(&mut self, outcome: ActionOutcome) {
        if self.outcomes.len() == ACTIONS {
            self.outcomes.pop_front();
        }
        self.outcomes.push_back(outcome);
    }

    /// W-26. What was done at that moment taught something: the newest of it that is not known to have.
    pub fn teach(&mut self, at: UtcTime) {
        if let Some(one) = self.outcomes.iter_mut().rev().find(|one| one.at == at && !one.taught) {
            one.taught = true;
        }
    }

    /// An action that was recorded has not been one: the newest of that moment with that profit is forgotten.
    pub fn take_back(&mut self, at: UtcTime, pnl_micros: i64) {
        if let Some(place) = self.outcomes.iter().rposition(|one| one.at == at && one.pnl_micros == pnl_micros) {
            self.outcomes.remove(place);
        }
    }

    /// What a day of them says; inference and the change of fitness come from the law of mortality's clocks.
    #[must_use]
    pub fn facts(&self, now: UtcTime, inference: Usdc, fitness_change_ppm: i32) -> ActionFacts {
        let mut facts = ActionFacts { costs: inference, fitness_change_ppm, ..ActionFacts::default() };
        for one in self.outcomes.iter().filter(|one| now.since(one.at).as_secs() <= UtcTime::DAY_SECONDS) {
            facts.count += 1;
            facts.effective += u32::from(one.is_effective());
            facts.net_pnl_micros = facts.net_pnl_micros.saturating_add(one.pnl_micros);
            facts.costs = facts.costs.saturating_add(one.gas);
        }
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> UtcTime {
        UtcTime::from_seconds(10_000_000 + seconds)
    }

    fn attempt(seconds: u64, result: AttemptResult, key: &str) -> ActionAttempt {
        ActionAttempt { at: at(seconds), result, key: Key::new(key).expect("a key"), domain: WorkDomain::default() }
    }

    /// S-041: W-25.
    #[test]
    fn s_041_deviation_meets_w_25() {
        let landed = |realised| AttemptResult::Landed { simulated: 1_000_000_000, realised };
        assert!(landed(994_990_000).is_failure() && !landed(995_000_000).is_failure(), "W-25");
        assert!(landed(1_005_010_000).is_failure() && !landed(1_005_000_000).is_failure(), "W-25 above");
        assert!(AttemptResult::Reverted.is_failure() && AttemptResult::Dropped.is_failure());
        let huge = AttemptResult::Landed { simulated: u128::MAX, realised: 0 };
        assert!(huge.is_failure() && !AttemptResult::Landed { simulated: u128::MAX, realised: u128::MAX }.is_failure());
        assert!(AttemptResult::Landed { simulated: 0, realised: 1 }.is_failure());
        assert!(!AttemptResult::Landed { simulated: 0, realised: 0 }.is_failure());
    }

    /// S-041: the share that failed, and none of no attempts.
    #[test]
    fn s_041_the_rate_is_the_failed_of_all() {
        let rate = |failed, completed| AttemptFacts { failed, completed, streaks: Vec::new() }.failure_rate();
        assert_eq!((rate(0, 0), rate(0, 5), rate(5, 0)), (Ppm::ZERO, Ppm::ZERO, Ppm::of(1_000_000)));
        assert_eq!((rate(3, 5), rate(1, 2)), (Ppm::of(375_000), Ppm::of(333_333)));
    }

    /// what is taken back has never been; of two alike the newest goes, and what is not there takes nothing along.
    #[test]
    fn r_022_an_attempt_taken_back_has_never_been() {
        let (first, second) = (attempt(1, AttemptResult::Reverted, "swap"), attempt(1, AttemptResult::Dropped, "swap"));
        let of = |attempts: &[&ActionAttempt]| AttemptLog { attempts: attempts.iter().copied().cloned().collect() };
        let mut log = AttemptLog::default();
        [&first, &second, &first].into_iter().for_each(|one| log.record(one.clone()));
        log.take_back(&first);
        assert_eq!(log, of(&[&first, &second]));
        log.take_back(&attempt(2, AttemptResult::Reverted, "swap"));
        assert_eq!(log, of(&[&first, &second]), "nothing like it was recorded");
        log.take_back(&first);
        assert_eq!(log, of(&[&second]));
    }

    /// S-041, S-127: forty attempts of seven days; rehearsals that succeed count three times a day.
    #[test]
    fn s_041_the_window_is_forty_of_seven_days() {
        let mut log = AttemptLog::default();
        (0..50).for_each(|n| log.record(attempt(n, AttemptResult::Reverted, "swap")));
        assert_eq!(log.facts(at(60)).failed, 40);
        assert_eq!(log.facts(at(60)).streaks[0].failures, 40);
        assert_eq!(log.facts(at(8 * 86_400)).all(), 0);
        let good = AttemptResult::Rehearsed { simulated: 1_000, realised: 1_001 };
        let mut rehearsals = AttemptLog::default();
        (0..9).for_each(|n| rehearsals.record(attempt(n, good, "swap")));
        assert_eq!(rehearsals.facts(at(10)).completed, 3);
        rehearsals.record(attempt(86_401, good, "swap"));
        assert_eq!(rehearsals.facts(at(86_402)).streaks[0].successes, 4);
        let mut days = AttemptLog::default();
        (0..3).for_each(|n| days.record(attempt(n, good, "swap")));
        days.record(attempt(86_399, good, "swap"));
        assert_eq!(days.facts(at(86_400)).completed, 3, "the day of the first is not over");
        days.record(attempt(86_400, good, "swap"));
        assert_eq!(days.facts(at(86_400)).completed, 4, "it is");
        let landed = AttemptResult::Landed { simulated: 1_000, realised: 1_001 };
        let bad = AttemptResult::Rehearsed { simulated: 1_000, realised: 2_000 };
        (0..5).for_each(|n| days.record(attempt(86_400 + n, landed, "swap")));
        (0..5).for_each(|n| days.record(attempt(86_410 + n, bad, "swap")));
        let facts = days.facts(at(86_420));
        assert_eq!((facts.completed, facts.failed), (9, 5), "only rehearsals that succeed are counted thrice");
        let mut old = AttemptLog::default();
        old.record(attempt(0, landed, "swap"));
        let week = 7 * 86_400;
        assert_eq!((old.facts(at(week)).all(), old.facts(at(week + 1)).all()), (1, 0), "seven days");
    }

    /// S-041: each key has its own row of ends, and one success ends a row of failures.
    #[test]
    fn s_041_streaks_are_of_one_key() {
        let landed = AttemptResult::Landed { simulated: 1_000, realised: 1_000 };
        let mut log = AttemptLog::default();
        for (seconds, result, key) in [
            (1, AttemptResult::Reverted, "swap"),
            (2, AttemptResult::Reverted, "mint"),
            (3, AttemptResult::Dropped, "swap"),
            (4, landed, "mint"),
            (5, landed, "mint"),
        ] {
            log.record(attempt(seconds, result, key));
        }
        let streaks: Vec<_> =
            log.facts(at(6)).streaks.iter().map(|one| (one.key.to_string(), one.failures, one.successes)).collect();
        assert_eq!(streaks, [("swap".to_owned(), 2, 0), ("mint".to_owned(), 0, 2)]);
    }

    /// S-042: W-26 and W-27.
    #[test]
    fn s_042_effect_meets_w_26_and_w_27() {
        let action = |pnl_micros| ActionOutcome {
            at: at(0),
            pnl_micros,
            gas: Usdc::from_micros(400_000),
            nav: Usdc::whole(10_000),
            fitness_change_ppm: 0,
            taught: false,
        };
        assert!(!action(990_000).is_effective() && action(1_000_000).is_effective(), "W-26");
        assert!(action(-1_000_000).is_effective(), "a loss is an effect");
        assert!(ActionOutcome { fitness_change_ppm: -10_000, ..action(0) }.is_effective());
        assert!(ActionOutcome { taught: true, ..action(0) }.is_effective());
        let mut log = ActionLog::default();
        (0..12).for_each(|n| log.record(action(if n < 2 { 2_000_000 } else { 0 })));
        let facts = log.facts(at(10), Usdc::whole(1), 0);
        assert_eq!((facts.count, facts.effective), (12, 2), "W-27");
        assert_eq!(facts.costs, Usdc::from_micros(5_800_000), "gas and inference");
        assert_eq!(facts.net_pnl_micros, 4_000_000, "the sum");
        assert_eq!(log.facts(at(86_400), Usdc::ZERO, 0).count, 12, "a day");
        assert_eq!(log.facts(at(86_401), Usdc::ZERO, 0).count, 0, "a day and a second");
        (0..300).for_each(|_| log.record(action(1)));
        assert_eq!(log.facts(at(0), Usdc::ZERO, 0).net_pnl_micros, 256, "the newest are kept");
        assert!(!ActionOutcome { fitness_change_ppm: 9_999, ..action(0) }.is_effective(), "below 0.01");
        let held = Usdc::from_micros(10_000 * 400_000 + 1);
        assert!(!ActionOutcome { nav: held, ..action(400_000) }.is_effective(), "a basis point is rounded up");
        assert!(ActionOutcome { nav: held, ..action(400_001) }.is_effective());
    }

    /// S-042, W-26: a lesson belongs to the newest action of its moment that has none yet.
    #[test]
    fn s_042_a_lesson_makes_an_action_of_its_moment_effective() {
        let action = |seconds, nav| ActionOutcome {
            at: at(seconds),
            pnl_micros: 0,
            gas: Usdc::ZERO,
            nav: Usdc::whole(nav),
            fitness_change_ppm: 0,
            taught: false,
        };
        let mut log = ActionLog::default();
        [action(1, 10), action(1, 11), action(2, 12)].into_iter().for_each(|one| log.record(one));
        let taught = |log: &ActionLog| log.outcomes.iter().map(|one| one.taught).collect::<Vec<_>>();
        for (seconds, wanted) in
            [(3, [false, false, false]), (1, [false, true, false]), (1, [true, true, false]), (2, [true, true, true])]
        {
            log.teach(at(seconds));
            assert_eq!(taught(&log), wanted, "{seconds}");
        }
    }

    /// the newest action of that moment with that profit goes, and no other.
    #[test]
    fn r_022_an_action_taken_back_has_never_been() {
        let action = |seconds, pnl_micros, nav| ActionOutcome {
            at: at(seconds),
            pnl_micros,
            gas: Usdc::ZERO,
            nav: Usdc::whole(nav),
            fitness_change_ppm: 0,
            taught: false,
        };
        let mut log = ActionLog::default();
        [action(1, 5, 1), action(1, 5, 2), action(1, 7, 3), action(2, 5, 4)]
            .into_iter()
            .for_each(|one| log.record(one));
        let left = |log: &ActionLog| log.outcomes.iter().map(|one| one.nav.micros() / 1_000_000).collect::<Vec<_>>();
        for (seconds, pnl_micros, wanted) in
            [(2, 7, vec![1, 2, 3, 4]), (1, 5, vec![1, 3, 4]), (2, 5, vec![1, 3]), (1, 5, vec![3]), (1, 5, vec![3])]
        {
            log.take_back(at(seconds), pnl_micros);
            assert_eq!(left(&log), wanted, "{seconds} s, {pnl_micros}");
        }
    }
}
