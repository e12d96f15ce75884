//! Cash and tokens on paper, to the micro-USDC.

use golem_primitives::{Ppm, Usdc};

use crate::choice::Order;
use crate::cost::{Cost, Swap};
use crate::look::Look;

/// Tokens are counted in parts of 2^-40, finer than any price can tell.
const FINE: u32 = 40;

/// What a backtest owns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Purse {
    cash: u64,
    tokens: u128,
    owed: u64,
    rest: u64,
    /// What was paid.
    pub(super) cost: Cost,
    /// What was paid for living.
    pub(super) rent: Usdc,
    /// USDC swapped, both ways.
    pub(super) swapped: Usdc,
    /// Times it came back to holding nothing.
    pub(super) trips: u64,
}

impl Purse {
    pub(super) fn new(capital: Usdc) -> Self {
        Self { cash: capital.micros(), ..Self::default() }
    }

    /// What stands in the token.
    pub(super) fn held(&self, price: Usdc) -> Usdc {
        let value = self.tokens.saturating_mul(u128::from(price.micros())) >> FINE;
        Usdc::from_micros(u64::try_from(value).unwrap_or(u64::MAX))
    }

    /// All of it, less what is owed.
    pub(super) fn value(&self, price: Usdc) -> Usdc {
        let all = Usdc::from_micros(self.cash).saturating_add(self.held(price));
        all.saturating_sub(Usdc::from_micros(self.owed))
    }

    /// P-022. Fills an order at this look, with all its costs.
    pub(super) fn fill(&mut self, order: Order, look: &Look) {
        let (held, capital) = (self.held(look.price), self.value(look.price));
        let wanted = capital.share_down(order.to);
        if wanted > held {
            self.buy(Swap { amount: wanted.saturating_sub(held), capital }, look);
        } else if held > wanted {
            self.sell(order.to, Swap { amount: held.saturating_sub(wanted), capital }, look);
        }
    }

    fn buy(&mut self, swap: Swap, look: &Look) {
        let afford = self.cash.saturating_sub(look.gas.micros());
        let amount = Usdc::from_micros(swap.amount.micros().min(afford));
        if amount.is_zero() || look.price.is_zero() {
            return;
        }
        let swap = Swap { amount, ..swap };
        let arrived = amount.saturating_sub(self.charge(&swap, look));
        self.cash -= amount.micros();
        self.tokens += (u128::from(arrived.micros()) << FINE) / u128::from(look.price.micros());
    }

    fn sell(&mut self, to: Ppm, swap: Swap, look: &Look) {
        let part = if to == Ppm::ZERO {
            self.tokens
        } else {
            (u128::from(swap.amount.micros()) << FINE) / u128::from(look.price.micros().max(1))
        };
        self.tokens -= part.min(self.tokens);
        let arrived = swap.amount.saturating_sub(self.charge(&swap, look));
        self.cash = self.cash.saturating_add(arrived.micros());
        self.trips += u64::from(self.tokens == 0);
    }

    /// Books what a swap pays and gives back what of it stays in the pool.
    fn charge(&mut self, swap: &Swap, look: &Look) -> Usdc {
        let fee = swap.cost(look).fee;
        // The curve takes its part of what the fee left.
        let behind = Swap { amount: swap.amount.saturating_sub(fee), ..*swap };
        let impact = behind.amount.share_up(Ppm::saturating(swap.impact_ppm(look)));
        self.cost.add(&Cost { fee, impact, gas: look.gas });
        self.swapped = self.swapped.saturating_add(swap.amount);
        self.pay(look.gas.micros());
        fee.saturating_add(impact)
    }

    /// Pays rent for so many seconds; what is not there is owed.
    pub(super) fn live(&mut self, rent_a_day: Usdc, seconds: u64) {
        const DAY: u128 = 86_400;
        let due = u128::from(rent_a_day.micros()) * u128::from(seconds) + u128::from(self.rest);
        self.rest = (due % DAY) as u64;
        let due = u64::try_from(due / DAY).unwrap_or(u64::MAX);
        self.rent = self.rent.saturating_add(Usdc::from_micros(due));
        self.pay(due);
    }

    fn pay(&mut self, micros: u64) {
        let there = self.cash.min(micros);
        self.cash -= there;
        self.owed = self.owed.saturating_add(micros - there);
        let back = self.owed.min(self.cash);
        self.cash -= back;
        self.owed -= back;
    }
}
