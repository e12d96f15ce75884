//! Every trade, for a person, a spreadsheet and a program.

use golem_core::ledger::LedgerLine;
use golem_core::record::{CostSource, Order, Outcome, OutcomeResult};
use golem_primitives::{B256, Denomination, EffectId, Tick, Usdc, UtcTime};

use crate::shown::shown;
use crate::words::token;
use crate::{Gain, TokenUnits, picture};

/// The token that moved, with its sign, in its smallest unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenChange {
    pub amount: i128,
    pub denomination: Denomination,
}

shown! {
    TokenChange as change: {
        let sign = if change.amount < 0 { "-" } else { "+" };
        format!("{sign}{}", token(change.amount.unsigned_abs(), change.denomination))
    } => change.amount.to_string(), TokenUnits::UNIT;
}

picture! {
    /// M-081. A trade; signs as the Golem's capital sees them.
    pub struct TradeLine {
        time: UtcTime = "time",
        tick: Tick = "tick",
        order: &'static str = "order",
        /// P-057. Where.
        pool: String = "pool",
        result: String = "result",
        moved: Option<Gain> = "USDC",
        amount: Option<TokenChange> = "token",
        symbol: Option<String>,
        decimals: Option<u8>,
        /// What it added to the cost of what is held, or took from it.
        cost_basis: Option<Usdc> = "cost basis",
        /// Of a round trip that closed: proceeds less cost, before gas.
        gain: Option<Gain> = "gain",
        pool_fee: Option<Usdc> = "pool fee",
        /// What it was worse than its permit's price, the pool's fee left out.
        impact: Option<Gain> = "impact",
        gas: Option<Usdc> = "gas",
        /// Of a round trip that closed: the gain after the gas of getting in and out.
        net: Option<Gain> = "net",
        predicted: Option<Gain> = "predicted",
        /// What it was worth at its permit's price: what a simulation is judged by.
        returned: Option<Gain> = "returned",
        deviation_bps: Option<i32> = "off by, bps",
        tx: Option<B256>,
        effect: String,
    }
}

/// A trade as it was recorded.
#[derive(Debug, Clone, Copy)]
pub struct RecordedTrade<'a> {
    pub at: UtcTime,
    pub tick: Tick,
    pub order: Order,
    pub outcome: &'a Outcome,
    /// As the ledger booked it.
    pub booked: Option<&'a LedgerLine>,
    pub tx: Option<B256>,
    pub effect: EffectId,
}

impl From<RecordedTrade<'_>> for TradeLine {
    fn from(trade: RecordedTrade<'_>) -> Self {
        let record = match &trade.outcome.result {
            OutcomeResult::Verified(record) => Some(record),
            _ => None,
        };
        let booked = trade.booked;
        let closed = booked.and_then(|line| line.closed);
        Self {
            time: trade.at,
            tick: trade.tick,
            order: trade.order.name(),
            pool: trade.order.pool().to_string(),
            result: result(&trade.outcome.result),
            moved: booked.map(|line| Gain(line.moved.usdc_micros)),
            amount: booked.map(|line| TokenChange { amount: line.moved.token, denomination: line.moved.denomination }),
            symbol: booked.map(|line| line.moved.denomination.symbol.to_string()),
            decimals: booked.map(|line| line.moved.denomination.decimals.get()),
            cost_basis: booked.map(|line| line.cost),
            gain: closed.map(|closed| Gain(closed.gain_micros())),
            pool_fee: booked.map(|line| line.fee),
            impact: booked.map(|line| Gain(line.impact_micros)),
            gas: trade.outcome.cost.filter(|(source, _)| *source == CostSource::Gas).map(|(_, cost)| cost),
            net: closed.map(|closed| Gain(closed.net_micros())),
            predicted: record.map(|record| Gain(record.prediction.expected_return_micros)),
            returned: record.map(|record| Gain(record.receipt.realised_return_micros)),
            deviation_bps: record.and_then(|record| record.deviations.return_bps).map(|bps| bps.get()),
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
