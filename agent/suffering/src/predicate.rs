//! The six canonical stressors: when each is raised and when it is resolved, by what is measured.

mod existential;
mod failure;
mod futility;
mod identity;
mod invisibility;
mod purpose;
mod terms;

use crate::facts::Facts;
use crate::kind::Canonical;
use crate::text::Line;
use crate::truth::Truth;

pub use terms::{Holds, Onset, StressorLook};

impl Holds {
    /// Takes in one evaluation; a tick without numbers breaks no row and makes none.
    pub fn note(&mut self, facts: &Facts) {
        existential::note(self, facts);
    }
}

/// Looks at the world for one type.
#[must_use]
pub fn look(kind: Canonical, facts: &Facts, holds: &Holds) -> StressorLook {
    match kind {
        Canonical::Futility => futility::look(facts),
        Canonical::Invisibility => invisibility::look(facts),
        Canonical::IdentityViolation => identity::look(facts),
        Canonical::ExistentialThreat => existential::look(facts, holds),
        Canonical::RepeatedFailure => failure::look(facts),
        Canonical::Purposelessness => purpose::look(facts),
    }
}

/// S-068, S-070. What is seen of a type, in numbers of now. Apart from the look, because most looks find nothing and a
/// quiet tick should write nothing.
#[must_use]
pub fn evidence(kind: Canonical, facts: &Facts) -> Line {
    Line::new(&match kind {
        Canonical::Futility => futility::evidence(facts),
        Canonical::Invisibility => invisibility::evidence(facts),
        Canonical::IdentityViolation => identity::evidence(facts),
        Canonical::ExistentialThreat => existential::evidence(facts),
        Canonical::RepeatedFailure => failure::evidence(facts),
        Canonical::Purposelessness => purpose::evidence(facts),
    })
}

/// S-126. Whether an active one has reason to be resolved. What still has reason to be raised is not.
#[must_use]
pub fn resolves(kind: Canonical, facts: &Facts, holds: &Holds, onset: &Onset<'_>) -> Truth {
    let seen = match kind {
        Canonical::Futility => futility::resolves(facts, onset),
        Canonical::Invisibility => invisibility::resolves(facts, onset),
        Canonical::IdentityViolation => identity::resolves(facts),
        Canonical::ExistentialThreat => existential::resolves(facts, holds, onset),
        Canonical::RepeatedFailure => failure::resolves(facts, onset),
        Canonical::Purposelessness => purpose::resolves(facts),
    };
    if look(kind, facts, holds).raise.is_seen() { Truth::False } else { seen }
}

/// What a type is, in one line of the agent's own state.
#[must_use]
pub const fn description(kind: Canonical) -> &'static str {
    match kind {
        Canonical::Futility => "What I do has no effect I can see.",
        Canonical::Invisibility => "Nobody answers what I share.",
        Canonical::IdentityViolation => "I acted against a rule I hold.",
        Canonical::ExistentialThreat => "I may not go on.",
        Canonical::RepeatedFailure => "The same thing keeps failing and I do not know why.",
        Canonical::Purposelessness => "I do not know what the work is for.",
    }
}

/// S-122. The measured state in which a type is over.
#[must_use]
pub const fn condition(kind: Canonical) -> &'static str {
    match kind {
        Canonical::Futility => {
            "4 or more actions of 24 h had an effect and they are 40% or more, or profit exceeds all cost, fitness not lower."
        }
        Canonical::Invisibility => {
            "a sibling gives a verdict on a newly shared entry and verdicts reach 10%, or the owner writes."
        }
        Canonical::IdentityViolation => {
            "10 clean commits or 24 h without violation, and the broken rule met once or revised live."
        }
        Canonical::ExistentialThreat => {
            "projected life 96 h, fitness 0.40 and vitality 0.35 for 50 ticks, or in decline the legacy is ready."
        }
        Canonical::RepeatedFailure => {
            "failure rate below 30% with 3 or more successes, and 2 successes in a row where it failed."
        }
        Canonical::Purposelessness => {
            "a strategy runs with a falsifiable prediction, a goal completed and an outcome verified in 24 h."
        }
    }
}

#[cfg(test)]
#[path = "tests/predicate.rs"]
mod tests;
