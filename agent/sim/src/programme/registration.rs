//! What is said before a run.

use std::collections::BTreeSet;

use golem_primitives::keccak256;
use serde::{Deserialize, Serialize};

use crate::lines::{LINE_MEASURES, LinesStudy};
use crate::paired::power;
use crate::toys::march::{MARCH_MEASURES, MarchStudy};
use crate::toys::werfel::{WERFEL_MEASURES, WerfelStudy};

/// An experiment as its file says it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentFile {
    /// What it is called, like its file.
    pub name: String,
    /// Whose primary endpoints are corrected together.
    pub programme: String,
    /// What is asked, in a sentence.
    pub question: String,
    pub not_shown: String,
    /// The one that decides.
    pub primary: PairedEndpoint,
    /// Others, told and not decided by.
    #[serde(default)]
    pub secondary: Vec<PairedEndpoint>,
    /// What must be so for anything to have been tested.
    #[serde(default)]
    pub checks: Vec<ManipulationCheck>,
    pub seeds: Seeds,
    /// Why so many.
    pub size: SampleSize,
    /// Lines on markets.
    #[serde(default)]
    pub lines: Option<LinesStudy>,
    #[serde(default)]
    pub march: Option<MarchStudy>,
    #[serde(default)]
    pub werfel: Option<WerfelStudy>,
}

/// A measure of one arm less that of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairedEndpoint {
    pub measure: String,
    pub arm: String,
    pub less: String,
    /// And less this arm too: the weaker of the two differences decides, so that an arm in the middle has more only where it has more
    /// than both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub and_less: Option<String>,
}

impl PairedEndpoint {
    /// The differences it is about, one or two.
    pub fn pairs(&self) -> impl Iterator<Item = Self> {
        let one = |less: &String, other: Option<&String>| Self {
            less: less.clone(),
            and_less: other.cloned(),
            ..self.clone()
        };
        let second = self.and_less.as_ref().map(|second| one(second, Some(&self.less)));
        [one(&self.less, self.and_less.as_ref())].into_iter().chain(second)
    }

    /// How many differences the weakest was chosen from.
    pub(super) const fn choices(&self) -> f64 {
        if self.and_less.is_some() { 2.0 } else { 1.0 }
    }
}

/// What must be so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManipulationCheck {
    /// What is measured; its mean over the seeds counts.
    pub measure: String,
    pub arm: String,
    /// The mean must be more than this.
    pub above: f64,
}

/// The seeds of a run, and those it was tuned on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// The first that counts.
    pub first: u64,
    /// How many count.
    pub count: u64,
    /// The first that was tuned on.
    pub training_first: u64,
    /// How many were.
    pub training_count: u64,
}

/// Why so many seeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleSize {
    /// The smallest difference that would matter; smaller counts as none.
    pub smallest_effect: f64,
    /// The deviation of the paired differences on the training seeds.
    pub pilot_deviation: f64,
    /// Experiments of the programme: the level is a twentieth, divided among them.
    pub family: u32,
    /// The chance to find that effect with so many seeds at that level; computed again when the file is read.
    pub power: f64,
}

/// What is lived.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StudyKind<'file> {
    Lines(&'file LinesStudy),
    March(&'file MarchStudy),
    Werfel(&'file WerfelStudy),
}

/// Why a file registers nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentFileError {
    #[error("the registration cannot be read: {0}")]
    Toml(#[from] toml::de::Error),
    /// None or several studies.
    #[error("{found} studies are described; write exactly one of [lines], [march] and [werfel]")]
    Studies { found: usize },
    #[error("{0:?} is not the name of exactly one arm")]
    Arm(String),
    #[error("nobody measures {0:?} here; known are {1}")]
    Measure(String, String),
    #[error("the seeds {0} to {1} are tuned on and tried on; give the trial seeds of its own")]
    Overlap(u64, u64),
    #[error(
        "an experiment needs at least two seeds, something that would matter and a deviation; raise seeds.count, \
         size.smallest_effect or size.pilot_deviation"
    )]
    Empty,
    #[error(
        "size.power says {said:.3}, but {pairs} seeds at these figures have {computed:.3}; write that, or change the seeds"
    )]
    Power { said: f64, computed: f64, pairs: u64 },
    #[error("{what} must lie between {least} and {most}")]
    Bounds { what: &'static str, least: u64, most: u64 },
}

/// How far a stated power may lie from the computed one.
const ROUNDED: f64 = 0.005;

impl ExperimentFile {
    /// Reads a file.
    pub fn read(text: &str) -> Result<Self, ExperimentFileError> {
        let file: Self = toml::from_str(text)?;
        file.check()?;
        Ok(file)
    }

    /// What a change of the file changes: all of it but its layout.
    #[must_use]
    pub fn digest(&self) -> String {
        let said = serde_json::to_string(self).unwrap_or_default();
        keccak256(said.as_bytes()).0.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// What is lived.
    #[must_use]
    pub fn study(&self) -> Option<StudyKind<'_>> {
        let lines = self.lines.as_ref().map(StudyKind::Lines);
        let march = self.march.as_ref().map(StudyKind::March);
        lines.or(march).or(self.werfel.as_ref().map(StudyKind::Werfel))
    }

    /// Its arms by name.
    #[must_use]
    pub fn arms(&self) -> Vec<&str> {
        match self.study() {
            Some(StudyKind::Lines(study)) => study.arms.iter().map(|arm| arm.name.as_str()).collect(),
            Some(StudyKind::March(study)) => study.arms.iter().map(|arm| arm.name.as_str()).collect(),
            Some(StudyKind::Werfel(study)) => study.arms.iter().map(|arm| arm.name.as_str()).collect(),
            None => Vec::new(),
        }
    }

