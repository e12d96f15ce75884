//! `bardo golem paper`: R-013, a life with a pretended vault.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use eyre::{Result, WrapErr as _, bail, ensure};
use golem_chain::{ListedPool, OnPaper, PaperPool, PaperPurse, PaperView, PastMarket, PastPool, PastPrice};
use golem_core::held_assets::{HeldAssets, HeldToken};
use golem_core::life::Life;
use golem_core::memory::Venue;
use golem_core::record::ELSEWHERE;
use golem_core::trader::Foundation;
use golem_mortality::config::Hosting;
use golem_mortality::law::Law;
use golem_mortality::mode::Mode;
use golem_playbook::prices::Terms;
use golem_primitives::{Address, GolemId, PoolName, Ppm, Tick, Usdc, UtcTime};
use golem_runtime::{CladeChoice, Metrics, OwnerWord, Runtime, RuntimeSettings, Telemetry, run_fleet};
use golem_store::SqliteStore;
use golem_tui::ScreenRequest;
use golem_view::{AsKept, Gain, HeldTokenPicture, LifeSummary, PaperAccount, Shown as _};
use tokio::sync::watch;

use super::birth::named_pool;
use super::book::{BookChoice, BookText};
use super::connect::{ChainChoice, Connected};
use super::create::{Advice, founded, parse_ether};
use super::home::{Folder, Home, venue};
use super::launch::known_to;
use super::pace::Pace;
use super::run::tell;
use super::settings::Settings;
use super::subject::Which;
use super::watch::{Session, Stage, carry_out, has_terminal};
use super::{look, models};
use crate::backtest::pools::{OfPool, Past, fee_of};
use crate::chain::Stopping;
use crate::screen;

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
    /// The home pool; the deployment's own when left out. A life goes on in the pools it began with.
    #[arg(long, value_name = "ADDRESS")]
    pool: Option<Address>,
    /// Another pool it trades in, by the name the deployment knows it by, or NAME=ADDRESS; up to three. A rule speaks of it
    /// with `- in: NAME`.
    #[arg(long, value_name = "NAME[=ADDRESS]")]
    also: Vec<String>,
    /// Prices of the past instead of a chain: it lives through them row by row, as fast as it can. Of several pools a file
    /// each, by the names that rules say, the home pool first.
    #[arg(long, value_name = "[NAME=]FILE.csv", conflicts_with_all = ["pool", "also", "speed"])]
    prices: Vec<OfPool<PathBuf>>,
    /// With --prices: the pool's fee, of all or of one of several; 0.05% where nothing is said.
    #[arg(long, value_name = "[NAME=]SHARE", requires = "prices")]
    fee: Vec<OfPool<Ppm>>,
    /// With --prices: what the gas of one swap costs, where the file has no column of it.
    #[arg(long, default_value = "0.02", value_name = "USDC", requires = "prices")]
    swap_gas: Usdc,
    /// With --prices: USDC on one side of the pool, where the file has no column of it; without it no order moves the price.
    #[arg(long, default_value = "0", value_name = "USDC", requires = "prices")]
    liquidity: Usdc,
    /// Born as a control: it keeps all clocks and tells when and of what it would have died, and does not. Only on paper.
    #[arg(long)]
    immortal: bool,
    /// Of a control that goes on: from its next tick on it can die. There is no way back.
    #[arg(long, conflicts_with = "immortal")]
    mortal: bool,
    /// Seconds a tick lasts; 40, or as long as it is from one row of the prices to the next.
    #[arg(long, value_parser = clap::value_parser!(u64).range(2..=86_400))]
    tick_seconds: Option<u64>,
    /// Live this many times faster than the clock; the local L2 alone can be.
    #[arg(long)]
    speed: Option<f64>,
    /// Stop when it has lived this many ticks.
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// One JSON object for each event, and one for the book, on standard output.
    #[arg(long)]
    json: bool,
    /// Lines instead of the screen that a life beside a chain has at a terminal (`bardo golem watch`).
    #[arg(long, conflicts_with = "json")]
    plain: bool,
}

