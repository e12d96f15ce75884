//! The apoptotic reserve: what a Golem keeps to be able to die.

use golem_primitives::{Ppm, Usdc};

/// Numbers of the reserve (M-037).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ReserveLaw {
    /// The least it can be.
    pub floor: Usdc,
    /// Its share of the initial credits.
    pub proportional: Ppm,
    /// Settling one open position, and once more for the sweep.
    pub settlement_per_position: Usdc,
    pub review: Usdc,
    pub legacy: Usdc,
}

/// Who keeps the funds, which decides what a death must pay for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Custody {
    /// A vault: settle, sweep, reflect.
    Vault,
    /// M-042. Delegated funds are not swept: settlement gas only.
    Delegation,
    /// M-041. Self-hosted without a vault, or development: none by default.
    None,
}

impl ReserveLaw {
    /// Floor 0.30, 2%, 0.02 a position, 0.15 for the review, 0.05 for the legacy.
    pub const DEFAULT: Self = Self {
        floor: Usdc::from_micros(300_000),
        proportional: Ppm::of(20_000),
        settlement_per_position: Usdc::from_micros(20_000),
        review: Usdc::from_micros(150_000),
        legacy: Usdc::from_micros(50_000),
    };

    /// What settling `positions` costs.
    #[must_use]
    pub const fn settlement(&self, positions: u32) -> Usdc {
        let per_position = self.settlement_per_position.micros();
        Usdc::from_micros(per_position.saturating_mul(positions as u64 + 1))
    }

    /// M-037, M-041, M-042. The reserve of a Golem born with `initial` credits and `positions` open.
    #[must_use]
    pub fn required(&self, custody: Custody, initial: Usdc, positions: u32) -> Usdc {
        let settlement = self.settlement(positions);
        match custody {
            Custody::None => Usdc::ZERO,
            Custody::Delegation => settlement,
            Custody::Vault => {
                let base = self.floor.max(initial.share_down(self.proportional));
                base.max(settlement.saturating_add(self.review).saturating_add(self.legacy))
            }
        }
    }
}

/// M-038. Ticks between two looks at the reserve.
pub const RECALCULATION_TICKS: u64 = 500;

/// M-039. What a death could spend at survival pressure `pressure`: the harder the times, the more of `remaining` is
/// kept for it. It advises; the check of economic death uses `locked` alone.
#[must_use]
pub fn death_budget(locked: Usdc, remaining: Usdc, pressure: Ppm) -> Usdc {
    const LOW: u32 = 100_000;
    const HIGH: u32 = 300_000;
    let dynamic = match pressure.get() {
        p if p < LOW => remaining,
        // 0.5 (1 - (p - 0.1) / 0.2), exact in parts per million.
        p if p < HIGH => locked.saturating_add(remaining.share_down(Ppm::of((HIGH - p) * 5 / 2))),
        _ => locked,
    };
    dynamic.max(locked)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usdc(text: &str) -> Usdc {
        text.parse().expect("a test's amount")
    }

    /// M-037: W-85.
    #[test]
    fn m_037_reserves_meet_w_85() {
        for (initial, positions, reserve) in
            [("10", 0, "0.30"), ("10", 10, "0.42"), ("50", 2, "1.00"), ("100", 3, "2.00"), ("500", 5, "10.00")]
        {
            let required = ReserveLaw::DEFAULT.required(Custody::Vault, usdc(initial), positions);
            assert_eq!(required, usdc(reserve), "W-85 ({initial}, {positions})");
        }
    }

    /// M-041, M-042: who keeps the funds decides what dying costs.
    #[test]
    fn m_041_m_042_custody_sets_the_reserve() {
        let law = ReserveLaw::DEFAULT;
        assert_eq!(law.required(Custody::None, usdc("50"), 2), Usdc::ZERO, "M-041");
        assert_eq!(law.required(Custody::Delegation, usdc("50"), 2), usdc("0.06"), "M-042");
    }

    /// M-038: how often it is looked at again.
    #[test]
    fn m_038_the_reserve_is_looked_at_every_500_ticks() {
        assert_eq!(RECALCULATION_TICKS, 500, "M-038");
    }

    /// M-039: W-86.
    #[test]
    fn m_039_the_death_budget_meets_w_86() {
        for (pressure, expected) in
            [(50_000, "20"), (100_000, "11"), (200_000, "6"), (290_000, "1.5"), (300_000, "1"), (1_000_000, "1")]
        {
            assert_eq!(death_budget(usdc("1"), usdc("20"), Ppm::of(pressure)), usdc(expected), "W-86 {pressure}");
        }
    }

    proptest! {
        /// M-037: more positions never need less.
        #[test]
        fn m_037_more_positions_never_need_less(initial in 0u64..1 << 50, a: u16, b: u16) {
            let law = ReserveLaw::DEFAULT;
            let reserve = |n: u16| law.required(Custody::Vault, Usdc::from_micros(initial), u32::from(n));
            prop_assert!(reserve(a.min(b)) <= reserve(a.max(b)));
            prop_assert!(reserve(a) >= law.floor);
        }

        /// M-039: never below what is locked.
        #[test]
        fn m_039_the_budget_covers_the_lock(locked in 0u64..1 << 50, remaining in 0u64..1 << 50, p in 0u32..=1_000_000) {
            let (locked, remaining) = (Usdc::from_micros(locked), Usdc::from_micros(remaining));
            prop_assert!(death_budget(locked, remaining, Ppm::of(p)) >= locked);
        }
    }
}
