//! Between a wish and a transaction: the exact call, from the exact sender, at a known block, without sending it.

mod permit;

use std::time::Duration;

use alloy::primitives::{Address, Bytes};
use golem_core::record::{Moved, Order, OutcomeResult, SimulatedOutcome};
use golem_ports::{Blindness, Errand};

pub use permit::ActionPermit;
pub(crate) use permit::{PermitRecord, Purpose};

use crate::fill::trade_of;
use crate::flows::{Basis, Flows};
use crate::node::{Call, Revert, Simulation};
use crate::on_chain::OnChain;
use crate::place::Place;
use crate::reading::Reading;
use crate::revert::{ContractRefusal, foreign};

#[derive(Debug)]
pub(crate) enum Previewed {
    /// It may be done, once, until the permit runs out.
    Permitted(Box<ActionPermit>),
    /// V-011. The vault has traded what it may within a minute; a minute after its last trade there is room again.
    Later,
    Refused(String),
}

/// V-011. Trades less than this apart count together.
const MINUTE: u64 = 60;

/// What a transfer of nothing to oneself takes.
const CANCEL_GAS: u64 = 21_000;

impl OnChain {
    /// Simulates the call at the block of `reading` and, if it succeeds, permits it for a while of chain time.
    pub(crate) async fn preview(&self, errand: &Errand, call: Call, reading: &Reading) -> Result<Previewed, Blindness> {
        let simulation = match self.node.simulate(&call, &reading.at).await? {
            Ok(simulation) => simulation,
            Err(revert) if waits_for_room(&revert, reading) => return Ok(Previewed::Later),
            Err(revert) => return Ok(Previewed::Refused(words(&revert))),
        };
        // What a call uses is less than what it must bring: a sweep demands gas it may not need (T-006).
        let gas = match self.node.estimate_gas(&call, &reading.at).await? {
            Ok(gas) => gas.max(simulation.gas_used),
            Err(revert) => return Ok(Previewed::Refused(words(&revert))),
        };
        let (order, place) = (trade_of(errand), self.place());
        let record = PermitRecord {
            purpose: Purpose::Act,
            prediction: predict(order.as_ref(), &simulation, &place, reading),
            gas_limit: with_room(gas),
            expires: reading.at.time.plus(Duration::from_secs(self.settings.permit_seconds)),
            ..PermitRecord::recovered(&call, order.as_ref(), &place, reading)
        };
        Ok(Previewed::Permitted(Box::new(ActionPermit::grant(call, record))))
    }

    /// A permit to use up a nonce with nothing, so that what was signed for it can never land late.
    pub(crate) async fn cancellation(&self, reading: &Reading, why: &str) -> Result<ActionPermit, Blindness> {
        let call = Call { from: self.key(), to: self.key(), data: Bytes::new() };
        // Some rollups count the parent chain's data as gas.
        let gas = self.node.estimate_gas(&call, &reading.at).await?.unwrap_or(CANCEL_GAS).max(CANCEL_GAS);
        let record = PermitRecord {
            purpose: Purpose::Cancel { why: why.to_owned() },
            prediction: SimulatedOutcome { expected_gas: gas, ..SimulatedOutcome::default() },
            gas_limit: with_room(gas),
            ..PermitRecord::recovered(&call, None, &self.place(), reading)
        };
        Ok(ActionPermit::grant(call, record))
    }
}

/// Whether time alone mends it: the trades of this minute are too large together, and the last of them was a moment ago. One
/// that is too large by itself is refused.
pub(crate) fn waits_for_room(revert: &Revert, reading: &Reading) -> bool {
    let room_at = u64::from(reading.vault.traded_at).saturating_add(MINUTE);
    ContractRefusal::decode(&revert.data).word() == "TradeTooLarge" && reading.at.time.seconds() < room_at
}

/// S-071. What a simulation says a trade would move.
pub(crate) fn rehearsed(order: &Order, simulation: &Simulation, place: &Place, reading: &Reading) -> OutcomeResult {
    let changes = predict(Some(order), simulation, place, reading).balance_changes;
    let change = |token: &Address| changes.get(token).copied().unwrap_or(0);
    let usdc = change(&place.deployment.usdc);
    let pool = place.pool_of(order.pool()).unwrap_or(&place.pool);
    OutcomeResult::Simulated(Box::new(Moved {
        usdc_micros: i64::try_from(usdc).unwrap_or(if usdc < 0 { i64::MIN } else { i64::MAX }),
        token: change(&pool.token),
        denomination: pool.denomination(),
        ..Moved::default()
    }))
}

/// The state a transaction meets is not quite the one it was estimated on: a quarter more, and a new slot. What is not
/// used is not paid.
pub(crate) const fn with_room(gas: u64) -> u64 {
    gas.saturating_add(gas / 4).saturating_add(22_100)
}

/// The reason of a revert, decoded as far as it can be.
pub(crate) fn words(revert: &Revert) -> String {
    if revert.data.is_empty() && !revert.message.is_empty() {
        return format!("the call would fail: {}", foreign(&revert.message));
    }
    ContractRefusal::decode(&revert.data).in_words()
}

pub(crate) fn predict(
    order: Option<&Order>,
    simulation: &Simulation,
    place: &Place,
    reading: &Reading,
) -> SimulatedOutcome {
    let flows = match (&simulation.logs, order) {
        (Some(logs), _) => Flows::of(logs, place),
        (None, Some(order)) => Flows::of_swap(order, &simulation.returned, place, reading),
        (None, None) => Flows::default(),
    };
    let logs = simulation.logs.as_deref().unwrap_or_default();
    let mut prediction = SimulatedOutcome {
        expected_gas: simulation.gas_used,
        expected_logs: logs.iter().map(crate::node::Log::topic0).collect(),
        ..SimulatedOutcome::default()
    };
    if let Some(order) = order {
        let expected = flows.realised(order, &Basis::of(reading, place), place);
        prediction.expected_return_micros = expected.micros;
        prediction.notional = expected.notional;
        prediction.balance_changes = flows.changes;
    }
    prediction
}
