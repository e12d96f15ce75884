//! What an owner sets.

use golem_primitives::{Ppm, words};

use crate::severity::Severity;

words! {
    /// S-008. Two readings of the law.
    SufferingProfile {
        /// The seed's behaviour where it speaks.
        Seed = "seed",
        /// The same within limits on what talk can do; the default.
        Hardened = "hardened",
    }
}

/// The numbers of suffering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SufferingLaw {
    /// S-008. The reading.
    pub profile: SufferingProfile,
    /// S-096. Ticks of an existence cycle.
    pub existence_cycle_ticks: u64,
    /// S-015. Days of downtime charged at most; none by default.
    pub max_gap_days: Option<u32>,
}

/// S-090. Active stressors at most.
pub const MAX_ACTIVE: usize = 5;
/// S-045. New stressors taken from one reply.
pub const MAX_NEW: usize = 2;
/// S-047. Slots of agent-driven stressors, hardened.
pub const AGENT_SLOTS: usize = 3;
/// S-047. What they add to a load together, hardened.
pub const AGENT_SHARE: Severity = Severity::of(Ppm::of(600_000));
/// S-048. Where a stressor nobody can measure stops growing, hardened.
pub const UNMEASURED: Severity = Severity::of(Ppm::of(350_000));
/// S-094. Crisis cycles in a row before a reset.
pub const CRISIS_CYCLES: u32 = 3;
/// S-097. Resets in a day, hardened.
pub const RESETS_PER_DAY: usize = 4;
/// S-080. A peak above this is remembered with a warning.
pub const SCARRING: Severity = Severity::of(Ppm::of(500_000));

impl Default for SufferingLaw {
    fn default() -> Self {
        Self { profile: SufferingProfile::Hardened, existence_cycle_ticks: 50, max_gap_days: None }
    }
}

impl SufferingLaw {
    /// Whether the limits marked for the hardened reading hold.
    #[must_use]
    pub const fn is_hardened(&self) -> bool {
        matches!(self.profile, SufferingProfile::Hardened)
    }

    /// S-047. What agent-driven stressors add to a load together.
    #[must_use]
    pub const fn agent_cap(&self) -> Severity {
        if self.is_hardened() { AGENT_SHARE } else { Severity::ONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-008, S-096: hardened by default, fifty ticks a cycle.
    #[test]
    fn s_008_hardened_is_the_default() {
        let law = SufferingLaw::default();
        assert_eq!(
            (law.profile, law.existence_cycle_ticks, law.max_gap_days),
            (SufferingProfile::Hardened, 50, None),
            "S-096"
        );
        let seed = SufferingLaw { profile: SufferingProfile::Seed, ..law };
        assert!(law.agent_cap() < Severity::ONE && seed.agent_cap() == Severity::ONE, "S-047");
    }
}
