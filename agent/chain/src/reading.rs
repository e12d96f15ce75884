//! Everything an agent knows of its place at one block, by one multicall.

mod position;

use std::collections::BTreeMap;

use alloy::primitives::{Address, B256, U160, U256, keccak256};
use golem_core::record::{ChainState, Order, POSITIONS};
use golem_ports::Blindness;
use golem_primitives::{PoolName, Usdc};

use crate::batch::{Answers, Batch, Slot};
use crate::bindings::{IErc20, ILineageRegistry, IMulticall3, IPositionManager, IUniswapV3Pool, IVault};
use crate::node::{At, Node};
use crate::owner::Uses;
use crate::place::{Place, Pool};
use crate::price::mean_tick;

use position::PositionSlots;
pub(crate) use position::{Lies, PositionState};

/// V-011. The window of the default policy; one that the owner chose is asked for in a second round, once.
pub(crate) const DEFAULT_WINDOW: u32 = 1_800;

/// What saves rounds: the window of the policy, and the ranges of positions, which never change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recall {
    pub(crate) window: Option<u32>,
    pub(crate) ranges: BTreeMap<u64, Lies>,
}

/// A pool at a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PoolReading {
    pub(crate) root: U160,
    pub(crate) tick: i32,
    pub(crate) liquidity: u128,
    pub(crate) price: Usdc,
    pub(crate) twap: Option<Usdc>,
    pub(crate) fee_growth: [U256; 2],
}

impl PoolReading {
    /// The price trades are valued at: the time-weighted one, which nobody bends in a block.
    pub(crate) fn fair(&self) -> Usdc {
        self.twap.unwrap_or(self.price)
    }

    /// Equal or not is all that is asked of it.
    pub(crate) fn hash(&self) -> B256 {
        let mut bytes = self.root.to_be_bytes::<20>().to_vec();
        bytes.extend(self.tick.to_be_bytes());
        bytes.extend(self.liquidity.to_be_bytes());
        keccak256(bytes)
    }
}

/// A vault at a block, in the contracts' own words.
#[derive(Debug, Clone)]
pub(crate) struct VaultState {
    pub(crate) key: Address,
    pub(crate) life: u8,
    pub(crate) cause: u8,
    pub(crate) deadline: U256,
    pub(crate) pulse: crate::bindings::lineage::ILineageRegistry::Pulse,
    pub(crate) owner: Option<Address>,
    pub(crate) bound: Address,
    pub(crate) hibernated_until: U256,
    pub(crate) policy: IVault::Policy,
    pub(crate) credits: IVault::Ledger,
    pub(crate) left_today: IVault::Ledger,
    pub(crate) books: IVault::Books,
    pub(crate) basis: u64,
    pub(crate) traded_at: u32,
    pub(crate) accounted: U256,
    pub(crate) unallocated: U256,
    pub(crate) usdc: U256,
    pub(crate) held: U256,
    pub(crate) held_cost: u64,
    /// P-057. The tokens behind the home pool's, in the place's order.
    pub(crate) others: Vec<TokenState>,
    pub(crate) allowances: U256,
    pub(crate) key_wei: U256,
    pub(crate) positions: Vec<PositionState>,
}

/// A token of a vault at a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenState {
    pub(crate) held: U256,
    pub(crate) cost: u64,
}

/// A place at a block.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) at: At,
    pub(crate) pool: PoolReading,
    /// P-057. The pools beside it, in the place's order.
    pub(crate) elsewhere: Vec<PoolReading>,
    /// P-057. Whether the vault lists each pool and its token, the home pool first.
    pub(crate) listed: Vec<bool>,
    pub(crate) native: Usdc,
    pub(crate) vault: VaultState,
}

