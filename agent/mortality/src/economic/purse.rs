//! Spending under caps: the circuit breakers of the partitions.

use golem_primitives::{Ppm, Usdc, UtcTime};

use super::partitions::{Partition, Partitions, Shares};

/// What a spend is for; the Legacy partition asks (M-032).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    Operation,
    /// M-131. A death snapshot.
    DeathSnapshot,
    Reflection,
    LegacyUpload,
}

/// M-027, V-006. How much of a partition may go in one UTC day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DailyCaps {
    /// Share of llm, gas and data at the day's start.
    pub shares: [Ppm; 3],
    /// Below this a partition may go whole (V-006), else a small one could never pay for anything.
    pub floor: Usdc,
}

impl DailyCaps {
    /// 20%, 30%, 25%, and half a USDC.
    pub const DEFAULT: Self =
        Self { shares: [Ppm::of(200_000), Ppm::of(300_000), Ppm::of(250_000)], floor: Usdc::from_micros(500_000) };

    /// The cap of a partition that held `at_start` when the day began; legacy has none.
    #[must_use]
    pub fn cap(&self, partition: Partition, at_start: Usdc) -> Usdc {
        match partition {
            Partition::Legacy => Usdc::MAX,
            Partition::Llm | Partition::Gas | Partition::Data => {
                at_start.share_down(self.shares[partition.index()]).max(at_start.min(self.floor))
            }
        }
    }
}

/// Why a partition does not pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpendError {
    /// M-028. The day's cap would be passed; the breaker holds until the next UTC day.
    #[error("{partition:?} would have spent {after} today, more than {cap}")]
    DailyCap { partition: Partition, after: Usdc, cap: Usdc },
    #[error("{partition:?} holds {held}, less than {amount}")]
    Insufficient { partition: Partition, held: Usdc, amount: Usdc },
    /// M-032. Legacy pays for no operation.
    #[error("the legacy pays for snapshots, the reflection and the upload only")]
    LegacyProtected,
}

/// The partitions with the day's books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Purse {
    partitions: Partitions,
    caps: DailyCaps,
    day: u64,
    at_start: Partitions,
    spent: [Usdc; 4],
}

impl Purse {
    /// A purse of `working` capital split by `shares`.
    #[must_use]
    pub fn new(working: Usdc, shares: Shares, caps: DailyCaps) -> Self {
        let partitions = Partitions::split(working, shares);
        Self { partitions, caps, day: 0, at_start: partitions, spent: [Usdc::ZERO; 4] }
    }

    /// What each partition holds.
    #[must_use]
    pub const fn partitions(&self) -> &Partitions {
        &self.partitions
    }

    /// What all hold.
    #[must_use]
    pub fn total(&self) -> Usdc {
        self.partitions.total()
    }

    /// What a partition may still spend today.
    #[must_use]
    pub fn allowance(&self, partition: Partition) -> Usdc {
        let cap = self.caps.cap(partition, self.at_start.get(partition));
        cap.saturating_sub(self.spent[partition.index()]).min(self.partitions.get(partition))
    }

    /// What was spent today over all partitions.
    #[must_use]
    pub fn spent_today(&self) -> Usdc {
        self.spent.into_iter().sum()
    }

    /// Opens the books of a new UTC day. A clock that runs backwards opens none: yesterday's cap is not spent twice.
    pub fn turn_day(&mut self, now: UtcTime) {
        if now.day() > self.day {
            self.day = now.day();
            self.at_start = self.partitions;
            self.spent = [Usdc::ZERO; 4];
        }
    }

    /// M-028, M-032. Whether a partition would pay `amount` for `purpose` now.
    ///
    /// # Errors
    /// [`SpendError`] with the value and the bound.
    pub fn may_spend(&self, partition: Partition, purpose: Purpose, amount: Usdc) -> Result<(), SpendError> {
        if partition == Partition::Legacy && purpose == Purpose::Operation {
            return Err(SpendError::LegacyProtected);
        }
        let held = self.partitions.get(partition);
        if amount > held {
            return Err(SpendError::Insufficient { partition, held, amount });
        }
        let cap = self.caps.cap(partition, self.at_start.get(partition));
        let after = self.spent[partition.index()].saturating_add(amount);
        if after > cap {
            return Err(SpendError::DailyCap { partition, after, cap });
        }
        Ok(())
    }

    /// Pays `amount` from a partition.
    ///
    /// # Errors
    /// As [`Purse::may_spend`]; nothing is taken then.
    pub fn spend(&mut self, partition: Partition, purpose: Purpose, amount: Usdc) -> Result<(), SpendError> {
        self.may_spend(partition, purpose, amount)?;
        self.charge(partition, amount);
        Ok(())
    }

    /// Books a cost that has already been incurred, as far as its own partition can pay; returns what it could not.
    pub fn charge(&mut self, partition: Partition, amount: Usdc) -> Usdc {
        let unpaid = self.partitions.take(partition, amount);
        let spent = &mut self.spent[partition.index()];
        *spent = spent.saturating_add(amount.saturating_sub(unpaid));
        unpaid
    }

