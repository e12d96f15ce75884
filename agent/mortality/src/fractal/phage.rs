//! Phages: one hypothesis, a short life, a report. What one tries and how it is judged is the hand's.

use std::collections::BTreeMap;

/// M-243, M-249. How phages live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PhageLaw {
    /// Looks one lives.
    pub lifetime: u64,
    /// Phages a day while Stable; none turns them off.
    pub daily_rate: u32,
    /// I-192. Whether the owner wants replicants too.
    pub replicants: bool,
}

impl Default for PhageLaw {
    fn default() -> Self {
        Self { lifetime: 50, daily_rate: 2, replicants: false }
    }
}

/// The rate that the phases' table was written for (C-31: 3, 2, 1, 1, 0 a day from Thriving to Terminal).
const TABLE_RATE: u32 = 2;
/// M-294. The most a day, whatever is felt.
const MOST_A_DAY: u32 = 20;

impl PhageLaw {
    /// I-192. Replicants of one parent at a time.
    pub const REPLICANTS: usize = 5;
    /// I-192. Seconds between two replicants.
    pub const REPLICANT_SECONDS: u64 = 3_600;
    /// I-193. Looks a replicant lives.
    pub const REPLICANT_LIFE: u64 = 1_440;

    /// Phages allowed today, from the phase's rate: scaled as the owner's rate is to the table's and by how much is explored
    /// rounded up, so that a phase that allows some allows one; no phase that allows none is overruled (M-248).
    #[must_use]
    pub fn daily_allowance(&self, phase_rate: u32, exploration: f64) -> u32 {
        let plain = f64::from(phase_rate.saturating_mul(self.daily_rate)) / f64::from(TABLE_RATE);
        // `as` saturates and sends NaN to zero.
        (libm::ceil(plain * exploration - 1e-9) as u32).min(MOST_A_DAY)
    }
}

/// M-244. How phages ended: a hypothesis that fell is a death with a cause, one that held is a survival.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FailureTally {
    survivals: u64,
    deaths: u64,
    causes: BTreeMap<String, u64>,
}

/// Share of phages that died from which death is common. The sources say high and low; the edge is ours.
const COMMON_DEATH: f64 = 0.5;
/// Diversity from which failures are varied. The sources say diverse and narrow; the edge is ours.
const VARIED: f64 = 0.5;
/// Reports before a pattern is believed; fewer are chance.
const FEWEST_REPORTS: u64 = 5;

/// M-245. What the pattern of phages says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhageHealth {
    /// Too few reports to say.
    #[default]
    Unknown,
    /// Many die of many causes: ideas are tested for real.
    Healthy,
    /// Few die, of many causes: complacency.
    Complacent,
    /// Few die, always of the same: stagnation.
    Stagnant,
    /// Many die of the same cause: the model of the world is broken, and senescence is nearer.
    SystemicFailure,
}

/// M-246. What is done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PhageRemedy {
    None,
    /// The Curator runs out of turn and arousal rises.
    CuratorAndArousal,
    MoreVaried,
    RandomHypotheses,
}

impl FailureTally {
    /// A phage whose hypothesis held.
    pub fn record_survival(&mut self) {
        self.survivals = self.survivals.saturating_add(1);
    }

    /// A phage whose hypothesis fell, with the cause.
    pub fn record_death(&mut self, cause: &str) {
        self.deaths = self.deaths.saturating_add(1);
        *self.causes.entry(cause.to_owned()).or_insert(0) += 1;
    }

    /// M-247. Shannon entropy of the causes over the logarithm of their number; one cause or none is zero.
    #[must_use]
    pub fn diversity(&self) -> f64 {
        if self.causes.len() < 2 {
            return 0.0;
        }
        let total = self.deaths as f64;
        let entropy: f64 = self
            .causes
            .values()
            .map(|count| {
                let share = *count as f64 / total;
                -share * libm::log(share)
            })
            .sum();
        (entropy / libm::log(self.causes.len() as f64)).clamp(0.0, 1.0)
    }

    /// M-245. What the reports say together.
    #[must_use]
    pub fn health(&self) -> PhageHealth {
        let reports = self.survivals.saturating_add(self.deaths);
        if reports < FEWEST_REPORTS {
            return PhageHealth::Unknown;
        }
        let is_common = self.deaths as f64 / reports as f64 >= COMMON_DEATH;
        match (is_common, self.diversity() >= VARIED) {
            (true, true) => PhageHealth::Healthy,
            (true, false) => PhageHealth::SystemicFailure,
            (false, true) => PhageHealth::Complacent,
            (false, false) => PhageHealth::Stagnant,
        }
    }
}

