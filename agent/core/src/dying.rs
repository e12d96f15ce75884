//! M-178. Death as a small machine: Acceptance, Settlement, Reflection, Legacy. Each step is an effect that waits for its
//! outcome or its deadline, so a crash resumes in the middle and a failure moves on (M-182).

pub(crate) mod state;

use std::time::Duration;

use arrayvec::ArrayVec;
use golem_mortality::vitals::Vitals;
use golem_primitives::{Ppm, Usdc, UtcTime};

use crate::pass::Pass;
use crate::record::{CauseKind, ChainLife, CostSource, DyingStage, EffectKind, Order, Outcome, Partition};
use crate::trader::decide::{clipped, ways_out};
use crate::trader::{Flight, Trader, errands};

use state::Dying;

/// M-180. Work after which the end is not put off any longer, inside the hour of grace; what is still unsold then may use
/// the rest of that hour.
const LIMIT: Duration = Duration::from_secs(30 * 60);
/// How long one that the chain calls Dead still waits for its own settlement to be confirmed.
const CLOSING: Duration = Duration::from_secs(24 * 3_600);
/// What is left of the grace for the testament and the last act, however much is unsold.
const CLOSE: Duration = Duration::from_secs(10 * 60);
/// Declarations of a cause that the chain may refuse before it is told another.
const TRIES: u8 = 3;
/// After the first refusal of a sale; doubles with each, up to five minutes.
const BACKOFF: Duration = Duration::from_secs(20);
const MOST_BACKOFF: Duration = Duration::from_secs(300);
/// M-192. What the gas of a sale may cost: a fiftieth of what it is for, twice as much with each refusal, up to a third;
/// never less than an ordinary trade, and never more than this.
const SALE_SHARE: u32 = 20_000;
const SALE_DOUBLINGS: u8 = 4;
const SALE_LEAST: Usdc = Usdc::from_micros(50_000);
const SALE_MOST: Usdc = Usdc::whole(25);

/// M-195. What the last words have cost, when this is how they ended.
pub(crate) fn cost_of_words(trader: &Trader, outcome: &Outcome) -> Usdc {
    let is_theirs = |flight: &Flight| flight.effect == outcome.effect && flight.kind == EffectKind::WriteTestament;
    match outcome.cost {
        Some((CostSource::Legacy, cost)) if trader.flights.iter().any(is_theirs) => cost,
        _ => Usdc::ZERO,
    }
}

/// M-032, T-003. The host paid for the last words, and only a dying vault can still pay him back: asked once, before the
/// end. What it refuses is told and stays owed; no death waits for a bill (M-182).
pub(crate) fn pay_for_words(trader: &mut Trader, cost: Usdc, vitals: &Vitals, pass: &mut Pass<'_>) {
    if !cost.is_zero() && trader.vault().is_some_and(|vault| matches!(vault.life, ChainLife::Dying { .. })) {
        errands::send(trader, EffectKind::PayHost { partition: Partition::Legacy, amount: cost }, vitals, pass);
    }
}

const fn pays_for_words(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::PayHost { partition: Partition::Legacy, .. })
}

/// One pass of a death. Answers whether it is over.
pub(crate) fn advance(trader: &mut Trader, words: Usdc, vitals: &Vitals, pass: &mut Pass<'_>) -> bool {
    let Some(mut dying) = trader.dying.clone() else { return true };
    dying.pass = pass.tick();
    let late = pass.now().since(dying.began) >= LIMIT;
    let over = match dying.stage {
        DyingStage::Acceptance => {
            accept(trader, &mut dying, late, vitals, pass);
            false
        }
        DyingStage::Settlement => {
            settle_positions(trader, &mut dying, vitals, pass);
            false
        }
        DyingStage::Reflection => {
            // However late it is, what can be written at once is; only waiting for it is not put off any longer.
            if dying.written || (late && trader.flies(|kind| matches!(kind, EffectKind::WriteTestament))) {
                dying.enter(DyingStage::Legacy, pass);
            } else {
                // Nobody is asked for words that cannot be waited for: the facts are written at once.
                let words = if late { Usdc::ZERO } else { words };
                once(trader, EffectKind::WriteTestament, words, vitals, pass);
            }
            false
        }
        DyingStage::Legacy => legacy(trader, &mut dying, vitals, pass),
    };
    trader.dying = Some(dying);
    over
}

