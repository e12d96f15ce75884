//! A book of pretended trades.

use golem_primitives::Usdc;
use serde::{Deserialize, Serialize};

use crate::record::Order;

/// What a paper Golem would hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperBook {
    /// USDC.
    pub usdc: Usdc,
    /// The token, in its smallest unit.
    pub token: u128,
    /// What the token cost.
    pub cost: Usdc,
}

impl PaperBook {
    /// A book that begins with USDC alone.
    #[must_use]
    pub const fn new(usdc: Usdc) -> Self {
        Self { usdc, token: 0, cost: Usdc::ZERO }
    }

    /// Enters what a simulated trade would have changed.
    pub(crate) fn apply(&mut self, order: Order, usdc_micros: i64, token: i128) {
        let moved = Usdc::from_micros(usdc_micros.unsigned_abs());
        self.usdc = if usdc_micros < 0 { self.usdc.saturating_sub(moved) } else { self.usdc.saturating_add(moved) };
        let before = self.token;
        self.token = self.token.saturating_add_signed(token);
        match order {
            Order::Buy { .. } => self.cost = self.cost.saturating_add(moved),
            // The cost leaves with the share of the token that leaves, rounded up, so that nothing is kept for nothing.
            Order::Sell { .. } if before > 0 => {
                // Both are cut to 63 bits first, so that their product with 64 bits of money fits.
                let cut = 65u32.saturating_sub(before.leading_zeros());
                let left = u128::from(self.cost.micros()) * (self.token >> cut) / (before >> cut).max(1);
                self.cost = Usdc::from_micros(u64::try_from(left).unwrap_or(u64::MAX));
            }
            Order::Sell { .. } | Order::Provide { .. } | Order::Withdraw { .. } => {}
        }
        if self.token == 0 {
            self.cost = Usdc::ZERO;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// cost leaves with what is sold, and no amount makes the book fail.
    #[test]
    fn r_013_cost_leaves_with_the_token() {
        let mut book = PaperBook::new(Usdc::whole(100));
        let buy = Order::Buy { spend: Usdc::whole(60), least: 0 };
        let sell = Order::Sell { amount: 0, least: Usdc::ZERO };
        book.apply(buy, -60_000_000, 20_000_000_000_000_000);
        assert_eq!((book.usdc, book.cost), (Usdc::whole(40), Usdc::whole(60)));
        book.apply(sell, 31_000_000, -10_000_000_000_000_000);
        assert_eq!((book.usdc, book.cost), (Usdc::whole(71), Usdc::whole(30)));
        book.apply(sell, 31_000_000, -10_000_000_000_000_000);
        assert_eq!((book.usdc, book.token, book.cost), (Usdc::whole(102), 0, Usdc::ZERO));
        for token in [i128::MAX, i128::MIN, i128::MAX, -1, i128::MIN] {
            book.apply(buy, i64::MIN, token);
            book.apply(sell, i64::MAX, -(token / 3));
        }
    }
}
