//! The tick, as one visible function.

use golem_grimoire::pruning::WINDOW_TICKS;
use golem_mortality::cause::KillOrder;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::epistemic::clock::{EpistemicFacts, erosion};
use golem_mortality::epistemic::domain::Matches;
use golem_mortality::event::LawEvents;
use golem_mortality::lifecycle::{Dying, Fate, Golem, Living};
use golem_mortality::outcome::record::OutcomeVerification;
use golem_mortality::phase::Phase;
use golem_mortality::vitals::{TickFacts, TickRecord, Vitals};
use golem_primitives::{Ppm, Tick, Usdc};

use crate::affect::Landing;
use crate::body::Body;
use crate::books::Books;
use crate::death::begin::begin_death;
use crate::death::stages::{self, die};
use crate::dreams::attend::attend;
use crate::dreams::rest::rest;
use crate::dreams::{self, LifeDreams};
use crate::influence::Lean;
use crate::life::Life;
use crate::pass::Pass;
use crate::pressure::Pressure;
use crate::record::{
    BalanceReading, Command, CommandRefusal, Curated, Dropped, Effects, Event, Events, InputRefusal, MOST_RULES,
    Observation, Outcome, OutcomeResult, RECORD_VERSION, Searcher, Sight, TickInput, Tier, Turn,
};
use crate::rooms::Rooms;
use crate::trader::Trader;
use crate::trader::decide::{Advisers, decide, keep_watch};
use crate::{data_purchases, duty, tending};

/// What a pass makes of a life.
#[derive(Debug)]
pub struct Step {
    pub life: Life,
    pub effects: Effects,
    pub events: Events,
    /// M-157. The audit record, when the law ran.
    pub record: Option<TickRecord>,
}

/// One pass of a tick. Total: every input has an answer, and what is refused is an event.
///
/// The order is the order of the lines: what came in is absorbed, then commands are obeyed, then, when the last stage
/// of the tick ends, the law runs (M-146..M-153) and the phase's duty is wanted, clipped by the budget.
#[must_use]
pub fn step(life: Life, input: &TickInput) -> Step {
    let Life { body, desk, mut trader, mut rooms } = life;
    let refused = refusal(&body, desk.turn, trader.as_deref(), input);
    let mut pass = Pass::new(input, desk);
    if let Some(reason) = refused {
        // A Golem whose death has begun has no ticks left; the word that its death is over reaches it without one.
        if reason == InputRefusal::Dying && !input.commands.is_empty() {
            let body = obey(body, false, trader.as_deref_mut(), &mut pass);
            return finish(pass, body, trader, rooms);
        }
        pass.say(Event::InputRefused { reason });
        return finish(pass, body, trader, rooms);
    }
    let floor = body.vitals().law().starvation_floor;
    let last_words = absorb(trader.as_deref_mut(), &mut rooms, floor, &mut pass);
    pass.is_apart = rooms.books.as_deref().is_some_and(Books::is_apart);
    let body = attend(&mut rooms, body, trader.as_deref_mut(), &mut pass);
    let is_dreamer = rooms.dreams.as_deref().is_some_and(LifeDreams::is_on);
    let mut body = obey(body, is_dreamer, trader.as_deref_mut(), &mut pass);
    pass.desk.turn = Some(input.turn);
    if body.is_alive() {
        tending::want(body.vitals(), &mut pass);
    }
    if input.turn == Turn::Deciding
        && let Some(trader) = trader.as_deref_mut()
    {
        let lean = Lean::of(rooms.affect.as_deref(), rooms.suffering.as_deref(), &pass);
        match &mut body {
            Body::Dreaming(golem) if is_dreamer => keep_watch(trader, lean, golem.vitals(), &mut pass),
            Body::Active(golem) => {
                let (mind, precedents) = (rooms.mind.as_deref_mut(), rooms.precedents.as_deref_mut());
                decide(trader, Advisers { mind, precedents, lean }, golem.vitals(), &mut pass);
                if let Some(data_purchases) = rooms.data_purchases.as_deref_mut() {
                    data_purchases::provision(data_purchases, trader, &lean, golem.vitals(), &mut pass);
                }
            }
            _ => {}
        }
    }
    let mut record = None;
    if input.turn == Turn::Sleeping {
        pass.ceiling = rooms.suffering.as_deref().map_or(Tier::T3, Pressure::ceiling);
        let hand = trader.as_deref_mut();
        (body, record) = match body {
            Body::Active(golem) => live(golem, Body::Active, hand, &mut rooms, &mut pass),
            Body::Dreaming(golem) => live(golem, Body::Dreaming, hand, &mut rooms, &mut pass),
            Body::Dying(golem) => (die(golem, last_words, hand, rooms.study.as_deref(), &mut pass), None),
            body @ Body::Dead(_) => (body, None),
        };
    }
    let body = rest(&mut rooms, body, trader.as_deref(), &mut pass);
    rooms.live(&body, trader.as_deref(), &mut pass);
    if input.turn == Turn::Sleeping {
        pass.desk.clear();
    }
    Step { record, ..finish(pass, body, trader, rooms) }
}

