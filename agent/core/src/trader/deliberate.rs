//! M-139. Whether a model is worth asking before exposure is raised, and what its answer may change.
//!
//! The rules' order is the default. A model is offered that order, half of it, and nothing; its answer is a number among
//! those. What lowers exposure never waits, and what a model chose stands under every bar the rules stand under.

use golem_mortality::economic::costs::GAS_TX;
use golem_mortality::economic::tier::Tier;
use golem_mortality::vitals::Vitals;
use golem_primitives::{PoolName, Ppm, Tick, Usdc};

use super::bars::{Bars, forbidden};
use super::setting::{notional, situation};
use crate::deliberation::{
    Bias, Choices, Deliberation, Grounds, ModelAdvice, Occasion, Preview, PreviewedOrder, choose, is_fall_imminent,
    stakes, surprise,
};
use crate::desk::Desk;
use crate::mind::{Mind, Pending};
use crate::pass::Pass;
use crate::precedents::{Precedents, Situation, follow};
use crate::record::{
    Course, DaimonEvent, Deliberated, EffectKind, Event, Forgone, MarketReading, Order, Overruled, Phase,
};
use crate::study::means_to_think;
use crate::trade::buy;
use crate::trader::Trader;

/// The order to go on with: the rules', a model's, or none while one is awaited.
pub(super) fn weigh(
    mind: &mut Mind,
    mut precedents: Option<&mut Precedents>,
    order: Option<Order>,
    trader: &mut Trader,
    vitals: &Vitals,
    bars: &Bars<'_>,
    pass: &mut Pass<'_>,
) -> Option<Order> {
    let tick = pass.tick();
    if let Some(order) = order.filter(|order| !order.raises_exposure()) {
        // What was offered was offered before this: an answer about it comes too late.
        if let Some(pending) = &mut mind.pending {
            pending.is_lapsed = true;
        }
        return Some(order);
    }
    let Some(mut pending) = mind.pending.take() else {
        let order = order?;
        let situation = situation(&order, trader, vitals.phase());
        let doubt = Doubt { order, situation: &situation, quotes: mind.quotes, bars, trader, vitals, desk: &pass.desk };
        let Some(question) = doubt.question() else { return Some(order) };
        let mark = bars.lean.marked(&situation);
        // What went badly as it was advised is not answered by that advice again.
        if let Some(precedents) = precedents.as_deref_mut().filter(|_| mark.is_none())
            && let Some((ruling, decided)) = precedents.recall(&situation, pass.input())
            && let Some(chosen) = follow(ruling, &question.choices)
        {
            pass.say(Event::DecisionRecalled { course: chosen.map_or(Course::Stay, Course::Act), decided });
            return heeded(chosen, order.pool(), trader);
        }
        let Some(asked) = ask(question, vitals, pass) else { return Some(order) };
        bars.lean.warn(&order, trader, pass);
        if let Some(mark) = mark {
            let fired = DaimonEvent::SomaticMarkerFired { valence_ppm: mark.valence_ppm };
            pass.say(Event::Daimon(Box::new(fired)));
        }
        if let Some(precedents) = precedents {
            precedents.ask(asked.effect, situation, pass.input());
        }
        mind.pending = Some(asked);
        return None;
    };
    let Some(answer) = pending.answer.take() else {
        // A promise that had to make room for others is never answered, and nobody waits for it.
        if !pass.desk.holds.awaits(pending.effect) {
            return order;
        }
        pending.is_lapsed = pending.is_overdue(tick);
        let rules_decide = pending.is_lapsed;
        mind.pending = Some(pending);
        return order.filter(|_| rules_decide);
    };
    let course = heed(&pending, answer.advice.as_ref(), vitals.phase(), tick, |order| {
        forbidden(trader, order, vitals.phase(), bars)
    });
    if let Some(precedents) = precedents {
        precedents.keep(pending.effect, &pending.choices, &course, tick);
    }
    let rationale = answer.advice.map_or_else(|| "".into(), |advice| advice.rationale);
    let (effect, tier, cost) = (pending.effect, pending.tier, answer.cost);
    pass.say(Event::Deliberated(Box::new(Deliberated { effect, tier, cost, course, rationale })));
    match course {
        Course::Act(chosen) => Some(chosen),
        // S-036. Nothing could be chosen: what gets out goes on as the rules say.
        Course::Stay if pending.choices.is_trivial() => order,
        Course::Stay => {
            let asked = pending.choices.candidates().first().map(|candidate| candidate.order.pool());
            heeded(None, asked.unwrap_or(trader.home.pool), trader)
        }
        Course::Rules(_) => order,
    }
}

/// What was chosen; after nothing the rule that asked lets its chance pass.
fn heeded(chosen: Option<Order>, pool: PoolName, trader: &mut Trader) -> Option<Order> {
    if chosen.is_none() {
        trader.hand_in_mut(pool).rulebook.decline();
    }
    chosen
}

