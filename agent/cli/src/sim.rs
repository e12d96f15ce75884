//! `bardo sim`: many lives under one seed.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail};
use golem_mortality::config::{Config, Hosting};
use golem_primitives::{Ppm, Usdc};
use golem_sim::{Report, SimulationSettings, run};

use crate::screen;

/// How a bar shows what was lived.
pub(crate) const LIVED_BAR: &str = "{bar:40} {pos}/{len} {msg} lived, {eta} left";

/// What the simulator takes.
#[derive(Debug, Args)]
#[command(after_help = "Example: bardo sim --golems 200 --ticks 100000 --seed 7 --plot survival.svg\n\n\
    The same settings give the same report on every machine.")]
pub(crate) struct SimArguments {
    /// Seed of everything: market, luck and faults.
    #[arg(long, default_value_t = 42)]
    seed: u64,
    /// Places in each population; a place whose Golem dies is taken by its successor.
    #[arg(long, default_value_t = 100)]
    golems: u32,
    /// Ticks to live.
    #[arg(long, default_value_t = 20_000)]
    ticks: u64,
    /// Lives of the cohort that only chance can end, for the survival curve.
    #[arg(long, default_value_t = 10_000)]
    cohort: u32,
    /// USDC each Golem is born with.
    #[arg(long, default_value = "50", value_name = "USDC")]
    funding: Usdc,
    /// The market changes its regime once in so many ticks.
    #[arg(long, default_value_t = 1_500, value_parser = clap::value_parser!(u32).range(1..))]
    regime_ticks: u32,
    /// Share of ticks in which a Golem cannot see the chain.
    #[arg(long, default_value = "0.2%", value_name = "SHARE")]
    blindness: Ppm,
    /// Live under the law of this golem.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Write the plots to this file.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// The whole report as a JSON object.
    #[arg(long)]
    json: bool,
}

impl SimArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let settings = self.settings()?;
        // Before the work, not after it: a long run must not end at a folder that is not there.
        if let Some(path) = &self.plot {
            std::fs::write(path, "").wrap_err_with(|| format!("cannot write the plot to {}", path.display()))?;
        }
        let bar = screen::bar(1, self.json, LIVED_BAR, "places");
        let report = run(&settings, |progress| {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
        })?;
        bar.finish_and_clear();
        self.show(&report)
    }

    fn settings(&self) -> Result<SimulationSettings> {
        let mut settings = SimulationSettings {
            seed: self.seed,
            golems: self.golems,
            ticks: self.ticks,
            cohort: self.cohort,
            funding: self.funding,
            regime_ticks: self.regime_ticks,
            blindness: self.blindness,
            ..SimulationSettings::default()
        };
        if let Some(path) = &self.config {
            let shown = path.display();
            let text = std::fs::read_to_string(path).wrap_err_with(|| format!("cannot read {shown}"))?;
            let config = match Config::read(&text, Hosting::Hosted) {
                Ok(config) => config,
                Err(errors) => {
                    let list: Vec<String> = errors.iter().map(|error| format!("  {error}")).collect();
                    bail!("{shown} has {} mistake(s):\n{}", errors.len(), list.join("\n"));
                }
            };
            settings.law = config.law(Hosting::Hosted).wrap_err_with(|| format!("{shown} makes no law"))?;
        }
        Ok(settings)
    }

    fn show(&self, report: &Report) -> Result<ExitCode> {
        if let Some(path) = &self.plot {
            std::fs::write(path, report.svg())
                .wrap_err_with(|| format!("cannot write the plot to {}", path.display()))?;
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(report)?);
            return Ok(ExitCode::SUCCESS);
        }
        print!("{}", report.table());
        match &self.plot {
            Some(path) => println!("\nThe plots are in {}.", path.display()),
            None => println!("\nFor the curves: --plot survival.svg"),
        }
        Ok(ExitCode::SUCCESS)
    }
}
