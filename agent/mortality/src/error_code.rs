//! The names of what can go wrong, and what is done about it.

/// M-308. The six families.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorFamily {
    /// A setting no Golem may be born with.
    Configuration,
    /// Something the world did not give.
    Runtime,
    /// A prediction that cannot be scored.
    Epistemic,
    /// A probe that may not run.
    Phage,
    /// An inheritance that cannot be taken.
    Succession,
    /// A step from immortal to mortal out of order.
    Migration,
}

/// M-307. What is done about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Handling {
    /// The Golem is not born.
    FatalAtBoot,
    /// The same is tried again.
    Retry,
    /// It is written down and the life, or the death, goes on.
    Continue,
}

/// How often a push to the Clade is tried again, the pause doubling each time (M-307).
pub const CLADE_PUSH_RETRIES: u32 = 3;

/// The pause before retry `attempt` (from 1) of a push to the Clade; `None` when no try is left.
#[must_use]
pub const fn clade_push_pause_millis(attempt: u32, first_millis: u64) -> Option<u64> {
    if attempt == 0 || attempt > CLADE_PUSH_RETRIES {
        return None;
    }
    Some(first_millis.saturating_mul(1 << (attempt - 1)))
}

macro_rules! codes {
    ($($variant:ident, $family:ident, $name:literal, $meaning:literal;)*) => {
        /// MG-09. The 22 codes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorCode {
            $(#[doc = $meaning] $variant,)*
        }

        impl ErrorCode {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The code as logs and screens write it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it means, in a sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }

            /// Its family.
            #[must_use]
            pub const fn family(self) -> ErrorFamily {
                match self { $(Self::$variant => ErrorFamily::$family,)* }
            }
        }
    };
}

codes! {
    CfgReserveFloor, Configuration, "CFG_RESERVE_FLOOR", "The death reserve's floor is below 0.10 USDC.";
    CfgReserveRate, Configuration, "CFG_RESERVE_RATE", "The death reserve's share is outside 0.01 to 0.10.";
    CfgConservationRange, Configuration, "CFG_CONSERVATION_RANGE", "The conservation threshold is outside 0.10 to 0.50.";
    CfgTerminalOrder, Configuration, "CFG_TERMINAL_ORDER", "The terminal threshold is not below the conservation threshold.";
    CfgPartitionSum, Configuration, "CFG_PARTITION_SUM", "The partitions do not sum to one.";
    CfgMaxHazard, Configuration, "CFG_MAX_HAZARD", "The hazard's cap is above 0.01.";
    CfgBaseHazard, Configuration, "CFG_BASE_HAZARD", "The base hazard is above 0.001, or no hazard at all.";
    CfgInheritCap, Configuration, "CFG_INHERIT_CAP", "The inherited confidence is above 0.7.";
    CfgImmortalHosted, Configuration, "CFG_IMMORTAL_HOSTED", "A hosted Golem cannot be immortal.";
    CfgClockDisabled, Configuration, "CFG_CLOCK_DISABLED", "A clock is switched off on a mortal Golem.";
    RtBalanceUnavailable, Runtime, "RT_BALANCE_UNAVAILABLE", "The balance could not be read.";
    RtNonFinite, Runtime, "RT_NON_FINITE", "A number that is NaN or infinite reached the law.";
    RtReserveBreach, Runtime, "RT_RESERVE_BREACH", "A payment would have touched the death reserve.";
    RtDyingRejected, Runtime, "RT_DYING_REJECTED", "A dying Golem was asked for something only the living do.";
    EpNoOutcome, Epistemic, "EP_NO_OUTCOME", "A prediction has no outcome to be scored by.";
    EpStaleWindow, Epistemic, "EP_STALE_WINDOW", "No prediction of the fitness window is recent enough.";
    PhBudget, Phage, "PH_BUDGET", "The probe's budget is spent.";
    PhPhaseForbidden, Phage, "PH_PHASE_FORBIDDEN", "No probe runs in this phase.";
    SuChecksum, Succession, "SU_CHECKSUM", "The testament does not match its checksum.";
    SuNotFound, Succession, "SU_NOT_FOUND", "There is no testament to inherit.";
    MiOrder, Migration, "MI_ORDER", "A step from immortal to mortal was taken out of order.";
    MiNotImmortal, Migration, "MI_NOT_IMMORTAL", "Only an immortal Golem can become mortal.";
}

impl ErrorCode {
    /// M-307. What is done about it while the Golem lives.
    #[must_use]
    pub const fn handling(self) -> Handling {
        match self.family() {
            ErrorFamily::Configuration => Handling::FatalAtBoot,
            ErrorFamily::Runtime => Handling::Retry,
            ErrorFamily::Epistemic | ErrorFamily::Phage | ErrorFamily::Succession | ErrorFamily::Migration => {
                Handling::Continue
            }
        }
    }

    /// M-307. What is done about it once death has begun: nothing stops it.
    #[must_use]
    pub const fn handling_in_death(self) -> Handling {
        Handling::Continue
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_308_twenty_two_codes_in_six_families() {
        // M-308, MG-09.
        assert_eq!(ErrorCode::ALL.len(), 22);
        let count = |family| ErrorCode::ALL.iter().filter(|code| code.family() == family).count();
        let counts = [
            (ErrorFamily::Configuration, "CFG_", 10),
            (ErrorFamily::Runtime, "RT_", 4),
            (ErrorFamily::Epistemic, "EP_", 2),
            (ErrorFamily::Phage, "PH_", 2),
            (ErrorFamily::Succession, "SU_", 2),
            (ErrorFamily::Migration, "MI_", 2),
        ];
        for (family, prefix, expected) in counts {
            assert_eq!(count(family), expected, "{family:?}");
            assert!(ErrorCode::ALL.iter().filter(|c| c.family() == family).all(|c| c.name().starts_with(prefix)));
        }
        let names: std::collections::BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), 22, "no name twice");
    }

    #[test]
    fn m_307_configuration_stops_a_birth_and_nothing_stops_a_death() {
        // M-307.
        for code in ErrorCode::ALL {
            assert_eq!(code.handling() == Handling::FatalAtBoot, code.family() == ErrorFamily::Configuration, "{code}");
            assert_eq!(code.handling_in_death(), Handling::Continue, "{code}");
        }
        assert_eq!(ErrorCode::RtBalanceUnavailable.handling(), Handling::Retry);
        let pauses: Vec<_> = (0..=4).map(|attempt| clade_push_pause_millis(attempt, 500)).collect();
        assert_eq!(pauses, [None, Some(500), Some(1_000), Some(2_000), None]);
    }
}
