//! What a pass brings to a life's dreaming, before anything is decided from it.

use golem_dreams::event::DreamEvent;
use golem_dreams::integration::journal::CycleEnding;
use golem_dreams::market::{Path, Point};
use golem_dreams::state::Toll;
use golem_dreams::urgency::SURPRISES;
use golem_dreams::wake::{AlarmReading, Wake, WakeSource};
use golem_dreams::words::{DreamTier, GolemMode};
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, Usdc, UtcTime};

use super::LifeDreams;
use crate::affect::Landing;
use crate::body::Body;
use crate::pass::Pass;
use crate::record::{
    Command, DreamTerms, Dreamt, Event, Observation, Outcome, OutcomeResult, Recollection, Sight, TickInput,
};
use crate::rooms::Rooms;
use crate::trader::Trader;

/// Prices that are kept for the probe that does not sleep; of more the one that says least beside its neighbours goes, so
/// that the longest threshold is covered at any length of a tick.
const PRICES: usize = 64;
/// Seconds of a nominal tick: a dream may take as long as its ticks would take by it, however short they are.
const TICK_SECS: u64 = 40;
/// DG-3. Ticks over which losses count.
const LOSS_TICKS: u64 = 100;
/// Losses that are kept one by one; of more the oldest are counted together.
const LOSSES: usize = 64;

/// Takes in what concerns dreams: numbers, memory, the market, who wakes it, and what came of a dream. Answers the body,
/// awake when nothing keeps it asleep any longer.
pub(crate) fn attend(rooms: &mut Rooms, body: Body, trader: Option<&mut Trader>, pass: &mut Pass<'_>) -> Body {
    let input = pass.input();
    let was_on = rooms.dreams.as_deref().is_some_and(LifeDreams::is_on);
    for seen in &input.observations {
        if let Observation::Dreams(terms) = seen {
            furnish(&mut rooms.dreams, terms, pass);
        }
    }
    let Some(dreams) = rooms.dreams.as_deref_mut() else { return body };
    let is_turned_off = was_on && !dreams.is_on();
    for seen in &input.observations {
        match seen {
            Observation::Recalled(recollection) => dreams.recall(recollection, input),
            Observation::Sight(sight) => dreams.watch(sight, pass),
            Observation::Roused(wake) => dreams.heed((**wake).clone(), pass),
            _ => {}
        }
    }
    if dreams.is_on() && body.is_alive() {
        dreams.obey(&input.commands, pass);
    }
    dreams.expire(body.vitals().phase(), pass);
    let outcome = dreams.sleeper().and_then(|open| input.outcomes.iter().find(|one| one.effect == open.effect));
    if let Some(outcome) = outcome {
        let owed = dreams.land(outcome, body.vitals().phase(), pass);
        if let Some(trader) = trader {
            // The host pays the models' bills and is paid back out of the partition for them.
            trader.owe(owed);
        }
    }
    awaken(dreams, is_turned_off, body, pass)
}

/// D-185, D-189, D-215. Nothing but a dream keeps a body asleep, and whoever turns dreams off has it awake at once. With
/// dreams off a body sleeps only by the older word of its owner, which is not undone here.
fn awaken(dreams: &LifeDreams, is_turned_off: bool, body: Body, pass: &mut Pass<'_>) -> Body {
    match body {
        Body::Dreaming(golem) if is_turned_off || (dreams.is_on() && !dreams.is_suspended()) => {
            pass.say(Event::Woke);
            Body::Active(golem.wake())
        }
        body => body,
    }
}

/// D-240. The first word furnishes the room; later ones change what may be changed.
fn furnish(room: &mut Option<Box<LifeDreams>>, terms: &DreamTerms, pass: &mut Pass<'_>) {
    match room {
        Some(dreams) => dreams.retell(terms, pass),
        None => *room = Some(Box::new(LifeDreams::born(terms.clone()))),
    }
}

impl LifeDreams {
    /// D-215. Other numbers; turned off, the dream that is dreamt ends.
    fn retell(&mut self, terms: &DreamTerms, pass: &mut Pass<'_>) {
        if !terms.law.enabled {
            let at = pass.now();
            self.heed(Wake { source: WakeSource::Owner, reason: "dreams were turned off".to_owned(), at }, pass);
        }
        self.terms = terms.clone();
    }

    /// D-039. Memory speaks; what is too long is cut.
    fn recall(&mut self, recollection: &Recollection, input: &TickInput) {
        let mut recalled = recollection.clone();
        let extra = recalled.surprises.len().saturating_sub(SURPRISES);
        recalled.surprises.drain(..extra);
        if let Some(is_unresolved) = recalled.glance.take() {
            self.glanced = Some(input.now);
            if is_unresolved && self.is_on() {
                self.state.urgency = self.state.urgency.unresolved();
            }
        }
        self.recalled = recalled;
    }

