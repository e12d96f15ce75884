//! The state of the epistemic clock and one tick of it.

use golem_primitives::{Ppm, Tick};

use super::domain::{DomainFitness, Matches, default_alphas};
use super::proxy::TradeRecord;
use super::senescence::{Senescence, SenescenceLaw, StageChange};
use super::window::{FitnessWindow, Pair};
use crate::ring::Ring;
use crate::score::Score;

/// Numbers of the epistemic clock.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EpistemicLaw {
    /// M-053. Pace of the rolling fitness.
    pub alpha: Score,
    /// M-052. Pairs needed for a reading.
    pub minimum_pairs: u32,
    /// M-054. Ticks after which a pair no longer counts.
    pub window_ticks: u64,
    /// M-056. Fitness below which a warning is given.
    pub warning: Ppm,
    pub senescence: SenescenceLaw,
    /// M-059. Pace of each domain's fitness.
    pub domain_alphas: [Score; 5],
    pub source: FitnessSource,
}

/// Where the score of a tick comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FitnessSource {
    /// R² of predictions against outcomes.
    Predictions,
    /// M-066. The share of profitable trades, when no oracle is configured.
    Trades,
}

impl Default for EpistemicLaw {
    fn default() -> Self {
        Self {
            alpha: Score::held(0.01),
            minimum_pairs: 10,
            window_ticks: 2_000,
            warning: Ppm::of(500_000),
            senescence: SenescenceLaw::DEFAULT,
            domain_alphas: default_alphas(),
            source: FitnessSource::Predictions,
        }
    }
}

/// What the clock is told in a tick.
#[derive(Debug, Clone, Copy, Default)]
pub struct EpistemicFacts<'a> {
    /// M-076. Pairs resolved in this tick.
    pub pairs: &'a [Pair],
    /// M-081. Trades closed in this tick, each profitable or not.
    pub trades: &'a [bool],
    /// M-057. Which domains the tick's market prediction got right.
    pub matches: Option<Matches>,
    /// M-065, MG-02. What fast pruning takes from the score, see [`erosion`].
    pub erosion: Ppm,
    /// M-090. Too few ticks of this regime are known: degradation is logged but adds no pressure.
    pub is_novel_regime: bool,
}

/// What a tick of the clock brought.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpistemicTick {
    /// The score of the window after erosion, if there were enough pairs.
    pub score: Option<Score>,
    /// M-090. Whether a fall was withheld because the regime is new.
    pub withheld: bool,
    pub change: Option<StageChange>,
    /// M-061. Domains that began to fail.
    pub failed: [bool; 5],
}

/// M-053 to M-063. What a Golem knows of its own understanding.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct EpistemicClock {
    window: FitnessWindow,
    trades: TradeRecord,
    fitness: Fitness,
    domains: DomainFitness,
    senescence: Senescence,
    history: Ring<Score, { EpistemicClock::TREND_TICKS }>,
    peak: Fitness,
    peak_tick: Tick,
    last_correct: Option<Tick>,
}

/// A fitness that starts at one half.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
struct Fitness(Score);

impl Default for Fitness {
    fn default() -> Self {
        Self(Score::HALF)
    }
}

impl EpistemicClock {
    /// M-062. Ticks the trend looks back.
    pub const TREND_TICKS: usize = 100;

    /// A clock that starts at a given fitness instead of one half: a Golem that continues elsewhere, or a trace.
    #[must_use]
    pub fn starting_at(fitness: Score) -> Self {
        Self { fitness: Fitness(fitness), peak: Fitness(fitness), ..Self::default() }
    }

