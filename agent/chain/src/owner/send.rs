//! From a call to a confirmed receipt.

use alloy::consensus::TxEip1559;
use alloy::primitives::{Address, B256, Bytes, TxHash, TxKind, U64, U256, keccak256};
use alloy::sol_types::{SolCall, SolEvent};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_core::record::confirmations;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::desk::{LEAST_TIP, OwnerDesk, refused};
use super::error::DeskError;
use crate::bindings::ILineageRegistry;
use crate::endpoints::EndpointError;
use crate::node::{Log, TxReceipt};
use crate::revert::ContractRefusal;
use crate::signer::Signer;

/// Gas beyond the estimate, in percent: state may change before the transaction lands.
const GAS_MARGIN_PERCENT: u64 = 25;
/// How much better a replacement pays, in percent; nodes ask for 10.
const BUMP_PERCENT: u128 = 25;
/// How often another transaction of the same wallet may get in first.
const NONCE_TRIES: u32 = 3;

/// How far an act has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeskProgress {
    /// The contracts would take it.
    Previewed {
        act: &'static str,
        gas: u64,
        most_wei: u128,
    },
    Sent {
        act: &'static str,
        tx: TxHash,
        nonce: u64,
    },
    /// It hung and was sent again with a better fee.
    Replaced {
        act: &'static str,
        tx: TxHash,
    },
    Landed {
        act: &'static str,
        block: u64,
    },
    Confirmed {
        act: &'static str,
        depth: u64,
        of: u64,
    },
}

/// Who is told of it.
pub type DeskListener<'a> = &'a mut (dyn FnMut(DeskProgress) + Send);

/// An act that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActReceipt {
    pub act: &'static str,
    pub tx: TxHash,
    pub block: u64,
    pub block_hash: B256,
    pub gas_used: u64,
    pub cost_wei: u128,
    logs: Vec<Log>,
}

impl ActReceipt {
    fn of(act: &'static str, receipt: TxReceipt) -> Self {
        Self {
            act,
            tx: receipt.transaction_hash,
            block: receipt.block(),
            block_hash: receipt.block_hash,
            gas_used: receipt.gas_used(),
            cost_wei: receipt.wei(),
            logs: receipt.logs,
        }
    }

    /// The first event of this kind among the logs of `by`.
    #[must_use]
    pub fn event<E: SolEvent>(&self, by: Address) -> Option<E> {
        self.logs.iter().filter(|log| log.address == by).find_map(|log| log.decode::<E>())
    }

    pub(super) fn expect<E: SolEvent>(&self, by: Address) -> Result<E, DeskError> {
        self.event(by).ok_or_else(|| self.lacks::<E>())
    }

    /// The same receipt, if an event of `by` says what was wanted.
    pub(super) fn saying<E: SolEvent>(self, by: Address, says: impl Fn(&E) -> bool) -> Result<Self, DeskError> {
        let mut told = self.logs.iter().filter(|log| log.address == by).filter_map(|log| log.decode::<E>());
        if told.any(|event| says(&event)) { Ok(self) } else { Err(self.lacks::<E>()) }
    }

    fn lacks<E: SolEvent>(&self) -> DeskError {
        DeskError::NoEvent { act: self.act, tx: self.tx, event: E::SIGNATURE }
    }
}

/// What is to be sent.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) act: &'static str,
    pub(super) to: Address,
    pub(super) data: Bytes,
    pub(super) value: U256,
}

impl Wanted {
    pub(super) fn call<C: SolCall>(act: &'static str, to: Address, call: &C) -> Self {
        Self { act, to, data: call.abi_encode().into(), value: U256::ZERO }
    }

    fn object(&self, from: Address) -> Value {
        json!({ "from": from, "to": self.to, "input": self.data, "value": self.value })
    }
}

impl OwnerDesk {
    /// Tries `wanted` without sending it and returns what it would return.
    pub(super) fn preview<'a>(&'a self, wanted: &'a Wanted) -> BoxFuture<'a, Result<Bytes, DeskError>> {
        async move {
            let asked = json!([wanted.object(self.address()), "latest"]);
            self.endpoints.request("eth_call", asked).await.map_err(|error| refused(wanted.act, error))
        }
        .boxed()
    }

