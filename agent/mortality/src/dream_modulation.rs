//! How the clocks shape dreaming (section 10 of the catalogue).

use golem_primitives::{Ppm, Tick};

use crate::phase::Phase;

/// Projected ticks to live below which dreams come twice as often: 72 hours.
const FREQUENT_TICKS: u64 = 72 * Tick::PER_HOUR;
/// Below which they only consolidate: 24 hours.
const CONSOLIDATE_TICKS: u64 = 24 * Tick::PER_HOUR;
/// Below which there are none: 6 hours.
const NO_DREAM_TICKS: u64 = 6 * Tick::PER_HOUR;
/// Fitness below which predictions that went wrong are replayed first.
const DIVERGENT_FITNESS: Ppm = Ppm::of(500_000);
/// Shares of the reference lifespan, in percent, above which dreams serve the legacy: some, then all.
const LEGACY_PERCENT: (u128, u128) = (70, 85);

/// What the clocks say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DreamSignals {
    /// Ticks the credits last; `None` where the economic clock is off.
    pub projected_ticks: Option<u64>,
    pub fitness: Ppm,
    pub tick: Tick,
    /// Ticks by which age is measured; the age factor stands where a Hayflick ratio once stood (C-22).
    pub reference_lifespan: u64,
    pub phase: Phase,
}

/// How much dreams serve those who come after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LegacyFocus {
    None,
    Bias,
    Full,
}

/// What dreaming becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DreamModulation {
    /// How many times as often; zero is never.
    pub frequency: u32,
    /// Whether dreams only consolidate.
    pub consolidation_only: bool,
    pub divergent_first: bool,
    pub legacy: LegacyFocus,
}

impl DreamModulation {
    /// M-141, M-142, M-143, M-145. All edges are exclusive, and Terminal outranks every clock.
    #[must_use]
    pub fn of(signals: &DreamSignals) -> Self {
        let left = signals.projected_ticks.unwrap_or(u64::MAX);
        let frequency = match left {
            _ if signals.phase == Phase::Terminal => 0,
            left if left < NO_DREAM_TICKS => 0,
            left if left < FREQUENT_TICKS => 2,
            _ => 1,
        };
        let older_than =
            |percent: u128| u128::from(signals.tick.get()) * 100 > percent * u128::from(signals.reference_lifespan);
        let legacy = if older_than(LEGACY_PERCENT.1) {
            LegacyFocus::Full
        } else if older_than(LEGACY_PERCENT.0) {
            LegacyFocus::Bias
        } else {
            LegacyFocus::None
        };
        Self {
            frequency,
            consolidation_only: left < CONSOLIDATE_TICKS,
            divergent_first: signals.fitness < DIVERGENT_FITNESS,
            legacy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: DreamSignals = DreamSignals {
        projected_ticks: Some(100_000),
        fitness: Ppm::of(600_000),
        tick: Tick::new(1_000),
        reference_lifespan: 200_000,
        phase: Phase::Stable,
    };

    #[test]
    fn m_141_w_105_the_nearer_the_end_of_credits_the_more_then_the_less() {
        // M-141, W-105: 72 h = 6,480 ticks, 24 h = 2,160, 6 h = 540.
        for (left, frequency, consolidation_only) in [
            (Some(6_480), 1, false),
            (Some(6_479), 2, false),
            (Some(2_160), 2, false),
            (Some(2_159), 2, true),
            (Some(540), 2, true),
            (Some(539), 0, true),
            (Some(0), 0, true),
            (None, 1, false),
        ] {
            let dream = DreamModulation::of(&DreamSignals { projected_ticks: left, ..SOUND });
            assert_eq!((dream.frequency, dream.consolidation_only), (frequency, consolidation_only), "{left:?}");
        }
    }

    #[test]
    fn m_142_poor_fitness_replays_what_went_wrong_first() {
        // M-142.
        for (parts, first) in [(500_000, false), (499_999, true)] {
            let dream = DreamModulation::of(&DreamSignals { fitness: Ppm::of(parts), ..SOUND });
            assert_eq!(dream.divergent_first, first, "{parts}");
        }
    }

    #[test]
    fn m_143_w_105_age_turns_dreams_towards_the_legacy() {
        // M-143, W-105, C-22: ages 0.70 and 0.85 are ticks 140,000 and 170,000.
        for (tick, legacy) in [
            (140_000, LegacyFocus::None),
            (140_001, LegacyFocus::Bias),
            (170_000, LegacyFocus::Bias),
            (170_001, LegacyFocus::Full),
            (u64::MAX, LegacyFocus::Full),
        ] {
            let dream = DreamModulation::of(&DreamSignals { tick: Tick::new(tick), ..SOUND });
            assert_eq!(dream.legacy, legacy, "{tick}");
        }
        // W-105: 200,000 ticks are 92.59 days.
        assert_eq!(SOUND.reference_lifespan * 100 / Tick::PER_DAY, 9_259);
    }

    #[test]
    fn m_145_terminal_ends_all_dreaming() {
        // M-145.
        for projected_ticks in [None, Some(6_000), Some(u64::MAX)] {
            let dream = DreamModulation::of(&DreamSignals { phase: Phase::Terminal, projected_ticks, ..SOUND });
            assert_eq!(dream.frequency, 0, "{projected_ticks:?}");
        }
    }
}
