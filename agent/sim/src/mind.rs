//! What a simulated Golem believes of its market, and what it keeps of it.
//!
//! It learns the meaning of the signal by least squares over all it has seen. Nothing is forgotten within a life, so an
//! old mind is a stiff one: this is the mechanism by which mortality could help, and it is the same for both populations.

use rand_chacha::ChaCha8Rng;

use crate::market::{MarketTick, Purpose, Regime, bell, stream};

/// What a mind remembers of a regime it lived through.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    regime: Regime,
    slope: f64,
    tick: u64,
}

/// Entries kept at most.
const ENTRIES: usize = 500;
/// Ticks in a regime before it is understood well enough to be written down.
const UNDERSTOOD: u64 = 200;
/// How far a remembered slope may be off, as a share of the true one.
const STILL_TRUE: f64 = 0.35;
/// M-256's place: ticks after which what was not confirmed is archived, where knowledge ages at all.
const ARCHIVED: u64 = 8_000;

/// A mind.
#[derive(Debug, Clone)]
pub(crate) struct Mind {
    rng: ChaCha8Rng,
    products: f64,
    squares: f64,
    entries: Vec<Entry>,
    ticks_in_regime: u64,
    is_aging: bool,
    /// Entries no earlier entry said.
    pub(crate) novel: u64,
}

impl Mind {
    /// A mind that knows nothing. `is_aging` says whether its knowledge decays (it does not in the control, C-30).
    pub(crate) fn new(seed: u64, member: u64, is_aging: bool) -> Self {
        Self {
            rng: stream(seed, Purpose::Sight, member),
            products: 0.0,
            squares: 4.0,
            entries: Vec::new(),
            ticks_in_regime: 0,
            is_aging,
            novel: 0,
        }
    }

    /// The mind of a successor: belief kept at 0.85 of its weight but never more than a few hundred ticks' worth, the
    /// newer half of what was written down.
    pub(crate) fn inherit(&self, seed: u64, member: u64) -> Self {
        let keep = (0.85 * self.squares).min(40.0) / self.squares;
        let newer = self.entries.len() / 2;
        Self {
            products: self.products * keep,
            squares: self.squares * keep,
            entries: self.entries[newer..].to_vec(),
            ticks_in_regime: self.ticks_in_regime,
            ..Self::new(seed, member, self.is_aging)
        }
    }

    /// What it believes the signal means.
    pub(crate) fn slope(&self) -> f64 {
        self.products / self.squares
    }

    /// What it sees of a tick, what it expects, and what it makes of the truth afterwards.
    pub(crate) fn live(&mut self, market: &MarketTick, tick: u64, learns: bool) -> f64 {
        let seen = (market.signal + 0.1 * bell(&mut self.rng)).clamp(-1.0, 1.0);
        let predicted = self.slope() * seen;
        if learns {
            self.products += seen * market.return_;
            self.squares += seen * seen;
        }
        self.ticks_in_regime = if market.is_new { 0 } else { self.ticks_in_regime + 1 };
        if self.ticks_in_regime == UNDERSTOOD {
            self.write_down(market.regime, tick);
        }
        if self.is_aging && tick.is_multiple_of(50) {
            self.entries.retain(|entry| tick.saturating_sub(entry.tick) <= ARCHIVED);
        }
        predicted
    }

    fn write_down(&mut self, regime: Regime, tick: u64) {
        let slope = self.slope();
        let known = self.entries.iter().any(|entry| entry.regime == regime && is_near(entry.slope, slope));
        self.novel += u64::from(!known);
        if self.entries.len() == ENTRIES {
            self.entries.remove(0);
        }
        self.entries.push(Entry { regime, slope, tick });
    }

    /// The share of entries on the present regime that are still true; `None` when it has none.
    pub(crate) fn health(&self, market: &MarketTick) -> Option<f64> {
        let on_topic: Vec<&Entry> = self.entries.iter().filter(|entry| entry.regime == market.regime).collect();
        let still_true = on_topic.iter().filter(|entry| is_near(entry.slope, market.slope)).count();
        (!on_topic.is_empty()).then(|| still_true as f64 / on_topic.len() as f64)
    }
}

fn is_near(slope: f64, truth: f64) -> bool {
    (slope - truth).abs() <= STILL_TRUE * truth.abs().max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::market::Market;

    #[test]
    fn a_young_mind_turns_faster_than_an_old_one() {
        let tick = |slope: f64, signal: f64| MarketTick {
            signal,
            return_: slope * signal,
            regime: Regime::Trending,
            slope,
            is_new: false,
        };
        let mut minds = [50u64, 5_000].map(|age| {
            let mut mind = Mind::new(1, 1, false);
            for at in 1..=age {
                mind.live(&tick(0.01, if at % 2 == 0 { 1.0 } else { -0.5 }), at, true);
            }
            mind
        });
        for mind in &mut minds {
            for at in 1..=200u64 {
                mind.live(&tick(-0.01, if at % 2 == 0 { 1.0 } else { -0.5 }), at, true);
            }
        }
        assert!(minds[0].slope() < 0.0 && minds[1].slope() > 0.005, "{} {}", minds[0].slope(), minds[1].slope());
    }

    #[test]
    fn knowledge_is_written_down_once_a_regime_is_understood_and_half_is_inherited() {
        let mut mind = Mind::new(3, 1, true);
        for (tick, market) in (1..).zip(Market::new(3, 400).take(6_000)) {
            mind.live(&market, tick, true);
        }
        assert!(mind.novel > 0 && !mind.entries.is_empty());
        let heir = mind.inherit(3, 2);
        assert_eq!(heir.entries.len(), mind.entries.len() - mind.entries.len() / 2);
        assert!((heir.slope() - mind.slope()).abs() < 1e-12 && heir.squares < mind.squares);
    }
}
