//! The few questions an agent asks a node, each with a typed answer. What cannot be read is blindness.
//!
//! What money follows from is asked of every endpoint and believed by majority: blocks, state, receipts, nonces. What only
//! saves a request or is refused by the vault anyway is asked of one: simulations, logs, whether a transaction is known.

use alloy::primitives::{Address, B256, Bytes, U64, U256};
use golem_ports::Blindness;
use golem_primitives::UtcTime;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::endpoints::{EndpointError, Endpoints, Head, Header};

/// A log, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Log {
    pub(crate) address: Address,
    pub(crate) topics: Vec<B256>,
    pub(crate) data: Bytes,
}

impl Log {
    /// The log as an event of a contract, if it is one.
    pub(crate) fn decode<E: alloy::sol_types::SolEvent>(&self) -> Option<E> {
        E::decode_raw_log(self.topics.iter().copied(), &self.data).ok()
    }

    /// The log of an event, as the contract at that address would write it.
    pub(crate) fn of<E: alloy::sol_types::SolEvent>(address: Address, event: &E) -> Self {
        let data = event.encode_log_data();
        Self { address, topics: data.topics().to_vec(), data: data.data }
    }

    pub(crate) fn topic0(&self) -> B256 {
        self.topics.first().copied().unwrap_or_default()
    }
}

/// A log and the block it stands in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoggedAt {
    pub(crate) block_number: U64,
    #[serde(flatten)]
    pub(crate) log: Log,
}

/// A receipt, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TxReceipt {
    pub(crate) transaction_hash: B256,
    status: U64,
    block_number: U64,
    pub(crate) block_hash: B256,
    gas_used: U64,
    #[serde(default)]
    effective_gas_price: U256,
    /// What a rollup charges for data on its parent chain.
    #[serde(default)]
    l1_fee: Option<U256>,
    pub(crate) logs: Vec<Log>,
}

impl TxReceipt {
    /// The receipt of what was never sent.
    pub(crate) fn pretended(success: bool, at: &At, gas_used: u64, logs: Vec<Log>) -> Self {
        Self {
            transaction_hash: B256::ZERO,
            status: U64::from(u8::from(success)),
            block_number: U64::from(at.number),
            block_hash: at.hash,
            gas_used: U64::from(gas_used),
            effective_gas_price: U256::ZERO,
            l1_fee: None,
            logs,
        }
    }

    pub(crate) fn success(&self) -> bool {
        self.status == U64::ONE
    }

    pub(crate) fn block(&self) -> u64 {
        self.block_number.to()
    }

    pub(crate) fn gas_used(&self) -> u64 {
        self.gas_used.to()
    }

    /// All it cost, in wei, held at the largest number.
    pub(crate) fn wei(&self) -> u128 {
        let execution = self.effective_gas_price.saturating_mul(U256::from(self.gas_used));
        execution.saturating_add(self.l1_fee.unwrap_or_default()).saturating_to()
    }
}

/// A block of the chain by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) number: u64,
    pub(crate) hash: B256,
    pub(crate) time: UtcTime,
    pub(crate) base_fee: u128,
}

impl From<Head> for At {
    fn from(head: Head) -> Self {
        Self { number: head.number, hash: head.hash, time: head.time, base_fee: head.base_fee }
    }
}

/// A call that is not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) from: Address,
    pub(crate) to: Address,
    pub(crate) data: Bytes,
}

/// What a simulation showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Simulation {
    pub(crate) returned: Bytes,
    /// `None` where the node cannot show logs.
    pub(crate) logs: Option<Vec<Log>>,
    pub(crate) gas_used: u64,
}

/// What became of a call that was not sent: an answer, or the revert data.
pub(crate) type Tried<T> = Result<T, Revert>;

/// Data of a revert, or the node's words when it has no data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Revert {
    pub(crate) data: Bytes,
    pub(crate) message: String,
}

/// One chain, through its endpoints.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    endpoints: Endpoints,
}

impl Node {
    pub(crate) const fn new(endpoints: Endpoints) -> Self {
        Self { endpoints }
    }

    pub(crate) const fn chain_id(&self) -> u64 {
        self.endpoints.chain_id()
    }

    pub(crate) async fn head(&self) -> Result<Head, Blindness> {
        self.endpoints.head().await.map_err(blind)
    }

    /// The block of that number on the canonical chain; `None` when there is none.
    pub(crate) async fn block(&self, number: u64) -> Result<Option<At>, Blindness> {
        let block: Option<Header> = self.agreed("eth_getBlockByNumber", json!([U64::from(number), false])).await?;
        let Some(block) = block.map(Head::from) else { return Ok(None) };
        if block.number != number {
            return Err(Blindness { why: format!("asked for block {number}, was given {}", block.number) });
        }
        Ok(Some(At::from(block)))
    }

