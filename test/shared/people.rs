//! Transactions of people on a devnet.

use alloy::network::{EthereumWallet, NetworkTransactionBuilder, TransactionBuilder};
use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::providers::Provider;
use alloy::rpc::types::TransactionRequest;
use golem_devnet::{Devnet, FundedAccount};

/// Sends from `account` and mines nothing.
pub(crate) async fn submit(net: &Devnet, from: &FundedAccount, to: Address, data: Vec<u8>, value: U256) -> B256 {
    let provider = net.provider().clone();
    let nonce = provider.get_transaction_count(from.address).await.expect("a nonce");
    let request = TransactionRequest::default()
        .with_to(to)
        .with_input(Bytes::from(data))
        .with_nonce(nonce)
        .with_chain_id(net.running().chain_id)
        .with_gas_limit(3_000_000)
        .with_max_fee_per_gas(100_000_000_000)
        .with_max_priority_fee_per_gas(1_000_000_000)
        .with_value(value);
    let envelope = request.build(&EthereumWallet::from(from.signer())).await.expect("signed");
    *provider.send_tx_envelope(envelope).await.expect("taken").tx_hash()
}
