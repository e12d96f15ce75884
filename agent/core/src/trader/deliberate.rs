//! M-139. Whether a model is worth asking before exposure is raised, and what its answer may change.
//!
//! The rules' order is the default. A model is offered that order, half of it, and nothing; its answer is a number among
//! those. What lowers exposure never waits, and what a model chose stands under every bar the rules stand under.

use golem_mortality::economic::costs::GAS_TX;
use golem_mortality::vitals::Vitals;
use golem_primitives::{Ppm, Tick, Usdc};

use super::decide::{Bars, forbidden};
use crate::deliberation::{
    Advice, Candidate, Choices, Grounds, Occasion, Preview, Resolve, Stay, choose, is_fall_imminent, stakes, surprise,
};
use crate::duty;
use crate::life::Desk;
use crate::means::Means;
use crate::mind::{Mind, Pending};
use crate::record::{
    Course, Deliberated, EffectKind, Event, Forgone, MarketReading, Order, Overruled, Partition, Phase,
};
use crate::step::Out;
use crate::strategy::buy;
use crate::trader::Trader;

/// Ticks nothing is wanted for after an advice to stay.
const STAY_TICKS: u64 = 5;

/// The order to go on with: the rules', a model's, or none while one is awaited.
pub(super) fn weigh(
    mind: &mut Mind,
    order: Option<Order>,
    trader: &mut Trader,
    vitals: &Vitals,
    against: Bars<'_>,
    desk: &mut Desk,
    out: &mut Out<'_>,
) -> Option<Order> {
    let tick = out.tick();
    if let Some(order) = order.filter(|order| !order.raises_exposure()) {
        // What was offered was offered before this: an answer about it comes too late.
        if let Some(pending) = &mut mind.pending {
            pending.is_lapsed = true;
        }
        return Some(order);
    }
    let bars = |trader: &Trader, order: &Order| forbidden(trader, order, vitals.phase(), &against);
    let Some(mut pending) = mind.pending.take() else {
        let order = order?;
        mind.pending =
            ask((mind.quotes, against.lean.arousal()), order, trader, vitals, |order| bars(trader, order), desk, out);
        return mind.pending.is_none().then_some(order);
    };
    let Some(answer) = pending.answer.take() else {
        // A promise that had to make room for others is never answered, and nobody waits for it.
        if !desk.holds.awaits(pending.effect) {
            return order;
        }
        pending.is_lapsed = pending.is_overdue(tick);
        let rules_decide = pending.is_lapsed;
        mind.pending = Some(pending);
        return order.filter(|_| rules_decide);
    };
    let course = heed(&pending, answer.advice.as_ref(), (vitals.phase(), tick), |order| bars(trader, order));
    let rationale = answer.advice.map_or_else(|| "".into(), |advice| advice.rationale);
    let (effect, tier, cost) = (pending.effect, pending.tier, answer.cost);
    out.say(Event::Deliberated(Box::new(Deliberated { effect, tier, cost, course, rationale })));
    match course {
        Course::Act(chosen) => Some(chosen),
        Course::Stay => {
            trader.rests_until = tick.checked_add(STAY_TICKS).unwrap_or(tick);
            None
        }
        Course::Rules(_) => order,
    }
}

/// What an answer comes to: one of the offered orders, if nothing stands against it now.
fn heed(
    pending: &Pending,
    advice: Option<&Advice>,
    (phase, tick): (Phase, Tick),
    bars: impl Fn(&Order) -> Option<Forgone>,
) -> Course {
    let Some(advice) = advice else { return Course::Rules(Overruled::Unanswered) };
    if !pending.is_fresh(tick) {
        return Course::Rules(Overruled::Late);
    }
    match choose(&pending.choices, advice, phase) {
        Resolve::Act(order) => match bars(&order) {
            None => Course::Act(order),
            Some(reason) => Course::Rules(Overruled::Forbidden(reason)),
        },
        Resolve::Stay(Stay::Advised) => Course::Stay,
        Resolve::Stay(Stay::Elsewhere) => Course::Rules(Overruled::Elsewhere),
        Resolve::Stay(Stay::NoSuchChoice) => Course::Rules(Overruled::NoSuchChoice),
        Resolve::Stay(Stay::Forbidden) => Course::Rules(Overruled::Forbidden(Forgone::Phase)),
    }
}

