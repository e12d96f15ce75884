//! Transactions whose every field is given, so that their hashes depend on nothing but the settings.

use alloy::eips::eip2718::Encodable2718;
use alloy::network::{EthereumWallet, NetworkTransactionBuilder, ReceiptResponse, TransactionBuilder};
use alloy::primitives::{Address, Bytes, TxHash, U256};
use alloy::providers::Provider;
use alloy::rpc::types::{TransactionReceipt, TransactionRequest};

use crate::accounts::FundedAccount;
use crate::error::DevnetError;
use crate::node::Node;

/// Far above any base fee of the devnet; what is not used is not paid.
const MAX_FEE: u128 = 2_000_000_000_000;
/// The devnet's own transactions come first in their block, so that the market trades at the price it saw.
const PRIORITY_FEE: u128 = 100_000_000_000;

/// One account that sends in nonce order.
#[derive(Debug)]
pub(crate) struct Sender {
    wallet: EthereumWallet,
    address: Address,
    nonce: u64,
    chain_id: u64,
}

/// What is to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) step: &'static str,
    pub(crate) to: Option<Address>,
    pub(crate) data: Bytes,
    pub(crate) value: U256,
    pub(crate) gas: u64,
}

impl Call {
    pub(crate) fn to(step: &'static str, to: Address, data: Vec<u8>) -> Self {
        Self { step, to: Some(to), data: data.into(), value: U256::ZERO, gas: 3_000_000 }
    }

    pub(crate) const fn create(step: &'static str, code: Bytes) -> Self {
        Self { step, to: None, data: code, value: U256::ZERO, gas: 12_000_000 }
    }

    pub(crate) const fn with_value(mut self, value: U256) -> Self {
        self.value = value;
        self
    }

    pub(crate) const fn with_gas(mut self, gas: u64) -> Self {
        self.gas = gas;
        self
    }
}

impl Sender {
    /// The account, its next nonce read from the chain once.
    pub(crate) async fn new(node: &Node, account: &FundedAccount, chain_id: u64) -> Result<Self, DevnetError> {
        let address = account.address;
        let nonce = node
            .provider()
            .get_transaction_count(address)
            .await
            .map_err(DevnetError::rpc("eth_getTransactionCount"))?;
        Ok(Self { wallet: EthereumWallet::from(account.signer()), address, nonce, chain_id })
    }

    pub(crate) const fn address(&self) -> Address {
        self.address
    }

    /// Hands the call to the node's pool. The nonce is used up only when the node took it.
    pub(crate) async fn submit(&mut self, node: &mut Node, call: &Call) -> Result<TxHash, DevnetError> {
        let mut request = TransactionRequest::default()
            .with_chain_id(self.chain_id)
            .with_nonce(self.nonce)
            .with_gas_limit(call.gas)
            .with_max_fee_per_gas(MAX_FEE)
            .with_max_priority_fee_per_gas(PRIORITY_FEE)
            .with_value(call.value)
            .with_input(call.data.clone());
        request = match call.to {
            Some(to) => request.with_to(to),
            None => request.into_create(),
        };
        let envelope = request.build(&self.wallet).await.expect("every field is given and the key is local");
        let raw = Bytes::from(envelope.encoded_2718());
        let hash: TxHash = node.request("eth_sendRawTransaction", (raw,)).await?;
        self.nonce += 1;
        Ok(hash)
    }
}

/// The receipt of a mined transaction, or what the node says of its failure.
pub(crate) async fn receipt(node: &mut Node, step: &str, tx: TxHash) -> Result<TransactionReceipt, DevnetError> {
    let receipt: Option<TransactionReceipt> = node.request("eth_getTransactionReceipt", (tx,)).await?;
    let receipt = receipt.ok_or_else(|| DevnetError::Reverted {
        step: step.to_owned(),
        tx,
        reason: "it was not included in its block".to_owned(),
    })?;
    if receipt.inner.status() {
        return Ok(receipt);
    }
    let reason = format!("it reverted in block {:?} using {} gas", receipt.block_number, receipt.gas_used());
    Err(DevnetError::Reverted { step: step.to_owned(), tx, reason })
}
