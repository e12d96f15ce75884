//! Mortal against immortal on six dimensions (M-238), and the verdict (M-239).

use serde::{Deserialize, Serialize};

use crate::effect::{EffectError, EffectSize};

/// M-238. What both are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    pub fn compare(self, mortal: &[f64], immortal: &[f64], seed: u64) -> Result<(Winner, EffectSize), EffectError> {
        let effect = EffectSize::measure(immortal, mortal, seed)?;
        let winner = match effect.excludes_zero() {
            false => Winner::Neither,
            true if (effect.d > 0.0) == self.larger_is_better() => Winner::Mortal,
            true => Winner::Immortal,
        };
        Ok((winner, effect))
    }
}

/// Who was better on a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    Mortal,
    Immortal,
    /// No difference can be told.
    Neither,
}

/// M-239. What the experiment says of mortality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

/// M-239. Days before a verdict is valid.
pub const VALID_DAYS: u64 = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_238_six_dimensions_and_who_is_better_on_each() {
        // M-238.
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
}
