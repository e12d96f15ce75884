//! The sender's state machine. Its whole memory is [`Attempts`]: it can be dropped between any two lines and go on.

mod commit;
mod nonce;

use alloy::primitives::{Address, Bytes};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_core::record::{CostSource, Order, Outcome, OutcomeResult, confirmations};
use golem_ports::{Act, Attempt, AttemptState, Attempts, ChainError, Errand, Progress};
use golem_primitives::{Usdc, UtcTime};

use crate::acts::{Plan, plan};
use crate::endpoints::{EndpointError, Head};
use crate::node::{At, Call, TxReceipt};
use crate::on_chain::OnChain;
use crate::preview::{PermitRecord, Previewed, Purpose, rehearsed, words};
use crate::reading::Reading;
use crate::reorg::newest_at_depth;

use commit::Signed;
pub(crate) use commit::first_fees;
use nonce::Taker;

/// Said of a trade that was not wanted for so long.
const EXPIRED: &str = "expired";

impl OnChain {
    pub(crate) fn step<'a>(
        &'a self,
        errand: &'a Errand,
        attempts: &'a mut (dyn Attempts + Send),
    ) -> BoxFuture<'a, Result<Progress, ChainError>> {
        async move {
            let head = self.look().await?;
            if let Act::Rehearse(order) = &errand.act {
                return self.rehearse(errand, order, head).await;
            }
            let known = attempts.of(errand.effect)?;
            if known.is_empty() {
                self.begin(errand, attempts, head).await
            } else {
                self.follow(errand, known, attempts, head).await
            }
        }
        .boxed()
    }

    /// S-071. What a trade would come to at this block. Neither permit nor nonce is involved.
    async fn rehearse(&self, errand: &Errand, order: &Order, head: Head) -> Result<Progress, ChainError> {
        let reading = self.read(At::from(head)).await?;
        let call = match plan(&errand.act, &self.place(), &reading) {
            Plan::Already => return Ok(done(errand, None, OutcomeResult::Done)),
            Plan::Never(reason) => return Ok(refused(errand, reason)),
            Plan::Call { to, data } => Call { from: self.key(), to, data },
        };
        Ok(match self.node.simulate(&call, &reading.at).await? {
            Ok(simulation) => done(errand, None, rehearsed(order, &simulation, &self.place(), &reading)),
            Err(revert) => refused(errand, words(&revert)),
        })
    }

    /// Nothing was signed yet: preview, permit, record, send.
    async fn begin(
        &self,
        errand: &Errand,
        attempts: &mut (dyn Attempts + Send),
        head: Head,
    ) -> Result<Progress, ChainError> {
        // One at a time: what is previewed beside a transaction in flight is previewed at a block that will not be.
        let nonce = self.node.transactions_of(self.key(), head.number).await?;
        self.is_alone(nonce, attempts)?;
        if attempts.highest_nonce(self.key())?.is_some_and(|highest| highest >= nonce) {
            return Ok(Progress::Pending);
        }
        let reading = self.read(At::from(head)).await?;
        let call = match plan(&errand.act, &self.place(), &reading) {
            Plan::Already => return Ok(done(errand, None, OutcomeResult::Done)),
            Plan::Never(reason) => return Ok(refused(errand, reason)),
            // Nobody remembers whether it was signed, and what was done once is not done again.
            Plan::Call { .. } if self.may_be_done(errand) => {
                return Ok(refused(
                    errand,
                    "wanted before the memory was taken over; it may have been done".to_owned(),
                ));
            }
            Plan::Call { to, data } => Call { from: self.key(), to, data },
        };
        let permit = match self.preview(errand, call, &reading).await? {
            Previewed::Permitted(permit) => *permit,
            Previewed::Later => return Ok(Progress::Pending),
            Previewed::Refused(reason) => return Ok(refused(errand, reason)),
        };
        match self.first_fees(errand, &permit, &reading) {
            Ok(fees) => self.commit(permit, nonce, fees, errand, attempts).await.map(|_| Progress::Pending),
            Err(reason) => Ok(refused(errand, reason)),
        }
    }

    /// Something was signed: it landed, or it waits, or it is lost.
    async fn follow(
        &self,
        errand: &Errand,
        known: Vec<Attempt>,
        attempts: &mut (dyn Attempts + Send),
        head: Head,
    ) -> Result<Progress, ChainError> {
        let depth = self.depth();
        for attempt in &known {
            // What landed and was taken back is in the race again, and so is all that it had beaten.
            if self.is_withdrawn(attempt, &head).await? {
                for sibling in &known {
                    attempts.mark(sibling.hash, AttemptState::Signed)?;
                }
            }
        }
        for attempt in &known {
            if let Some(receipt) = self.node.receipt(attempt.hash).await? {
                return self.landed(errand, &known, attempt, receipt, attempts, head).await;
            }
        }
        let (key, nonce) = (known[0].key, known[0].nonce);
        let deep = newest_at_depth(head.number, depth);
        if self.node.transactions_of(key, deep).await? > nonce {
            return self.used_up(errand, &known, attempts, deep).await;
        }
        let used = self.node.transactions_of(key, head.number).await?;
        if used > nonce {
            // Something landed a moment ago; at depth it will be told whether it was ours.
            return Ok(Progress::Pending);
        }
        if key != self.key() {
            return self.outlived(errand, &known, attempts, head).await;
        }
        self.press(errand, &known, attempts, head, used).await
    }

    /// Its nonce is used, and nobody shows a receipt. Only another transaction, there to be read, ends it: who told a
    /// payment as lost because an endpoint was silent would pay it again.
    async fn used_up(
        &self,
        errand: &Errand,
        known: &[Attempt],
        attempts: &mut (dyn Attempts + Send),
        deep: u64,
    ) -> Result<Progress, ChainError> {
        let nonce = known[0].nonce;
        match self.taker(known, deep).await? {
            Taker::Other(tx, at) => {
                for attempt in known {
                    attempts.mark(attempt.hash, AttemptState::Taken { block: at.number, hash: at.hash })?;
                }
                Ok(refused(errand, format!("another transaction of the key, {tx}, took nonce {nonce}")))
            }
            Taker::Ours(tx) => {
                tracing::warn!(%tx, nonce, "it landed, and no endpoint shows its receipt");
                Ok(Progress::Pending)
            }
            Taker::Unseen => {
                tracing::warn!(nonce, "its nonce is used, and no endpoint shows by what");
                Ok(Progress::Pending)
            }
        }
    }

    /// L-002. Signed by a key that is not this one's, and its nonce is free. Once the vault obeys another key it can do
    /// nothing any more; before that it may still land.
    async fn outlived(
        &self,
        errand: &Errand,
        known: &[Attempt],
        attempts: &mut (dyn Attempts + Send),
        head: Head,
    ) -> Result<Progress, ChainError> {
        let key = known[0].key;
        if self.state_at_depth(head.number).await?.key == key {
            return Ok(Progress::Pending);
        }
        for attempt in known {
            attempts.mark(attempt.hash, AttemptState::Lost)?;
        }
        Ok(refused(errand, format!("the key {key} that signed it was replaced before it landed")))
    }

    /// Nothing of it landed and its nonce is free.
    async fn press(
        &self,
        errand: &Errand,
        known: &[Attempt],
        attempts: &mut (dyn Attempts + Send),
        head: Head,
        used: u64,
    ) -> Result<Progress, ChainError> {
        let newest = known.last().expect("there is one");
        let record = record_of(newest);
        let canceling = match &record {
            Some(record) => record.purpose != Purpose::Act,
            None => Signed::read(newest).is_none_or(|signed| signed.to == self.key()),
        };
        let deadline = known.iter().filter_map(record_of).map(|record| record.expires).min();
        let expired = deadline.is_none_or(|deadline| head.time > deadline);
        if expired && !canceling && matches!(errand.act, Act::Trade(_)) {
            let reading = self.read(At::from(head)).await?;
            return self.cancel(errand, newest, attempts, &reading, EXPIRED).await;
        }
        let mut urgent = false;
        if !self.node.knows(newest.hash).await? {
            if expired && !canceling {
                // What was permitted long ago is looked at again before it goes out.
                urgent = true;
            } else {
                tracing::info!(tx = %newest.hash, nonce = newest.nonce, "sending again what the node does not have");
                match self.send(newest).await {
                    Err(EndpointError::FeeTooLow { .. }) => urgent = true,
                    Err(EndpointError::ReplacementUnderpriced { .. }) => {}
                    // Behind it everything else waits, so what is refused past its time is not offered for ever.
                    Err(error) if expired && error.is_final_for_tx() => {
                        return self.cancel_afresh(errand, newest, attempts, head).await;
                    }
                    _ => return Ok(Progress::Pending),
                }
            }
        }
        // Behind a nonce that has not landed a higher fee buys nothing.
        let stuck = urgent || head.number >= newest.block.saturating_add(self.settings.stuck_blocks);
        if used < newest.nonce || !stuck {
            return Ok(Progress::Pending);
        }
        let reading = self.read(At::from(head)).await?;
        if canceling {
            return self.cancel(errand, newest, attempts, &reading, &why_cancelled(record)).await;
        }
        self.replace(errand, newest, attempts, &reading, deadline).await
    }

    /// The same call for a higher fee, if it would still succeed; else nothing for a higher fee.
    async fn replace(
        &self,
        errand: &Errand,
        stuck: &Attempt,
        attempts: &mut (dyn Attempts + Send),
        reading: &Reading,
        deadline: Option<UtcTime>,
    ) -> Result<Progress, ChainError> {
        let permitted = record_of(stuck);
        let signed = Signed::read(stuck).filter(|signed| permitted.is_some_and(|record| signed.is_of(&record)));
        let Some(signed) = signed else {
            return self.cancel(errand, stuck, attempts, reading, "what was signed is not what was permitted").await;
        };
        let call = Call { from: self.key(), to: signed.to, data: signed.data.clone() };
        let permit = match self.preview(errand, call, reading).await? {
            Previewed::Permitted(permit) => *permit,
            Previewed::Later => return Ok(Progress::Pending),
            Previewed::Refused(reason) => return self.cancel(errand, stuck, attempts, reading, &reason).await,
        };
        let permit = match deadline {
            Some(deadline) if matches!(errand.act, Act::Trade(_)) => permit.until(deadline),
            _ => permit,
        };
        let most = self.most_per_gas(errand, &permit, reading);
        let Some(fees) = signed.fees.bumped(reading.at.base_fee, most) else {
            // What may cost no more and has waited past its time makes room: behind it everything else waits, and what
            // is behind may be allowed to cost more. Nothing is cheaper than the act, so its own budget mostly buys it.
            if deadline.is_none_or(|deadline| reading.at.time > deadline) {
                return self.cancel(errand, stuck, attempts, reading, "dearer than it may be").await;
            }
            // More than it may cost: what is signed waits for a cheaper block, or for its end.
            let _ = self.send(stuck).await;
            return Ok(Progress::Pending);
        };
        tracing::info!(nonce = stuck.nonce, fee = fees.max, "replacing what is stuck");
        let is_over = deadline.is_none_or(|deadline| reading.at.time > deadline);
        match self.commit(permit, stuck.nonce, fees, errand, attempts).await? {
            Some(refused) if is_over => {
                let why = match refused.error {
                    EndpointError::InsufficientFunds { .. } => "the key cannot pay for it",
                    _ => "the node does not take it",
                };
                self.cancel(errand, &refused.attempt, attempts, reading, why).await
            }
            _ => Ok(Progress::Pending),
        }
    }

    /// Uses the nonce up with nothing, so that what was signed cannot land late.
    async fn cancel(
        &self,
        errand: &Errand,
        stuck: &Attempt,
        attempts: &mut (dyn Attempts + Send),
        reading: &Reading,
        why: &str,
    ) -> Result<Progress, ChainError> {
        let permit = self.cancellation(reading, why).await?;
        let most = self.most_per_gas(errand, &permit, reading);
        let before = Signed::read(stuck).map(|signed| signed.fees);
        let fees = match before {
            Some(before) => before.bumped(reading.at.base_fee, most),
            None => self.first_fees(errand, &permit, reading).ok(),
        };
        let Some(fees) = fees else { return Ok(Progress::Pending) };
        tracing::info!(nonce = stuck.nonce, why, "cancelling");
        self.commit(permit, stuck.nonce, fees, errand, attempts).await.map(|_| Progress::Pending)
    }

    /// Cancels for less than before. No node has what was offered, so nothing has to be outbid, and a smaller offer may
    /// be taken where a larger one is not.
    async fn cancel_afresh(
        &self,
        errand: &Errand,
        refused: &Attempt,
        attempts: &mut (dyn Attempts + Send),
        head: Head,
    ) -> Result<Progress, ChainError> {
        let reading = self.read(At::from(head)).await?;
        let why = why_cancelled(record_of(refused));
        let permit = self.cancellation(&reading, &why).await?;
        let before = Signed::read(refused).map(|signed| signed.fees);
        let fees = self.first_fees(errand, &permit, &reading).ok();
        let Some(fees) = fees.filter(|fees| before.is_none_or(|before| fees.max < before.max)) else {
            return Ok(Progress::Pending);
        };
        tracing::info!(nonce = refused.nonce, fee = fees.max, "cancelling for less");
        self.commit(permit, refused.nonce, fees, errand, attempts).await.map(|_| Progress::Pending)
    }

    /// One of ours landed: at depth it is verified and told.
    async fn landed(
        &self,
        errand: &Errand,
        known: &[Attempt],
        attempt: &Attempt,
        receipt: TxReceipt,
        attempts: &mut (dyn Attempts + Send),
        head: Head,
    ) -> Result<Progress, ChainError> {
        if confirmations(receipt.block(), head.number) < self.depth() {
            return Ok(Progress::Pending);
        }
        // A receipt of a block that is no longer there is a memory of the node, not a fact.
        let Some(at) = self.node.block(receipt.block()).await?.filter(|at| at.hash == receipt.block_hash) else {
            return Ok(Progress::Pending);
        };
        let outcome = self.judge(errand, attempt, &receipt, at, At::from(head)).await?;
        for sibling in known {
            let state = if sibling.hash == attempt.hash {
                AttemptState::Landed { block: at.number, hash: at.hash }
            } else {
                AttemptState::Lost
            };
            attempts.mark(sibling.hash, state)?;
        }
        Ok(Progress::Done(Box::new(outcome)))
    }

    /// Hands signed bytes to the node. Whatever it says, they are recorded, so the next step goes on from there.
    async fn send(&self, attempt: &Attempt) -> Result<(), EndpointError> {
        let sent = self.node.send(&attempt.raw).await;
        if let Err(error) = &sent {
            tracing::warn!(tx = %attempt.hash, %error, "a transaction was not taken; it stays recorded");
        }
        sent
    }
}

