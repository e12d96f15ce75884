//! How fast credits burn.

use golem_primitives::{Tick, Usdc};

/// A rate of spending in pico-USDC (1e-12 USDC) per tick: an integer fine enough that the average of W-83 is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct BurnRate(u64);

const PICOS_PER_MICRO: u64 = 1_000_000;

impl BurnRate {
    /// Nothing burns.
    pub const ZERO: Self = Self(0);

    /// A rate of `cost` per tick, held at about 18 million USDC.
    #[must_use]
    pub const fn per_tick(cost: Usdc) -> Self {
        Self(cost.micros().saturating_mul(PICOS_PER_MICRO))
    }

    /// M-013, M-019. One step of the average: 0.95 of the rate and 0.05 of the cost, rounded down.
    #[must_use]
    pub const fn absorb(self, cost: Usdc) -> Self {
        self.blend(cost, 19, 1)
    }

    /// One step of a trailing average over `ticks` (weight 2 / (ticks + 1)).
    #[must_use]
    pub const fn absorb_over(self, cost: Usdc, ticks: u32) -> Self {
        self.blend(cost, ticks.saturating_sub(1), 2)
    }

    const fn blend(self, cost: Usdc, keep: u32, take: u32) -> Self {
        let sample = Self::per_tick(cost).0;
        let (keep, take) = (keep as u64, take as u64);
        let whole = keep + take;
        // Rates of a real life fit 64 bits; the wide path is for numbers no one pays.
        if let (Some(kept), Some(taken)) = (self.0.checked_mul(keep), sample.checked_mul(take))
            && let Some(sum) = kept.checked_add(taken)
        {
            return Self(sum / whole);
        }
        let sum = self.0 as u128 * keep as u128 + sample as u128 * take as u128;
        Self((sum / whole as u128) as u64)
    }

    /// M-014. Ticks `credit` lasts at this rate; for ever when nothing burns.
    #[must_use]
    pub const fn ttl_ticks(self, credit: Usdc) -> u64 {
        if self.0 == 0 {
            return u64::MAX;
        }
        let ticks = credit.micros() as u128 * PICOS_PER_MICRO as u128 / self.0 as u128;
        if ticks > u64::MAX as u128 { u64::MAX } else { ticks as u64 }
    }

    /// What burns in an hour, rounded down to a micro-USDC.
    #[must_use]
    pub const fn per_hour(self) -> Usdc {
        Usdc::from_micros((self.0 as u128 * Tick::PER_HOUR as u128 / PICOS_PER_MICRO as u128) as u64)
    }

    /// What burns in a day, rounded down to a micro-USDC.
    #[must_use]
    pub const fn per_day(self) -> Usdc {
        Usdc::from_micros((self.0 as u128 * Tick::PER_DAY as u128 / PICOS_PER_MICRO as u128) as u64)
    }

    /// M-023. Whether this is more than twice `trailing`.
    #[must_use]
    pub const fn is_spike_over(self, trailing: Self) -> bool {
        self.0 > trailing.0.saturating_mul(2)
    }
}

golem_primitives::words! {
    /// What a tick's cost was for (M-019, M-024, M-025).
    CostSource {
        Compute = "compute",
        /// Model calls while awake.
        Inference = "inference",
        Gas = "gas",
        Data = "data",
        /// Insurance snapshots, amortised.
        Insurance = "insurance",
        /// M-025. Styx operations.
        Styx = "styx",
        /// M-024. Model calls while dreaming.
        Dream = "dream",
        /// M-032. Death snapshots, the reflection, the upload of the legacy.
        Legacy = "legacy",
    }
}

/// A tick's costs by source. A cost is never negative: money has no sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct TickCosts {
    pub compute: Usdc,
    pub inference: Usdc,
    pub gas: Usdc,
    pub data: Usdc,
    pub insurance: Usdc,
    pub styx: Usdc,
    pub dream: Usdc,
    pub legacy: Usdc,
}

