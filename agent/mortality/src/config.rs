//! What an owner may choose: the `[mortality]` part of `golem.toml`.
//!
//! Every key, default, range and meaning stands once, in `table.rs`; reading, describing and checking follow from it
//! (`golem_settings`). What no owner may choose stands in `invariants.rs`.

mod error;
mod invariants;
mod law;
mod profile;
mod read;
mod table;

pub use error::ConfigError;
pub use invariants::{INVARIANTS, Invariant};
pub use law::LawError;
pub use profile::Profile;
pub use table::{
    Affect, Config, DailyCaps, Economic, Epistemic, Mortality, Partitions, Phage, PredictionHalfLife, Predictions,
    Stochastic, Succession, VitalityShape,
};

use golem_primitives::Usdc;

use crate::epistemic::domain::DOMAINS;

/// Where a Golem runs. One with a vault counts as hosted, whoever owns the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hosting {
    /// With a vault: three clocks, a reserve, no exception.
    Hosted,
    /// On paper, without a vault.
    SelfHosted,
}

impl Config {
    /// The defaults for a Golem that runs there: self-hosted, the economic clock is off (M-288) and no reserve is asked
    /// (M-041).
    #[must_use]
    pub fn default_for(hosting: Hosting) -> Self {
        let mut config = Self::default();
        if hosting == Hosting::SelfHosted {
            config.economic.enabled = false;
            config.economic.death_reserve_floor_usdc = Usdc::ZERO;
        }
        config
    }

    /// Whether predictions are scored at all; if none is, profit stands in for them (M-066).
    #[must_use]
    pub const fn scores_predictions(&self) -> bool {
        let types = &self.predictions;
        types.price_direction
            || types.volatility_regime
            || types.yield_trend
            || types.gas_condition
            || types.protocol_state
    }
}

impl PredictionHalfLife {
    /// The weight of the newest score in each domain's fitness, in the order price, volatility, yield, gas, protocol. A
    /// half-life of zero is one tick.
    #[must_use]
    pub fn alphas(&self) -> [f64; 5] {
        let given =
            [self.price_direction, self.volatility_regime, self.yield_trend, self.gas_condition, self.protocol_state];
        std::array::from_fn(|domain| match given[domain] {
            Some(ticks) => 1.0 - libm::exp2(-1.0 / ticks.max(1) as f64),
            None => DOMAINS[domain].alpha,
        })
    }
}

#[cfg(test)]
mod tests;
