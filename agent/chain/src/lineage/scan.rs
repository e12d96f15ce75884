//! Logs of a range of blocks, in pieces as large as the endpoint allows.

use std::collections::{BTreeMap, BTreeSet};

use alloy::primitives::{Address, B256, Bytes, U64};
use alloy::sol_types::SolEvent;
use golem_primitives::UtcTime;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::endpoints::{EndpointError, Endpoints, Head};

/// Blocks asked for at once, at most.
const LARGEST_PIECE: u64 = 50_000;
/// Where the search for a piece an endpoint takes begins.
const FIRST_PIECE: u64 = 5_000;
/// Blocks asked for at the same time.
const AT_ONCE: usize = 16;
/// Addresses or ids named in one filter, at most.
pub(crate) const LARGEST_FILTER: usize = 200;

/// One log with its place in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) address: Address,
    pub(crate) topics: Vec<B256>,
    pub(crate) data: Bytes,
    pub(crate) block: u64,
    pub(crate) index: u64,
    pub(crate) tx: B256,
    pub(crate) time: UtcTime,
}

impl Entry {
    /// The log as an event of a contract, if it is one.
    pub(crate) fn decode<E: SolEvent>(&self) -> Option<E> {
        E::decode_raw_log(self.topics.iter().copied(), &self.data).ok()
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawLog {
    address: Address,
    topics: Vec<B256>,
    data: Bytes,
    block_number: U64,
    log_index: U64,
    transaction_hash: B256,
    #[serde(default)]
    block_timestamp: Option<U64>,
    #[serde(default)]
    removed: bool,
}

/// What logs are wanted.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) addresses: Vec<Address>,
    /// By position, each a list of alternatives; an empty list takes anything.
    pub(crate) topics: Vec<Vec<B256>>,
}

/// All logs of `wanted` in `from..=to`, oldest first.
pub(crate) async fn logs(
    endpoints: &Endpoints,
    wanted: &Wanted,
    from: u64,
    to: u64,
) -> Result<Vec<Entry>, EndpointError> {
    let mut raw = Vec::new();
    let (mut next, mut piece, mut most) = (from, FIRST_PIECE, LARGEST_PIECE);
    while next <= to {
        let end = next.saturating_add(piece - 1).min(to);
        match endpoints.request::<_, Vec<RawLog>>("eth_getLogs", filter(wanted, next, end)).await {
            Ok(found) => {
                raw.extend(found.into_iter().filter(|log| !log.removed));
                next = end + 1;
                piece = piece.saturating_mul(2).min(most);
            }
            // Every provider has its own limit and its own words for it; a smaller piece is the answer to all of them.
            Err(EndpointError::Rpc { .. }) if end > next => {
                piece = (end - next).div_ceil(2);
                most = piece;
            }
            Err(error) => return Err(error),
        }
    }
    let times = times(endpoints, &raw).await?;
    let mut entries: Vec<Entry> = raw
        .into_iter()
        .map(|log| {
            let block = log.block_number.to::<u64>();
            Entry {
                address: log.address,
                topics: log.topics,
                data: log.data,
                block,
                index: log.log_index.to(),
                tx: log.transaction_hash,
                time: times[&block],
            }
        })
        .collect();
    entries.sort_unstable_by_key(|entry| (entry.block, entry.index));
    entries.dedup_by_key(|entry| (entry.block, entry.index));
    Ok(entries)
}

fn filter(wanted: &Wanted, from: u64, to: u64) -> Value {
    let topics: Vec<Value> =
        wanted.topics.iter().map(|any| if any.is_empty() { Value::Null } else { json!(any) }).collect();
    json!([{ "address": wanted.addresses, "topics": topics, "fromBlock": U64::from(from), "toBlock": U64::from(to) }])
}

/// The time of each block that has a log: the newer nodes say it with the log, the others are asked.
async fn times(endpoints: &Endpoints, logs: &[RawLog]) -> Result<BTreeMap<u64, UtcTime>, EndpointError> {
    let mut times = BTreeMap::new();
    let mut unknown = BTreeSet::new();
    for log in logs {
        let block = log.block_number.to::<u64>();
        if let Some(time) = log.block_timestamp {
            times.insert(block, UtcTime::from_seconds(time.to()));
        } else {
            unknown.insert(block);
        }
    }
    for block in &unknown {
        times.insert(*block, UtcTime::from_seconds(0));
    }
    times.extend(blocks(endpoints, unknown).await?.into_iter().map(|(number, block)| (number, block.time)));
    Ok(times)
}

/// Many blocks at a time; those the chain does not have are left out.
pub(super) async fn blocks(
    endpoints: &Endpoints,
    numbers: BTreeSet<u64>,
) -> Result<BTreeMap<u64, Head>, EndpointError> {
    let mut found = BTreeMap::new();
    let mut asking = JoinSet::new();
    let mut numbers = numbers.into_iter();
    loop {
        while asking.len() < AT_ONCE
            && let Some(number) = numbers.next()
        {
            let endpoints = endpoints.clone();
            asking.spawn(async move { (number, endpoints.block(number).await) });
        }
        let Some(answer) = asking.join_next().await else { return Ok(found) };
        let (number, block) = answer.expect("no task of this panics");
        if let Some(block) = block? {
            found.insert(number, block);
        }
    }
}
