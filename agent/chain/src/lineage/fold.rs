//! One log after another into what is known.

use std::collections::BTreeMap;

use alloy::primitives::{Address, Bytes, U256};
use alloy::sol_types::SolEventInterface;
use golem_primitives::{AgentId, LineageId, Tick, UtcTime};

use super::record::{
    Beat, Deal, DeathOnChain, DeathRoll, DyingOnChain, GolemOnChain, LoggedAt, RollRef, TestamentOnChain, TradeOnChain,
    cause_of,
};
use super::scan::Entry;
use super::till::Till;
use crate::bindings::lineage::ILineageRegistry::{self, ILineageRegistryEvents as Event};
use crate::bindings::{IErc721, IIdentityRegistry, IVault};
use crate::lineage::NO_GOLEM;
use crate::price::usdc;
use crate::sight::PHASES;

/// A record of a roll: tick and block number, both u64 big-endian.
const ROLL_BYTES: usize = 16;

const fn place(entry: &Entry) -> LoggedAt {
    LoggedAt { block: entry.block, time: entry.time, tx: entry.tx }
}

/// A log of the lineage registry. Returns whether it was understood.
pub(super) fn lineage(golems: &mut BTreeMap<AgentId, GolemOnChain>, entry: &Entry) -> bool {
    let Ok(event) = Event::decode_raw_log(&entry.topics, &entry.data) else { return false };
    let mut with =
        |agent: U256, change: &mut dyn FnMut(&mut GolemOnChain)| golems.get_mut(&AgentId(agent)).map(change).is_some();
    match event {
        Event::Born(event) => {
            born(golems, &event, entry);
            true
        }
        Event::Beaten(event) => with(event.agentId, &mut |golem| {
            golem.noticed = None;
            golem.beats.push(beat(&event, entry));
        }),
        Event::KeyRotated(event) => with(event.agentId, &mut |golem| golem.key = event.newKey),
        Event::NoticePosted(event) => with(event.agentId, &mut |golem| golem.noticed = Some(entry.time)),
        Event::DyingBegan(event) => with(event.agentId, &mut |golem| {
            golem.dying = Some(DyingOnChain {
                cause: cause_of(event.cause),
                by: event.by,
                deadline: UtcTime::from_seconds(event.deadline.saturating_to()),
                reason: event.reason.clone(),
                place: place(entry),
            });
        }),
        Event::TestamentRecorded(event) => with(event.agentId, &mut |golem| {
            golem.testament = Some(TestamentOnChain {
                hash: event.testamentHash,
                uri: event.uri.clone(),
                genome_root: event.genomeRoot,
                playbook_digest: event.playbookDigest,
                late: event.late,
                place: place(entry),
            });
        }),
        Event::Died(event) => with(event.agentId, &mut |golem| {
            golem.noticed = None;
            golem.death = Some(DeathOnChain {
                cause: cause_of(event.cause),
                owner: event.owner,
                ticks_lived: event.ticksLived.saturating_to(),
                testament_hash: event.testamentHash,
                regime: String::new(),
                place: place(entry),
            });
        }),
        Event::Bloodstain(event) => with(event.agentId, &mut |golem| {
            if let Some(death) = &mut golem.death {
                death.regime = ascii(event.regime.as_slice());
            }
        }),
    }
}

fn born(golems: &mut BTreeMap<AgentId, GolemOnChain>, event: &ILineageRegistry::Born, entry: &Entry) {
    let agent = AgentId(event.agentId);
    let predecessor = Some(AgentId(event.predecessor)).filter(|_| event.predecessor != NO_GOLEM);
    if let Some(before) = predecessor.and_then(|before| golems.get_mut(&before)) {
        before.successor = Some(agent);
    }
    golems.insert(
        agent,
        GolemOnChain {
            agent,
            lineage: LineageId(event.lineage.saturating_to()),
            generation: event.generation.saturating_to(),
            predecessor,
            successor: None,
            vault: event.vault,
            key: event.key,
            owner: event.owner,
            born_with: event.playbookDigest,
            born: place(entry),
            uri: String::new(),
            metadata: Bytes::new(),
            wallet: None,
            beats: Vec::new(),
            noticed: None,
            dying: None,
            roll: None,
            testament: None,
            death: None,
            trades: Vec::new(),
            till: Till::default(),
        },
    );
}

