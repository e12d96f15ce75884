//! The one ledger of a life: what its round trips brought, after everything they cost.
//!
//! A round trip goes from USDC to USDC. What is bought is booked at what was paid for it, and is neither won nor lost; a
//! sale closes as much of that as it sells. Liquidity takes the cost of what goes in along and gives it back to what comes
//! out: first to the USDC, the rest to the token, whose sale closes it. That is how the vault books (V-014), so with
//! nothing on its way both say the same, to the last unit ([`crate::books`] compares). The swap fee and the price
//! impact are in what was moved and are told beside it; gas is carried along with what it was paid for.
//!
//! Everybody who speaks of profit speaks from here: testament, lists, metrics, episodes, moods and alerts.

use arrayvec::ArrayVec;
use golem_primitives::{EffectId, PoolName, Tick, U256, Usdc};
use serde::{Deserialize, Serialize};

use crate::record::{CostSource, EVER_ELSEWHERE, Moved, Order, Outcome, OutcomeResult, POSITIONS};
use crate::trade::TokenPrice;

/// The newest trades, which a reorganisation may still take back.
const RECENT: usize = 8;

/// Something held, and what it took to get it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lot {
    /// How much, in its smallest unit; of a position its liquidity.
    pub amount: u128,
    pub cost: Usdc,
    pub gas: Usdc,
}

impl Lot {
    fn add(&mut self, other: Self) {
        self.amount = self.amount.saturating_add(other.amount);
        self.cost = self.cost.saturating_add(other.cost);
        self.gas = self.gas.saturating_add(other.gas);
    }

    /// Takes `amount` out of `whole`, with its share of the cost rounded down as the vault rounds it. `whole` is more than
    /// what is booked when somebody made a present of some.
    fn take(&mut self, amount: u128, whole: u128) -> Self {
        let whole = whole.max(self.amount);
        let share = |of: Usdc| match amount < whole {
            true => {
                let share = U256::from(of.micros()) * U256::from(amount) / U256::from(whole);
                Usdc::from_micros(share.saturating_to())
            }
            false => of,
        };
        let taken = Self { amount: amount.min(self.amount), cost: share(self.cost), gas: share(self.gas) };
        self.amount -= taken.amount;
        self.cost = self.cost.saturating_sub(taken.cost);
        self.gas = self.gas.saturating_sub(taken.gas);
        taken
    }
}

/// A trade with what of its pool the books need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderTerms {
    pub order: Order,
    /// What the pool takes, in millionths.
    pub fee_ppm: u32,
    /// P-057. Which of the vault's tokens it trades.
    pub token: u8,
}

/// A trade that landed, as it is booked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    effect: EffectId,
    tick: Tick,
    order: Order,
    moved: Moved,
    fee_ppm: u32,
    /// Which of the vault's tokens it trades.
    token: u8,
    gas: Usdc,
}

/// What closed: a round trip, or the part of one that a sale ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedTrip {
    pub proceeds: Usdc,
    pub cost: Usdc,
    /// The gas of getting in and of getting out.
    pub gas: Usdc,
}

impl ClosedTrip {
    /// Proceeds less cost, before gas, in micro-USDC: what the vault's books moved by.
    #[must_use]
    pub fn gain_micros(&self) -> i64 {
        signed(self.proceeds).saturating_sub(signed(self.cost))
    }

    /// After gas, in micro-USDC: won above nothing, lost below.
    #[must_use]
    pub fn net_micros(&self) -> i64 {
        self.gain_micros().saturating_sub(signed(self.gas))
    }
}

/// What one trade is in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerLine {
    pub moved: Moved,
    /// What it added to the cost of what is held, or took from it.
    pub cost: Usdc,
    /// What the pool took of it; liquidity pays none.
    pub fee: Usdc,
    /// What it was worse than the price it was permitted at, the fee left out, in micro-USDC.
    pub impact_micros: i64,
    pub gas: Usdc,
    /// What it closed; a purchase closes nothing.
    pub closed: Option<ClosedTrip>,
}

