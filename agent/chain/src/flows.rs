//! What a transaction did to a vault, from its logs: the same reading for a simulation and for a receipt, so that the
//! two can be compared.

use std::collections::BTreeMap;

use alloy::primitives::{Address, U256};
use golem_core::record::{ChainState, Moved, MovedPosition, Order};
use golem_primitives::{PoolName, Usdc};
use serde::{Deserialize, Serialize};

use crate::bindings::{IErc20, IVault};
use crate::node::Log;
use crate::place::Place;
use crate::reading::Reading;

/// What things had cost before, as the vault's books said, and what they are valued at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Basis {
    pub(crate) price: Usdc,
    pub(crate) held_cost: Usdc,
    pub(crate) positions: BTreeMap<u64, Usdc>,
    /// P-057. The same of the pools beside the home pool.
    pub(crate) elsewhere: BTreeMap<PoolName, PoolBasis>,
}

/// P-057. The price of a pool beside the home pool, and what its token had cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct PoolBasis {
    pub(crate) price: Usdc,
    pub(crate) held_cost: Usdc,
}

impl Basis {
    /// The basis of one pool.
    fn in_pool(&self, pool: PoolName) -> PoolBasis {
        let home = PoolBasis { price: self.price, held_cost: self.held_cost };
        self.elsewhere.get(&pool).copied().unwrap_or(home)
    }

    pub(crate) fn of(reading: &Reading, place: &Place) -> Self {
        let elsewhere = place.elsewhere.iter().zip(&reading.elsewhere).map(|(pool, now)| {
            let held_cost = Usdc::from_micros(reading.token_of(pool).cost);
            (pool.name, PoolBasis { price: now.fair(), held_cost })
        });
        let books = reading.vault.positions.iter().map(|open| (open.id, Usdc::from_micros(open.book)));
        Self {
            price: reading.pool.fair(),
            held_cost: Usdc::from_micros(reading.vault.held_cost),
            positions: books.collect(),
            elsewhere: elsewhere.collect(),
        }
    }
}

/// Changes of a vault.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Flows {
    pub(crate) changes: BTreeMap<Address, i128>,
    /// What tokens held are booked at afterwards.
    held_costs: BTreeMap<Address, Usdc>,
    /// What positions are booked at afterwards.
    positions: BTreeMap<u64, Usdc>,
}

/// A result in micro-USDC, and what was at stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Return {
    pub(crate) micros: i64,
    pub(crate) notional: Usdc,
}

impl Flows {
    pub(crate) fn of(logs: &[Log], place: &Place) -> Self {
        let mut flows = Self::default();
        for log in logs {
            if let Some(moved) = log.decode::<IErc20::Transfer>() {
                let amount = i128::try_from(moved.value).unwrap_or(i128::MAX);
                let sign = i128::from(moved.to == place.vault) - i128::from(moved.from == place.vault);
                if sign != 0 {
                    let change = flows.changes.entry(log.address).or_default();
                    *change = change.saturating_add(sign * amount);
                }
            } else if log.address == place.vault
                && let Some(booked) = log.decode::<IVault::Booked>()
            {
                let book = Usdc::from_micros(booked.book.saturating_to());
                if booked.token.is_zero() {
                    flows.positions.insert(booked.id.saturating_to(), book);
                } else {
                    flows.held_costs.insert(booked.token, book);
                }
            }
        }
        flows
    }

