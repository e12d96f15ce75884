//! A Golem in one of its states.

use golem_mortality::lifecycle::{Active, Dead, Dreaming, Dying, Golem};
use golem_mortality::vitals::Vitals;
use serde::{Deserialize, Serialize};

/// A Golem in one of its states. What a state cannot do is not in its type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    Active(Golem<Active>),
    Dreaming(Golem<Dreaming>),
    Dying(Golem<Dying>),
    Dead(Golem<Dead>),
}

impl Body {
    /// The vitals, in every state.
    #[must_use]
    pub const fn vitals(&self) -> &Vitals {
        match self {
            Self::Active(golem) => golem.vitals(),
            Self::Dreaming(golem) => golem.vitals(),
            Self::Dying(golem) => golem.vitals(),
            Self::Dead(golem) => golem.vitals(),
        }
    }

    /// Whether it still ticks.
    #[must_use]
    pub const fn is_alive(&self) -> bool {
        matches!(self, Self::Active(_) | Self::Dreaming(_))
    }
}