    /// MG-11. Books upkeep on all; it counts against no cap, being no choice. Returns what nobody could pay.
    pub fn charge_upkeep(&mut self, amount: Usdc) -> Usdc {
        self.partitions.take_pro_rata(amount)
    }

    /// M-047. A top-up, split as life is now.
    pub fn deposit(&mut self, amount: Usdc, shares: Shares) {
        self.partitions = self.partitions.deposit(amount, shares);
    }

    /// M-030, M-031. Splits what is there anew.
    pub fn resplit(&mut self, shares: Shares) {
        self.partitions = Partitions::split(self.total(), shares);
    }

    /// Replaces belief by what the chain says.
    pub fn observe(&mut self, partitions: Partitions) {
        self.partitions = partitions;
    }

    pub(crate) fn transfer(&mut self, from: Partition, to: Partition, amount: Usdc) -> Usdc {
        self.partitions.transfer(from, to, amount)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usdc(text: &str) -> Usdc {
        text.parse().expect("a test's amount")
    }

    fn day(number: u64) -> UtcTime {
        UtcTime::from_seconds(number * UtcTime::DAY_SECONDS)
    }

    fn purse() -> Purse {
        let mut purse = Purse::new(usdc("100"), Shares::NORMAL, DailyCaps::DEFAULT);
        purse.turn_day(day(20_000));
        purse
    }

    /// M-027: a fifth, three tenths and a quarter of what the day began with; V-006: at least half a USDC.
    #[test]
    fn m_027_daily_caps_are_shares_of_the_day_s_start() {
        let purse = purse();
        assert_eq!(purse.allowance(Partition::Llm), usdc("12"));
        assert_eq!(purse.allowance(Partition::Gas), usdc("7.5"));
        assert_eq!(purse.allowance(Partition::Data), usdc("3.75"));
        let caps = DailyCaps::DEFAULT;
        assert_eq!(caps.cap(Partition::Llm, usdc("1")), usdc("0.5"));
        assert_eq!(caps.cap(Partition::Llm, usdc("0.3")), usdc("0.3"));
        assert_eq!(DailyCaps { floor: Usdc::ZERO, ..caps }.cap(Partition::Llm, usdc("1")), usdc("0.2"));
    }

    /// M-028: the breaker names value and bound, holds all day, opens with the next, and leaves the others alone.
    #[test]
    fn m_028_a_breaker_holds_until_the_next_utc_day() {
        let mut purse = purse();
        purse.spend(Partition::Llm, Purpose::Operation, usdc("12")).expect("within the cap");
        let refused = purse.spend(Partition::Llm, Purpose::Operation, usdc("0.01")).expect_err("over the cap");
        assert_eq!(refused, SpendError::DailyCap { partition: Partition::Llm, after: usdc("12.01"), cap: usdc("12") });
        purse.spend(Partition::Gas, Purpose::Operation, usdc("1")).expect("another partition");
        purse.turn_day(day(19_999));
        assert!(purse.may_spend(Partition::Llm, Purpose::Operation, usdc("0.01")).is_err(), "a clock ran backwards");
        purse.turn_day(day(20_001));
        assert_eq!(purse.allowance(Partition::Llm), usdc("9.6"), "a fifth of the 48 left");
        assert_eq!(purse.spent_today(), Usdc::ZERO);
    }

    /// M-032: legacy pays for what is left behind and nothing else.
    #[test]
    fn m_032_legacy_is_protected() {
        let mut purse = purse();
        purse.resplit(Shares::DECLINING);
        let refused = purse.spend(Partition::Legacy, Purpose::Operation, usdc("0.01"));
        assert_eq!(refused, Err(SpendError::LegacyProtected));
        for purpose in [Purpose::DeathSnapshot, Purpose::Reflection, Purpose::LegacyUpload] {
            purse.spend(Partition::Legacy, purpose, usdc("1")).expect("what legacy is for");
        }
        let all = purse.partitions().get(Partition::Legacy);
        assert_eq!(all, usdc("47"));
        assert!(matches!(
            purse.spend(Partition::Legacy, Purpose::Reflection, usdc("48")),
            Err(SpendError::Insufficient { .. })
        ));
    }

    proptest! {
        /// M-027, M-028: whatever is asked, a day never spends more than its cap and money is conserved.
        #[test]
        fn m_028_no_sequence_passes_the_cap(spends in prop::collection::vec((0usize..3, 0u64..20_000_000), 0..60)) {
            let mut purse = purse();
            let caps = Partition::WORKING.map(|partition| purse.allowance(partition));
            let mut paid = [0u64; 3];
            for (at, micros) in spends {
                if purse.spend(Partition::WORKING[at], Purpose::Operation, Usdc::from_micros(micros)).is_ok() {
                    paid[at] += micros;
                }
            }
            for at in 0..3 {
                prop_assert!(paid[at] <= caps[at].micros());
            }
            prop_assert_eq!(purse.total().micros() + paid.iter().sum::<u64>(), 100_000_000);
        }
    }
}