impl Reading {
    /// Reads all of it at `at`. One round when nothing is new; a second and third for what is.
    pub(crate) async fn take(
        node: &Node,
        place: &Place,
        key: Address,
        at: At,
        recall: &mut Recall,
    ) -> Result<Self, Blindness> {
        let multicall = place.deployment.multicall3;
        let mut batch = Batch::default();
        let window = recall.window.unwrap_or(DEFAULT_WINDOW);
        let pools: Vec<PoolSlots> = place.pools().map(|pool| PoolSlots::add(&mut batch, pool, window)).collect();
        let gas_pool =
            (place.gas_pool.address != place.pool.address).then(|| PoolSlots::add(&mut batch, &place.gas_pool, window));
        let vault = VaultSlots::add(&mut batch, place, key);
        let known: Vec<_> =
            recall.ranges.iter().map(|(id, range)| PositionSlots::add(&mut batch, place, *id, *range)).collect();
        let said = batch.ask(node, multicall, &at).await?;

        let policy = said.get(vault.policy)?;
        let seen = pools.iter().zip(place.pools()).map(|(slots, pool)| slots.read(&said, pool, window));
        let mut seen = seen.collect::<Result<Vec<PoolReading>, Blindness>>()?;
        if policy.twapWindow != window {
            recall.window = Some(policy.twapWindow);
            for (now, pool) in seen.iter_mut().zip(place.pools()) {
                now.twap = read_market(node, multicall, pool, policy.twapWindow, &at).await?.twap;
            }
        }
        let native = match gas_pool {
            Some(slots) => slots.read(&said, &place.gas_pool, window)?.fair(),
            None => seen[0].fair(),
        };

        let listed = said.get(vault.positions)?;
        let mut found = BTreeMap::new();
        for slots in &known {
            if let Some(position) = slots.read(&said, &seen, place)? {
                found.insert(position.id, position);
            }
        }
        let ids = listed.iter().map(|position| position_id(position.tokenId)).collect::<Result<Vec<_>, _>>()?;
        recall.ranges.retain(|id, _| ids.contains(id));
        let unknown: Vec<u64> = ids.iter().copied().filter(|id| !recall.ranges.contains_key(id)).collect();
        if !unknown.is_empty() {
            for position in read_unknown(node, place, &unknown, &seen, &at, recall).await? {
                found.insert(position.id, position);
            }
        }
        let mut positions = Vec::with_capacity(listed.len());
        for (line, id) in listed.iter().zip(&ids) {
            let missing = || Blindness { why: format!("position {id} is listed and cannot be read") };
            let mut position = found.remove(id).ok_or_else(missing)?;
            position.book = line.book;
            positions.push(position);
        }
        if positions.len() > POSITIONS {
            return Err(Blindness { why: format!("a vault with {} positions", positions.len()) });
        }
        let listed = vault.listed.iter().map(|listing| listing.read(&said)).collect::<Result<Vec<_>, _>>()?;
        let vault = vault.read(&said, place, policy, positions)?;
        let pool = seen.remove(0);
        Ok(Self { at, pool, elsewhere: seen, listed, native, vault })
    }

    /// M-073. Balances, positions and the pool that is traded in, as a record keeps them; without a trade the home pool.
    pub(crate) fn chain_state(&self, place: &Place, order: Option<&Order>) -> ChainState {
        let others = self.vault.others.iter().map(|token| token.held);
        let held = std::iter::once(self.vault.held).chain(others).map(saturated);
        let mut balances = BTreeMap::from([(place.deployment.usdc, saturated(self.vault.usdc))]);
        balances.extend(place.tokens().into_iter().zip(held));
        let traded = order.and_then(|order| self.pool_of(place, order.pool())).unwrap_or(&self.pool);
        ChainState {
            balances,
            positions: self.vault.positions.iter().map(|position| (position.id, position.liquidity)).collect(),
            pool_state: traded.hash(),
        }
    }

    /// P-057. The pool of a name, as it stands.
    pub(crate) fn pool_of(&self, place: &Place, name: PoolName) -> Option<&PoolReading> {
        let at = place.pools().position(|pool| pool.name == name)?;
        std::iter::once(&self.pool).chain(&self.elsewhere).nth(at)
    }

    /// P-057. What the vault holds of the token of a pool.
    pub(crate) fn token_of(&self, pool: &Pool) -> TokenState {
        let home = TokenState { held: self.vault.held, cost: self.vault.held_cost };
        let other = usize::from(pool.token_place).checked_sub(1);
        other.map_or(home, |other| {
            self.vault.others.get(other).copied().unwrap_or(TokenState { held: U256::ZERO, cost: 0 })
        })
    }
}

pub(crate) async fn read_market(
    node: &Node,
    multicall: Address,
    pool: &Pool,
    window: u32,
    at: &At,
) -> Result<PoolReading, Blindness> {
    Ok(read_markets(node, multicall, &[pool], window, at).await?.remove(0))
}

/// Reads pools without a vault, as a Golem on paper does.
pub(crate) async fn read_markets(
    node: &Node,
    multicall: Address,
    pools: &[&Pool],
    window: u32,
    at: &At,
) -> Result<Vec<PoolReading>, Blindness> {
    let mut batch = Batch::default();
    let slots: Vec<PoolSlots> = pools.iter().map(|pool| PoolSlots::add(&mut batch, pool, window)).collect();
    let said = batch.ask(node, multicall, at).await?;
    slots.iter().zip(pools).map(|(slots, pool)| slots.read(&said, pool, window)).collect()
}

