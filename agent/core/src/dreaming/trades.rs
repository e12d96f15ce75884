//! Trades and positions as a dream computes with them, from what was recorded of each fill.

use std::collections::BTreeMap;

use golem_dreams::market::{Position, SwapIn, Trade};
use golem_dreams::pool::{PoolState, TickLiquidity};
use golem_primitives::{Decimals, EffectId, U256, Usdc};

use crate::record::{Fill, MarketReading, Order, PoolReading, Sight};
use crate::trade::{Holdings, ratio};
use crate::trader::Trader;

/// Ticks for which the pool of the last trade still stands for the one a position would be left through.
const FRESH_POOL_TICKS: u64 = 20;

/// What is held of the token since it was last held none of.
#[derive(Debug, Clone, Default)]
struct Trip {
    token: u128,
    spent: u64,
    gas: Option<u64>,
    entry: Option<Fill>,
}

fn share(amount: u64, part: u128, whole: u128) -> u64 {
    u64::try_from(u128::from(amount).saturating_mul(part) / whole.max(1)).unwrap_or(u64::MAX)
}

/// D-110. The trade of every fill, by its effect. A sale is a round trip: what was paid for its part, what came
/// back, when and against which pool it was entered. What was not recorded stays unknown.
#[must_use]
pub fn trades(fills: &[Fill], asset: &str) -> BTreeMap<EffectId, Trade> {
    let mut sorted: Vec<&Fill> = fills.iter().collect();
    sorted.sort_by_key(|fill| (fill.block, fill.tick, fill.effect));
    let (mut trips, mut made) = (BTreeMap::new(), BTreeMap::new());
    for fill in sorted {
        // P-057. Round trips are of one pool each.
        let trip: &mut Trip = trips.entry(fill.order.pool()).or_default();
        match fill.order {
            Order::Buy { .. } if fill.token > 0 => {
                trip.enter(fill);
                made.insert(fill.effect, trip.open(fill, asset));
            }
            Order::Sell { .. } if fill.token < 0 => {
                if let Some(trade) = trip.leave(fill, asset) {
                    made.insert(fill.effect, trade);
                }
            }
            // Liquidity has no one price it was entered at; nothing of it is computed here.
            _ => {}
        }
    }
    made
}

impl Trip {
    fn enter(&mut self, fill: &Fill) {
        if self.token == 0 {
            *self = Self { gas: Some(0), entry: Some(fill.clone()), ..Self::default() };
        }
        self.token = self.token.saturating_add(fill.token.unsigned_abs());
        self.spent = self.spent.saturating_add(fill.usdc_micros.unsigned_abs());
        self.gas = self.gas.zip(fill.gas).map(|(gas, more)| gas.saturating_add(more.micros()));
    }

    fn open(&self, fill: &Fill, asset: &str) -> Trade {
        Trade {
            position: self.entry.as_ref().map_or(fill.effect, |entry| entry.effect).to_string(),
            asset: asset.to_owned(),
            spent: Usdc::from_micros(fill.usdc_micros.unsigned_abs()),
            received: None,
            entry: fill.tick,
            exit: None,
            gas: fill.gas,
            pool: fill.pool.as_ref().and_then(pool),
            swap: fill.pool.as_ref().map(|pool| swap_in(fill, pool)),
        }
    }

    /// A sale of what was never seen bought is none of these.
    fn leave(&mut self, fill: &Fill, asset: &str) -> Option<Trade> {
        let entry = self.entry.clone().filter(|_| self.token > 0)?;
        let sold = fill.token.unsigned_abs().min(self.token);
        let part = |amount: u64| share(amount, sold, self.token);
        let spent = part(self.spent);
        let gas_in = self.gas.map(part);
        let trade = Trade {
            spent: Usdc::from_micros(spent),
            received: Some(Usdc::from_micros(u64::try_from(fill.usdc_micros).unwrap_or(0))),
            exit: Some(fill.tick),
            gas: gas_in.zip(fill.gas).map(|(before, now)| Usdc::from_micros(before).saturating_add(now)),
            ..self.open(&entry, asset)
        };
        *self = Self {
            token: self.token - sold,
            spent: self.spent - spent,
            gas: self.gas.zip(gas_in).map(|(gas, part)| gas - part),
            entry: Some(entry),
        };
        Some(trade)
    }
}

