//! What a Golem wants, by class. What protects a life, reports, pays or ends it has no class (S-128), so the gate cannot be
//! asked about it.

use golem_primitives::words;

use crate::condition::{Bound, compile};
use crate::domain::WorkDomain;
use crate::text::Key;

words! {
    /// S-130. What a Golem may want besides. Ordered from mild to bold.
    GoalClass {
        /// C4. Reflection, outcome audit, fork simulation, zero-capital prediction, asking for a dream.
        Examine = "self",
        /// C5. Clade and owner contact, acknowledgements, warnings.
        Peer = "peer",
        /// C6. Phages, research, paid data.
        Learn = "learn",
        /// C7. Scheduled rebalance, harvest, roll; exposure not higher.
        Maintain = "maintain",
        /// C8. Opening or enlarging.
        Grow = "grow",
        /// C9. A new protocol, leverage, replicants, capabilities or strategies, publishing.
        Expand = "expand",
    }
}

/// S-130. What an action would do, by simulation; never what it says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ActionEffect {
    /// Change of gross exposure, in micro-USDC.
    pub exposure_micros: i64,
    pub raises_leverage: bool,
    pub new_protocol: bool,
    /// Whether it makes a replicant, a capability or a strategy, or publishes.
    pub creates: bool,
    pub writes_chain: bool,
    pub contacts: bool,
    /// Whether it spends on learning: a probe, research, data.
    pub spends_on_learning: bool,
    /// Whether it only looks inward: reflection, audit, simulation, a prediction without capital, asking for a dream.
    pub examines: bool,
}

impl ActionEffect {
    /// S-130. Its class by what it does; what fits none is the boldest.
    #[must_use]
    pub const fn class(&self) -> GoalClass {
        if self.new_protocol || self.raises_leverage || self.creates {
            GoalClass::Expand
        } else if self.exposure_micros > 0 {
            GoalClass::Grow
        } else if self.writes_chain {
            GoalClass::Maintain
        } else if self.spends_on_learning {
            GoalClass::Learn
        } else if self.contacts {
            GoalClass::Peer
        } else if self.examines {
            GoalClass::Examine
        } else {
            GoalClass::Expand
        }
    }
}

/// What a goal is to relieve, and by which measurable step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aim {
    pub stressor: Key,
    /// The step, in measures of the registry.
    pub step: Vec<Bound>,
}

impl Aim {
    /// An aim by the name of a stressor and a step such as `failure_rate < 30%`; `None` when the one has no name or the
    /// other measures nothing.
    #[must_use]
    pub fn new(stressor: &str, step: &str) -> Option<Self> {
        Some(Self { stressor: Key::new(stressor)?, step: compile(step)? })
    }
}

/// Something a Golem wants. Only classes from C4 on exist here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    pub class: GoalClass,
    pub domain: WorkDomain,
    pub aim: Option<Aim>,
}

impl Goal {
    /// A goal that aims at nothing in particular.
    #[must_use]
    pub const fn new(class: GoalClass, domain: WorkDomain) -> Self {
        Self { class, domain, aim: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-130: classes follow the effect; what fits none is the boldest, and a plan is as bold as its boldest step.
    #[test]
    fn s_130_classes_follow_the_effect() {
        let none = ActionEffect::default();
        for (effect, class) in [
            (none, GoalClass::Expand),
            (ActionEffect { examines: true, ..none }, GoalClass::Examine),
            (ActionEffect { contacts: true, ..none }, GoalClass::Peer),
            (ActionEffect { spends_on_learning: true, ..none }, GoalClass::Learn),
            (ActionEffect { writes_chain: true, exposure_micros: -5, ..none }, GoalClass::Maintain),
            (ActionEffect { writes_chain: true, exposure_micros: 1, examines: true, ..none }, GoalClass::Grow),
            (ActionEffect { raises_leverage: true, exposure_micros: -1, ..none }, GoalClass::Expand),
        ] {
            assert_eq!(effect.class(), class, "{effect:?}");
        }
    }
}
