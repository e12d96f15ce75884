//! `bardo golem trades`: every trade with its cost basis, fees, gas and what was predicted.

use golem_core::record::Order;
use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_core::ledger::{Ledger, OrderTerms};
use golem_core::life::Life;
use golem_store::Reader;
use golem_view::{RecordedTrade, Shown as _, TradeLine, csv_of, table_of};

use super::grimoire::Whose;
use super::look;
use crate::screen;

/// Trades read at once.
const PAGE: usize = 1_000;
#[derive(Debug, Args)]
pub(crate) struct TradesArguments {
    #[command(flatten)]
    whose: Whose,
    /// Comma-separated values, for a spreadsheet or a tax adviser.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// A JSON array.
    #[arg(long)]
    json: bool,
}

/// Trades that were read and booked so far.
#[derive(Debug, Default)]
pub(super) struct BookedTrades {
    ledger: Ledger,
    /// The place of the last.
    after: u64,
}

impl BookedTrades {
    /// Those that came to their end since, oldest first.
    pub(super) fn read_on(&mut self, reader: &Reader, life: &Life) -> Result<Vec<TradeLine>> {
        let sight = life.trader().and_then(|trader| trader.sight());
        let deal = |order: Order| {
            let market = sight.and_then(|sight| sight.market_of(order.pool()));
            let (fee_ppm, token) = market.map_or((0, 0), |market| (market.fee_ppm, market.token));
            OrderTerms { order, fee_ppm, token }
        };
        let mut lines: Vec<TradeLine> = Vec::new();
        loop {
            let page = reader.trades(self.after, PAGE)?;
            let Some(last) = page.last() else { return Ok(lines) };
            self.after = last.place;
            lines.extend(page.iter().map(|trade| {
                let booked = self.ledger.land(Some(deal(trade.order)), &trade.outcome, trade.tick);
                TradeLine::from(RecordedTrade {
                    at: trade.at,
                    tick: trade.tick,
                    order: trade.order,
                    outcome: &trade.outcome,
                    booked: booked.as_ref(),
                    tx: trade.tx,
                    effect: trade.effect,
                })
            }));
        }
    }
}

impl TradesArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let life = look::life(&reader)?;
        let mut booked = BookedTrades::default();
        let lines = booked.read_on(&reader, &life)?;
        let ledger = booked.ledger;
        if self.json {
            screen::tell(&lines.json());
        } else if self.csv {
            print!("{}", csv_of(&lines));
        } else {
            let place = if folder.is_on_paper() { ", on paper" } else { "" };
            screen::show(&table_of(&format!("Trades of {}{place}", folder.name()), &lines));
            // The life's own ledger knows what else living cost.
            println!("\n{}", life.trader().map_or_else(|| ledger.told(), |trader| trader.ledger().told()));
        }
        Ok(ExitCode::SUCCESS)
    }
}