/// What is left of a pass: the life, and what it said and wants.
fn finish(pass: Pass<'_>, body: Body, trader: Option<Box<Trader>>, mut rooms: Rooms) -> Step {
    let Pass { desk, events, effects, .. } = pass;
    if let Some(books) = rooms.books.as_deref_mut() {
        books.watch(&effects);
    }
    Step { life: Life { body, desk, trader, rooms }, effects, events, record: None }
}

/// Whether an input can be taken in at all.
fn refusal(body: &Body, last: Option<Turn>, trader: Option<&Trader>, input: &TickInput) -> Option<InputRefusal> {
    if input.version != RECORD_VERSION {
        return Some(InputRefusal::Version { got: input.version });
    }
    let expected = match (body, trader.and_then(|trader| trader.dying.as_ref())) {
        (Body::Active(_) | Body::Dreaming(_), _) => body.vitals().tick().next(),
        (Body::Dying(_), Some(dying)) => dying.pass.next(),
        (Body::Dying(_), None) => return Some(InputRefusal::Dying),
        (Body::Dead(_), _) => return Some(InputRefusal::Dead),
    };
    if input.tick != expected || input.tick == body.vitals().tick() {
        return Some(InputRefusal::Tick { expected, got: input.tick });
    }
    let last = last.filter(|last| input.turn <= *last)?;
    Some(InputRefusal::Turn { last, got: input.turn })
}

/// Puts what came in on the desk, where it waits for the law. Answers what last words have cost.
fn absorb(mut trader: Option<&mut Trader>, rooms: &mut Rooms, floor: Usdc, pass: &mut Pass<'_>) -> Usdc {
    let (input, mut last_words) = (pass.input(), Usdc::ZERO);
    for outcome in &input.outcomes {
        if !absorb_outcome(outcome, pass) {
            continue;
        }
        if let OutcomeResult::Verified(record) = &outcome.result {
            absorb_execution(trader.as_deref_mut(), record, pass);
        }
        let thought = rooms.land_thought(outcome, pass);
        let landing = Landing::of(trader.as_deref(), outcome);
        if let Some(trader) = trader.as_deref_mut() {
            let words = stages::cost_of_words(trader, outcome);
            last_words = last_words.saturating_add(words);
            if let Some((order, line)) = trader.land(outcome, input.tick) {
                // M-081. Only what closed was won or lost.
                if line.closed.is_some_and(|closed| pass.desk.trades.try_push(closed.net_micros() > 0).is_err()) {
                    pass.say(Event::InputDropped { what: Dropped::Trades });
                }
                pass.say(Event::Traded { order, line: Box::new(line) });
            }
            trader.is_curated |= matches!(outcome.result, OutcomeResult::Curated(_));
            if let OutcomeResult::Reconsidered(said) = &outcome.result
                && let Some(diagnosis) = &said.diagnosis
            {
                trader.propose(Searcher::Model, diagnosis.rules.iter().take(MOST_RULES));
            }
            if let OutcomeResult::Dreamt(dreamt) = &outcome.result
                && dreamt.is_complete()
            {
                trader.dreamt = Some(dreamt.tier);
                trader.propose(Searcher::Model, dreamt.rules.iter().take(MOST_RULES));
            }
            if let (OutcomeResult::Settled(_), Some(received)) = (&outcome.result, trader.received()) {
                pass.say(Event::OwnerReceived(Box::new(received.clone())));
            }
            // The host pays the models' bills and is paid back out of the partition for them.
            trader.owe(thought.saturating_add(words));
        }
        rooms.land(outcome, landing, trader.as_deref(), pass);
    }
    for seen in &input.observations {
        rooms.take_back(seen, pass);
        absorb_observation(seen, trader.as_deref_mut(), floor, pass);
        rooms.hear(seen, trader.as_deref(), floor, pass);
    }
    last_words
}

