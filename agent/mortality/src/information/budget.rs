//! Income and loss of information, and what to spend on inference for it.

use golem_primitives::Ppm;

use crate::economic::tier::Tier;
use crate::phase::Phase;

/// Weight of the newest tick, as in the fitness of M-053.
const SMOOTHING: f64 = 0.01;
/// What a Golem in Stable should hold (C-38).
const STABLE_SHARE: Ppm = Ppm::of(500_000);
/// Deficits as shares of the ceiling from which a dearer tier is worth its price. M-273 says small T0, large T2; the two
/// edges are ours.
const TIER_FLOORS: [(Ppm, Tier); 2] = [(Ppm::of(250_000), Tier::T2), (Ppm::of(100_000), Tier::T1)];

/// M-273. Smoothed bits per tick in and out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InformationBudget {
    acquired: f64,
    lost: f64,
}

impl InformationBudget {
    /// Takes the information rate of a tick. A rate that is not finite says nothing and changes nothing.
    pub fn update(&mut self, rate: f64) {
        if rate.is_finite() {
            self.acquired += SMOOTHING * (rate.max(0.0) - self.acquired);
            self.lost += SMOOTHING * ((-rate).max(0.0) - self.lost);
        }
    }

    /// Bits per tick gained.
    #[must_use]
    pub const fn acquired(&self) -> f64 {
        self.acquired
    }

    /// Bits per tick lost.
    #[must_use]
    pub const fn lost(&self) -> f64 {
        self.lost
    }

    /// Ticks until V(G) falls out of its band at this pace; `None` when it does not fall or no lower band exists. The
    /// bands are those of the phases (C-38).
    #[must_use]
    pub fn ticks_to_boundary(&self, bits: f64, ceiling_bits: f64) -> Option<u64> {
        let falling = self.lost - self.acquired;
        let phase = Phase::raw(Ppm::round(bits / ceiling_bits));
        if phase == Phase::Terminal || falling <= 0.0 {
            return None;
        }
        let left = (bits - phase.floor().as_f64() * ceiling_bits).max(0.0);
        // `as` saturates: a very slow fall is a very distant boundary.
        Some(libm::ceil(left / falling) as u64)
    }

    /// The tier worth paying for when `bits` of `ceiling_bits` are held: a small deficit needs none, a large one the
    /// large model. The ceiling of the phase still binds.
    #[must_use]
    pub fn tier(bits: f64, ceiling_bits: f64) -> Tier {
        let deficit = STABLE_SHARE.saturating_sub(Ppm::round(bits / ceiling_bits));
        TIER_FLOORS.iter().find(|(floor, _)| deficit >= *floor).map_or(Tier::T0, |(_, tier)| *tier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_273_gains_and_losses_are_kept_apart_in_bits_per_tick() {
        // M-273.
        let mut budget = InformationBudget::default();
        for _ in 0..2_000 {
            budget.update(0.02);
            budget.update(-0.04);
            budget.update(f64::NAN);
        }
        assert!((budget.acquired() - 0.01).abs() < 1e-3, "{budget:?}");
        assert!((budget.lost() - 0.02).abs() < 1e-3, "{budget:?}");
    }

    #[test]
    fn m_273_the_boundary_is_the_floor_of_the_seeds_bands() {
        // M-273, C-38: 1.1 of 2 bits is V 0.55, Stable, whose floor is 1.0 bit.
        let falling = InformationBudget { acquired: 0.01, lost: 0.02 };
        assert_eq!(falling.ticks_to_boundary(1.1, 2.0), Some(11), "0.1 bits at 0.01 a tick, rounded up from 10.0…9");
        assert_eq!(falling.ticks_to_boundary(1.0, 2.0), Some(0));
        assert_eq!(falling.ticks_to_boundary(0.1, 2.0), None, "below the last band");
        let rising = InformationBudget { acquired: 0.02, lost: 0.01 };
        assert_eq!(rising.ticks_to_boundary(1.1, 2.0), None);
        assert_eq!(InformationBudget::default().ticks_to_boundary(1.1, 2.0), None);
    }

    #[test]
    fn m_273_a_small_deficit_is_free_and_a_large_one_is_worth_a_large_model() {
        // M-273, C-38: the target is half the ceiling.
        for (bits, tier) in
            [(2.0, Tier::T0), (1.0, Tier::T0), (0.81, Tier::T0), (0.8, Tier::T1), (0.5, Tier::T2), (0.0, Tier::T2)]
        {
            assert_eq!(InformationBudget::tier(bits, 2.0), tier, "{bits}");
        }
    }
}
