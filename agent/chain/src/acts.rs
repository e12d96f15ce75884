//! From a wish to the exact call that fulfils it.

use alloy::primitives::aliases::I24;
use alloy::primitives::{Address, Bytes, U160, U256};
use alloy::sol_types::SolCall;
use golem_core::record::{Order, Partition, Phase};
use golem_ports::{Act, Declaration, Stain, Testament};
use golem_primitives::{Tick, Usdc};

use crate::bindings::vault::{IVaultLiquidity, IVaultTrading};
use crate::bindings::{ILineageRegistry, IVault, vault};
use crate::place::Place;
use crate::price::{amounts_of, liquidity_for, wei_for};
use crate::reading::{Reading, VaultState};
use crate::rolls::RollSchedule;
use crate::sight::{ALIVE, DEAD, DYING, PHASES};

/// How far the pool's root may drift between preview and block while liquidity moves, in 1/10,000: half a percent of
/// price. The vault's own bound against the trusted price stands behind it.
const ROOT_DRIFT: u64 = 25;

/// What an act comes to at a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Plan {
    /// A call.
    Call {
        /// Whom.
        to: Address,
        /// With what.
        data: Bytes,
    },
    /// It is so already.
    Already,
    /// It cannot be: why.
    Never(String),
}

/// The call of an act, with the bounds that follow from the block it was seen at.
pub(crate) fn plan(act: &Act, place: &Place, reading: &Reading) -> Plan {
    let vault = &reading.vault;
    match act {
        Act::Trade(order) | Act::Rehearse(order) => trade(order, place, reading),
        Act::Beat { tick, phase, vitality, root, outcomes, rolls, stride } => to(
            place.deployment.lineage,
            &ILineageRegistry::beatCall {
                agentId: place.agent,
                tick: tick.get(),
                phase: phase_index(*phase),
                vitality: vitality.get(),
                outcomeRoot: *root,
                outcomes: *outcomes,
                rolls: encode_rolls(&RollSchedule::from(&vault.pulse).untold(rolls)),
                rollStride: stride.unwrap_or(vault.pulse.rollStride),
            },
        ),
        Act::Resplit(phase) => to(place.vault, &IVault::resplitCall { wanted: split_index(*phase) }),
        Act::Rebalance { from, to: into, amount } => to(
            place.vault,
            &IVault::rebalanceCall { from: partition_index(*from), to: partition_index(*into), amount: units(*amount) },
        ),
        Act::RaiseReserve { to: wanted } => {
            let missing = wanted.saturating_sub(Usdc::from_micros(vault.books.reserve));
            if missing.is_zero() {
                return Plan::Already;
            }
            let from = partition_index(Partition::Llm);
            to(place.vault, &IVault::raiseReserveCall { from, amount: units(missing) })
        }
        Act::PayHost { partition, amount } => pay_host(*partition, *amount, place, vault.life),
        Act::DrawFloat { partition, amount } => draw_float(*partition, *amount, place, vault),
        Act::Refuel { amount } => {
            let share = 10_000u64.saturating_sub(u64::from(vault.policy.slippageBps));
            let least = U256::from(wei_for(*amount, reading.native)) * U256::from(share) / U256::from(10_000);
            let pool = place.gas_pool.address;
            to(
                place.vault,
                &IVault::refuelCall {
                    pool,
                    amountIn: units(*amount),
                    minOut: least,
                    deadline: deadline(place, reading),
                },
            )
        }
        Act::Harvest => to(place.vault, &IVault::harvestCall {}),
        Act::Allocate => to(place.vault, &IVault::syncCall {}),
        // T-001. A death that somebody else declared first is the death that was wanted.
        Act::Declare(_) if vault.life != ALIVE => Plan::Already,
        Act::Declare(declaration) => declare(declaration, place),
        Act::Settle { .. } if vault.life == DEAD => Plan::Already,
        Act::Settle { testament, stain } => {
            to(place.vault, &IVault::settleCall { testament: testament_of(testament), stain: stain_of(stain) })
        }
    }
}

