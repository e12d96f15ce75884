//! The regimes of the last ticks, from the journal alone.

use std::collections::BTreeMap;

use golem_grimoire::regime::Regime;
use golem_primitives::Tick;

use crate::record::{Observation, TickInput};
use crate::trader::HORIZON_TICKS;
use crate::window::{PriceWindow, WINDOW, regime_in};

/// What the market was at each tick that something open may have been said in.
///
/// It follows from the looks in the journal, so a life that is taken up again reads it back and goes on telling what it
/// would have told.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Past {
    window: PriceWindow,
    regimes: BTreeMap<Tick, Option<Regime>>,
}

impl Past {
    /// Ticks of which the regime is kept.
    pub const TICKS: u64 = HORIZON_TICKS + 1;
    /// Looks before those that make every one of them exact.
    pub const LOOKS: usize = WINDOW;

    /// Takes an input in, oldest first.
    pub fn take(&mut self, input: &TickInput) {
        for observation in &input.observations {
            if let Observation::Sight(sight) = observation {
                self.window.push(sight.market.price);
            }
        }
        let is_look = |seen: &Observation| matches!(seen, Observation::Sight(_) | Observation::Blind);
        if input.observations.iter().any(is_look) {
            self.regimes.insert(input.tick, regime_in(&self.window));
        }
        self.regimes.retain(|tick, _| input.tick.since(*tick) <= Self::TICKS);
    }

    /// The regime of a tick; `None` when it was unknown, or is forgotten.
    #[must_use]
    pub fn regime_at(&self, tick: Tick) -> Option<Regime> {
        self.regimes.get(&tick).copied().flatten()
    }

    /// The last regime looked at before a tick.
    #[must_use]
    pub fn regime_before(&self, tick: Tick) -> Option<Regime> {
        self.regimes.range(..tick).next_back().and_then(|(_, regime)| *regime)
    }

    /// The regime now.
    #[must_use]
    pub fn regime(&self) -> Option<Regime> {
        regime_in(&self.window)
    }

    /// The regime once this price is seen too.
    #[must_use]
    pub fn regime_with(&self, price: golem_primitives::Usdc) -> Option<Regime> {
        let mut window = self.window.clone();
        window.push(price);
        regime_in(&window)
    }
}
