//! P-057. The pools beside the first: another fee tier of its pair, and a second token with a price of its own.

use alloy::primitives::U160;
use golem_primitives::Usdc;

use super::settings::DevnetSettings;
use crate::market::{MarketKind, MarketMoment, Process};
use crate::world::{EMBER_PRICE, World, WorldPool};

/// What sets the second token's chance apart from the first's: the letters of its name.
const EMBER_SEED: u64 = 0x65_6d62_6572;

/// A pool beside the first and what moves it.
#[derive(Debug)]
pub(super) struct Beside {
    pub(super) pool: WorldPool,
    pub(super) root_price: U160,
    /// The second token's own market; without one the pool follows the first.
    process: Option<Process>,
    /// Whether it trades the first pool's token.
    is_tier: bool,
}

impl Beside {
    /// All of a world. Where the market is a recorded history or none, the second token stands still.
    pub(super) fn all(world: &World, settings: &DevnetSettings) -> Vec<Self> {
        let held = match &settings.market {
            MarketKind::Mixed => Some(None),
            MarketKind::Only(regime) => Some(Some(*regime)),
            MarketKind::Csv(_) | MarketKind::Still => None,
        };
        let process = |is_tier: bool| {
            let held = held.filter(|_| !is_tier)?;
            Some(Process::new(settings.seed ^ EMBER_SEED, held, EMBER_PRICE))
        };
        let others = world.pools.iter().skip(1).map(|pool| {
            let is_tier = pool.token == world.weth;
            Self { pool: *pool, root_price: U160::ZERO, process: process(is_tier), is_tier }
        });
        others.collect()
    }

    /// What its token shall cost `seconds` later; nothing where nobody moves it.
    pub(super) fn wanted(&mut self, moment: MarketMoment, seconds: u64) -> Option<Usdc> {
        match &mut self.process {
            Some(process) => Some(process.step(seconds).price),
            None => self.is_tier.then_some(moment.price),
        }
    }

    /// Time that has passed already: a process is a function of its seed and its steps.
    pub(super) fn pass(&mut self, moment: MarketMoment, seconds: u64) {
        let _ = self.wanted(moment, seconds);
    }

    /// Where the pool has to be brought for that; nothing where it stands near enough: who trades a price back pays the fee.
    pub(super) fn target(&self, wanted: Usdc, world: &World) -> Option<U160> {
        let pairing = self.pool.pairing(world);
        let stands = pairing.price(self.root_price).micros();
        let apart = u128::from(stands.abs_diff(wanted.micros())) * 1_000_000;
        let is_worth_it = !self.is_tier || apart > u128::from(self.pool.fee_ppm) * u128::from(stands);
        let target = pairing.root_price(wanted);
        (is_worth_it && target != self.root_price).then_some(target)
    }
}
