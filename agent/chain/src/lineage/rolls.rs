//! The death roll, as anyone can recompute it (M-096, R-003).

use alloy::primitives::{Address, B256, keccak256};
use golem_primitives::Tick;

/// The first eight bytes, big-endian, of keccak256(lowercase 0x-hex of the vault ‖ tick as u64 ‖ block hash).
#[must_use]
pub fn death_roll(vault: Address, tick: Tick, block_hash: B256) -> u64 {
    let name = alloy::hex::encode_prefixed(vault);
    let hash = keccak256([name.as_bytes(), &tick.to_be_bytes(), block_hash.as_slice()].concat());
    u64::from_be_bytes(hash[..8].try_into().expect("a hash has 32 bytes"))
}