/// Answers whether anybody waited for it.
fn absorb_outcome(outcome: &Outcome, pass: &mut Pass<'_>) -> bool {
    let Some(budget) = pass.desk.holds.settle(outcome.effect) else {
        // an outcome that was already taken in is not paid for twice.
        pass.say(Event::OutcomeUnknown { effect: outcome.effect });
        return false;
    };
    if let Some((source, cost)) = outcome.cost {
        pass.desk.costs.add(source, cost);
        if cost > budget {
            pass.say(Event::BudgetBreached { effect: outcome.effect, cost, budget });
        }
    }
    match &outcome.result {
        OutcomeResult::Done
        | OutcomeResult::Simulated(_)
        | OutcomeResult::Advised { .. }
        | OutcomeResult::Bought(_)
        | OutcomeResult::Unbought(_)
        | OutcomeResult::Distilled(_)
        | OutcomeResult::Confided { .. }
        | OutcomeResult::Dreamt(_)
        | OutcomeResult::Verified(_)
        | OutcomeResult::Settled(_) => {}
        OutcomeResult::Reflected { improved } => {
            pass.desk.reflection = Some(*improved || pass.desk.reflection == Some(true));
        }
        OutcomeResult::Reconsidered(reconsidered) => {
            pass.desk.reflection = Some(reconsidered.improved || pass.desk.reflection == Some(true));
        }
        OutcomeResult::Curated(curated) => {
            let Curated { archived, archived_recently, active_at_start, .. } = *curated;
            absorb_pruning(archived, erosion(archived_recently, active_at_start), pass);
            pass.say(Event::Curated(curated.clone()));
        }
        OutcomeResult::Refused { reason } => {
            pass.say(Event::EffectFailed { effect: outcome.effect, reason: reason.clone() });
        }
    }
    if is_snapshot(outcome) {
        pass.desk.last_snapshot = Some(pass.now());
    }
    true
}

/// M-076, P-063. What a verified act says of understanding: little, so few of them count. A return beyond belief is no pair.
fn absorb_execution(trader: Option<&mut Trader>, record: &OutcomeVerification, pass: &mut Pass<'_>) {
    let Ok(Some(pair)) = record.pair() else { return };
    let counted = match trader {
        Some(trader) => trader.understanding.execution(pair.predicted(), pair.actual()),
        None => Some(pair),
    };
    if let Some(pair) = counted {
        pass.count(pair);
    }
}

/// G-077. A fast-shrinking Grimoire lowers fitness, until another cycle says otherwise or all of it is long ago.
fn absorb_pruning(archived: u32, erosion: Ppm, pass: &mut Pass<'_>) {
    pass.desk.archived = pass.desk.archived.saturating_add(archived);
    pass.desk.erosion = erosion;
    pass.desk.eroded_until = pass.tick().checked_add(WINDOW_TICKS).unwrap_or(Tick::MAX);
}

fn is_snapshot(outcome: &Outcome) -> bool {
    matches!(outcome.cost, Some((CostSource::Insurance, _))) && outcome.result == OutcomeResult::Done
}

