//! What a pretended vault stands in: its pools at a block, what they can be trusted with, and what their counters say.

use std::collections::{BTreeMap, BTreeSet};

use alloy::primitives::aliases::{I24, U24};
use alloy::primitives::{Address, Bytes, U160, U256, address};
use alloy::sol_types::{SolCall, SolError as _, SolInterface as _};
use golem_ports::Blindness;
use golem_primitives::Usdc;

use super::vault::{Done, Seen, refuse};
use crate::batch::{Answers, Batch, Slot};
use crate::bindings::{IGasPriceOracle, IQuoterV2, IUniswapV3Pool, IVault};
use crate::node::{At, Call, Node};
use crate::owner::Policy;
use crate::place::{Place, Pool};
use crate::price::{FeeGrowth, mean_tick, root_at};
use crate::reading::{PoolReading, read_markets};

/// What a rollup of the OP stack asks for its parent chain stands here; elsewhere nothing does.
const GAS_ORACLE: Address = address!("0x420000000000000000000000000000000000000F");
/// Bytes of a transaction beside its call.
const ENVELOPE: usize = 120;
const MINUTE: u32 = 60;
const THIRD: u32 = 20;
const USE_TOKEN: u8 = 32;

/// V-011. The range a token's price is trusted in, as ticks of the token in USDC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trusted {
    pub(super) low: i32,
    pub(super) high: i32,
}

/// What the pool counts beyond a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Beyond {
    pub(super) is_counted: bool,
    pub(super) outside: [U256; 2],
}

/// A pool at a block.
#[derive(Debug, Clone)]
pub(super) struct Venue<'a> {
    pub(super) pool: &'a Pool,
    pub(super) now: PoolReading,
    /// The price of its token that it can be trusted with, or what the vault would revert with.
    pub(super) trusted: Done<Trusted>,
    pub(super) ticks: BTreeMap<i32, Beyond>,
}

impl Venue<'_> {
    /// The fees between two ticks, as far as the pool counts them.
    pub(super) fn seen(&self, lower: i32, upper: i32) -> Seen {
        let counted = |tick: i32| self.ticks.get(&tick).filter(|beyond| beyond.is_counted);
        let inside = counted(lower).zip(counted(upper)).map(|(below, above)| {
            [0, 1].map(|token| {
                let growth = FeeGrowth {
                    global: self.now.fee_growth[token],
                    below_lower: below.outside[token],
                    above_upper: above.outside[token],
                    at_last_touch: U256::ZERO,
                };
                growth.inside(self.now.tick, lower, upper)
            })
        });
        Seen { tick: self.now.tick, global: self.now.fee_growth, inside }
    }
}

#[derive(Debug)]
pub(super) struct World<'a> {
    pub(super) place: &'a Place,
    pub(super) at: At,
    /// P-057. The pools of the place in its order, the home pool first.
    pub(super) venues: Vec<Venue<'a>>,
    pub(super) native: Usdc,
    /// The trusted price of wrapped native coin, or what the vault would revert with.
    pub(super) trusted_native: Done<Trusted>,
    /// What the swap of the call at hand brings, or the pool's own revert.
    pub(super) quoted: Option<Done<u128>>,
    /// Wei that the parent chain takes for the call at hand.
    pub(super) parent_wei: u128,
}

impl<'a> World<'a> {
    pub(super) const fn now(&self) -> u64 {
        self.at.time.seconds()
    }

    /// Whether its blocks are rows of a file: no chain has the number 0.
    pub(super) const fn is_past(&self) -> bool {
        self.place.deployment.chain_id == 0
    }

