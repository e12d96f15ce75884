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
                let left = u128::from(self.cost.micros()) * (self.token >> 32) / (before >> 32).max(1);
                self.cost = Usdc::from_micros(u64::try_from(left).unwrap_or(u64::MAX));
            }
            Order::Sell { .. } | Order::Provide { .. } | Order::Withdraw { .. } => {}
        }
        if self.token == 0 {
            self.cost = Usdc::ZERO;
        }
    }
}
