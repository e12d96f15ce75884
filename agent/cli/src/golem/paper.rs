//! `bardo golem paper`: R-013, a life with a pretended vault.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use eyre::{Result, WrapErr as _, bail};
use golem_chain::{OnPaper, PaperPurse, PaperView};
use golem_core::life::Life;
use golem_mortality::config::Hosting;
use golem_primitives::{Address, GolemId, Tick, Usdc};
use golem_runtime::{Held, Metrics, Runtime, RuntimeSettings, Telemetry, run_fleet};
use golem_store::SqliteStore;
use tokio::sync::watch;

use super::book::BookText;
use super::create::{Advice, founded, parse_ether};
use super::home::venue;
use super::launch::known_to;
use super::run::tell;
use super::summary::Summary;
use super::{BookChoice, ChainChoice, Folder, Home, Pace, Settings, models};
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
    /// USDC it pretends to live on; the recommendation when left out.
    #[arg(long, value_name = "USDC")]
    credits: Option<Usdc>,
    /// USDC it pretends to trade with.
    #[arg(long, default_value = "1000", value_name = "USDC")]
    capital: Usdc,
    /// What the machine costs a tick.
    #[arg(long, value_name = "USDC")]
    host_per_tick: Option<Usdc>,
    /// Native coin its key pretends to have for gas, in ether.
    #[arg(long, default_value = "0.002", value_name = "ETH", value_parser = parse_ether)]
    gas: u128,
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
        let folder = self.home.paper_folder(&self.name)?;
        let chain = self.chain.connect().await?;
        let Some(pool) = self.pool.or(chain.deployment.pool) else {
            bail!("this deployment names no pool; choose one with --pool ADDRESS");
        };
        self.prepare(&folder)?;
        let chosen = folder.settings()?;
        let book = BookText::of(&folder)?;
        // The store first: a second process must not get as far as the vault.
        let golem = self.golem()?;
        let memory = folder.store().exists().then(|| SqliteStore::open(&folder.store(), Some(&golem))).transpose()?;
        let purse = memory.is_none().then(|| PaperPurse {
            credits: self.credits.unwrap_or_else(|| Advice::of(&chosen, &book).total),
            capital: self.capital,
            wei: self.gas,
        });
        let (endpoints, suite) = (chain.endpoints.clone(), chain.deployment.clone());
        let hand = OnPaper::sit_down(endpoints, suite, pool, &folder.paper(), purse).await?;
        let pace = Pace::of(&chain, self.speed, Duration::from_secs(2)).await?;
        let store = match memory {
            Some(store) => store,
            None => self.begin(&folder, &chosen, book)?,
        };
        hand.reckon(known_to(&store)?)?;
        let telemetry = Telemetry::new(Arc::new(Metrics::default())).with_file(&folder.events())?;
        let settings = RuntimeSettings {
            dir: folder.path().to_path_buf(),
            tick: Duration::from_secs(self.tick_seconds),
            venue: venue(&chain.deployment, pool),
            grimoire: chosen.grimoire,
            kin: golem_runtime::Kin {
                chain: chain.deployment.chain_id,
                born: hand.view()?.born_at,
                ..golem_runtime::Kin::default()
            },
            temper: chosen.temper.temper(&golem, &chosen.law, true, &venue(&chain.deployment, pool)),
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
            self.show(&folder, &ended.end?)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn golem(&self) -> Result<GolemId> {
        Ok(GolemId::new(&format!("paper-{}", self.name))?)
    }

    /// What it lives by, as a birth writes it.
    fn prepare(&self, folder: &Folder) -> Result<()> {
        std::fs::create_dir_all(folder.path()).wrap_err_with(|| format!("cannot make {}", folder.path().display()))?;
        if !folder.config().exists() {
            let text = founded("", Some(&self.playbook), self.host_per_tick)?;
            std::fs::write(folder.config(), text).wrap_err("cannot write golem.toml")?;
        }
        if !folder.founding().exists() {
            let book = self.playbook.read(Path::new(""))?;
            std::fs::write(folder.founding(), &book.text).wrap_err("cannot write founding.md")?;
        }
        Ok(())
    }

    /// The first page of its life, with what its pretended vault was given.
    fn begin(&self, folder: &Folder, settings: &Settings, book: BookText) -> Result<SqliteStore> {
        let (golem, paper) = (self.golem()?, PaperView::read(&folder.paper())?);
        let law = settings.law.law(Hosting::Hosted)?.on_chain();
        let foundation = book.foundation(settings.founding, None);
        let life =
            Life::birth(golem, law, paper.given.credits, 0, paper.born_at)?.with_trader(settings.trader, foundation);
        Ok(SqliteStore::create(&folder.store(), &golem, &life)?)
    }

    /// The account of it, as far as it was lived.
    fn show(&self, folder: &Folder, life: &Life) -> Result<()> {
        let Some(trader) = life.trader() else { return Ok(()) };
        let (paper, ledger) = (PaperView::read(&folder.paper())?, trader.ledger());
        let price = trader.sight().map_or(Usdc::ZERO, |sight| sight.market.price);
        let received = trader.received();
        if self.json {
            let held = Held::of(trader);
            let json = serde_json::json!({ "paper": {
                "tick": life.tick().get(),
                "life": paper.life,
                "usdc_micros": held.map(|held| held.usdc.micros()),
                "token_units": held.map(|held| held.token.saturating_add(held.pooled).to_string()),
                "worth_usdc_micros": held.map(|held| held.equity(price).micros()),
                "credits_usdc_micros": life.vitals().economic().spendable().micros(),
                "gas_usdc_micros": ledger.gas().micros(),
                "host_paid_usdc_micros": paper.host_paid.micros(),
                "net_usdc_micros": ledger.net_micros(),
                "received": received,
            } });
            println!("{json}");
            return Ok(());
        }
        let told = Summary(life);
        let mut rows = vec![
            vec!["is".to_owned(), told.standing()],
            vec![
                "began with".to_owned(),
                format!("{} of credits, {} of capital", paper.given.credits, paper.given.capital),
            ],
        ];
        rows.extend(told.has().into_iter().map(|has| vec!["has".to_owned(), has]));
        rows.extend(told.made().map(|made| vec!["made".to_owned(), made]));
        rows.push(vec!["costs".to_owned(), told.costs()]);
        rows.push(vec!["paid".to_owned(), format!("{} for gas, {} to the host", ledger.gas(), paper.host_paid)]);
        if let Some(words) = received.map(golem_core::record::Received::told) {
            rows.push(vec!["left".to_owned(), words]);
        }
        screen::table(&format!("{} on paper (nothing was sent)", self.name), &rows);
        Ok(())
    }
}
