//! The state of the economic clock.

use golem_primitives::{Tick, Usdc};

use super::burn::{BurnMeter, BurnRate, TickCosts};
use super::partitions::{Partition, Partitions, Shares};
use super::purse::{DailyCaps, Purse};
use super::rebalance::{Rebalance, Rebalancer};
use crate::score::Score;

/// M-012. Credits of a life: the purse it lives from and the reserve it dies with.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EconomicClock {
    initial: Usdc,
    reserve: Usdc,
    purse: Purse,
    rebalancer: Rebalancer,
    lifetime_spent: Usdc,
    lifetime_funded: Usdc,
    meter: BurnMeter,
}

/// Why nobody can be born with these credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{initial} of credits leave nothing to live on beyond the reserve of {reserve}")]
pub struct FundingError {
    pub initial: Usdc,
    pub reserve: Usdc,
}

/// What charging a tick's costs brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charged {
    pub paid: Usdc,
    /// M-028. What partitions could not pay; it falls on no other.
    pub unpaid: Usdc,
    /// M-023. Whether a spike of the burn begins.
    pub is_spike: bool,
    /// M-034. What was moved.
    pub rebalance: Option<Rebalance>,
}

impl EconomicClock {
    /// M-026, M-037. Credits at birth, the reserve locked away and the rest split.
    ///
    /// # Errors
    /// [`FundingError`] when nothing would be left to live on, zero funding included.
    pub fn birth(initial: Usdc, reserve: Usdc, shares: Shares, caps: DailyCaps) -> Result<Self, FundingError> {
        if initial <= reserve {
            return Err(FundingError { initial, reserve });
        }
        Ok(Self::with(initial, reserve, shares, caps))
    }

    fn with(initial: Usdc, reserve: Usdc, shares: Shares, caps: DailyCaps) -> Self {
        Self {
            initial,
            reserve,
            purse: Purse::new(initial.saturating_sub(reserve), shares, caps),
            rebalancer: Rebalancer::default(),
            lifetime_spent: Usdc::ZERO,
            lifetime_funded: initial,
            meter: BurnMeter::default(),
        }
    }

    /// M-016, M-041. Credits that nobody counts: no reserve, and nothing to live on is no reason not to live.
    #[must_use]
    pub fn uncounted(initial: Usdc, shares: Shares, caps: DailyCaps) -> Self {
        Self::with(initial, Usdc::ZERO, shares, caps)
    }

    /// M-013. Charges a tick's costs to their partitions.
    pub fn charge(&mut self, costs: &TickCosts, tick: Tick) -> Charged {
        let before = *self.purse.partitions();
        let thinking = costs.inference.saturating_add(costs.dream);
        let unpaid = [
            self.purse.charge(Partition::Llm, thinking),
            self.purse.charge(Partition::Gas, costs.gas),
            self.purse.charge(Partition::Data, costs.data),
            self.purse.charge(Partition::Legacy, costs.legacy),
            self.purse.charge_upkeep(costs.upkeep()),
        ];
        let after = self.purse.partitions();
        let paid = before.total().saturating_sub(after.total());
        self.rebalancer.note(Partition::WORKING.map(|at| before.get(at).saturating_sub(after.get(at))));
        self.lifetime_spent = self.lifetime_spent.saturating_add(paid);
        let is_spike = self.meter.observe(costs);
        let rebalance = self.rebalancer.rebalance(&mut self.purse, tick);
        Charged { paid, unpaid: unpaid.into_iter().sum(), is_spike, rebalance }
    }

    /// M-047. A top-up from anyone, split by `shares`. It extends life but raises neither the reserve nor what counts
    /// as whole.
    pub fn fund(&mut self, amount: Usdc, shares: Shares) {
        self.purse.deposit(amount, shares);
        self.lifetime_funded = self.lifetime_funded.saturating_add(amount);
    }

    /// Replaces belief by what the chain says of the partitions.
    pub fn observe(&mut self, partitions: Partitions) {
        self.purse.observe(partitions);
    }

    /// M-038. Raises the reserve to `required`, as far as the purse allows; it never falls. Returns what was locked.
    pub fn raise_reserve(&mut self, required: Usdc) -> Usdc {
        let wanted = required.saturating_sub(self.reserve);
        let missing = self.purse.charge_upkeep(wanted);
        let locked = wanted.saturating_sub(missing);
        self.reserve = self.reserve.saturating_add(locked);
        locked
    }

