//! What a hand holds, and what that is worth.

use golem_primitives::{Denomination, PoolName, Usdc};

use crate::record::{MarketReading, Sight};
use crate::trade::TokenPrice;
use crate::trader::Trader;

/// P-057. What is held of one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldToken {
    /// Its place among the tokens of a vault.
    pub token: u8,
    /// The first pool that trades it.
    pub pool: PoolName,
    /// How it is counted and called.
    pub denomination: Denomination,
    /// Outside of liquidity positions.
    pub held: u128,
    pub pooled: u128,
    /// What all of it is worth: in positions at the price of their pool, else at that of the first.
    pub worth: Usdc,
}

impl HeldToken {
    /// Every token of the pools that a hand last saw, the home pool's first.
    #[must_use]
    pub fn all(trader: &Trader) -> Vec<Self> {
        trader.sight().map(Self::seen).unwrap_or_default()
    }

    /// Every token of the pools of one look, the home pool's first.
    #[must_use]
    pub fn seen(sight: &Sight) -> Vec<Self> {
        let Some(vault) = &sight.vault else { return Vec::new() };
        // What lies in a pool that is not seen counts at home.
        let lies = |pool: PoolName| sight.market_of(pool).map_or(sight.market.pool, |market| market.pool);
        let pooled = |pool: PoolName| {
            let positions = vault.positions.iter().filter(|position| lies(position.pool) == pool);
            positions.fold(0_u128, |sum, position| sum.saturating_add(position.token))
        };
        let mut tokens: Vec<Self> = Vec::new();
        for market in sight.markets() {
            let pooled = pooled(market.pool);
            if let Some(known) = tokens.iter_mut().find(|known| known.token == market.token) {
                known.pooled = known.pooled.saturating_add(pooled);
                known.worth = known.worth.saturating_add(market.token_price().worth(pooled));
                continue;
            }
            let held = vault.token(market.token).held;
            let worth = market.token_price().worth(held.saturating_add(pooled));
            let MarketReading { token, pool, denomination, .. } = *market;
            tokens.push(Self { token, pool, denomination, held, pooled, worth });
        }
        tokens
    }
}

/// What is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldAssets {
    /// In USDC, that of liquidity positions too.
    pub usdc: Usdc,
    /// How the home pool's token is counted and called.
    pub denomination: Denomination,
    /// Of the token, outside of them.
    pub token: u128,
    /// What all tokens outside of them had cost.
    pub cost: Usdc,
    pub pooled: u128,
    /// P-057. What is held of the tokens of other pools, worth at their own prices, positions included.
    pub elsewhere: Usdc,
    /// As the vault's bounds count it.
    pub capital: Usdc,
    /// USDC above the high-water mark.
    pub harvestable: Usdc,
}

impl HeldAssets {
    /// What a hand last saw of it.
    #[must_use]
    pub fn of(trader: &Trader) -> Option<Self> {
        Self::seen(trader.sight()?)
    }

    /// What one look saw of it.
    #[must_use]
    pub fn seen(sight: &Sight) -> Option<Self> {
        let vault = sight.vault.as_ref()?;
        let tokens = HeldToken::seen(sight);
        let (home, others) = tokens.split_first()?;
        let elsewhere = others.iter().fold(Usdc::ZERO, |sum, token| sum.saturating_add(token.worth));
        let liquid = |sum: Usdc, usdc: Usdc| sum.saturating_add(usdc);
        Some(Self {
            usdc: vault.positions.iter().map(|position| position.usdc).fold(vault.idle, liquid),
            denomination: home.denomination,
            token: vault.held,
            cost: vault.tokens_cost(),
            pooled: home.pooled,
            elsewhere,
            capital: vault.capital,
            harvestable: vault.harvestable,
        })
    }

    /// What it is worth, the home pool's token at that price.
    #[must_use]
    pub fn equity(&self, price: Usdc) -> Usdc {
        let price = TokenPrice { whole: price, decimals: self.denomination.decimals };
        let at_home = price.worth(self.token.saturating_add(self.pooled));
        self.usdc.saturating_add(at_home).saturating_add(self.elsewhere)
    }
}
