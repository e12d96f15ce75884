//! Experiments that are written down before they are run.
//!
//! A [`ExperimentFile`] is a committed file: question, arms, the one primary endpoint, the seeds, how many and why, what would count
//! as no effect, and what must have happened for anything to have been tested. [`run`] lives its seeds, each under all arms on
//! one market; [`judge`] turns [`SeedRow`]s into a [`TrialVerdict`] nobody writes by hand. The unit is the seed: what happens twice on
//! one market is one observation.

mod judge;
mod registration;
mod render;
mod rows;
mod run;

pub use judge::{ArmContrast, CheckOutcome, Programme, TrialFinding, TrialVerdict, judge};
pub use registration::{
    ExperimentFile, ExperimentFileError, ManipulationCheck, PairedEndpoint, SampleSize, Seeds, StudyKind,
};
pub use render::{page, plot};
pub use rows::{Results, RowsFileError, SeedRow};
pub use run::{Budget, LivedSeed, SeedError, live_seed, run};

#[cfg(test)]
#[path = "tests/programme.rs"]
mod tests;