    /// D-193. Somebody wakes it; who is awake is not woken.
    pub(super) fn heed(&mut self, wake: Wake, pass: &mut Pass<'_>) {
        if self.rouse(wake)
            && let Some(wake) = self.sleeper.as_ref().and_then(|sleeper| sleeper.wake.clone())
        {
            pass.say(Event::DreamRoused(Box::new(wake)));
        }
    }

    /// D-019, D-193. An owner's word: a dream is asked for, or ended.
    fn obey(&mut self, commands: &[Command], pass: &mut Pass<'_>) {
        let at = pass.now();
        for command in commands {
            match command {
                Command::Sleep => self.is_directed = true,
                Command::Wake => {
                    self.is_directed = false;
                    self.heed(Wake { source: WakeSource::Owner, reason: "the owner said so".to_owned(), at }, pass);
                }
                _ => {}
            }
        }
    }

    /// D-067, D-194, D-196. The one probe that does not sleep.
    fn watch(&mut self, sight: &Sight, pass: &mut Pass<'_>) {
        if !self.terms.law.wake.enabled || !self.is_on() {
            self.prices.clear();
            return;
        }
        let (at, price) = (sight.block.time, sight.market.price.micros());
        let longest = self.terms.law.wake.thresholds.iter().map(|threshold| threshold.within).max().unwrap_or_default();
        self.prices.retain(|(seen, _)| at.since(*seen) <= longest);
        if self.prices.len() >= PRICES
            && let Some(plain) = plainest(&self.prices)
        {
            self.prices.remove(plain);
        }
        self.prices.push((at, price));
        if self.sleeper.is_none() {
            return;
        }
        if let Some(wake) = self.alarm(sight).or_else(|| self.market_wake()) {
            self.heed(wake, pass);
        }
    }

    fn market_wake(&self) -> Option<Wake> {
        let point = |(at, price): &(_, u64)| Point { tick: Tick::default(), at: *at, price: *price, regime: None };
        let path = Path { asset: self.terms.asset.clone(), points: self.prices.iter().map(point).collect() };
        self.terms.law.wake.thresholds.iter().find_map(|threshold| threshold.wakes(&path))
    }

    /// D-053, D-067, C29. Only while the Golem is falling asleep: later ones take the owner's threshold.
    fn alarm(&self, sight: &Sight) -> Option<Wake> {
        let sleeper = self.sleeper.as_ref().filter(|sleeper| sleeper.opening.tier == DreamTier::Hardened)?;
        let edge = u64::from(self.terms.law.hypnagogia.max_duration_secs);
        if sight.block.time.since(sleeper.at).as_secs() > edge {
            return None;
        }
        let (price, liquidity) = sleeper.scene?;
        let reading = AlarmReading {
            price: Some((price, sight.market.price.micros())),
            liquidity: Some((liquidity, sight.market.liquidity)),
            is_paused: false,
        };
        let reason = reading.alarm()?.to_owned();
        Some(Wake { source: WakeSource::Alarm, reason, at: sight.block.time })
    }

    /// A dream that takes too long, that nobody answers for, or that Terminal overtook is over for the life: nothing waits
    /// for it.
    fn expire(&mut self, phase: Phase, pass: &mut Pass<'_>) {
        let Some(sleeper) = &self.sleeper else { return };
        let (at, tick) = (pass.now(), pass.tick());
        let is_answered = pass.input().outcomes.iter().any(|outcome| outcome.effect == sleeper.effect);
        if !pass.desk.holds.awaits(sleeper.effect) && !is_answered {
            // Its promise had to make room. What it cost is not known, so the owner's caps are charged the whole grant.
            let toll = Toll { cost: sleeper.opening.grant, ..Toll::default() };
            self.close(&toll, phase, pass);
            return;
        }
        let patience = self.patience(sleeper.opening.tier, phase);
        let is_long = at.since(sleeper.at).as_secs() > patience.saturating_mul(TICK_SECS);
        if tick.since(sleeper.tick) > patience && is_long {
            let reason = "it took longer than a dream may".to_owned();
            self.heed(Wake { source: WakeSource::Alarm, reason, at }, pass);
        }
    }

