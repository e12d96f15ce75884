//! The end of a pass: whether it dreams, and that death ends every dream.

use golem_dreams::budget::share_of_inference;
use golem_dreams::event::{DreamEvent, StartReason};
use golem_dreams::gate::DreamRefusal;
use golem_dreams::inputs::CycleId;
use golem_dreams::schedule::{DreamLook, Opening, Rest, ScheduleVerdict};
use golem_dreams::wake::{Wake, WakeSource};
use golem_dreams::words::{DreamTier, DreamTrigger, GolemMode};
use golem_mortality::behaviour::Behaviour;
use golem_mortality::event::LawEvent;
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_primitives::{Ppm, Usdc};

use super::readings::{clocks, thinkable};
use super::{LifeDreams, Sleeper};
use crate::body::Body;
use crate::pass::Pass;
use crate::record::{EffectKind, Event, Turn};
use crate::rooms::Rooms;
use crate::trader::Trader;

/// D-036. A surprise from which something is unresolved.
const UNRESOLVED: Ppm = Ppm::of(500_000);

/// D-213. What a pass leaves in a life's dreaming: death ends it, and behind the last turn of a tick it is asked whether to
/// dream. Answers the body, asleep when it dreams in full.
pub(crate) fn rest(rooms: &mut Rooms, body: Body, trader: Option<&Trader>, pass: &mut Pass<'_>) -> Body {
    let mind = rooms.mind.as_deref();
    let Some(dreams) = rooms.dreams.as_deref_mut() else { return body };
    dreams.hear_of_rules(&pass.events);
    if !body.is_alive() {
        dreams.die(pass);
        return body;
    }
    if pass.input().turn != Turn::Sleeping || !dreams.is_on() {
        return body;
    }
    let quote = mind.and_then(|mind| mind.quotes.iter().flatten().max().copied());
    dreams.note_phase(body.vitals().phase(), pass);
    let standing = dreams.standing(body.vitals(), trader, mind, &pass.desk);
    let look = dreams.look(body.vitals(), standing, pass);
    dreams.gather(body.vitals(), trader, pass);
    let verdict = dreams.state.on_idle(&dreams.terms.law, &look);
    let was_directed = std::mem::take(&mut dreams.is_directed);
    match verdict {
        ScheduleVerdict::Dream(opening) => {
            let spent = dreams.state.ledger.at(pass.now()).month;
            let left = thinkable(body.vitals(), trader, &pass.desk);
            let most =
                affordable(&opening, Thinking { left, needed: quote.unwrap_or(Usdc::ZERO), spent }, body.vitals());
            let opening = Opening { grant: opening.grant.min(most), ..opening };
            dreams.open(opening, body, trader, pass)
        }
        ScheduleVerdict::Refused { trigger, because } => {
            dreams.refuse(trigger, because, was_directed, pass);
            body
        }
        ScheduleVerdict::Rest(why) => {
            dreams.refused = None;
            if was_directed {
                pass.say(Event::DreamDeclined { why });
            }
            body
        }
    }
}

/// What thinking has left, what the next question of the waking needs of it, and what dreams took this month.
struct Thinking {
    left: Usdc,
    needed: Usdc,
    spent: Usdc,
}

/// D-009, D-012, M-135. What a dream may take: what thinking has left beyond the next question of the waking, and of a full
/// cycle no more than the phase's share of what thinking had this month, with what dreams took of it already.
fn affordable(opening: &Opening, thinking: Thinking, vitals: &Vitals) -> Usdc {
    if !vitals.law().mode.counts_credits() {
        return opening.grant;
    }
    let Thinking { left, needed, spent } = thinking;
    match opening.tier {
        DreamTier::Core => left.saturating_sub(needed),
        DreamTier::Hardened => share_of_inference(left, needed, spent, Behaviour::of(vitals.phase()).dream_share),
    }
}

impl LifeDreams {
    /// D-190. Death takes a dreamer at once; its dream is told to end.
    fn die(&mut self, pass: &mut Pass<'_>) {
        let at = pass.now();
        self.heed(Wake { source: WakeSource::Death, reason: "death has begun".to_owned(), at }, pass);
        (self.is_directed, self.owes_last) = (false, false);
        if self.is_on() {
            let told = self.state.die(pass.tick());
            told.into_iter().for_each(|event| pass.say(Event::DreamStream(Box::new(event))));
        }
    }

