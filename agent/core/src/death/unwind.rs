//! M-190. The Settlement of a death: everything held becomes USDC, or goes to the owner in kind.

use std::time::Duration;

use arrayvec::ArrayVec;
use golem_mortality::vitals::Vitals;
use golem_primitives::{Ppm, Usdc, UtcTime};

use super::progress::Dying;
use crate::pass::Pass;
use crate::record::{ChainLife, DyingStage, EffectKind, Order};
use crate::trader::Trader;
use crate::trader::decide::{clipped, ways_out};
use crate::trader::errands::send_up_to;

/// What is left of the grace for the testament and the last act, however much is unsold.
const CLOSE: Duration = Duration::from_secs(10 * 60);
/// After the first refusal of a sale; doubles with each, up to five minutes.
const BACKOFF: Duration = Duration::from_secs(20);
const MOST_BACKOFF: Duration = Duration::from_secs(300);
/// M-192. What the gas of a sale may cost: a fiftieth of what it is for, twice as much with each refusal, up to a third;
/// never less than an ordinary trade, and never more than this.
const SALE_SHARE: u32 = 20_000;
const SALE_DOUBLINGS: u8 = 4;
const SALE_LEAST: Usdc = Usdc::from_micros(50_000);
const SALE_MOST: Usdc = Usdc::whole(25);

/// M-190. Liquidity first, then the token, in parts as large as the vault lets a minute be (V-011): a whole capital takes a
/// dozen, which is well inside the limit at any usual pace. What is refused is tried again for as long as there is grace, for
/// more gas each time; what is left then goes to the owner in kind (M-191), and he is told why.
pub(super) fn unwind(trader: &mut Trader, dying: &mut Dying, vitals: &Vitals, pass: &mut Pass<'_>) {
    let now = pass.now();
    let late = !has_time(trader, dying, now);
    if trader.flies(|kind| matches!(kind, EffectKind::Trade(_))) && !late {
        return;
    }
    let is_gone = trader.vault().is_some_and(|vault| matches!(vault.life, ChainLife::Dead { .. }));
    let ways = if is_gone || trader.is_blind { ArrayVec::new() } else { ways_out(trader) };
    // A position that stays shut keeps nobody from selling the token, and one pool that refuses nobody from leaving another.
    let left = ways.get(usize::from(dying.refusals) % ways.len().max(1)).copied();
    match left {
        _ if late => {
            if left.is_some() && dying.why.is_none() {
                dying.why = Some("the time of grace was over before all of it was sold".to_owned());
            }
            dying.enter(DyingStage::Reflection, pass);
        }
        None if trader.is_blind => {}
        None => dying.enter(DyingStage::Reflection, pass),
        Some(order) if dying.refusals == 0 || now.since(dying.sold_at) >= backoff(dying.refusals) => {
            let order = clipped(order, trader);
            let (kind, budget) = (EffectKind::Trade(order), gas_for(at_stake(trader, &order), dying.refusals));
            dying.sold_at = now;
            send_up_to(trader, kind, budget, vitals, pass);
        }
        Some(_) => {}
    }
}

/// M-180. Whether there is time to sell: half an hour in any case, and the grace of the chain but for its last minutes.
fn has_time(trader: &Trader, dying: &Dying, now: UtcTime) -> bool {
    let grace = match trader.vault().map(|vault| &vault.life) {
        Some(ChainLife::Dying { deadline, .. }) => deadline.since(now),
        _ => Duration::ZERO,
    };
    !dying.is_late(now) || grace > CLOSE
}

/// How long to wait behind so many refusals.
fn backoff(refusals: u8) -> Duration {
    BACKOFF.saturating_mul(1 << u32::from(refusals.saturating_sub(1).min(8))).min(MOST_BACKOFF)
}

/// What a way out brings at the price seen.
fn at_stake(trader: &Trader, order: &Order) -> Usdc {
    let Some(sight) = trader.sight() else { return Usdc::ZERO };
    let price = sight.market_of(order.pool()).unwrap_or(&sight.market).token_price();
    match order {
        Order::Sell { amount, .. } => price.worth(*amount),
        Order::Withdraw { position, .. } => {
            let held = sight.vault.iter().flat_map(|vault| &vault.positions).find(|held| held.id == *position);
            held.map_or(Usdc::ZERO, |held| held.usdc.saturating_add(price.worth(held.token)))
        }
        Order::Buy { .. } | Order::Provide { .. } => Usdc::ZERO,
    }
}

/// M-192. What the gas of a sale may cost.
fn gas_for(stake: Usdc, refusals: u8) -> Usdc {
    let share = Ppm::of(SALE_SHARE << refusals.min(SALE_DOUBLINGS));
    stake.share_down(share).min(SALE_MOST).max(SALE_LEAST)
}
