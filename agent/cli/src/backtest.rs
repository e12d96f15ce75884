//! `bardo backtest`: books over prices that are past, beside what anybody could have done.

mod page;
pub(crate) mod pools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use eyre::{Result, WrapErr, bail};
use golem_playbook::Book;
use golem_playbook::backtest::{BacktestSettings, PoolPast, Run, beside, run, run_in};
use golem_playbook::market::{Edge, Market};
use golem_playbook::prices::{Prices, Terms};
use golem_playbook::promotion::Founding;
use golem_primitives::{PoolName, Ppm, Usdc};
use golem_view::{BacktestPicture, Shown as _};

use self::pools::{OfPool, Past, fee_of, require_names, require_pools};
use crate::screen;

/// What a backtest takes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bardo backtest mean-reversion --prices eth-hourly.csv\n  \
    bardo backtest my-book.md momentum --prices eth.csv --capital 5000 --gas 0.03 --rent 0.10 --html eth.html\n  \
    bardo backtest --search --market 7 --edge 0.6% --looks 60000\n  \
    bardo backtest my-book.md --prices weth-500=eth.csv --prices ember-3000=ember.csv --fee ember-3000=0.3%\n\n\
    The file of prices needs a header with a time (time, date, timestamp, unix) and a price (price, close); volume, gas\n\
    and liquidity are read where there are columns of them, in USDC. A decision is filled at the next row. The same file\n\
    and book give the same digits on every machine. With several pools each look is of a time that all files have, one\n\
    capital is divided among them by evidence, and the first is the home pool, which the others are compared with.")]
pub(crate) struct BacktestArguments {
    /// Books: files, or the names of founding books (mean-reversion, momentum, range-liquidity).
    #[arg(value_name = "BOOK", required_unless_present = "search")]
    books: Vec<String>,
    /// Prices of the past; of several pools a file each, by the names that rules say (`- in: NAME`).
    #[arg(long, value_name = "[NAME=]FILE.csv", required_unless_present = "market", conflicts_with = "market")]
    prices: Vec<OfPool<PathBuf>>,
    /// A made-up market instead: fat tails, volatility that wanders, nothing to be known. Of several pools a seed each.
    #[arg(long, value_name = "[NAME=]SEED")]
    market: Vec<OfPool<u64>>,
    /// Looks of the made-up market.
    #[arg(long, default_value_t = 60_000, conflicts_with = "prices")]
    looks: u32,
    /// Plant an edge in the made-up market: a fall in calm brings this much over the next 30 looks.
    #[arg(long, value_name = "SHARE", conflicts_with = "prices")]
    edge: Option<Ppm>,
    /// What each begins with.
    #[arg(long, default_value = "1000", value_name = "USDC")]
    capital: Usdc,
    /// The pool's fee, of all or of one of several; 0.05% where nothing is said.
    #[arg(long, value_name = "[NAME=]SHARE")]
    fee: Vec<OfPool<Ppm>>,
    /// What the gas of one swap costs, where the file has no column of it.
    #[arg(long, default_value = "0.02", value_name = "USDC")]
    gas: Usdc,
    /// What a Golem's living costs a day.
    #[arg(long, default_value = "0", value_name = "USDC")]
    rent: Usdc,
    /// USDC on one side of the pool, where the file has no column of it; without it no order moves the price.
    #[arg(long, default_value = "0", value_name = "USDC")]
    liquidity: Usdc,
    /// What the books may move from the first look: all (trust), a quarter (trial), nothing until it is earned (paper).
    #[arg(long, value_enum, default_value_t = FoundingWord::Trust)]
    founding: FoundingWord,
    /// Search every 1,000 looks for rules in the last 10,000 and try what is found.
    #[arg(long)]
    search: bool,
    /// An heir takes over after so many looks, with half of the evidence.
    #[arg(long, value_name = "LOOKS", value_parser = clap::value_parser!(u64).range(1..))]
    life: Option<u64>,
    /// Parts the time is shown in.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    folds: u32,
    /// The whole report as a JSON object; every key names its unit.
    #[arg(long)]
    json: bool,
    /// Write one page with the curves to this file; it needs nothing from anywhere.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
}

/// P-047 as a word of the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum FoundingWord {
    Trust,
    Trial,
    Paper,
}

impl From<FoundingWord> for Founding {
    fn from(word: FoundingWord) -> Self {
        match word {
            FoundingWord::Trust => Self::Trust,
            FoundingWord::Trial => Self::Trial,
            FoundingWord::Paper => Self::Paper,
        }
    }
}

