//! P-057. The pools a life trades in: a hand for each, and what is held by way of each.

use arrayvec::ArrayVec;
use golem_mortality::cause::CauseKind;
use golem_playbook::hand::Hand;
use golem_primitives::{PoolName, Tick, Usdc};
use serde::{Deserialize, Serialize};

use super::toward::worth;
use super::{DUST, Trader};
use crate::pass::Pass;
use crate::record::{ELSEWHERE, EffectKind, Event, MarketReading, PoolAccess, Sight, TokenReading, VaultReading};
use crate::trade::{Holdings, ratio};
use crate::trader::{Foundation, Rulebook};

/// What was tried in one pool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TriedIn {
    pub pool: PoolName,
    pub hand: Hand,
    /// G-100. Of what the one that tried it died.
    pub died_of: CauseKind,
}

/// One pool a life trades in, and the hand that is fed with its looks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PoolHand {
    pub(crate) pool: PoolName,
    /// P-050. What it acts by there.
    pub(crate) rulebook: Rulebook,
    /// Traded in the pool since the look its hand last lived through.
    pub(crate) volume: Usdc,
    /// P-053. Before this tick an exit that was just refused there is not tried again: one pool's exit waits for no other's.
    pub(super) exits_from: Tick,
}

impl PoolHand {
    /// A hand before its first look. What the line left of this pool is its own; at home, where the line never was there,
    /// what it left of its home.
    pub(super) fn new(pool: PoolName, foundation: &Foundation) -> Self {
        let is_home = pool == foundation.home;
        let tried = foundation.line.iter().find(|tried| tried.pool == pool);
        let tried = tried.or_else(|| foundation.line.first().filter(|_| is_home));
        let own = Foundation {
            home: pool,
            elsewhere: ArrayVec::new(),
            line: tried.cloned().into_iter().collect(),
            ..foundation.clone()
        };
        Self { pool, rulebook: Rulebook::new(own), volume: Usdc::ZERO, exits_from: Tick::new(0) }
    }
}

impl Trader {
    /// P-057. The hands of all its pools, the home pool's first; before the first look what its line left of each, if
    /// anything.
    pub fn hands(&self) -> impl Iterator<Item = (PoolName, &Hand)> {
        self.pools().filter_map(|one| Some((one.pool, one.rulebook.hand()?)))
    }

    /// P-046, G-100. What it leaves to its heirs when it dies of this, the home pool's first.
    #[must_use]
    pub fn leaves(&self, died_of: CauseKind) -> Vec<TriedIn> {
        let left = |one: &PoolHand| {
            let hand = one.rulebook.hand()?.clone();
            Some(TriedIn { pool: one.pool, hand, died_of: one.rulebook.died_of(died_of) })
        };
        self.pools().filter_map(left).collect()
    }

    /// P-079. Phages it sent itself.
    #[must_use]
    pub fn phages_sent(&self) -> u64 {
        self.pools().filter_map(|one| one.rulebook.own_hand()).map(|hand| hand.phages().sent()).sum()
    }

    /// P-057. The names of its pools, the home pool's first.
    pub fn pool_names(&self) -> impl Iterator<Item = PoolName> {
        self.pools().map(|one| one.pool)
    }

    pub(crate) fn pools(&self) -> impl Iterator<Item = &PoolHand> {
        std::iter::once(&self.home).chain(&self.elsewhere)
    }

    pub(crate) fn pools_mut(&mut self) -> impl Iterator<Item = &mut PoolHand> {
        std::iter::once(&mut self.home).chain(&mut self.elsewhere)
    }

    /// The hand of a pool; of one that is not listed the home pool's.
    pub(crate) fn hand_in(&self, pool: PoolName) -> &PoolHand {
        self.elsewhere.iter().find(|one| one.pool == pool).unwrap_or(&self.home)
    }

    pub(crate) fn hand_in_mut(&mut self, pool: PoolName) -> &mut PoolHand {
        self.elsewhere.iter_mut().find(|one| one.pool == pool).unwrap_or(&mut self.home)
    }

    /// What was traded in each pool since the look before. The home pool is called what the look calls it.
    pub(super) fn count_volumes(&mut self, sight: &Sight) {
        self.home.pool = sight.market.pool;
        let before = self.sight.take();
        for one in std::iter::once(&mut self.home).chain(&mut self.elsewhere) {
            let markets = before.as_ref().and_then(|before| before.market_of(one.pool)).zip(sight.market_of(one.pool));
            let traded = markets.map_or(Usdc::ZERO, |(before, now)| now.volume_since(before));
            one.volume = one.volume.saturating_add(traded);
        }
        self.sight = before;
    }

