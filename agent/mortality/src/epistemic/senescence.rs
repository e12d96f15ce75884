//! The stages of senescence.

use golem_primitives::Ppm;

/// Where a Golem stands on the way to an epistemic death.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SenescenceStage {
    #[default]
    Sound,
    /// M-067. Below the threshold, within the grace.
    Warning,
    /// M-068. Still below after the grace: senescent.
    Confirmed,
}

/// Thresholds of senescence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SenescenceLaw {
    /// Fitness below which a Golem is warned.
    pub threshold: Ppm,
    /// Ticks below it before senescence is confirmed.
    pub grace_ticks: u64,
    /// What fitness must exceed above the threshold to recover from confirmed senescence.
    pub recovery_margin: Ppm,
}

impl SenescenceLaw {
    /// 0.35, 500 ticks, recovery above 0.45.
    pub const DEFAULT: Self = Self { threshold: Ppm::of(350_000), grace_ticks: 500, recovery_margin: Ppm::of(100_000) };
}

/// What changed in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageChange {
    /// Fitness fell below the threshold.
    Entered,
    Confirmed,
    Recovered,
}

/// Stage and count of ticks in it, Stage 1 and Stage 2 together (M-160).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Senescence {
    stage: SenescenceStage,
    ticks_below: u64,
}

impl Senescence {
    /// The stage.
    #[must_use]
    pub const fn stage(&self) -> SenescenceStage {
        self.stage
    }

    /// M-063. Ticks spent below the threshold since the warning.
    #[must_use]
    pub const fn ticks_below(&self) -> u64 {
        self.ticks_below
    }

    /// M-068. Whether senescence is confirmed.
    #[must_use]
    pub const fn is_senescent(&self) -> bool {
        matches!(self.stage, SenescenceStage::Confirmed)
    }

    /// M-067 to M-070. One tick at `fitness`. The count is looked at before it is raised, so the 501st consecutive tick
    /// confirms (W-79).
    pub fn observe(&mut self, law: &SenescenceLaw, fitness: Ppm) -> Option<StageChange> {
        if fitness < law.threshold {
            let before = self.ticks_below;
            self.ticks_below = before.saturating_add(1);
            return match self.stage {
                SenescenceStage::Sound => {
                    self.stage = SenescenceStage::Warning;
                    Some(StageChange::Entered)
                }
                SenescenceStage::Warning if before >= law.grace_ticks => {
                    self.stage = SenescenceStage::Confirmed;
                    Some(StageChange::Confirmed)
                }
                SenescenceStage::Warning | SenescenceStage::Confirmed => None,
            };
        }
        let recovers = match self.stage {
            SenescenceStage::Sound => false,
            SenescenceStage::Warning => true,
            // M-070: between the threshold and the margin stage and count stand still.
            SenescenceStage::Confirmed => fitness > law.threshold.saturating_add(law.recovery_margin),
        };
        if recovers {
            *self = Self::default();
        }
        recovers.then_some(StageChange::Recovered)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LAW: SenescenceLaw = SenescenceLaw::DEFAULT;

    fn confirmed() -> Senescence {
        let mut golem = Senescence::default();
        for _ in 0..501 {
            golem.observe(&LAW, Ppm::of(300_000));
        }
        golem
    }

    /// M-067, M-068, M-070: W-79.
    #[test]
    fn m_068_the_501st_tick_below_confirms_w_79() {
        let mut golem = Senescence::default();
        for tick in 1..=600 {
            let change = golem.observe(&LAW, Ppm::of(300_000));
            let expected = match tick {
                1 => Some(StageChange::Entered),
                501 => Some(StageChange::Confirmed),
                _ => None,
            };
            assert_eq!(change, expected, "W-79 tick {tick}");
            let stage = if tick < 501 { SenescenceStage::Warning } else { SenescenceStage::Confirmed };
            assert_eq!((golem.stage(), golem.ticks_below()), (stage, tick), "W-79 tick {tick}");
            assert_eq!(golem.is_senescent(), tick >= 501);
        }
    }

    /// M-067, M-068, M-070, C-47.
    #[test]
    fn m_070_recovery_from_stage_2_needs_more_than_0_45_and_stands_still_below() {
        for (parts, recovers) in
            [(350_000, false), (400_000, false), (449_000, false), (450_000, false), (460_000, true)]
        {
            let mut golem = confirmed();
            let change = golem.observe(&LAW, Ppm::of(parts));
            assert_eq!(change == Some(StageChange::Recovered), recovers, "W-79 {parts}");
            let after = if recovers { (SenescenceStage::Sound, 0) } else { (SenescenceStage::Confirmed, 501) };
            assert_eq!((golem.stage(), golem.ticks_below()), after, "{parts}");
        }
        // M-067: from Stage 1 the threshold itself clears and zeroes the count.
        let mut golem = Senescence::default();
        golem.observe(&LAW, Ppm::of(349_999));
        assert_eq!(golem.observe(&LAW, Ppm::of(350_000)), Some(StageChange::Recovered), "W-79");
        assert_eq!(golem, Senescence::default());
    }

    proptest! {
        /// M-068: nothing confirms before the grace is over.
        #[test]
        fn m_068_no_one_is_senescent_within_the_grace(fitness in prop::collection::vec(0u32..=1_000_000, 0..500)) {
            let mut golem = Senescence::default();
            for parts in fitness {
                golem.observe(&LAW, Ppm::of(parts));
                prop_assert!(!golem.is_senescent());
            }
        }
    }
}
