//! The one key to a transaction.

use alloy::primitives::{Address, B256, keccak256};
use golem_core::record::{ChainState, Order, SimulatedOutcome};
use golem_primitives::{Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use crate::flows::Basis;
use crate::node::{At, Call};
use crate::place::Place;
use crate::reading::Reading;

/// R-010. Leave to do one exact thing, once, for a short while. Only a preview grants it, and signing uses it up: it
/// can be neither made nor copied.
///
/// ```compile_fail,E0451
/// // Its fields are nobody's business, so nobody writes one.
/// let forged = golem_chain::ActionPermit { call: unreachable!(), record: unreachable!() };
/// ```
/// ```compile_fail,E0599
/// fn used_twice(permit: golem_chain::ActionPermit) -> [golem_chain::ActionPermit; 2] {
///     [permit.clone(), permit]
/// }
/// ```
/// ```compile_fail,E0277
/// let out_of_thin_air: golem_chain::ActionPermit = Default::default();
/// ```
/// ```compile_fail,E0277
/// // What was recorded of a permit is a record, and does not become one again.
/// let restored: golem_chain::ActionPermit = serde_json::from_str("{}").unwrap();
/// ```
#[derive(Debug)]
pub struct ActionPermit {
    call: Call,
    record: PermitRecord,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Purpose {
    Act,
    /// To use up the nonce of what is no longer wanted.
    Cancel {
        why: String,
    },
}

/// What was seen, simulated and permitted, as an attempt carries it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PermitRecord {
    pub(crate) purpose: Purpose,
    pub(crate) target: Address,
    pub(crate) sender: Address,
    pub(crate) data_hash: B256,
    pub(crate) block: u64,
    pub(crate) block_hash: B256,
    pub(crate) expires: UtcTime,
    pub(crate) gas_limit: u64,
    pub(crate) prediction: SimulatedOutcome,
    pub(crate) pre_state: ChainState,
    pub(crate) basis: Basis,
    pub(crate) native: Usdc,
    pub(crate) life: u8,
    pub(crate) reserve: Usdc,
}

impl PermitRecord {
    /// What can be said of a call from the block before it alone: nothing was foreseen.
    pub(crate) fn recovered(call: &Call, order: Option<&Order>, place: &Place, reading: &Reading) -> Self {
        let At { number, hash, time, .. } = reading.at;
        let purpose = if call.to == call.from { Purpose::Cancel { why: "cancelled".to_owned() } } else { Purpose::Act };
        Self {
            purpose,
            target: call.to,
            sender: call.from,
            data_hash: keccak256(&call.data),
            block: number,
            block_hash: hash,
            expires: time,
            gas_limit: 0,
            prediction: SimulatedOutcome::default(),
            pre_state: reading.chain_state(place, order),
            basis: Basis::of(reading, place),
            native: reading.native,
            life: reading.vault.life,
            reserve: Usdc::from_micros(reading.vault.books.reserve),
        }
    }
}

impl ActionPermit {
    pub(super) const fn grant(call: Call, record: PermitRecord) -> Self {
        Self { call, record }
    }

    pub(crate) const fn gas_limit(&self) -> u64 {
        self.record.gas_limit
    }

    /// Until when it stands; a replacement inherits the end of what it replaces.
    pub(crate) fn until(mut self, expires: UtcTime) -> Self {
        self.record.expires = self.record.expires.min(expires);
        self
    }

    /// Uses the permit up. Beyond its end it allows nothing, except to cancel, which can wait for any block.
    pub(crate) fn redeem(self, now: UtcTime) -> Option<(Call, PermitRecord)> {
        let is_over = now > self.record.expires && self.record.purpose == Purpose::Act;
        (!is_over).then_some((self.call, self.record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R-021: attempts outlive the program that signed them, so what an older one wrote must be read for ever.
    #[test]
    fn r_021_a_permit_written_by_the_first_version_is_read() {
        let written = r#"{
            "purpose": { "cancel": { "why": "expired" } },
            "target": "0x00000000000000000000000000000000000000aa",
            "sender": "0x00000000000000000000000000000000000000aa",
            "data_hash": "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
            "block": 7,
            "block_hash": "0x0700000000000000000000000000000000000000000000000000000000000000",
            "expires": 1767225660,
            "gas_limit": 25200,
            "prediction": {
                "expected_return_micros": -23430, "notional": 50000000, "expected_gas": 299140, "would_revert": false,
                "balance_changes": { "0x00000000000000000000000000000000000000bb": -340282366920938463463374607431 },
                "expected_logs": []
            },
            "pre_state": {
                "balances": { "0x00000000000000000000000000000000000000bb": 340282366920938463463374607431768211455 },
                "positions": { "3": 340282366920938463463374607431768211455 },
                "pool_state": "0x0000000000000000000000000000000000000000000000000000000000000000"
            },
            "basis": { "price": 3000000000, "held_cost": 5, "positions": { "3": 9 }, "elsewhere": {} },
            "native": 3000000000,
            "life": 1,
            "reserve": 2000000
        }"#;
        let record: PermitRecord = serde_json::from_str(written).expect("read");
        assert_eq!(record.purpose, Purpose::Cancel { why: "expired".to_owned() });
        assert_eq!(record.pre_state.positions[&3], u128::MAX, "no number is lost");
        let again = serde_json::to_string(&record).expect("written");
        assert_eq!(serde_json::from_str::<PermitRecord>(&again).expect("read"), record);
    }
}