    /// D-197. Ticks a dream may take: twice what the vital phase aims at; a lightweight one suspends nothing and has an
    /// interval for it.
    fn patience(&self, tier: DreamTier, phase: Phase) -> u64 {
        match tier {
            DreamTier::Hardened => golem_dreams::budget::Target::of(phase).ticks.1.saturating_mul(2),
            DreamTier::Core => self.terms.law.schedule.cycle_interval_ticks,
        }
    }

    /// D-185. A dream is over. Answers what the host is owed for it.
    fn land(&mut self, outcome: &Outcome, phase: Phase, pass: &mut Pass<'_>) -> Usdc {
        let cost = outcome.cost.map_or(Usdc::ZERO, |(_, cost)| cost);
        let toll = match &outcome.result {
            OutcomeResult::Dreamt(dreamt) => {
                pass.say(Event::Dreamt { dreamt: dreamt.clone(), cost });
                tell(dreamt, pass);
                // The newest counts as much as all before it.
                let before = self.quality;
                self.quality = dreamt
                    .quality
                    .map(|newest| before.map_or(newest, |before| Ppm::of(before.get().midpoint(newest.get()))))
                    .or(before);
                Toll {
                    cost,
                    is_complete: dreamt.is_complete(),
                    replayed: dreamt.counts.replayed,
                    hypotheses: dreamt.counts.hypotheses,
                    insights: dreamt.counts.admitted,
                    threats: dreamt.counts.threats,
                }
            }
            // Refused by whoever was to dream it: told as every refused effect is.
            _ => Toll { cost, ..Toll::default() },
        };
        self.close(&toll, phase, pass);
        cost
    }

    fn close(&mut self, toll: &Toll, phase: Phase, pass: &mut Pass<'_>) {
        let (tick, now) = (pass.tick(), pass.now());
        self.sleeper = None;
        if self.state.mode == GolemMode::Dying {
            self.state.settle(toll, now);
            return;
        }
        if toll.is_complete {
            self.relieved = Some(tick);
            self.recalled.arousal = golem_dreams::urgency::relieved(self.recalled.arousal);
        }
        let told = self.state.rise(&self.terms.law, toll, phase, tick, now).unwrap_or_default();
        told.into_iter().for_each(|event| pass.say(Event::DreamStream(Box::new(event))));
    }

    /// DG-3. What a trade lost.
    pub(crate) fn note_loss(&mut self, outcome: &Outcome, landing: Landing, trader: Option<&Trader>, tick: Tick) {
        let Some(lost) = landing.loss(trader, outcome) else { return };
        self.losses.retain(|(when, _)| tick.since(*when) < LOSS_TICKS);
        if self.losses.len() >= LOSSES {
            let (_, oldest) = self.losses.remove(0);
            self.losses[0].1 = self.losses[0].1.saturating_add(oldest);
        }
        self.losses.push((tick, lost));
    }

    /// DG-3. What was lost over the last hundred ticks.
    pub(super) fn lost(&self, tick: Tick) -> Usdc {
        self.losses.iter().filter(|(when, _)| tick.since(*when) < LOSS_TICKS).map(|(_, lost)| *lost).sum()
    }
}

/// The price between two others that differs least from going straight from one to the other; of several the one whose
/// neighbours are closest in time.
fn plainest(prices: &[(UtcTime, u64)]) -> Option<usize> {
    let detour = |at: usize| {
        let (before, here, after) = (prices[at - 1], prices[at], prices[at + 1]);
        let around = u128::from(before.1.abs_diff(here.1)) + u128::from(here.1.abs_diff(after.1));
        (around - u128::from(before.1.abs_diff(after.1)), after.0.since(before.0))
    };
    (1..prices.len().saturating_sub(1)).min_by_key(|at| detour(*at))
}

/// D-225, D-228. What is told of how a dream ended.
fn tell(dreamt: &Dreamt, pass: &mut Pass<'_>) {
    let event = match dreamt.ending {
        CycleEnding::Complete | CycleEnding::Degraded => DreamEvent::DreamComplete {
            cycle_id: dreamt.cycle,
            episodes_replayed: dreamt.counts.replayed,
            counterfactuals_generated: dreamt.counts.counterfactuals,
            insights_crystallized: dreamt.counts.admitted,
            heuristics_proposed: u32::try_from(dreamt.rules.len()).unwrap_or(u32::MAX),
            episodes_depotentiated: dreamt.counts.depotentiated,
            playbook_edits: dreamt.counts.edits,
        },
        CycleEnding::Aborted => DreamEvent::DreamAborted { cycle_id: dreamt.cycle },
        CycleEnding::BudgetExhausted(_) | CycleEnding::Interrupted { .. } => return,
    };
    pass.say(Event::Dream(Box::new(event)));
}
