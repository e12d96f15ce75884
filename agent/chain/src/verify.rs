//! What a landed transaction came to, by reads of the chain alone.

use alloy::primitives::{Address, U256};
use alloy::sol_types::SolEvent;
use golem_core::record::{
    InKind, InvariantCheck, Moved, Order, Outcome, OutcomeResult, OutcomeVerification, Receipt, Received, RefusalClass,
};
use golem_ports::{Act, Attempt, ChainError, Errand};
use golem_primitives::Usdc;

use crate::acts::{Plan, plan};
use crate::bindings::{ILineageRegistry, IVault};
use crate::drive::{outcome, record_of, signed};
use crate::fill::trade_of;
use crate::flows::Flows;
use crate::node::{At, Call, Log, TxReceipt};
use crate::on_chain::OnChain;
use crate::place::Place;
use crate::preview::{PermitRecord, Purpose, words};
use crate::price::{units, usdc, value_of_wei};
use crate::reading::Reading;
use crate::reorg::WATCHED_BLOCKS;
use crate::sight::ALIVE;

impl OnChain {
    /// The outcome of an attempt that landed in the block `at`.
    pub(crate) async fn judge(
        &self,
        errand: &Errand,
        attempt: &Attempt,
        receipt: &TxReceipt,
        at: At,
        head: At,
    ) -> Result<Outcome, ChainError> {
        let reading = match self.read(at).await {
            // After a long sleep the block's state is pruned; the newest still proves what holds for ever.
            Err(blind) if head.number.saturating_sub(at.number) > WATCHED_BLOCKS => {
                tracing::warn!(block = at.number, %blind, "its state is gone, the newest is read instead");
                self.read(head).await?
            }
            read => read?,
        };
        let record = match record_of(attempt) {
            Some(record) => record,
            None => self.recovered(errand, attempt, at, &reading).await,
        };
        let cost = Some(value_of_wei(receipt.wei(), record.native));
        let result = match (&record.purpose, &errand.act) {
            (Purpose::Cancel { why }, act) => {
                unless_already(act, &self.place(), &reading, RefusalClass::Dropped.say(why))
            }
            (Purpose::Act, Act::Trade(order)) => {
                OutcomeResult::Verified(Box::new(verification(errand, order, record, receipt, &self.place(), &reading)))
            }
            (Purpose::Act, act) if !receipt.success() => {
                let why = self.why_reverted(&record, attempt, at).await;
                unless_already(act, &self.place(), &reading, RefusalClass::Reverted.say(&why))
            }
            (Purpose::Act, act) => confirmed(act, &self.place(), &receipt.logs),
        };
        Ok(outcome(errand, cost, result))
    }

    /// A permit written in words this program does not know: what was foreseen is lost, what was there before is read.
    async fn recovered(&self, errand: &Errand, attempt: &Attempt, at: At, after: &Reading) -> PermitRecord {
        let before = match self.node.block(at.number.saturating_sub(1)).await {
            Ok(Some(before)) => self.read(before).await.ok(),
            _ => None,
        };
        let (to, data) = signed(attempt).unwrap_or_default();
        let call = Call { from: attempt.key, to, data };
        let order = trade_of(errand);
        PermitRecord::recovered(&call, order.as_ref(), &self.place(), before.as_ref().unwrap_or(after))
    }

    /// The reason, from the same call at the block before; it may be another when the block itself changed it.
    async fn why_reverted(&self, record: &PermitRecord, attempt: &Attempt, at: At) -> String {
        let Some((to, data)) = signed(attempt) else {
            return "for a reason that cannot be read".to_owned();
        };
        let call = Call { from: record.sender, to, data };
        let again = match self.node.block(at.number.saturating_sub(1)).await {
            Ok(Some(before)) => self.node.call(&call, &before).await,
            Ok(None) => return "for a reason that is gone".to_owned(),
            Err(blind) => Err(blind),
        };
        match again {
            Ok(Err(revert)) => words(&revert),
            Ok(Ok(_)) => "something in its own block changed what it stood on, or its gas ran out".to_owned(),
            Err(_) => "for a reason that is gone".to_owned(),
        }
    }
}

/// A refusal, unless what was wanted is so by now.
pub(crate) fn unless_already(act: &Act, place: &Place, reading: &Reading, reason: String) -> OutcomeResult {
    match plan(act, place, reading) {
        Plan::Already => OutcomeResult::Done,
        _ => OutcomeResult::Refused { reason },
    }
}

/// M-072, M-073, M-074. The record of a trade.
pub(crate) fn verification(
    errand: &Errand,
    order: &Order,
    record: PermitRecord,
    receipt: &TxReceipt,
    place: &Place,
    after: &Reading,
) -> OutcomeVerification {
    let invariants = invariants(&record, after);
    let post = after.chain_state(place, Some(order));
    let (realised, moved) = match receipt.success() {
        true => {
            let flows = Flows::of(&receipt.logs, place);
            let moved = flows.moved(order, (&record.pre_state, &post), &record.basis, place);
            (flows.realised(order, &record.basis, place).micros, moved)
        }
        false => (0, Moved::default()),
    };
    let told = Receipt {
        success: receipt.success(),
        gas_used: receipt.gas_used(),
        logs: receipt.logs.iter().map(Log::topic0).collect(),
        realised_return_micros: realised,
        moved,
    };
    let PermitRecord { pre_state, prediction, .. } = record;
    let mut verified = OutcomeVerification::compare(errand.tick, errand.effect, pre_state, prediction, post, told);
    verified.invariants = invariants;
    verified
}

