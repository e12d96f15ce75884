//! The file of results: one line a seed and arm, and before them whose they are.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::registration::ExperimentFile;

/// One arm on one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedRow {
    pub seed: u64,
    pub arm: String,
    pub measures: BTreeMap<String, f64>,
    /// Processor time it took, in milliseconds: the one number that differs from machine to machine.
    pub cpu_ms: u64,
}

/// The first line: which registration the rows are of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    experiment: String,
    registration: String,
}

/// All rows of an experiment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Results {
    /// Whole seeds alone, in the order of seeds and arms.
    pub rows: Vec<SeedRow>,
}

/// Why a file is no file of results of this experiment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowsFileError {
    #[error(
        "the registration of {name} changed after rows were made of it (then {then}, now {now}); an experiment that is changed is \
         another one: give it another name, or remove {name}.rows.jsonl and run all of it again"
    )]
    Changed {
        name: String,
        /// Its digest when the rows were made.
        then: String,
        /// Its digest now.
        now: String,
    },
    #[error("line {line} is no row: {why}; remove the file and run again")]
    Corrupt { line: usize, why: String },
}

impl Results {
    /// The first line of a file of results.
    #[must_use]
    pub fn header(registration: &ExperimentFile) -> String {
        let header = Header { experiment: registration.name.clone(), registration: registration.digest() };
        serde_json::to_string(&header).unwrap_or_default() + "\n"
    }

    /// A row as a line.
    #[must_use]
    pub fn line(row: &SeedRow) -> String {
        serde_json::to_string(row).unwrap_or_default() + "\n"
    }

    /// Reads a file. A last line without an end was cut off with its process and is left out, as are seeds that have not all arms.
    ///
    /// # Errors
    /// [`RowsFileError`] for rows of another registration.
    pub fn read(text: &str, registration: &ExperimentFile) -> Result<Self, RowsFileError> {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines().enumerate();
        let Some((_, first)) = lines.next() else { return Ok(Self::default()) };
        let corrupt =
            |line: usize, error: serde_json::Error| RowsFileError::Corrupt { line: line + 1, why: error.to_string() };
        let header: Header = serde_json::from_str(first).map_err(|error| corrupt(0, error))?;
        let now = registration.digest();
        if header.registration != now || header.experiment != registration.name {
            return Err(RowsFileError::Changed { name: registration.name.clone(), then: header.registration, now });
        }
        let mut by_seed: BTreeMap<u64, BTreeMap<String, SeedRow>> = BTreeMap::new();
        for (at, line) in lines {
            let row: SeedRow = serde_json::from_str(line).map_err(|error| corrupt(at, error))?;
            by_seed.entry(row.seed).or_default().insert(row.arm.clone(), row);
        }
        let arms = registration.arms();
        let seeds: std::collections::BTreeSet<u64> = registration.trial_seeds().collect();
        let mut rows = Vec::new();
        for (seed, mut of_seed) in by_seed {
            if seeds.contains(&seed) && arms.iter().all(|arm| of_seed.contains_key(*arm)) {
                rows.extend(arms.iter().filter_map(|arm| of_seed.remove(*arm)));
            }
        }
        Ok(Self { rows })
    }

    /// The whole file, in the order of seeds and arms.
    #[must_use]
    pub fn text(&self, registration: &ExperimentFile) -> String {
        let lines = self.rows.iter().map(Self::line);
        std::iter::once(Self::header(registration)).chain(lines).collect()
    }

    /// Takes in a seed.
    pub fn add(&mut self, rows: Vec<SeedRow>) {
        let Some(seed) = rows.first().map(|row| row.seed) else { return };
        let place = self.rows.partition_point(|row| row.seed < seed);
        self.rows.splice(place..place, rows);
    }

    /// Whether a seed is in it.
    #[must_use]
    pub fn has(&self, seed: u64) -> bool {
        self.rows.iter().any(|row| row.seed == seed)
    }

    /// Processor time of all rows, in seconds.
    #[must_use]
    pub fn cpu_seconds(&self) -> f64 {
        self.rows.iter().map(|row| row.cpu_ms).sum::<u64>() as f64 / 1e3
    }

    /// What was measured of an arm, seed by seed.
    pub fn of<'rows>(&'rows self, arm: &'rows str, measure: &'rows str) -> impl Iterator<Item = f64> + 'rows {
        self.rows.iter().filter(move |row| row.arm == arm).filter_map(move |row| row.measures.get(measure).copied())
    }
}
