//! What a line owns on paper: USDC and tokens, to the micro-USDC.

use golem_playbook::Look;
use golem_playbook::cost::{Cost, Swap};
use golem_primitives::{Ppm, Usdc};

/// Tokens are counted in parts of 2^-40, finer than any price can tell.
const FINE: u32 = 40;

/// Cash, tokens and what was paid for moving between them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LinePurse {
    cash: u64,
    tokens: u128,
    owed: u64,
    price: Usdc,
    pub(super) paid: Cost,
    pub(super) trips: u64,
}

impl LinePurse {
    pub(super) fn new(capital: Usdc) -> Self {
        Self { cash: capital.micros(), ..Self::default() }
    }

    pub(super) const fn see(&mut self, price: Usdc) {
        self.price = price;
    }

    pub(super) fn held(&self) -> Usdc {
        let worth = self.tokens.saturating_mul(u128::from(self.price.micros())) >> FINE;
        Usdc::from_micros(u64::try_from(worth).unwrap_or(u64::MAX))
    }

    /// All of it, less what is owed.
    pub(super) fn value(&self) -> Usdc {
        Usdc::from_micros(self.cash).saturating_add(self.held()).saturating_sub(Usdc::from_micros(self.owed))
    }

    /// P-022. Brings what stands in the token to this share of everything, at this look's price and costs.
    pub(super) fn fill(&mut self, to: Ppm, look: &Look) {
        let (held, capital) = (self.held(), self.value());
        let wanted = capital.share_down(to);
        if wanted > held {
            self.buy(Swap { amount: wanted.saturating_sub(held), capital }, look);
        } else if held > wanted {
            let amount = held.saturating_sub(wanted);
            let part = (u128::from(amount.micros()) << FINE) / u128::from(look.price.micros().max(1));
            let part = if wanted.is_zero() { self.tokens } else { part.min(self.tokens) };
            self.tokens -= part;
            let arrived = amount.saturating_sub(self.charge(&Swap { amount, capital }, look));
            self.cash = self.cash.saturating_add(arrived.micros());
            self.trips += u64::from(wanted.is_zero());
        }
    }

    fn buy(&mut self, swap: Swap, look: &Look) {
        let afford = self.cash.saturating_sub(look.gas.micros());
        let amount = swap.amount.min(Usdc::from_micros(afford));
        if amount.is_zero() || look.price.is_zero() {
            return;
        }
        let arrived = amount.saturating_sub(self.charge(&Swap { amount, ..swap }, look));
        self.cash -= amount.micros();
        self.tokens += (u128::from(arrived.micros()) << FINE) / u128::from(look.price.micros());
    }

    /// Books what a swap pays and gives back what of it stays in the pool.
    fn charge(&mut self, swap: &Swap, look: &Look) -> Usdc {
        let Cost { fee, impact, gas } = swap.cost(look);
        self.paid.add(&Cost { fee, impact, gas });
        self.pay(gas);
        fee.saturating_add(impact)
    }

    /// Gas of acts that swap nothing.
    pub(super) fn pay_gas(&mut self, look: &Look, acts: u32) {
        let gas = Usdc::from_micros(look.gas.micros().saturating_mul(u64::from(acts)));
        self.paid.gas = self.paid.gas.saturating_add(gas);
        self.pay(gas);
    }

    /// What is not there is owed.
    pub(super) fn pay(&mut self, amount: Usdc) {
        self.owed = self.owed.saturating_add(amount.micros());
        let back = self.owed.min(self.cash);
        self.cash -= back;
        self.owed -= back;
    }

    /// Half of the cash, taken out.
    pub(super) fn halve(&mut self) -> Usdc {
        let half = self.cash / 2;
        self.cash -= half;
        Usdc::from_micros(half)
    }

    pub(super) fn receive(&mut self, amount: Usdc) {
        self.cash = self.cash.saturating_add(amount.micros());
    }
}
