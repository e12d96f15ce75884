//! `bardo golem paper`: R-013, a book without a key.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use eyre::{Result, WrapErr as _, bail};
use golem_chain::OnPaper;
use golem_core::life::Life;
use golem_core::trader::TraderSettings;
use golem_mortality::config::Hosting;
use golem_ports::TickSource as _;
use golem_primitives::{Address, GolemId, Tick, Usdc};
use golem_runtime::{Metrics, Runtime, RuntimeSettings, Telemetry, run_fleet};
use golem_store::SqliteStore;
use tokio::sync::watch;

use super::home::venue;
use super::run::tell;
use super::{BookChoice, ChainChoice, Home, Pace, Settings, models};
use crate::chain::Stopping;
use crate::screen;

/// What `paper` takes.
#[derive(Debug, Args)]
pub(crate) struct PaperArguments {
    /// Its name; the same name goes on where it stopped.
    name: String,
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    /// The book it is founded on: mean-reversion, momentum, range-liquidity, or a file of your own.
    #[arg(long, default_value = "mean-reversion", value_name = "FILE|NAME")]
    playbook: BookChoice,
    /// USDC it pretends to have.
    #[arg(long, default_value = "1000", value_name = "USDC")]
    capital: Usdc,
    /// The pool; the deployment's own when left out.
    #[arg(long, value_name = "ADDRESS")]
    pool: Option<Address>,
    /// Seconds a tick lasts.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(2..=3_600))]
    tick_seconds: u64,
    /// Live this many times faster than the clock; the local L2 alone can be.
    #[arg(long)]
    speed: Option<f64>,
    /// Stop when it has lived this many ticks.
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// One JSON object for each event, and one for the book, on standard output.
    #[arg(long)]
    json: bool,
}

impl PaperArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let folder = self.home.new_folder(&self.name)?;
        let chain = self.chain.connect().await?;
        let Some(pool) = self.pool.or(chain.deployment.pool) else {
            bail!("this deployment names no pool; choose one with --pool ADDRESS");
        };
        let hand = OnPaper::sit_down(chain.endpoints.clone(), chain.deployment.clone(), pool).await?;
        let pace = Pace::of(&chain, self.speed, Duration::from_secs(2)).await?;
        let store = self.store(&folder, &pace).await?;
        let telemetry = Telemetry::new(Arc::new(Metrics::default())).with_file(&folder.events())?;
        let chosen = folder.settings()?;
        let settings = RuntimeSettings {
            dir: folder.path().to_path_buf(),
            tick: Duration::from_secs(self.tick_seconds),
            venue: venue(&chain.deployment, pool),
            grimoire: chosen.grimoire,
            kin: golem_runtime::Kin { chain: chain.deployment.chain_id, ..golem_runtime::Kin::default() },
            temper: chosen.temper.temper(&self.golem()?, &chosen.law, true, &venue(&chain.deployment, pool)),
            dreams: chosen.dreams.clone(),
            archive: None,
        };
        let mut runtime = Runtime::resume(hand, store, pace, settings, telemetry)?;
        runtime.employ(chosen.embedder.scribe());
        if let Some(adviser) = models::adviser(&chosen.inference, chosen.temper.wants_model()).await {
            runtime.consult(adviser);
        }
        if let Some(ticks) = self.ticks {
            runtime.stop_after(Tick::new(ticks));
        }
        tokio::spawn(tell(folder.clone(), runtime.telemetry().listen(), self.json));
        let (stop, stopped) = watch::channel(false);
        let mut stopping = Stopping::listen()?;
        let watcher = tokio::spawn(async move {
            stopping.asked().await;
            let _ = stop.send(true);
            std::future::pending::<()>().await;
        });
        let ends = run_fleet(vec![runtime], stopped, |_| {}).await;
        watcher.abort();
        for ended in ends {
            self.show(&ended.end?)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn golem(&self) -> Result<GolemId> {
        Ok(GolemId::new(&format!("paper-{}", self.name))?)
    }

    /// Its memory: taken up, or begun.
    async fn store(&self, folder: &super::Folder, pace: &Pace) -> Result<SqliteStore> {
        let golem = self.golem()?;
        let path = folder.store();
        if path.exists() {
            return Ok(SqliteStore::open(&path, Some(&golem))?);
        }
        std::fs::create_dir_all(folder.path())?;
        if !folder.config().exists() {
            let text = format!("{}{}", super::temper::NEWBORN.trim_start(), super::sleep::NEWBORN);
            std::fs::write(folder.config(), text).wrap_err("cannot write golem.toml")?;
        }
        let settings = Settings::read("", true)?;
        let book = self.playbook.read(Path::new(""))?;
        std::fs::write(folder.founding(), &book.text).wrap_err("cannot write founding.md")?;
        let trader = TraderSettings { paper: Some(self.capital), ..TraderSettings::default() };
        let law = settings.law.law(Hosting::SelfHosted)?;
        let life = Life::birth(golem, law, self.capital, 0, pace.now().await)?
            .with_trader(trader, book.foundation(settings.founding, None));
        Ok(SqliteStore::create(&path, &golem, &life)?)
    }

    fn show(&self, life: &Life) -> Result<()> {
        let Some(trader) = life.trader() else { return Ok(()) };
        let book = trader.book();
        let price = trader.sight().map_or(Usdc::ZERO, |sight| sight.market.price);
        let worth = book.usdc.saturating_add(golem_core::trade::usdc_for(price, book.token));
        if self.json {
            let json = serde_json::json!({ "paper": { "tick": life.tick().get(), "usdc": book.usdc.micros(),
                "token": book.token.to_string(), "cost": book.cost.micros(), "worth": worth.micros() } });
            println!("{json}");
            return Ok(());
        }
        let rows = vec![
            vec!["lived".to_owned(), format!("{} ticks", life.tick())],
            vec!["began with".to_owned(), self.capital.to_string()],
            vec!["USDC now".to_owned(), book.usdc.to_string()],
            vec!["token at cost".to_owned(), book.cost.to_string()],
            vec!["worth at the pool's price".to_owned(), worth.to_string()],
            vec!["understanding".to_owned(), life.vitals().vitality().epistemic.to_string()],
        ];
        screen::table(&format!("{} on paper (nothing was sent)", self.name), &rows);
        Ok(())
    }
}
