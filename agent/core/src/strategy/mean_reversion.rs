//! What fell too far comes back.

use crate::strategy::{Intent, Scene, Strategy, buy, outlook, sell, usdc_for};
use crate::window::return_ppm;

/// Standard deviations below the mean at which it buys.
const ENTRY: f64 = -1.25;
/// Standard deviations at which what was bought has come back.
const EXIT: f64 = 0.0;
/// A loss, against cost, at which it admits that nothing came back.
pub(super) const STOP_PPM: i64 = -15_000;

/// Buys below the mean, sells at it. Far from the mean, on either side, it believes in the way back.
#[derive(Debug, Clone, Copy)]
pub struct MeanReversion;

impl Strategy for MeanReversion {
    fn consider(&self, scene: &Scene<'_>) -> Intent {
        let shape = scene.shape;
        let way_back = shape.mean / scene.market.price.micros().max(1) as f64 - 1.0;
        let order = if scene.holdings.held > 0 {
            let stands = return_ppm(scene.holdings.held_cost, usdc_for(scene.market.price, scene.holdings.held));
            (shape.z >= EXIT || stands <= STOP_PPM).then(|| sell(scene.market, scene.holdings.held))
        } else {
            (shape.z <= ENTRY * scene.entry).then(|| buy(scene.market, scene.stake.min(scene.holdings.idle)))
        };
        let believes = shape.z.abs() >= ENTRY.abs();
        Intent { order, outlook: believes.then(|| outlook(way_back)).flatten() }
    }
}