fn absorb_observation(observation: &Observation, trader: Option<&mut Trader>, floor: Usdc, pass: &mut Pass<'_>) {
    let desk = &mut pass.desk;
    match observation {
        Observation::Balance(reading) => desk.balance = *reading,
        Observation::Upkeep { source, cost } => {
            desk.costs.add(*source, *cost);
            if let Some(trader) = trader {
                trader.ledger.spend(*source, *cost);
            }
        }
        Observation::Funded { amount } => desk.funded = desk.funded.saturating_add(*amount),
        Observation::Revenue { amount } => desk.revenue = desk.revenue.saturating_add(*amount),
        Observation::Market { predicted, observed } => desk.matches = Some(Matches::between(predicted, observed)),
        Observation::Resolved { pair } => pass.count(*pair),
        Observation::Regime { is_novel } => desk.is_novel_regime = *is_novel,
        Observation::Positions { open } => desk.open_positions = *open,
        Observation::Pruned { archived, archived_recently, active_at_start } => {
            absorb_pruning(*archived, erosion(*archived_recently, *active_at_start), pass);
        }
        Observation::Sight(sight) => absorb_sight(sight, trader, floor, pass),
        Observation::Blind => absorb_blindness(trader, pass),
        Observation::Withdrawn { effect, kind, was_refused } => {
            // Told twice, or told before its outcome was taken in: it is awaited already.
            if desk.holds.awaits(*effect) {
                return;
            }
            // Its cost was paid and stands; what is awaited is only how it ends the second time.
            desk.holds.insist(*effect);
            if let Some(trader) = trader {
                trader.take_back(*effect, *kind, *was_refused);
            }
            pass.say(Event::OutcomeWithdrawn { effect: *effect });
        }
        Observation::Learnt(learnt) => {
            if let Some(trader) = trader {
                trader.understanding.take_up(learnt);
            }
        }
        // It waits in the input for the decision of this pass and is no part of the life.
        Observation::Counsel { .. } => {}
        // They concern rooms, which took them.
        Observation::Faculties { .. }
        | Observation::Precedents { .. }
        | Observation::Offers(_)
        | Observation::Inflows(_)
        | Observation::Studies { .. }
        | Observation::Temper(_)
        | Observation::Dreams(_)
        | Observation::Recalled(_)
        | Observation::Roused(_)
        | Observation::Scars(_) => {}
        Observation::Clade(news) => {
            if let Some(trader) = trader {
                trader.hear_siblings(news);
            }
        }
        // It is for memory: what counterfactuals are computed from is no part of the life.
        Observation::Filled(_) => {}
        // It is answered with an effect, once everything is taken in.
        Observation::CuratorDue { .. } => {}
    }
}

/// On-chain truth replaces local belief.
fn absorb_sight(sight: &Sight, trader: Option<&mut Trader>, floor: Usdc, pass: &mut Pass<'_>) {
    let Some(trader) = trader else { return };
    if let Some(credits) = trader.see(sight, floor) {
        pass.desk.balance = BalanceReading::Observed(credits);
    }
    trader.follow_owner(pass);
    if std::mem::take(&mut trader.is_blind) {
        pass.say(Event::SawAgain);
    }
    pass.desk.open_positions = trader.open_positions();
}

/// Nobody knows what it owns: no economic death is declared, and nothing is done.
fn absorb_blindness(trader: Option<&mut Trader>, pass: &mut Pass<'_>) {
    pass.desk.balance = BalanceReading::Blind;
    if let Some(trader) = trader
        && !std::mem::replace(&mut trader.is_blind, true)
    {
        pass.say(Event::WentBlind);
    }
}

/// Obeys what someone with the right to it wants. A kill works in every living state (M-163); once death has begun only
/// its end is left to want (M-179).
fn obey(mut body: Body, is_dreamer: bool, mut trader: Option<&mut Trader>, pass: &mut Pass<'_>) -> Body {
    let input = pass.input();
    let by_chain = trader.as_deref().and_then(Trader::ordered_to_die).filter(|_| body.is_alive()).map(Command::Kill);
    // D-015. Who dreams by its law took the words about dreams before; no command goes past the gate.
    let commands = input.commands.iter().filter(|command| !(is_dreamer && dreams::is_about_dreams(command)));
    for command in by_chain.iter().chain(commands) {
        let hand = trader.as_deref_mut();
        body = match (body, command) {
            (Body::Active(golem), Command::Kill(order)) => Body::Dying(kill(golem, order, hand, pass)),
            (Body::Dreaming(golem), Command::Kill(order)) => Body::Dying(kill(golem, order, hand, pass)),
            (Body::Active(mut golem), Command::BecomeMortal) => {
                become_mortal(golem.vitals_mut(), pass);
                Body::Active(golem)
            }
            (Body::Dreaming(mut golem), Command::BecomeMortal) => {
                become_mortal(golem.vitals_mut(), pass);
                Body::Dreaming(golem)
            }
            (Body::Active(golem), Command::Sleep) if golem.vitals().phase() == Phase::Terminal => {
                pass.refuse(CommandRefusal::TerminalDreamsNot);
                Body::Active(golem)
            }
            (Body::Active(golem), Command::Sleep) => {
                pass.say(Event::FellAsleep);
                Body::Dreaming(golem.fall_asleep())
            }
            (Body::Dreaming(golem), Command::Wake) => {
                pass.say(Event::Woke);
                Body::Active(golem.wake())
            }
            // It is heard behind the look of this pass.
            (body @ (Body::Active(_) | Body::Dreaming(_)), Command::Book(_)) => body,
            (Body::Dying(golem), Command::Conclude) => {
                pass.say(Event::DeathConcluded);
                Body::Dead(golem.conclude(input.now))
            }
            (body, command) => {
                pass.refuse(why_not(&body, command));
                body
            }
        };
    }
    body
}

