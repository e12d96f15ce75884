//! Forward replay: where open positions may go, by what regimes followed one another before.

use std::collections::BTreeMap;

use golem_grimoire::regime::Regime;
use golem_primitives::{Bps, Ppm, Usdc};

use crate::market::{Path, Position};

/// D-093. Ticks looked ahead.
pub const HORIZON: u64 = 50;
/// D-093. Developments for each position.
pub const DEVELOPMENTS: usize = 3;

/// D-092, D-093. One way things may go for a position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Development {
    /// The position.
    pub position: String,
    /// The regime that follows.
    pub regime: Regime,
    /// How often it followed.
    pub probability: Ppm,
    /// Where the price goes on the mean.
    pub expected: Bps,
    /// Where it went at worst over as many ticks.
    pub worst: Bps,
    /// What is lost at worst.
    pub worst_loss: Usdc,
    /// What is saved by leaving at the stop before the worst; nothing where the worst does not reach it.
    pub bailout: Option<Usdc>,
}

/// Why nothing can be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoForward {
    /// No prices of the asset.
    #[error("no price of the asset was recorded; nothing is projected")]
    NoPath,
    /// The regime was never followed by anything.
    #[error("nothing was recorded that follows this regime; nothing is projected")]
    NoTransition,
}

/// The worst move over `HORIZON` ticks that began under a regime.
fn worst(path: &Path, regime: Regime) -> Option<Bps> {
    let under = path.points.iter().filter(|point| point.regime == Some(regime) && point.price > 0);
    let moves = under.filter_map(|from| {
        let later = path.points.iter().filter(|to| to.tick > from.tick && to.tick.since(from.tick) <= HORIZON);
        let lowest = later.map(|to| to.price).min()?;
        let by = (i128::from(lowest) - i128::from(from.price)) * 10_000 / i128::from(from.price);
        Some(Bps::saturating(by.min(0)))
    });
    moves.min()
}

/// D-092, D-093. The three likeliest developments of a position, each with its worst case and its way out.
///
/// # Errors
/// [`NoForward`] when nothing was recorded that would say it.
pub fn forward(position: &Position, path: Option<&Path>, regime: Regime) -> Result<Vec<Development>, NoForward> {
    let path = path.ok_or(NoForward::NoPath)?;
    let mut counts: BTreeMap<Regime, u32> = BTreeMap::new();
    for (_, after) in path.transitions().into_iter().filter(|(before, _)| *before == regime) {
        *counts.entry(after).or_default() += 1;
    }
    let total: u32 = counts.values().sum();
    if total == 0 {
        return Err(NoForward::NoTransition);
    }
    let mut likeliest: Vec<(Regime, u32)> = counts.into_iter().collect();
    likeliest.sort_by_key(|(regime, times)| (std::cmp::Reverse(*times), *regime));
    let developments = likeliest.into_iter().take(DEVELOPMENTS).filter_map(|(after, times)| {
        let drift = path.drift(after)?;
        let worst = worst(path, after)?;
        let expected = Bps::saturating(libm::round(drift * HORIZON as f64 * 10_000.0) as i128);
        Some(Development {
            position: position.id.clone(),
            regime: after,
            probability: Ppm::saturating(u64::from(times) * 1_000_000 / u64::from(total)),
            expected,
            worst,
            worst_loss: position.loss_after(worst),
            bailout: bailout(position, worst),
        })
    });
    let developments: Vec<Development> = developments.collect();
    if developments.is_empty() { Err(NoForward::NoTransition) } else { Ok(developments) }
}

/// What leaving at the stop saves of the worst; `None` without a stop above it.
fn bailout(position: &Position, worst: Bps) -> Option<Usdc> {
    let stop = position.stop.filter(|stop| *stop < position.price && position.price > 0)?;
    let at_stop = (i128::from(stop) - i128::from(position.price)) * 10_000 / i128::from(position.price);
    let saved = position.loss_after(worst).saturating_sub(position.loss_after(Bps::saturating(at_stop)));
    (!saved.is_zero()).then_some(saved)
}