    /// Tries several acts one after the other without sending them: each sees what those before it did. `None` where
    /// the node cannot.
    pub(super) fn rehearse<'a>(
        &'a self,
        acts: &'a [&'a Wanted],
    ) -> BoxFuture<'a, Result<Option<Vec<Bytes>>, DeskError>> {
        async move {
            #[derive(Debug, Deserialize)]
            struct Block {
                calls: Vec<Call>,
            }
            #[derive(Debug, Deserialize)]
            #[serde(rename_all = "camelCase")]
            struct Call {
                #[serde(default)]
                return_data: Bytes,
                status: U64,
            }
            let calls: Vec<Value> = acts.iter().map(|wanted| wanted.object(self.address())).collect();
            let asked = json!([{ "blockStateCalls": [{ "calls": calls }] }, "latest"]);
            let blocks: Vec<Block> = match self.endpoints.request("eth_simulateV1", asked).await {
                Ok(blocks) => blocks,
                Err(EndpointError::Rpc { .. }) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            let done: Vec<Call> = blocks.into_iter().flat_map(|block| block.calls).collect();
            if let Some((wanted, call)) = acts.iter().zip(&done).find(|(_, call)| call.status != U64::ONE) {
                return Err(DeskError::Refused {
                    act: wanted.act,
                    refusal: ContractRefusal::decode(&call.return_data),
                });
            }
            Ok((done.len() == acts.len()).then(|| done.into_iter().map(|call| call.return_data).collect()))
        }
        .boxed()
    }

    /// Whom a call would reach, asked before anything is signed: the chain, the code, and for what is no part of the suite
    /// the registry. Coin that is only sent goes to anybody.
    pub(super) fn require_counterpart<'a>(&'a self, wanted: &'a Wanted) -> BoxFuture<'a, Result<(), DeskError>> {
        async move {
            let (at, here) = (wanted.to, &self.deployment);
            let found: U64 = self.endpoints.agreed("eth_chainId", json!([])).await?;
            if found.to::<u64>() != here.chain_id {
                return Err(DeskError::OtherChain { found: found.to(), expected: here.chain_id });
            }
            if wanted.data.is_empty() {
                return Ok(());
            }
            let code: Bytes = self.endpoints.agreed("eth_getCode", json!([at, "latest"])).await?;
            if code.is_empty() {
                return Err(DeskError::NoCode { act: wanted.act, at, chain_id: here.chain_id });
            }
            if [here.usdc, here.identity, here.birth, here.succession, here.epitaph].contains(&at) {
                return Ok(());
            }
            self.agent_of(at).await.map(drop)
        }
        .boxed()
    }

    /// Asks whom it reaches, tries, sends, and waits until it is confirmed.
    pub(super) fn act<'a>(
        &'a self,
        wanted: Wanted,
        report: DeskListener<'a>,
    ) -> BoxFuture<'a, Result<ActReceipt, DeskError>> {
        async move {
            self.require_counterpart(&wanted).await?;
            self.preview(&wanted).await?;
            for _ in 0..NONCE_TRIES {
                let tx = self.prepare(&wanted, report).await?;
                match self.send_and_wait(&wanted, tx, report).await {
                    Err(DeskError::Endpoint(EndpointError::NonceTooLow { .. })) => {}
                    done => return done,
                }
            }
            Err(DeskError::Displaced { act: wanted.act })
        }
        .boxed()
    }

    /// Gas, fees and nonce, and whether the wallet can pay for them.
    async fn prepare(&self, wanted: &Wanted, report: DeskListener<'_>) -> Result<TxEip1559, DeskError> {
        let from = self.address();
        let estimate = self.endpoints.request("eth_estimateGas", json!([wanted.object(from), "latest"])).await;
        let gas = match estimate {
            Ok(gas) => with_margin(U64::to::<u64>(&gas)),
            // Some nodes refuse to estimate for an empty wallet; what it lacks is then told by what it has.
            Err(EndpointError::Rpc { message, .. }) if message.to_ascii_lowercase().contains("insufficient funds") => {
                let has_wei = self.native_balance(from).await?;
                let needs_wei = wanted.value.saturating_to::<u128>().saturating_add(1);
                return Err(DeskError::NotEnoughGas { act: wanted.act, account: from, has_wei, needs_wei });
            }
            Err(error) => return Err(refused(wanted.act, error)),
        };
        let head = self.endpoints.head().await?;
        let tip = match self.tip {
            Some(tip) => tip,
            None => self.suggested_tip().await?,
        };
        // Twice the base fee outlasts six full blocks in a row.
        let max_fee = head.base_fee.saturating_mul(2).saturating_add(tip);
        let most_wei = max_fee.saturating_mul(u128::from(gas)).saturating_add(wanted.value.saturating_to());
        let has_wei = self.native_balance(from).await?;
        if has_wei < most_wei {
            return Err(DeskError::NotEnoughGas { act: wanted.act, account: from, has_wei, needs_wei: most_wei });
        }
        let nonce: U64 = self.endpoints.request("eth_getTransactionCount", json!([from, "pending"])).await?;
        report(DeskProgress::Previewed { act: wanted.act, gas, most_wei });
        Ok(TxEip1559 {
            chain_id: self.endpoints.chain_id(),
            nonce: nonce.to(),
            gas_limit: gas,
            max_fee_per_gas: max_fee,
            max_priority_fee_per_gas: tip,
            to: TxKind::Call(wanted.to),
            value: wanted.value,
            access_list: Default::default(),
            input: wanted.data.clone(),
        })
    }

    async fn suggested_tip(&self) -> Result<u128, DeskError> {
        match self.endpoints.request::<_, U256>("eth_maxPriorityFeePerGas", json!([])).await {
            Ok(tip) => Ok(tip.saturating_to::<u128>().max(LEAST_TIP)),
            Err(EndpointError::Rpc { .. }) => Ok(LEAST_TIP),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn native_balance(&self, account: Address) -> Result<u128, DeskError> {
        let wei: U256 = self.endpoints.request("eth_getBalance", json!([account, "latest"])).await?;
        Ok(wei.saturating_to())
    }

    /// Signs here and sends; answers the hash it goes by.
    async fn send_signed(&self, wanted: &Wanted, tx: &TxEip1559) -> Result<TxHash, DeskError> {
        let raw = self.signer.sign_tx(tx.clone()).await?;
        let hash = keccak256(&raw);
        match self.endpoints.send_raw(&raw).await {
            Ok(_) => {}
            // Nobody answered, but somebody may have heard: only a look at the chain can tell.
            Err(error) if error.is_blind() => tracing::warn!(%error, act = wanted.act, "sent into the dark"),
            // One endpoint may have taken it before another found the nonce used: by this very transaction.
            Err(EndpointError::NonceTooLow { .. }) if self.look(&[hash]).await?.is_some() => {}
            Err(error) => return Err(error.into()),
        }
        Ok(hash)
    }

    async fn send_and_wait(
        &self,
        wanted: &Wanted,
        mut tx: TxEip1559,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        // A wallet chooses its fees and sends by itself: only its owner may send the same again for more.
        let (first, may_replace) = match &self.signer {
            Signer::Handed(wallet) => (wallet.send(tx.chain_id, self.shown(wanted)).await?, false),
            _ => (self.send_signed(wanted, &tx).await?, true),
        };
        let mut hashes = vec![first];
        report(DeskProgress::Sent { act: wanted.act, tx: hashes[0], nonce: tx.nonce });
        let started = Instant::now();
        let mut replace_at = started + self.patience.replace_after;
        let (mut landed, mut told) = (None, 0);
        loop {
            match self.look(&hashes).await {
                Ok(Some(receipt)) => {
                    if landed.replace(receipt.block_hash) != Some(receipt.block_hash) {
                        report(DeskProgress::Landed { act: wanted.act, block: receipt.block() });
                    }
                    let of = self.deployment.confirmations;
                    let depth = confirmations(receipt.block(), self.endpoints.head().await?.number).min(of);
                    if depth > told {
                        told = depth;
                        report(DeskProgress::Confirmed { act: wanted.act, depth, of });
                    }
                    if depth >= of {
                        return self.judge(wanted, receipt).await;
                    }
                }
                Ok(None) => landed = None,
                Err(error) if error.may_retry() => tracing::debug!(%error, "cannot see, looking again"),
                Err(error) => return Err(error),
            }
            let now = Instant::now();
            if now.duration_since(started) > self.patience.give_up_after {
                let seconds = self.patience.give_up_after.as_secs();
                return Err(DeskError::NotLanded { act: wanted.act, tx: hashes[hashes.len() - 1], seconds });
            }
            if landed.is_none() && may_replace && now >= replace_at {
                replace_at = now + self.patience.replace_after;
                if let Some(hash) = self.replace(&mut tx).await? {
                    hashes.push(hash);
                    report(DeskProgress::Replaced { act: wanted.act, tx: hash });
                }
            }
            tokio::time::sleep(self.patience.poll).await;
        }
    }

    /// The receipt of a transaction that landed before anybody waited for it here, once it lies deep enough.
    pub(super) async fn confirmed(&self, act: &'static str, tx: TxHash) -> Result<ActReceipt, DeskError> {
        let started = Instant::now();
        loop {
            if let Some(receipt) = self.look(&[tx]).await?
                && confirmations(receipt.block(), self.endpoints.head().await?.number) >= self.deployment.confirmations
            {
                return Ok(ActReceipt::of(act, receipt));
            }
            if started.elapsed() > self.patience.give_up_after {
                return Err(DeskError::NotLanded { act, tx, seconds: self.patience.give_up_after.as_secs() });
            }
            tokio::time::sleep(self.patience.poll).await;
        }
    }

    /// The receipt of whichever of the transactions landed.
    async fn look(&self, hashes: &[TxHash]) -> Result<Option<TxReceipt>, DeskError> {
        for hash in hashes.iter().rev() {
            let receipt: Option<TxReceipt> = self.endpoints.agreed("eth_getTransactionReceipt", json!([hash])).await?;
            if let Some(receipt) = receipt.filter(|receipt| receipt.transaction_hash == *hash) {
                return Ok(Some(receipt));
            }
        }
        Ok(None)
    }

    /// Sends the same again for more. `None` when the first was not out-paid or landed in the meantime.
    async fn replace(&self, tx: &mut TxEip1559) -> Result<Option<TxHash>, DeskError> {
        let head = self.endpoints.head().await?;
        let bumped = |fee: u128| fee.saturating_mul(100 + BUMP_PERCENT) / 100 + 1;
        let tip = bumped(tx.max_priority_fee_per_gas);
        tx.max_fee_per_gas = bumped(tx.max_fee_per_gas).max(head.base_fee.saturating_mul(2).saturating_add(tip));
        tx.max_priority_fee_per_gas = tip;
        let raw = self.signer.sign_tx(tx.clone()).await?;
        match self.endpoints.send_raw(&raw).await {
            Ok(hash) => Ok(Some(hash)),
            Err(EndpointError::NonceTooLow { .. } | EndpointError::ReplacementUnderpriced { .. }) => Ok(None),
            Err(error) if error.may_retry() => Ok(Some(keccak256(&raw))),
            Err(error) => Err(error.into()),
        }
    }

    /// A receipt of success, or the reason of the failure as it can be seen one block before.
    async fn judge(&self, wanted: &Wanted, receipt: TxReceipt) -> Result<ActReceipt, DeskError> {
        if receipt.success() {
            return Ok(ActReceipt::of(wanted.act, receipt));
        }
        let asked = json!([wanted.object(self.address()), U64::from(receipt.block())]);
        let refusal = match self.endpoints.request::<_, Bytes>("eth_call", asked).await {
            Err(EndpointError::Reverted { data, message, .. }) => ContractRefusal::of(data, message),
            _ => ContractRefusal::Unknown(Bytes::new()),
        };
        Err(DeskError::Reverted { act: wanted.act, tx: receipt.transaction_hash, refusal })
    }

    /// Reads back, in the block an act landed in, whether what it was for is so.
    pub(crate) async fn read_back<C: SolCall>(
        &self,
        receipt: ActReceipt,
        to: Address,
        call: C,
        is_so: impl FnOnce(&C::Return) -> bool + Send,
    ) -> Result<ActReceipt, DeskError> {
        let block = json!({ "blockHash": receipt.block_hash, "requireCanonical": true });
        let seen = self.read_at(to, call, block).await?;
        if is_so(&seen) {
            return Ok(receipt);
        }
        Err(DeskError::NoEffect { act: receipt.act, tx: receipt.tx, asked: C::SIGNATURE, at: to })
    }

    /// What the registry says of a life in the block an act landed in.
    pub(crate) async fn read_back_life(
        &self,
        receipt: ActReceipt,
        vault: Address,
        is_so: impl FnOnce(&ILineageRegistry::stateOfReturn) -> bool + Send,
    ) -> Result<ActReceipt, DeskError> {
        let asked = ILineageRegistry::stateOfCall { agentId: self.agent_of(vault).await?.0 };
        self.read_back(receipt, self.deployment.lineage, asked, is_so).await
    }
}

const fn with_margin(gas: u64) -> u64 {
    gas.saturating_add(gas / 100 * GAS_MARGIN_PERCENT)
}
