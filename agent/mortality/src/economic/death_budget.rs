//! What a death has to spend, on what, and how good a look back that buys.

use std::time::Duration;

use golem_primitives::{Ppm, Usdc, words};

use super::partitions::Partition;
use super::tier::Tier;
use crate::vitals::Vitals;

words! {
    /// M-211, C-26. How good a death is, by what it has to spend.
    Quality {
        /// Below 1: the last snapshot, and the smallest model where there is anything for it.
        Necrotic = "necrotic",
        /// From 1: a small model, no large one.
        Standard = "standard",
        /// From 5: the largest model.
        Rich = "rich",
    }
}

impl Quality {
    /// M-211. What a death with so much to spend is.
    #[must_use]
    pub fn of(budget: Usdc) -> Self {
        match budget {
            budget if budget >= Usdc::whole(5) => Self::Rich,
            budget if budget >= Usdc::whole(1) => Self::Standard,
            _ => Self::Necrotic,
        }
    }

    /// M-211. The largest model that may tell the life.
    #[must_use]
    pub const fn ceiling(self) -> Tier {
        match self {
            Self::Rich => Tier::T3,
            Self::Standard | Self::Necrotic => Tier::T1,
        }
    }

    /// M-195. How long the look back is expected to take.
    const fn review_seconds(self) -> u64 {
        match self {
            Self::Rich => 300,
            Self::Standard | Self::Necrotic => 30,
        }
    }
}

/// M-192. How long closing positions usually takes.
const SETTLEMENT_SECONDS: u64 = 60;
/// M-203. How long leaving the legacy takes at most.
const LEGACY_SECONDS: u64 = 60;

/// M-212. What a death has to spend, and how it is divided. The parts are the whole to the last micro-USDC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DeathBudget {
    pub whole: Usdc,
    pub positions: u32,
    /// M-211. How good a death that buys.
    pub quality: Quality,
    pub settlement: Usdc,
    pub review: Usdc,
    pub legacy: Usdc,
}

impl DeathBudget {
    /// M-212. The division of `whole` with so many positions open. What settlement does not need is the review's (M-038).
    #[must_use]
    pub fn of(whole: Usdc, positions: u32) -> Self {
        let share = |ppm| whole.share_down(Ppm::of(ppm));
        // Each position, and once more for the sweep.
        let each = |micros: u64| Usdc::from_micros(micros.saturating_mul(u64::from(positions) + 1));
        let (settlement, legacy) = match whole {
            // Too little for any words: what is left of the half goes to the legacy.
            whole if whole < Usdc::from_micros(100_000) => {
                let settlement = share(500_000);
                (settlement, whole.saturating_sub(settlement))
            }
            whole if whole < Usdc::whole(1) => (each(20_000).min(share(200_000)), share(350_000)),
            _ => (each(50_000).min(share(150_000)), share(250_000)),
        };
        let review = whole.saturating_sub(settlement).saturating_sub(legacy);
        Self { whole, positions, quality: Quality::of(whole), settlement, review, legacy }
    }

    /// M-181. The budget of one that dies now: its locked reserve and its legacy partition, and nothing else. Nothing of
    /// it moves once death has begun, so it is the same in every phase of it.
    #[must_use]
    pub fn left_by(vitals: &Vitals) -> Self {
        let economic = vitals.economic();
        let legacy = economic.purse().partitions().get(Partition::Legacy);
        Self::of(economic.reserve().saturating_add(legacy), vitals.open_positions())
    }

