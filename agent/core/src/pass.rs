//! One pass of a life: what came in, the desk on which it collects, and what is told and wanted of it.
//!
//! Everything a pass goes through reads and tells through this; nothing below knows the order in which it is called.

use golem_mortality::economic::tier::Tier;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::event::LawEvents;
use golem_mortality::vitals::Vitals;
use golem_primitives::{EffectId, GolemId, Tick, Usdc, UtcTime};

use crate::budget::PurseRequest;
use crate::desk::Desk;
use crate::record::{
    CommandRefusal, Dropped, EFFECTS_PER_STEP, EVENTS_PER_STEP, Effect, EffectKind, EffectRefusal, Effects, Event,
    Events, TickInput,
};

/// What a pass reads, says and wants.
pub(crate) struct Pass<'a> {
    input: &'a TickInput,
    /// Facts of the tick, and what is promised.
    pub(crate) desk: Box<Desk>,
    pub(crate) events: Events,
    pub(crate) effects: Effects,
    /// S-036. The largest model that may be asked beside the ticks; phase and purse bind besides.
    pub(crate) ceiling: Tier,
    /// V-003. The books differ from the vault: nobody is paid and nothing is entered.
    pub(crate) is_apart: bool,
    ordinal: u32,
}

impl<'a> Pass<'a> {
    /// A pass in which nothing was said yet.
    pub(crate) fn new(input: &'a TickInput, desk: Box<Desk>) -> Self {
        let (events, effects) = (Events::new(), Effects::new());
        Self { input, desk, events, effects, ceiling: Tier::T3, is_apart: false, ordinal: 0 }
    }

    pub(crate) const fn input(&self) -> &'a TickInput {
        self.input
    }

    pub(crate) const fn tick(&self) -> Tick {
        self.input.tick
    }

    pub(crate) const fn now(&self) -> UtcTime {
        self.input.now
    }

    /// Says something; the last place of the list tells that there was more.
    pub(crate) fn say(&mut self, event: Event) {
        match EVENTS_PER_STEP.saturating_sub(self.events.len()) {
            0 => {}
            1 => self.events.push(Event::InputDropped { what: Dropped::Events }),
            _ => self.events.push(event),
        }
    }

    /// Says what the law said. It always finds room: what came before is cut, not the death of a Golem.
    pub(crate) fn say_all(&mut self, events: &mut LawEvents) {
        self.events.truncate(EVENTS_PER_STEP - events.len());
        self.events.extend(events.drain(..).map(Event::Mortality));
    }

    /// Says why a command is not obeyed.
    pub(crate) fn refuse(&mut self, reason: CommandRefusal) {
        self.say(Event::CommandRefused { reason });
    }

    /// Puts a pair on the desk for the epistemic clock.
    pub(crate) fn count(&mut self, pair: Pair) {
        if self.desk.pairs.try_push(pair).is_err() {
            self.say(Event::InputDropped { what: Dropped::Pairs });
        }
    }

    /// Wants one effect if the budget allows it, and answers its id; a refusal is an event.
    pub(crate) fn ask(&mut self, kind: EffectKind, vitals: &Vitals) -> Option<EffectId> {
        self.ask_up_to(kind, PurseRequest::of(kind).budget, vitals)
    }

    /// The same with a bound of its own on what it may cost.
    pub(crate) fn ask_up_to(&mut self, kind: EffectKind, budget: Usdc, vitals: &Vitals) -> Option<EffectId> {
        let ask = PurseRequest { budget, ..PurseRequest::of(kind) };
        // Nobody pays for what is not counted: a life without an economic clock wants the same and is charged nothing.
        let ask = if vitals.law().mode.counts_credits() { ask } else { PurseRequest { payer: None, ..ask } };
        let id = self.next_id(vitals.id());
        let promised = self.desk.holds.promise(id, ask, vitals.economic().purse(), vitals.posture().ceiling);
        let reason = match promised {
            Ok(()) if self.effects.len() < EFFECTS_PER_STEP => {
                self.effects.push(Effect { id, kind, budget: ask.budget });
                return Some(id);
            }
            Ok(()) => {
                self.desk.holds.settle(id);
                EffectRefusal::TooManyOpen
            }
            Err(reason) => reason,
        };
        self.say(Event::EffectRefused { kind, reason });
        None
    }

    /// Wants an effect that no cap stands against, paid by the reserve (M-181).
    pub(crate) fn insist(&mut self, kind: EffectKind, vitals: &Vitals) -> EffectId {
        let id = self.next_id(vitals.id());
        self.desk.holds.insist(id);
        self.effects.push(Effect { id, kind, budget: vitals.economic().reserve() });
        id
    }

    /// The id of the next effect of this pass.
    fn next_id(&mut self, golem: &GolemId) -> EffectId {
        let ordinal = self.ordinal;
        self.ordinal += 1;
        EffectId::derive(golem, self.input.tick, self.input.turn as u8, ordinal)
    }
}
