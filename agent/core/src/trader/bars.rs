//! What stands against a trade.

use golem_mortality::behaviour::{ActionKind, Behaviour};
use golem_mortality::phase::Phase;
use golem_primitives::Usdc;

use crate::influence::Lean;
use crate::record::{Forgone, MarketReading, Order, PoolAccess};
use crate::trader::{Trader, errands};
use crate::window::return_ppm;

/// The least a trade that raises exposure moves.
const TRADE_LEAST: Usdc = Usdc::whole(1);
/// V-011. How far the price may stand from its time-weighted mean; the vault refuses at 1%, this hand a little sooner.
const TWAP_BOUND_PPM: i64 = 8_000;

/// What stands against a trade beside the phase, the market and the vault.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bars<'a> {
    pub(super) is_counselled_against: bool,
    /// V-003. The books differ from the vault.
    pub(super) is_apart: bool,
    pub(super) lean: Lean<'a>,
}

/// What stands against a trade before anybody else is asked: the agent refuses first, the vault refuses again (V-012).
pub(super) fn forbidden(trader: &Trader, order: &Order, phase: Phase, bars: &Bars<'_>) -> Option<Forgone> {
    let action = if order.raises_exposure() { ActionKind::RaiseExposure } else { ActionKind::LowerExposure };
    if !Behaviour::of(phase).permits(action) {
        return Some(Forgone::Phase);
    }
    let too_small = match order {
        Order::Buy { spend, .. } => *spend < TRADE_LEAST,
        Order::Provide { usdc, .. } => *usdc < TRADE_LEAST,
        Order::Sell { amount, .. } => *amount == 0,
        Order::Withdraw { liquidity, .. } => *liquidity == 0,
    };
    if too_small {
        return Some(Forgone::TooSmall);
    }
    if order.raises_exposure() && bars.is_apart {
        return Some(Forgone::LedgerDiffers);
    }
    // What was believed is still said and judged, so that the rule can be refuted (G-155).
    if order.raises_exposure() && bars.is_counselled_against {
        return Some(Forgone::Counsel);
    }
    // Only what opens or enlarges has a way to this gate; it can only remove (S-128, S-129).
    if let Some(closed) = bars.lean.closes(order, trader) {
        return Some(closed);
    }
    let sight = trader.sight()?;
    let market = &sight.market;
    // P-057. A pool that is not shown any more is entered by nobody.
    let is_far =
        |market: &MarketReading| market.twap.is_none_or(|twap| return_ppm(twap, market.price).abs() > TWAP_BOUND_PPM);
    let there = sight.market_of(order.pool());
    let shut = there.map(|there| there.access).filter(|access| *access != PoolAccess::Open);
    if let Some(access) = shut.filter(|_| order.raises_exposure()) {
        return Some(Forgone::Pool(access));
    }
    if order.raises_exposure() && there.is_none_or(is_far) {
        return Some(Forgone::FarFromTwap);
    }
    let vault = trader.vault()?;
    if let Some(bar) = trader.bar() {
        return Some(Forgone::Barred(bar));
    }
    let base = u128::from(market.base_fee_wei.max(1));
    let kept = errands::beat_wei(trader).saturating_mul(errands::BEATS_KEPT);
    let needed = kept.saturating_add(base.saturating_mul(2 * errands::TRADE_GAS));
    // Who is alarmed wants a tenth more in hand; who gets out is not held up by that.
    let margin = if order.raises_exposure() { u128::from(bars.lean.margin().get()) } else { 0 };
    let needed = needed.saturating_add(needed / 1_000_000 * margin);
    (vault.key_wei < needed).then_some(Forgone::Gas)
}
