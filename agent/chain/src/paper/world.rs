//! What a pretended vault stands in: the pool at a block, what it can be trusted with, and what its counters say.

use std::collections::BTreeMap;

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
use crate::reading::{PoolReading, read_market};

/// What a rollup of the OP stack asks for its parent chain stands here; elsewhere nothing does.
const GAS_ORACLE: Address = address!("0x420000000000000000000000000000000000000F");
/// Bytes of a transaction beside its call.
const ENVELOPE: usize = 120;
const MINUTE: u32 = 60;
const THIRD: u32 = 20;

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

/// A block.
#[derive(Debug)]
pub(super) struct World<'a> {
    pub(super) place: &'a Place,
    pub(super) at: At,
    pub(super) pool: PoolReading,
    /// What one whole native coin costs.
    pub(super) native: Usdc,
    /// The trusted price of the token, and of wrapped native coin; or what the vault would revert with.
    pub(super) trusted: Done<Trusted>,
    pub(super) trusted_native: Done<Trusted>,
    /// What the swap of the call at hand brings, or the pool's own revert.
    pub(super) quoted: Option<Done<u128>>,
    /// The ends of positions.
    pub(super) ticks: BTreeMap<i32, Beyond>,
    /// Wei that the parent chain takes for the call at hand.
    pub(super) parent_wei: u128,
}

impl World<'_> {
    pub(super) const fn now(&self) -> u64 {
        self.at.time.seconds()
    }

    /// What comes out of the pool for what goes in.
    pub(super) fn swapped(&self) -> Done<u128> {
        self.quoted.clone().unwrap_or_else(|| Err(Bytes::new()))
    }

    /// The fees between two ticks, as far as the pool counts them.
    pub(super) fn seen(&self, lower: i32, upper: i32) -> Seen {
        let counted = |tick: i32| self.ticks.get(&tick).filter(|beyond| beyond.is_counted);
        let inside = counted(lower).zip(counted(upper)).map(|(below, above)| {
            [0, 1].map(|token| {
                let growth = FeeGrowth {
                    global: self.pool.fee_growth[token],
                    below_lower: below.outside[token],
                    above_upper: above.outside[token],
                    at_last_touch: U256::ZERO,
                };
                growth.inside(self.pool.tick, lower, upper)
            })
        });
        Seen { tick: self.pool.tick, global: self.pool.fee_growth, inside }
    }
}

/// What a call needs to know of the chain beside the pool.
#[derive(Debug, Default)]
pub(super) struct Needs {
    pub(super) ticks: Vec<i32>,
    /// What goes into the pool, and how much; of `Address::ZERO` USDC goes into the pool of native coin.
    pub(super) swap: Option<(Address, u128)>,
    bytes: usize,
}

impl Needs {
    /// The ends of these positions.
    pub(super) fn of_ticks(ticks: impl IntoIterator<Item = i32>) -> Self {
        Self { ticks: ticks.into_iter().collect(), ..Self::default() }
    }

    /// And what this call asks of the pool.
    pub(super) fn and(mut self, call: &Call) -> Self {
        use IVault::IVaultCalls as Called;
        self.bytes = call.data.len();
        match Called::abi_decode(&call.data) {
            Ok(Called::swap(called)) => {
                self.swap = Some((called.order.tokenIn, called.order.amountIn.saturating_to()));
            }
            Ok(Called::refuel(called)) => self.swap = Some((Address::ZERO, called.amountIn.saturating_to())),
            Ok(Called::mintPosition(called)) => {
                self.ticks.extend([called.order.tickLower, called.order.tickUpper].map(|tick| tick.as_i32()));
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

/// Looks at a block.
pub(super) async fn look<'a>(node: &Node, place: &'a Place, at: At, needs: &Needs) -> Result<World<'a>, Blindness> {
    let multicall = place.deployment.multicall3;
    let window = Policy::default().twap_window;
    let pool = read_market(node, multicall, &place.pool, window, &at).await?;
    let is_one = place.gas_pool.address == place.pool.address;
    let native = if is_one { pool } else { read_market(node, multicall, &place.gas_pool, window, &at).await? };
    let mut batch = Batch::default();
    let past = Past::add(&mut batch, &place.pool);
    let past_native = (!is_one).then(|| Past::add(&mut batch, &place.gas_pool));
    let asked: Vec<_> = needs
        .ticks
        .iter()
        .filter_map(|tick| Some((*tick, I24::try_from(*tick).ok()?)))
        .map(|(tick, name)| (tick, batch.add(place.pool.address, &IUniswapV3Pool::ticksCall { tick: name })))
        .collect();
    let size = U256::from(needs.bytes + ENVELOPE);
    let parent = batch.add(GAS_ORACLE, &IGasPriceOracle::getL1FeeUpperBoundCall { unsignedTxSize: size });
    let said = batch.ask(node, multicall, &at).await?;
    let trusted = past.trusted(&said, &place.pool)?;
    let trusted_native = match &past_native {
        Some(past) => past.trusted(&said, &place.gas_pool)?,
        None => trusted.clone(),
    };
    let mut ticks = BTreeMap::new();
    for (tick, slot) in asked {
        let data = said.get(slot)?;
        let outside = [data.feeGrowthOutside0X128, data.feeGrowthOutside1X128];
        ticks.insert(tick, Beyond { is_counted: data.initialized, outside });
    }
    // Where there is no such contract there is no such fee.
    let parent_wei = said.maybe(parent).ok().flatten().map_or(0, |fee| fee.saturating_to());
    let quoted = match needs.swap {
        Some((token_in, amount)) => Some(quote(node, place, token_in, amount, &at).await?),
        None => None,
    };
    Ok(World { place, at, pool, native: native.fair(), trusted, trusted_native, quoted, ticks, parent_wei })
}

/// What the real pool would pay out at this block, its fee and the price impact included; of `Address::ZERO` USDC goes into
/// the pool of native coin.
async fn quote(node: &Node, place: &Place, token_in: Address, amount: u128, at: &At) -> Result<Done<u128>, Blindness> {
    let usdc = place.deployment.usdc;
    let (token_in, token_out, pool) = match token_in {
        Address::ZERO => (usdc, place.gas_pool.token, &place.gas_pool),
        token_in if token_in == usdc => (usdc, place.pool.token, &place.pool),
        token_in => (token_in, usdc, &place.pool),
    };
    let Some(quoter) = place.deployment.quoter else {
        let reason = "no quoter is known on this chain; name one in the deployment".to_owned();
        return Ok(Err(alloy::sol_types::Revert { reason }.abi_encode().into()));
    };
    let params = IQuoterV2::QuoteExactInputSingleParams {
        tokenIn: token_in,
        tokenOut: token_out,
        amountIn: U256::from(amount),
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