    /// M-015. 0 when nothing is left beyond the reserve, 1 at the initial funding, linear between.
    #[must_use]
    pub fn score(&self) -> Score {
        Score::ratio(self.spendable(), self.initial.saturating_sub(self.reserve))
    }

    /// M-017. Whether what can be spent is at or below `floor` (0 in the vectors, 0.10 on chain by T-002).
    #[must_use]
    pub fn is_starved(&self, floor: Usdc) -> bool {
        self.spendable() <= floor
    }

    /// M-033. What can be spent: the balance without the reserve.
    #[must_use]
    pub fn spendable(&self) -> Usdc {
        self.purse.total()
    }

    /// M-017. All credits, the reserve included.
    #[must_use]
    pub fn balance(&self) -> Usdc {
        self.spendable().saturating_add(self.reserve)
    }

    /// M-014. Ticks the spendable credits last.
    #[must_use]
    pub fn ttl_ticks(&self) -> u64 {
        self.meter.rate().ttl_ticks(self.spendable())
    }

    /// The burn rate.
    #[must_use]
    pub const fn burn(&self) -> BurnRate {
        self.meter.rate()
    }

    /// The averages behind it.
    #[must_use]
    pub const fn meter(&self) -> &BurnMeter {
        &self.meter
    }

    /// What was spent in all.
    #[must_use]
    pub const fn lifetime_spent(&self) -> Usdc {
        self.lifetime_spent
    }

    /// What was given in all, the initial funding included.
    #[must_use]
    pub const fn lifetime_funded(&self) -> Usdc {
        self.lifetime_funded
    }

    /// What life began with.
    #[must_use]
    pub const fn initial(&self) -> Usdc {
        self.initial
    }

    /// The locked reserve.
    #[must_use]
    pub const fn reserve(&self) -> Usdc {
        self.reserve
    }

    /// The purse.
    #[must_use]
    pub const fn purse(&self) -> &Purse {
        &self.purse
    }

