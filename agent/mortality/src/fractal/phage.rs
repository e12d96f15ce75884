//! Probes: one hypothesis, a short life, a report.

use std::collections::BTreeMap;

use golem_primitives::{Tick, Usdc};

use crate::error_code::ErrorCode;

/// M-243. Probes a day that a healthy Golem spawns.
pub const DAILY_SPAWN: std::ops::RangeInclusive<u32> = 1..=3;

/// M-243, M-249. How probes live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhageLaw {
    /// Ticks a probe lives.
    pub lifetime_ticks: u64,
    /// What it may spend.
    pub budget: Usdc,
    /// Probes a day while Stable.
    pub daily_rate: u32,
}

impl Default for PhageLaw {
    fn default() -> Self {
        Self { lifetime_ticks: 50, budget: Usdc::from_micros(50_000), daily_rate: 2 }
    }
}

/// Why no probe is spawned, or why one ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PhageRefusal {
    /// The phase allows no more today.
    #[error("the phase allows {allowed} probes a day and all were spawned")]
    Phase {
        /// How many it allows.
        allowed: u32,
    },
    /// The probe would spend more than it has.
    #[error("the probe has {left} left and asks for {asked}")]
    Budget {
        /// What is left.
        left: Usdc,
        /// What was asked.
        asked: Usdc,
    },
}

impl PhageRefusal {
    /// Its code (MG-09).
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::Phase { .. } => ErrorCode::PhPhaseForbidden,
            Self::Budget { .. } => ErrorCode::PhBudget,
        }
    }
}

/// The rate that the phases' table was written for (C-31: 3, 2, 1, 1, 0 a day from Thriving to Terminal).
const TABLE_RATE: u32 = 2;

impl PhageLaw {
    /// Probes allowed today, from the phase's rate: scaled as the owner's rate is to the table's, rounded up, so that a
    /// phase that allows some allows one; no phase that allows none is overruled (M-248).
    #[must_use]
    pub const fn daily_allowance(&self, phase_rate: u32) -> u32 {
        phase_rate.saturating_mul(self.daily_rate).div_ceil(TABLE_RATE)
    }

    /// Asks for a probe when `spawned` were spawned today.
    ///
    /// # Errors
    /// [`PhageRefusal::Phase`] when the day's allowance is used.
    pub const fn may_spawn(&self, phase_rate: u32, spawned: u32) -> Result<(), PhageRefusal> {
        let allowed = self.daily_allowance(phase_rate);
        if spawned < allowed { Ok(()) } else { Err(PhageRefusal::Phase { allowed }) }
    }

    /// Whether a probe born at `born` has lived its life.
    #[must_use]
    pub const fn is_over(&self, born: Tick, now: Tick) -> bool {
        now.since(born) >= self.lifetime_ticks
    }

    /// What a probe has left after spending.
    ///
    /// # Errors
    /// [`PhageRefusal::Budget`] when it asks for more than it has.
    pub fn spend(&self, spent: Usdc, asked: Usdc) -> Result<Usdc, PhageRefusal> {
        let left = self.budget.saturating_sub(spent);
        left.pay(asked).map_err(|_| PhageRefusal::Budget { left, asked })
    }
}

/// M-244. How probes ended: a hypothesis that fell is a death with a cause, one that held is a survival.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FailureTally {
    survivals: u64,
    deaths: u64,
    causes: BTreeMap<String, u64>,
}

/// Share of probes that died from which death is common. The sources say high and low; the edge is ours.
const COMMON_DEATH: f64 = 0.5;
/// Diversity from which failures are varied. The sources say diverse and narrow; the edge is ours.
const VARIED: f64 = 0.5;
/// Reports before a pattern is believed; fewer are chance.
const FEWEST_REPORTS: u64 = 5;

/// M-245. What the pattern of probes says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PhageHealth {
    /// Too few reports to say.
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
    /// Nothing.
    None,
    /// The Curator runs out of turn and arousal rises.
    CuratorAndArousal,
    /// More probes, more varied.
    MoreVaried,
    /// Hypotheses at random.
    RandomHypotheses,
}

impl FailureTally {
    /// A probe whose hypothesis held.
    pub fn record_survival(&mut self) {
        self.survivals = self.survivals.saturating_add(1);
    }

    /// A probe whose hypothesis fell, with the cause.
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

    /// M-244, M-245. Whether the probes warn that the model of the world fails, before fitness shows it.
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
    fn m_243_a_probe_lives_fifty_ticks_and_one_to_three_are_spawned_a_day() {
        // M-243.
        let law = PhageLaw::default();
        assert!(!law.is_over(Tick::new(100), Tick::new(149)) && law.is_over(Tick::new(100), Tick::new(150)));
        assert!(DAILY_SPAWN.contains(&law.daily_rate));
        assert_eq!(DAILY_SPAWN, 1..=3);
    }

    #[test]
    fn m_244_failing_probes_warn_early() {
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
    fn m_248_fewer_probes_in_worse_phases_and_none_in_terminal() {
        // M-248, C-31: rates from Thriving to Terminal, at the default and at other rates of the owner.
        let allowances = |daily_rate| {
            [3, 2, 1, 1, 0].map(|rate| PhageLaw { daily_rate, ..PhageLaw::default() }.daily_allowance(rate))
        };
        assert_eq!(allowances(2), [3, 2, 1, 1, 0]);
        assert_eq!(allowances(10), [15, 10, 5, 5, 0]);
        assert_eq!(allowances(1), [2, 1, 1, 1, 0]);
        assert_eq!(allowances(0), [0; 5]);
        let refusal = PhageLaw::default().may_spawn(0, 0).expect_err("Terminal");
        assert_eq!((refusal, refusal.code().name()), (PhageRefusal::Phase { allowed: 0 }, "PH_PHASE_FORBIDDEN"));
        assert_eq!(PhageLaw::default().may_spawn(1, 0), Ok(()));
        assert!(PhageLaw::default().may_spawn(1, 1).is_err());
    }

    #[test]
    fn m_249_a_probe_has_five_cents() {
        // M-249.
        let law = PhageLaw::default();
        let cents = |count: u64| Usdc::from_micros(count * 10_000);
        assert_eq!((law.budget, law.daily_rate), (cents(5), 2));
        assert_eq!(law.spend(cents(2), cents(3)), Ok(Usdc::ZERO));
        let refusal = law.spend(cents(2), cents(4)).expect_err("too much");
        assert_eq!(refusal.code().name(), "PH_BUDGET");
        assert_eq!(refusal, PhageRefusal::Budget { left: cents(3), asked: cents(4) });
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
