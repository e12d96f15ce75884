//! Liquidity around the price.

use golem_primitives::{Ppm, Usdc};

use crate::record::Order;
use crate::strategy::{Intent, Scene, Strategy, buy, outlook, usdc_for};

/// Half the width of a range, in pool ticks: each is a hundredth of a percent, so about 4% either way.
const HALF_WIDTH: i32 = 400;
/// Room left between what is offered and what is held, for the price to move before the block.
const MARGIN: Ppm = Ppm::of(980_000);
/// Standard deviations from the mean at which a price strays.
const STRAYS: f64 = 1.5;
/// The share of a stake below which half a pair is not worth completing.
const LEAST: u64 = 4;

/// Holds one position around the price; when the price leaves it, takes it back and opens another around the new price.
#[derive(Debug, Clone, Copy)]
pub struct RangeLiquidity;

impl Strategy for RangeLiquidity {
    fn consider(&self, scene: &Scene<'_>) -> Intent {
        let market = scene.market;
        let order = match scene.holdings.positions.first() {
            Some(position) if market.pool_tick < position.lower || market.pool_tick >= position.upper => {
                Some(Order::Withdraw { position: position.id, liquidity: position.liquidity })
            }
            Some(_) => None,
            None => open(scene),
        };
        // Who provides liquidity believes that the price stays: what strays comes back.
        let way_back = scene.shape.mean / market.price.micros().max(1) as f64 - 1.0;
        let strays = scene.shape.z.abs() >= STRAYS;
        Intent { order, outlook: strays.then(|| outlook(way_back)).flatten() }
    }
}

/// Half in the token, half in USDC: first the missing half is bought, then the pair is provided.
fn open(scene: &Scene<'_>) -> Option<Order> {
    let market = scene.market;
    let half = Usdc::from_micros(scene.stake.micros() / 2);
    let held = usdc_for(market.price, scene.holdings.held);
    if half.micros() == 0 || scene.holdings.idle < half {
        return None;
    }
    if held.micros() < half.micros() / LEAST * (LEAST - 1) {
        return Some(buy(market, half.saturating_sub(held).min(scene.holdings.idle)));
    }
    let spacing = market.tick_spacing.max(1);
    // A pool at the edge of all ticks has no room for a range.
    let centre = market.pool_tick.div_euclid(spacing).checked_mul(spacing)?;
    let width = HALF_WIDTH.div_euclid(spacing).max(1) * spacing;
    let (lower, upper) = (centre.checked_sub(width)?, centre.checked_add(width)?);
    let token = scene.holdings.held / 1_000_000 * u128::from(MARGIN.get());
    Some(Order::Provide { lower, upper, usdc: held.min(half).share_down(MARGIN), token })
}
