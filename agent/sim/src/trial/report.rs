//! What a trial found, as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::line::{Arm, LineRecord, POINTS};
use super::measure::{Interval, Measure};
use super::settings::TrialSettings;
use super::truth::{Truth, Worth};

/// The results of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialReport {
    /// What was asked.
    pub settings: TrialSettings,
    /// Switches of all seeds together.
    pub switches: u64,
    /// What the strategy's beliefs are worth, epoch by epoch.
    pub truth: Vec<Worth>,
    /// Each arm.
    pub arms: Vec<ArmReport>,
    /// Each arm against each after it, seed by seed.
    pub contrasts: Vec<Contrast>,
}

/// One arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArmReport {
    /// Its name.
    pub name: String,
    /// Means over seeds; those that had no occasion for a measure are not counted.
    pub means: BTreeMap<Measure, Interval>,
    /// Capital over time: the tick and the mean.
    pub capital: Vec<(u64, Interval)>,
    /// Seed by seed.
    pub lines: Vec<LineRecord>,
}

/// Two arms on one measure: the mean of the differences on the same seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contrast {
    /// This arm.
    pub of: String,
    /// Less this one.
    pub less: String,
    /// In what.
    pub measure: Measure,
    /// By how much.
    pub difference: Interval,
}

impl TrialReport {
    pub(crate) fn of(
        settings: &TrialSettings,
        truth: &Truth,
        switches: u64,
        arms: &[Arm],
        lines: Vec<Vec<LineRecord>>,
    ) -> Self {
        let arms: Vec<ArmReport> =
            arms.iter().zip(lines).map(|(arm, lines)| ArmReport::of(arm.name, settings.ticks, lines)).collect();
        let mut contrasts = Vec::new();
        for (at, of) in arms.iter().enumerate() {
            for less in &arms[at + 1..] {
                contrasts.extend(Measure::ALL.iter().filter_map(|measure| Contrast::of(of, less, *measure)));
            }
        }
        Self { settings: settings.clone(), switches, truth: truth.table(), arms, contrasts }
    }

    /// The contrast of two arms in one measure.
    #[must_use]
    pub fn contrast(&self, of: &str, less: &str, measure: Measure) -> Option<&Contrast> {
        self.contrasts.iter().find(|one| one.of == of && one.less == less && one.measure == measure)
    }
}

impl ArmReport {
    fn of(name: &str, ticks: u64, lines: Vec<LineRecord>) -> Self {
        let sample = |measure: &Measure| -> Vec<f64> {
            lines.iter().filter_map(|line| line.measures.get(measure).copied()).collect()
        };
        let means =
            Measure::ALL.iter().filter_map(|measure| Some((*measure, Interval::of(&sample(measure))?))).collect();
        let capital = (0..=POINTS).filter_map(|point| {
            let here: Vec<f64> = lines.iter().filter_map(|line| line.capital.get(point).copied()).collect();
            Some((ticks * point as u64 / POINTS as u64, Interval::of(&here)?))
        });
        Self { name: name.to_owned(), means, capital: capital.collect(), lines }
    }
}

impl Contrast {
    fn of(of: &ArmReport, less: &ArmReport, measure: Measure) -> Option<Self> {
        let pairs = of.lines.iter().zip(&less.lines);
        let differences: Vec<f64> =
            pairs.filter_map(|(a, b)| Some(a.measures.get(&measure)? - b.measures.get(&measure)?)).collect();
        let difference = Interval::of(&differences)?;
        Some(Self { of: of.name.clone(), less: less.name.clone(), measure, difference })
    }
}
