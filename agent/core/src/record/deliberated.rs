//! What came of asking a model.

use std::fmt;

use golem_mortality::economic::tier::Tier;
use golem_primitives::{EffectId, Usdc};
use serde::{Deserialize, Serialize};

use super::order::Order;
use crate::deliberation::Rationale;
use crate::record::Forgone;

/// M-139, R-032. One deliberation, from the question to what was made of its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deliberated {
    pub effect: EffectId,
    pub tier: Tier,
    /// What it cost.
    pub cost: Usdc,
    pub course: Course,
    /// The model's reason, for people; empty when none came.
    pub rationale: Rationale,
}

/// What follows from a deliberation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Course {
    /// This order is sent, exactly as it was offered.
    Act(Order),
    Stay,
    /// The answer is no use now: the rules decide.
    Rules(Overruled),
}

/// Why rules decide after a model was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overruled {
    Unanswered,
    /// It came when the rules had decided already.
    Late,
    /// It is about another list.
    Elsewhere,
    NoSuchChoice,
    /// M-136. What was permitted when it was offered is not any more.
    Forbidden(Forgone),
}

impl fmt::Display for Overruled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unanswered => f.write_str("no answer came"),
            Self::Late => f.write_str("the answer came too late"),
            Self::Elsewhere => f.write_str("the answer is about another question"),
            Self::NoSuchChoice => f.write_str("the answer names no choice that was offered"),
            Self::Forbidden(why) => write!(f, "what it chose may not be done any more: {why}"),
        }
    }
}
