//! From a wish to the exact call that fulfils it.

use alloy::primitives::aliases::I24;
use alloy::primitives::{Address, Bytes, U160, U256};
use alloy::sol_types::SolCall;
use golem_core::record::{Order, Partition, Phase};
use golem_ports::{Act, Declaration, SettledTestament, Stain};
use golem_primitives::{Tick, Usdc};

use crate::bindings::vault::{IVaultLiquidity, IVaultTrading};
use crate::bindings::{ILineageRegistry, IVault, vault};
use crate::place::Place;
use crate::price::{amounts_of, amounts_taken, liquidity_for, root_product, units, wei_for};
use crate::reading::{Reading, VaultState};
use crate::rolls::RollSchedule;
use crate::sight::{ALIVE, DEAD, DYING, PHASES};

/// How far the pool's root may drift between preview and block while liquidity moves, in 1/10,000: half a percent of
/// price. The vault's own bound against the trusted price stands behind it.
const ROOT_DRIFT: u64 = 25;

/// What an act comes to at a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Plan {
    Call { to: Address, data: Bytes },
    Already,
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
    let deadline = deadline(place, reading);
    let swap = |order| to(place.vault, &IVault::swapCall { order });
    match *order {
        Order::Buy { spend, least, .. } => swap(IVaultTrading::SwapOrder {
            pool,
            tokenIn: usdc,
            tokenOut: token,
            amountIn: units(spend),
            minOut: U256::from(least),
            deadline,
        }),
        Order::Sell { amount, least, .. } => swap(IVaultTrading::SwapOrder {
            pool,
            tokenIn: token,
            tokenOut: usdc,
            amountIn: U256::from(amount),
            minOut: units(least),
            deadline,
        }),
        Order::Provide { lower, upper, usdc, token, .. } => {
            let (Ok(tick_lower), Ok(tick_upper)) = (I24::try_from(lower), I24::try_from(upper)) else {
                return Plan::Never(format!("{lower} to {upper} is no range of ticks"));
            };
            let (amount0, amount1) = quote.ordered(token, u128::from(usdc.micros()));
            let (min0, min1) = least_taken((amount0, amount1), now.root, lower, upper);
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
            let (min0, min1) = (U256::from(min0), U256::from(min1));
            // All of it is said as such: it closes the position, however much there is in the block that takes it.
            let liquidity = if liquidity >= open.liquidity { u128::MAX } else { liquidity };
            let token_id = U256::from(position);
            to(place.vault, &IVault::decreasePositionCall { tokenId: token_id, liquidity, min0, min1 })
        }
    }
}

/// V-011. Until when an order that was made from this look counts.
fn deadline(place: &Place, reading: &Reading) -> U256 {
    U256::from(reading.at.time.seconds().saturating_add(place.order_seconds))
}

/// How far the root may drift either way.
fn drifted(root: U160) -> (U160, U160) {
    let wide = U256::from(root);
    let drift = wide * U256::from(ROOT_DRIFT) / U256::from(10_000);
    (U160::saturating_from(wide - drift), U160::saturating_from(wide + drift))
}

/// The least of each amount while the root drifts either way.
fn least_of(root: U160, amounts: impl Fn(U160) -> (u128, u128)) -> (u128, u128) {
    let (below, above) = drifted(root);
    let (below, above) = (amounts(below), amounts(above));
    (below.0.min(above.0), below.1.min(above.1))
}

/// The least that a mint of at most these amounts takes while the root drifts either way.
///
/// The amount in short supply is taken whole at every root, less what the venue loses when it rounds liquidity down. A unit
/// of liquidity is many units of a token whose unit is worth little: some 900 wei of ether in a range of ten percent around
/// 3,000 USDC. How much of one is lost differs from root to root, so what is lost at the two ends says nothing of what is
/// lost between them: the most that can be lost anywhere is taken off.
fn least_taken(amounts: (u128, u128), root: U160, lower: i32, upper: i32) -> (U256, U256) {
    let (first, second) = least_of(root, |root| {
        let liquidity = liquidity_for(amounts.0, amounts.1, root, lower, upper);
        amounts_of(liquidity, root, lower, upper)
    });
    let (below, above) = drifted(root);
    // A unit has most of the first token at the lowest root and most of the second at the highest.
    let lost = (amounts_taken(1, below, lower, upper).0, amounts_taken(1, above, lower, upper).1);
    // The venue first rounds the product of two roots; what that loses of an amount is its part of that product.
    let product = root_product(below, lower, upper);
    let least = |amount: u128, least: u128, lost: u128| {
        let rounded = U256::from(amount).div_ceil(product).saturating_add(U256::ONE);
        U256::from(least).saturating_sub(U256::from(lost)).saturating_sub(rounded)
    };
    (least(amounts.0, first, lost.0), least(amounts.1, second, lost.1))
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

pub(crate) fn testament_of(testament: &SettledTestament) -> vault::ILineageRegistry::Testament {
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
    use proptest::prelude::*;

    use super::*;
    use crate::price::root_at;

    /// What a mint takes, as the position manager computes it: liquidity from both amounts, then amounts from liquidity.
    fn minted(amounts: (u128, u128), root: U160, lower: i32, upper: i32) -> (u128, u128) {
        amounts_taken(liquidity_for(amounts.0, amounts.1, root, lower, upper), root, lower, upper)
    }

    /// V-015: an ether and more USDC than it needs, in a range of ten percent either way around 3,000 USDC. A mint takes the
    /// ether but for what one unit of liquidity has of it, and the bound asks for no less than that.
    #[test]
    fn v_015_the_token_in_short_supply_is_asked_for_to_the_last_unit_of_liquidity() {
        const ETHER: u128 = 1_000_000_000_000_000_000;
        let (root, lower, upper) = (root_at(-196_256), -197_210, -195_300);
        let (least, _) = least_taken((ETHER, 10_000_000_000), root, lower, upper);
        assert!(least > U256::from(ETHER - 2_000) && least <= U256::from(ETHER - 800), "{least}");
    }

    proptest! {
        /// V-015: whatever is provided at whatever price, no mint within the drift takes less than the least it is sent with;
        /// the venue refuses one that does ("Price slippage check").
        #[test]
        fn v_015_a_mint_within_the_drift_takes_no_less_than_the_least(
            first in 0u128..1 << 100, second in 0u128..1 << 100, tick in -400_000i32..400_000,
            away in -2_000i32..2_000, width in 1i32..20_000, drift in -25i64..=25, grain in 0u64..1 << 40,
        ) {
            let (lower, upper) = (tick + away - width, tick + away + width);
            let root = root_at(tick) + U160::from(grain);
            let (below, above) = drifted(root);
            let wide = U256::from(root);
            let moved = wide * U256::from(drift.unsigned_abs()) / U256::from(10_000);
            let moved = U160::saturating_from(if drift < 0 { wide - moved } else { wide + moved });
            prop_assert!((below..=above).contains(&moved));
            let (least0, least1) = least_taken((first, second), root, lower, upper);
            let (taken0, taken1) = minted((first, second), moved, lower, upper);
            prop_assert!(U256::from(taken0) >= least0, "{taken0} < {least0}");
            prop_assert!(U256::from(taken1) >= least1, "{taken1} < {least1}");
        }
    }

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
