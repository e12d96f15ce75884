//! Whether what comes in covers what burns. It disables no clock (C-06).

use golem_primitives::{Tick, Usdc};

use crate::ring::Ring;

/// Revenue and burn of an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
struct Hour {
    revenue: Usdc,
    burn: Usdc,
}

/// M-046. Revenue against burn over the trailing 24 hours, in hourly books.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Sustainability {
    past: Ring<Hour, 23>,
    current: Hour,
    revenue: Usdc,
    burn: Usdc,
    ticks_above: u64,
}

impl Sustainability {
    /// Books a tick. Returns whether 24 hours above one have just been completed.
    pub fn note(&mut self, tick: Tick, revenue: Usdc, burn: Usdc) -> bool {
        if tick.is_every(Tick::PER_HOUR) {
            let gone = self.past.push(self.current).unwrap_or_default();
            self.revenue = self.revenue.saturating_sub(gone.revenue);
            self.burn = self.burn.saturating_sub(gone.burn);
            self.current = Hour::default();
        }
        self.current.revenue = self.current.revenue.saturating_add(revenue);
        self.current.burn = self.current.burn.saturating_add(burn);
        self.revenue = self.revenue.saturating_add(revenue);
        self.burn = self.burn.saturating_add(burn);
        self.ticks_above = if self.is_sustainable() { self.ticks_above.saturating_add(1) } else { 0 };
        self.ticks_above == Tick::PER_DAY
    }

    /// Whether revenue exceeds burn: homeostasis. It disables no clock.
    #[must_use]
    pub fn is_sustainable(&self) -> bool {
        self.revenue > self.burn
    }

    /// Revenue less burn of the trailing day in micro-USDC.
    #[must_use]
    pub fn net_micros(&self) -> i128 {
        i128::from(self.revenue.micros()) - i128::from(self.burn.micros())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// M-046: the event comes after 24 hours above one, once.
    #[test]
    fn m_046_homeostasis_is_told_after_a_day_above_one() {
        let mut books = Sustainability::default();
        let told: Vec<u64> = (1..=5_000)
            .filter(|tick| {
                let revenue = if *tick > 1_000 { 2 } else { 0 };
                books.note(Tick::new(*tick), Usdc::from_micros(revenue), Usdc::from_micros(1))
            })
            .collect();
        // Half of the trailing day must be above one before the ratio is; then 2,160 ticks of it.
        assert_eq!(told.len(), 1);
        assert!((4_100..4_300).contains(&told[0]), "{told:?}");
        assert!(books.is_sustainable() && books.net_micros() > 0);
    }

    proptest! {
        /// M-046: the running sums are the sums of the hours kept.
        #[test]
        fn m_046_books_forget_exactly_what_they_added(flows in prop::collection::vec((0u64..1_000, 0u64..1_000), 0..3_000)) {
            let mut books = Sustainability::default();
            for (tick, (revenue, burn)) in (1..).zip(flows.iter().copied()) {
                books.note(Tick::new(tick), Usdc::from_micros(revenue), Usdc::from_micros(burn));
            }
            let last = flows.len() as u64;
            let since = (last / Tick::PER_HOUR).saturating_sub(23) * Tick::PER_HOUR;
            let kept: u64 = (1..).zip(&flows).filter(|(tick, _)| *tick >= since).map(|(_, (_, burn))| burn).sum();
            prop_assert_eq!(books.burn.micros(), kept);
        }
    }
}