    /// P-057. Takes up the pools its owner opened, as far as there is room, and lets go of those he closed, once nothing is
    /// held or on its way there. One that is opened again begins as at a birth.
    pub(crate) fn follow_owner(&mut self, pass: &mut Pass<'_>) {
        let Some(sight) = self.sight() else { return };
        let is_over = |one: &PoolHand| {
            let flies = |kind: &EffectKind| matches!(kind, EffectKind::Trade(order) if order.pool() == one.pool);
            let market = sight.market_of(one.pool);
            let is_empty = |market: &MarketReading| market.access != PoolAccess::Open && self.at_work(market).is_zero();
            market.is_none_or(is_empty) && !self.flies(flies)
        };
        let left: ArrayVec<PoolName, ELSEWHERE> =
            self.elsewhere.iter().filter(|one| is_over(one)).map(|one| one.pool).collect();
        let is_new = |market: &&MarketReading| {
            market.access == PoolAccess::Open && !self.pools().any(|one| one.pool == market.pool)
        };
        let opened: ArrayVec<PoolName, ELSEWHERE> =
            sight.elsewhere.iter().filter(is_new).map(|market| market.pool).collect();
        self.elsewhere.retain(|one| !left.contains(&one.pool));
        left.into_iter().for_each(|pool| pass.say(Event::PoolLeft { pool }));
        for pool in opened {
            if self.elsewhere.len() < ELSEWHERE && !self.elsewhere.iter().any(|one| one.pool == pool) {
                self.elsewhere.push(PoolHand::new(pool, &self.foundation));
                pass.say(Event::PoolTakenUp { pool });
            }
        }
    }

    /// What is held at home.
    pub(crate) fn holdings(&self) -> Option<Holdings> {
        self.holdings_in(&self.sight()?.market)
    }

    /// P-057. What is held by way of a pool. A token that several pools trade is that pool's whose hand bought it; what
    /// nobody bought, or was bought where nothing can be sold any more, is the first one's that can sell it.
    pub(crate) fn holdings_in(&self, market: &MarketReading) -> Option<Holdings> {
        let sight = self.sight()?;
        let vault = sight.vault.as_ref()?;
        let TokenReading { held, cost } = self.part_of_token(sight, vault, market);
        // Anybody can send a vault a grain of the token; what is not worth selling is not held.
        let held = if market.token_price().worth(held) < DUST { 0 } else { held };
        let positions = vault.positions.iter().filter(|position| position.pool == market.pool).copied().collect();
        Some(Holdings { idle: vault.idle, held, held_cost: cost, positions })
    }

    fn part_of_token(&self, sight: &Sight, vault: &VaultReading, market: &MarketReading) -> TokenReading {
        let whole = vault.token(market.token);
        let mut left = whole.held;
        let mut own = None;
        let of_token = || sight.markets().filter(|other| other.token == market.token);
        let sells = |other: &&MarketReading| other.access != PoolAccess::Closed;
        let first = of_token().find(sells).or_else(|| of_token().next()).map_or(market.pool, |first| first.pool);
        for other in of_token().filter(sells).filter(|other| other.pool != first) {
            let bought = self.ledger.bought_in(other.pool).min(left);
            left -= bought;
            if other.pool == market.pool {
                own = Some(bought);
            }
        }
        let held = if market.pool == first { left } else { own.unwrap_or(0) };
        if held == whole.held {
            return whole;
        }
        let cost = ratio(u128::from(whole.cost.micros()), held, whole.held);
        TokenReading { held, cost: Usdc::from_micros(u64::try_from(cost).unwrap_or(u64::MAX)) }
    }

    /// P-057. What is at work in the pool of a name.
    #[must_use]
    pub fn at_work_in(&self, pool: PoolName) -> Usdc {
        let market = self.sight().and_then(|sight| sight.market_of(pool));
        market.map_or(Usdc::ZERO, |market| self.at_work(market))
    }

    /// What is at work in a pool: the token, and liquidity with its fees.
    pub(super) fn at_work(&self, market: &MarketReading) -> Usdc {
        let Some(holdings) = self.holdings_in(market) else { return Usdc::ZERO };
        let positions = holdings.positions.iter().map(|position| worth(position, market));
        positions.fold(market.token_price().worth(holdings.held), Usdc::saturating_add)
    }

    /// Positions open, a token held by way of a pool counting as one.
    pub(crate) fn open_positions(&self) -> u32 {
        let Some(sight) = self.sight() else { return 0 };
        let open = sight.markets().filter_map(|market| self.holdings_in(market)).map(|holdings| {
            let positions = u32::try_from(holdings.positions.len()).unwrap_or(u32::MAX);
            positions.saturating_add(u32::from(holdings.held > 0))
        });
        open.fold(0, u32::saturating_add)
    }
}