    /// A call at a block that must still be canonical.
    pub(crate) async fn call(&self, call: &Call, at: &At) -> Result<Tried<Bytes>, Blindness> {
        let block = json!({ "blockHash": at.hash, "requireCanonical": true });
        let asked = self.endpoints.agreed("eth_call", json!([call_object(call), block])).await;
        tried("eth_call", asked)
    }

    /// The exact call, as the next transaction after `at`.
    pub(crate) async fn simulate(&self, call: &Call, at: &At) -> Result<Tried<Simulation>, Blindness> {
        let payload = json!({ "blockStateCalls": [{ "calls": [call_object(call)] }] });
        let asked: Result<Vec<SimulatedBlock>, EndpointError> =
            self.endpoints.request("eth_simulateV1", json!([payload, U64::from(at.number)])).await;
        match asked {
            Ok(blocks) => {
                let done = blocks.into_iter().next().and_then(|block| block.calls.into_iter().next());
                done.map(SimulatedCall::judge)
                    .ok_or_else(|| Blindness { why: "eth_simulateV1 answered without the call".to_owned() })
            }
            // Not every node simulates. A plain call says as much but shows no logs.
            Err(error @ EndpointError::Rpc { .. }) => {
                tracing::debug!(%error, "no simulation, a plain call instead");
                self.call_as_simulation(call, at).await
            }
            Err(error) => tried("eth_simulateV1", Err(error)),
        }
    }

    async fn call_as_simulation(&self, call: &Call, at: &At) -> Result<Tried<Simulation>, Blindness> {
        let returned = match self.call(call, at).await? {
            Ok(returned) => returned,
            Err(revert) => return Ok(Err(revert)),
        };
        let gas = self.estimate_gas(call, at).await?;
        Ok(gas.map(|gas_used| Simulation { returned, logs: None, gas_used }))
    }

    /// Gas a transaction has to bring so that it does not run out.
    pub(crate) async fn estimate_gas(&self, call: &Call, at: &At) -> Result<Tried<u64>, Blindness> {
        let asked = self.endpoints.request("eth_estimateGas", json!([call_object(call), U64::from(at.number)])).await;
        Ok(tried::<U64>("eth_estimateGas", asked)?.map(|gas| gas.to()))
    }

    pub(crate) async fn receipt(&self, hash: B256) -> Result<Option<TxReceipt>, Blindness> {
        let receipt: Option<TxReceipt> = self.agreed("eth_getTransactionReceipt", json!([hash])).await?;
        match receipt {
            Some(receipt) if receipt.transaction_hash != hash => {
                Err(Blindness { why: format!("asked for the receipt of {hash}, was given another") })
            }
            receipt => Ok(receipt),
        }
    }

    /// Whether the node has heard of a transaction, mined or not.
    pub(crate) async fn knows(&self, hash: B256) -> Result<bool, Blindness> {
        let known: Option<Value> = self.ask("eth_getTransactionByHash", json!([hash])).await?;
        Ok(known.is_some_and(|known| !known.is_null()))
    }

    /// How many transactions an account has had confirmed at a block.
    pub(crate) async fn transactions_of(&self, account: Address, number: u64) -> Result<u64, Blindness> {
        let count: U64 = self.agreed("eth_getTransactionCount", json!([account, U64::from(number)])).await?;
        Ok(count.to())
    }

    /// The transactions of a block, as the node writes them; none when it has another block there. One endpoint is enough:
    /// a transaction proves itself by its signature.
    pub(crate) async fn transactions_in(&self, at: &At) -> Result<Vec<Value>, Blindness> {
        #[derive(Debug, Default, Deserialize)]
        struct Body {
            hash: B256,
            transactions: Vec<Value>,
        }
        let body: Option<Body> = self.ask("eth_getBlockByNumber", json!([U64::from(at.number), true])).await?;
        Ok(body.filter(|body| body.hash == at.hash).unwrap_or_default().transactions)
    }

    pub(crate) async fn logs(
        &self,
        address: Address,
        topics: &[B256],
        from: u64,
        to: u64,
    ) -> Result<Vec<LoggedAt>, Blindness> {
        let filter = json!({
            "address": address, "topics": topics, "fromBlock": U64::from(from), "toBlock": U64::from(to)
        });
        self.ask("eth_getLogs", json!([filter])).await
    }

    /// Sends signed bytes. What the node has already is no error.
    pub(crate) async fn send(&self, raw: &[u8]) -> Result<(), EndpointError> {
        self.endpoints.send_raw(raw).await.map(|_| ())
    }

