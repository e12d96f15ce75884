//! Living the seeds: on all cores, in any order, with the same digits.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use golem_mortality::vitals::BirthError;
use golem_playbook::Look;

use super::registration::{ExperimentFile, StudyKind};
use super::rows::SeedRow;
use crate::lines::{LinesStudy, decisions_that_differ};

/// Why a seed could not be lived.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SeedError {
    #[error("nobody can be born")]
    Birth(#[from] BirthError),
    #[error(
        "the file of prices has {rows} rows and at least 1,024 are needed: half of them to tune on, half to try on"
    )]
    Prices { rows: usize },
}

/// What a run may use.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub threads: usize,
    /// Processor time of this thread so far, in milliseconds: whoever has a clock gives it.
    pub clock: fn() -> u64,
}

/// A seed that was lived.
pub type LivedSeed = Result<Vec<SeedRow>, SeedError>;

/// Lives one seed under all arms. `prices` are the rows of the file the registration names, where it names one.
pub fn live_seed(registration: &ExperimentFile, seed: u64, prices: &[Look], clock: fn() -> u64) -> LivedSeed {
    let mut watch = Watch { clock, before: clock() };
    let mut row = |arm: &str, measures| SeedRow { seed, arm: arm.to_owned(), measures, cpu_ms: watch.lap() };
    match registration.study() {
        Some(StudyKind::Lines(study)) => live_lines(registration, study, seed, prices, watch),
        Some(StudyKind::March(study)) => {
            Ok(study.arms.iter().map(|arm| row(&arm.name, study.live(arm, seed))).collect())
        }
        Some(StudyKind::Werfel(study)) => {
            Ok(study.arms.iter().map(|arm| row(&arm.name, study.live(arm, seed))).collect())
        }
        None => Ok(Vec::new()),
    }
}

struct Watch {
    clock: fn() -> u64,
    before: u64,
}

impl Watch {
    /// Milliseconds since it was last asked.
    fn lap(&mut self) -> u64 {
        let now = (self.clock)();
        now.saturating_sub(std::mem::replace(&mut self.before, now))
    }
}

fn live_lines(
    registration: &ExperimentFile,
    study: &LinesStudy,
    seed: u64,
    prices: &[Look],
    mut watch: Watch,
) -> LivedSeed {
    let path = if study.world.prices.is_some() {
        if prices.len() < 1_024 {
            return Err(SeedError::Prices { rows: prices.len() });
        }
        let is_training = registration.training_seeds().any(|training| training == seed);
        study.world.path_of(prices, seed, is_training)
    } else {
        study.world.path(seed)
    };
    let mut runs = Vec::with_capacity(study.arms.len());
    for arm in &study.arms {
        runs.push((study.live(arm, &path, seed)?, watch.lap()));
    }
    let reference = study.arms.iter().position(|arm| arm.name == registration.primary.less).unwrap_or(0);
    let differ: Vec<f64> = runs.iter().map(|(run, _)| decisions_that_differ(run, &runs[reference].0)).collect();
    let rows = study.arms.iter().zip(runs).zip(differ).map(|((arm, (run, cpu_ms)), differs)| {
        let mut measures = run.measures;
        measures.insert("differs".to_owned(), differs);
        SeedRow { seed, arm: arm.name.clone(), measures, cpu_ms }
    });
    Ok(rows.collect())
}

/// Lives these seeds on some threads. What comes of each is handed to `take` as it comes; where that breaks off, seeds that
/// have begun are lived to their end and no others are begun.
pub fn run(
    registration: &ExperimentFile,
    seeds: &BTreeSet<u64>,
    prices: &[Look],
    budget: Budget,
    mut take: impl FnMut(LivedSeed) -> ControlFlow<()>,
) {
    let waiting = Mutex::new(seeds.iter().copied());
    let is_over = AtomicBool::new(false);
    // Handed over one by one: whoever breaks off stops every thread at the seed it is in.
    let (sender, receiver) = mpsc::sync_channel::<LivedSeed>(0);
    std::thread::scope(|scope| {
        for _ in 0..budget.threads.max(1) {
            let (sender, waiting, is_over) = (sender.clone(), &waiting, &is_over);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let next = waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
                    let Some(seed) = next else { return };
                    if sender.send(live_seed(registration, seed, prices, budget.clock)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for lived in receiver {
            if take(lived).is_break() {
                is_over.store(true, Ordering::Relaxed);
            }
        }
    });
}