/// What round trips came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Earnings {
    /// Round trips that closed.
    pub closed: u32,
    /// Of them with more than they cost, gas included.
    pub won: u32,
    /// Of them with less.
    pub lost: u32,
    /// What they brought less what they had cost, in micro-USDC.
    pub gain_micros: i64,
    /// The same after their gas.
    pub net_micros: i64,
    /// The worst of them, after gas, in micro-USDC.
    pub worst_micros: i64,
    /// What pools took of all trades; it is in the gain.
    pub fees: Usdc,
    /// What all trades were worse than their permits' prices, in micro-USDC; it is in the gain.
    pub impact_micros: i64,
    /// The gas of all trades, also of those that are still open.
    pub trade_gas: Usdc,
    /// When the last one closed.
    pub last: Option<Tick>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Sums {
    earned: Earnings,
    held: Lot,
    /// P-057. The tokens that other pools bring. Cost is by token, as the vault books it, whichever pool bought it.
    others: ArrayVec<Lot, EVER_ELSEWHERE>,
    positions: ArrayVec<(u64, Lot), POSITIONS>,
    /// P-057. How much of its token each pool's hand bought and still has: whose it is where two pools trade one token.
    bought: ArrayVec<BoughtIn, { 1 + EVER_ELSEWHERE }>,
}

/// P-057. What one pool's hand bought of a token and still has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct BoughtIn {
    pool: PoolName,
    token: u8,
    amount: u128,
}

impl Sums {
    fn book(&mut self, entry: &Entry) -> LedgerLine {
        let Entry { moved, gas, .. } = *entry;
        let usdc = Usdc::from_micros(moved.usdc_micros.unsigned_abs());
        let token = moved.token.unsigned_abs();
        let worth = TokenPrice { whole: moved.price, decimals: moved.denomination.decimals }.worth(token);
        let fee_of = |notional: Usdc| {
            let micros = u128::from(notional.micros()) * u128::from(entry.fee_ppm) / 1_000_000;
            Usdc::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
        };
        let mut line = LedgerLine { moved, cost: usdc, fee: Usdc::ZERO, impact_micros: 0, gas, closed: None };
        match entry.order {
            Order::Buy { .. } => {
                line.fee = fee_of(usdc);
                line.impact_micros = signed(usdc).saturating_sub(signed(worth)).saturating_sub(signed(line.fee));
                self.lot(entry.token).add(Lot { amount: token, cost: usdc, gas });
            }
            Order::Sell { .. } => {
                let sold = self.lot(entry.token).take(token, moved.held_before);
                line.fee = fee_of(worth);
                line.impact_micros = signed(worth).saturating_sub(signed(usdc)).saturating_sub(signed(line.fee));
                line.cost = sold.cost;
                line.closed = Some(ClosedTrip { proceeds: usdc, cost: sold.cost, gas: sold.gas.saturating_add(gas) });
            }
            Order::Provide { .. } => {
                let given = self.lot(entry.token).take(token, moved.held_before);
                line.cost = usdc.saturating_add(given.cost);
                let added = moved.position.map_or(0, |one| one.after.saturating_sub(one.before));
                let lot = Lot { amount: added, cost: line.cost, gas: given.gas.saturating_add(gas) };
                self.put(moved.position.map_or(0, |one| one.id), lot, entry.token);
            }
            Order::Withdraw { position, .. } => {
                let out = moved
                    .position
                    .map_or((u128::MAX, u128::MAX), |one| (one.before - one.after.min(one.before), one.before));
                let lot = self.draw(position, out);
                line.cost = lot.cost;
                let gas = lot.gas.saturating_add(gas);
                let rest = lot.cost.saturating_sub(usdc);
                // What came back as the token goes on under what the USDC has not covered.
                let goes_on = !worth.is_zero();
                let carried = if goes_on { rest } else { Usdc::ZERO };
                let closes = !goes_on || rest.is_zero();
                let cost = lot.cost.saturating_sub(carried);
                let gas_on = if closes { Usdc::ZERO } else { gas };
                self.lot(entry.token).add(Lot { amount: token, cost: carried, gas: gas_on });
                line.closed = closes.then_some(ClosedTrip { proceeds: usdc, cost, gas });
            }
        }
        self.attribute(entry.order.pool(), entry.token, moved.token);
        self.sum(entry, &line);
        line
    }