fn trade(order: &Order, place: &Place, reading: &Reading) -> Plan {
    let name = order.pool();
    let (Some(venue), Some(now)) = (place.pool_of(name), reading.pool_of(place, name)) else {
        return Plan::Never(format!("no pool {name} is listed for it; `bardo owner pools list` says which are"));
    };
    let (pool, usdc, token) = (venue.address, place.deployment.usdc, venue.token);
    let quote = venue.quote;
    let swap = |sold, bought| swap(pool, place, reading, sold, bought);
    match *order {
        Order::Buy { spend, least, .. } => swap((usdc, units(spend)), (token, U256::from(least))),
        Order::Sell { amount, least, .. } => swap((token, U256::from(amount)), (usdc, units(least))),
        Order::Provide { lower, upper, usdc, token, .. } => {
            let (Ok(tick_lower), Ok(tick_upper)) = (I24::try_from(lower), I24::try_from(upper)) else {
                return Plan::Never(format!("{lower} to {upper} is no range of ticks"));
            };
            let (amount0, amount1) = quote.ordered(token, u128::from(usdc.micros()));
            let taken = |root: U160| {
                let liquidity = liquidity_for(amount0, amount1, root, lower, upper);
                amounts_of(liquidity, root, lower, upper)
            };
            let (min0, min1) = least_of(now.root, taken);
            let order = IVaultLiquidity::MintOrder {
                pool,
                tickLower: tick_lower,
                tickUpper: tick_upper,
                amount0: U256::from(amount0),
                amount1: U256::from(amount1),
                min0,
                min1,
            };
            to(place.vault, &IVault::mintPositionCall { order })
        }
        Order::Withdraw { position, liquidity, .. } => {
            let Some(open) = reading.vault.positions.iter().find(|open| open.id == position) else {
                return Plan::Never(format!("the vault has no position {position}"));
            };
            let paid = |root: U160| amounts_of(liquidity.min(open.liquidity), root, open.lower, open.upper);
            let (min0, min1) = least_of(now.root, paid);
            // All of it is said as such: it closes the position, however much there is in the block that takes it.
            let liquidity = if liquidity >= open.liquidity { u128::MAX } else { liquidity };
            let token_id = U256::from(position);
            to(place.vault, &IVault::decreasePositionCall { tokenId: token_id, liquidity, min0, min1 })
        }
    }
}

fn swap(pool: Address, place: &Place, reading: &Reading, sold: (Address, U256), bought: (Address, U256)) -> Plan {
    let order = IVaultTrading::SwapOrder {
        pool,
        tokenIn: sold.0,
        tokenOut: bought.0,
        amountIn: sold.1,
        minOut: bought.1,
        deadline: deadline(place, reading),
    };
    to(place.vault, &IVault::swapCall { order })
}

/// V-011. Until when an order that was made from this look counts.
fn deadline(place: &Place, reading: &Reading) -> U256 {
    U256::from(reading.at.time.seconds().saturating_add(place.order_seconds))
}

/// The least of each amount while the root drifts either way.
fn least_of(root: U160, amounts: impl Fn(U160) -> (u128, u128)) -> (U256, U256) {
    let wide = U256::from(root);
    let drift = wide * U256::from(ROOT_DRIFT) / U256::from(10_000);
    let below = amounts(U160::saturating_from(wide - drift));
    let above = amounts(U160::saturating_from(wide + drift));
    (U256::from(below.0.min(above.0)), U256::from(below.1.min(above.1)))
}

fn pay_host(partition: Partition, amount: Usdc, place: &Place, life: u8) -> Plan {
    let Some(payee) = place.host else {
        return Plan::Never("no host is named to be paid".to_owned());
    };
    let amount = units(amount);
    if life == DYING {
        return to(place.vault, &IVault::spendDyingCall { payee, amount });
    }
    to(place.vault, &IVault::spendCall { partition: partition_index(partition), payee, amount })
}