    /// P-057. A pool that is traded in.
    pub(super) fn venue(&self, pool: Address) -> Option<&Venue<'a>> {
        self.venues.iter().find(|venue| venue.pool.address == pool)
    }

    /// V-011. The trusted price of a token: that of the first pool that trades it, as a birth lists it.
    pub(super) fn trusted(&self, token: Address) -> Done<Trusted> {
        match self.venues.iter().find(|venue| venue.pool.token == token) {
            Some(venue) => venue.trusted.clone(),
            None => refuse(IVault::NotListed { subject: token, r#use: USE_TOKEN }),
        }
    }

    /// What comes out of the pool for what goes in.
    pub(super) fn swapped(&self) -> Done<u128> {
        self.quoted.clone().unwrap_or_else(|| Err(Bytes::new()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RangeEnd {
    pub(super) pool: Address,
    pub(super) tick: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sold {
    pub(super) pool: Address,
    pub(super) token: Address,
    pub(super) amount: u128,
}

/// What a call needs to know of the chain beside the pools.
#[derive(Debug, Default)]
pub(super) struct Needs {
    pub(super) ends: BTreeSet<RangeEnd>,
    pub(super) sold: Option<Sold>,
    pub(super) bytes: usize,
}

impl Needs {
    pub(super) fn of_ends(ends: impl IntoIterator<Item = RangeEnd>) -> Self {
        Self { ends: ends.into_iter().collect(), ..Self::default() }
    }

    /// And what this call asks of its pool.
    pub(super) fn and(mut self, call: &Call, place: &Place) -> Self {
        use IVault::IVaultCalls as Called;
        self.bytes = call.data.len();
        match Called::abi_decode(&call.data) {
            Ok(Called::swap(called)) => {
                let order = called.order;
                let amount = order.amountIn.saturating_to();
                self.sold = Some(Sold { pool: order.pool, token: order.tokenIn, amount });
            }
            Ok(Called::refuel(called)) => {
                let (token, amount) = (place.deployment.usdc, called.amountIn.saturating_to());
                self.sold = Some(Sold { pool: called.pool, token, amount });
            }
            Ok(Called::mintPosition(called)) => {
                let (pool, ticks) = (called.order.pool, [called.order.tickLower, called.order.tickUpper]);
                // A pool that is not traded in is refused, and nobody asks it anything.
                if place.pools().any(|known| known.address == pool) {
                    self.ends.extend(ticks.map(|tick| RangeEnd { pool, tick: tick.as_i32() }));
                }
            }
            _ => {}
        }
        self
    }
}

/// Where the answers of a pool about its past stand.
struct Past {
    long: Slot<IUniswapV3Pool::observeCall>,
    short: Slot<IUniswapV3Pool::observeCall>,
}

impl Past {
    fn add(batch: &mut Batch, pool: &Pool) -> Self {
        let observe = |ago: &[u32]| IUniswapV3Pool::observeCall { secondsAgos: ago.to_vec() };
        Self {
            long: batch.add(pool.address, &observe(&[Policy::default().twap_window, 0])),
            short: batch.add(pool.address, &observe(&[MINUTE, 2 * THIRD, THIRD, 0])),
        }
    }

    /// `TwapLib`: the mean of the window and those of the last minute's thirds, of a pool that remembers and is deep.
    fn trusted(&self, said: &Answers, pool: &Pool) -> Result<Done<Trusted>, Blindness> {
        let policy = Policy::default();
        let means = [(self.long, policy.twap_window), (self.short, MINUTE)];
        let mut ticks = Vec::with_capacity(4);
        for (place, (slot, window)) in means.into_iter().enumerate() {
            let Some(observed) = said.maybe(slot)? else {
                return Ok(refuse(IVault::WindowNotCovered { pool: pool.address, window: U256::from(window) }));
            };
            let clock: Vec<i64> = observed.tickCumulatives.iter().map(|tick| tick.as_i64()).collect();
            let liquid = &observed.secondsPerLiquidityCumulativeX128s;
            let (Some(first), Some(last)) = (clock.first(), clock.last()) else { return Ok(Err(Bytes::new())) };
            let (Some(from), Some(to)) = (liquid.first(), liquid.last()) else { return Ok(Err(Bytes::new())) };
            let Some(mean) = mean_tick(*first, *last, window) else { return Ok(Err(Bytes::new())) };
            let depth = depth(to.wrapping_sub(*from), window, mean, !pool.quote.token_is_first);
            if depth < U256::from(policy.min_depth.micros()) {
                let minimum = U256::from(policy.min_depth.micros());
                return Ok(refuse(IVault::DepthTooLow { pool: pool.address, depth, minimum }));
            }
            match place {
                0 => ticks.push(mean),
                _ => ticks.extend(clock.windows(2).filter_map(|two| mean_tick(two[0], two[1], THIRD))),
            }
        }
        let directed = ticks.into_iter().map(|tick| if pool.quote.token_is_first { tick } else { -tick });
        let (low, high) = directed.fold((i32::MAX, i32::MIN), |(low, high), tick| (low.min(tick), high.max(tick)));
        Ok(Ok(Trusted { low, high }))
    }
}

/// The pool's USDC, were its liquidity spread over all prices.
fn depth(per_liquidity: U160, window: u32, tick: i32, usdc_first: bool) -> U256 {
    if per_liquidity.is_zero() {
        return U256::ZERO;
    }
    let liquidity = (U256::from(window) << 128usize) / U256::from(per_liquidity);
    let root = U256::from(root_at(tick));
    if usdc_first { (liquidity << 96usize) / root } else { (liquidity * root) >> 96usize }
}

/// Looks at a block: every pool at the same one.
pub(super) async fn look<'a>(node: &Node, place: &'a Place, at: At, needs: &Needs) -> Result<World<'a>, Blindness> {
    let multicall = place.deployment.multicall3;
    let traded = place.elsewhere.len() + 1;
    let mut looked: Vec<&Pool> = place.pools().collect();
    let gas_pool = looked.iter().position(|pool| pool.address == place.gas_pool.address).unwrap_or(traded);
    if gas_pool == traded {
        looked.push(&place.gas_pool);
    }
    let now = read_markets(node, multicall, &looked, Policy::default().twap_window, &at).await?;
    let mut batch = Batch::default();
    let pasts: Vec<Past> = looked.iter().map(|pool| Past::add(&mut batch, pool)).collect();
    let asked: Vec<_> = needs
        .ends
        .iter()
        .filter_map(|end| Some((*end, I24::try_from(end.tick).ok()?)))
        .map(|(end, name)| (end, batch.add(end.pool, &IUniswapV3Pool::ticksCall { tick: name })))
        .collect();
    let size = U256::from(needs.bytes + ENVELOPE);
    let parent = batch.add(GAS_ORACLE, &IGasPriceOracle::getL1FeeUpperBoundCall { unsignedTxSize: size });
    let said = batch.ask(node, multicall, &at).await?;
    let mut venues = Vec::with_capacity(looked.len());
    for ((pool, now), past) in looked.into_iter().zip(now).zip(&pasts) {
        venues.push(Venue { pool, now, trusted: past.trusted(&said, pool)?, ticks: BTreeMap::new() });
    }
    for (end, slot) in asked {
        let data = said.get(slot)?;
        let outside = [data.feeGrowthOutside0X128, data.feeGrowthOutside1X128];
        let venue = venues.iter_mut().find(|venue| venue.pool.address == end.pool);
        venue.map(|venue| venue.ticks.insert(end.tick, Beyond { is_counted: data.initialized, outside }));
    }
    let (native, trusted_native) = (venues[gas_pool].now.fair(), venues[gas_pool].trusted.clone());
    venues.truncate(traded);
    // Where there is no such contract there is no such fee.
    let parent_wei = said.maybe(parent).ok().flatten().map_or(0, |fee| fee.saturating_to());
    let quoted = match needs.sold {
        Some(sold) => Some(quote(node, place, sold, &at).await?),
        None => None,
    };
    Ok(World { place, at, venues, native, trusted_native, quoted, parent_wei })
}

/// What the real pool would pay out at this block, its fee and the price impact included.
async fn quote(node: &Node, place: &Place, sold: Sold, at: &At) -> Result<Done<u128>, Blindness> {
    let known = place.pools().chain([&place.gas_pool]).find(|pool| pool.address == sold.pool);
    let Some(pool) = known else { return Ok(Err(Bytes::new())) };
    let usdc = place.deployment.usdc;
    let token_out = if sold.token == usdc { pool.token } else { usdc };
    let Some(quoter) = place.deployment.quoter else {
        let reason = "no quoter is known on this chain; name one in the deployment".to_owned();
        return Ok(Err(alloy::sol_types::Revert { reason }.abi_encode().into()));
    };
    let params = IQuoterV2::QuoteExactInputSingleParams {
        tokenIn: sold.token,
        tokenOut: token_out,
        amountIn: U256::from(sold.amount),
        fee: U24::from(pool.fee_ppm),
        sqrtPriceLimitX96: U160::ZERO,
    };
    let data = IQuoterV2::quoteExactInputSingleCall { params }.abi_encode().into();
    let said = match node.call(&Call { from: Address::ZERO, to: quoter, data }, at).await? {
        Ok(said) => said,
        Err(revert) => return Ok(Err(revert.data)),
    };
    let quoted = IQuoterV2::quoteExactInputSingleCall::abi_decode_returns(&said)
        .map_err(|_| Blindness { why: "the quoter answered in no known form".to_owned() })?;
    Ok(Ok(quoted.amountOut.saturating_to()))
}
