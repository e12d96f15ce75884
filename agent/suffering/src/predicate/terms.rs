//! What a predicate is told, and what it answers.

use golem_primitives::{Ppm, Tick, UtcTime};

use crate::domain::WorkDomain;
use crate::severity::Severity;
use crate::text::Key;
use crate::truth::Truth;

/// What earlier evaluations leave for the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize)]
pub struct Holds {
    /// Evaluations in a row with a short life ahead.
    pub(super) short_life: u32,
    /// Since which tick nothing has endangered it.
    pub(super) safe_since: Option<Tick>,
}

/// What is known of a stressor that is active, for its resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Onset<'a> {
    pub at: UtcTime,
    pub fitness: Option<Ppm>,
    pub watched: Option<&'a Key>,
}

/// What a look at the world says of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StressorLook {
    pub raise: Truth,
    pub severity: Severity,
    /// Where, when that is narrower than where the Golem works.
    pub domain: Option<WorkDomain>,
    pub watched: Option<Key>,
}

impl StressorLook {
    pub(super) const fn of(raise: Truth) -> Self {
        Self { raise, severity: Severity::NEW, domain: None, watched: None }
    }
}