    /// The same from a swap's return value, where a node shows no logs.
    pub(crate) fn of_swap(order: &Order, returned: &[u8], place: &Place, reading: &Reading) -> Self {
        let out = U256::try_from_be_slice(returned).unwrap_or_default();
        let out = i128::try_from(out).unwrap_or(i128::MAX);
        let pool = place.pool_of(order.pool()).unwrap_or(&place.pool);
        let (usdc, token) = (place.deployment.usdc, pool.token);
        match *order {
            Order::Buy { spend, .. } => {
                Self { changes: BTreeMap::from([(usdc, -i128::from(spend.micros())), (token, out)]), ..Self::default() }
            }
            Order::Sell { amount, .. } => {
                let sold = U256::from(amount);
                let before = reading.token_of(pool);
                let cost = U256::from(before.cost) * sold / before.held.max(U256::ONE);
                let left = before.cost.saturating_sub(cost.saturating_to());
                let sold = i128::try_from(amount).unwrap_or(i128::MAX);
                Self {
                    changes: BTreeMap::from([(usdc, out), (token, -sold)]),
                    held_costs: BTreeMap::from([(token, Usdc::from_micros(left))]),
                    ..Self::default()
                }
            }
            Order::Provide { .. } | Order::Withdraw { .. } => Self::default(),
        }
    }

    fn change(&self, token: Address) -> i128 {
        self.changes.get(&token).copied().unwrap_or_default()
    }

    /// What a trade moved, for the ledger: by its own logs, so that nothing else that reached the vault is among it.
    pub(crate) fn moved(
        &self,
        order: &Order,
        (before, after): (&ChainState, &ChainState),
        basis: &Basis,
        place: &Place,
    ) -> Moved {
        let liquidity = |state: &ChainState, id: u64| state.positions.get(&id).copied().unwrap_or(0);
        let id = match order {
            Order::Buy { .. } | Order::Sell { .. } => None,
            Order::Provide { .. } => {
                after.positions.keys().copied().find(|id| liquidity(after, *id) > liquidity(before, *id))
            }
            Order::Withdraw { position, .. } => Some(*position),
        };
        let usdc = self.change(place.deployment.usdc);
        let pool = place.pool_of(order.pool()).unwrap_or(&place.pool);
        let token = pool.token;
        Moved {
            usdc_micros: i64::try_from(usdc).unwrap_or(if usdc < 0 { i64::MIN } else { i64::MAX }),
            token: self.change(token),
            held_before: before.balances.get(&token).copied().unwrap_or(0),
            denomination: pool.denomination(),
            price: basis.in_pool(order.pool()).price,
            position: id.map(|id| MovedPosition { id, before: liquidity(before, id), after: liquidity(after, id) }),
        }
    }

    /// What came of a trade: worth at the permit's price less what went in, and for what was sold or withdrawn
    /// less what it had cost by the books. Providing liquidity realises nothing.
    pub(crate) fn realised(&self, order: &Order, basis: &Basis, place: &Place) -> Return {
        let usdc = self.change(place.deployment.usdc);
        let pool = place.pool_of(order.pool()).unwrap_or(&place.pool);
        let PoolBasis { price, held_cost } = basis.in_pool(order.pool());
        let token = self.change(pool.token);
        let worth =
            |amount: i128| i128::from(pool.quote.value(amount.unsigned_abs(), price).micros()) * amount.signum();
        let (gain, stake) = match order {
            Order::Buy { .. } => (usdc.saturating_add(worth(token)), usdc.saturating_neg()),
            Order::Sell { .. } => {
                let cost = spent(held_cost, self.held_costs.get(&pool.token).copied());
                (usdc.saturating_sub(cost), usdc.max(cost))
            }
            Order::Provide { .. } => (0, usdc.saturating_add(worth(token)).saturating_neg()),
            Order::Withdraw { position, .. } => {
                let before = basis.positions.get(position).copied().unwrap_or_default();
                let cost = spent(before, self.positions.get(position).copied());
                (usdc.saturating_add(worth(token)).saturating_sub(cost), cost)
            }
        };
        Return {
            micros: i64::try_from(gain).unwrap_or(if gain < 0 { i64::MIN } else { i64::MAX }),
            notional: Usdc::from_micros(u64::try_from(stake.max(0)).unwrap_or(u64::MAX)),
        }
    }
}

/// What left the books; nothing when they were not touched.
fn spent(before: Usdc, after: Option<Usdc>) -> i128 {
    after.map_or(0, |after| i128::from(before.micros()) - i128::from(after.micros()))
}
