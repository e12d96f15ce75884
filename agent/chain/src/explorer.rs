//! O-013. The chain as a person looks at it: blocks, transactions, and what the suite's contracts were told, said and
//! refused, by name. Reads only.

pub(crate) mod decode;

use std::collections::{BTreeMap, BTreeSet};

use alloy::primitives::{Address, B256, Bytes, U64, U256};
use golem_primitives::UtcTime;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::deployment::Deployment;
use crate::endpoints::{EndpointError, Endpoints};
use crate::lineage::scan::{self, Wanted};
use crate::node::Log;
use crate::revert::ContractRefusal;

pub use decode::{DecodedData, NamedValue};

/// Blocks asked for at the same time.
const AT_ONCE: usize = 8;
/// Blocks of logs that are looked through at once, and how often further back, for what the suite said last.
const PIECE: u64 = 5_000;
const PIECES: u64 = 10;

/// What a chain is called, and where everybody may look at it; none where nobody here knows it.
#[must_use]
pub fn public_explorer(chain_id: u64) -> Option<(String, &'static str)> {
    let chain = alloy_chains::Chain::from_id(chain_id);
    let (_, url) = chain.etherscan_urls()?;
    Some((chain.to_string(), url.trim_end_matches('/')))
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenBlock {
    pub number: u64,
    pub hash: B256,
    pub parent: B256,
    pub time: UtcTime,
    pub gas_used: u64,
    /// What a unit of gas costs at least, in wei.
    pub base_fee_wei: u128,
    pub transactions: Vec<SeenTransaction>,
}

/// A transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenTransaction {
    pub hash: B256,
    pub block: Option<u64>,
    pub from: Address,
    /// Whom it calls; none where it makes a contract.
    pub to: Option<Address>,
    pub value_wei: u128,
    /// Whether it calls a contract of the suite or a vault.
    pub is_of_suite: bool,
    pub call: Option<DecodedData>,
    pub input_bytes: usize,
    /// What came of it; none where that was not asked.
    pub result: Option<SeenResult>,
}

/// What came of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenResult {
    pub succeeded: bool,
    pub gas_used: u64,
    pub cost_wei: u128,
    /// Why it was refused, tried again at the block before its own.
    pub refusal: Option<String>,
    pub events: Vec<SeenEvent>,
}

/// Something that a contract said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenEvent {
    pub by: Address,
    pub said: Option<DecodedData>,
    /// The first topic, for what is not.
    pub topic: Option<B256>,
    pub block: u64,
    pub time: Option<UtcTime>,
    pub tx: B256,
}