    /// The purse, to spend from and to open a day in.
    pub const fn purse_mut(&mut self) -> &mut Purse {
        &mut self.purse
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::Ppm;
    use proptest::prelude::*;

    use super::*;

    fn usdc(text: &str) -> Usdc {
        text.parse().expect("a test's amount")
    }

    fn clock(initial: &str, reserve: &str) -> EconomicClock {
        EconomicClock::birth(usdc(initial), usdc(reserve), Shares::NORMAL, DailyCaps::DEFAULT).expect("enough")
    }

    /// M-015, M-017: W-82. Below the reserve means nothing spendable, so 0.9 is the same as 1.
    #[test]
    fn m_015_scores_meet_w_82() {
        for (balance, expected) in
            [("50", 1.0), ("25.5", 0.5), ("15.7", 0.3), ("10.8", 0.2), ("1", 0.0), ("0.9", 0.0), ("60", 1.0)]
        {
            let mut clock = clock("50", "1");
            clock.observe(Partitions::split(usdc(balance).saturating_sub(usdc("1")), Shares::NORMAL));
            assert_eq!(clock.score().ppm(), Ppm::round(expected), "W-82 {balance}");
            assert_eq!(clock.is_starved(Usdc::ZERO), expected == 0.0, "M-017 {balance}");
        }
    }

    /// M-017 with the floor of the chain: the edge dies.
    #[test]
    fn m_017_economic_death_is_at_the_floor() {
        for (spendable, floor, dead) in
            [("0.10", "0.10", true), ("0.100001", "0.10", false), ("0", "0", true), ("0.000001", "0", false)]
        {
            let mut clock = clock("50", "1");
            clock.observe(Partitions::split(usdc(spendable), Shares::NORMAL));
            assert_eq!(clock.is_starved(usdc(floor)), dead, "{spendable} at floor {floor}");
        }
    }

    /// M-012, M-013: what a tick does to the four numbers of the clock.
    #[test]
    fn m_013_a_tick_moves_credit_spent_and_burn() {
        let mut clock = clock("50", "1");
        let charged = clock.charge(&TickCosts::compute(usdc("0.01")), Tick::new(1));
        assert_eq!((charged.paid, charged.unpaid), (usdc("0.01"), Usdc::ZERO));
        assert_eq!(
            (clock.balance(), clock.spendable(), clock.lifetime_spent()),
            (usdc("49.99"), usdc("48.99"), usdc("0.01"))
        );
        assert_eq!((clock.burn(), clock.ttl_ticks()), (BurnRate::per_tick(usdc("0.01")), 4_899));
        clock.charge(&TickCosts::compute(usdc("0.03")), Tick::new(2));
        assert_eq!(clock.burn(), BurnRate::per_tick(usdc("0.011")));
        assert_eq!(clock.initial(), usdc("50"));
    }

    /// M-028: a blow-out of one partition is paid by no other.
    #[test]
    fn m_028_costs_beyond_a_partition_stay_unpaid() {
        let mut clock = clock("11", "1");
        let charged = clock.charge(&TickCosts { data: usdc("2"), ..TickCosts::default() }, Tick::new(1));
        assert_eq!((charged.paid, charged.unpaid), (usdc("1.5"), usdc("0.5")));
        assert_eq!(clock.purse().partitions().get(Partition::Llm), usdc("6"));
    }

    /// M-047: a top-up extends life and fills the score at most to one.
    #[test]
    fn m_047_a_top_up_extends_life() {
        let mut clock = clock("50", "1");
        clock.charge(&TickCosts::compute(usdc("0.01")), Tick::new(1));
        let before = clock.ttl_ticks();
        clock.fund(usdc("10"), Shares::NORMAL);
        assert_eq!(clock.ttl_ticks(), before + 1_000);
        assert_eq!((clock.score(), clock.lifetime_funded()), (Score::ONE, usdc("60")));
        assert_eq!(clock.reserve(), usdc("1"));
    }

    /// M-033, M-038, M-301: the reserve rises, never falls, and is never more than there is.
    #[test]
    fn m_038_the_reserve_only_rises() {
        let mut clock = clock("10", "0.30");
        assert_eq!(clock.raise_reserve(usdc("0.42")), usdc("0.12"));
        assert_eq!(clock.raise_reserve(usdc("0.30")), Usdc::ZERO);
        assert_eq!((clock.reserve(), clock.balance()), (usdc("0.42"), usdc("10")));
        assert_eq!(clock.raise_reserve(usdc("99")), usdc("9.58"));
        assert_eq!((clock.reserve(), clock.spendable(), clock.score()), (usdc("10"), Usdc::ZERO, Score::ZERO));
    }

    /// MG-09, M-300: zero funding, or funding that the reserve eats, is a typed refusal.
    #[test]
    fn mg_09_nobody_is_born_with_nothing_to_live_on() {
        for (initial, reserve) in [("0", "0"), ("0.30", "0.30"), ("0.2", "0.3")] {
            let (initial, reserve) = (usdc(initial), usdc(reserve));
            let refused = EconomicClock::birth(initial, reserve, Shares::NORMAL, DailyCaps::DEFAULT);
            assert_eq!(refused, Err(FundingError { initial, reserve }));
        }
    }

    fn any_costs() -> impl Strategy<Value = TickCosts> {
        prop::array::uniform8(0u64..3_000_000).prop_map(|c| {
            let [compute, inference, gas, data, insurance, styx, dream, legacy] = c.map(Usdc::from_micros);
            TickCosts { compute, inference, gas, data, insurance, styx, dream, legacy }
        })
    }

    proptest! {
        /// M-012, M-033: funded = balance + spent, and the reserve is never touched.
        #[test]
        fn m_033_credits_are_conserved_and_the_reserve_is_never_eaten(ticks in prop::collection::vec((any_costs(), 0u64..2_000_000), 0..100)) {
            let mut clock = clock("50", "1");
            for (tick, (costs, top_up)) in (1..).zip(ticks) {
                let score = clock.score();
                clock.charge(&costs, Tick::new(tick));
                prop_assert!(clock.score() <= score, "M-015: a cost never raises the score");
                clock.fund(Usdc::from_micros(top_up), Shares::DECLINING);
                prop_assert_eq!(clock.lifetime_funded().micros(), clock.balance().micros() + clock.lifetime_spent().micros());
                prop_assert_eq!(clock.reserve(), Usdc::whole(1));
                prop_assert!((0.0..=1.0).contains(&clock.score().get()));
            }
        }
    }
}