impl PhageHealth {
    /// M-246. What is done about it.
    #[must_use]
    pub const fn remedy(self) -> PhageRemedy {
        match self {
            Self::Unknown | Self::Healthy => PhageRemedy::None,
            Self::SystemicFailure => PhageRemedy::CuratorAndArousal,
            Self::Complacent => PhageRemedy::MoreVaried,
            Self::Stagnant => PhageRemedy::RandomHypotheses,
        }
    }

    /// M-244, M-245. Whether the phages warn that the model of the world fails, before fitness shows it.
    #[must_use]
    pub const fn warns_of_senescence(self) -> bool {
        matches!(self, Self::SystemicFailure)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tally(survivals: u64, causes: &[&str]) -> FailureTally {
        let mut tally = FailureTally::default();
        (0..survivals).for_each(|_| tally.record_survival());
        causes.iter().for_each(|cause| tally.record_death(cause));
        tally
    }

    #[test]
    fn m_244_failing_phages_warn_early() {
        // M-244: the same hypothesis about the volatility regime falls again and again.
        let failing = tally(1, &["volatility regime"; 6]).health();
        assert!(failing.warns_of_senescence());
        assert!(!tally(6, &["stop-loss"]).health().warns_of_senescence());
    }

    #[test]
    fn m_245_the_pattern_of_deaths_is_the_health_of_ideas() {
        // M-245.
        for (tally, health) in [
            (tally(2, &["range", "regime", "stop"]), PhageHealth::Healthy),
            (tally(9, &["range", "regime"]), PhageHealth::Complacent),
            (tally(9, &["range"]), PhageHealth::Stagnant),
            (tally(9, &[]), PhageHealth::Stagnant),
            (tally(0, &["regime"; 5]), PhageHealth::SystemicFailure),
            (tally(1, &["range", "regime", "stop"]), PhageHealth::Unknown),
        ] {
            assert_eq!(tally.health(), health, "{tally:?}");
        }
    }

    #[test]
    fn m_246_each_pattern_has_its_remedy() {
        // M-246.
        for (health, remedy) in [
            (PhageHealth::Healthy, PhageRemedy::None),
            (PhageHealth::Unknown, PhageRemedy::None),
            (PhageHealth::SystemicFailure, PhageRemedy::CuratorAndArousal),
            (PhageHealth::Complacent, PhageRemedy::MoreVaried),
            (PhageHealth::Stagnant, PhageRemedy::RandomHypotheses),
        ] {
            assert_eq!(health.remedy(), remedy);
        }
    }

    #[test]
    fn m_247_w_100_diversity_of_the_worked_failures() {
        // M-247, W-100.
        for (causes, diversity) in
            [(["a", "a", "a", "a"], 0.0), (["a", "b", "c", "d"], 1.0), (["a", "a", "a", "b"], 0.811_278_124)]
        {
            assert!((tally(0, &causes).diversity() - diversity).abs() < 1e-9, "{causes:?}");
        }
        assert_eq!(FailureTally::default().diversity(), 0.0);
    }

    #[test]
    fn m_248_fewer_phages_in_worse_phases_and_none_in_terminal() {
        // M-243, M-248, M-252, C-31: from Thriving to Terminal, at the default and at other rates of the owner.
        let allowances = |daily_rate, exploration| {
            [3, 2, 1, 1, 0]
                .map(|rate| PhageLaw { daily_rate, ..PhageLaw::default() }.daily_allowance(rate, exploration))
        };
        assert_eq!(allowances(2, 1.0), [3, 2, 1, 1, 0]);
        assert_eq!(allowances(10, 1.0), [15, 10, 5, 5, 0]);
        assert_eq!(allowances(1, 1.0), [2, 1, 1, 1, 0]);
        assert_eq!(allowances(0, 2.0), [0; 5]);
        // A-070, I-007: who explores sends more, and nobody sends any where the phase gives none.
        assert_eq!(allowances(2, 1.2), [4, 3, 2, 2, 0]);
        assert_eq!(allowances(2, 0.5), [2, 1, 1, 1, 0]);
        assert_eq!(allowances(10, 2.0), [20, 20, 10, 10, 0]);
        assert_eq!(allowances(2, f64::NAN), [0; 5]);
    }

    proptest! {
        #[test]
        fn m_247_diversity_is_a_share_and_most_when_causes_are_equal(counts in proptest::collection::vec(1u32..50, 2..8)) {
            // M-247.
            let mut uneven = FailureTally::default();
            let mut even = FailureTally::default();
            for (cause, count) in counts.iter().enumerate() {
                (0..*count).for_each(|_| uneven.record_death(&cause.to_string()));
                even.record_death(&cause.to_string());
            }
            prop_assert!((0.0..=1.0).contains(&uneven.diversity()));
            prop_assert!(uneven.diversity() <= even.diversity() + 1e-12);
        }
    }
}