impl TickCosts {
    /// A tick that cost this much to be alive and nothing else.
    #[must_use]
    pub fn compute(cost: Usdc) -> Self {
        Self { compute: cost, ..Self::default() }
    }

    /// The cost of one source.
    #[must_use]
    pub const fn of(&self, source: CostSource) -> Usdc {
        match source {
            CostSource::Compute => self.compute,
            CostSource::Inference => self.inference,
            CostSource::Gas => self.gas,
            CostSource::Data => self.data,
            CostSource::Insurance => self.insurance,
            CostSource::Styx => self.styx,
            CostSource::Dream => self.dream,
            CostSource::Legacy => self.legacy,
        }
    }

    /// Adds a cost.
    pub const fn add(&mut self, source: CostSource, cost: Usdc) {
        let field = match source {
            CostSource::Compute => &mut self.compute,
            CostSource::Inference => &mut self.inference,
            CostSource::Gas => &mut self.gas,
            CostSource::Data => &mut self.data,
            CostSource::Insurance => &mut self.insurance,
            CostSource::Styx => &mut self.styx,
            CostSource::Dream => &mut self.dream,
            CostSource::Legacy => &mut self.legacy,
        };
        *field = field.saturating_add(cost);
    }

    /// M-019. All of them.
    #[must_use]
    pub fn total(&self) -> Usdc {
        CostSource::ALL.iter().map(|source| self.of(*source)).sum()
    }

    /// What no partition pays for by name (MG-11): the machine, insurance and Styx.
    #[must_use]
    pub const fn upkeep(&self) -> Usdc {
        self.compute.saturating_add(self.insurance).saturating_add(self.styx)
    }
}

/// The averages of spending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct BurnMeter {
    is_started: bool,
    is_spiking: bool,
    rate: BurnRate,
    trailing: BurnRate,
    inference: BurnRate,
    gas: BurnRate,
    data: BurnRate,
}

impl BurnMeter {
    /// M-019. Ticks of the trailing averages: six hours.
    pub const TRAILING_TICKS: u32 = 540;

    /// Takes in a tick's costs. The first tick sets the averages instead of moving them from zero, which would promise
    /// twenty times the life there is (MG-01, W-84). Returns whether a spike begins (M-023).
    pub fn observe(&mut self, costs: &TickCosts) -> bool {
        let total = costs.total();
        let thinking = costs.inference.saturating_add(costs.dream);
        if !self.is_started {
            *self = Self {
                is_started: true,
                is_spiking: false,
                rate: BurnRate::per_tick(total),
                trailing: BurnRate::per_tick(total),
                inference: BurnRate::per_tick(thinking),
                gas: BurnRate::per_tick(costs.gas),
                data: BurnRate::per_tick(costs.data),
            };
            return false;
        }
        self.rate = self.rate.absorb(total);
        self.trailing = self.trailing.absorb_over(total, Self::TRAILING_TICKS);
        self.inference = self.inference.absorb_over(thinking, Self::TRAILING_TICKS);
        self.gas = self.gas.absorb_over(costs.gas, Self::TRAILING_TICKS);
        self.data = self.data.absorb_over(costs.data, Self::TRAILING_TICKS);
        let was_spiking = self.is_spiking;
        self.is_spiking = self.rate.is_spike_over(self.trailing);
        self.is_spiking && !was_spiking
    }

    /// M-013. The burn rate.
    #[must_use]
    pub const fn rate(&self) -> BurnRate {
        self.rate
    }