    fn lot(&mut self, token: u8) -> &mut Lot {
        let Some(other) = usize::from(token).checked_sub(1).filter(|other| *other < EVER_ELSEWHERE) else {
            return &mut self.held;
        };
        while self.others.len() <= other {
            self.others.push(Lot::default());
        }
        &mut self.others[other]
    }

    /// Whose the token is that came or went. What a pool sells beyond its own had been bought in one that is left.
    fn attribute(&mut self, pool: PoolName, token: u8, change: i128) {
        let own = self.bought.iter().position(|known| known.pool == pool);
        if let (0.., Some(at)) = (change, own) {
            self.bought[at].amount = self.bought[at].amount.saturating_add_signed(change);
            return;
        }
        if change > 0 {
            // No life has more pools than there is room for.
            let _ = self.bought.try_push(BoughtIn { pool, token, amount: change.unsigned_abs() });
            return;
        }
        let mut gone = change.unsigned_abs();
        let others = (0..self.bought.len()).filter(|at| Some(*at) != own);
        for at in own.into_iter().chain(others) {
            let BoughtIn { token: of, amount, .. } = &mut self.bought[at];
            if *of == token {
                let part = gone.min(*amount);
                *amount -= part;
                gone -= part;
            }
        }
        self.bought.retain(|known| known.amount > 0);
    }

    fn sum(&mut self, entry: &Entry, line: &LedgerLine) {
        let earned = &mut self.earned;
        earned.fees = earned.fees.saturating_add(line.fee);
        earned.impact_micros = earned.impact_micros.saturating_add(line.impact_micros);
        earned.trade_gas = earned.trade_gas.saturating_add(line.gas);
        let Some(closed) = line.closed else { return };
        let net = closed.net_micros();
        earned.worst_micros = if earned.closed == 0 { net } else { earned.worst_micros.min(net) };
        earned.closed = earned.closed.saturating_add(1);
        earned.won = earned.won.saturating_add(u32::from(net > 0));
        earned.lost = earned.lost.saturating_add(u32::from(net < 0));
        earned.gain_micros = earned.gain_micros.saturating_add(closed.gain_micros());
        earned.net_micros = earned.net_micros.saturating_add(net);
        earned.last = Some(entry.tick);
    }

    fn put(&mut self, id: u64, lot: Lot, token: u8) {
        match self.positions.iter().position(|(known, _)| *known == id) {
            Some(at) => self.positions[at].1.add(lot),
            // V-015. A vault has no seventeenth; were there one its cost would be the token's.
            None if self.positions.is_full() => self.lot(token).add(Lot { amount: 0, ..lot }),
            None => self.positions.push((id, lot)),
        }
    }

    fn draw(&mut self, id: u64, (amount, whole): (u128, u128)) -> Lot {
        let Some(at) = self.positions.iter().position(|(known, _)| *known == id) else { return Lot::default() };
        let taken = self.positions[at].1.take(amount, whole);
        if amount >= whole {
            self.positions.remove(at);
        }
        taken
    }
}

/// The ledger of one life.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// Without the newest trades.
    settled: Sums,
    recent: ArrayVec<(Entry, LedgerLine), RECENT>,
    now: Sums,
    /// Gas that bought no trade: reports, payments, what reverted.
    other_gas: Usdc,
    /// The machine, models, data and whatever else living cost.
    pub upkeep: Usdc,
}

