//! How a mood and what was marked before bend whom to ask. Phase, day, providers and purse bind all the same.

use golem_daimon::influence::Influence;
use golem_daimon::modulation::may_use_large_model;
use golem_primitives::Ppm;

/// What affect does to a question. A life without moods has none of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bias {
    /// What the stakes at which T1 and T2 are asked lose; a mood never makes them more.
    pub ease: [Ppm; 2],
    /// Whether it is too depleted for the large model; an anomaly is not.
    pub is_depleted: bool,
    /// Whether what was done before in this situation left a mark that wants the large model.
    pub wants_second_thought: bool,
    /// S-080. Whether much was suffered before where it leads: somebody hears the warning before it is entered.
    pub is_warned: bool,
}

impl Bias {
    /// What an influence does to the question.
    pub(crate) fn of(influence: &Influence, wants_second_thought: bool) -> Self {
        Self {
            ease: influence.tier_shifts.map(|shift| Ppm::round(-shift)),
            is_depleted: !may_use_large_model(influence.mood, 0.0),
            wants_second_thought,
            is_warned: false,
        }
    }
}
