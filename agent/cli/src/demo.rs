//! `bardo demo`: a short look at the living L2.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use eyre::Result;
use golem_devnet::market::Kind;
use golem_devnet::{Block, Devnet, DevnetError, Settings};
use golem_primitives::Usdc;
use tokio::time::MissedTickBehavior;

use crate::chain::{Stopping, show_running};
use crate::screen::{self, Progress};

/// Blocks between two lines of the report.
const LINE_EVERY: u64 = 15;
/// Wall time of a block.
const PACE: Duration = Duration::from_millis(25);

/// What the demo takes.
#[derive(Debug, Args)]
#[command(after_help = "Example: bardo demo --seed 7")]
pub(crate) struct DemoArguments {
    /// Seed of the market; the same seed repeats the demo exactly.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// mixed, trend-up, trend-down, range, volatile, still, or csv:FILE.
    #[arg(long, default_value_t = Kind::Mixed)]
    market: Kind,
    /// How many blocks to live.
    #[arg(long, default_value_t = 360, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    blocks: u64,
    /// Seconds of chain time between blocks.
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    block_seconds: u64,
    /// Folder of the demo's devnet.
    #[arg(long, default_value = ".bardo/demo", value_name = "DIR")]
    dir: PathBuf,
    /// One JSON object a block instead of a picture.
    #[arg(long)]
    json: bool,
}

impl DemoArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let mut stopping = Stopping::listen()?;
        let progress = Progress::new(self.json);
        let mut settings = Settings::new(&self.dir);
        (settings.seed, settings.market, settings.block_seconds) = (self.seed, self.market.clone(), self.block_seconds);
        let mut show = |stage| progress.show(stage);
        let mut net = tokio::select! {
            biased;
            () = stopping.asked() => return Ok(ExitCode::from(130)),
            net = Devnet::up(settings, &mut show) => net?,
        };
        if !self.json {
            show_running(&net.running());
            println!("\n{}", screen::paint("The market", "1"));
        }
        let outcome = self.watch(&mut net, &mut stopping).await;
        let running = net.running();
        net.stop().await?;
        let Some(seen) = outcome? else { return Ok(ExitCode::from(130)) };
        if !self.json {
            self.conclude(&seen, &running.rpc_url);
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Lives the blocks; `None` when interrupted.
    async fn watch(&self, net: &mut Devnet, stopping: &mut Stopping) -> Result<Option<Vec<Block>>, DevnetError> {
        let mut pace = tokio::time::interval(PACE);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut seen: Vec<Block> = Vec::new();
        for count in 1..=self.blocks {
            tokio::select! {
                biased;
                () = stopping.asked() => return Ok(None),
                _ = pace.tick() => {}
            }
            let block = net.advance().await?;
            seen.push(block);
            if self.json {
                println!("{}", serde_json::to_string(&block).expect("plain data"));
            } else if count % LINE_EVERY == 0 || count == self.blocks {
                let recent = &seen[seen.len().saturating_sub(40)..];
                println!("  {}  {}", screen::block_line(&block), sparkline(recent));
            }
        }
        Ok(Some(seen))
    }

    fn conclude(&self, seen: &[Block], rpc_url: &str) {
        let (Some(first), Some(last)) = (seen.first(), seen.last()) else { return };
        let low = seen.iter().map(|block| block.price).min().unwrap_or(Usdc::ZERO);
        let high = seen.iter().map(|block| block.price).max().unwrap_or(Usdc::ZERO);
        let switches = seen.windows(2).filter(|pair| pair[0].regime != pair[1].regime).count();
        let dearest = seen.iter().map(|block| block.base_fee_wei).max().unwrap_or(0);
        let rows = [
            ("lived", format!("{} blocks, {} to {}", seen.len(), first.time, last.time)),
            ("price", format!("{} -> {} (low {low}, high {high})", first.price, last.price)),
            ("regime switches", switches.to_string()),
            ("dearest gas", format!("{:.4} gwei", dearest as f64 / 1e9)),
            ("last block", last.hash.to_string()),
        ];
        let rows: Vec<_> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
        screen::table("What was seen", &rows);
        println!("\nThe L2 that stood at {rpc_url} is down again; nothing was left running.");
        println!("The same seed gives the same last block: bardo demo --seed {}", self.seed);
        println!("To keep one: bardo chain up --market {} --seed {}", self.market, self.seed);
    }
}

/// Prices as a row of blocks, lowest to highest.
fn sparkline(blocks: &[Block]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let prices: Vec<u64> = blocks.iter().map(|block| block.price.micros()).collect();
    let low = prices.iter().copied().min().unwrap_or(0);
    let span = (prices.iter().copied().max().unwrap_or(0) - low).max(1);
    prices
        .iter()
        .map(|price| {
            let level = u128::from(price - low) * (BARS.len() as u128 - 1) / u128::from(span);
            BARS[usize::try_from(level).unwrap_or(0).min(BARS.len() - 1)]
        })
        .collect()
}
