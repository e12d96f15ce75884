//! Cash and tokens on paper, to the micro-USDC.

use golem_primitives::{Ppm, Usdc};

use crate::budget::POOLS;
use crate::choice::Decision;
use crate::cost::{Cost, Swap};
use crate::look::Look;
use crate::range::{Halves, Range};
use crate::rule::Manner;

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

/// What is put to use in one pool.
#[derive(Debug, Clone, Copy, Default)]
struct AtWork {
    tokens: u128,
    provided: Option<Provided>,
    /// The price of the look that is lived through.
    price: Usdc,
}

impl AtWork {
    fn tokens(&self) -> Usdc {
        let value = self.tokens.saturating_mul(u128::from(self.price.micros())) >> FINE;
        Usdc::from_micros(u64::try_from(value).unwrap_or(u64::MAX))
    }

    fn provided(&self) -> Usdc {
        let worth = self.provided.map_or(0.0, |provided| provided.range.halves(self.price).total());
        Usdc::from_micros(worth as u64)
    }

    /// Tokens, and liquidity as a whole.
    fn all(&self) -> Usdc {
        self.tokens().saturating_add(self.provided())
    }
}

/// What a backtest owns: one cash for all its pools (P-057).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Purse {
    cash: u64,
    pools: [AtWork; POOLS],
    count: usize,
    owed: u64,
    rest: u64,
    pub(super) cost: Cost,
    pub(super) rent: Usdc,
    /// USDC swapped, both ways.
    pub(super) swapped: Usdc,
    /// Times it came back to holding nothing.
    pub(super) trips: u64,
}

impl Purse {
    /// Before so many pools.
    pub(super) fn new(capital: Usdc, pools: usize) -> Self {
        Self { cash: capital.micros(), count: pools.min(POOLS), ..Self::default() }
    }

    /// A pool has this price now.
    pub(super) const fn see(&mut self, pool: usize, price: Usdc) {
        self.pools[pool].price = price;
    }

    /// What is put to use in a pool: tokens, and liquidity as a whole.
    pub(super) fn held(&self, pool: usize) -> Usdc {
        self.pools[pool].all()
    }

    /// What stands in tokens, the token half of liquidity included.
    pub(super) fn exposed(&self) -> Usdc {
        let exposed = self.pools[..self.count].iter().map(|one| {
            let half = one.provided.map_or(0.0, |provided| provided.range.halves(one.price).token);
            one.tokens().saturating_add(Usdc::from_micros(half as u64))
        });
        exposed.fold(Usdc::ZERO, Usdc::saturating_add)
    }

    /// All of it, less what is owed.
    pub(super) fn value(&self) -> Usdc {
        let held = self.pools[..self.count].iter().map(AtWork::all);
        let all = held.fold(Usdc::from_micros(self.cash), Usdc::saturating_add);
        all.saturating_sub(Usdc::from_micros(self.owed))
    }

    /// P-022. Lives through a look: liquidity earns, then what was decided at the look before is filled with all its costs.
    /// Liquidity that the price had left then is placed anew.
    pub(super) fn look(&mut self, pool: usize, decided: Option<Decision>, look: &Look) {
        self.earn(pool, look);
        match (decided, self.pools[pool].provided) {
            (Some(Decision { target, manner, order: Some(_) }), _) => self.fill(pool, target, manner, look),
            (_, Some(Provided { width, is_left: true, .. })) => self.provide(pool, self.held(pool), width, look),
            _ => {}
        }
        if let Some(provided) = &mut self.pools[pool].provided {
            provided.is_left = !provided.range.contains(look.price);
        }
    }

    fn earn(&mut self, pool: usize, look: &Look) {
        let Some(provided) = self.pools[pool].provided else { return };
        let earned = provided.range.fees(look, self.value());
        self.cash = self.cash.saturating_add(earned as u64);
    }

    /// Puts a share of everything to use.
    pub(super) fn fill(&mut self, pool: usize, to: Ppm, manner: Manner, look: &Look) {
        let (held, capital) = (self.held(pool), self.value());
        let wanted = capital.share_down(to);
        match manner {
            Manner::Provide { width } if to > Ppm::ZERO => self.provide(pool, wanted, width, look),
            _ => {
                self.withdraw(pool, look);
                self.hold(pool, wanted, look);
            }
        }
        self.trips += u64::from(to == Ppm::ZERO && !held.is_zero());
    }

    /// Swaps until this much stands in the token; where nothing is to stand, the last crumb goes.
    fn hold(&mut self, pool: usize, wanted: Usdc, look: &Look) {
        let (held, capital) = (self.pools[pool].tokens(), self.value());
        if wanted > held {
            self.buy(pool, Swap { amount: wanted.saturating_sub(held), capital }, look);
        } else if held > wanted {
            let amount = held.saturating_sub(wanted);
            let part = (u128::from(amount.micros()) << FINE) / u128::from(look.price.micros().max(1));
            let part = if wanted.is_zero() { self.pools[pool].tokens } else { part };
            self.sell(pool, part, Swap { amount, capital }, look);
        }
    }

    /// Places this much around the price, half of it as token, in place of what was provided before.
    fn provide(&mut self, pool: usize, wanted: Usdc, width: Ppm, look: &Look) {
        self.withdraw(pool, look);
        let half = Usdc::from_micros(wanted.micros() / 2);
        self.hold(pool, half, look);
        self.pay_gas(look);
        let at_work = &mut self.pools[pool];
        let side = at_work.tokens().micros().min(half.micros()).min(self.cash);
        if side == 0 {
            return;
        }
        self.cash -= side;
        at_work.tokens -= ((u128::from(side) << FINE) / u128::from(look.price.micros().max(1))).min(at_work.tokens);
        let range = Range::around(look.price, width, side as f64);
        at_work.provided = Some(Provided { range, width, is_left: false });
    }

    fn withdraw(&mut self, pool: usize, look: &Look) {
        let at_work = &mut self.pools[pool];
        let Some(provided) = at_work.provided.take() else { return };
        let Halves { token, usdc } = provided.range.halves(look.price);
        at_work.tokens += (u128::from(token as u64) << FINE) / u128::from(look.price.micros().max(1));
        self.cash = self.cash.saturating_add(usdc as u64);
        self.pay_gas(look);
    }

    /// The gas of an act that swaps nothing.
    fn pay_gas(&mut self, look: &Look) {
        self.cost.gas = self.cost.gas.saturating_add(look.gas);
        self.pay(look.gas.micros());
    }

    fn buy(&mut self, pool: usize, swap: Swap, look: &Look) {
        let afford = self.cash.saturating_sub(look.gas.micros());
        let amount = Usdc::from_micros(swap.amount.micros().min(afford));
        if amount.is_zero() || look.price.is_zero() {
            return;
        }
        let swap = Swap { amount, ..swap };
        let arrived = amount.saturating_sub(self.charge(&swap, look));
        self.cash -= amount.micros();
        self.pools[pool].tokens += (u128::from(arrived.micros()) << FINE) / u128::from(look.price.micros());
    }

    fn sell(&mut self, pool: usize, part: u128, swap: Swap, look: &Look) {
        let tokens = &mut self.pools[pool].tokens;
        *tokens -= part.min(*tokens);
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
