//! The desk of a life: facts of the tick in progress, and what is open between ticks.

use arrayvec::ArrayVec;
use golem_mortality::economic::burn::TickCosts;
use golem_mortality::epistemic::domain::Matches;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::vitals::BalanceReading;
use golem_primitives::{Ppm, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use crate::budget::OpenPromises;
use crate::record::Turn;

/// Pairs and trades a tick can hold.
pub(crate) const PAIRS_PER_TICK: usize = 64;

/// Facts of the tick in progress, and what is open between ticks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Desk {
    pub(crate) turn: Option<Turn>,
    pub(crate) costs: TickCosts,
    pub(crate) funded: Usdc,
    pub(crate) revenue: Usdc,
    pub(crate) balance: BalanceReading,
    pub(crate) pairs: ArrayVec<Pair, PAIRS_PER_TICK>,
    pub(crate) trades: ArrayVec<bool, PAIRS_PER_TICK>,
    pub(crate) matches: Option<Matches>,
    /// M-065. What pruning took, and from when that is no longer of the last 500 ticks. It stands between two cycles.
    pub(crate) erosion: Ppm,
    pub(crate) eroded_until: Tick,
    pub(crate) is_novel_regime: bool,
    pub(crate) archived: u32,
    pub(crate) reflection: Option<bool>,
    pub(crate) open_positions: u32,
    pub(crate) last_snapshot: Option<UtcTime>,
    pub(crate) holds: OpenPromises,
}

impl Desk {
    /// M-065. What pruning of the last 500 ticks takes from the score at this one.
    pub(crate) fn erosion_at(&self, tick: Tick) -> Ppm {
        if tick < self.eroded_until { self.erosion } else { Ppm::ZERO }
    }

    /// Clears what belonged to the tick that is over. Fields by name: clearing in place is some ten times cheaper than
    /// writing a whole empty desk.
    pub(crate) fn clear(&mut self) {
        self.turn = None;
        self.costs = TickCosts::default();
        self.funded = Usdc::ZERO;
        self.revenue = Usdc::ZERO;
        self.balance = BalanceReading::Ledger;
        self.pairs.clear();
        self.trades.clear();
        self.matches = None;
        self.is_novel_regime = false;
        self.archived = 0;
        self.reflection = None;
    }
}
