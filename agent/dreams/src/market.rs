//! What was recorded of the market: prices by tick, and what is held.

use golem_grimoire::regime::Regime;
use golem_primitives::{Bps, Tick, U256, Usdc, UtcTime};

use crate::pool::PoolState;

/// A price that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Point {
    pub tick: Tick,
    pub at: UtcTime,
    /// In micro-USDC for one unit.
    pub price: u64,
    pub regime: Option<Regime>,
}

/// The prices of one asset, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Path {
    pub asset: String,
    pub points: Vec<Point>,
}

impl Path {
    /// The last price at or before a tick.
    #[must_use]
    pub fn at_tick(&self, tick: Tick) -> Option<&Point> {
        let behind = self.points.partition_point(|point| point.tick <= tick);
        behind.checked_sub(1).map(|at| &self.points[at])
    }

    /// The point `steps` recorded prices away from the one at a tick, earlier when negative.
    #[must_use]
    pub fn shifted(&self, tick: Tick, steps: isize) -> Option<&Point> {
        let at = self.points.partition_point(|point| point.tick <= tick).checked_sub(1)?;
        at.checked_add_signed(steps).and_then(|at| self.points.get(at))
    }

    /// The mean relative move in a tick under a regime, or `None` where none was seen.
    #[must_use]
    pub fn drift(&self, regime: Regime) -> Option<f64> {
        let pairs = self.points.iter().zip(self.points.iter().skip(1));
        let under = pairs.filter(|(before, _)| before.regime == Some(regime) && before.price > 0);
        let (moved, ticks) = under.fold((0.0, 0u64), |(moved, ticks), (before, after)| {
            let step = (after.price as f64 - before.price as f64) / before.price as f64;
            (moved + step, ticks.saturating_add(after.tick.since(before.tick)))
        });
        (ticks > 0).then(|| moved / ticks as f64)
    }
}

/// What is held.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Position {
    pub id: String,
    pub asset: String,
    pub value: Usdc,
    /// The price now, in micro-USDC.
    pub price: u64,
    /// The price at which it is left; `None` when there is none.
    pub stop: Option<u64>,
    /// The pool it would be left through.
    pub pool: Option<PoolState>,
    /// The swap by which it would be left.
    pub exit: Option<SwapIn>,
}

impl Position {
    /// Its value when the price moves by so much.
    #[must_use]
    pub fn value_after(&self, moved: Bps) -> Usdc {
        let factor = u128::try_from(10_000 + i64::from(moved.get()).max(-10_000)).expect("not below zero");
        Usdc::from_micros(u64::try_from(u128::from(self.value.micros()) * factor / 10_000).unwrap_or(u64::MAX))
    }

    /// What is lost when the price moves by so much, nothing when it rises.
    #[must_use]
    pub fn loss_after(&self, moved: Bps) -> Usdc {
        self.value.saturating_sub(self.value_after(moved))
    }

    /// DG-16. Whether it ends above its stop; without a stop, above nothing.
    #[must_use]
    pub fn survives(&self, moved: Bps) -> bool {
        let factor = u128::try_from(10_000 + i64::from(moved.get()).max(-10_000)).expect("not below zero");
        u128::from(self.price) * factor > u128::from(self.stop.unwrap_or(0)) * 10_000
    }
}

/// A swap of an exact amount of one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SwapIn {
    /// What goes in, in its smallest unit.
    pub amount: U256,
    /// Whether token 0 is given for token 1.
    pub zero_for_one: bool,
}

/// A trade with the amounts that were recorded; what was not recorded is `None` and never guessed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Trade {
    pub position: String,
    /// The asset bought.
    pub asset: String,
    pub spent: Usdc,
    /// What came back; `None` while it is open.
    pub received: Option<Usdc>,
    pub entry: Tick,
    pub exit: Option<Tick>,
    pub gas: Option<Usdc>,
    /// The pool at entry.
    pub pool: Option<PoolState>,
    /// The swap at entry.
    pub swap: Option<SwapIn>,
}
