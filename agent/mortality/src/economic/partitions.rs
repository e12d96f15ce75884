//! Credits split by purpose.

use golem_primitives::{Ppm, Usdc};

use crate::phase::Phase;

/// What credits are set aside for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Partition {
    Llm,
    Gas,
    Data,
    /// What is left behind (M-032).
    Legacy,
}

impl Partition {
    /// Every partition.
    pub const ALL: [Self; 4] = [Self::Llm, Self::Gas, Self::Data, Self::Legacy];
    /// Those that pay for living.
    pub const WORKING: [Self; 3] = [Self::Llm, Self::Gas, Self::Data];

    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

/// Shares of the working capital. They sum to one (M-026, M-304), or they do not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "[Ppm; 4]", into = "[Ppm; 4]")]
pub struct Shares([Ppm; 4]);

/// Why numbers are no split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("shares of the partitions sum to {parts} parts per million, not to 1,000,000")]
pub struct SplitError {
    pub parts: u32,
}

impl Shares {
    /// M-026. In normal life.
    pub const NORMAL: Self = Self([Ppm::of(600_000), Ppm::of(250_000), Ppm::of(150_000), Ppm::ZERO]);
    /// M-030. From Declining on, when the Legacy partition opens.
    pub const DECLINING: Self = Self([Ppm::of(300_000), Ppm::of(150_000), Ppm::of(50_000), Ppm::of(500_000)]);
    /// M-031. In Terminal every remaining credit is legacy.
    pub const TERMINAL: Self = Self([Ppm::ZERO, Ppm::ZERO, Ppm::ZERO, Ppm::ONE]);

    /// Shares for llm, gas, data and legacy.
    ///
    /// # Errors
    /// [`SplitError`] when they do not sum to one.
    pub fn new(shares: [Ppm; 4]) -> Result<Self, SplitError> {
        let parts = shares.iter().map(|share| share.get()).sum();
        if parts == Ppm::ONE.get() { Ok(Self(shares)) } else { Err(SplitError { parts }) }
    }

    /// M-030, M-031. The split a phase asks for; `normal` is the owner's own for the upper three.
    #[must_use]
    pub const fn of_phase(phase: Phase, normal: Self) -> Self {
        match phase {
            Phase::Terminal => Self::TERMINAL,
            Phase::Declining => Self::DECLINING,
            Phase::Conservation | Phase::Stable | Phase::Thriving => normal,
        }
    }

    /// The share of a partition.
    #[must_use]
    pub const fn of(&self, partition: Partition) -> Ppm {
        self.0[partition.index()]
    }
}

impl TryFrom<[Ppm; 4]> for Shares {
    type Error = SplitError;

    fn try_from(shares: [Ppm; 4]) -> Result<Self, SplitError> {
        Self::new(shares)
    }
}

impl From<Shares> for [Ppm; 4] {
    fn from(shares: Shares) -> Self {
        shares.0
    }
}

/// What each partition holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Partitions([Usdc; 4]);

impl Partitions {
    /// M-026, V-004. Splits `amount`; rounding dust goes to the first partition with a share, so nothing is lost.
    #[must_use]
    pub fn split(amount: Usdc, shares: Shares) -> Self {
        let mut parts = shares.0.map(|share| amount.share_down(share));
        let dust = amount.saturating_sub(parts.into_iter().sum());
        let first = shares.0.iter().position(|share| *share > Ppm::ZERO).unwrap_or(0);
        parts[first] = parts[first].saturating_add(dust);
        Self(parts)
    }

    /// Partitions as read from the chain, in the order llm, gas, data, legacy.
    #[must_use]
    pub const fn observed(parts: [Usdc; 4]) -> Self {
        Self(parts)
    }

    /// What one holds.
    #[must_use]
    pub const fn get(&self, partition: Partition) -> Usdc {
        self.0[partition.index()]
    }

    /// What all hold.
    #[must_use]
    pub fn total(&self) -> Usdc {
        self.0.into_iter().sum()
    }

    /// Adds a top-up by `shares`.
    #[must_use]
    pub fn deposit(&self, amount: Usdc, shares: Shares) -> Self {
        let added = Self::split(amount, shares);
        Self(std::array::from_fn(|at| self.0[at].saturating_add(added.0[at])))
    }

    /// Takes up to `amount` out of one partition and returns what it could not pay (M-028: no other is touched).
    pub fn take(&mut self, partition: Partition, amount: Usdc) -> Usdc {
        let held = &mut self.0[partition.index()];
        let unpaid = amount.saturating_sub(*held);
        *held = held.saturating_sub(amount);
        unpaid
    }

    /// MG-11. Takes `amount` from llm, gas and data in proportion to what they hold; when they are empty, from legacy:
    /// the machine is paid for as long as the Golem breathes. Returns what nobody could pay.
    pub fn take_pro_rata(&mut self, amount: Usdc) -> Usdc {
        let working: Usdc = Partition::WORKING.into_iter().map(|partition| self.get(partition)).sum();
        if amount >= working {
            self.0[..3].fill(Usdc::ZERO);
            return self.take(Partition::Legacy, amount.saturating_sub(working));
        }
        let mut left = amount;
        for at in 0..3 {
            let part = portion(amount, self.0[at], working);
            self.0[at] = self.0[at].saturating_sub(part);
            left = left.saturating_sub(part);
        }
        // At most two micro-USDC of dust, from the first that holds them.
        for at in 0..3 {
            let part = left.min(self.0[at]);
            self.0[at] = self.0[at].saturating_sub(part);
            left = left.saturating_sub(part);
        }
        left
    }