/// Who looks at one chain.
#[derive(Debug, Clone)]
pub struct Explorer {
    endpoints: Endpoints,
    deployment: Deployment,
    vaults: BTreeMap<Address, String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawBlock {
    number: U64,
    hash: B256,
    parent_hash: B256,
    timestamp: U64,
    gas_used: U64,
    #[serde(default)]
    base_fee_per_gas: U256,
    transactions: Vec<RawTransaction>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawTransaction {
    hash: B256,
    #[serde(default)]
    block_number: Option<U64>,
    from: Address,
    to: Option<Address>,
    value: U256,
    input: Bytes,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawReceipt {
    transaction_hash: B256,
    status: U64,
    block_number: U64,
    gas_used: U64,
    #[serde(default)]
    effective_gas_price: U256,
    logs: Vec<Log>,
}

impl Explorer {
    /// Over one chain, with the vaults that are known by name.
    #[must_use]
    pub const fn new(endpoints: Endpoints, deployment: Deployment, vaults: BTreeMap<Address, String>) -> Self {
        Self { endpoints, deployment, vaults }
    }

    /// What is known to stand at an address.
    #[must_use]
    pub fn name_of(&self, at: Address) -> Option<String> {
        let here = &self.deployment;
        let parts = [
            (here.identity, "identity registry"),
            (here.lineage, "lineage registry"),
            (here.birth, "birth"),
            (here.succession, "succession"),
            (here.vault, "vault implementation"),
            (here.swap_adapter, "swap adapter"),
            (here.position_adapter, "position adapter"),
            (here.epitaph, "epitaph"),
            (here.usdc, "USDC"),
            (here.weth, "WETH"),
            (here.uniswap_factory, "Uniswap factory"),
            (here.position_manager, "position manager"),
            (here.multicall3, "Multicall3"),
        ];
        let part = parts.into_iter().find(|(address, _)| *address == at).map(|(_, name)| name.to_owned());
        let pool = || here.pools.iter().find(|(_, address)| **address == at).map(|(name, _)| format!("pool {name}"));
        let vault = || self.vaults.get(&at).map(|name| format!("vault of {name}"));
        part.or_else(pool).or_else(vault).or_else(|| (here.pool == Some(at)).then(|| "pool".to_owned()))
    }

    fn is_of_suite(&self, at: Address) -> bool {
        let here = &self.deployment;
        self.vaults.contains_key(&at)
            || [here.identity, here.lineage, here.birth, here.succession, here.epitaph].contains(&at)
    }

    /// The blocks up to `newest`, or to the head, newest first.
    pub async fn blocks(&self, newest: Option<u64>, count: u64) -> Result<Vec<SeenBlock>, EndpointError> {
        let head = self.endpoints.head().await?.number;
        let newest = newest.map_or(head, |newest| newest.min(head));
        let mut wanted = (newest.saturating_sub(count.saturating_sub(1))..=newest).rev();
        let (mut found, mut asking) = (Vec::new(), JoinSet::new());
        loop {
            while asking.len() < AT_ONCE
                && let Some(number) = wanted.next()
            {
                let here = self.clone();
                asking.spawn(async move { here.read_block(number).await });
            }
            let Some(answer) = asking.join_next().await else { break };
            found.extend(answer.expect("no task of this panics")?);
        }
        found.sort_unstable_by_key(|block: &SeenBlock| std::cmp::Reverse(block.number));
        Ok(found)
    }

    /// A block with what came of its transactions; none where the chain has no such block.
    pub async fn block(&self, number: u64) -> Result<Option<SeenBlock>, EndpointError> {
        let Some(mut block) = self.read_block(number).await? else { return Ok(None) };
        let asked = json!([U64::from(number)]);
        // Not every node tells all receipts of a block at once; without them the block is shown all the same.
        let receipts: Vec<RawReceipt> = self.endpoints.request("eth_getBlockReceipts", asked).await.unwrap_or_default();
        for receipt in receipts {
            let sent = block.transactions.iter_mut().find(|sent| sent.hash == receipt.transaction_hash);
            if let Some(sent) = sent {
                sent.result = Some(self.result(receipt, Some(block.time)));
            }
        }
        Ok(Some(block))
    }

    /// A transaction with what came of it; none where the chain has no such transaction.
    pub async fn transaction(&self, hash: B256) -> Result<Option<SeenTransaction>, EndpointError> {
        let sent: Option<RawTransaction> = self.endpoints.request("eth_getTransactionByHash", json!([hash])).await?;
        let Some(sent) = sent else { return Ok(None) };
        let receipt: Option<RawReceipt> = self.endpoints.request("eth_getTransactionReceipt", json!([hash])).await?;
        let mut result = None;
        if let Some(receipt) = receipt {
            let block = receipt.block_number.to::<u64>();
            let time = self.endpoints.block(block).await?.map(|block| block.time);
            let mut came = self.result(receipt, time);
            if !came.succeeded {
                came.refusal = Some(self.refusal(&sent, block).await);
            }
            result = Some(came);
        }
        Ok(Some(SeenTransaction { result, ..self.seen(sent) }))
    }

    /// What the suite and the known vaults said last, newest first: at most so many, up to a block.
    pub async fn said(&self, up_to: Option<u64>, most: usize) -> Result<Vec<SeenEvent>, EndpointError> {
        let here = &self.deployment;
        // The identity registry serves everybody; the lineage registry tells what of it is ours.
        let mut addresses = BTreeSet::from([here.lineage, here.birth, here.succession, here.epitaph]);
        addresses.extend(self.vaults.keys());
        let addresses: Vec<Address> = addresses.into_iter().take(scan::LARGEST_FILTER).collect();
        let head = self.endpoints.head().await?.number;
        let mut to = up_to.map_or(head, |block| block.min(head));
        let mut said = Vec::new();
        for _ in 0..PIECES {
            let from = to.saturating_sub(PIECE).max(here.from_block);
            let wanted = Wanted { addresses: addresses.clone(), topics: Vec::new() };
            for entry in scan::logs(&self.endpoints, &wanted, from, to).await?.into_iter().rev() {
                said.push(SeenEvent {
                    by: entry.address,
                    said: decode::event(&entry.topics, &entry.data),
                    topic: entry.topics.first().copied(),
                    block: entry.block,
                    time: Some(entry.time),
                    tx: entry.tx,
                });
            }
            if said.len() >= most || from <= here.from_block {
                break;
            }
            to = from - 1;
        }
        said.truncate(most);
        Ok(said)
    }

    async fn read_block(&self, number: u64) -> Result<Option<SeenBlock>, EndpointError> {
        let asked = json!([U64::from(number), true]);
        let block: Option<RawBlock> = self.endpoints.request("eth_getBlockByNumber", asked).await?;
        Ok(block.map(|block| SeenBlock {
            number: block.number.to(),
            hash: block.hash,
            parent: block.parent_hash,
            time: UtcTime::from_seconds(block.timestamp.to()),
            gas_used: block.gas_used.to(),
            base_fee_wei: block.base_fee_per_gas.saturating_to(),
            transactions: block.transactions.into_iter().map(|sent| self.seen(sent)).collect(),
        }))
    }

    fn seen(&self, sent: RawTransaction) -> SeenTransaction {
        SeenTransaction {
            hash: sent.hash,
            block: sent.block_number.map(|number| number.to()),
            from: sent.from,
            to: sent.to,
            value_wei: sent.value.saturating_to(),
            is_of_suite: sent.to.is_some_and(|to| self.is_of_suite(to)),
            call: decode::call(&sent.input, sent.to.and_then(|to| self.deployment.kind_of(to))),
            input_bytes: sent.input.len(),
            result: None,
        }
    }

    fn result(&self, receipt: RawReceipt, time: Option<UtcTime>) -> SeenResult {
        let block = receipt.block_number.to::<u64>();
        let event = |log: Log| SeenEvent {
            by: log.address,
            said: decode::event(&log.topics, &log.data),
            topic: log.topics.first().copied(),
            block,
            time,
            tx: receipt.transaction_hash,
        };
        SeenResult {
            succeeded: receipt.status == U64::ONE,
            gas_used: receipt.gas_used.to(),
            cost_wei: (receipt.effective_gas_price * U256::from(receipt.gas_used.to::<u64>())).saturating_to(),
            refusal: None,
            events: receipt.logs.into_iter().map(event).collect(),
        }
    }

    /// A chain keeps no reason with a refused transaction: it is tried once more where it stood.
    async fn refusal(&self, sent: &RawTransaction, block: u64) -> String {
        let call = json!({ "from": sent.from, "to": sent.to, "value": sent.value, "input": sent.input });
        let asked = json!([call, U64::from(block.saturating_sub(1))]);
        match self.endpoints.request::<_, Value>("eth_call", asked).await {
            Err(EndpointError::Reverted { data: Some(data), .. }) => ContractRefusal::decode(&data).in_words(),
            Err(EndpointError::Reverted { message, .. }) => message,
            Ok(_) => {
                "it passes at the block before: what came between in its own block stopped it, or its gas".to_owned()
            }
            Err(error) => format!("the chain could not be asked why: {error}"),
        }
    }
}
