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
    /// What that had cost.
    pub cost: Usdc,
    /// Of the token, in liquidity positions.
    pub pooled: u128,
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
        let pooled = vault.positions.iter().fold(0_u128, |sum, position| sum.saturating_add(position.token));
        let liquid = |sum: Usdc, usdc: Usdc| sum.saturating_add(usdc);
        Some(Self {
            usdc: vault.positions.iter().map(|position| position.usdc).fold(vault.idle, liquid),
            token: vault.held,
            cost: vault.held_cost,
            pooled,
            capital: vault.capital,
            harvestable: vault.harvestable,
        })
    }

    /// What it is worth at that price.
    #[must_use]
    pub fn equity(&self, price: Usdc) -> Usdc {
        self.usdc.saturating_add(usdc_for(price, self.token.saturating_add(self.pooled)))
    }
}
