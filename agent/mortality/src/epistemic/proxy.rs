//! Fitness from profit and loss, when no oracle tells what happened.

use crate::ring::Ring;
use crate::score::Score;

/// M-066, M-081. The share of profitable trades among the last 200.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct TradeRecord {
    trades: Ring<bool, { TradeRecord::TRADES }>,
    profitable: u32,
}

impl TradeRecord {
    /// Trades kept.
    pub const TRADES: usize = 200;
    /// Trades needed for a reading.
    pub const MINIMUM: usize = 10;

    /// Notes a trade whose net result was a profit or not.
    pub fn note(&mut self, profitable: bool) {
        if self.trades.push(profitable) == Some(true) {
            self.profitable -= 1;
        }
        self.profitable += u32::from(profitable);
    }

    /// The share of profitable trades, or `None` with fewer than ten, which reads as one half.
    #[must_use]
    pub fn fitness(&self) -> Option<Score> {
        let trades = self.trades.len();
        (trades >= Self::MINIMUM).then(|| Score::held(f64::from(self.profitable) / trades as f64))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// M-066: W-80.
    #[test]
    fn m_066_the_proxy_meets_w_80() {
        let mut trades = TradeRecord::default();
        for profitable in [true; 7].into_iter().chain([false; 2]) {
            trades.note(profitable);
            assert_eq!(trades.fitness(), None, "W-80: nine trades read as one half");
        }
        trades.note(false);
        assert_eq!(trades.fitness().map(Score::get), Some(0.7), "W-80");
    }

    proptest! {
        /// M-066: counted in trades, over the last 200.
        #[test]
        fn m_066_only_the_last_200_trades_count(results in prop::collection::vec(any::<bool>(), 10..500)) {
            let mut trades = TradeRecord::default();
            results.iter().for_each(|profitable| trades.note(*profitable));
            let last = &results[results.len().saturating_sub(200)..];
            let share = last.iter().filter(|p| **p).count() as f64 / last.len() as f64;
            prop_assert_eq!(trades.fitness().map(Score::get), Some(share));
        }
    }
}
