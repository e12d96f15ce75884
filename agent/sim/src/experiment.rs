//! Mortal against immortal on six dimensions (M-238), and the verdict (M-239).

use golem_primitives::{Ppm, Tick, UtcTime};

use crate::effect::{Effect, EffectError};

/// M-238. What both are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Dimension {
    /// Rolling fitness.
    EpistemicFitness,
    /// How many different strategies are alive.
    StrategyDiversity,
    /// New insights per day.
    NovelInsightRate,
    /// Return per unit of risk.
    RiskAdjustedReturn,
    /// Share of entries that are validated and in use.
    GrimoireHealth,
    /// Ticks to be back at 90% after a change of regime: the fewer the better.
    RegimeAdaptation,
}

impl Dimension {
    /// All six.
    pub const ALL: [Self; 6] = [
        Self::EpistemicFitness,
        Self::StrategyDiversity,
        Self::NovelInsightRate,
        Self::RiskAdjustedReturn,
        Self::GrimoireHealth,
        Self::RegimeAdaptation,
    ];

    /// Whether more of it is better.
    #[must_use]
    pub const fn larger_is_better(self) -> bool {
        !matches!(self, Self::RegimeAdaptation)
    }

    /// The name on screens and in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EpistemicFitness => "epistemic fitness",
            Self::StrategyDiversity => "strategy diversity",
            Self::NovelInsightRate => "novel insight rate",
            Self::RiskAdjustedReturn => "risk-adjusted return",
            Self::GrimoireHealth => "Grimoire health",
            Self::RegimeAdaptation => "regime adaptation",
        }
    }

    /// Who is better, at p 0.05: the 95% interval of the effect excludes zero.
    ///
    /// # Errors
    /// [`EffectError`] for fewer than two values on a side or values that are not finite.
    pub fn compare(self, mortal: &[f64], immortal: &[f64], seed: u64) -> Result<(Winner, Effect), EffectError> {
        let effect = Effect::measure(immortal, mortal, seed)?;
        let winner = match effect.excludes_zero() {
            false => Winner::Neither,
            true if (effect.d > 0.0) == self.larger_is_better() => Winner::Mortal,
            true => Winner::Immortal,
        };
        Ok((winner, effect))
    }
}

/// Who was better on a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Winner {
    /// The mortal ones.
    Mortal,
    /// The immortal ones.
    Immortal,
    /// No difference can be told.
    Neither,
}

/// Adaptation to a new regime (M-238).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adaptation {
    /// Back at 90% of the fitness before, after so many ticks.
    After(u64),
    /// Not yet.
    Pending,
}

impl Adaptation {
    /// Reads fitness tick by tick from the change on.
    #[must_use]
    pub fn of(before: Ppm, since_change: impl IntoIterator<Item = Ppm>) -> Self {
        let enough = before.times_down(Ppm::of(900_000));
        let back = since_change.into_iter().position(|fitness| fitness >= enough);
        back.map_or(Self::Pending, |ticks| Self::After(ticks as u64))
    }
}

/// M-239. What the experiment says of mortality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum ExperimentVerdict {
    /// Mortal wins on four or more.
    Supported,
    /// Mortal wins on three.
    WeaklySupported,
    /// Neither.
    Inconclusive,
    /// Immortal wins on three.
    WeaklyRefuted,
    /// Immortal wins on four or more.
    Refuted,
}

impl ExperimentVerdict {
    /// The verdict on screens and in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::WeaklySupported => "weakly supported",
            Self::Inconclusive => "inconclusive",
            Self::WeaklyRefuted => "weakly refuted",
            Self::Refuted => "refuted",
        }
    }

    /// Counts the dimensions won. Three against three decides nothing.
    #[must_use]
    pub fn of(winners: [Winner; 6]) -> Self {
        let won = |by| winners.iter().filter(|winner| **winner == by).count();
        match (won(Winner::Mortal), won(Winner::Immortal)) {
            (4.., _) => Self::Supported,
            (_, 4..) => Self::Refuted,
            (3, 3) => Self::Inconclusive,
            (3, _) => Self::WeaklySupported,
            (_, 3) => Self::WeaklyRefuted,
            _ => Self::Inconclusive,
        }
    }
}

/// When to measure, when to report, and from when the result counts (M-239).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Experiment {
    /// When it began.
    pub began: UtcTime,
}

