//! SENSING: one look at the chain in the law's own words.

use alloy::primitives::{Address, B256, U256};
use alloy::sol_types::SolEvent;
use golem_core::record::{
    Bar, BlockRef, ChainLife, ELSEWHERE, EVER_ELSEWHERE, KillOrder, MarketReading, Partitions, Phase, PoolAccess,
    PositionReading, Reason, Sight, TokenReading, VaultReading,
};
use golem_ports::Blindness;
use golem_primitives::{Tick, Usdc, UtcTime};

use crate::bindings::{ILineageRegistry, IVault};
use crate::inflows::LOG_SPAN;
use crate::node::{At, Node};
use crate::place::{Place, Pool};
use crate::reading::{PoolReading, PositionState, Reading, TokenState, VaultState, saturated};
use crate::roster::PoolStay;

/// How many such spans are searched for the log of a death: at two seconds a block, some two days.
const LOG_SPANS: u64 = 45;

/// `contracts/types/Life.sol`.
pub(crate) const ALIVE: u8 = 1;
pub(crate) const DYING: u8 = 2;
pub(crate) const DEAD: u8 = 3;
const OWNER_KILL: u8 = 4;
const KILL_SWITCH: u8 = 5;

/// Best first on chain.
pub(crate) const PHASES: [Phase; 5] =
    [Phase::Thriving, Phase::Stable, Phase::Conservation, Phase::Declining, Phase::Terminal];

/// The pool as the law reads it.
fn market(pool: &Pool, now: &PoolReading, is_listed: bool, at: &At, ether: Usdc) -> MarketReading {
    MarketReading {
        pool: pool.name,
        token: pool.token_place,
        access: access(pool, is_listed),
        denomination: pool.denomination(),
        price: now.price,
        twap: now.twap,
        pool_tick: now.tick,
        tick_spacing: pool.tick_spacing,
        token_is_first: pool.quote.token_is_first,
        liquidity: now.liquidity,
        fee_ppm: pool.fee_ppm,
        base_fee_wei: u64::try_from(at.base_fee).unwrap_or(u64::MAX),
        ether,
        fee_growth: now.fee_growth,
    }
}

/// P-057. What the vault's lists and its owner's word let be done in a pool.
const fn access(pool: &Pool, is_listed: bool) -> PoolAccess {
    match pool.stay {
        _ if !is_listed => PoolAccess::Closed,
        PoolStay::Stays => PoolAccess::Open,
        PoolStay::Leaves | PoolStay::Left => PoolAccess::Leaving,
    }
}

pub(crate) const fn block_ref(at: &At) -> BlockRef {
    BlockRef { number: at.number, hash: at.hash, time: at.time }
}

/// Where a life stands at confirmation depth.
#[derive(Debug, Clone)]
pub(crate) struct Believed {
    /// Its state there, by `contracts/types/Life.sol`.
    pub(crate) life: u8,
    pub(crate) order: Option<KillOrder>,
}

/// The whole sight: everything as it is now, but an end only as far as it is believed.
pub(crate) fn sight(reading: &Reading, place: &Place, key: Address, believed: Believed) -> Result<Sight, Blindness> {
    let is_listed = |at: usize| reading.listed.get(at).copied().unwrap_or(false);
    let shown = |pool: &Pool, now: &PoolReading, is_listed| market(pool, now, is_listed, &reading.at, reading.native);
    Ok(Sight {
        block: block_ref(&reading.at),
        market: shown(&place.pool, &reading.pool, is_listed(0)),
        elsewhere: place
            .elsewhere
            .iter()
            .zip(&reading.elsewhere)
            .enumerate()
            .filter(|(_, (pool, _))| pool.stay != PoolStay::Left)
            .take(ELSEWHERE)
            .map(|(at, (pool, now))| shown(pool, now, is_listed(at + 1)))
            .collect(),
        vault: Some(vault(reading, place, key, believed)?),
    })
}

