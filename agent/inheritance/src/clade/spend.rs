//! What the Clade may cost (I-123).

use golem_primitives::words;
use golem_primitives::{Tick, Usdc, UtcTime};

/// I-123. Caps by tick, day and month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpendLaw {
    /// A tick.
    pub tick: Usdc,
    /// A UTC day.
    pub day: Usdc,
    /// Thirty UTC days.
    pub month: Usdc,
}

impl Default for SpendLaw {
    fn default() -> Self {
        Self { tick: Usdc::from_micros(10_000), day: Usdc::from_micros(500_000), month: Usdc::whole(10) }
    }
}

words! {
    /// Which cap holds a call back.
    Period {
        /// Until the next tick.
        Tick = "tick",
        /// Until the next day.
        Day = "day",
        /// Until the next month.
        Month = "month",
    }
}

/// I-123. A call beyond a cap: the Golem lives on by itself until the period is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the {period}'s cap for Styx is reached; the Golem works with its own Grimoire until the next {period}")]
pub struct Capped {
    /// Which cap.
    pub period: Period,
}

impl Capped {
    /// The next period lets it through.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        true
    }
}

/// I-123. What was spent in the running periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SpendMeter {
    tick: (Tick, Usdc),
    day: (u64, Usdc),
    month: (u64, Usdc),
}

/// Days of a month as caps count it.
const MONTH_DAYS: u64 = 30;

impl SpendMeter {
    /// I-123. Pays for a call, or says which cap is in the way; then nothing is counted.
    ///
    /// # Errors
    /// [`Capped`] with the longest period whose cap would be passed.
    pub fn pay(&mut self, cost: Usdc, law: &SpendLaw, tick: Tick, now: UtcTime) -> Result<(), Capped> {
        let (day, month) = (now.day(), now.day() / MONTH_DAYS);
        let spent = |period: u64, (at, spent): (u64, Usdc)| if at == period { spent } else { Usdc::ZERO };
        let in_tick = if self.tick.0 == tick { self.tick.1 } else { Usdc::ZERO }.saturating_add(cost);
        let in_day = spent(day, self.day).saturating_add(cost);
        let in_month = spent(month, self.month).saturating_add(cost);
        let checks =
            [(in_month, law.month, Period::Month), (in_day, law.day, Period::Day), (in_tick, law.tick, Period::Tick)];
        if let Some((_, _, period)) = checks.into_iter().find(|(spent, cap, _)| spent > cap) {
            return Err(Capped { period });
        }
        *self = Self { tick: (tick, in_tick), day: (day, in_day), month: (month, in_month) };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-123: each cap, and each reset.
    #[test]
    fn i_123_three_caps_hold_and_reset() {
        let law = SpendLaw::default();
        let cent = Usdc::from_micros(10_000);
        let mut meter = SpendMeter::default();
        let noon = |day: u64| UtcTime::from_seconds(day * 86_400 + 43_200);
        assert_eq!(meter.pay(cent, &law, Tick::new(1), noon(30)), Ok(()));
        let refused = meter.pay(Usdc::from_micros(1), &law, Tick::new(1), noon(30));
        assert_eq!(refused, Err(Capped { period: Period::Tick }));
        for tick in 2..=50 {
            assert_eq!(meter.pay(cent, &law, Tick::new(tick), noon(30)), Ok(()), "{tick}");
        }
        let refused = meter.pay(cent, &law, Tick::new(51), noon(30)).expect_err("0.50 a day");
        assert!(refused.period == Period::Day && refused.may_retry());
        for day in 31..50 {
            for tick in 0..50 {
                assert_eq!(meter.pay(cent, &law, Tick::new(day * 100 + tick), noon(day)), Ok(()));
            }
        }
        let refused = meter.pay(cent, &law, Tick::new(9_999), noon(50));
        assert_eq!(refused, Err(Capped { period: Period::Month }), "10.00 a month");
        assert_eq!(meter.pay(cent, &law, Tick::new(10_000), noon(60)), Ok(()), "the next month");
    }
}
