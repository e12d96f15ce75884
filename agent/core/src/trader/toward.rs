//! From what the book wants to stand to the next trade that leads there.

use golem_playbook::Look;
use golem_playbook::choice::{Circumstances, Decision, Limits};
use golem_playbook::rule::Manner;
use golem_primitives::{PoolName, Ppm, Usdc};

use crate::record::{MarketReading, Order, PoolAccess, PositionReading};
use crate::trade::{Holdings, buy, portion, ratio, sell};
use crate::trader::{PoolHand, Trader};

const ETHER: u128 = 1_000_000_000_000_000_000;
/// Room left between what is provided and what is held, for the price to move before the block.
const MARGIN: Ppm = Ppm::of(980_000);
/// The part of a half by which it may differ and still be provided as it is.
const DRIFT: u64 = 4;

/// What the book sees and may use at a look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene {
    pub(super) look: Look,
    /// The capital its book may use.
    pub(super) usable: Usdc,
    /// What of it is at work in this pool: the token, and liquidity with its fees.
    pub(super) at_work: Usdc,
    /// P-057. What the other pools leave of it: nothing is entered beyond.
    pub(super) room: Usdc,
    /// P-057. What its owner lets be done there.
    pub(super) access: PoolAccess,
}

impl Scene {
    /// What is seen of a pool now; nothing where there is no vault yet, or the pool is not shown.
    pub(super) fn of(trader: &Trader, hand: &PoolHand) -> Option<Self> {
        let sight = trader.sight()?;
        let market = sight.market_of(hand.pool)?;
        let usable = trader.capital()?.share_down(trader.settings.stake);
        let elsewhere = sight.markets().filter(|other| other.pool != hand.pool);
        let away = elsewhere.map(|other| trader.at_work(other)).fold(Usdc::ZERO, Usdc::saturating_add);
        let look = Look {
            time: sight.block.time.seconds(),
            price: market.price,
            twap: market.twap.unwrap_or(Usdc::ZERO),
            impact_ppm: market.impact_ppm(usable),
            fee_ppm: market.fee_ppm,
            volume: hand.volume,
            gas: swap_cost(trader.swap_gas(), market),
        };
        let (at_work, room) = (trader.at_work(market), usable.saturating_sub(away));
        Some(Self { look, usable, at_work, room, access: market.access })
    }

    /// P-051. What takes away at this look, beside what the vault says of this pool.
    pub(super) const fn circumstances(&self, limits: Limits, caution_ppm: u32) -> Circumstances {
        let vault = if matches!(self.access, PoolAccess::Open) { Ppm::ONE } else { Ppm::ZERO };
        let limits = Limits { vault, ..limits };
        Circumstances { capital: self.usable, held: self.at_work, limits, caution_ppm }
    }
}

/// What a position would bring, by the price of its pool.
pub(super) fn worth(position: &PositionReading, market: &MarketReading) -> Usdc {
    position.usdc.saturating_add(market.token_price().worth(position.token))
}

/// P-020. What so much gas costs at the base fee seen.
fn swap_cost(gas: u64, market: &MarketReading) -> Usdc {
    let wei = u128::from(gas) * u128::from(market.base_fee_wei);
    let micros = wei.saturating_mul(u128::from(market.ether.micros())).div_ceil(ETHER);
    Usdc::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
}

/// The next trade toward what was decided; none where what stands is what is meant.
pub(super) fn toward(decision: &Decision, scene: &Scene, pool: PoolName, trader: &Trader) -> Option<Order> {
    let market = trader.sight()?.market_of(pool)?;
    let holdings = trader.holdings_in(market)?;
    let wanted = scene.usable.share_down(decision.target);
    match decision.manner {
        _ if wanted.is_zero() => leave(market, &holdings),
        Manner::Hold => match holdings.positions.first() {
            Some(position) => Some(withdraw(position)),
            None => decision.order.and_then(|_| adjust(market, &holdings, wanted, Way::Both, scene.room)),
        },
        Manner::Provide { width } => match holdings.positions.first() {
            Some(position) if market.pool_tick < position.lower || market.pool_tick >= position.upper => {
                Some(withdraw(position))
            }
            Some(position) => decision.order.and_then(|_| lessen(position, market, wanted)),
            None => open(market, &holdings, wanted, width, scene.room),
        },
    }
}

/// Everything becomes USDC: positions first, then the token.
pub(super) fn leave(market: &MarketReading, holdings: &Holdings) -> Option<Order> {
    match holdings.positions.first() {
        Some(position) => Some(withdraw(position)),
        None => (holdings.held > 0).then(|| sell(market, holdings.held)),
    }
}

const fn withdraw(position: &PositionReading) -> Order {
    Order::Withdraw { pool: position.pool, position: position.id, liquidity: position.liquidity }
}

/// Which way the token may be brought to what is wanted of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Both,
    /// Only when it is further away than this.
    Beyond(Usdc),
}

/// Buys what is missing of the token, as far as there is room, or sells what is too much.
fn adjust(market: &MarketReading, holdings: &Holdings, wanted: Usdc, way: Way, room: Usdc) -> Option<Order> {
    let held = market.token_price().worth(holdings.held);
    let (missing, excess) = (wanted.saturating_sub(held), held.saturating_sub(wanted));
    let least = if let Way::Beyond(least) = way { least } else { Usdc::ZERO };
    if missing > least {
        return Some(buy(market, missing.min(holdings.idle).min(room.saturating_sub(held))));
    }
    (excess > least).then(|| sell(market, market.token_price().buys(excess).min(holdings.held)))
}

/// The part of a position that is more than is wanted.
fn lessen(position: &PositionReading, market: &MarketReading, wanted: Usdc) -> Option<Order> {
    let stands = worth(position, market);
    let excess = stands.saturating_sub(wanted);
    let liquidity = ratio(position.liquidity, u128::from(excess.micros()), u128::from(stands.micros()));
    (liquidity > 0).then_some(Order::Withdraw { pool: position.pool, position: position.id, liquidity })
}

/// Half in the token, half in USDC: first the halves are made even, then the pair is provided.
fn open(market: &MarketReading, holdings: &Holdings, wanted: Usdc, width: Ppm, room: Usdc) -> Option<Order> {
    let half = Usdc::from_micros(wanted.micros() / 2);
    if half.is_zero() {
        return None;
    }
    if let Some(order) = adjust(market, holdings, half, Way::Beyond(Usdc::from_micros(half.micros() / DRIFT)), room) {
        return Some(order);
    }
    if holdings.idle.saturating_add(market.token_price().worth(holdings.held)) < half {
        return None;
    }
    let held = market.token_price().worth(holdings.held);
    let spacing = market.tick_spacing.max(1);
    // A pool at the edge of all ticks has no room for a range.
    let centre = market.pool_tick.div_euclid(spacing).checked_mul(spacing)?;
    let reach = ticks_of(width).div_euclid(spacing).max(1) * spacing;
    let (lower, upper) = (centre.checked_sub(reach)?, centre.checked_add(reach)?);
    let token = portion(holdings.held, MARGIN);
    let usdc = held.min(half).min(holdings.idle).min(room).share_down(MARGIN);
    Some(Order::Provide { pool: market.pool, lower, upper, usdc, token })
}

/// A width by the price in ticks of the pool, each a hundredth of a percent more than the one before.
fn ticks_of(width: Ppm) -> i32 {
    libm::round(libm::log1p(width.as_f64()) / libm::log1p(0.000_1)) as i32
}
