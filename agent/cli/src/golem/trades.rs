//! `bardo golem trades`: every trade with its cost basis, fees, gas and what was predicted.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_core::record::{CostSource, Order, OutcomeResult, OutcomeVerification};
use golem_primitives::{Address, B256, Usdc, UtcTime};
use golem_store::Trade;
use serde::Serialize;

use super::{Home, look};
use crate::screen;

/// Trades read at once.
const PAGE: usize = 1_000;
const COLUMNS: &str =
    "time,tick,order,result,usdc,token,cost_basis,gain,pool_fee,gas,predicted,realised,deviation_bps,tx,effect";

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
    /// What the tokens sold had cost, by their average; empty for liquidity, whose cost moves with its position.
    cost_basis: String,
    gain: String,
    pool_fee: String,
    gas: String,
    predicted: String,
    realised: String,
    deviation_bps: String,
    tx: Option<B256>,
    effect: String,
}

impl TradesArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.home.find(&self.golem)?;
        let (reader, birth) = (look::reader(&folder)?, folder.birth()?);
        let life = look::life(&reader)?;
        let fee_ppm = life.trader().and_then(|trader| trader.sight()).map_or(0, |sight| sight.market.fee_ppm);
        let mut book = Book { usdc: birth.deployment.usdc, fee_ppm, held: 0, cost: 0 };
        let mut lines = Vec::new();
        let mut after = 0;
        loop {
            let page = reader.trades(after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.place;
            lines.extend(page.iter().map(|trade| book.line(trade)));
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
            let mut rows = vec![COLUMNS.split(',').take(13).map(str::to_owned).collect::<Vec<_>>()];
            rows.extend(lines.iter().map(|line| line.cells().into_iter().take(13).collect()));
            screen::table(&format!("Trades of {}", birth.name), &rows);
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
            self.gas.clone(),
            self.predicted.clone(),
            self.realised.clone(),
            self.deviation_bps.clone(),
            self.tx.map_or_else(String::new, |tx| tx.to_string()),
            self.effect.clone(),
        ]
    }
}

/// What is held and what it has cost, by the average.
#[derive(Debug)]
struct Book {
    usdc: Address,
    fee_ppm: u32,
    held: u128,
    cost: i128,
}

impl Book {
    fn line(&mut self, trade: &Trade) -> Line {
        let gas = trade.outcome.cost.filter(|(source, _)| *source == CostSource::Gas).map(|(_, cost)| cost);
        let mut line = Line {
            time: trade.at,
            tick: trade.tick.get(),
            order: trade.order.name(),
            result: String::new(),
            usdc: String::new(),
            token: String::new(),
            cost_basis: String::new(),
            gain: String::new(),
            pool_fee: String::new(),
            gas: gas.map(plain).unwrap_or_default(),
            predicted: String::new(),
            realised: String::new(),
            deviation_bps: String::new(),
            tx: trade.tx,
            effect: trade.effect.to_string(),
        };
        match &trade.outcome.result {
            OutcomeResult::Verified(record) => self.verified(&mut line, &trade.order, record),
            OutcomeResult::Simulated { usdc_micros, token } => {
                line.result = "simulated".to_owned();
                (line.usdc, line.token) = (signed(i128::from(*usdc_micros)), token.to_string());
            }
            OutcomeResult::Refused { reason } => line.result = format!("refused: {reason}"),
            OutcomeResult::Done
            | OutcomeResult::Reflected { .. }
            | OutcomeResult::Curated(_)
            | OutcomeResult::Advised { .. }
            | OutcomeResult::Bought(_)
            | OutcomeResult::Unbought(_)
            | OutcomeResult::Reconsidered(_)
            | OutcomeResult::Distilled(_)
            | OutcomeResult::Confided { .. }
            | OutcomeResult::Dreamt(_) => line.result = "done".to_owned(),
        }
        line
    }

    fn verified(&mut self, line: &mut Line, order: &Order, record: &OutcomeVerification) {
        line.result = if record.receipt.success { "landed" } else { "reverted" }.to_owned();
        line.predicted = signed(i128::from(record.prediction.expected_return_micros));
        line.realised = signed(i128::from(record.receipt.realised_return_micros));
        line.deviation_bps = record.deviations.return_bps.map(|bps| bps.get().to_string()).unwrap_or_default();
        if !record.receipt.success {
            return;
        }
        let change = |state: &golem_core::record::ChainState, token: &Address| {
            i128::try_from(state.balances.get(token).copied().unwrap_or(0)).unwrap_or(i128::MAX)
        };
        let moved = |token: &Address| change(&record.post_state, token) - change(&record.pre_state, token);
        let other = record
            .post_state
            .balances
            .keys()
            .chain(record.pre_state.balances.keys())
            .find(|token| **token != self.usdc)
            .copied();
        let (usdc, token) = (moved(&self.usdc), other.map_or(0, |other| moved(&other)));
        (line.usdc, line.token) = (signed(usdc), token.to_string());
        match order {
            Order::Buy { spend, .. } => {
                self.held = self.held.saturating_add(token.max(0).unsigned_abs());
                self.cost += i128::from(spend.micros());
                line.cost_basis = plain(*spend);
                line.pool_fee = plain(fee(*spend, self.fee_ppm));
            }
            Order::Sell { amount, .. } => {
                let share = if self.held == 0 {
                    0
                } else {
                    self.cost.max(0) * i128::try_from((*amount).min(self.held)).unwrap_or(0)
                        / i128::try_from(self.held).unwrap_or(1)
                };
                self.held = self.held.saturating_sub(*amount);
                self.cost -= share;
                (line.cost_basis, line.gain) = (signed(share), signed(usdc - share));
                line.pool_fee = plain(fee(Usdc::from_micros(u64::try_from(usdc.max(0)).unwrap_or(0)), self.fee_ppm));
            }
            Order::Provide { .. } | Order::Withdraw { .. } => {}
        }
    }
}

fn fee(notional: Usdc, ppm: u32) -> Usdc {
    Usdc::from_micros(u64::try_from(u128::from(notional.micros()) * u128::from(ppm) / 1_000_000).unwrap_or(u64::MAX))
}

fn plain(usdc: Usdc) -> String {
    signed(i128::from(usdc.micros()))
}

/// Micro-USDC as a number that spreadsheets read.
fn signed(micros: i128) -> String {
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
        assert_eq!(fee(Usdc::whole(1_000), 500), Usdc::from_micros(500_000));
    }
}
