//! What ends a dream before its time.

use std::time::Duration;

use golem_primitives::{UtcTime, words};

use crate::market::Path;

words! {
    /// D-193. Who wakes a Golem.
    WakeSource {
        Owner = "owner",
        /// A sibling's critical alert.
        CladeAlert = "clade_alert",
        /// The market moved beyond what the owner set.
        Market = "market",
        /// D-067. The alarm at the edge of sleep.
        Alarm = "alarm",
        /// D-190. Death.
        Death = "death",
    }
}

/// D-193. A wake, as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Wake {
    pub source: WakeSource,
    pub reason: String,
    pub at: UtcTime,
}

/// D-194, D-237. A move of the market that wakes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MarketThreshold {
    pub asset: String,
    /// By how many percent, either way.
    pub percent: u32,
    pub within: Duration,
}

/// Whether `now` is away from `then` by `percent` or more; compared in whole numbers, so that the edge is exact.
fn reaches(then: u64, now: u64, percent: u32) -> bool {
    u128::from(then.abs_diff(now)) * 100 >= u128::from(then) * u128::from(percent)
}

impl MarketThreshold {
    /// D-194, D-196. Whether the market wakes, as a dormant probe outside the suspended loop sees it; reaching the
    /// threshold counts.
    #[must_use]
    pub fn wakes(&self, path: &Path) -> Option<Wake> {
        if path.asset != self.asset {
            return None;
        }
        let newest = path.points.last()?;
        let mut recent = path.points.iter().filter(|point| newest.at.since(point.at) <= self.within);
        let from = recent.find(|point| point.price > 0 && reaches(point.price, newest.price, self.percent))?;
        Some(Wake {
            source: WakeSource::Market,
            reason: format!(
                "{} went from {} to {} micro-USDC within {} s",
                self.asset,
                from.price,
                newest.price,
                self.within.as_secs()
            ),
            at: newest.at,
        })
    }
}

/// D-067, C29. Percent that wake at the edge of sleep.
pub const ALARM_PERCENT: u32 = 5;
/// D-067. Share of liquidity, in percent, whose loss wakes there.
pub const ALARM_LIQUIDITY_PERCENT: u32 = 50;

/// D-053, D-067. What the one live probe sees at the edge of sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AlarmReading {
    /// The price when onset began and now, in micro-USDC.
    pub price: Option<(u64, u64)>,
    /// Liquidity when onset began and now.
    pub liquidity: Option<(u128, u128)>,
    pub is_paused: bool,
}

impl AlarmReading {
    /// D-067. Why to wake at once: a price beyond 5%, half of the liquidity gone, or a pause.
    #[must_use]
    pub fn alarm(&self) -> Option<&'static str> {
        let moved = self.price.is_some_and(|(then, now)| {
            u128::from(then.abs_diff(now)) * 100 > u128::from(then) * u128::from(ALARM_PERCENT)
        });
        let thinned = self
            .liquidity
            .is_some_and(|(then, now)| then > 0 && now <= then / 100 * u128::from(100 - ALARM_LIQUIDITY_PERCENT));
        match (self.is_paused, moved, thinned) {
            (true, ..) => Some("the protocol is paused"),
            (_, true, _) => Some("the price moved by more than 5%"),
            (.., true) => Some("half of the liquidity is gone"),
            _ => None,
        }
    }
}
