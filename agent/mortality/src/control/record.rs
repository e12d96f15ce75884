//! What would have happened to a Golem that cannot die (M-236).

use std::collections::VecDeque;

use golem_primitives::{Ppm, Tick};

/// What would have killed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WouldBeCause {
    /// Credits.
    Economic,
    /// Predictions.
    EpistemicSenescence,
    /// Chance.
    Stochastic,
}

/// Ticks of the mean.
const MEAN_TICKS: usize = 1_000;
/// Ticks of the slope.
const SLOPE_TICKS: usize = 2_000;

/// The record of an immortal life, updated in constant time. Fitness is kept in parts per million, so the running sums
/// are integers and never drift.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ControlRecord {
    first_death: Option<(Tick, WouldBeCause)>,
    deaths: u64,
    newest: Tick,
    crossings: u64,
    is_below: bool,
    fitness: VecDeque<u32>,
    /// Sum over the newest 1,000.
    mean_sum: u64,
    /// Sum over the newest 2,000, and sum of position times value.
    sum: u64,
    weighted: u128,
}

impl ControlRecord {
    /// Takes a tick: fitness, the senescence threshold, and the death check that would have fired, if one did. A tick
    /// that is not after the newest changes nothing.
    pub fn observe(&mut self, tick: Tick, fitness: Ppm, threshold: Ppm, death: Option<WouldBeCause>) {
        if tick <= self.newest {
            return;
        }
        self.newest = tick;
        if let Some(cause) = death {
            self.deaths = self.deaths.saturating_add(1);
            self.first_death.get_or_insert((tick, cause));
        }
        let below = fitness < threshold;
        self.crossings = self.crossings.saturating_add(u64::from(below && !self.is_below));
        self.is_below = below;
        self.push(fitness.get());
    }

    fn push(&mut self, value: u32) {
        if self.fitness.len() == SLOPE_TICKS
            && let Some(oldest) = self.fitness.pop_front()
        {
            // Every remaining value moves one position down.
            self.sum -= u64::from(oldest);
            self.weighted -= u128::from(self.sum);
        }
        if self.fitness.len() >= MEAN_TICKS {
            self.mean_sum -= u64::from(self.fitness[self.fitness.len() - MEAN_TICKS]);
        }
        self.weighted += self.fitness.len() as u128 * u128::from(value);
        self.sum += u64::from(value);
        self.mean_sum += u64::from(value);
        self.fitness.push_back(value);
    }

    /// Whether it would have died.
    #[must_use]
    pub const fn would_have_died(&self) -> bool {
        self.first_death.is_some()
    }

    /// When it would have died first, and of what.
    #[must_use]
    pub const fn first_death(&self) -> Option<(Tick, WouldBeCause)> {
        self.first_death
    }

    /// On how many ticks a death check fired.
    #[must_use]
    pub const fn deaths(&self) -> u64 {
        self.deaths
    }

    /// How many of its own first lives it has lived by now; `None` before the first death.
    #[must_use]
    pub fn lifetime_equivalents(&self) -> Option<f64> {
        self.first_death.map(|(tick, _)| self.newest.get() as f64 / tick.get() as f64)
    }

    /// How often fitness fell below the senescence threshold.
    #[must_use]
    pub const fn crossings(&self) -> u64 {
        self.crossings
    }

    /// Mean fitness of the newest 1,000 ticks; `None` before the first.
    #[must_use]
    pub fn mean_fitness(&self) -> Option<Ppm> {
        let count = self.fitness.len().min(MEAN_TICKS) as u64;
        (count > 0).then(|| Ppm::saturating((self.mean_sum + count / 2) / count))
    }

    /// Fitness gained per tick over the newest 2,000 ticks, by least squares; `None` before the second.
    #[must_use]
    pub fn fitness_slope(&self) -> Option<f64> {
        let n = self.fitness.len() as i128;
        if n < 2 {
            return None;
        }
        let positions = n * (n - 1) / 2;
        let squares = (n - 1) * n * (2 * n - 1) / 6;
        let above = n * self.weighted as i128 - positions * i128::from(self.sum);
        let below = n * squares - positions * positions;
        Some(above as f64 / below as f64 / f64::from(Ppm::ONE.get()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const THRESHOLD: Ppm = Ppm::of(350_000);

    #[test]
    fn m_236_the_first_would_be_death_is_kept_and_later_ones_counted() {
        // M-236.
        let mut record = ControlRecord::default();
        assert_eq!((record.would_have_died(), record.lifetime_equivalents()), (false, None));
        for t in 1..=3_000u64 {
            let death = (t == 1_000).then_some(WouldBeCause::Stochastic);
            let death = death.or((t > 2_000).then_some(WouldBeCause::EpistemicSenescence));
            record.observe(Tick::new(t), Ppm::of(500_000), THRESHOLD, death);
        }
        assert!(record.would_have_died());
        assert_eq!(record.first_death(), Some((Tick::new(1_000), WouldBeCause::Stochastic)));
        assert_eq!((record.deaths(), record.lifetime_equivalents()), (1_001, Some(3.0)));
    }

    #[test]
    fn m_236_crossings_count_falls_only_and_time_never_runs_back() {
        // M-236.
        let mut record = ControlRecord::default();
        for (t, parts) in [(1, 400_000), (2, 349_999), (3, 340_000), (4, 350_000), (5, 100_000), (5, 900_000), (4, 1)] {
            record.observe(Tick::new(t), Ppm::of(parts), THRESHOLD, None);
        }
        assert_eq!(record.crossings(), 2);
        assert_eq!(record.mean_fitness(), Some(Ppm::of(308_000)));
    }

    #[test]
    fn m_236_slope_and_mean_of_a_steady_decline() {
        // M-236: one part per tick.
        let mut record = ControlRecord::default();
        assert_eq!((record.mean_fitness(), record.fitness_slope()), (None, None));
        for t in 1..=10_000u32 {
            record.observe(Tick::new(u64::from(t)), Ppm::of(600_000 - t), THRESHOLD, None);
        }
        assert!((record.fitness_slope().expect("many") + 1e-6).abs() < 1e-18);
        assert_eq!(record.mean_fitness(), Some(Ppm::of(590_500)), "mean of 590,999 down to 590,000, rounded up");
    }

    proptest! {
        #[test]
        fn m_236_running_sums_are_those_of_the_windows(values in proptest::collection::vec(0u32..=1_000_000, 2_100..2_300)) {
            // M-236.
            let mut record = ControlRecord::default();
            for (t, value) in values.iter().enumerate() {
                record.observe(Tick::new(t as u64 + 1), Ppm::of(*value), THRESHOLD, None);
            }
            let window = &values[values.len() - 2_000..];
            let mean_x = 1_999.0 / 2.0;
            let mean_y = window.iter().map(|v| f64::from(*v)).sum::<f64>() / 2_000.0;
            let (mut above, mut below) = (0.0, 0.0);
            for (x, y) in window.iter().enumerate() {
                above += (x as f64 - mean_x) * (f64::from(*y) - mean_y);
                below += (x as f64 - mean_x) * (x as f64 - mean_x);
            }
            prop_assert!((record.fitness_slope().expect("many") - above / below / 1e6).abs() < 1e-15);
            let newest: u64 = values[values.len() - 1_000..].iter().map(|v| u64::from(*v)).sum();
            prop_assert_eq!(record.mean_fitness(), Some(Ppm::saturating((newest + 500) / 1_000)));
        }
    }
}
