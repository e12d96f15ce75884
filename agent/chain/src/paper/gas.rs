//! What a call uses of gas on chain, so that it costs the same on paper.
//!
//! The numbers are those of receipts on the local L2, where the suite stands on the real venue; the test
//! `r_013_paper_uses_the_gas_of_the_chain_and_keeps_its_books` holds them against receipts again, and so does
//! `p_057_paper_keeps_the_books_of_a_vault_in_several_pools`.

use alloy::primitives::Address;
use alloy::sol_types::SolInterface as _;
use golem_core::trader::SWAP_GAS;

use super::vault::PretendedVault;
use super::world::World;
use crate::bindings::ILineageRegistry::ILineageRegistryCalls as OfRegistry;
use crate::bindings::IVault::IVaultCalls as Called;
use crate::node::Call;

const BEAT: u64 = 35_000;
/// A byte of rolls, in the call and in the log.
const ROLL_BYTE: u64 = 24;
const SWAP: u64 = 275_000;
const REFUEL: u64 = 275_000;
const MINT: u64 = 700_000;
const DECREASE: u64 = 370_000;
const SPEND: u64 = 86_000;
const BOOKS: u64 = 57_000;
const DECLARE: u64 = 58_000;
const SETTLE: u64 = 110_000;
/// A day that begins, a token that gets its line, a testament that is kept, and a token and a position that are pushed to the
/// owner.
const NEW_DAY: u64 = 37_000;
const NEW_LINE: u64 = 70_000;
const TESTAMENT: u64 = 66_000;
const PUSH_TOKEN: u64 = 30_000;
const PUSH_POSITION: u64 = 90_000;

/// Units of gas that a call of the key uses at this block.
pub(super) fn units(call: &Call, vault: &PretendedVault, world: &World<'_>) -> u64 {
    if call.to == world.place.deployment.lineage {
        return match OfRegistry::abi_decode(&call.data) {
            Ok(OfRegistry::beat(beat)) => BEAT.saturating_add(ROLL_BYTE.saturating_mul(beat.rolls.len() as u64)),
            _ => BEAT,
        };
    }
    let usdc = world.place.deployment.usdc;
    let line = |token: Address| if token == usdc || vault.line(token).is_some() { 0 } else { NEW_LINE };
    let day = if vault.has_begun_day(world.now()) { 0 } else { NEW_DAY };
    match Called::abi_decode(&call.data) {
        // A row of prices says what a swap costs, all of it.
        Ok(Called::swap(_)) if world.is_past() => SWAP_GAS,
        Ok(Called::swap(called)) => SWAP + line(called.order.tokenOut),
        Ok(Called::refuel(_)) => REFUEL + day,
        Ok(Called::mintPosition(called)) => {
            MINT + world.venue(called.order.pool).map_or(0, |venue| line(venue.pool.token))
        }
        Ok(Called::decreasePosition(_)) => DECREASE,
        Ok(Called::spend(_)) => SPEND + day,
        Ok(Called::spendDying(_)) => SPEND,
        Ok(Called::dieEconomic(_) | Called::dieSenescent(_) | Called::dieStochastic(_)) => DECLARE,
        Ok(Called::settle(called)) => {
            let held = vault.lines.iter().filter(|line| line.held > 0).count();
            let pushes = held as u64 * PUSH_TOKEN + vault.positions.len() as u64 * PUSH_POSITION;
            SETTLE + pushes + if called.testament.hash.is_zero() { 0 } else { TESTAMENT }
        }
        _ => BOOKS + day,
    }
}