/// Asks, when it is worth it and can be paid; otherwise nothing is pending and the rules decide.
fn ask(
    (quotes, arousal): ([Option<Usdc>; 4], Ppm),
    order: Order,
    trader: &Trader,
    vitals: &Vitals,
    bars: impl Fn(&Order) -> Option<Forgone>,
    desk: &mut Desk,
    out: &mut Out<'_>,
) -> Option<Pending> {
    // What the rules may not do is nothing to think about.
    if bars(&order).is_some() {
        return None;
    }
    let occasion = occasion((quotes, arousal), &order, trader, vitals, desk)?;
    let deliberation = occasion.deliberate();
    if deliberation.grounds != Grounds::Worth {
        return None;
    }
    let market = &trader.sight()?.market;
    let offered = [Some(order), half(&order, market)].into_iter().flatten().filter(|order| bars(order).is_none());
    let candidates: Vec<Candidate> =
        offered.map(|order| Candidate { order, preview: preview(&order, market) }).collect();
    let choices = Choices::permitted(&candidates, vitals.phase());
    if choices.is_trivial() {
        return None;
    }
    let kind = EffectKind::Deliberate { tier: deliberation.tier, about: choices.digest() };
    let effect = duty::ask_up_to(kind, deliberation.budget, vitals, desk, out)?;
    Some(Pending {
        effect,
        tier: deliberation.tier,
        asked: out.tick(),
        surprise: occasion.surprise,
        uncertainty: occasion.uncertainty,
        choices,
        is_lapsed: false,
        answer: None,
    })
}

/// What is known when the rules want this order.
fn occasion(
    (quotes, arousal): ([Option<Usdc>; 4], Ppm),
    order: &Order,
    trader: &Trader,
    vitals: &Vitals,
    desk: &Desk,
) -> Option<Occasion> {
    let (phase, vitality) = (vitals.phase(), vitals.vitality());
    let promised = desk.holds.promised(Partition::Llm);
    Some(Occasion {
        surprise: surprise(&trader.window.shape()?),
        uncertainty: vitality.epistemic.complement(),
        stakes: stakes(notional(order), trader.capital()?),
        vitality: vitality.composite,
        arousal,
        phase,
        phase_change_imminent: is_fall_imminent(phase, vitality.composite),
        is_sustainable: vitals.sustainability().net_micros() >= 0,
        means: Means::of_the_living(vitals.economic().purse(), promised, phase),
        quotes,
    })
}

/// What an order moves.
const fn notional(order: &Order) -> Usdc {
    match order {
        Order::Buy { spend, .. } => *spend,
        Order::Provide { usdc, .. } => *usdc,
        Order::Sell { least, .. } => *least,
        Order::Withdraw { .. } => Usdc::ZERO,
    }
}

/// The same with half of it, its limits made anew.
fn half(order: &Order, market: &MarketReading) -> Option<Order> {
    const HALF: Ppm = Ppm::of(500_000);
    match *order {
        Order::Buy { spend, .. } => Some(buy(market, spend.share_down(HALF))),
        Order::Provide { lower, upper, usdc, token } => {
            Some(Order::Provide { lower, upper, usdc: usdc.share_down(HALF), token: token / 2 })
        }
        Order::Sell { .. } | Order::Withdraw { .. } => None,
    }
}

/// What is known of an order's doing before the chain simulates it: the pool's fee, and the gas of a transaction.
fn preview(order: &Order, market: &MarketReading) -> Preview {
    let fee = match order {
        Order::Buy { spend, .. } => spend.share_down(Ppm::of(market.fee_ppm.min(1_000_000))),
        Order::Sell { .. } | Order::Provide { .. } | Order::Withdraw { .. } => Usdc::ZERO,
    };
    let value_micros = i64::try_from(fee.micros()).map_or(i64::MIN, |fee| -fee);
    Preview { value_micros, gas: GAS_TX.low, would_revert: false }
}
