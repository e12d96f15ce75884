//! `bardo backtest`: books over prices that are past, beside what anybody could have done.

mod page;
mod view;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use eyre::{Result, WrapErr, bail};
use golem_playbook::Book;
use golem_playbook::backtest::{Run, Settings, beside, run};
use golem_playbook::market::{Edge, Market};
use golem_playbook::prices::{self, Prices, Terms};
use golem_playbook::promotion::Founding;
use golem_primitives::{Ppm, Usdc};

use self::view::Report;
use crate::screen;

/// What a backtest takes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bardo backtest mean-reversion --prices eth-hourly.csv\n  \
    bardo backtest my-book.md momentum --prices eth.csv --capital 5000 --gas 0.03 --rent 0.10 --page eth.html\n  \
    bardo backtest --search --market 7 --edge 0.6% --looks 60000\n\n\
    The file of prices needs a header with a time (time, date, timestamp, unix) and a price (price, close); volume, gas\n\
    and liquidity are read where there are columns of them, in USDC. A decision is filled at the next row. The same file\n\
    and book give the same digits on every machine.")]
pub(crate) struct BacktestArguments {
    /// Books: files, or the names of founding books (mean-reversion, momentum, range-liquidity).
    #[arg(value_name = "BOOK", required_unless_present = "search")]
    books: Vec<String>,
    /// Prices of the past.
    #[arg(long, value_name = "FILE.csv", required_unless_present = "market", conflicts_with = "market")]
    prices: Option<PathBuf>,
    /// A made-up market instead: fat tails, volatility that wanders, nothing to be known.
    #[arg(long, value_name = "SEED")]
    market: Option<u64>,
    /// Looks of the made-up market.
    #[arg(long, default_value_t = 60_000, conflicts_with = "prices")]
    looks: u32,
    /// Plant an edge in the made-up market: a fall in calm brings this much over the next 30 looks.
    #[arg(long, value_name = "SHARE", conflicts_with = "prices")]
    edge: Option<Ppm>,
    /// What each begins with.
    #[arg(long, default_value = "1000", value_name = "USDC")]
    capital: Usdc,
    /// The pool's fee.
    #[arg(long, default_value = "0.05%", value_name = "SHARE")]
    fee: Ppm,
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
    page: Option<PathBuf>,
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
        let mut prices = self.prices()?;
        // Before the work, not after it: a long run must not end at a folder that is not there.
        if let Some(path) = &self.page {
            write(path, "")?;
        }
        if !prices.has_volume || prices.looks.iter().all(|look| look.impact_ppm == 0) {
            let remark = "volume or depth is unknown: liquidity is shown without fees (give --liquidity)";
            prices.remarks.push(remark.to_owned());
        }
        let settings = self.settings();
        let mut runs = Vec::new();
        for book in &books {
            let tried = run(book, &prices.looks, &settings);
            runs.push(tried.wrap_err_with(|| format!("{} cannot be tried", screen::harmless(&book.title)))?);
        }
        runs.extend(beside(&prices.looks, &settings));
        self.show(&prices, &runs)
    }

    fn settings(&self) -> Settings {
        Settings {
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

    fn prices(&self) -> Result<Prices> {
        let terms = Terms { fee_ppm: self.fee.get(), gas: self.gas, liquidity: self.liquidity, capital: self.capital };
        let Some(path) = &self.prices else { return Ok(self.made_up(&terms)) };
        let text = std::fs::read_to_string(path).wrap_err_with(|| format!("cannot read {}", path.display()))?;
        prices::read(&text, &terms).wrap_err_with(|| format!("{} cannot be used", path.display()))
    }

    fn made_up(&self, terms: &Terms) -> Prices {
        let looks = (self.looks as usize).max(2);
        let planted = |gain: Ppm| Edge {
            window: 32,
            depth: 1.5,
            gain: gain.as_f64(),
            over: 30,
            during: std::iter::once(0..looks).collect(),
        };
        let market = Market { seed: self.market.unwrap_or_default(), looks, edge: self.edge.map(planted) };
        let made = market.looks(terms);
        Prices { sides: vec![terms.liquidity; made.len()], looks: made, remarks: Vec::new(), has_volume: true }
    }

    fn show(&self, prices: &Prices, runs: &[Run]) -> Result<ExitCode> {
        let report = Report::new(prices, runs, self.capital);
        if let Some(path) = &self.page {
            write(path, &page::page(prices, runs, self.capital))?;
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(&report)?);
            return Ok(ExitCode::SUCCESS);
        }
        view::print(prices, runs, self.capital);
        if let Some(path) = &self.page {
            println!("\nThe curves are in {}.", path.display());
        }
        Ok(ExitCode::SUCCESS)
    }
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
