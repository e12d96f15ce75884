//! What a landed transaction came to, by reads of the chain alone.

use alloy::primitives::U256;
use golem_core::record::{InvariantCheck, Outcome, OutcomeResult, OutcomeVerification, Receipt};
use golem_ports::{Act, Attempt, ChainError, Errand};
use golem_primitives::Usdc;

use crate::acts::{Plan, plan};
use crate::bindings::ILineageRegistry;
use crate::drive::{outcome, record_of};
use crate::flows::Flows;
use crate::node::{At, Call, Log, TxReceipt};
use crate::on_chain::OnChain;
use crate::preview::{PermitRecord, Purpose, words};
use crate::price::value_of_wei;
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
        (at, head): (At, At),
    ) -> Result<Outcome, ChainError> {
        let reading = match self.read(at).await {
            // After a long sleep the block's state is pruned; the newest still proves what holds for ever.
            Err(blind) if head.number.saturating_sub(at.number) > WATCHED_BLOCKS => {
                tracing::warn!(block = at.number, %blind, "its state is gone, the newest is read instead");
                self.read(head).await?
            }
            read => read?,
        };
        let Some(record) = record_of(attempt) else {
            // Nobody knows what was foreseen; what it cost is known.
            let cost = value_of_wei(receipt.wei(), reading.native);
            let reason = "it landed, and what was permitted cannot be read".to_owned();
            return Ok(outcome(errand, Some(cost), OutcomeResult::Refused { reason }));
        };
        let cost = Some(value_of_wei(receipt.wei(), record.native));
        let result = match (&record.purpose, &errand.act) {
            (Purpose::Cancel { why }, act) => self.unless_already(act, &reading, why.clone()),
            (Purpose::Act, Act::Trade(order)) => {
                let flows = Flows::of(&receipt.logs, &self.place);
                let realised = if receipt.success() {
                    flows.realised(order, &record.basis, &self.place).micros
                } else {
                    0
                };
                OutcomeResult::Verified(Box::new(self.verification(errand, record, receipt, &reading, realised)))
            }
            (Purpose::Act, act) if !receipt.success() => {
                let why = self.why_reverted(&record, attempt, at).await;
                self.unless_already(act, &reading, format!("it reverted on chain: {why}"))
            }
            (Purpose::Act, act) => confirmed(act, &record, &receipt.logs),
        };
        Ok(outcome(errand, cost, result))
    }

    /// A refusal, unless what was wanted is so by now.
    fn unless_already(&self, act: &Act, reading: &Reading, reason: String) -> OutcomeResult {
        match plan(act, &self.place, reading) {
            Plan::Already => OutcomeResult::Done,
            _ => OutcomeResult::Refused { reason },
        }
    }

    /// M-072, M-073, M-074. The record of a trade.
    pub(crate) fn verification(
        &self,
        errand: &Errand,
        record: PermitRecord,
        receipt: &TxReceipt,
        after: &Reading,
        realised: i64,
    ) -> OutcomeVerification {
        let invariants = invariants(&record, after);
        let told = Receipt {
            success: receipt.success(),
            gas_used: receipt.gas_used(),
            logs: receipt.logs.iter().map(Log::topic0).collect(),
            realised_return_micros: realised,
        };
        let name = (errand.tick, errand.effect);
        let post = after.chain_state(&self.place);
        let mut verified = OutcomeVerification::compare(name, record.pre_state, record.prediction, post, told);
        verified.invariants = invariants;
        verified
    }

    /// The reason, from the same call at the block before; it may be another when the block itself changed it.
    async fn why_reverted(&self, record: &PermitRecord, attempt: &Attempt, at: At) -> String {
        let Some((to, data)) = crate::drive::signed(attempt) else {
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

/// Whether the logs say that what was wanted happened.
fn confirmed(act: &Act, record: &PermitRecord, logs: &[Log]) -> OutcomeResult {
    let missing = |what: &str| OutcomeResult::Refused { reason: format!("it landed without {what}") };
    if let Act::Beat { tick, .. } = act {
        let beaten = logs.iter().filter_map(Log::decode::<ILineageRegistry::Beaten>);
        return if beaten.into_iter().any(|log| log.tick == U256::from(tick.get())) {
            OutcomeResult::Done
        } else {
            missing("the beat it carried")
        };
    }
    let came: Vec<_> = logs.iter().map(Log::topic0).collect();
    // The law's own events; a sweep may move more or fewer tokens than were foreseen, and that is no failure.
    match record.prediction.expected_logs.last() {
        Some(last) if !came.contains(last) && came.is_empty() => missing("any of the logs it promised"),
        _ => OutcomeResult::Done,
    }
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