/// M-185. The chain must know before anything is sold: the declaration freezes what the key could still do.
/// M-180, M-182. What the chain cannot be told of in time is not sold, and still written: the declaration is insisted on
/// behind the testament.
fn accept(trader: &mut Trader, dying: &mut Dying, late: bool, vitals: &Vitals, pass: &mut Pass<'_>) {
    if is_declared(trader) {
        dying.enter(DyingStage::Settlement, pass);
    } else if late {
        dying.enter(DyingStage::Reflection, pass);
    } else {
        declare(trader, dying, vitals, pass);
    }
}

/// Whether the chain knows of the death.
fn is_declared(trader: &Trader) -> bool {
    trader.vault().is_none_or(|vault| vault.life != ChainLife::Alive)
}

fn declare(trader: &mut Trader, dying: &mut Dying, vitals: &Vitals, pass: &mut Pass<'_>) {
    // A death the chain will not take as what it is (fed in the last moment, a roll whose block is gone, a kill that a
    // reorganisation took back) is still a death here: it is declared by the one cause that needs no proof.
    let cause = if dying.asked >= TRIES { CauseKind::EpistemicSenescence } else { dying.cause };
    if dying.pass > dying.waits_until && !trader.flies(|kind| matches!(kind, EffectKind::Declare { .. })) {
        insistently(trader, EffectKind::Declare { cause }, dying.refusals, vitals, pass);
    }
}

/// M-190. Liquidity first, then the token, in parts as large as the vault lets a minute be (V-011): a whole capital takes a
/// dozen, which is well inside the limit at any usual pace. What is refused is tried again for as long as there is grace, for
/// more gas each time; what is left then goes to the owner in kind (M-191), and he is told why.
fn settle_positions(trader: &mut Trader, dying: &mut Dying, vitals: &Vitals, pass: &mut Pass<'_>) {
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
            if let Some(effect) = pass.ask_up_to(kind, budget, vitals) {
                trader.fly(effect, kind);
            }
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
    now.since(dying.began) < LIMIT || grace > CLOSE
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

/// T-004. The last act is repeated until the chain says Dead; nothing else is left to do. The newest block says it before
/// the act is confirmed, and a reorganisation could take that back: its own act is waited for.
fn legacy(trader: &mut Trader, dying: &mut Dying, vitals: &Vitals, pass: &mut Pass<'_>) -> bool {
    let now = pass.now();
    let is_dead = trader.vault().is_none_or(|vault| matches!(vault.life, ChainLife::Dead { .. }));
    let awaits = trader.flies(|kind| matches!(kind, EffectKind::Settle)) && now.since(dying.began) < CLOSING;
    if dying.settled || is_dead {
        return !awaits;
    }
    // The chain has to hear of the death before it can settle it.
    if !is_declared(trader) {
        declare(trader, dying, vitals, pass);
        return false;
    }
    // A vault that is settled pays nobody.
    if now.since(dying.began) < LIMIT && trader.flies(pays_for_words) {
        return false;
    }
    if dying.pass >= dying.waits_until && !trader.flies(|kind| matches!(kind, EffectKind::Settle)) {
        insistently(trader, EffectKind::Settle, dying.refusals, vitals, pass);
    }
    false
}

/// M-192. The end may cost what it costs: each refusal raises the bound, up to all the key has. Nothing else will need it.
fn insistently(trader: &mut Trader, kind: EffectKind, refusals: u8, vitals: &Vitals, pass: &mut Pass<'_>) {
    let budget = Usdc::from_micros(500_000u64.saturating_mul(4u64.saturating_pow(u32::from(refusals.min(6)))));
    if let Some(effect) = pass.ask_up_to(kind, budget, vitals) {
        trader.fly(effect, kind);
    }
}

/// Wants it if it is not on its way, for at most so much.
fn once(trader: &mut Trader, kind: EffectKind, most: Usdc, vitals: &Vitals, pass: &mut Pass<'_>) {
    if !trader.flies(|flying| *flying == kind)
        && let Some(effect) = pass.ask_up_to(kind, most, vitals)
    {
        trader.fly(effect, kind);
    }
}
