//! Who took a nonce. A used nonce was used by somebody: until the transaction is there to be read, nothing is lost.

use alloy::consensus::{Transaction, TxEnvelope};
use alloy::eips::eip2718::Encodable2718;
use alloy::primitives::{Address, B256, keccak256};
use golem_ports::{Attempt, Blindness};
use serde_json::Value;

use crate::node::At;
use crate::on_chain::OnChain;

/// What is known of a nonce that is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taker {
    /// One of the attempts: it landed, whatever is said of its receipt.
    Ours(B256),
    /// Another transaction of the same key, in this block.
    Other(B256, At),
    Unseen,
}

impl OnChain {
    /// The transaction that took the nonce of `known`, somewhere up to the block `to`, where it counts as used.
    ///
    /// A block is found by when the count of the key rose, and the transaction in it proves itself: nobody but the key can
    /// sign another one with that nonce. So a node may hide the taker, and nothing ends; it cannot make one up.
    pub(super) async fn taker(&self, known: &[Attempt], to: u64) -> Result<Taker, Blindness> {
        let (key, nonce, signed_at) = (known[0].key, known[0].nonce, known[0].block);
        let mut free = signed_at.min(to);
        if self.node.transactions_of(key, free).await? > nonce {
            // The count it was signed by was an old one.
            free = 0;
        }
        let mut used = to;
        while used.saturating_sub(free) > 1 {
            let middle = free + (used - free) / 2;
            if self.node.transactions_of(key, middle).await? > nonce {
                used = middle;
            } else {
                free = middle;
            }
        }
        let Some(at) = self.node.block(used).await? else { return Ok(Taker::Unseen) };
        let found = self.node.transactions_in(&at).await?.iter().find_map(|tx| proven(tx, key, nonce));
        Ok(match found {
            None => Taker::Unseen,
            Some(hash) if known.iter().any(|attempt| attempt.hash == hash) => Taker::Ours(hash),
            Some(hash) => Taker::Other(hash, at),
        })
    }
}

/// The hash of a transaction as a node writes it, if the key signed it with this nonce. What the node says of hash and
/// sender is not asked: both follow from the signed bytes.
fn proven(tx: &Value, key: Address, nonce: u64) -> Option<B256> {
    let said: Address = tx["from"].as_str()?.parse().ok()?;
    if said != key {
        return None;
    }
    let envelope: TxEnvelope = serde_json::from_value(tx.clone()).ok()?;
    let signer = envelope.signature().recover_address_from_prehash(&envelope.signature_hash()).ok()?;
    let is_of_key = envelope.nonce() == nonce && signer == key;
    is_of_key.then(|| keccak256(envelope.encoded_2718()))
}
