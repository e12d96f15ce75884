//! Moving credits before a partition runs dry.

use golem_primitives::{Tick, Usdc};

use super::partitions::Partition;
use super::purse::Purse;
use crate::ring::Ring;

/// M-034. Ticks of the trailing mean.
const TRAILING_TICKS: usize = 50;
/// M-034. Ticks looked ahead.
const HORIZON_TICKS: u64 = 10;
/// M-034. Ticks a partition waits after it was helped.
const COOLDOWN_TICKS: u64 = 30;

/// M-034. What moved and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Rebalance {
    pub source: Partition,
    pub destination: Partition,
    pub amount: Usdc,
    pub projected_deficit: Usdc,
    pub tick: Tick,
}

/// A partition's spending over the last ticks.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
struct Spending {
    ticks: Ring<Usdc, TRAILING_TICKS>,
    sum: Usdc,
    helped_at: Option<Tick>,
}

impl Spending {
    fn note(&mut self, cost: Usdc) {
        let gone = self.ticks.push(cost).unwrap_or(Usdc::ZERO);
        // Integers: what was added is subtracted exactly. Sums of 50 sane costs stay far below the type's end.
        self.sum = self.sum.saturating_add(cost).saturating_sub(gone);
    }

    /// What would be missing after the horizon, rounded up; zero when `balance` suffices, or when the trailing mean
    /// does not exist yet: one dear tick at birth is no trend.
    fn deficit(&self, balance: Usdc) -> Usdc {
        if !self.ticks.is_full() {
            return Usdc::ZERO;
        }
        let ticks = self.ticks.len() as u128;
        let need = u128::from(self.sum.micros()) * u128::from(HORIZON_TICKS);
        let have = u128::from(balance.micros()) * ticks;
        if need <= have {
            return Usdc::ZERO;
        }
        Usdc::from_micros(u64::try_from((need - have).div_ceil(ticks)).unwrap_or(u64::MAX))
    }

    fn is_cooling(&self, now: Tick) -> bool {
        self.helped_at.is_some_and(|at| now.since(at) < COOLDOWN_TICKS)
    }
}

/// The predictive rebalancer of llm, gas and data.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Rebalancer {
    spending: [Spending; 3],
}

impl Rebalancer {
    /// Notes what each working partition paid in a tick, in the order llm, gas, data.
    pub fn note(&mut self, paid: [Usdc; 3]) {
        for (spending, cost) in self.spending.iter_mut().zip(paid) {
            spending.note(cost);
        }
    }

    /// M-034. Helps the first partition that would run dry within ten ticks, from the largest other one; legacy never
    /// gives (M-032).
    pub fn rebalance(&mut self, purse: &mut Purse, now: Tick) -> Option<Rebalance> {
        for destination in Partition::WORKING {
            let spending = &self.spending[destination.index()];
            let projected_deficit = spending.deficit(purse.partitions().get(destination));
            if projected_deficit.is_zero() || spending.is_cooling(now) {
                continue;
            }
            let source = donor(purse, destination);
            let half = Usdc::from_micros(purse.partitions().get(source).micros() / 2);
            let wanted = u128::from(projected_deficit.micros()) * 12 / 10;
            let amount = half.min(Usdc::from_micros(u64::try_from(wanted).unwrap_or(u64::MAX)));
            if amount.is_zero() {
                continue;
            }
            let amount = purse.transfer(source, destination, amount);
            self.spending[destination.index()].helped_at = Some(now);
            return Some(Rebalance { source, destination, amount, projected_deficit, tick: now });
        }
        None
    }
}

/// The largest other working partition; of equals the first.
fn donor(purse: &Purse, destination: Partition) -> Partition {
    let others = Partition::WORKING.into_iter().filter(|partition| *partition != destination);
    others
        .reduce(|best, next| if purse.partitions().get(next) > purse.partitions().get(best) { next } else { best })
        .expect("two others")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::economic::partitions::{Partitions, Shares};
    use crate::economic::purse::DailyCaps;

    fn usdc(text: &str) -> Usdc {
        text.parse().expect("a test's amount")
    }

    fn purse(parts: [&str; 4]) -> Purse {
        let mut purse = Purse::new(Usdc::ZERO, Shares::NORMAL, DailyCaps::DEFAULT);
        purse.observe(Partitions::observed(parts.map(usdc)));
        purse
    }

    /// M-034: W-88.
    #[test]
    fn m_034_rebalance_meets_w_88() {
        let mut purse = purse(["18", "0.05", "3", "100"]);
        let mut rebalancer = Rebalancer::default();
        for _ in 0..60 {
            rebalancer.note([Usdc::ZERO, usdc("0.01"), Usdc::ZERO]);
        }
        let moved = rebalancer.rebalance(&mut purse, Tick::new(60)).expect("gas runs dry");
        assert_eq!(
            moved,
            Rebalance {
                source: Partition::Llm,
                destination: Partition::Gas,
                amount: usdc("0.06"),
                projected_deficit: usdc("0.05"),
                tick: Tick::new(60)
            },
            "W-88"
        );
        assert_eq!(purse.partitions().get(Partition::Gas), usdc("0.11"));
        // M-034: thirty ticks of rest for the one helped.
        purse.observe(Partitions::observed(["18", "0.05", "3", "100"].map(usdc)));
        assert_eq!(rebalancer.rebalance(&mut purse, Tick::new(89)), None);
        assert!(rebalancer.rebalance(&mut purse, Tick::new(90)).is_some());
    }

    /// M-034, M-032: at most half of the donor, at most one a tick, never from legacy.
    #[test]
    fn m_034_the_donor_keeps_half_and_legacy_gives_nothing() {
        let mut purse = purse(["0", "0", "0.10", "100"]);
        let mut rebalancer = Rebalancer::default();
        for tick in 1..=50 {
            assert_eq!(rebalancer.rebalance(&mut purse, Tick::new(tick)), None, "no trailing mean yet");
            rebalancer.note(["1", "1", "0"].map(usdc));
        }
        let moved = rebalancer.rebalance(&mut purse, Tick::new(51)).expect("llm is dry");
        assert_eq!((moved.source, moved.destination, moved.amount), (Partition::Data, Partition::Llm, usdc("0.05")));
        let moved = rebalancer.rebalance(&mut purse, Tick::new(52)).expect("then gas");
        assert_eq!(moved.destination, Partition::Gas, "one event a tick, in the order llm, gas, data");
        assert_eq!(purse.partitions().get(Partition::Legacy), usdc("100"));
    }

    proptest! {
        /// M-034: rebalancing conserves.
        #[test]
        fn m_034_rebalance_conserves(parts in prop::array::uniform4(0u64..1 << 50), paid in prop::collection::vec(prop::array::uniform3(0u64..1 << 50), 1..80)) {
            let mut purse = Purse::new(Usdc::ZERO, Shares::NORMAL, DailyCaps::DEFAULT);
            purse.observe(Partitions::observed(parts.map(Usdc::from_micros)));
            let mut rebalancer = Rebalancer::default();
            for (tick, paid) in (1..).zip(paid) {
                rebalancer.note(paid.map(Usdc::from_micros));
                rebalancer.rebalance(&mut purse, Tick::new(tick));
                prop_assert_eq!(purse.total().micros(), parts.iter().sum::<u64>());
                prop_assert_eq!(purse.partitions().get(Partition::Legacy).micros(), parts[3]);
            }
        }
    }
}