impl BacktestArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if self.capital.is_zero() {
            bail!("a backtest needs capital; give --capital 1000");
        }
        let books = self.books()?;
        let pasts = self.pasts()?;
        books.iter().try_for_each(|book| require_pools(book, &pasts))?;
        // Before the work, not after it: a long run must not end at a folder that is not there.
        if let Some(path) = &self.html {
            write(path, "")?;
        }
        let prices = told(&pasts)?;
        let settings = self.settings();
        let mut runs = Vec::new();
        for book in &books {
            let tried = try_over(book, &pasts, &settings);
            runs.push(tried.wrap_err_with(|| format!("{} cannot be tried", screen::harmless(&book.title)))?);
        }
        runs.extend(beside(&prices.looks, &settings));
        self.show(&prices, &runs)
    }

    fn settings(&self) -> BacktestSettings {
        BacktestSettings {
            capital: self.capital,
            rent_a_day: self.rent,
            founding: self.founding.into(),
            search: self.search,
            life: self.life,
            folds: self.folds as usize,
        }
    }

    fn books(&self) -> Result<Vec<Book>> {
        if self.books.is_empty() {
            return Ok(vec![Book { title: "what it finds".to_owned(), rules: Vec::new() }]);
        }
        self.books.iter().map(|name| read_book(name)).collect()
    }

    /// P-057, P-083. Every pool that is given, the home pool first, at the times that all of them have.
    fn pasts(&self) -> Result<Vec<Past>> {
        require_names(&self.market, "--market")?;
        let mut pasts = Past::read(&self.prices, |pool| self.terms(pool))?;
        pasts.extend(self.market.iter().map(|OfPool { pool, said: seed }| {
            let prices = self.made_up(*seed, &self.terms(*pool));
            Past { pool: *pool, prices }
        }));
        Past::align(pasts, &self.fee)
    }

    fn terms(&self, pool: Option<PoolName>) -> Terms {
        let fee_ppm = fee_of(pool, &self.fee).get();
        Terms { fee_ppm, gas: self.gas, liquidity: self.liquidity, capital: self.capital }
    }

    fn made_up(&self, seed: u64, terms: &Terms) -> Prices {
        let looks = (self.looks as usize).max(2);
        let planted = |gain: Ppm| Edge {
            window: 32,
            depth: 1.5,
            gain: gain.as_f64(),
            over: 30,
            during: std::iter::once(0..looks).collect(),
        };
        let market = Market { seed, looks, edge: self.edge.map(planted) };
        let made = market.looks(terms);
        Prices { sides: vec![terms.liquidity; made.len()], looks: made, remarks: Vec::new(), has_volume: true }
    }

    fn show(&self, prices: &Prices, runs: &[Run]) -> Result<ExitCode> {
        let report = BacktestPicture::of(prices, runs, self.capital);
        if let Some(path) = &self.html {
            write(path, &page::page(&report, runs))?;
        }
        Ok(screen::draw_by(self.json, &report, |report| {
            println!("{}", summary(report));
            report.remarks.iter().for_each(|remark| println!("  {}", screen::harmless(remark)));
            report.tables().iter().for_each(screen::show);
            if let Some(path) = &self.html {
                println!("\nThe curves are in {}.", path.display());
            }
        }))
    }
}

/// How long it was, and with how much.
fn summary(report: &BacktestPicture) -> String {
    let BacktestPicture { looks, from, to, capital, .. } = report;
    format!("{looks} looks from {} to {}, {} each", from.words(), to.words(), capital.words())
}

/// P-080. A book over what is given: by its rules for each pool where there are several.
fn try_over(book: &Book, pasts: &[Past], settings: &BacktestSettings) -> Result<Run> {
    if let [Past { pool: None, prices }] = pasts {
        return Ok(run(book, &prices.looks, settings)?);
    }
    let pools = pasts.iter().filter_map(|past| Some(PoolPast { pool: past.pool?, looks: &past.prices.looks }));
    let pools: Vec<PoolPast<'_>> = pools.collect();
    Ok(run_in(book, &pools, settings)?)
}

/// What a reader is told of the prices: the home pool's, with what is to be known of each.
fn told(pasts: &[Past]) -> Result<Prices> {
    let Some(home) = pasts.first() else { bail!("there are no prices") };
    let mut told = home.prices.clone();
    told.remarks.clear();
    for past in pasts {
        told.remarks.extend(past.remarks());
        if !past.prices.has_volume || past.prices.looks.iter().all(|look| look.impact_ppm == 0) {
            let remark = "volume or depth is unknown: liquidity is shown without fees (give --liquidity)";
            told.remarks.push(past.remark(remark));
        }
    }
    Ok(told)
}

/// A file, or the name of a founding book where there is no such file.
fn read_book(name: &str) -> Result<Book> {
    let path = Path::new(name);
    if !path.exists()
        && let Some(book) = Book::founding(name)
    {
        return Ok(book);
    }
    let text = std::fs::read_to_string(path).wrap_err_with(|| {
        let known: Vec<&str> = Book::founding_names().collect();
        format!("cannot read the book {name}; founding books are {}", known.join(", "))
    })?;
    text.parse().wrap_err_with(|| format!("{name} is no book"))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).wrap_err_with(|| format!("cannot write the page to {}", path.display()))
}
