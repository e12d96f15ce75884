//! `bardo demo`: one life, from birth to a tombstone the chain confirms, and the birth of its successor.

mod heir;
mod life;
mod tombstone;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr};
use golem_devnet::market::MarketKind;
use golem_devnet::{Devnet, DevnetSettings, Keeper};

use crate::chain::{Stopping, show_running};
use crate::golem::book::BookChoice;
use crate::screen::Progress;

/// What the demo takes.
#[derive(Debug, Args)]
#[command(after_help = "Example: bardo demo --seed 7 --playbook momentum")]
pub(crate) struct DemoArguments {
    /// Seed of the market and of the Golem's key; the same seed repeats the demo exactly.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// mixed, trend-up, trend-down, range, volatile, still, or csv:FILE.
    #[arg(long, default_value_t = MarketKind::Mixed)]
    market: MarketKind,
    /// The book it is founded on: mean-reversion, momentum, range-liquidity, or a file of your own.
    #[arg(long, default_value = "mean-reversion", value_name = "FILE|NAME")]
    playbook: BookChoice,
    /// The longest life; a Golem that still lives then is killed by its owner with one transaction.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    ticks: u64,
    /// Folder of the demo: its chain and its Golem.
    #[arg(long, default_value = ".bardo/demo", value_name = "DIR")]
    dir: PathBuf,
    /// One JSON object an event, and one for the tombstone, instead of a picture.
    #[arg(long)]
    json: bool,
}

/// Seconds of chain time between blocks: two to a tick, so that a trade lands and is confirmed within its own.
const BLOCK_SECONDS: u64 = 60;
/// The length of a tick in the demo. A day of the market passes in a minute.
const TICK_SECONDS: u64 = 120;

impl DemoArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let mut stopping = Stopping::listen()?;
        let progress = Progress::new(self.json);
        let mut settings = DevnetSettings::new(&self.dir);
        (settings.seed, settings.market, settings.block_seconds) = (self.seed, self.market.clone(), BLOCK_SECONDS);
        let mut show = |stage| progress.show(stage);
        let net = tokio::select! {
            biased;
            () = stopping.asked() => return Ok(ExitCode::from(130)),
            net = Devnet::up(settings, &mut show) => net?,
        };
        if !self.json {
            show_running(&net.running());
        }
        let mut keeper = Keeper::open(net).await?;
        // Whichever ends first: an interrupt, a chain that failed, or the life.
        let outcome = tokio::select! {
            biased;
            () = stopping.asked() => None,
            failed = keeper.serve() => Some(failed.map(|()| false).map_err(Into::into)),
            lived = self.live() => Some(lived),
        };
        keeper.close().stop().await?;
        let Some(verified) = outcome else { return Ok(ExitCode::from(130)) };
        Ok(if verified? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Birth, life, death and the next birth; answers whether the chain confirms all of it.
    async fn live(&self) -> Result<bool> {
        // A demo begins at the beginning: what an earlier one left is of a chain that is gone.
        let golems = self.dir.join("golems");
        if golems.exists() {
            std::fs::remove_dir_all(&golems).wrap_err_with(|| format!("cannot clear {}", golems.display()))?;
        }
        let born = life::birth(self).await?;
        let died = life::live(self, &born).await?;
        let raised = heir::raise(self, &born).await?;
        tombstone::show(self, &born, &died, raised).await
    }
}