async fn read_unknown(
    node: &Node,
    place: &Place,
    ids: &[u64],
    pools: &[PoolReading],
    at: &At,
    recall: &mut Recall,
) -> Result<Vec<PositionState>, Blindness> {
    let multicall = place.deployment.multicall3;
    let mut batch = Batch::default();
    let asked: Vec<_> = ids
        .iter()
        .map(|id| {
            let call = IPositionManager::positionsCall { tokenId: U256::from(*id) };
            (*id, batch.add(place.deployment.position_manager, &call))
        })
        .collect();
    let answers = batch.ask(node, multicall, at).await?;
    for (id, slot) in asked {
        let data = answers.get(slot)?;
        recall.ranges.insert(id, Lies::of(&data, place));
    }
    let mut batch = Batch::default();
    let slots: Vec<_> = ids.iter().map(|id| PositionSlots::add(&mut batch, place, *id, recall.ranges[id])).collect();
    let answers = batch.ask(node, multicall, at).await?;
    let mut found = Vec::with_capacity(ids.len());
    for slot in slots {
        found.extend(slot.read(&answers, pools, place)?);
    }
    Ok(found)
}

struct PoolSlots {
    slot0: Slot<IUniswapV3Pool::slot0Call>,
    liquidity: Slot<IUniswapV3Pool::liquidityCall>,
    observe: Slot<IUniswapV3Pool::observeCall>,
    growth0: Slot<IUniswapV3Pool::feeGrowthGlobal0X128Call>,
    growth1: Slot<IUniswapV3Pool::feeGrowthGlobal1X128Call>,
}

impl PoolSlots {
    fn add(batch: &mut Batch, pool: &Pool, window: u32) -> Self {
        let at = pool.address;
        Self {
            slot0: batch.add(at, &IUniswapV3Pool::slot0Call {}),
            liquidity: batch.add(at, &IUniswapV3Pool::liquidityCall {}),
            observe: batch.add(at, &IUniswapV3Pool::observeCall { secondsAgos: vec![window, 0] }),
            growth0: batch.add(at, &IUniswapV3Pool::feeGrowthGlobal0X128Call {}),
            growth1: batch.add(at, &IUniswapV3Pool::feeGrowthGlobal1X128Call {}),
        }
    }

    fn read(&self, said: &Answers, pool: &Pool, window: u32) -> Result<PoolReading, Blindness> {
        let slot0 = said.get(self.slot0)?;
        // A pool that does not remember that far reverts.
        let twap = said.maybe(self.observe)?.and_then(|observed| match observed.tickCumulatives.as_slice() {
            [before, after] => mean_tick(before.as_i64(), after.as_i64(), window),
            _ => None,
        });
        if slot0.sqrtPriceX96.is_zero() {
            return Err(Blindness { why: format!("the pool {} has no price", pool.address) });
        }
        Ok(PoolReading {
            root: slot0.sqrtPriceX96,
            tick: slot0.tick.as_i32(),
            liquidity: said.get(self.liquidity)?,
            price: pool.quote.price(slot0.sqrtPriceX96),
            twap: twap.map(|tick| pool.quote.price_at(tick)),
            fee_growth: [said.get(self.growth0)?, said.get(self.growth1)?],
        })
    }
}

struct VaultSlots {
    state: Slot<ILineageRegistry::stateOfCall>,
    pulse: Slot<ILineageRegistry::pulseOfCall>,
    owner: Slot<IVault::ownerCall>,
    bound: Slot<IVault::boundOwnerCall>,
    hibernated: Slot<IVault::hibernatedUntilCall>,
    policy: Slot<IVault::policyCall>,
    credits: Slot<IVault::creditsCall>,
    books: Slot<IVault::booksCall>,
    today: Slot<IVault::todayCall>,
    traded: Slot<IVault::tradedTodayCall>,
    accounted: Slot<IVault::accountedCall>,
    unallocated: Slot<IVault::unallocatedCall>,
    holdings: Slot<IVault::holdingsCall>,
    listed: Vec<ListingSlots>,
    positions: Slot<IVault::positionsCall>,
    usdc: Slot<IErc20::balanceOfCall>,
    held: Vec<Slot<IErc20::balanceOfCall>>,
    allowances: Vec<Slot<IErc20::allowanceCall>>,
    key_wei: Slot<IMulticall3::getEthBalanceCall>,
}

