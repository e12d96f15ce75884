//! Which goals a band leaves open. It can only remove.

use crate::action::{Goal, GoalClass};
use crate::anticipation::Signal;
use crate::band::Band;
use crate::law::SufferingLaw;
use crate::suffering::Suffering;
use crate::text::Key;

/// Why a goal is closed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Closed {
    /// S-030.
    #[error("in Crisis only self-examination and peer contact are open")]
    Crisis,
    #[error("{class} goals are closed while suffering is {band}; work at what presses first")]
    Class { class: GoalClass, band: Band },
    #[error("{stressor} is active in this domain; grow elsewhere or resolve it first")]
    Domain { stressor: Key },
    #[error("name an active stressor and a measurable step toward its end")]
    NoAim,
}

/// What the gate says of a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoalVerdict {
    /// Open, perhaps with a warning (S-081: it cautions and never blocks).
    Open(Option<Signal>),
    Closed(Closed),
}

impl GoalVerdict {
    /// Whether it is open.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Open(_))
    }
}

impl Suffering {
    /// S-030, S-129. Whether a goal is open. Only goals from C4 on can be asked about (S-128).
    #[must_use]
    pub fn judge(&self, goal: &Goal) -> GoalVerdict {
        let closed = |reason| GoalVerdict::Closed(reason);
        let band = self.band;
        let refused = match (band, goal.class) {
            (_, GoalClass::Examine | GoalClass::Peer) | (Band::Background | Band::Present, _) => None,
            (Band::Crisis, _) => Some(Closed::Crisis),
            (Band::Constrained, GoalClass::Learn | GoalClass::Maintain) => None,
            (Band::Constrained, GoalClass::Grow) => self.domain_closed(goal),
            (Band::Dominant, GoalClass::Learn | GoalClass::Maintain) => (!self.is_aimed(goal)).then_some(Closed::NoAim),
            (Band::Constrained | Band::Dominant, class) => Some(Closed::Class { class, band }),
        };
        refused.map_or_else(|| GoalVerdict::Open(self.caution(goal)), closed)
    }

    fn domain_closed(&self, goal: &Goal) -> Option<Closed> {
        let active = self.active().into_iter().find(|one| one.domain.covers(&goal.domain));
        active.map(|one| Closed::Domain { stressor: one.key() })
    }

    fn is_aimed(&self, goal: &Goal) -> bool {
        goal.aim.as_ref().is_some_and(|aim| self.active.iter().any(|one| one.key() == aim.stressor))
    }

    /// S-083. The warning for a candidate from C6 on.
    fn caution(&self, goal: &Goal) -> Option<Signal> {
        if goal.class < GoalClass::Learn { None } else { self.anticipate(&goal.domain) }
    }

    /// S-129. Permission is phase and band and policy: this can only take away.
    #[must_use]
    pub fn permits(&self, goal: &Goal, by_phase: bool, by_policy: bool) -> bool {
        by_phase && by_policy && self.judge(goal).is_open()
    }

    /// S-020. The load as a line for screens; functional state, no claim of feeling (S-145).
    #[must_use]
    pub fn status(&self, law: &SufferingLaw) -> String {
        let load = self.load(law);
        format!("load {}/1.0 (sum {:.3}), {}, {} active", load.load, load.raw_sum(), self.band, self.active.len())
    }
}