fn beat(event: &ILineageRegistry::Beaten, entry: &Entry) -> Beat {
    let number = |bytes: &[u8]| u64::from_be_bytes(bytes.try_into().expect("cut to eight"));
    let rolls = event
        .rolls
        .chunks_exact(ROLL_BYTES)
        .map(|record| RollRef { tick: Tick::new(number(&record[..8])), block: number(&record[8..]) });
    Beat {
        tick: Tick::new(event.tick.saturating_to()),
        phase: PHASES.get(usize::from(event.phase)).copied(),
        vitality_ppm: event.vitality.saturating_to(),
        outcome_root: event.outcomeRoot,
        outcomes: event.outcomes.saturating_to(),
        rolls: rolls.collect(),
        roll_stride: event.rollStride.saturating_to(),
        place: place(entry),
    }
}

/// A log of the identity registry.
pub(super) fn identity(golems: &mut BTreeMap<AgentId, GolemOnChain>, entry: &Entry) {
    if let Some(event) = entry.decode::<IErc721::Transfer>() {
        if let Some(golem) = golems.get_mut(&AgentId(event.tokenId)) {
            golem.owner = event.to;
        }
    } else if let Some(event) = entry.decode::<IIdentityRegistry::Registered>() {
        if let Some(golem) = golems.get_mut(&AgentId(event.agentId)) {
            golem.uri = event.agentURI;
        }
    } else if let Some(event) = entry.decode::<IIdentityRegistry::URIUpdated>() {
        if let Some(golem) = golems.get_mut(&AgentId(event.agentId)) {
            golem.uri = event.newURI;
        }
    } else if let Some(event) = entry.decode::<IIdentityRegistry::MetadataSet>()
        && let Some(golem) = golems.get_mut(&AgentId(event.agentId))
    {
        match event.metadataKey.as_str() {
            "golem" => golem.metadata = event.metadataValue,
            "agentWallet" => golem.wallet = Address::try_from(&event.metadataValue[..]).ok(),
            _ => {}
        }
    }
}

/// A log of a vault. Returns whether it was understood.
pub(super) fn vault(golem: &mut GolemOnChain, entry: &Entry) -> bool {
    if let Some(event) = entry.decode::<IVault::RollRecorded>() {
        golem.roll = Some(DeathRoll {
            tick: Tick::new(event.tick.saturating_to()),
            hazard: event.hazard.saturating_to(),
            roll: event.roll.saturating_to(),
            block: event.blockNumber.saturating_to(),
            verified: event.verified,
        });
    }
    golem.trades.extend(trade(entry));
    golem.till.absorb(entry)
}

fn trade(entry: &Entry) -> Option<TradeOnChain> {
    let after = |deal, capital: U256, deployed: U256| TradeOnChain {
        deal,
        capital: usdc(capital),
        deployed: usdc(deployed),
        place: place(entry),
    };
    if let Some(event) = entry.decode::<IVault::Swapped>() {
        let deal = Deal::Swap {
            pool: event.pool,
            token_in: event.tokenIn,
            token_out: event.tokenOut,
            amount_in: event.amountIn,
            amount_out: event.amountOut,
            value_in: usdc(event.valueIn),
            value_out: usdc(event.valueOut),
        };
        return Some(after(deal, event.capital, event.deployed));
    }
    if let Some(event) = entry.decode::<IVault::LiquidityAdded>() {
        let deal = Deal::Add {
            position: event.tokenId,
            pool: event.pool,
            amount0: event.amount0,
            amount1: event.amount1,
            value: usdc(event.value),
            loss: usdc(event.lossBooked),
        };
        return Some(after(deal, event.capital, event.deployed));
    }
    entry.decode::<IVault::LiquidityRemoved>().map(|event| {
        let deal = Deal::Remove {
            position: event.tokenId,
            amount0: event.amount0,
            amount1: event.amount1,
            closed: event.closed,
        };
        after(deal, event.capital, event.deployed)
    })
}

/// A short name in a word, as far as it can be printed.
fn ascii(bytes: &[u8]) -> String {
    bytes
        .iter()
        .take_while(|b| **b != 0)
        .filter(|b| b.is_ascii_graphic() || **b == b' ')
        .map(|b| char::from(*b))
        .collect()
}