    /// M-187. How long the death is expected to take; M-180 bounds how long it may.
    #[must_use]
    pub const fn estimated(&self) -> Duration {
        let settlement = if self.positions == 0 { 0 } else { SETTLEMENT_SECONDS };
        Duration::from_secs(settlement + self.quality.review_seconds() + LEGACY_SECONDS)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usdc(text: &str) -> Usdc {
        text.parse().expect("a test's amount")
    }

    /// M-211, C-26: the edges of the table, and what may be asked.
    #[test]
    fn m_211_the_budget_says_how_good_a_death_is() {
        for (budget, quality, ceiling) in [
            ("0", Quality::Necrotic, Tier::T1),
            ("0.999999", Quality::Necrotic, Tier::T1),
            ("1", Quality::Standard, Tier::T1),
            ("4.999999", Quality::Standard, Tier::T1),
            ("5", Quality::Rich, Tier::T3),
            ("18446744073709.551615", Quality::Rich, Tier::T3),
        ] {
            let found = DeathBudget::of(usdc(budget), 3).quality;
            assert_eq!((found, found.ceiling()), (quality, ceiling), "{budget}");
        }
    }

    /// M-212: the procedure at its edges.
    #[test]
    fn m_212_amounts_follow_the_budget_and_the_positions() {
        for (budget, positions, [settlement, review, legacy]) in [
            ("0", 7, ["0", "0", "0"]),
            ("0.000001", 0, ["0", "0", "0.000001"]),
            ("0.099999", 9, ["0.049999", "0", "0.05"]),
            ("0.1", 0, ["0.02", "0.045", "0.035"]),
            ("0.1", 9, ["0.02", "0.045", "0.035"]),
            ("0.3", 0, ["0.02", "0.175", "0.105"]),
            ("0.3", 1, ["0.04", "0.155", "0.105"]),
            ("0.3", 2, ["0.06", "0.135", "0.105"]),
            ("0.3", 3, ["0.06", "0.135", "0.105"]),
            ("0.999999", 0, ["0.02", "0.63", "0.349999"]),
            ("1", 0, ["0.05", "0.70", "0.25"]),
            ("1", 2, ["0.15", "0.60", "0.25"]),
            ("1", u32::MAX, ["0.15", "0.60", "0.25"]),
            ("10", 3, ["0.20", "7.30", "2.50"]),
        ] {
            let found = DeathBudget::of(usdc(budget), positions);
            let parts = [found.settlement, found.review, found.legacy];
            assert_eq!(parts, [settlement, review, legacy].map(usdc), "{budget} with {positions}");
        }
    }

    /// M-187, M-195: a rich death takes its time, and one with nothing to close is sooner over; M-180 is far off.
    #[test]
    fn m_187_how_long_a_death_will_take_is_estimated() {
        for (budget, positions, seconds) in [("0.3", 0, 90), ("1", 2, 150), ("5", 0, 360), ("5", 2, 420)] {
            assert_eq!(
                DeathBudget::of(usdc(budget), positions).estimated().as_secs(),
                seconds,
                "{budget}, {positions}"
            );
        }
    }

    proptest! {
        /// M-212, M-181: the parts are the whole and never more, whatever is open; settlement alone grows with positions,
        /// and what it does not need is the review's (M-038).
        #[test]
        fn m_212_the_parts_are_the_whole(micros: u64, few: u32, more: u32) {
            let (few, more) = (few.min(more), few.max(more));
            let of = |positions| DeathBudget::of(Usdc::from_micros(micros), positions);
            for found in [of(few), of(more)] {
                let parts = [found.settlement, found.review, found.legacy].map(|part| u128::from(part.micros()));
                prop_assert_eq!(parts.iter().sum::<u128>(), u128::from(micros));
            }
            prop_assert!(of(few).settlement <= of(more).settlement && of(few).review >= of(more).review);
            prop_assert_eq!(of(few).legacy, of(more).legacy);
        }

        /// M-211: more money is never a worse death.
        #[test]
        fn m_211_more_is_never_worse(a: u64, b: u64) {
            let of = |micros| Quality::of(Usdc::from_micros(micros));
            prop_assert!(of(a.min(b)) <= of(a.max(b)));
            prop_assert!(of(a.min(b)).ceiling() <= of(a.max(b)).ceiling());
        }
    }
}