fn vault(reading: &Reading, place: &Place, key: Address, believed: Believed) -> Result<VaultReading, Blindness> {
    let state = &reading.vault;
    let IVault::Ledger { llm, gas, data, legacy } = state.credits;
    let IVault::Ledger { llm: llm_left, gas: gas_left, data: data_left, legacy: legacy_left } = state.left_today;
    let books = &state.books;
    let phase = PHASES.get(usize::from(state.pulse.phase)).copied();
    let fees = |position: &PositionState| {
        let quote = place.pool_of(position.pool).unwrap_or(&place.pool).quote;
        let fair = reading.pool_of(place, position.pool).unwrap_or(&reading.pool).fair();
        quote.value(position.fees.0, fair).saturating_add(micros(position.fees.1))
    };
    let other = |token: &TokenState| TokenReading { held: saturated(token.held), cost: Usdc::from_micros(token.cost) };
    // T-001. What was ended a moment ago takes no risk any more; it dies when nobody can take the end back.
    let ending = (state.life != ALIVE && believed.life == ALIVE).then_some(Bar::EndUnconfirmed);
    Ok(VaultReading {
        life: life(state, believed)?,
        credits: Partitions::observed([llm, gas, data, legacy].map(Usdc::from_micros)),
        reserve: Usdc::from_micros(books.reserve),
        idle: Usdc::from_micros(books.capital),
        held: saturated(state.held),
        held_cost: Usdc::from_micros(state.held_cost),
        others: state.others.iter().take(EVER_ELSEWHERE).map(other).collect(),
        harvestable: Usdc::from_micros(books.capital.saturating_sub(books.highWater)),
        capital: Usdc::from_micros(state.basis),
        unallocated: Usdc::from_micros(state.unallocated.saturating_to()),
        positions: state
            .positions
            .iter()
            .map(|position| PositionReading {
                id: position.id,
                pool: position.pool,
                lower: position.lower,
                upper: position.upper,
                liquidity: position.liquidity,
                token: position.amounts.0,
                usdc: micros(position.amounts.1),
                fees: fees(position),
                book: Usdc::from_micros(position.book),
            })
            .collect(),
        key_wei: saturated(state.key_wei),
        reported_phase: phase.ok_or_else(|| Blindness { why: format!("a phase of {}", state.pulse.phase) })?,
        reported_tick: Tick::new(state.pulse.tick.to()),
        beat_at: UtcTime::from_seconds(state.pulse.beatAt.to()),
        spendable_today: [llm_left, gas_left, data_left, legacy_left].map(Usdc::from_micros),
        barred: ending.or_else(|| bar(state, key, reading.at.time)),
    })
}

fn life(state: &VaultState, Believed { life, order }: Believed) -> Result<ChainLife, Blindness> {
    let deadline = UtcTime::from_seconds(state.deadline.saturating_to());
    match life {
        ALIVE => Ok(ChainLife::Alive),
        DYING => Ok(ChainLife::Dying { order, deadline }),
        DEAD => Ok(ChainLife::Dead { order }),
        other => Err(Blindness { why: format!("the registry says life {other} of a Golem that was born") }),
    }
}

/// Why the key may neither spend nor trade now.
fn bar(state: &VaultState, key: Address, now: UtcTime) -> Option<Bar> {
    if state.key != key {
        Some(Bar::KeyRotated)
    } else if state.owner != Some(state.bound) {
        Some(Bar::OwnerChanged)
    } else if state.hibernated_until > U256::from(now.seconds()) {
        Some(Bar::Hibernating)
    } else {
        None
    }
}

/// Whether somebody ended this life, whose words have to be found.
pub(crate) const fn was_killed(state: &VaultState) -> bool {
    state.life >= DYING && matches!(state.cause, OWNER_KILL | KILL_SWITCH)
}

/// The order that ended a life, and whether its words were found. Who killed is in the state and is never in doubt: a
/// Golem learns that it was killed even where logs are refused or too old.
pub(crate) async fn kill_order(node: &Node, place: &Place, reading: &Reading) -> (KillOrder, bool) {
    let words = match last_words(node, place, reading.at.number).await {
        Ok(words) => words,
        Err(blind) => {
            tracing::warn!(%blind, "the log of this death cannot be read");
            None
        }
    };
    let found = words.is_some();
    let reason = reason(words.as_deref().unwrap_or("(its words were not found)"));
    let order = if reading.vault.cause == OWNER_KILL { KillOrder::Owner(reason) } else { KillOrder::Switch(reason) };
    (order, found)
}

/// The reason in the log of a death, searched backwards.
async fn last_words(node: &Node, place: &Place, newest: u64) -> Result<Option<String>, Blindness> {
    let topics = [ILineageRegistry::DyingBegan::SIGNATURE_HASH, B256::from(place.agent)];
    let mut to = newest;
    for _ in 0..LOG_SPANS {
        let from = to.saturating_sub(LOG_SPAN - 1);
        let logs = node.logs(place.deployment.lineage, &topics, from, to).await?;
        if let Some(log) = logs.iter().find_map(|at| at.log.decode::<ILineageRegistry::DyingBegan>()) {
            return Ok(Some(log.reason));
        }
        if from == 0 {
            break;
        }
        to = from - 1;
    }
    Ok(None)
}

/// The words, cut where the law's bound is. The vault has the same bound.
fn reason(words: &str) -> Reason {
    let cut = words.floor_char_boundary(Reason::BYTES);
    Reason::new(&words[..cut]).expect("it was cut at the bound")
}

fn micros(amount: u128) -> Usdc {
    Usdc::from_micros(u64::try_from(amount).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_001_a_reason_beyond_its_bound_is_cut_between_letters() {
        assert_eq!(reason("enough").as_str(), "enough");
        let long = "é".repeat(200);
        assert_eq!(reason(&long).as_str().len(), 256);
        let odd = format!("x{}", "é".repeat(200));
        assert_eq!(reason(&odd).as_str().len(), 255, "no letter is halved");
    }
}
