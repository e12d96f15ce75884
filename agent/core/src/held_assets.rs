//! What a hand holds, and what that is worth.

use golem_primitives::Usdc;

use crate::trade::usdc_for;
use crate::trader::Trader;

/// What is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldAssets {
    /// In USDC, that of liquidity positions too.
    pub usdc: Usdc,
    /// Of the token, outside of them.
    pub token: u128,
    /// What all tokens outside of them had cost.
    pub cost: Usdc,
    /// Of the token, in liquidity positions.
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
        let vault = trader.vault()?;
        let sight = trader.sight()?;
        let place = |pool| sight.market_of(pool).map_or(0, |market| market.token);
        let at_home = vault.positions.iter().filter(|position| place(position.pool) == 0);
        let pooled = at_home.fold(0_u128, |sum, position| sum.saturating_add(position.token));
        let elsewhere = sight.elsewhere.iter().map(|market| {
            let positions = vault.positions.iter().filter(|position| position.pool == market.pool);
            let pooled = positions.fold(0_u128, |sum, position| sum.saturating_add(position.token));
            let is_first = sight.markets().find(|other| other.token == market.token) == Some(market);
            let held = if is_first { vault.token(market.token).held } else { 0 };
            if market.token == 0 { Usdc::ZERO } else { usdc_for(market.price, held.saturating_add(pooled)) }
        });
        let elsewhere = elsewhere.fold(Usdc::ZERO, Usdc::saturating_add);
        let liquid = |sum: Usdc, usdc: Usdc| sum.saturating_add(usdc);
        Some(Self {
            usdc: vault.positions.iter().map(|position| position.usdc).fold(vault.idle, liquid),
            token: vault.held,
            cost: vault.tokens_cost(),
            pooled,
            elsewhere,
            capital: vault.capital,
            harvestable: vault.harvestable,
        })
    }

    /// What it is worth, the home pool's token at that price.
    #[must_use]
    pub fn equity(&self, price: Usdc) -> Usdc {
        let at_home = usdc_for(price, self.token.saturating_add(self.pooled));
        self.usdc.saturating_add(at_home).saturating_add(self.elsewhere)
    }
}
