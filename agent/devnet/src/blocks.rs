//! Block production: every header field that could come from the wall clock is set.

use alloy::primitives::{Address, B256, U256, address};
use alloy::rpc::types::Header;
use golem_primitives::UtcTime;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

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

/// A block as the node tells it; what stands in its transactions is for others.
#[derive(Debug, Deserialize)]
struct ToldBlock {
    #[serde(flatten)]
    header: Header,
    transactions: Vec<IgnoredAny>,
}

impl From<ToldBlock> for Mined {
    fn from(ToldBlock { header, transactions }: ToldBlock) -> Self {
        Self {
            number: header.number,
            hash: header.hash,
            time: UtcTime::from_seconds(header.timestamp),
            base_fee_wei: header.base_fee_per_gas.unwrap_or_default(),
            gas_used: header.gas_used,
            transactions: transactions.len(),
        }
    }
}

/// The newest block. Only mining moves it, and as long as nobody mines by hand nobody has to be asked which it is.
#[derive(Debug)]
pub(crate) struct Blocks {
    head: Mined,
}

impl Blocks {
    /// Takes over production at the head the node has.
    pub(crate) async fn take_over(node: &mut Node) -> Result<Self, DevnetError> {
        node.request::<_, Option<bool>>("anvil_setCoinbase", (COINBASE,)).await?;
        Ok(Self { head: newest(node).await? })
    }

    /// Takes over anew, where somebody mined by hand.
    pub(crate) async fn follow(&mut self, node: &mut Node) -> Result<(), DevnetError> {
        self.head = newest(node).await?;
        Ok(())
    }

    pub(crate) const fn head(&self) -> Mined {
        self.head
    }

    /// Mines one block `seconds` after the last.
    pub(crate) async fn mine(
        &mut self,
        node: &mut Node,
        seconds: u64,
        base_fee_wei: u64,
    ) -> Result<Mined, DevnetError> {
        let time = UtcTime::from_seconds(self.head.time.seconds() + seconds.max(1));
        let fee = U256::from(base_fee_wei);
        node.request::<_, serde_json::Value>("anvil_setNextBlockBaseFeePerGas", (fee,)).await?;
        let wish = MineWish { timestamp: time.seconds() };
        let mined: Vec<ToldBlock> = node.request("evm_mine_detailed", (wish,)).await?;
        let mined: Mined =
            mined.into_iter().next().ok_or_else(|| unreadable("evm_mine_detailed", "no block".to_owned()))?.into();
        if mined.time != time {
            return Err(unreadable("evm_mine_detailed", format!("a block of {} where {time} was set", mined.time)));
        }
        self.head = mined;
        Ok(mined)
    }
}

async fn newest(node: &mut Node) -> Result<Mined, DevnetError> {
    let told: Option<ToldBlock> = node.request("eth_getBlockByNumber", ("latest", false)).await?;
    Ok(told.ok_or_else(|| unreadable("eth_getBlockByNumber", "no block".to_owned()))?.into())
}

/// How the next block is wished for.
#[derive(Debug, Clone, Serialize)]
struct MineWish {
    timestamp: u64,
}

fn unreadable(what: &str, detail: String) -> DevnetError {
    DevnetError::Unreadable { what: what.to_owned(), detail }
}
