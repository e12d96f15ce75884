//! The state of the stochastic clock.

use golem_primitives::Tick;

use super::hazard::{Hazard, HazardLaw};
use super::roll::Roll;
use crate::score::Score;

/// M-101. What the clock knows after a check. The seed bytes are the id and the tick themselves, which the life holds.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StochasticClock {
    /// The last tick checked; zero before the first check, which is at tick 1.
    pub tick: Tick,
    pub hazard: Hazard,
    pub max_hazard: Hazard,
    /// M-099. The chance of having come this far.
    pub cumulative_survival: f64,
    pub last_roll: Option<Roll>,
    pub survived: bool,
}

impl StochasticClock {
    /// A clock before its first check.
    #[must_use]
    pub fn birth(law: &HazardLaw) -> Self {
        let hazard = law.hazard(Tick::ZERO, Score::HALF);
        Self { tick: Tick::ZERO, hazard, max_hazard: hazard, cumulative_survival: 1.0, last_roll: None, survived: true }
    }

    /// M-149. One check: hazard from age and fitness, against the roll.
    #[must_use]
    pub fn check(&self, law: &HazardLaw, tick: Tick, fitness: Score, roll: Roll) -> Self {
        let hazard = law.hazard(tick, fitness);
        Self {
            tick,
            hazard,
            max_hazard: if hazard > self.max_hazard { hazard } else { self.max_hazard },
            cumulative_survival: self.cumulative_survival * (1.0 - hazard.get()),
            last_roll: Some(roll),
            survived: roll.is_survived(hazard),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// M-099, M-101: before the first check nothing has been risked.
    #[test]
    fn m_101_a_newborn_has_risked_nothing_and_is_first_checked_at_tick_1() {
        let law = HazardLaw::DEFAULT;
        let clock = StochasticClock::birth(&law);
        assert_eq!(
            (clock.tick, clock.cumulative_survival, clock.last_roll, clock.survived),
            (Tick::ZERO, 1.0, None, true)
        );
        let checked = clock.check(&law, Tick::new(1), Score::HALF, Roll(u64::MAX));
        assert_eq!((checked.tick, checked.survived, checked.last_roll), (Tick::new(1), true, Some(Roll(u64::MAX))));
        assert_eq!(checked.cumulative_survival, 1.0 - checked.hazard.get());
        assert!(!clock.check(&law, Tick::new(1), Score::HALF, Roll(0)).survived);
    }

    proptest! {
        /// M-099: survival only falls.
        #[test]
        fn m_099_cumulative_survival_is_monotone(fitness in prop::collection::vec(0.0..=1.0f64, 1..50), start in 0u64..300_000) {
            let law = HazardLaw::DEFAULT;
            let mut clock = StochasticClock::birth(&law);
            for (age, fitness) in (start..).zip(fitness) {
                let next = clock.check(&law, Tick::new(age), Score::held(fitness), Roll(u64::MAX));
                prop_assert!(next.cumulative_survival < clock.cumulative_survival && next.cumulative_survival > 0.0);
                prop_assert!(next.max_hazard >= next.hazard && next.max_hazard >= clock.max_hazard);
                clock = next;
            }
        }
    }
}
