//! The names of what can go wrong, as logs and screens write them.

golem_primitives::words! {
    /// MG-09. A code for each rule that can be broken.
    ErrorCode {
        /// The death reserve's floor is below 0.10 USDC.
        CfgReserveFloor = "CFG_RESERVE_FLOOR",
        /// The death reserve's share is outside 0.01 to 0.10.
        CfgReserveRate = "CFG_RESERVE_RATE",
        /// The conservation threshold is outside 0.10 to 0.50.
        CfgConservationRange = "CFG_CONSERVATION_RANGE",
        CfgPartitionSum = "CFG_PARTITION_SUM",
        /// The hazard's cap is above 0.01.
        CfgMaxHazard = "CFG_MAX_HAZARD",
        /// The base hazard is above 0.001, or no hazard at all.
        CfgBaseHazard = "CFG_BASE_HAZARD",
        CfgImmortalHosted = "CFG_IMMORTAL_HOSTED",
        /// A clock is switched off on a mortal Golem.
        CfgClockDisabled = "CFG_CLOCK_DISABLED",
    }
}
