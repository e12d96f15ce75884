//! What a Golem does, by class. The first four never meet suffering: they have no way to it.

use golem_primitives::words;

use crate::condition::{Bound, compile};
use crate::domain::Domain;
use crate::text::Key;

words! {
    /// S-128. What is dispatched before the gate and holds no reference to suffering. There is no way from here to a
    /// [`GoalClass`], so the gate cannot be asked about it. A goal is made of a class:
    ///
    /// ```
    /// use golem_suffering::action::{Goal, GoalClass};
    /// let goal = Goal::new(GoalClass::Grow, Default::default());
    /// ```
    ///
    /// and of nothing else:
    ///
    /// ```compile_fail,E0308
    /// use golem_suffering::action::{Goal, Reserved};
    /// let goal = Goal::new(Reserved::Protect, Default::default());
    /// ```
    Reserved {
        /// C0. Kill, halt, freeze, revoke approvals.
        Safety = "safety",
        /// C1. Stop, repay, top up within limit, withdraw, close, reduce.
        Protect = "protect",
        /// C2. Every step of dying, snapshots, the legacy's upload.
        Death = "death",
        /// C3. Heartbeat, sensing, clocks, telemetry, accounting.
        Vital = "vital",
    }
}

words! {
    /// S-130. What a Golem may want besides. Ordered from mild to bold.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
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
    /// Whether leverage rises.
    pub raises_leverage: bool,
    /// Whether it touches a protocol for the first time.
    pub new_protocol: bool,
    /// Whether it makes a replicant, a capability or a strategy, or publishes.
    pub creates: bool,
    /// Whether it writes to the chain.
    pub writes_chain: bool,
    /// Whether it speaks to peers or the owner.
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

    /// S-130. C1 is earned by its effect: on an existing position, and neither exposure nor leverage rises.
    #[must_use]
    pub const fn protects(&self, rule_triggered: bool, existing_position: bool) -> Option<Reserved> {
        let harmless = self.exposure_micros <= 0 && !self.raises_leverage && !self.new_protocol && !self.creates;
        if rule_triggered && existing_position && harmless { Some(Reserved::Protect) } else { None }
    }
}

/// S-130. The class of a plan: its boldest step's; a plan without steps is unknown, and so the boldest.
#[must_use]
pub fn class_of_plan(steps: &[ActionEffect]) -> GoalClass {
    steps.iter().map(ActionEffect::class).max().unwrap_or(GoalClass::Expand)
}

/// What a goal is to relieve, and by which measurable step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aim {
    /// The stressor it names.
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
    /// Its class.
    pub class: GoalClass,
    /// Where it would act.
    pub domain: Domain,
    /// What it is to relieve.
    pub aim: Option<Aim>,
}

impl Goal {
    /// A goal that aims at nothing in particular.
    #[must_use]
    pub const fn new(class: GoalClass, domain: Domain) -> Self {
        Self { class, domain, aim: None }
    }
}

/// What is to be done: what never meets the gate, and what does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// S-128. Dispatched at once.
    Reserved(Reserved),
    /// Asked about.
    Goal(Goal),
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
        let look = ActionEffect { examines: true, ..none };
        let open = ActionEffect { writes_chain: true, exposure_micros: 9, ..none };
        assert_eq!(class_of_plan(&[look, open, look]), GoalClass::Grow);
        assert_eq!(class_of_plan(&[]), GoalClass::Expand);
    }

    proptest! {
        /// S-130, S-128: protection never raises exposure or leverage, whatever it is called.
        #[test]
        fn s_128_protection_is_earned_by_its_effect(exposure_micros: i64, raises_leverage: bool, new_protocol: bool, rule: bool, existing: bool) {
            let effect = ActionEffect { exposure_micros, raises_leverage, new_protocol, writes_chain: true, ..ActionEffect::default() };
            if effect.protects(rule, existing).is_some() {
                prop_assert!(exposure_micros <= 0 && !raises_leverage && !new_protocol && rule && existing);
            }
        }
    }
}