/// A word that changes the vitals and not the state.
fn become_mortal(vitals: &mut Vitals, pass: &mut Pass<'_>) {
    if vitals.become_mortal() {
        pass.say(Event::BecameMortal);
    } else {
        pass.refuse(CommandRefusal::NoChange);
    }
}

const fn why_not(body: &Body, command: &Command) -> CommandRefusal {
    match (body, command) {
        (Body::Dead(_), _) => CommandRefusal::Dead,
        (Body::Dying(_), _) => CommandRefusal::Dying,
        (Body::Active(_) | Body::Dreaming(_), Command::Conclude) => CommandRefusal::NotDying,
        (Body::Active(_) | Body::Dreaming(_), _) => CommandRefusal::NoChange,
    }
}

fn kill<S: Living>(
    golem: Golem<S>,
    order: &KillOrder,
    trader: Option<&mut Trader>,
    pass: &mut Pass<'_>,
) -> Golem<Dying> {
    let mut events = LawEvents::new();
    let dying = golem.kill(order.clone(), &mut events);
    pass.say_all(&mut events);
    begin_death(&dying, trader, pass);
    dying
}

/// The law of a tick, then its duty.
fn live<S: Living>(
    golem: Golem<S>,
    body: fn(Golem<S>) -> Body,
    mut trader: Option<&mut Trader>,
    rooms: &mut Rooms,
    pass: &mut Pass<'_>,
) -> (Body, Option<TickRecord>) {
    let (input, desk) = (pass.input(), &mut pass.desk);
    if let Some(trader) = trader.as_deref_mut() {
        let rent = trader.settings.host_per_tick;
        desk.costs.add(CostSource::Compute, rent);
        trader.owed = trader.owed.saturating_add(rent);
        trader.ledger.spend(CostSource::Compute, rent);
    }
    let facts = TickFacts {
        tick: input.tick,
        now: input.now,
        costs: desk.costs,
        funded: desk.funded,
        revenue: desk.revenue,
        balance: desk.balance,
        epistemic: EpistemicFacts {
            pairs: &desk.pairs,
            trades: &desk.trades,
            matches: desk.matches,
            erosion: desk.erosion_at(input.tick),
            is_novel_regime: desk.is_novel_regime,
        },
        chance: input.chance,
        open_positions: desk.open_positions,
        archived: desk.archived,
        reflection: desk.reflection,
        seconds_since_snapshot: desk.last_snapshot.map(|at| input.now.since(at).as_secs()),
    };
    let mut events = LawEvents::new();
    match golem.tick(&facts, &mut events) {
        Ok((Fate::Lives(golem), record)) => {
            duty::want(golem.vitals(), &events, trader, rooms, pass);
            pass.say_all(&mut events);
            (body(golem), Some(record))
        }
        Ok((Fate::Dies(golem), record)) => {
            pass.say_all(&mut events);
            begin_death(&golem, trader, pass);
            (Body::Dying(golem), Some(record))
        }
        // Checked before anything was absorbed; were it ever to happen the life goes on as it was.
        Err(refused) => (body(refused.golem), None),
    }
}

#[cfg(test)]
#[path = "tests/step.rs"]
mod tests;
