//! `bardo golem trades`: every trade with its cost basis, fees, gas and what was predicted.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_core::ledger::{Ledger, Line as Booked};
use golem_core::record::{CostSource, OutcomeResult};
use golem_primitives::{B256, Usdc, UtcTime};
use golem_store::Trade;
use serde::Serialize;

use super::{Home, look};
use crate::screen;

/// Trades read at once.
const PAGE: usize = 1_000;
const COLUMNS: &str = "time,tick,order,result,usdc,token,cost_basis,gain,pool_fee,impact,gas,net,predicted,returned,deviation_bps,tx,effect";
/// Columns that a screen has room for: all but the names of the transaction and the effect.
const SHOWN: usize = 15;

/// What `trades` takes.
#[derive(Debug, Args)]
pub(crate) struct TradesArguments {
    /// The Golem: its name on this machine, its agent id, or its vault's address.
    #[arg(value_name = "GOLEM")]
    golem: String,
    #[command(flatten)]
    home: Home,
    /// Comma-separated values, for a spreadsheet or a tax adviser.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// A JSON array.
    #[arg(long)]
    json: bool,
}

/// One line. Money in USDC, the token in its smallest unit; signs as the Golem's capital sees them.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Line {
    time: UtcTime,
    tick: u64,
    order: &'static str,
    result: String,
    usdc: String,
    token: String,
    /// What it added to the cost of what is held, or took from it.
    cost_basis: String,
    /// Of a round trip that closed: proceeds less cost, before gas.
    gain: String,
    pool_fee: String,
    /// What it was worse than its permit's price, the pool's fee left out.
    impact: String,
    gas: String,
    /// Of a round trip that closed: the gain after the gas of getting in and out.
    net: String,
    predicted: String,
    /// What it was worth at its permit's price: what a simulation is judged by.
    returned: String,
    deviation_bps: String,
    tx: Option<B256>,
    effect: String,
}

impl TradesArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.home.find_memory(&self.golem)?;
        let reader = look::reader(&folder)?;
        let life = look::life(&reader)?;
        let fee_ppm = life.trader().and_then(|trader| trader.sight()).map_or(0, |sight| sight.market.fee_ppm);
        let mut ledger = Ledger::default();
        let mut lines = Vec::new();
        let mut after = 0;
        loop {
            let page = reader.trades(after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.place;
            lines.extend(page.iter().map(|trade| {
                let booked = ledger.land((Some(trade.order), &trade.outcome), fee_ppm, trade.tick);
                Line::of(trade, booked.as_ref())
            }));
        }
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&lines)?)?;
        } else if self.csv {
            writeln!(out, "{COLUMNS}")?;
            for line in &lines {
                writeln!(out, "{}", line.cells().join(","))?;
            }
        } else {
            drop(out);
            let mut rows = vec![COLUMNS.split(',').take(SHOWN).map(str::to_owned).collect::<Vec<_>>()];
            rows.extend(lines.iter().map(|line| line.cells().into_iter().take(SHOWN).collect()));
            let place = if folder.is_on_paper() { ", on paper" } else { "" };
            screen::table(&format!("Trades of {}{place}", folder.name()), &rows);
            // The life's own ledger knows what else living cost.
            println!("\n{}", life.trader().map_or_else(|| ledger.told(), |trader| trader.ledger().told()));
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Line {
    fn cells(&self) -> Vec<String> {
        // Only a refusal's words can hold what a spreadsheet would take for a cell, a quote or a formula.
        let quoted = format!("\"{}\"", self.result.replace('"', "'").replace(['\n', '\r'], " "));
        let result = if self.result.bytes().all(|b| b.is_ascii_lowercase()) { self.result.clone() } else { quoted };
        vec![
            self.time.to_string(),
            self.tick.to_string(),
            self.order.to_owned(),
            result,
            self.usdc.clone(),
            self.token.clone(),
            self.cost_basis.clone(),
            self.gain.clone(),
            self.pool_fee.clone(),
            self.impact.clone(),
            self.gas.clone(),
            self.net.clone(),
            self.predicted.clone(),
            self.returned.clone(),
            self.deviation_bps.clone(),
            self.tx.map_or_else(String::new, |tx| tx.to_string()),
            self.effect.clone(),
        ]
    }
}

impl Line {
    fn of(trade: &Trade, booked: Option<&Booked>) -> Self {
        let gas = trade.outcome.cost.filter(|(source, _)| *source == CostSource::Gas).map(|(_, cost)| cost);
        let record = match &trade.outcome.result {
            OutcomeResult::Verified(record) => Some(record),
            _ => None,
        };
        let closed = booked.and_then(|line| line.closed);
        let told = |text: Option<String>| text.unwrap_or_default();
        Self {
            time: trade.at,
            tick: trade.tick.get(),
            order: trade.order.name(),
            result: result(&trade.outcome.result),
            usdc: told(booked.map(|line| signed(line.moved.usdc_micros))),
            token: told(booked.map(|line| line.moved.token.to_string())),
            cost_basis: told(booked.map(|line| plain(line.cost))),
            gain: told(closed.map(|closed| signed(closed.gain_micros()))),
            pool_fee: told(booked.map(|line| plain(line.fee))),
            impact: told(booked.map(|line| signed(line.impact_micros))),
            gas: told(gas.map(plain)),
            net: told(closed.map(|closed| signed(closed.net_micros()))),
            predicted: told(record.map(|record| signed(record.prediction.expected_return_micros))),
            returned: told(record.map(|record| signed(record.receipt.realised_return_micros))),
            deviation_bps: told(
                record.and_then(|record| record.deviations.return_bps).map(|bps| bps.get().to_string()),
            ),
            tx: trade.tx,
            effect: trade.effect.to_string(),
        }
    }
}

fn result(of: &OutcomeResult) -> String {
    match of {
        OutcomeResult::Verified(record) if record.receipt.success => "landed".to_owned(),
        OutcomeResult::Verified(_) => "reverted".to_owned(),
        OutcomeResult::Simulated(_) => "simulated".to_owned(),
        OutcomeResult::Refused { reason } => format!("refused: {reason}"),
        _ => "done".to_owned(),
    }
}

fn plain(usdc: Usdc) -> String {
    signed(i64::try_from(usdc.micros()).unwrap_or(i64::MAX))
}

/// Micro-USDC as a number that spreadsheets read.
fn signed(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    format!("{sign}{}.{:06}", micros.unsigned_abs() / 1_000_000, micros.unsigned_abs() % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn o_002_amounts_are_numbers_and_words_are_quoted() {
        assert_eq!(
            (signed(-1), signed(1_500_000), plain(Usdc::whole(2))),
            ("-0.000001".into(), "1.500000".into(), "2.000000".into())
        );
    }
}