/// The pool of a reading; `None` for numbers that no pool has.
fn pool(reading: &PoolReading) -> Option<PoolState> {
    let ticks = reading.ticks.iter().map(|(tick, net)| TickLiquidity { tick: *tick, net: *net }).collect();
    let PoolReading { sqrt_price, tick, liquidity, fee_ppm, ends, .. } = *reading;
    PoolState::new(sqrt_price, tick, liquidity, fee_ppm, ends, ticks).ok()
}

/// What went in: USDC for a purchase, the token for a sale.
fn swap_in(fill: &Fill, pool: &PoolReading) -> SwapIn {
    let is_buy = fill.token > 0;
    let amount =
        if is_buy { U256::from(fill.usdc_micros.unsigned_abs()) } else { U256::from(fill.token.unsigned_abs()) };
    // USDC goes in for a purchase; it is the first token where the token is not.
    SwapIn { amount, zero_for_one: is_buy != pool.token_is_first }
}

/// D-092, D-102. What is held now. The token's stop is the book's; what a pool would return for it is known only
/// shortly after a trade.
#[must_use]
pub fn positions(trader: &Trader, fills: &[Fill], asset: &str) -> Vec<Position> {
    let Some(sight) = trader.sight() else { return Vec::new() };
    sight.markets().flat_map(|market| positions_in(market, sight, trader, fills, asset)).collect()
}

/// P-057. What is held by way of one pool; at home by the asset's own name.
fn positions_in(market: &MarketReading, sight: &Sight, trader: &Trader, fills: &[Fill], asset: &str) -> Vec<Position> {
    let Some(holdings) = trader.holdings_in(market) else { return Vec::new() };
    let is_home = market.pool == sight.market.pool;
    let asset = if is_home { asset.to_owned() } else { market.pool.to_string() };
    let price = market.token_price();
    let mut held = Vec::new();
    if holdings.held > 0 {
        let of_here = fills.iter().filter(|fill| fill.order.pool() == market.pool);
        let newest = of_here.max_by_key(|fill| (fill.block, fill.tick));
        let fresh = newest.filter(|fill| sight.block.number.saturating_sub(fill.block) <= FRESH_POOL_TICKS);
        let reading = fresh.and_then(|fill| fill.pool.as_ref());
        held.push(Position {
            id: if is_home { "held".to_owned() } else { format!("held-{}", market.pool) },
            asset: asset.clone(),
            value: price.worth(holdings.held),
            price: price.whole.micros(),
            stop: stop(trader.hand_in(market.pool).rulebook.stop_ppm(), &holdings, price.decimals),
            pool: reading.and_then(pool),
            exit: reading.map(|pool| SwapIn { amount: U256::from(holdings.held), zero_for_one: pool.token_is_first }),
        });
    }
    held.extend(holdings.positions.iter().map(|position| Position {
        id: position.id.to_string(),
        asset: asset.clone(),
        value: position.usdc.saturating_add(price.worth(position.token)),
        price: price.whole.micros(),
        stop: None,
        pool: None,
        exit: None,
    }));
    held
}

/// The price at which a fall from what was paid is reached.
fn stop(fall: Option<u64>, holdings: &Holdings, decimals: Decimals) -> Option<u64> {
    let fall = fall?;
    let each = ratio(u128::from(holdings.held_cost.micros()), decimals.unit(), holdings.held);
    u64::try_from(each.saturating_mul(u128::from(1_000_000u64.saturating_sub(fall))) / 1_000_000).ok()
}
