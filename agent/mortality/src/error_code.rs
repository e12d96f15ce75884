//! The names of what can go wrong, as logs and screens write them.

macro_rules! codes {
    ($($variant:ident, $name:literal, $meaning:literal;)*) => {
        /// MG-09. A code for each rule that can be broken.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorCode {
            $(#[doc = $meaning] $variant,)*
        }

        impl ErrorCode {
            /// The code as logs and screens write it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

codes! {
    CfgReserveFloor, "CFG_RESERVE_FLOOR", "The death reserve's floor is below 0.10 USDC.";
    CfgReserveRate, "CFG_RESERVE_RATE", "The death reserve's share is outside 0.01 to 0.10.";
    CfgConservationRange, "CFG_CONSERVATION_RANGE", "The conservation threshold is outside 0.10 to 0.50.";
    CfgPartitionSum, "CFG_PARTITION_SUM", "The partitions do not sum to one.";
    CfgMaxHazard, "CFG_MAX_HAZARD", "The hazard's cap is above 0.01.";
    CfgBaseHazard, "CFG_BASE_HAZARD", "The base hazard is above 0.001, or no hazard at all.";
    CfgImmortalHosted, "CFG_IMMORTAL_HOSTED", "A hosted Golem cannot be immortal.";
    CfgClockDisabled, "CFG_CLOCK_DISABLED", "A clock is switched off on a mortal Golem.";
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
