//! What a simulated Golem believes of its market, and what it keeps of it.
//!
//! It learns the meaning of the signal by least squares, and forgets at a pace it was born with: some minds turn quickly
//! and are easily misled, some are steady and stiff. Both populations begin with the same minds. A successor thinks
//! almost as its predecessor did, so among mortals the pace that fits the market can spread; among immortals it cannot.
//! Whether that is worth the deaths is what the simulation asks.

use rand_chacha::ChaCha8Rng;

use crate::market::{MarketTick, Purpose, SimulatedRegime, bell, stream, unit};

/// What a mind remembers of a regime it lived through.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    regime: SimulatedRegime,
    slope: f64,
    tick: u64,
}

/// Ticks after which the quickest mind has forgotten half.
const QUICKEST: f64 = 100.0;
/// The same of the stiffest.
const STIFFEST: f64 = 8_000.0;
/// The least weight a belief is divided by, so that a first glance does not decide.
const PRIOR: f64 = 4.0;
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
    half_life: f64,
    keeps: f64,
    entries: Vec<Entry>,
    ticks_in_regime: u64,
    is_aging: bool,
    /// Entries no earlier entry said.
    pub(crate) novel: u64,
}

impl Mind {
    /// A mind that knows nothing. `is_aging` says whether its knowledge decays (it does not in the control, C-30).
    pub(crate) fn new(seed: u64, member: u64, is_aging: bool) -> Self {
        let mut rng = stream(seed, Purpose::Sight, member);
        let half_life = QUICKEST * libm::exp2(unit(&mut rng) * libm::log2(STIFFEST / QUICKEST));
        Self {
            rng,
            products: 0.0,
            squares: 4.0,
            half_life,
            keeps: libm::exp2(-1.0 / half_life),
            entries: Vec::new(),
            ticks_in_regime: 0,
            is_aging,
            novel: 0,
        }
    }

    /// The mind of a successor: belief kept at 0.85 of its weight but never more than a few hundred ticks' worth, the
    /// newer half of what was written down.
    pub(crate) fn inherit(&self, seed: u64, member: u64) -> Self {
        let keep = (0.85 * self.squares).min(40.0) / self.squares.max(f64::MIN_POSITIVE);
        let newer = self.entries.len() / 2;
        let mut heir = Self::new(seed, member, self.is_aging);
        let drift = libm::exp2(unit(&mut heir.rng) - 0.5);
        let half_life = (self.half_life * drift).clamp(QUICKEST, STIFFEST);
        Self {
            products: self.products * keep,
            squares: self.squares * keep,
            entries: self.entries[newer..].to_vec(),
            ticks_in_regime: self.ticks_in_regime,
            half_life,
            keeps: libm::exp2(-1.0 / half_life),
            ..heir
        }
    }

    /// What it believes the signal means.
    pub(crate) fn slope(&self) -> f64 {
        self.products / self.squares.max(PRIOR)
    }

    /// What it sees of a tick, what it expects, and what it makes of the truth afterwards.
    pub(crate) fn live(&mut self, market: &MarketTick, tick: u64, learns: bool) -> f64 {
        let seen = (market.signal + 0.1 * bell(&mut self.rng)).clamp(-1.0, 1.0);
        let predicted = self.slope() * seen;
        if learns {
            self.products = self.keeps * self.products + seen * market.return_;
            self.squares = self.keeps * self.squares + seen * seen;
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

    fn write_down(&mut self, regime: SimulatedRegime, tick: u64) {
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
    use crate::market::SeededMarket;

    #[test]
    fn a_quick_mind_turns_before_a_stiff_one() {
        let tick = |slope: f64, at: u64| {
            let signal = if at.is_multiple_of(2) { 1.0 } else { -0.5 };
            MarketTick { signal, return_: slope * signal, regime: SimulatedRegime::Trending, slope, is_new: false }
        };
        let slopes = [QUICKEST, STIFFEST].map(|half_life| {
            let mut mind = Mind { half_life, keeps: libm::exp2(-1.0 / half_life), ..Mind::new(1, 1, false) };
            for at in 1..=2_000 {
                mind.live(&tick(0.01, at), at, true);
            }
            for at in 2_001..=2_300 {
                mind.live(&tick(-0.01, at), at, true);
            }
            mind.slope()
        });
        assert!(slopes[0] < -0.005 && slopes[1] > 0.005, "{slopes:?}");
    }

    #[test]
    fn knowledge_is_written_down_once_a_regime_is_understood_and_half_is_inherited() {
        let mut mind = Mind::new(3, 1, true);
        for (tick, market) in (1..).zip(SeededMarket::new(3, 400).take(6_000)) {
            mind.live(&market, tick, true);
        }
        assert!(mind.novel > 0 && !mind.entries.is_empty());
        let heir = mind.inherit(3, 2);
        assert_eq!(heir.entries.len(), mind.entries.len() - mind.entries.len() / 2);
        assert!((heir.slope() - mind.slope()).abs() < 1e-12 && heir.squares < mind.squares);
    }
}
