//! Reference prices and profiles.

use golem_primitives::{Ppm, Usdc};

use super::tier::Tier;

/// An inclusive range of prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceRange {
    pub low: Usdc,
    pub high: Usdc,
}

const fn range(low: u64, high: u64) -> PriceRange {
    PriceRange { low: Usdc::from_micros(low), high: Usdc::from_micros(high) }
}

/// M-020. The machine, per hour.
pub const VM_PER_HOUR: Usdc = Usdc::from_micros(7_000);
/// M-020. One model call.
pub const INFERENCE_CALL: PriceRange = range(5_000, 250_000);
/// M-020. One transaction, from Base to mainnet.
pub const GAS_TX: PriceRange = range(1_000, 500_000);
/// M-020, M-229. One insurance snapshot.
pub const INSURANCE_SNAPSHOT: Usdc = Usdc::from_micros(10_000);
/// A regime's mix of tiers and what a day of it costs (M-022).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CostProfile {
    pub name: &'static str,
    /// Share of ticks at T0, T1, T2 and T3.
    pub tiers: [Ppm; 4],
    pub per_day: Usdc,
}

const fn profile(name: &'static str, percent: [u32; 4], cents: u64) -> CostProfile {
    CostProfile {
        name,
        tiers: [
            Ppm::of(percent[0] * 10_000),
            Ppm::of(percent[1] * 10_000),
            Ppm::of(percent[2] * 10_000),
            Ppm::of(percent[3] * 10_000),
        ],
        per_day: Usdc::from_micros(cents * 10_000),
    }
}

/// M-022.
pub const COST_PROFILES: [CostProfile; 5] = [
    profile("ranging", [80, 10, 7, 3], 132),
    profile("bear_high_volatility", [60, 15, 15, 10], 324),
    profile("recovery", [70, 15, 10, 5], 180),
    profile("conservation", [90, 8, 2, 0], 41),
    profile("declining", [95, 5, 0, 0], 10),
];

/// M-021. What a call of a tier costs.
#[must_use]
pub const fn tier_price(tier: Tier) -> PriceRange {
    match tier {
        Tier::T0 => range(0, 0),
        Tier::T1 => range(2_000, 2_000),
        Tier::T2 => range(30_000, 30_000),
        Tier::T3 => range(150_000, 250_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M-021: each tier is dearer than the one before.
    #[test]
    fn m_021_tiers_cost_more_as_they_rise() {
        let prices = Tier::ALL.map(|tier| tier_price(tier).high);
        assert_eq!(prices, [0, 2_000, 30_000, 250_000].map(Usdc::from_micros));
    }

    /// M-022: shares sum to one and poverty is cheaper.
    #[test]
    fn m_022_profiles_sum_to_one() {
        for profile in COST_PROFILES {
            let sum: u32 = profile.tiers.iter().map(|share| share.get()).sum();
            assert_eq!(sum, 1_000_000, "{}", profile.name);
        }
        let days = COST_PROFILES.map(|profile| profile.per_day.micros());
        assert_eq!(days, [1_320_000, 3_240_000, 1_800_000, 410_000, 100_000]);
        assert_eq!(COST_PROFILES[4].tiers[2..], [Ppm::ZERO, Ppm::ZERO], "no large model while declining");
    }
}
