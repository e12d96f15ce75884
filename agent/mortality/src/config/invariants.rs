//! What no owner can change: checked after everything was read, whatever its source (section 24 of the catalogue).

use golem_primitives::{Ppm, Usdc};

use super::{Config, ConfigError, Hosting};
use crate::error_code::ErrorCode;

/// A rule above every configuration.
#[derive(Debug, Clone, Copy)]
pub struct Invariant {
    pub id: &'static str,
    pub code: ErrorCode,
    /// The rule, in a sentence that says what to do.
    pub rule: &'static str,
    holds: fn(&Config, Hosting) -> bool,
}

const LEAST_RESERVE_FLOOR: Usdc = Usdc::from_micros(100_000);

/// Every rule, in the order of the catalogue.
pub const INVARIANTS: &[Invariant] = &[
    Invariant {
        id: "M-300",
        code: ErrorCode::CfgReserveFloor,
        rule: "while the economic clock is on, mortality.economic.death_reserve_floor_usdc is 0.10 or more",
        holds: |c, _| {
            c.mortality.immortal || !c.economic.enabled || c.economic.death_reserve_floor_usdc >= LEAST_RESERVE_FLOOR
        },
    },
    Invariant {
        id: "M-300",
        code: ErrorCode::CfgReserveRate,
        rule: "mortality.economic.death_reserve_proportional is 0.01 to 0.10",
        holds: |c, _| within(c.economic.death_reserve_proportional, 10_000, 100_000),
    },
    Invariant {
        id: "M-300",
        code: ErrorCode::CfgConservationRange,
        rule: "mortality.economic.conservation_threshold is 0.10 to 0.50",
        holds: |c, _| within(c.economic.conservation_threshold, 100_000, 500_000),
    },
    Invariant {
        id: "M-300",
        code: ErrorCode::CfgMaxHazard,
        rule: "mortality.stochastic.max_hazard_rate is above 0 and at most 0.01",
        holds: |c, _| c.stochastic.max_hazard_rate > 0.0 && c.stochastic.max_hazard_rate <= 1e-2,
    },
    Invariant {
        id: "M-300",
        code: ErrorCode::CfgBaseHazard,
        rule: "mortality.stochastic.base_hazard_rate is above 0 and at most 0.001",
        holds: |c, _| c.stochastic.base_hazard_rate > 0.0 && c.stochastic.base_hazard_rate <= 1e-3,
    },
    Invariant {
        id: "M-304",
        code: ErrorCode::CfgPartitionSum,
        rule: "mortality.economic.partitions sum to 1",
        holds: |c, _| c.partitions.llm.get() + c.partitions.gas.get() + c.partitions.data.get() == Ppm::ONE.get(),
    },
    Invariant {
        id: "M-305",
        code: ErrorCode::CfgClockDisabled,
        rule: "the epistemic and stochastic clocks run in every mortal Golem; remove their enabled = false",
        holds: |c, _| c.mortality.immortal || (c.epistemic.enabled && c.stochastic.enabled),
    },
    Invariant {
        id: "M-305",
        code: ErrorCode::CfgClockDisabled,
        rule: "the economic clock runs in every hosted Golem; remove mortality.economic.enabled = false",
        holds: |c, hosting| hosting == Hosting::SelfHosted || c.mortality.immortal || c.economic.enabled,
    },
    Invariant {
        id: "M-242",
        code: ErrorCode::CfgImmortalHosted,
        rule: "a hosted Golem is mortal; remove mortality.immortal",
        holds: |c, hosting| hosting == Hosting::SelfHosted || !c.mortality.immortal,
    },
];

fn within(value: Ppm, low: u32, high: u32) -> bool {
    (low..=high).contains(&value.get())
}

impl Config {
    /// Every rule this configuration breaks where it is to run; none of them can be waived.
    #[must_use]
    pub fn broken_invariants(&self, hosting: Hosting) -> Vec<ConfigError> {
        INVARIANTS
            .iter()
            .filter(|invariant| !(invariant.holds)(self, hosting))
            .map(|invariant| ConfigError::Forbidden { code: invariant.code, explanation: invariant.rule.to_owned() })
            .collect()
    }
}
