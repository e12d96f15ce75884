//! `bardo sim lineages` and its kin: arms on the same markets, seed by seed.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr};
use golem_sim::trial::terrain::Pace;
use golem_sim::trial::{Arm, TrialSettings, dreams, lineages, run};

use super::progress_bar;

/// The trials there are.
#[derive(Debug, Subcommand)]
pub(crate) enum TrialCommand {
    /// Lines that inherit against lines that begin anew at each death, and against one that never dies.
    Lineages(TrialArguments),
    /// Lives that dream against lives whose dreams have no REM, and against lives that do not dream.
    Dreams(TrialArguments),
}

/// What a trial takes.
#[derive(Debug, Args)]
#[command(after_help = "Examples: bardo sim lineages --seeds 36 --ticks 24000 --svg lineages.svg\n          \
    bardo sim dreams --seeds 30 --ticks 2400 --epoch-ticks 1000 --truth-ticks 10000\n\n\
    Every arm lives on the same market with the same luck, so arms are compared seed by seed. The same settings give\n\
    the same report on every machine. What was found with it is in docs/experiments.md.")]
pub(crate) struct TrialArguments {
    /// Markets, each lived by every arm; an interval needs at least two, and a finding some thirty.
    #[arg(long, default_value_t = 8)]
    seeds: u32,
    /// The first seed; each of the others is one more.
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    first_seed: u64,
    /// Ticks of each market.
    #[arg(long, default_value_t = 12_000)]
    ticks: u64,
    /// Ticks for which the same things are true, on the mean; half as many are looked at after each switch.
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(1..))]
    epoch_ticks: u32,
    /// Ticks over which it is counted what is true, for each epoch.
    #[arg(long, default_value_t = 40_000)]
    truth_ticks: u64,
    /// Write the plot to this file.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// The whole report as a JSON object, seed by seed.
    #[arg(long)]
    json: bool,
}

impl TrialCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self {
            Self::Lineages(arguments) => arguments.run(&lineages()),
            Self::Dreams(arguments) => arguments.run(&dreams()),
        }
    }
}

impl TrialArguments {
    fn run(self, arms: &[Arm]) -> Result<ExitCode> {
        let defaults = TrialSettings::default();
        let settings = TrialSettings {
            first_seed: self.first_seed,
            seeds: self.seeds,
            ticks: self.ticks,
            pace: Pace { epoch_ticks: self.epoch_ticks, ..defaults.pace },
            horizon: u64::from(self.epoch_ticks) / 2,
            truth_ticks: self.truth_ticks,
            ..defaults
        };
        // Before the work, not after it: a long run must not end at a folder that is not there.
        if let Some(path) = &self.svg {
            std::fs::write(path, "").wrap_err_with(|| format!("cannot write the plot to {}", path.display()))?;
        }
        let bar = progress_bar(self.json, "lines");
        let report = run(&settings, arms, |progress| {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
        })?;
        bar.finish_and_clear();
        if let Some(path) = &self.svg {
            std::fs::write(path, report.svg())
                .wrap_err_with(|| format!("cannot write the plot to {}", path.display()))?;
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(&report)?);
            return Ok(ExitCode::SUCCESS);
        }
        print!("{}", report.table());
        match &self.svg {
            Some(path) => println!("\nThe plot is in {}.", path.display()),
            None => println!("\nFor the curves: --svg trial.svg"),
        }
        Ok(ExitCode::SUCCESS)
    }
}