/// The wallet is the vault's own word for its key: a rotated key draws nothing.
fn draw_float(partition: Partition, amount: Usdc, place: &Place, vault: &VaultState) -> Plan {
    if vault.life != ALIVE {
        return Plan::Never("float is drawn only while alive".to_owned());
    }
    let partition = partition_index(partition);
    to(place.vault, &IVault::spendCall { partition, payee: vault.key, amount: units(amount) })
}

fn declare(declaration: &Declaration, place: &Place) -> Plan {
    match declaration {
        Declaration::Economic => to(place.vault, &IVault::dieEconomicCall {}),
        Declaration::Senescent { evidence } => {
            to(place.vault, &IVault::dieSenescentCall { evidence: evidence.clone() })
        }
        Declaration::Stochastic { tick, hazard, roll, block } => to(
            place.vault,
            &IVault::dieStochasticCall {
                tick: tick.get(),
                hazard: *hazard,
                roll: *roll,
                blockNumber: U256::from(*block),
            },
        ),
    }
}

pub(crate) fn testament_of(testament: &Testament) -> vault::ILineageRegistry::Testament {
    vault::ILineageRegistry::Testament {
        hash: testament.hash,
        uri: testament.uri.clone(),
        genomeRoot: testament.genome_root,
        playbookDigest: testament.playbook_digest,
        ticksLived: testament.ticks_lived,
    }
}

fn stain_of(stain: &Stain) -> vault::ILineageRegistry::Stain {
    vault::ILineageRegistry::Stain { regime: stain.regime, loss: units(stain.loss), evidence: stain.evidence }
}

fn to<C: SolCall>(address: Address, call: &C) -> Plan {
    Plan::Call { to: address, data: call.abi_encode().into() }
}

pub(crate) fn units(amount: Usdc) -> U256 {
    U256::from(amount.micros())
}

/// L-025. 16 bytes for each roll that followed no schedule: tick and block number, both u64 big-endian.
pub(crate) fn encode_rolls(rolls: &[(Tick, u64)]) -> Bytes {
    rolls.iter().flat_map(|(tick, block)| [tick.to_be_bytes(), block.to_be_bytes()].concat()).collect()
}

pub(crate) fn phase_index(phase: Phase) -> u8 {
    PHASES.iter().position(|known| *known == phase).and_then(|at| u8::try_from(at).ok()).expect("five phases")
}

/// V-009. Birth, Declining, Terminal.
const fn split_index(phase: Phase) -> u8 {
    match phase {
        Phase::Terminal => 2,
        Phase::Declining => 1,
        Phase::Conservation | Phase::Stable | Phase::Thriving => 0,
    }
}

const fn partition_index(partition: Partition) -> u8 {
    match partition {
        Partition::Llm => 0,
        Partition::Gas => 1,
        Partition::Data => 2,
        Partition::Legacy => 3,
    }
}

#[cfg(test)]
mod tests {
    use alloy::primitives::hex;

    use super::*;

    /// L-025: the layout `ILineageRegistry.Beaten` promises.
    #[test]
    fn l_025_a_roll_is_sixteen_bytes() {
        assert!(encode_rolls(&[]).is_empty());
        let rolls = [(Tick::new(7), 0x1234), (Tick::new(u64::MAX), 1)];
        let expected = hex!("0000000000000007000000000000123400000000000000000000000000000001");
        let bytes = encode_rolls(&rolls);
        assert_eq!(bytes[..16], expected[..16]);
        assert_eq!(bytes[16..24], [0xff; 8]);
        assert_eq!(bytes[24..], expected[24..]);
    }

    /// V-012: best first on chain.
    #[test]
    fn v_012_phases_have_the_chains_numbers() {
        assert_eq!(PHASES.map(phase_index), [0, 1, 2, 3, 4]);
        assert_eq!(phase_index(Phase::Conservation), 2);
        assert_eq!(PHASES.map(split_index), [0, 0, 0, 1, 2]);
        assert_eq!(Partition::ALL.map(partition_index), [0, 1, 2, 3]);
    }
}