    /// D-020, C3. The edge into Terminal owes one dream; what is dreamt there ends, so that this one can be. Out of
    /// Terminal again nothing is owed.
    fn note_phase(&mut self, phase: Phase, pass: &mut Pass<'_>) {
        let fell = |event: &Event| {
            matches!(event, Event::Mortality(LawEvent::PhaseTransition { to_phase: Phase::Terminal, .. }))
        };
        if phase != Phase::Terminal {
            self.owes_last = false;
            return;
        }
        if pass.events.iter().any(fell) {
            self.owes_last = !self.state.had_emergency;
            let (at, reason) = (pass.now(), "Terminal has begun".to_owned());
            self.heed(Wake { source: WakeSource::Death, reason, at }, pass);
        }
    }

    fn look(&self, vitals: &Vitals, standing: golem_dreams::gate::DreamStanding, pass: &Pass<'_>) -> DreamLook {
        DreamLook {
            tick: pass.tick(),
            now: pass.now(),
            mode: self.state.mode,
            // D-191, D-210. The rest behind a tick is the sleep in which a lightweight cycle runs.
            is_sleeping: true,
            standing,
            clocks: clocks(vitals),
            is_window_open: self.recalled.is_window_open,
            is_directed: self.is_directed,
            is_terminal_edge: self.owes_last && !self.state.had_emergency,
            cycles_in_window: self.state.cycles_this_window,
            quality: self.quality,
            is_emotional: false,
        }
    }

    /// D-018, D-036. The hook behind a waking tick.
    fn gather(&mut self, vitals: &Vitals, trader: Option<&Trader>, pass: &Pass<'_>) {
        if self.state.mode != GolemMode::Waking {
            return;
        }
        let readings = self.readings(vitals, trader, pass.tick());
        let is_surprised = readings.surprises.last().is_some_and(|score| *score >= UNRESOLVED);
        self.state.after_turn(&self.terms.law, readings, vitals.phase(), is_surprised);
    }

    /// D-015. Opens what the one function decided, if the purse promises its grant.
    fn open(&mut self, opening: Opening, body: Body, trader: Option<&Trader>, pass: &mut Pass<'_>) -> Body {
        self.refused = None;
        let is_directed = opening.trigger == DreamTrigger::Owner;
        if opening.tier == DreamTier::Hardened && opening.grant.is_zero() {
            if is_directed {
                pass.say(Event::DreamDeclined { why: Rest::NoBudget });
            }
            return body;
        }
        let cycle = CycleId(self.state.cycle_number.saturating_add(1));
        let kind = EffectKind::Dream { cycle, trigger: opening.trigger, tier: opening.tier };
        let Some(effect) = pass.ask_up_to(kind, opening.grant, body.vitals()) else {
            // The refusal is told as every refused effect is; it is remembered as one of the gate's (D-028).
            self.state.urgency = self.state.urgency.refuse();
            if is_directed {
                pass.say(Event::DreamDeclined { why: Rest::NoBudget });
            }
            return body;
        };
        let (tick, at) = (pass.tick(), pass.now());
        let told = self.state.enter(&opening, tick).unwrap_or_default();
        let market = trader.and_then(Trader::sight).map(|sight| &sight.market);
        let scene = market.map(|market| (market.price.micros(), market.liquidity));
        self.sleeper = Some(Sleeper { effect, cycle, opening, tick, at, scene, wake: None });
        told.into_iter().for_each(|event| pass.say(Event::DreamStream(Box::new(event))));
        let reason = StartReason::of(opening.trigger, opening.is_emotional);
        let start = DreamEvent::DreamStart { cycle_id: cycle, trigger: reason, source: opening.trigger };
        pass.say(Event::Dream(Box::new(start)));
        match body {
            Body::Active(golem) if opening.tier == DreamTier::Hardened => {
                pass.say(Event::FellAsleep);
                Body::Dreaming(golem.fall_asleep())
            }
            body => body,
        }
    }

    /// DG-23. A refusal is told when it is news, and always to an owner who asked.
    fn refuse(&mut self, trigger: DreamTrigger, because: Vec<DreamRefusal>, was_directed: bool, pass: &mut Pass<'_>) {
        let kinds = because.iter().fold(0u8, |kinds, refusal| kinds | bit(refusal));
        if self.refused == Some((trigger, kinds)) && !was_directed {
            return;
        }
        self.refused = Some((trigger, kinds));
        pass.say(Event::Dream(Box::new(DreamEvent::DreamRefused { trigger, because })));
    }
}

const fn bit(refusal: &DreamRefusal) -> u8 {
    match refusal {
        DreamRefusal::TooFewEpisodes { .. } => 1,
        DreamRefusal::PoorCredit { .. } => 2,
        DreamRefusal::Terminal => 4,
        DreamRefusal::PermitPending => 8,
        _ => 16,
    }
}
