//! A succession in words: where it stands, and what its owner can do from there.

use golem_inheritance::individuation::Stillborn;
use golem_inheritance::succession::machine::{Halt, State};

use super::Standing;
use crate::golem::home::Folder;

pub(super) fn words(state: &State) -> String {
    match state {
        State::Running { step, .. } => format!("at step {step}"),
        State::Waiting { step, until, .. } => format!("step {step} failed; its next attempt is due at {until}"),
        State::Halted { step, why } => match why {
            Halt::Gate(Stillborn::TooSimilar { similarity, .. }) => {
                format!("halted: the lives would be alike by {similarity}")
            }
            Halt::Gate(_) => "halted: nobody can say how alike the lives would be".to_owned(),
            Halt::Unfunded { missing } => format!("halted at {step}: {missing} is missing in escrow"),
            Halt::Broken(step) => format!("halted: step {step} cannot be done"),
        },
        State::Done { successor } => format!("done: {successor} lives"),
        State::Cancelled(_) => "ended".to_owned(),
    }
}

/// How a Golem that was born without capital gets some.
pub(crate) fn give_capital(name: &str) -> String {
    format!("bardo golem fund {name} --amount 1000 --capital")
}

/// What its owner can do from there.
pub(super) fn next_line(standing: &Standing, dead: &str) -> Option<String> {
    match standing.state {
        State::Running { .. } | State::Waiting { .. } => {
            Some(format!("The process that drives it goes on; without one: bardo line succession run {dead}"))
        }
        State::Halted { .. } => Some(format!("By hand it goes on: bardo line successor {dead}")),
        // A mandate puts credits aside and no capital, and with none of it there is nothing to trade with.
        State::Done { .. } => Some(format!(
            "It was born with credits alone. Give it capital to trade with: {}\nLink its key as its wallet, and let its file say \
             when it is dead, as its owner: bardo owner wallet {} --link; bardo owner profile {1} --epitaph\nLet it live: bardo \
             golem run {1}",
            give_capital(&standing.name),
            standing.name
        )),
        State::Cancelled(_) => None,
    }
}

/// I-284, I-285. Whether its owner is told of a wait: at the first failure of each cycle, not at every one.
pub(super) fn is_first_failure(state: &State) -> bool {
    matches!(state, State::Waiting { attempt, .. } if attempt.number() == 1)
}

/// Where the succession of a dead Golem stands, in words; `None` when none has begun.
pub(crate) fn standing_words(dead: &Folder) -> Option<String> {
    match Standing::read(dead) {
        Ok(standing) => standing.map(|standing| words(&standing.state)),
        Err(error) => Some(format!("{error:#}")),
    }
}

#[cfg(test)]
mod tests {
    use golem_inheritance::succession::machine::{SuccessionOutcome, SuccessionStep, SuccessionTerms, next};
    use golem_inheritance::succession::schedule::CycleAttempt;
    use golem_inheritance::{lineage::Descent, succession::SuccessionLaw};
    use golem_primitives::{LineageId, UtcTime};

    use super::*;

    /// I-284, I-285: of four attempts and an hour the owner hears once, and is told when the next one is due.
    #[test]
    fn i_285_a_wait_is_told_once_a_cycle_and_says_when_it_ends() {
        let course =
            SuccessionTerms { law: SuccessionLaw::default(), heir: Descent { lineage: LineageId(1), generation: 1 } };
        let mut state = State::Running { step: SuccessionStep::Fund, attempt: CycleAttempt::FIRST };
        let mut told = Vec::new();
        for at in 0..8 {
            let now = UtcTime::from_seconds(at * 10_000);
            state = next(state, SuccessionOutcome::FailedForNow, &course, now).0;
            assert!(words(&state).starts_with("step fund failed; its next attempt is due at "), "{}", words(&state));
            told.push(is_first_failure(&state));
            state = next(state, SuccessionOutcome::Woke, &course, UtcTime::from_seconds(at * 10_000 + 5_000)).0;
        }
        assert_eq!(told, [true, false, false, false, true, false, false, false]);
    }
}