    async fn agreed<R>(&self, method: &'static str, params: Value) -> Result<R, Blindness>
    where
        R: alloy::rpc::json_rpc::RpcRecv + PartialEq,
    {
        self.endpoints.agreed(method, params).await.map_err(blind)
    }

    async fn ask<R: alloy::rpc::json_rpc::RpcRecv>(&self, method: &'static str, params: Value) -> Result<R, Blindness> {
        self.endpoints.request(method, params).await.map_err(blind)
    }
}

#[derive(Debug, Deserialize)]
struct SimulatedBlock {
    calls: Vec<SimulatedCall>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SimulatedCall {
    #[serde(default)]
    return_data: Bytes,
    #[serde(default)]
    logs: Vec<Log>,
    gas_used: U64,
    status: U64,
    #[serde(default)]
    error: Option<SimulatedError>,
}

#[derive(Debug, Deserialize)]
struct SimulatedError {
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: Option<Value>,
}

impl SimulatedCall {
    fn judge(self) -> Tried<Simulation> {
        if self.status == U64::ONE {
            return Ok(Simulation { returned: self.return_data, logs: Some(self.logs), gas_used: self.gas_used.to() });
        }
        let error = self.error.unwrap_or(SimulatedError { message: String::new(), data: None });
        // Nodes differ in where they put the revert data.
        let told = error.data.and_then(|data| serde_json::from_value::<Bytes>(data).ok());
        let data = if self.return_data.is_empty() { told.unwrap_or_default() } else { self.return_data };
        Err(Revert { data, message: error.message })
    }
}

fn call_object(call: &Call) -> Value {
    json!({ "from": call.from, "to": call.to, "input": call.data })
}

fn tried<T>(method: &str, asked: Result<T, EndpointError>) -> Result<Tried<T>, Blindness> {
    match asked {
        Ok(answer) => Ok(Ok(answer)),
        Err(EndpointError::Reverted { message, data, .. }) => {
            Ok(Err(Revert { data: data.unwrap_or_default(), message }))
        }
        Err(error) => Err(Blindness { why: format!("{method}: {error}") }),
    }
}

/// Endpoints take their secrets out of their own words.
pub(crate) fn blind(error: EndpointError) -> Blindness {
    Blindness { why: error.to_string() }
}

#[cfg(test)]
mod tests {
    use alloy::primitives::bytes;

    use super::*;

    fn receipt(change: impl FnOnce(&mut Value)) -> Result<TxReceipt, serde_json::Error> {
        let mut said = json!({
            "transactionHash": B256::repeat_byte(1),
            "status": "0x1",
            "blockNumber": "0x10",
            "blockHash": B256::repeat_byte(2),
            "gasUsed": "0x5208",
            "effectiveGasPrice": "0x3b9aca00",
            "logs": [],
        });
        change(&mut said);
        serde_json::from_value(said)
    }

    /// all that a transaction cost, the rollup's share for its parent chain included, and absurd numbers held.
    #[test]
    fn r_011_a_receipt_costs_all_that_was_charged() {
        let plain = receipt(|_| {}).expect("a receipt");
        assert_eq!((plain.wei(), plain.block(), plain.success()), (21_000 * 1_000_000_000, 16, true));
        let rollup = receipt(|said| said["l1Fee"] = json!("0xff")).expect("a receipt");
        assert_eq!(rollup.wei(), 21_000 * 1_000_000_000 + 255);
        let absurd = receipt(|said| said["effectiveGasPrice"] = json!(U256::MAX)).expect("a receipt");
        assert_eq!(absurd.wei(), u128::MAX);
        assert!(!receipt(|said| said["status"] = json!("0x0")).expect("a receipt").success());
    }

    /// what is missing or of another kind is an error, not a default.
    #[test]
    fn r_023_a_receipt_that_lacks_something_is_none() {
        for field in ["transactionHash", "status", "blockNumber", "blockHash", "gasUsed", "logs"] {
            assert!(receipt(|said| drop(said.as_object_mut().expect("an object").remove(field))).is_err(), "{field}");
            assert!(receipt(|said| said[field] = json!({ "a": [] })).is_err(), "{field}");
        }
        assert!(receipt(|said| said["blockNumber"] = json!("0x1ffffffffffffffff")).is_err(), "beyond 64 bits");
    }

    /// Nodes put the data of a revert in one of two places.
    #[test]
    fn a_simulated_revert_is_found_where_the_node_put_it() {
        let judge = |said: Value| serde_json::from_value::<SimulatedCall>(said).expect("a call").judge();
        let revert = judge(json!({ "returnData": "0x1234", "gasUsed": "0x1", "status": "0x0", "logs": [] }));
        assert_eq!(revert.expect_err("a revert").data, bytes!("1234"));
        let error = json!({ "code": 3, "message": "execution reverted", "data": "0x5678" });
        let revert = judge(json!({ "returnData": "0x", "gasUsed": "0x1", "status": "0x0", "error": error }));
        let revert = revert.expect_err("a revert");
        assert_eq!((revert.data, revert.message.as_str()), (bytes!("5678"), "execution reverted"));
        let done = judge(json!({ "returnData": "0x01", "gasUsed": "0x2", "status": "0x1", "logs": [] }));
        assert_eq!(done.expect("done").gas_used, 2);
    }
}
