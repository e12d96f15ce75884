//! What a life of a trial holds, in the words of a vault: nobody is charged, and no bound of a vault binds.

use golem_core::life::Life;
use golem_core::record::{ChainLife, Moved, Order, VaultReading};
use golem_core::trade::TokenPrice;
use golem_primitives::{Decimals, U256, Usdc, UtcTime};

/// V-011. The vault of a trial counts its capital this many times, and a stake is a share of that, so that what a vault lets
/// a minute move never binds: trials ask what knowledge is worth, not what a bound is.
pub(super) const COUNTED: u32 = 10;
/// The key's coin: nobody here is short of gas.
const KEY_WEI: u128 = 1 << 100;

/// The capital of one life.
#[derive(Debug, Clone)]
pub(super) struct Till {
    given: Usdc,
    usdc: Usdc,
    token: u128,
    cost: Usdc,
    life: ChainLife,
}

impl Till {
    pub(super) const fn new(usdc: Usdc) -> Self {
        Self { given: usdc, usdc, token: 0, cost: Usdc::ZERO, life: ChainLife::Alive }
    }

    /// Where its life stands on a chain that there is not.
    pub(super) fn becomes(&mut self, life: ChainLife) {
        self.life = life;
    }

    /// What it is worth at a price.
    pub(super) fn worth(&self, price: Usdc) -> Usdc {
        self.usdc.saturating_add(TokenPrice { whole: price, decimals: Decimals::ETHER }.worth(self.token))
    }

    /// Enters what a trade moved.
    pub(super) fn apply(&mut self, order: Order, moved: &Moved) {
        let usdc = Usdc::from_micros(moved.usdc_micros.unsigned_abs());
        self.usdc = if moved.usdc_micros < 0 { self.usdc.saturating_sub(usdc) } else { self.usdc.saturating_add(usdc) };
        let before = self.token;
        self.token = self.token.saturating_add_signed(moved.token);
        match order {
            Order::Buy { .. } => self.cost = self.cost.saturating_add(usdc),
            // The cost leaves with the share of the token that leaves.
            Order::Sell { .. } if self.token > 0 => {
                let left = U256::from(self.cost.micros()) * U256::from(self.token) / U256::from(before.max(1));
                self.cost = Usdc::from_micros(left.saturating_to());
            }
            _ => self.cost = Usdc::ZERO,
        }
    }

    /// The look of a life at it.
    pub(super) fn reading(&self, life: &Life, now: UtcTime) -> VaultReading {
        let counted = self.given.micros().saturating_mul(u64::from(COUNTED));
        VaultReading {
            life: self.life.clone(),
            credits: *life.vitals().economic().purse().partitions(),
            reserve: life.vitals().economic().reserve(),
            idle: self.usdc,
            held: self.token,
            held_cost: self.cost,
            others: Default::default(),
            harvestable: Usdc::ZERO,
            capital: Usdc::from_micros(counted),
            unallocated: Usdc::ZERO,
            positions: Default::default(),
            key_wei: KEY_WEI,
            reported_phase: life.vitals().phase(),
            reported_tick: life.tick(),
            beat_at: now,
            spendable_today: [Usdc::ZERO; 4],
            barred: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::PoolName;

    use super::*;

    fn moved(usdc_micros: i64, token: i128) -> Moved {
        Moved { usdc_micros, token, ..Moved::default() }
    }

    /// Cost leaves with what is sold, and no amount makes the till fail.
    #[test]
    fn cost_leaves_with_the_token() {
        let mut till = Till::new(Usdc::whole(100));
        let buy = Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(60), least: 0 };
        let sell = Order::Sell { pool: PoolName::HOME, amount: 0, least: Usdc::ZERO };
        till.apply(buy, &moved(-60_000_000, 20_000_000_000_000_000));
        assert_eq!((till.usdc, till.cost), (Usdc::whole(40), Usdc::whole(60)));
        till.apply(sell, &moved(31_000_000, -10_000_000_000_000_000));
        assert_eq!((till.usdc, till.cost), (Usdc::whole(71), Usdc::whole(30)));
        till.apply(sell, &moved(31_000_000, -10_000_000_000_000_000));
        assert_eq!((till.usdc, till.token, till.cost), (Usdc::whole(102), 0, Usdc::ZERO));
        for token in [i128::MAX, i128::MIN, i128::MAX, -1, i128::MIN] {
            till.apply(buy, &moved(i64::MIN, token));
            till.apply(sell, &moved(i64::MAX, -(token / 3)));
        }
    }
}