    /// M-147. One tick: take in what was learned, move the fitness, look at the thresholds.
    pub fn tick(&mut self, law: &EpistemicLaw, tick: Tick, facts: &EpistemicFacts<'_>) -> EpistemicTick {
        self.window.evict(tick, law.window_ticks);
        for pair in facts.pairs {
            self.window.push(tick, *pair);
        }
        for profitable in facts.trades {
            self.trades.note(*profitable);
        }
        // By what fitness is measured by: a level of the market that was read right is no understanding that it dies for.
        let is_right = match law.source {
            FitnessSource::Predictions => facts.pairs.iter().any(|pair| pair.predicted() * pair.actual() > 0.0),
            FitnessSource::Trades => facts.trades.contains(&true),
        };
        if is_right {
            self.last_correct = Some(tick);
        }
        let failed = facts.matches.map_or([false; 5], |matches| self.observe_domains(law, matches));
        let score = self.score(law).map(|score| erode(score, facts.erosion));
        let withheld = facts.is_novel_regime && score.is_some_and(|score| score < self.fitness.0);
        self.history.push(self.fitness.0);
        if let (Some(score), false) = (score, withheld) {
            self.fitness = Fitness(self.fitness.0.toward(score, law.alpha));
        }
        if self.fitness.0 > self.peak.0 {
            self.peak = self.fitness;
            self.peak_tick = tick;
        }
        let change = self.senescence.observe(&law.senescence, self.fitness.0.ppm());
        EpistemicTick { score, withheld, change, failed }
    }

    /// The score of the configured source now.
    #[must_use]
    pub fn score(&self, law: &EpistemicLaw) -> Option<Score> {
        match law.source {
            FitnessSource::Predictions => self.window.r_squared(law.minimum_pairs as usize),
            FitnessSource::Trades => self.trades.fitness(),
        }
    }

    /// M-053. The rolling fitness.
    #[must_use]
    pub const fn fitness(&self) -> Score {
        self.fitness.0
    }

    /// M-062. Fitness now less fitness 100 ticks ago; `None` in the first hundred.
    #[must_use]
    pub fn trend(&self) -> Option<f64> {
        let then = if self.history.is_full() { self.history.oldest() } else { None };
        then.map(|then| self.fitness.0.get() - then.get())
    }

    /// M-063. The best fitness and its tick.
    #[must_use]
    pub const fn peak(&self) -> (Score, Tick) {
        (self.peak.0, self.peak_tick)
    }

    /// M-063. The last tick at which something that fitness is measured by came out right: on the side of the usual that was
    /// said, or a trade that was won.
    #[must_use]
    pub const fn last_correct(&self) -> Option<Tick> {
        self.last_correct
    }

    /// M-060, M-061. Fitness by domain.
    #[must_use]
    pub const fn domains(&self) -> &DomainFitness {
        &self.domains
    }

    /// M-067 to M-070.
    #[must_use]
    pub const fn senescence(&self) -> &Senescence {
        &self.senescence
    }

    /// Pairs in the window (M-108 shows as fewer of them).
    #[must_use]
    pub const fn pairs(&self) -> usize {
        self.window.len()
    }

    /// Returns the domains that began to fail.
    fn observe_domains(&mut self, law: &EpistemicLaw, matches: Matches) -> [bool; 5] {
        let before = self.domains.failing();
        self.domains = self.domains.observe(matches, &law.domain_alphas);
        let after = self.domains.failing();
        std::array::from_fn(|domain| after[domain] && !before[domain])
    }
}

/// M-065, MG-02. The share of the Grimoire lost to pruning in the last 500 ticks; no Grimoire, no loss.
#[must_use]
pub fn erosion(archived: u32, active_at_start: u32) -> Ppm {
    match u64::from(active_at_start) {
        0 => Ppm::ZERO,
        active => Ppm::saturating(u64::from(archived) * 1_000_000 / active),
    }
}

/// MG-02. At most a fifth of the score is lost to pruning.
fn erode(score: Score, erosion: Ppm) -> Score {
    Score::held(score.get() * (1.0 - 0.2 * erosion.as_f64()))
}

#[cfg(test)]
#[path = "tests/clock.rs"]
mod tests;
