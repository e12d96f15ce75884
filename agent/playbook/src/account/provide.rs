//! P-004, P-022. Liquidity around the price on paper, followed when the price leaves it.

use golem_primitives::{Ppm, Usdc};

use super::AccountSight;
use crate::cost::Swap;
use crate::range::{Halves, Range};

/// What an account has placed, in micro-USDC.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Placed {
    width: Ppm,
    range: Range,
    /// Tokens that found no USDC to stand beside; they go in when it is placed anew.
    tokens: f64,
    /// USDC that found no token, and what was earned.
    cash: f64,
    /// What was at stake at the entry.
    stake: f64,
    /// Paid to the chain.
    gas: f64,
    /// The price was outside at the look before: it is placed anew at the next.
    is_left: bool,
}

impl Placed {
    /// Swaps half of the stake and places both halves.
    pub(super) fn enter(stake: Usdc, width: Ppm, sight: &AccountSight<'_>) -> Self {
        let stake = stake.micros() as f64;
        let range = Range::around(sight.look.price, width, 0.0);
        let mut placed = Self { width, range, tokens: 0.0, cash: 0.0, stake, gas: 0.0, is_left: false };
        placed.place(Halves { token: 0.0, usdc: stake }, sight);
        placed
    }

    /// Lives through a look: earns, and is placed anew where the look before found the price outside.
    pub(super) fn look(&mut self, sight: &AccountSight<'_>) {
        self.earn(sight);
        if self.is_left {
            let all = self.halves(sight.look.price);
            self.pay_gas(sight, 1.0);
            self.place(all, sight);
        }
        self.is_left = !self.range.contains(sight.look.price);
    }

    fn earn(&mut self, sight: &AccountSight<'_>) {
        self.cash += self.range.fees(sight.look, sight.capital);
    }

    /// Swaps half of what one half has more than the other, and places as much as the smaller allows.
    fn place(&mut self, all: Halves, sight: &AccountSight<'_>) {
        let part = (all.token - all.usdc).abs() / 2.0;
        let kept = self.swap(part, sight).kept(sight.look);
        let Halves { token, usdc } = if all.token > all.usdc {
            Halves { token: all.token - part, usdc: all.usdc + part * kept }
        } else {
            Halves { token: all.token + part * kept, usdc: all.usdc - part }
        };
        let side = token.min(usdc);
        self.range = Range::around(sight.look.price, self.width, side);
        self.tokens = (token - side) / price(sight.look.price);
        self.cash += usdc - side;
        // The swap and the placing.
        self.pay_gas(sight, 2.0);
    }

    fn swap(&self, amount: f64, sight: &AccountSight<'_>) -> Swap {
        Swap { amount: Usdc::from_micros(amount as u64), capital: sight.capital }
    }

    fn pay_gas(&mut self, sight: &AccountSight<'_>, acts: f64) {
        self.gas += acts * sight.look.gas.micros() as f64;
    }

    /// What the range and the tokens beside it come to at a price.
    fn halves(&self, at: Usdc) -> Halves {
        let Halves { token, usdc } = self.range.halves(at);
        Halves { token: token + self.tokens * price(at), usdc }
    }

    /// What it all comes to at a price, fees included, gas not.
    pub(super) fn worth(&self, at: Usdc) -> Usdc {
        Usdc::from_micros((self.halves(at).total() + self.cash + 0.5) as u64)
    }

    /// The part of it that stands in the token.
    pub(super) fn token_share(&self, at: Usdc) -> f64 {
        let halves = self.halves(at);
        let all = halves.total() + self.cash;
        if all > 0.0 { halves.token / all } else { 0.0 }
    }

    /// Withdraws and sells the token half; the net return on what was at stake.
    pub(super) fn end(mut self, sight: &AccountSight<'_>) -> f64 {
        self.earn(sight);
        let Halves { token, usdc } = self.halves(sight.look.price);
        let swap = self.swap(token, sight);
        // Above the range there is nothing to sell.
        self.pay_gas(sight, if swap.amount.is_zero() { 1.0 } else { 2.0 });
        let back = usdc + self.cash + token * swap.kept(sight.look);
        (back - self.gas) / self.stake.max(1.0) - 1.0
    }
}

fn price(of: Usdc) -> f64 {
    of.micros().max(1) as f64
}

#[cfg(test)]
#[path = "../tests/provide.rs"]
mod tests;
