//! What rows say: computed, never written.

use serde::Serialize;

use super::registration::{ExperimentFile, ManipulationCheck, PairedEndpoint};
use super::rows::Results;
use crate::paired::{PairedTest, holm};

/// The level of a programme.
const LEVEL: f64 = 0.05;

/// What an experiment came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialVerdict {
    /// Not all seeds were lived.
    Unfinished,
    /// What must have happened did not: the arms were not what they are called.
    NotTested,
    /// The first arm has more, after the correction.
    More,
    /// The first arm has less, after the correction.
    Less,
    /// No difference as large as what would matter.
    NoneThatMatters,
    /// Neither a difference nor its absence is shown.
    CannotTell,
}

impl TrialVerdict {
    /// As reports say it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unfinished => "not finished",
            Self::NotTested => "not tested",
            Self::More => "more",
            Self::Less => "less",
            Self::NoneThatMatters => "no difference that matters",
            Self::CannotTell => "cannot tell",
        }
    }
}

/// An endpoint and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmContrast {
    pub endpoint: PairedEndpoint,
    /// Nothing where there are fewer than two seeds.
    pub test: Option<PairedTest>,
}

/// A check and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckOutcome {
    pub check: ManipulationCheck,
    /// The mean over the seeds.
    pub mean: f64,
    /// Whether it is.
    pub holds: bool,
}

/// What the rows of one experiment say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrialFinding {
    pub name: String,
    /// Seeds that were lived.
    pub seeds: u64,
    /// Seeds that were registered.
    pub registered: u64,
    pub checks: Vec<CheckOutcome>,
    /// The one that decides.
    pub primary: ArmContrast,
    /// The others, uncorrected.
    pub secondary: Vec<ArmContrast>,
    /// The primary's p after Holm's correction over the programme.
    pub corrected_p: f64,
    /// The chance of the primary if the true difference were as large as would matter.
    pub equivalence_p: Option<f64>,
    pub verdict: TrialVerdict,
}

/// Experiments whose primary endpoints are corrected together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Programme {
    /// Its findings, in the order they were given.
    pub findings: Vec<TrialFinding>,
}

/// Judges all experiments of a programme. One that was not run or not tested counts as one that showed nothing.
#[must_use]
pub fn judge(experiments: &[(&ExperimentFile, &Results)]) -> Programme {
    let mut findings: Vec<TrialFinding> =
        experiments.iter().map(|(registration, results)| look(registration, results)).collect();
    let chances: Vec<f64> = findings.iter().map(chance).collect();
    let family = experiments.iter().map(|(registration, _)| registration.size.family as usize).max().unwrap_or(0);
    let missing = vec![1.0; family.saturating_sub(chances.len())];
    let corrected = holm(&[chances, missing].concat());
    for ((finding, corrected), (registration, _)) in findings.iter_mut().zip(corrected).zip(experiments) {
        finding.corrected_p = corrected;
        finding.verdict = verdict(finding, registration.size.smallest_effect);
    }
    Programme { findings }
}

fn is_tested(finding: &TrialFinding) -> bool {
    finding.checks.iter().all(|check| check.holds)
}

fn chance(finding: &TrialFinding) -> f64 {
    let counts = finding.seeds == finding.registered && is_tested(finding);
    // That the weaker of two has more is as unlikely as it is by itself; that it has less had two chances.
    let choices = |test: &PairedTest| if test.mean > 0.0 { 1.0 } else { finding.primary.endpoint.choices() };
    finding.primary.test.filter(|_| counts).map_or(1.0, |test| (test.p * choices(&test)).min(1.0))
}

fn verdict(finding: &mut TrialFinding, smallest: f64) -> TrialVerdict {
    let Some(test) = finding.primary.test.filter(|_| finding.seeds == finding.registered) else {
        return TrialVerdict::Unfinished;
    };
    let equivalence = (test.equivalence(smallest) * finding.primary.endpoint.choices()).min(1.0);
    finding.equivalence_p = Some(equivalence);
    if !is_tested(finding) {
        return TrialVerdict::NotTested;
    }
    // A difference is told only where it may matter: one that is shown to be too small counts as none.
    if equivalence < LEVEL {
        return TrialVerdict::NoneThatMatters;
    }
    match finding.corrected_p < LEVEL {
        true if test.mean > 0.0 => TrialVerdict::More,
        true => TrialVerdict::Less,
        false => TrialVerdict::CannotTell,
    }
}

fn look(registration: &ExperimentFile, results: &Results) -> TrialFinding {
    let arms = registration.arms().len().max(1) as u64;
    let seeds = results.rows.len() as u64 / arms;
    let checks = registration.checks.iter().map(|check| {
        let sample: Vec<f64> = results.of(&check.arm, &check.measure).collect();
        let mean = sample.iter().sum::<f64>() / sample.len().max(1) as f64;
        CheckOutcome { check: check.clone(), mean, holds: mean > check.above }
    });
    TrialFinding {
        name: registration.name.clone(),
        seeds,
        registered: registration.seeds.count,
        checks: checks.collect(),
        primary: weakest(&registration.primary, results),
        secondary: registration.secondary.iter().map(|endpoint| contrast(endpoint, results)).collect(),
        corrected_p: 1.0,
        equivalence_p: None,
        verdict: TrialVerdict::Unfinished,
    }
}

/// The difference that speaks least for the arm, in its own errors; the first of equals.
fn weakest(endpoint: &PairedEndpoint, results: &Results) -> ArmContrast {
    let strength = |one: &ArmContrast| one.test.map_or(0.0, |test| test.mean / test.deviation.max(f64::MIN_POSITIVE));
    let all = endpoint.pairs().map(|endpoint| contrast(&endpoint, results));
    let weaker = |one: ArmContrast, other| if strength(&other) < strength(&one) { other } else { one };
    all.reduce(weaker).unwrap_or_else(|| contrast(endpoint, results))
}

fn contrast(endpoint: &PairedEndpoint, results: &Results) -> ArmContrast {
    let one = results.of(&endpoint.arm, &endpoint.measure);
    let other = results.of(&endpoint.less, &endpoint.measure);
    let differences: Vec<f64> = one.zip(other).map(|(one, other)| one - other).collect();
    ArmContrast { endpoint: endpoint.clone(), test: PairedTest::of(&differences) }
}