impl VaultSlots {
    fn add(batch: &mut Batch, place: &Place, key: Address) -> Self {
        let (vault, deployment) = (place.vault, &place.deployment);
        let (lineage, agent) = (deployment.lineage, place.agent);
        let balance = IErc20::balanceOfCall { account: vault };
        let allowance = |spender: Address| IErc20::allowanceCall { owner: vault, spender };
        let mut allowances = vec![batch.add(deployment.usdc, &allowance(deployment.position_manager))];
        allowances
            .extend(place.tokens().into_iter().map(|token| batch.add(token, &allowance(deployment.position_manager))));
        for pool in place.pools() {
            allowances.extend([deployment.usdc, pool.token].map(|token| batch.add(token, &allowance(pool.address))));
        }
        Self {
            state: batch.add(lineage, &ILineageRegistry::stateOfCall { agentId: agent }),
            pulse: batch.add(lineage, &ILineageRegistry::pulseOfCall { agentId: agent }),
            owner: batch.add(vault, &IVault::ownerCall {}),
            bound: batch.add(vault, &IVault::boundOwnerCall {}),
            hibernated: batch.add(vault, &IVault::hibernatedUntilCall {}),
            policy: batch.add(vault, &IVault::policyCall {}),
            credits: batch.add(vault, &IVault::creditsCall {}),
            books: batch.add(vault, &IVault::booksCall {}),
            today: batch.add(vault, &IVault::todayCall {}),
            traded: batch.add(vault, &IVault::tradedTodayCall {}),
            accounted: batch.add(vault, &IVault::accountedCall {}),
            unallocated: batch.add(vault, &IVault::unallocatedCall {}),
            holdings: batch.add(vault, &IVault::holdingsCall {}),
            listed: place.pools().map(|pool| ListingSlots::add(batch, vault, pool)).collect(),
            positions: batch.add(vault, &IVault::positionsCall {}),
            usdc: batch.add(deployment.usdc, &balance),
            held: place.tokens().into_iter().map(|token| batch.add(token, &balance)).collect(),
            allowances,
            key_wei: batch.add(deployment.multicall3, &IMulticall3::getEthBalanceCall { account: key }),
        }
    }

    fn read(
        &self,
        said: &Answers,
        place: &Place,
        policy: IVault::Policy,
        positions: Vec<PositionState>,
    ) -> Result<VaultState, Blindness> {
        let state = said.get(self.state)?;
        let holdings = said.get(self.holdings)?;
        let mut tokens = Vec::with_capacity(self.held.len());
        for (token, slot) in place.tokens().into_iter().zip(&self.held) {
            let cost = holdings.iter().find(|line| line.token == token).map_or(0, |line| line.book);
            tokens.push(TokenState { held: said.get(*slot)?, cost });
        }
        let TokenState { held, cost: held_cost } = tokens.remove(0);
        let mut allowances = U256::ZERO;
        for slot in &self.allowances {
            allowances = allowances.saturating_add(said.get(*slot)?);
        }
        let traded = said.get(self.traded)?;
        Ok(VaultState {
            key: state.key,
            life: state.life,
            cause: state.cause,
            deadline: state.deadline,
            pulse: said.get(self.pulse)?,
            // L-006. A registry that does not answer names no owner.
            owner: said.maybe(self.owner)?,
            bound: said.get(self.bound)?,
            hibernated_until: said.get(self.hibernated)?,
            policy,
            credits: said.get(self.credits)?,
            left_today: said.get(self.today)?.left,
            books: said.get(self.books)?,
            basis: traded.basis,
            traded_at: traded.lastAt,
            accounted: said.get(self.accounted)?,
            unallocated: said.get(self.unallocated)?,
            usdc: said.get(self.usdc)?,
            held,
            held_cost,
            others: tokens,
            allowances,
            key_wei: said.get(self.key_wei)?,
            positions,
        })
    }
}

/// Where the answers about the listing of a pool and of its token stand.
struct ListingSlots {
    pool: Slot<IVault::listingOfCall>,
    token: Slot<IVault::listingOfCall>,
}

impl ListingSlots {
    fn add(batch: &mut Batch, vault: Address, pool: &Pool) -> Self {
        let mut listing = |subject| batch.add(vault, &IVault::listingOfCall { subject });
        Self { pool: listing(pool.address), token: listing(pool.token) }
    }

    fn read(&self, said: &Answers) -> Result<bool, Blindness> {
        let uses = |slot| Ok::<_, Blindness>(Uses(said.get::<IVault::listingOfCall>(slot)?.uses));
        Ok(uses(self.pool)?.has(Uses::POOL) && uses(self.token)?.has(Uses::TOKEN))
    }
}

fn position_id(id: u128) -> Result<u64, Blindness> {
    u64::try_from(id).map_err(|_| Blindness { why: format!("a position with the id {id}") })
}

pub(crate) fn saturated(value: U256) -> u128 {
    value.saturating_to()
}
