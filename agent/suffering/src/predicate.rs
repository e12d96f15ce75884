//! The six canonical stressors: when each is raised and when it is resolved, by what is measured.

mod existential;
mod failure;
mod futility;
mod identity;
mod invisibility;
mod purpose;

use golem_primitives::{Ppm, Tick, UtcTime};

use crate::domain::Domain;
use crate::facts::Facts;
use crate::kind::Canonical;
use crate::severity::Severity;
use crate::text::{Key, Line};
use crate::truth::Truth;

/// What earlier evaluations leave for the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Holds {
    /// Evaluations in a row with a short life ahead.
    short_life: u32,
    /// Since which tick nothing has endangered it.
    safe_since: Option<Tick>,
}

impl Holds {
    /// Takes in one evaluation; a tick without numbers breaks no row and makes none.
    pub fn note(&mut self, facts: &Facts) {
        existential::note(self, facts);
    }
}

/// What is known of a stressor that is active, for its resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Onset<'a> {
    /// When it began.
    pub at: UtcTime,
    /// Fitness then.
    pub fitness: Option<Ppm>,
    /// The key that kept failing, if that was the reason.
    pub watched: Option<&'a Key>,
}

/// What a look at the world says of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// Whether there is reason to raise it.
    pub raise: Truth,
    /// Where it begins.
    pub severity: Severity,
    /// Where, when that is narrower than where the Golem works.
    pub domain: Option<Domain>,
    /// The key that keeps failing, if that is the reason.
    pub watched: Option<Key>,
}

/// Looks at the world for one type.
#[must_use]
pub fn look(kind: Canonical, facts: &Facts, holds: &Holds) -> Look {
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

impl Look {
    const fn of(raise: Truth) -> Self {
        Self { raise, severity: Severity::NEW, domain: None, watched: None }
    }
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
