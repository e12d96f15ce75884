//! The states of a Golem as data, for stores and screens. The living types of the law make wrong moves unwritable; this
//! table says the same to those who only hold a state's name.

/// M-284. Where a Golem is between birth and death.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LifecycleState {
    /// Being set up.
    Provisioning,
    /// Ticking.
    Active,
    /// Dreaming.
    Dreaming,
    /// Dying: the Death Protocol has begun. Not the behavioural phase of the same name, which is a posture of the living
    /// (M-286).
    Terminal,
    /// Dead.
    Dead,
}

/// M-284. Every allowed move; nothing else is one. Death may begin while dreaming (M-285).
pub const TRANSITIONS: [(LifecycleState, LifecycleState); 6] = [
    (LifecycleState::Provisioning, LifecycleState::Active),
    (LifecycleState::Active, LifecycleState::Dreaming),
    (LifecycleState::Dreaming, LifecycleState::Active),
    (LifecycleState::Active, LifecycleState::Terminal),
    (LifecycleState::Dreaming, LifecycleState::Terminal),
    (LifecycleState::Terminal, LifecycleState::Dead),
];

impl LifecycleState {
    /// Every state, in the order of a life.
    pub const ALL: [Self; 5] = [Self::Provisioning, Self::Active, Self::Dreaming, Self::Terminal, Self::Dead];

    /// Whether a Golem in this state may go to `next`.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        TRANSITIONS.contains(&(self, next))
    }

    /// Whether it ticks and takes direction (M-285).
    #[must_use]
    pub const fn is_living(self) -> bool {
        matches!(self, Self::Active | Self::Dreaming)
    }

    /// M-287. How the owner gets the funds out; there is a way in every state.
    #[must_use]
    pub const fn recovery(self) -> Recovery {
        match self {
            Self::Provisioning => Recovery::Withdraw,
            Self::Active | Self::Dreaming => Recovery::WithdrawOrTeardown,
            Self::Terminal => Recovery::Settlement,
            Self::Dead => Recovery::Sweep,
        }
    }
}

/// How an owner gets funds out of a Golem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Recovery {
    /// Nothing has begun: take it back.
    Withdraw,
    /// Take what is free, or end the life, which settles everything.
    WithdrawOrTeardown,
    /// The Death Protocol pays it out.
    Settlement,
    /// Whatever is left is the owner's to sweep.
    Sweep,
}

impl Recovery {
    /// M-287. Whether the owner is asked to confirm, because it cannot be undone.
    #[must_use]
    pub const fn asks_confirmation(self) -> bool {
        matches!(self, Self::WithdrawOrTeardown)
    }
}

/// M-277. What an owner may do after a death. Nothing happens unless the owner chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum SuccessionChoice {
    /// Let the lineage end.
    #[default]
    End,
    /// A new Golem that inherits nothing.
    Fresh,
    /// A successor that inherits.
    Continue,
}

impl SuccessionChoice {
    /// The generation of who comes next after a Golem of `generation`; `None` when nobody does. Continuing keeps the
    /// lineage and begins everything else anew: id, wallet, identity.
    #[must_use]
    pub const fn next_generation(self, generation: u32) -> Option<u32> {
        match self {
            Self::End => None,
            Self::Fresh => Some(0),
            Self::Continue => Some(generation.saturating_add(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LifecycleState::{Active, Dead, Dreaming, Provisioning, Terminal};
    use super::*;

    #[test]
    fn m_284_of_twenty_five_moves_six_are_allowed() {
        // M-284.
        let allowed: Vec<_> = LifecycleState::ALL
            .into_iter()
            .flat_map(|from| LifecycleState::ALL.map(|to| (from, to)))
            .filter(|(from, to)| from.may_become(*to))
            .collect();
        assert_eq!(allowed.len(), 6);
        assert!(Provisioning.may_become(Active) && Active.may_become(Dreaming) && Dreaming.may_become(Active));
        assert!(Active.may_become(Terminal) && Terminal.may_become(Dead));
        assert!(!Terminal.may_become(Active) && !Dead.may_become(Active) && !Provisioning.may_become(Dead));
    }

    #[test]
    fn m_285_the_dying_and_the_dead_do_not_tick_and_death_may_come_in_a_dream() {
        // M-285.
        assert_eq!(LifecycleState::ALL.map(LifecycleState::is_living), [false, true, true, false, false]);
        assert!(Dreaming.may_become(Terminal));
        assert_eq!(LifecycleState::ALL.map(|next| Dead.may_become(next)), [false; 5]);
    }

    #[test]
    fn m_286_dying_is_another_thing_than_the_terminal_phase() {
        // M-286: a Golem in the Terminal phase is Active until a check fires.
        assert!(Active.is_living() && !Terminal.is_living());
        assert!(crate::phase::Phase::Terminal < crate::phase::Phase::Declining, "a phase compares with phases only");
    }

    #[test]
    fn m_287_funds_can_be_recovered_in_every_state() {
        // M-287.
        let ways = LifecycleState::ALL.map(LifecycleState::recovery);
        assert_eq!(
            ways,
            [
                Recovery::Withdraw,
                Recovery::WithdrawOrTeardown,
                Recovery::WithdrawOrTeardown,
                Recovery::Settlement,
                Recovery::Sweep
            ]
        );
        assert!(Recovery::WithdrawOrTeardown.asks_confirmation() && !Recovery::Sweep.asks_confirmation());
    }

    #[test]
    fn m_277_succession_is_a_choice() {
        // M-277, M-006.
        assert_eq!(SuccessionChoice::default().next_generation(3), None, "nothing happens by itself");
        assert_eq!(SuccessionChoice::Fresh.next_generation(3), Some(0));
        assert_eq!(SuccessionChoice::Continue.next_generation(3), Some(4));
    }
}