    /// M-023. Its six-hour average.
    #[must_use]
    pub const fn trailing(&self) -> BurnRate {
        self.trailing
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usdc(text: &str) -> Usdc {
        text.parse().expect("a test's amount")
    }

    /// M-013, M-014, M-019: W-83.
    #[test]
    fn m_013_burn_average_and_m_014_time_to_live_meet_w_83() {
        let mut rate = BurnRate::per_tick(usdc("0.01"));
        for (cost, picos) in [("0.02", 10_500_000_000), ("0.02", 10_975_000_000), ("0.5", 35_426_250_000)] {
            rate = rate.absorb(usdc(cost));
            assert_eq!(rate.0, picos, "W-83");
        }
        assert_eq!(rate.ttl_ticks(usdc("49")), 1_383, "W-83");
        assert_eq!(BurnRate::per_tick(usdc("0.0005")).ttl_ticks(usdc("12.5")), 25_000, "W-83");
        assert_eq!(BurnRate::ZERO.ttl_ticks(usdc("1")), u64::MAX, "W-83: nothing burns");
        assert_eq!(BurnRate(1).ttl_ticks(Usdc::MAX), u64::MAX, "held, not wrapped");
    }

    /// M-013, MG-01: W-84 shows what a cold average promises; the meter starts with the first cost instead.
    #[test]
    fn m_013_the_meter_starts_with_the_first_cost_not_from_zero_w_84() {
        let (mut rate, mut credit) = (BurnRate::ZERO, usdc("50"));
        for expected in [249_980, 128_184, 87_621] {
            rate = rate.absorb(usdc("0.004"));
            credit = credit.pay(usdc("0.004")).expect("enough");
            assert_eq!(rate.ttl_ticks(credit), expected, "W-84");
        }
        let mut meter = BurnMeter::default();
        meter.observe(&TickCosts::compute(usdc("0.004")));
        assert_eq!(meter.rate().ttl_ticks(usdc("49.996")), 12_499, "W-84: the true value");
    }

    /// M-019, M-020, M-024, M-025: every source burns; dreams are cut first and living is never cut.
    #[test]
    fn m_019_every_source_counts_and_m_024_dreams_are_cut_first() {
        let mut costs = TickCosts::default();
        for (source, micros) in
            CostSource::ALL.iter().copied().zip([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000])
        {
            costs.add(source, Usdc::from_micros(micros));
            assert_eq!(costs.of(source), Usdc::from_micros(micros));
        }
        assert_eq!(costs.total(), Usdc::from_micros(11_111_111), "M-025: Styx among them");
        assert_eq!(costs.upkeep(), Usdc::from_micros(110_001));

        let mut meter = BurnMeter::default();
        meter.observe(&costs);
        assert_eq!(meter.inference, BurnRate::per_tick(Usdc::from_micros(1_000_010)), "M-024: dreaming is thinking");
        assert_eq!(meter.gas, BurnRate::per_tick(Usdc::from_micros(100)));
        // M-019: after one six-hour span an average has covered most of the way to a new level.
        for _ in 0..BurnMeter::TRAILING_TICKS {
            meter.observe(&TickCosts::default());
        }
        let left = meter.inference.0 as f64 / 1_000_010e6;
        assert!((left - 0.135).abs() < 0.001, "exp(-2) of it is left: {left}");
    }

    /// M-023: a spike is told when it begins, once.
    #[test]
    fn m_023_a_spike_is_more_than_twice_the_trailing_average() {
        let rate = BurnRate(100);
        assert!(!BurnRate(200).is_spike_over(rate) && BurnRate(201).is_spike_over(rate));
        let mut meter = BurnMeter::default();
        let told: Vec<usize> = (0..200)
            .filter(|tick| meter.observe(&TickCosts::compute(usdc(if *tick < 100 { "0.01" } else { "0.05" }))))
            .collect();
        assert_eq!(told, [106]);
    }

    proptest! {
        /// M-013: an average lies between its ends, on the narrow path and the wide one.
        #[test]
        fn m_013_the_average_stays_between_old_and_new(old: u64, micros: u64) {
            let cost = Usdc::from_micros(micros);
            let (low, high) = (old.min(BurnRate::per_tick(cost).0), old.max(BurnRate::per_tick(cost).0));
            let next = BurnRate(old).absorb(cost).0;
            prop_assert!(next <= high && next.saturating_add(1) >= low);
            let exact = (u128::from(old) * 19 + u128::from(BurnRate::per_tick(cost).0)) / 20;
            prop_assert_eq!(u128::from(next), exact);
        }
    }
}