/// Whether the logs say that what was wanted happened: the suite's own event of it, with its values.
pub(crate) fn confirmed(act: &Act, place: &Place, logs: &[Log]) -> OutcomeResult {
    let registry = place.deployment.lineage;
    let told = |log: &Log| match act {
        Act::Trade(_) | Act::Rehearse(_) => true,
        Act::Beat { tick, .. } => said::<ILineageRegistry::Beaten>(log, registry)
            .is_some_and(|said| said.agentId == place.agent && said.tick == U256::from(tick.get())),
        Act::Resplit(_) => said::<IVault::Resplit>(log, place.vault).is_some(),
        Act::Rebalance { amount, .. } => {
            said::<IVault::Rebalanced>(log, place.vault).is_some_and(|said| said.amount == units(*amount))
        }
        Act::RaiseReserve { .. } => said::<IVault::ReserveRaised>(log, place.vault).is_some(),
        Act::PayHost { amount, .. } => {
            let alive = said::<IVault::Spent>(log, place.vault).map(|said| said.amount);
            let dying = said::<IVault::SpentDying>(log, place.vault)
                .map(|said| said.fromLegacy.saturating_add(said.fromReserve));
            alive.or(dying) == Some(units(*amount))
        }
        Act::DrawFloat { amount, .. } => {
            said::<IVault::Spent>(log, place.vault).is_some_and(|said| said.amount == units(*amount))
        }
        Act::Refuel { amount } => {
            said::<IVault::Refuelled>(log, place.vault).is_some_and(|said| said.amountIn == units(*amount))
        }
        Act::Harvest => said::<IVault::Harvested>(log, place.vault).is_some(),
        Act::Allocate => said::<IVault::ToppedUp>(log, place.vault).is_some(),
        Act::Declare(_) => {
            said::<ILineageRegistry::DyingBegan>(log, registry).is_some_and(|said| said.agentId == place.agent)
        }
        Act::Settle { .. } => {
            said::<ILineageRegistry::Died>(log, registry).is_some_and(|said| said.agentId == place.agent)
        }
    };
    if logs.iter().any(told) {
        match act {
            Act::Settle { .. } => OutcomeResult::Settled(Box::new(received(place, logs))),
            _ => OutcomeResult::Done,
        }
    } else {
        OutcomeResult::Refused { reason: "it landed, and no log says that it happened".to_owned() }
    }
}

/// T-004. What the sweep of a death sent to the owner, and what it could not.
fn received(place: &Place, logs: &[Log]) -> Received {
    let mut account = Received { is_whole: true, ..Received::default() };
    let amount = |amount: U256| u128::try_from(amount).unwrap_or(u128::MAX);
    for log in logs {
        if let Some(swept) = said::<IVault::Swept>(log, place.vault) {
            account.owner = swept.owner;
            if swept.asset == place.deployment.usdc {
                account.usdc = account.usdc.saturating_add(usdc(swept.amount));
            } else if swept.asset.is_zero() {
                account.wei = account.wei.saturating_add(amount(swept.amount));
            } else {
                let (id, amount) = (swept.id.saturating_to(), amount(swept.amount));
                account.in_kind.push(InKind { asset: swept.asset, id, amount });
            }
        } else if let Some(stranded) = said::<IVault::Stranded>(log, place.vault) {
            account.owner = stranded.owner;
            let (id, amount) = (stranded.id.saturating_to(), amount(stranded.amount));
            account.waiting.push(InKind { asset: stranded.asset, id, amount });
        } else if said::<IVault::SweepPaused>(log, place.vault).is_some() {
            account.is_whole = false;
        }
    }
    account
}

/// An event of one contract.
fn said<E: SolEvent>(log: &Log, by: Address) -> Option<E> {
    if log.address == by { log.decode() } else { None }
}

/// M-074, M-079. Laws of the vault, asked of the block the trade landed in.
fn invariants(record: &PermitRecord, after: &Reading) -> Vec<InvariantCheck> {
    let vault = &after.vault;
    let check = |name: &str, expression: &str, passed: bool, actual: String, expected: String| InvariantCheck {
        name: name.to_owned(),
        expression: expression.to_owned(),
        passed,
        actual,
        expected,
    };
    let counted = vault.accounted.saturating_add(vault.unallocated);
    let reserve = Usdc::from_micros(vault.books.reserve);
    vec![
        check(
            "V-003 conservation",
            "usdc.balanceOf(vault) == accounted + unallocated",
            vault.usdc == counted,
            vault.usdc.to_string(),
            counted.to_string(),
        ),
        check(
            "V-011 no standing allowance",
            "allowance(vault, venue) == 0",
            vault.allowances.is_zero(),
            vault.allowances.to_string(),
            "0".to_owned(),
        ),
        check(
            "L-003 life goes one way",
            "life after >= life before",
            vault.life >= record.life,
            vault.life.to_string(),
            format!(">= {}", record.life),
        ),
        check(
            "V-007 the reserve does not fall while alive",
            "reserve after >= reserve before",
            vault.life != ALIVE || reserve >= record.reserve,
            reserve.to_string(),
            format!(">= {}", record.reserve),
        ),
    ]
}