/// Why a nonce is to be used up, as it was written down with what was signed for that.
fn why_cancelled(record: Option<PermitRecord>) -> String {
    match record.map(|record| record.purpose) {
        Some(Purpose::Cancel { why }) => why,
        _ => EXPIRED.to_owned(),
    }
}

/// What an attempt was permitted by; `None` when it was written by something else.
pub(crate) fn record_of(attempt: &Attempt) -> Option<PermitRecord> {
    serde_json::from_str(&attempt.permit).ok()
}

pub(crate) fn done(errand: &Errand, cost: Option<Usdc>, result: OutcomeResult) -> Progress {
    Progress::Done(Box::new(outcome(errand, cost, result)))
}

pub(crate) fn outcome(errand: &Errand, cost: Option<Usdc>, result: OutcomeResult) -> Outcome {
    Outcome { effect: errand.effect, cost: cost.map(|cost| (CostSource::Gas, cost)), result }
}

pub(crate) fn refused(errand: &Errand, reason: String) -> Progress {
    done(errand, None, OutcomeResult::Refused { reason })
}

/// Whom and with what an attempt calls.
pub(crate) fn signed(attempt: &Attempt) -> Option<(Address, Bytes)> {
    Signed::read(attempt).map(|signed| (signed.to, signed.data))
}
