//! What fell too far comes back.

use crate::strategy::{HORIZON_TICKS, Intent, Scene, Strategy, buy, outlook, sell};

/// Standard deviations below the mean at which it buys.
const ENTRY: f64 = -1.25;
/// Standard deviations at which what was bought has come back.
const EXIT: f64 = 0.25;
/// A loss, against cost, at which it admits that nothing came back.
const STOP_PPM: i64 = -40_000;

/// Buys below the mean, sells at it. It expects of the future what the window showed of the past: that a distance from
/// the mean closes as fast as it did.
#[derive(Debug, Clone, Copy)]
pub struct MeanReversion;

impl Strategy for MeanReversion {
    fn consider(&self, scene: &Scene<'_>) -> Intent {
        let shape = scene.shape;
        let distance = shape.mean / scene.market.price.micros().max(1) as f64 - 1.0;
        // The belief of the strategy itself, where the window shows no pull at all: it was made for markets that return.
        let pull = shape.pull.max(0.02);
        let closed = 1.0 - libm::pow(1.0 - pull, HORIZON_TICKS as f64);
        let believes = shape.z.abs() >= ENTRY.abs();
        let order = if scene.holdings.held > 0 {
            let stands = crate::window::return_ppm(
                scene.holdings.held_cost,
                crate::strategy::usdc_for(scene.market.price, scene.holdings.held),
            );
            (shape.z >= EXIT || stands <= STOP_PPM).then(|| sell(scene.market, scene.holdings.held))
        } else {
            (shape.z <= ENTRY).then(|| buy(scene.market, scene.stake.min(scene.holdings.idle)))
        };
        Intent { order, outlook_ppm: believes.then(|| outlook(distance * closed)) }
    }
}
