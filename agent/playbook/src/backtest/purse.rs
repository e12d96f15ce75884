//! Cash and tokens on paper, to the micro-USDC.

use golem_primitives::{Ppm, Usdc};

use crate::choice::{Decision, Manner};
use crate::cost::{Cost, Swap};
use crate::look::Look;
use crate::range::{Halves, Range};

/// Tokens are counted in parts of 2^-40, finer than any price can tell.
const FINE: u32 = 40;

/// Liquidity around a price.
#[derive(Debug, Clone, Copy)]
struct Provided {
    range: Range,
    width: Ppm,
    /// The price was outside at the look before.
    is_left: bool,
}

/// What a backtest owns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Purse {
    cash: u64,
    tokens: u128,
    provided: Option<Provided>,
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

    /// What is put to use: tokens, and liquidity as a whole.
    pub(super) fn held(&self, price: Usdc) -> Usdc {
        self.tokens(price).saturating_add(self.provided(price))
    }

    /// What stands in the token, the token half of liquidity included.
    pub(super) fn exposed(&self, price: Usdc) -> Usdc {
        let half = self.provided.map_or(0.0, |provided| provided.range.halves(price).token);
        self.tokens(price).saturating_add(Usdc::from_micros(half as u64))
    }

    fn tokens(&self, price: Usdc) -> Usdc {
        let value = self.tokens.saturating_mul(u128::from(price.micros())) >> FINE;
        Usdc::from_micros(u64::try_from(value).unwrap_or(u64::MAX))
    }

    fn provided(&self, price: Usdc) -> Usdc {
        let worth = self.provided.map_or(0.0, |provided| provided.range.halves(price).total());
        Usdc::from_micros(worth as u64)
    }

    /// All of it, less what is owed.
    pub(super) fn value(&self, price: Usdc) -> Usdc {
        let all = Usdc::from_micros(self.cash).saturating_add(self.held(price));
        all.saturating_sub(Usdc::from_micros(self.owed))
    }

    /// P-022. Lives through a look: liquidity earns, then what was decided at the look before is filled with all its costs.
    /// Liquidity that the price had left then is placed anew.
    pub(super) fn look(&mut self, decided: Option<Decision>, look: &Look) {
        self.earn(look);
        match (decided, self.provided) {
            (Some(Decision { target, manner, order: Some(_) }), _) => self.fill(target, manner, look),
            (_, Some(Provided { width, is_left: true, .. })) => self.provide(self.held(look.price), width, look),
            _ => {}
        }
        if let Some(provided) = &mut self.provided {
            provided.is_left = !provided.range.contains(look.price);
        }
    }

    fn earn(&mut self, look: &Look) {
        let capital = self.value(look.price);
        let earned = self.provided.map_or(0.0, |provided| provided.range.fees(look, capital));
        self.cash = self.cash.saturating_add(earned as u64);
    }

    /// Puts a share of everything to use.
    pub(super) fn fill(&mut self, to: Ppm, manner: Manner, look: &Look) {
        let (held, capital) = (self.held(look.price), self.value(look.price));
        let wanted = capital.share_down(to);
        match manner {
            Manner::Provide { width } if to > Ppm::ZERO => self.provide(wanted, width, look),
            _ => {
                self.withdraw(look);
                self.hold(wanted, look);
            }
        }
        self.trips += u64::from(to == Ppm::ZERO && !held.is_zero());
    }

    /// Swaps until this much stands in the token; where nothing is to stand, the last crumb goes.
    fn hold(&mut self, wanted: Usdc, look: &Look) {
        let (held, capital) = (self.tokens(look.price), self.value(look.price));
        if wanted > held {
            self.buy(Swap { amount: wanted.saturating_sub(held), capital }, look);
        } else if held > wanted {
            let amount = held.saturating_sub(wanted);
            let part = (u128::from(amount.micros()) << FINE) / u128::from(look.price.micros().max(1));
            let part = if wanted.is_zero() { self.tokens } else { part };
            self.sell(part, Swap { amount, capital }, look);
        }
    }

    /// Places this much around the price, half of it as token, in place of what was provided before.
    fn provide(&mut self, wanted: Usdc, width: Ppm, look: &Look) {
        self.withdraw(look);
        let half = Usdc::from_micros(wanted.micros() / 2);
        self.hold(half, look);
        self.pay_gas(look);
        let side = self.tokens(look.price).micros().min(half.micros()).min(self.cash);
        if side == 0 {
            return;
        }
        self.cash -= side;
        self.tokens -= ((u128::from(side) << FINE) / u128::from(look.price.micros().max(1))).min(self.tokens);
        let range = Range::around(look.price, width, side as f64);
        self.provided = Some(Provided { range, width, is_left: false });
    }

    fn withdraw(&mut self, look: &Look) {
        let Some(provided) = self.provided.take() else { return };
        let Halves { token, usdc } = provided.range.halves(look.price);
        self.tokens += (u128::from(token as u64) << FINE) / u128::from(look.price.micros().max(1));
        self.cash = self.cash.saturating_add(usdc as u64);
        self.pay_gas(look);
    }

    /// The gas of an act that swaps nothing.
    fn pay_gas(&mut self, look: &Look) {
        self.cost.gas = self.cost.gas.saturating_add(look.gas);
        self.pay(look.gas.micros());
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

    fn sell(&mut self, part: u128, swap: Swap, look: &Look) {
        self.tokens -= part.min(self.tokens);
        let arrived = swap.amount.saturating_sub(self.charge(&swap, look));
        self.cash = self.cash.saturating_add(arrived.micros());
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
