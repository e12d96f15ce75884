//! Block production: every header field that could come from the wall clock is set.

use alloy::primitives::{Address, B256, U64, U256, address};
use alloy::rpc::types::Block as RpcBlock;
use golem_primitives::UtcTime;

use crate::error::DevnetError;
use crate::node::Node;

/// Where fees go.
const COINBASE: Address = address!("0x00000000000000000000000000000000BA4D0C01");

/// A mined block's header, as far as the devnet uses it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mined {
    pub(crate) number: u64,
    pub(crate) hash: B256,
    pub(crate) time: UtcTime,
    pub(crate) base_fee_wei: u64,
    pub(crate) gas_used: u64,
    pub(crate) transactions: usize,
}

/// The chain's time, which only mining moves.
#[derive(Debug)]
pub(crate) struct Blocks {
    now: UtcTime,
}

impl Blocks {
    /// Takes over production at the head the node has.
    pub(crate) async fn take_over(node: &mut Node) -> Result<Self, DevnetError> {
        node.request::<_, Option<bool>>("anvil_setCoinbase", (COINBASE,)).await?;
        let head = head(node).await?;
        Ok(Self { now: head.time })
    }

    pub(crate) const fn now(&self) -> UtcTime {
        self.now
    }

    /// Mines one block `seconds` after the last.
    pub(crate) async fn mine(
        &mut self,
        node: &mut Node,
        seconds: u64,
        base_fee_wei: u64,
    ) -> Result<Mined, DevnetError> {
        let time = UtcTime::from_seconds(self.now.seconds() + seconds.max(1));
        node.request::<_, serde_json::Value>("evm_setNextBlockTimestamp", (U64::from(time.seconds()),)).await?;
        let fee = U256::from(base_fee_wei);
        node.request::<_, serde_json::Value>("anvil_setNextBlockBaseFeePerGas", (fee,)).await?;
        node.request::<_, serde_json::Value>("evm_mine", ()).await?;
        let mined = head(node).await?;
        if mined.time != time {
            let detail = format!("a block of {} where {time} was set", mined.time);
            return Err(DevnetError::Unreadable { what: "evm_mine".to_owned(), detail });
        }
        self.now = time;
        Ok(mined)
    }
}

/// The newest block.
pub(crate) async fn head(node: &mut Node) -> Result<Mined, DevnetError> {
    let block: Option<RpcBlock<B256>> = node.request("eth_getBlockByNumber", ("latest", false)).await?;
    let unreadable =
        || DevnetError::Unreadable { what: "eth_getBlockByNumber".to_owned(), detail: "no block".to_owned() };
    let block = block.ok_or_else(unreadable)?;
    Ok(Mined {
        number: block.header.number,
        hash: block.header.hash,
        time: UtcTime::from_seconds(block.header.timestamp),
        base_fee_wei: block.header.base_fee_per_gas.unwrap_or_default(),
        gas_used: block.header.gas_used,
        transactions: block.transactions.len(),
    })
}