    /// Moves up to `amount` from one to another and returns what moved.
    pub fn transfer(&mut self, from: Partition, to: Partition, amount: Usdc) -> Usdc {
        let moved = amount.min(self.get(from));
        self.0[from.index()] = self.get(from).saturating_sub(moved);
        self.0[to.index()] = self.get(to).saturating_add(moved);
        moved
    }
}

/// `amount * part / whole`, rounded down; `amount < whole` here, so the result fits.
fn portion(amount: Usdc, part: Usdc, whole: Usdc) -> Usdc {
    let (amount, part, whole) = (amount.micros(), part.micros(), whole.micros());
    // Purses of a real life multiply within 64 bits; the wide division is some twenty times slower.
    let portion = match amount.checked_mul(part) {
        Some(product) => product / whole,
        None => (u128::from(amount) * u128::from(part) / u128::from(whole)) as u64,
    };
    Usdc::from_micros(portion)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usdc(text: &str) -> Usdc {
        text.parse().expect("a test's amount")
    }

    /// M-026, M-030, M-031: W-87.
    #[test]
    fn m_026_splits_meet_w_87() {
        let normal = Partitions::split(usdc("49"), Shares::NORMAL);
        assert_eq!(normal, Partitions(["29.40", "12.25", "7.35", "0"].map(usdc)), "W-87");
        let declining = Partitions::split(usdc("2.10"), Shares::of_phase(Phase::Declining, Shares::NORMAL));
        assert_eq!(declining, Partitions(["0.63", "0.315", "0.105", "1.05"].map(usdc)), "W-87, M-030");
        let terminal = Partitions::split(usdc("2.10"), Shares::of_phase(Phase::Terminal, Shares::NORMAL));
        assert_eq!(terminal, Partitions(["0", "0", "0", "2.10"].map(usdc)), "M-031");
    }

    /// M-026, M-304: shares that do not sum to one are refused with their sum.
    #[test]
    fn m_304_shares_sum_to_one() {
        let almost = [600_000, 250_000, 149_999, 0].map(Ppm::of);
        assert_eq!(Shares::new(almost), Err(SplitError { parts: 999_999 }));
        assert!(Shares::new([Ppm::ONE; 4]).is_err());
        for shares in [Shares::NORMAL, Shares::DECLINING, Shares::TERMINAL] {
            assert_eq!(Shares::new(shares.into()), Ok(shares));
        }
    }

    /// M-028: a partition that cannot pay leaves the others alone.
    #[test]
    fn m_028_one_blow_out_never_touches_another() {
        let mut purse = Partitions::split(usdc("10"), Shares::NORMAL);
        assert_eq!(purse.take(Partition::Data, usdc("2")), usdc("0.5"));
        assert_eq!(purse, Partitions(["6", "2.5", "0", "0"].map(usdc)));
    }

    /// MG-11: upkeep falls on what is there, on legacy last.
    #[test]
    fn mg_11_upkeep_is_charged_pro_rata_and_on_legacy_last() {
        let mut purse = Partitions::split(usdc("10"), Shares::NORMAL);
        assert_eq!(purse.take_pro_rata(usdc("1")), Usdc::ZERO);
        assert_eq!(purse, Partitions(["5.4", "2.25", "1.35", "0"].map(usdc)));
        let mut dying = Partitions::split(usdc("2"), Shares::DECLINING);
        assert_eq!(dying.take_pro_rata(usdc("1.5")), Usdc::ZERO);
        assert_eq!(dying, Partitions(["0", "0", "0", "0.5"].map(usdc)));
        assert_eq!(dying.take_pro_rata(usdc("0.75")), usdc("0.25"), "nobody can pay");
        let millions = |held: [u64; 4]| Partitions(held.map(|one| Usdc::from_micros(one * 1_000_000_000_000)));
        let mut huge = millions([60, 25, 15, 1]);
        assert_eq!(huge.take_pro_rata(Usdc::from_micros(10_000_000_000_000)), Usdc::ZERO);
        assert_eq!(
            huge,
            Partitions([54_000_000, 22_500_000, 13_500_000, 1_000_000].map(Usdc::whole)),
            "no size is too large"
        );
    }

    fn any_shares() -> impl Strategy<Value = Shares> {
        (0u32..=1_000_000, 0u32..=1_000_000, 0u32..=1_000_000).prop_map(|(a, b, c)| {
            let mut cuts = [a, b, c];
            cuts.sort_unstable();
            let [a, b, c] = cuts;
            Shares::new([a, b - a, c - b, 1_000_000 - c].map(Ppm::of)).expect("cuts sum to one")
        })
    }

    proptest! {
        /// M-026, M-033: conservation. Nothing a partition does makes or loses a micro-USDC.
        #[test]
        fn m_026_partitions_conserve(
            amount in 0u64..u64::MAX / 8, shares in any_shares(), top_up in 0u64..u64::MAX / 8, cost: u64, from in 0usize..4, to in 0usize..4,
        ) {
            let micros = Usdc::from_micros;
            let mut purse = Partitions::split(micros(amount), shares);
            prop_assert_eq!(purse.total(), micros(amount));
            purse = purse.deposit(micros(top_up), shares);
            prop_assert_eq!(purse.total(), micros(amount + top_up));
            purse.transfer(Partition::ALL[from], Partition::ALL[to], micros(cost));
            prop_assert_eq!(purse.total(), micros(amount + top_up));
            let unpaid = purse.take_pro_rata(micros(cost));
            prop_assert_eq!(purse.total().micros() + (cost - unpaid.micros()), amount + top_up);
            let before = purse.total();
            let unpaid = purse.take(Partition::Gas, micros(cost));
            prop_assert_eq!(purse.total().micros() + (cost - unpaid.micros()), before.micros());
        }
    }
}
