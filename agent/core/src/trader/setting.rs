//! Where an order lies among others: what makes two questions the same, and two entries alike.

use golem_daimon::somatic::DIMENSIONS;
use golem_grimoire::regime::Regime;
use golem_primitives::Usdc;

use crate::deliberation::stakes;
use crate::precedents::Situation;
use crate::record::{Order, Phase};
use crate::trader::Trader;

/// Where a setting lies: parameters in comparable units, those that do not exist zero.
pub(crate) type Setting = [f64; DIMENSIONS];

/// What makes this question the same as another.
pub(crate) fn situation(order: &Order, trader: &Trader, phase: Phase) -> Situation {
    // `as` saturates, and no window has more than a few deviations.
    let deviations = trader.window.shape().map_or(0, |shape| libm::trunc(shape.z) as i8);
    let pool = order.pool();
    // P-057. The same wish elsewhere is another question.
    let wish = if pool == trader.home.pool { order.name().to_owned() } else { format!("{} in {pool}", order.name()) };
    Situation { wish, regime: trader.regime(), phase, deviations }
}

/// Where an entry lies among others: its share of what one trade may move, how far the price is from its mean, the
/// factor on its threshold, and the regime.
pub(crate) fn setting(order: &Order, trader: &Trader, entry: f64) -> Option<Setting> {
    let regime = trader.regime().map_or(0.0, |regime| (f64::from(regime as u8) + 1.0) / 4.0);
    let deviations = trader.window.shape()?.z.clamp(-6.0, 6.0) / 3.0;
    let share = stakes(notional(order), trader.capital()?).as_f64();
    Some([share, deviations, entry, regime, 0.0, 0.0, 0.0, 0.0])
}

/// Such a place in words. The factor on the threshold is a mood's, and no heir has the same.
pub(crate) fn setting_words(&[share, deviations, _, regime, ..]: &Setting) -> String {
    // `as` saturates, and what no setting has names no regime.
    let named = (regime * 4.0).round() as usize;
    let market = named.checked_sub(1).and_then(|at| Regime::ALL.get(at));
    let market = market.map_or_else(|| "an ordinary market".to_owned(), |regime| format!("a {regime} market"));
    format!("{:.0}% of capital, {:+.1} deviations from the mean, in {market}", share * 100.0, deviations * 3.0)
}

/// What an order moves.
pub(super) const fn notional(order: &Order) -> Usdc {
    match order {
        Order::Buy { spend, .. } => *spend,
        Order::Provide { usdc, .. } => *usdc,
        Order::Sell { least, .. } => *least,
        Order::Withdraw { .. } => Usdc::ZERO,
    }
}