/// What it is shown, before it has a vault there.
enum Ground {
    Now { chain: Box<Connected>, home: ListedPool, beside: Vec<ListedPool> },
    Past { market: PastMarket, pools: Vec<PoolName> },
}

impl Ground {
    /// P-057. Its pools must have every one that a book speaks of.
    fn require(&self, book: &BookText) -> Result<()> {
        match self {
            Self::Now { home, beside, .. } => {
                let names: Vec<PoolName> = std::iter::once(home).chain(beside).map(|pool| pool.name).collect();
                book.require_pools(&names, |pool| format!("--also {pool}"))
            }
            Self::Past { pools, .. } => book.require_pools(pools, |pool| format!("--prices {pool}=FILE.csv")),
        }
    }
}

/// The market it lives beside.
struct Beside {
    hand: OnPaper,
    pace: Pace,
    venue: Venue,
    tick: Duration,
}

impl PaperArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let folder = self.home.paper_folder(&self.name)?;
        let ground = if self.prices.is_empty() { self.now(&folder).await? } else { self.past()? };
        if !folder.store().exists() {
            // Before anything is written: a folder keeps the book it was founded on.
            ground.require(&self.book(&folder)?)?;
        }
        self.prepare(&folder)?;
        let chosen = folder.settings()?;
        let book = BookText::of(&folder)?;
        // The store first: a second process must not get as far as the vault.
        let golem = self.golem()?;
        let memory = folder.store().exists().then(|| SqliteStore::open(&folder.store(), Some(&golem))).transpose()?;
        self.decide_mortality(&folder, memory.as_ref())?;
        let purse = memory.is_none().then(|| PaperPurse {
            credits: self.credits.unwrap_or_else(|| Advice::of(&chosen, &book).total),
            capital: self.capital,
            wei: self.gas,
        });
        let (stop, stopped) = watch::channel(false);
        let stop = Arc::new(stop);
        let beside = match ground {
            Ground::Past { market, .. } => self.look_back(market, &folder, purse, stop.clone())?,
            Ground::Now { chain, home, beside } => self.sit_down(&chain, home, &beside, &folder, purse).await?,
        };
        let Beside { hand, pace, venue, tick } = beside;
        let store = match memory {
            Some(store) => store,
            None => self.begin(&folder, &chosen, book)?,
        };
        hand.reckon(known_to(&store)?)?;
        let telemetry = Telemetry::new(Arc::new(Metrics::default())).with_file(&folder.events())?;
        let settings = RuntimeSettings {
            dir: folder.path().to_path_buf(),
            tick,
            temper: chosen.temper.temper(&golem, &chosen.law, &venue),
            grimoire: chosen.grimoire,
            kin: golem_runtime::Kin { chain: venue.chain, born: hand.view()?.born_at, ..golem_runtime::Kin::default() },
            venue,
            dreams: chosen.dreams.clone(),
            archive: None,
            // On paper nobody has siblings.
            clade: CladeChoice::default(),
        };
        let mut runtime = Runtime::resume(hand, store, pace, settings, telemetry)?;
        runtime.employ(chosen.embedder.scribe());
        if let Some(adviser) = models::adviser(&chosen.inference, chosen.temper.wants_model()).await {
            runtime.consult(adviser);
        }
        if let Some(ticks) = self.ticks {
            runtime.stop_after(Tick::new(ticks));
        }
        let which = Which { golem: self.name.clone(), home: self.home.clone(), chain: self.chain.clone() };
        let stage = Stage { folder: folder.clone(), which: which.clone(), stop: Some(stop.clone()) };
        let mut session = self.has_screen().then(|| Session::open(stage)).transpose()?;
        let listen = || tokio::spawn(tell(folder.clone(), runtime.telemetry().listen(), self.json));
        let telling = session.is_none().then(listen);
        let mut stopping = Stopping::listen()?;
        let watcher = tokio::spawn(async move {
            stopping.asked().await;
            let _ = stop.send(true);
            std::future::pending::<()>().await;
        });
        let was_stopped = stopped.clone();
        let ends = run_fleet(vec![runtime], stopped, |_| {}).await;
        watcher.abort();
        // What happened is told before what it came to.
        if let Some(telling) = telling {
            let _ = tokio::time::timeout(Duration::from_secs(5), telling).await;
        }
        if let Some(session) = &mut session {
            let asked = if *was_stopped.borrow() { session.close().await? } else { session.rest().await? };
            if matches!(asked, Some(ScreenRequest::StartFresh)) {
                drop(ends);
                return carry_out(asked, which).await;
            }
        }
        drop(session);
        for ended in ends {
            self.show(&folder, &ended.end?)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// O-010. Beside a chain, to a person; prices of the past are gone through faster than anybody looks.
    fn has_screen(&self) -> bool {
        !self.json && !self.plain && self.prices.is_empty() && has_terminal()
    }

    /// P-057. The pools of a chain that it is shown: those that are named, or those it began with.
    async fn now(&self, folder: &Folder) -> Result<Ground> {
        let chain = Box::new(self.chain.connect().await?);
        let deployment = &chain.deployment;
        let listed = |address: Address| ListedPool { name: deployment.name_of(address), address };
        let begun = if folder.paper().exists() { Some(PaperView::read(&folder.paper())?.market) } else { None };
        if let Some(begun) = begun.filter(|begun| begun.chain == deployment.chain_id)
            && self.pool.is_none()
            && self.also.is_empty()
        {
            let listed = |pool: &PaperPool| ListedPool { name: pool.name, address: pool.address };
            let (home, beside) = (listed(&begun.home), begun.beside.iter().map(listed).collect());
            return Ok(Ground::Now { chain, home, beside });
        }
        let Some(home) = self.pool.or(deployment.pool).map(listed) else {
            bail!("this deployment names no pool; choose one with --pool ADDRESS");
        };
        let beside = self.also.iter().map(|said| named_pool(deployment, said)).collect::<Result<Vec<_>>>()?;
        Ok(Ground::Now { chain, home, beside })
    }

    /// Before pools of a chain.
    async fn sit_down(
        &self,
        chain: &Connected,
        home: ListedPool,
        beside: &[ListedPool],
        folder: &Folder,
        purse: Option<PaperPurse>,
    ) -> Result<Beside> {
        let (endpoints, suite) = (chain.endpoints.clone(), chain.deployment.clone());
        let hand = OnPaper::sit_down(endpoints, suite, home, beside, &folder.paper(), purse).await?;
        let pace = Pace::of(chain, self.speed, Duration::from_secs(2)).await?;
        let tick = Duration::from_secs(self.tick_seconds.unwrap_or(Tick::NOMINAL_SECONDS));
        Ok(Beside { hand, pace, venue: venue(&chain.deployment, home.address), tick })
    }

    /// Before prices of the past; where they end the life stops, and goes on when there are more.
    fn look_back(
        &self,
        past: PastMarket,
        folder: &Folder,
        purse: Option<PaperPurse>,
        stop: Arc<watch::Sender<bool>>,
    ) -> Result<Beside> {
        let past = Arc::new(past);
        let hand = OnPaper::look_back(past.clone(), &folder.paper(), purse)?;
        if past.left() == 0 {
            bail!(
                "it has lived through all of these prices; add later rows to every file, or begin another by another name"
            );
        }
        let tick = Duration::from_secs(self.tick_seconds.unwrap_or_else(|| past.usual_seconds().max(2)));
        let pace = Pace::through(move |moment| {
            let next = past.advance_past(moment);
            if next.is_none() {
                let _ = stop.send(true);
            }
            next
        });
        Ok(Beside { hand, pace, venue: Venue { chain: 0, pair: "prices of the past".to_owned() }, tick })
    }

    /// P-083, P-057. The files of prices as a market, with what a reader should know of them.
    fn past(&self) -> Result<Ground> {
        let fee_ppm = |pool| fee_of(pool, &self.fee).get();
        let (gas, liquidity, capital) = (self.swap_gas, self.liquidity, self.capital);
        let read = Past::read(&self.prices, |pool| Terms { fee_ppm: fee_ppm(pool), gas, liquidity, capital })?;
        let pasts = Past::align(read, &self.fee)?;
        if !self.json {
            pasts.iter().flat_map(Past::remarks).for_each(|remark| eprintln!("{}", screen::harmless(&remark)));
        }
        let pools = pasts.iter().map(|Past { pool, prices }| {
            let rows = prices.looks.iter().zip(&prices.sides).map(|(look, side)| PastPrice {
                time: UtcTime::from_seconds(look.time),
                price: look.price,
                volume: prices.has_volume.then_some(look.volume),
                gas: look.gas,
                side: *side,
            });
            PastPool { name: pool.unwrap_or(PoolName::HOME), fee_ppm: fee_ppm(*pool), prices: rows.collect() }
        });
        let pools: Vec<PastPool> = pools.collect();
        let Some(market) = PastMarket::of(&pools) else { bail!("the files have no prices") };
        Ok(Ground::Past { market, pools: pools.iter().map(|pool| pool.name).collect() })
    }

    /// The book it is or will be founded on.
    fn book(&self, folder: &Folder) -> Result<BookText> {
        if folder.founding().exists() { BookText::of(folder) } else { self.playbook.read(Path::new("")) }
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

    /// M-233, M-241. Whether it can die is said at its birth; a control's owner may end that later, and nobody else's.
    fn decide_mortality(&self, folder: &Folder, memory: Option<&SqliteStore>) -> Result<()> {
        let Some(store) = memory else {
            ensure!(!self.mortal, "{} is not born yet; whoever is born without --immortal can die", self.name);
            return Ok(());
        };
        let is_mortal = look::life(store.reader())?.vitals().law().mode.is_mortal();
        ensure!(
            !(self.immortal && is_mortal),
            "{} was born mortal, and stays so; give the control a name of its own",
            self.name
        );
        ensure!(!(self.mortal && is_mortal), "{} can die already", self.name);
        if self.mortal {
            OwnerWord::BecomeMortal.leave(folder.path()).wrap_err("the word cannot be left in its folder")?;
        }
        Ok(())
    }

    /// The first page of its life, with what its pretended vault was given.
    fn begin(&self, folder: &Folder, settings: &Settings, book: BookText) -> Result<SqliteStore> {
        let (golem, paper) = (self.golem()?, PaperView::read(&folder.paper())?);
        let law = settings.law.law(Hosting::Hosted)?.on_chain();
        // M-233, M-237. Like any other but for its end, so that both can be held against each other.
        let law = if self.immortal { Law { mode: Mode::Immortal, ..law } } else { law };
        let foundation = Foundation {
            home: paper.market.home.name,
            elsewhere: paper.market.beside.iter().take(ELSEWHERE).map(|pool| pool.name).collect(),
            ..book.foundation(settings.founding)
        };
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
            let held = HeldAssets::of(trader);
            let account = PaperAccount {
                tick: life.tick(),
                life: paper.life.to_owned(),
                idle: held.map(|held| held.usdc),
                tokens: HeldToken::all(trader).into_iter().map(HeldTokenPicture::from).collect(),
                worth: held.map(|held| held.equity(price)),
                credits: life.vitals().economic().spendable(),
                gas: ledger.gas(),
                host_paid: paper.host_paid,
                net: Gain(ledger.net_micros()),
                received: AsKept::of(&received),
            };
            // One line after the events.
            let json = serde_json::json!({ "paper": account.json() });
            println!("{json}");
            return Ok(());
        }
        let told = LifeSummary(life);
        let mut rows = vec![
            vec!["is".to_owned(), told.standing()],
            vec![
                "began with".to_owned(),
                format!("{} of credits, {} of capital", paper.given.credits, paper.given.capital),
            ],
        ];
        rows.extend(told.has().into_iter().map(|has| vec!["has".to_owned(), has]));
        let tokens = HeldToken::all(trader).into_iter().filter(|token| !token.worth.is_zero());
        rows.extend(tokens.map(|token| vec!["holds".to_owned(), holds(&token)]));
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

/// P-057. What it has of a token. Its symbol is what its maker wrote into it, so the pool that trades it is named beside it.
fn holds(token: &HeldToken) -> String {
    let HeldToken { pool, denomination, held, pooled, worth, .. } = token;
    let all = screen::token(held.saturating_add(*pooled), *denomination);
    format!("{all}, the token of {pool}, worth {worth}")
}