    /// What can be measured, with what it means.
    #[must_use]
    pub fn measures(&self) -> &'static [(&'static str, &'static str)] {
        match self.study() {
            Some(StudyKind::Lines(_)) => &LINE_MEASURES,
            Some(StudyKind::March(_)) => &MARCH_MEASURES,
            Some(StudyKind::Werfel(_)) => &WERFEL_MEASURES,
            None => &[],
        }
    }

    /// What a measure means.
    #[must_use]
    pub fn meaning(&self, measure: &str) -> &'static str {
        self.measures().iter().find(|(name, _)| *name == measure).map_or("", |(_, meaning)| meaning)
    }

    /// The seeds that count.
    pub fn trial_seeds(&self) -> impl Iterator<Item = u64> {
        self.seeds.first..self.seeds.first.saturating_add(self.seeds.count)
    }

    /// The seeds it was tuned on.
    pub fn training_seeds(&self) -> impl Iterator<Item = u64> {
        self.seeds.training_first..self.seeds.training_first.saturating_add(self.seeds.training_count)
    }

    /// The level of this one among its family.
    #[must_use]
    pub fn level(&self) -> f64 {
        0.05 / f64::from(self.size.family.max(1))
    }

    fn check(&self) -> Result<(), ExperimentFileError> {
        let found = [self.lines.is_some(), self.march.is_some(), self.werfel.is_some()];
        let found = found.into_iter().filter(|is_there| *is_there).count();
        if found != 1 {
            return Err(ExperimentFileError::Studies { found });
        }
        self.check_bounds()?;
        self.check_names()?;
        let Seeds { first, count, training_first, training_count } = self.seeds;
        let (from, to) = (first.max(training_first), (first + count).min(training_first + training_count));
        if from < to {
            return Err(ExperimentFileError::Overlap(from, to - 1));
        }
        let SampleSize { smallest_effect, pilot_deviation, power: said, .. } = self.size;
        let says_something = smallest_effect > 0.0 && pilot_deviation > 0.0 && pilot_deviation.is_finite();
        if count < 2 || !says_something {
            return Err(ExperimentFileError::Empty);
        }
        let computed = power(smallest_effect, pilot_deviation, count, self.level());
        if (said - computed).abs() > ROUNDED {
            return Err(ExperimentFileError::Power { said, computed, pairs: count });
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), ExperimentFileError> {
        let arms = self.arms();
        let mut named: Vec<(&str, &str)> = Vec::new();
        for endpoint in std::iter::once(&self.primary).chain(&self.secondary) {
            let PairedEndpoint { measure, arm, less, and_less } = endpoint;
            named.extend([arm, less].into_iter().chain(and_less).map(|arm| (arm.as_str(), measure.as_str())));
        }
        named.extend(self.checks.iter().map(|check| (check.arm.as_str(), check.measure.as_str())));
        let different: BTreeSet<&str> = arms.iter().copied().collect();
        if different.len() != arms.len() {
            let twice = arms.iter().find(|arm| arms.iter().filter(|other| other == arm).count() > 1);
            return Err(ExperimentFileError::Arm(twice.copied().unwrap_or_default().to_owned()));
        }
        for (arm, measure) in named {
            if !different.contains(arm) {
                return Err(ExperimentFileError::Arm(arm.to_owned()));
            }
            if self.meaning(measure).is_empty() {
                let known: Vec<&str> = self.measures().iter().map(|(name, _)| *name).collect();
                return Err(ExperimentFileError::Measure(measure.to_owned(), known.join(", ")));
            }
        }
        Ok(())
    }

    fn check_bounds(&self) -> Result<(), ExperimentFileError> {
        // M-300: no hazard is above one in a thousand, so no mean life is shorter.
        const SHORTEST_LIFE: u64 = 1_000;
        if let Some(study) = &self.lines
            && study.mean_life < SHORTEST_LIFE
        {
            let what = "lines.mean_life";
            return Err(ExperimentFileError::Bounds { what, least: SHORTEST_LIFE, most: 10_000_000 });
        }
        let bounds: Vec<(&'static str, u64, u64)> = match self.study() {
            Some(StudyKind::Lines(study)) => vec![
                ("lines.world.looks", study.world.looks as u64, 1_000_000),
                ("lines.lines", u64::from(study.lines), 64),
                ("lines.capital", u64::from(study.capital), 1_000_000),
                ("lines.mean_life", study.mean_life, 10_000_000),
                ("lines.arms.review", study.arms.iter().filter_map(|arm| arm.review).min().unwrap_or(1), 10_000_000),
            ],
            Some(StudyKind::March(study)) => vec![
                ("march.dimensions", study.dimensions as u64, 1_000),
                ("march.members", study.members as u64, 10_000),
                ("march.periods", u64::from(study.periods), 100_000),
                ("march.organisations", u64::from(study.organisations), 10_000),
            ],
            Some(StudyKind::Werfel(study)) => {
                vec![("werfel.side", study.side as u64, 1_000), ("werfel.steps", u64::from(study.steps), 10_000_000)]
            }
            None => Vec::new(),
        };
        let all = bounds.into_iter().chain([
            ("seeds.first", self.seeds.first, u64::from(u32::MAX)),
            ("seeds.count", self.seeds.count, 1_000_000),
            ("seeds.training_first", self.seeds.training_first, u64::from(u32::MAX)),
            ("seeds.training_count", self.seeds.training_count, 1_000_000),
        ]);
        for (what, value, most) in all {
            if value == 0 || value > most {
                return Err(ExperimentFileError::Bounds { what, least: 1, most });
            }
        }
        Ok(())
    }
}
