//! Signing: the one place where a permit becomes a transaction.

use alloy::consensus::{Transaction, TxEip1559, TxEnvelope};
use alloy::eips::eip2718::Decodable2718;
use alloy::primitives::{Address, Bytes, TxKind, U256, keccak256};
use golem_ports::{Attempt, AttemptState, Attempts, ChainError, Errand};
use golem_primitives::Usdc;

use crate::endpoints::EndpointError;
use crate::fees::Fees;
use crate::on_chain::{HandSettings, OnChain};
use crate::preview::{ActionPermit, PermitRecord};
use crate::price::{value_of_wei, wei_for};
use crate::reading::{Reading, saturated};

/// What was signed, read back from its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signed {
    pub(super) to: Address,
    pub(super) data: Bytes,
    pub(super) fees: Fees,
}

impl Signed {
    pub(super) fn read(attempt: &Attempt) -> Option<Self> {
        let envelope = TxEnvelope::decode_2718_exact(&attempt.raw).ok()?;
        let fees = Fees { max: envelope.max_fee_per_gas(), tip: envelope.max_priority_fee_per_gas()? };
        Some(Self { to: envelope.to()?, data: envelope.input().clone(), fees })
    }

    /// Whether this is what a permit allowed.
    pub(super) fn is_of(&self, record: &PermitRecord) -> bool {
        self.to == record.target && keccak256(&self.data) == record.data_hash
    }
}

/// What was signed and recorded, and no node will have.
pub(super) struct NotTaken {
    pub(super) attempt: Attempt,
    pub(super) error: EndpointError,
}

/// The part of the key's coin that is never offered: some rollups take the parent chain's fee on top of the gas, and who
/// offers everything is refused for ever.
const KEPT_BACK: u128 = 10;

impl OnChain {
    /// Uses the permit up, signs, records, and only then sends. The next step goes on from the record, or
    /// previews again what came too late to be signed. Answers what the node will not have.
    pub(super) async fn commit(
        &self,
        permit: ActionPermit,
        nonce: u64,
        fees: Fees,
        errand: &Errand,
        attempts: &mut (dyn Attempts + Send),
    ) -> Result<Option<NotTaken>, ChainError> {
        let head = self.look().await?;
        let Some((call, record)) = permit.redeem(head.time) else { return Ok(None) };
        let tx = TxEip1559 {
            chain_id: self.node.chain_id(),
            nonce,
            gas_limit: record.gas_limit,
            max_fee_per_gas: fees.max,
            max_priority_fee_per_gas: fees.tip,
            to: TxKind::Call(call.to),
            value: U256::ZERO,
            access_list: Default::default(),
            input: call.data,
        };
        let raw = self.signer.sign_tx(tx).await.map_err(|error| ChainError::Signer { why: error.to_string() })?;
        let permit = serde_json::to_string(&record)
            .map_err(|error| ChainError::Signer { why: format!("the permit cannot be written down: {error}") })?;
        let attempt = Attempt {
            effect: errand.effect,
            key: self.key(),
            nonce,
            hash: keccak256(&raw),
            raw,
            permit,
            block: head.number,
            state: AttemptState::Signed,
        };
        attempts.record(&attempt)?;
        Ok(match self.send(&attempt).await {
            Err(error) if error.is_final_for_tx() => Some(NotTaken { attempt, error }),
            _ => None,
        })
    }

    pub(super) fn most_per_gas(&self, errand: &Errand, permit: &ActionPermit, reading: &Reading) -> u128 {
        most_per_gas(self.settings.allowance(errand.budget), permit.gas_limit(), reading)
    }

    pub(super) fn first_fees(&self, errand: &Errand, permit: &ActionPermit, reading: &Reading) -> Result<Fees, String> {
        first_fees(&self.settings, errand.budget, permit.gas_limit(), reading)
    }
}

/// The most that a unit of gas may cost: what is allowed for all of it, and nine tenths of what the key has.
fn most_per_gas(most: Usdc, gas_limit: u64, reading: &Reading) -> u128 {
    let has = saturated(reading.vault.key_wei);
    let wei = wei_for(most, reading.native).min(has - has.div_ceil(KEPT_BACK));
    wei / u128::from(gas_limit.max(1))
}

/// A first offer for a call of that gas, or in words why there is none.
pub(crate) fn first_fees(
    settings: &HandSettings,
    budget: Usdc,
    gas_limit: u64,
    reading: &Reading,
) -> Result<Fees, String> {
    let allowance = settings.allowance(budget);
    let most = most_per_gas(allowance, gas_limit, reading);
    Fees::first(reading.at.base_fee, settings.tip_wei, most).map_err(|wanted| {
        let cost = value_of_wei(wanted.saturating_mul(u128::from(gas_limit)), reading.native);
        let has = value_of_wei(saturated(reading.vault.key_wei), reading.native);
        format!("its gas would cost {cost}; {allowance} is allowed and the key has {has}")
    })
}