impl Experiment {
    /// Ticks between measurements.
    pub const MEASURE_TICKS: u64 = 100;
    /// Seconds between reports.
    pub const REPORT_SECONDS: u64 = UtcTime::DAY_SECONDS;
    /// Days before a verdict is valid.
    pub const VALID_DAYS: u64 = 30;

    /// Whether a measurement is due.
    #[must_use]
    pub const fn is_measure_due(tick: Tick) -> bool {
        tick.is_every(Self::MEASURE_TICKS)
    }

    /// Whether a report is due, given when the last one was made.
    #[must_use]
    pub fn is_report_due(&self, last: Option<UtcTime>, now: UtcTime) -> bool {
        now.since(last.unwrap_or(self.began)).as_secs() >= Self::REPORT_SECONDS
    }

    /// Whether a verdict counts.
    #[must_use]
    pub fn is_valid(&self, now: UtcTime) -> bool {
        now.since(self.began).as_secs() >= Self::VALID_DAYS * UtcTime::DAY_SECONDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_238_six_dimensions_and_who_is_better_on_each() {
        // M-238.
        assert_eq!(Dimension::ALL.len(), 6);
        let high: Vec<f64> = (0..20).map(|i| 0.6 + f64::from(i % 5) / 100.0).collect();
        let low: Vec<f64> = (0..20).map(|i| 0.5 + f64::from(i % 5) / 100.0).collect();
        for dimension in Dimension::ALL {
            let winner = |mortal: &[f64], immortal: &[f64]| dimension.compare(mortal, immortal, 1).expect("finite").0;
            let (first, second) = match dimension.larger_is_better() {
                true => (Winner::Mortal, Winner::Immortal),
                false => (Winner::Immortal, Winner::Mortal),
            };
            assert_eq!((winner(&high, &low), winner(&low, &high)), (first, second), "{}", dimension.name());
            assert_eq!(winner(&low, &low), Winner::Neither);
        }
        assert!(Dimension::EpistemicFitness.compare(&[], &low, 1).is_err());
    }

    #[test]
    fn m_238_adapted_is_back_at_nine_tenths() {
        // M-238.
        let fitness = |parts: [u32; 4]| parts.map(Ppm::of);
        let before = Ppm::of(800_000);
        assert_eq!(Adaptation::of(before, fitness([300_000, 500_000, 719_999, 720_000])), Adaptation::After(3));
        assert_eq!(Adaptation::of(before, fitness([300_000, 500_000, 719_999, 0])), Adaptation::Pending);
    }

    #[test]
    fn m_239_the_verdict_counts_dimensions() {
        // M-239.
        let winners = |mortal: usize, immortal: usize| {
            std::array::from_fn(|i| {
                if i < mortal {
                    Winner::Mortal
                } else if i < mortal + immortal {
                    Winner::Immortal
                } else {
                    Winner::Neither
                }
            })
        };
        for (mortal, immortal, verdict) in [
            (6, 0, ExperimentVerdict::Supported),
            (4, 2, ExperimentVerdict::Supported),
            (3, 2, ExperimentVerdict::WeaklySupported),
            (3, 3, ExperimentVerdict::Inconclusive),
            (2, 2, ExperimentVerdict::Inconclusive),
            (0, 0, ExperimentVerdict::Inconclusive),
            (2, 3, ExperimentVerdict::WeaklyRefuted),
            (2, 4, ExperimentVerdict::Refuted),
            (0, 6, ExperimentVerdict::Refuted),
        ] {
            assert_eq!(ExperimentVerdict::of(winners(mortal, immortal)), verdict, "{mortal} {immortal}");
        }
    }

    #[test]
    fn m_239_thirty_days_a_hundred_ticks_and_a_report_a_day() {
        // M-239.
        let at = UtcTime::from_seconds;
        let experiment = Experiment { began: at(0) };
        assert!(!experiment.is_valid(at(30 * 86_400 - 1)) && experiment.is_valid(at(30 * 86_400)));
        assert!(Experiment::is_measure_due(Tick::new(300)) && !Experiment::is_measure_due(Tick::new(301)));
        assert!(experiment.is_report_due(None, at(86_400)) && !experiment.is_report_due(Some(at(10)), at(86_409)));
    }
}