impl Ledger {
    /// What an outcome is booked as. Only a trade that landed has a line; what anything else cost is a cost of living.
    pub fn land(&mut self, deal: Option<OrderTerms>, outcome: &Outcome, tick: Tick) -> Option<LedgerLine> {
        let moved = match &outcome.result {
            OutcomeResult::Verified(record) if record.receipt.success => Some(record.receipt.moved),
            _ => None,
        };
        let (Some(OrderTerms { order, fee_ppm, token }), Some(moved)) = (deal, moved) else {
            outcome.cost.into_iter().for_each(|(source, cost)| self.spend(source, cost));
            return None;
        };
        let gas = outcome.cost.map_or(Usdc::ZERO, |(_, cost)| cost);
        let entry = Entry { effect: outcome.effect, tick, order, moved, fee_ppm, token, gas };
        let line = self.now.book(&entry);
        if self.recent.is_full() {
            let (oldest, _) = self.recent.remove(0);
            self.settled.book(&oldest);
        }
        self.recent.push((entry, line));
        Some(line)
    }

    /// A trade that was booked is none, and its gas was not paid.
    pub(crate) fn take_back(&mut self, effect: EffectId) {
        let Some(at) = self.recent.iter().position(|(entry, _)| entry.effect == effect) else { return };
        self.recent.remove(at);
        self.now = self.settled.clone();
        for (entry, line) in &mut self.recent {
            *line = self.now.book(entry);
        }
    }

    /// Something that living cost beside the trades.
    pub(crate) fn spend(&mut self, source: CostSource, cost: Usdc) {
        let sum = if source == CostSource::Gas { &mut self.other_gas } else { &mut self.upkeep };
        *sum = sum.saturating_add(cost);
    }

    /// What one of the newest trades was booked as.
    #[must_use]
    pub fn line(&self, effect: EffectId) -> Option<&LedgerLine> {
        self.recent.iter().find(|(entry, _)| entry.effect == effect).map(|(_, line)| line)
    }

    /// What round trips came to.
    #[must_use]
    pub const fn earned(&self) -> &Earnings {
        &self.now.earned
    }

    /// The home pool's token held.
    #[must_use]
    pub const fn held(&self) -> &Lot {
        &self.now.held
    }

    /// P-057. How much of its token a pool's hand bought and still has.
    pub(crate) fn bought_in(&self, pool: PoolName) -> u128 {
        self.now.bought.iter().find(|known| known.pool == pool).map_or(0, |known| known.amount)
    }

    /// Liquidity positions by id.
    #[must_use]
    pub fn positions(&self) -> &[(u64, Lot)] {
        &self.now.positions
    }

    /// What everything that is open has cost.
    #[must_use]
    pub fn open_cost(&self) -> Usdc {
        let lots = self.now.positions.iter().map(|(_, lot)| lot).chain(&self.now.others);
        lots.map(|lot| lot.cost).fold(self.now.held.cost, Usdc::saturating_add)
    }

    /// All gas, of trades and of everything else.
    #[must_use]
    pub const fn gas(&self) -> Usdc {
        self.now.earned.trade_gas.saturating_add(self.other_gas)
    }

    /// What is left of what was gained after everything that was spent, in micro-USDC.
    #[must_use]
    pub fn net_micros(&self) -> i64 {
        self.earned().gain_micros.saturating_sub(signed(self.gas())).saturating_sub(signed(self.upkeep))
    }

    /// In a line, for people.
    #[must_use]
    pub fn told(&self) -> String {
        let Earnings { closed, won, lost, net_micros, .. } = *self.earned();
        format!(
            "{won} of {closed} round trips won, {lost} lost, net {}; gas {} and upkeep {} in all, {} with them; {} still open",
            worded(net_micros),
            self.gas(),
            self.upkeep,
            worded(self.net_micros()),
            self.open_cost()
        )
    }
}

fn signed(usdc: Usdc) -> i64 {
    i64::try_from(usdc.micros()).unwrap_or(i64::MAX)
}

/// Micro-USDC with its sign, for people.
#[must_use]
pub fn worded(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "+" };
    format!("{sign}{}", Usdc::from_micros(micros.unsigned_abs()))
}

#[cfg(test)]
#[path = "tests/ledger.rs"]
mod tests;
