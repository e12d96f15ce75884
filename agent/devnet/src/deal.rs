//! Giving an account tokens on a fork, by writing the token's storage.

use alloy::network::TransactionBuilder;
use alloy::primitives::{Address, B256, Bytes, U256, keccak256};
use alloy::providers::Provider;
use alloy::rpc::types::TransactionRequest;
use alloy::rpc::types::state::{AccountOverride, StateOverridesBuilder};
use alloy::sol_types::{SolCall, SolValue};

use crate::bindings::Erc20;
use crate::error::DevnetError;
use crate::node::Node;

/// Slots a balance mapping is looked for in; USDC keeps its at 9, WETH9 at 3.
const SLOTS: u64 = 64;

/// Sets `holder`'s balance of `token`. The total supply is left as it was: this is a devnet's gift, not a mint.
pub(crate) async fn deal(node: &mut Node, token: Address, holder: Address, amount: U256) -> Result<(), DevnetError> {
    let slot = balance_slot(node, token, holder).await?;
    let value = B256::from(amount);
    node.request::<_, serde_json::Value>("anvil_setStorageAt", (token, U256::from_be_bytes(slot.0), value)).await?;
    Ok(())
}

/// The storage slot of `holder`'s balance: the one whose pretended value the token reports back.
async fn balance_slot(node: &mut Node, token: Address, holder: Address) -> Result<B256, DevnetError> {
    // No token has this balance by chance.
    let marker = U256::from(0x0BA4_D0BA_4D0B_A4D0_u64);
    let call: Bytes = Erc20::balanceOfCall { account: holder }.abi_encode().into();
    for index in 0..SLOTS {
        let slot = keccak256((holder, U256::from(index)).abi_encode());
        let pretended = AccountOverride::default().with_state_diff([(slot, B256::from(marker))]);
        let overrides = StateOverridesBuilder::default().append(token, pretended).build();
        let request = TransactionRequest::default().with_to(token).with_input(call.clone());
        let answer = node.provider().call(request).overrides(overrides).await;
        if answer.is_ok_and(|bytes| bytes.as_ref() == B256::from(marker).as_slice()) {
            return Ok(slot);
        }
    }
    Err(DevnetError::NoBalanceSlot { token })
}