/// What an answer comes to: one of the offered orders, if nothing stands against it now.
fn heed(
    pending: &Pending,
    advice: Option<&ModelAdvice>,
    phase: Phase,
    tick: Tick,
    bars: impl Fn(&Order) -> Option<Forgone>,
) -> Course {
    let Some(advice) = advice else { return Course::Rules(Overruled::Unanswered) };
    if !pending.is_fresh(tick) {
        return Course::Rules(Overruled::Late);
    }
    match choose(&pending.choices, advice, phase) {
        Course::Act(order) => match bars(&order) {
            None => Course::Act(order),
            Some(reason) => Course::Rules(Overruled::Forbidden(reason)),
        },
        course => course,
    }
}

/// What is put to a model.
struct Question {
    tier: Tier,
    budget: Usdc,
    surprise: Ppm,
    uncertainty: Ppm,
    choices: Choices,
}

/// An order of the rules that may be worth a question, and all that is known of it.
struct Doubt<'a> {
    order: Order,
    situation: &'a Situation,
    quotes: [Option<Usdc>; 4],
    bars: &'a Bars<'a>,
    trader: &'a Trader,
    vitals: &'a Vitals,
    desk: &'a Desk,
}

impl Doubt<'_> {
    fn is_forbidden(&self, order: &Order) -> bool {
        forbidden(self.trader, order, self.vitals.phase(), self.bars).is_some()
    }

    /// The question that is worth asking and can be paid; without one the rules decide.
    fn question(&self) -> Option<Question> {
        // What the rules may not do is nothing to think about.
        if self.is_forbidden(&self.order) {
            return None;
        }
        let occasion = self.occasion()?;
        let Deliberation { tier, budget, grounds: Grounds::Worth } = occasion.deliberate() else { return None };
        let market = self.trader.sight()?.market_of(self.order.pool())?;
        let offered = [Some(self.order), half(&self.order, market)].into_iter().flatten();
        let offered = offered.filter(|order| !self.is_forbidden(order));
        let candidates: Vec<PreviewedOrder> =
            offered.map(|order| PreviewedOrder { order, preview: preview(&order, market) }).collect();
        let choices = Choices::permitted(&candidates, self.vitals.phase());
        let Occasion { surprise, uncertainty, .. } = occasion;
        (!choices.is_trivial()).then_some(Question { tier, budget, surprise, uncertainty, choices })
    }

    /// What is known when the rules want this order.
    fn occasion(&self) -> Option<Occasion> {
        let (trader, vitals, lean) = (self.trader, self.vitals, &self.bars.lean);
        let (phase, vitality) = (vitals.phase(), vitals.vitality());
        Some(Occasion {
            surprise: surprise(&trader.window.shape()?),
            uncertainty: vitality.epistemic.complement(),
            stakes: lean.stakes(stakes(notional(&self.order), trader.capital()?)),
            vitality: vitality.composite,
            arousal: lean.arousal(),
            phase,
            phase_change_imminent: is_fall_imminent(phase, vitality.composite),
            is_sustainable: vitals.sustainability().net_micros() >= 0,
            means: means_to_think(Some(trader), vitals, self.desk),
            quotes: self.quotes,
            bias: Bias { is_warned: lean.anticipates(&self.order, trader).is_some(), ..lean.bias(self.situation) },
        })
    }
}

/// Asks, if the purse lets it; otherwise nothing is pending and the rules decide.
fn ask(question: Question, vitals: &Vitals, pass: &mut Pass<'_>) -> Option<Pending> {
    let Question { tier, budget, surprise, uncertainty, choices } = question;
    let kind = EffectKind::Deliberate { tier, about: choices.digest() };
    let (effect, asked) = (pass.ask_up_to(kind, budget, vitals)?, pass.tick());
    Some(Pending { effect, tier, asked, surprise, uncertainty, choices, is_lapsed: false, answer: None })
}

/// S-036, S-030. In Crisis nothing may be entered, so there is nothing to choose; what presses is put before the small model
/// all the same, within every budget, and what it makes of that is heard (S-044).
pub(super) fn examine(mind: &mut Mind, trader: &Trader, vitals: &Vitals, pass: &mut Pass<'_>) {
    let tier = Tier::T1;
    let means = means_to_think(Some(trader), vitals, &pass.desk);
    let is_served = mind.quotes[tier as usize].is_some_and(|most| most <= means.budget(tier));
    if mind.pending.is_some() || !is_served || means.ceiling < tier {
        return;
    }
    let question = Question {
        tier,
        budget: means.budget(tier),
        surprise: trader.window.shape().map_or(Ppm::ZERO, |shape| surprise(&shape)),
        uncertainty: vitals.vitality().epistemic.complement(),
        choices: Choices::permitted(&[], vitals.phase()),
    };
    mind.pending = ask(question, vitals, pass);
}

/// The same with half of it, its limits made anew.
pub(super) fn half(order: &Order, market: &MarketReading) -> Option<Order> {
    const HALF: Ppm = Ppm::of(500_000);
    match *order {
        Order::Buy { spend, .. } => Some(buy(market, spend.share_down(HALF))),
        Order::Provide { pool, lower, upper, usdc, token } => {
            Some(Order::Provide { pool, lower, upper, usdc: usdc.share_down(HALF), token: token / 2 })
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
