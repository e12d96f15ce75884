//! What rises goes on rising.

use crate::strategy::{Intent, Scene, Strategy, buy, outlook, sell};

/// Ticks of the fast and of the slow mean.
const FAST: usize = 6;
const SLOW: usize = 24;
/// How far the fast mean must stand above the slow one, in volatilities of a tick.
const ENTRY: f64 = 1.0;

/// Buys when the fast mean stands above the slow one, sells when it falls below. It expects the lean to last.
#[derive(Debug, Clone, Copy)]
pub struct Momentum;

impl Strategy for Momentum {
    fn consider(&self, scene: &Scene<'_>) -> Intent {
        let (Some(fast), Some(slow)) = (scene.window.mean_of(FAST), scene.window.mean_of(SLOW)) else {
            return Intent { order: None, outlook: None };
        };
        let lean = fast / slow - 1.0;
        let noise = scene.shape.volatility.max(0.000_01);
        let order = if scene.holdings.held > 0 {
            (lean < 0.0).then(|| sell(scene.market, scene.holdings.held))
        } else {
            (lean > ENTRY * scene.entry * noise).then(|| buy(scene.market, scene.stake.min(scene.holdings.idle)))
        };
        // It believes the price will go as far again as it has already leant.
        let believes = lean.abs() > ENTRY * noise;
        Intent { order, outlook: believes.then(|| outlook(2.0 * lean)).flatten() }
    }
}
