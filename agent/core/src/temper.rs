//! Affect and suffering in the order of a tick: what furnishes them, what they hear, and how they lean on a decision.

use golem_daimon::Emotion;
use golem_daimon::influence::Influence;
use golem_mortality::behaviour::Behaviour;
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, UtcTime};
use golem_suffering::gate::Verdict;

use crate::affect::{Affect, Landing};
use crate::life::{Body, Desk, Life};
use crate::record::{Event, Forgone, Order, Outcome, OutcomeResult, Scar, Swayed, Temper};
use crate::rooms::Rooms;
use crate::step::Out;
use crate::strain::{Opening, Strain};
use crate::trader::Trader;

/// How far a mood moves the threshold of an entry.
const ENTRY: (f64, f64) = (0.8, 1.25);

/// A-002, S-008. The first word furnishes a room; later ones change what may be changed.
pub(crate) fn furnish(rooms: &mut Rooms, temper: &Temper, now: UtcTime) {
    match (&mut rooms.affect, temper.affect) {
        (Some(affect), told) => affect.retemper(told),
        (room @ None, Some(told)) => *room = Some(Box::new(Affect::born(told))),
        (None, None) => {}
    }
    match (&mut rooms.suffering, temper.suffering) {
        (Some(strain), _) => strain.retemper(temper),
        (room @ None, Some(_)) => *room = Some(Box::new(Strain::born(temper, now))),
        (None, None) => {}
    }
}

/// S-085. What a predecessor suffered stands before this life as a warning, once; where nothing is suffered it is nothing.
pub(crate) fn scar(rooms: &mut Rooms, scars: &[Scar]) {
    if let Some(strain) = rooms.suffering.as_deref_mut() {
        strain.scar(scars);
    }
}

/// What came of an effect reaches both.
pub(crate) fn hear(rooms: &mut Rooms, outcome: &Outcome, landing: Landing, trader: Option<&Trader>, now: UtcTime) {
    if let Some(affect) = rooms.affect.as_deref_mut() {
        landing.trigger(trader, outcome).into_iter().for_each(|trigger| affect.note(trigger));
        if let OutcomeResult::Confided { confession, .. } = &outcome.result {
            affect.hear(confession.feeling.clone());
        }
    }
    if let Some(strain) = rooms.suffering.as_deref_mut() {
        strain.hear_outcome(outcome, landing, now);
        if let OutcomeResult::Confided { confession, .. } = &outcome.result {
            strain.hear(confession.suffering.clone());
        }
    }
}

/// What a pass leaves in both: suffering first, because what it tells is appraised (S-144) and never the reverse.
pub(crate) fn live(rooms: &mut Rooms, body: &Body, trader: Option<&Trader>, desk: &mut Desk, out: &mut Out<'_>) {
    let is_dreaming = matches!(body, Body::Dreaming(_));
    if let Some(strain) = rooms.suffering.as_deref_mut() {
        strain.live((body.vitals(), body.is_alive(), is_dreaming), trader, desk, out);
    }
    if let Some(affect) = rooms.affect.as_deref_mut()
        && body.is_alive()
    {
        affect.live(body.vitals(), trader, is_dreaming, out);
    }
}

/// How affect and suffering lean on one decision. It holds them only to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lean<'a> {
    influence: Option<Influence>,
    strain: Option<&'a Strain>,
}

impl<'a> Lean<'a> {
    /// As they stand in this pass.
    pub(crate) fn of(affect: Option<&Affect>, strain: Option<&'a Strain>, tick: Tick, now: UtcTime) -> Self {
        Self { influence: affect.map(|affect| affect.influence(tick, now)), strain }
    }

    /// The risk that is taken: never more than the phase gives.
    pub(crate) fn risk(&self, phase: Phase) -> Ppm {
        let by_phase = Behaviour::of(phase).risk_within(Ppm::ONE);
        self.influence.map_or(by_phase, |influence| influence.risk_within(phase, Ppm::ONE).min(by_phase))
    }

    /// What the threshold of an entry is multiplied with: who exploits waits for more, who explores for less.
    pub(crate) fn entry(&self) -> f64 {
        self.influence.map_or(1.0, |influence| influence.beta(1.0).clamp(ENTRY.0, ENTRY.1))
    }

    /// How aroused a decision is made.
    pub(crate) fn arousal(&self) -> Ppm {
        self.influence.map_or(Ppm::ZERO, |influence| Ppm::round(influence.mood.arousal().max(0.0)))
    }

    /// What is asked for above the bare minimum before anything is sent.
    pub(crate) fn margin(&self) -> Ppm {
        self.influence.map_or(Ppm::ZERO, |influence| influence.safety_margin)
    }

    /// S-129. Why an order is closed. Who would get out is not asked about (S-128).
    pub(crate) fn closes(&self, order: &Order, trader: &Trader) -> Option<Forgone> {
        let (strain, opening) = (self.strain?, Opening::of(order)?);
        match strain.judge(opening, trader)? {
            Verdict::Closed(_) => Some(Forgone::Suffering(strain.band())),
            Verdict::Open(_) => None,
        }
    }

    /// S-129. Whether profit may be made into credits.
    pub(crate) fn may_harvest(&self, trader: &Trader) -> bool {
        self.strain.is_none_or(|strain| strain.may_harvest(trader))
    }

    /// A-006, S-080. What is told of an order that goes out: what moved it, and what was suffered there before.
    pub(crate) fn tell(&self, order: Order, trader: &Trader, phase: Phase, out: &mut Out<'_>) {
        if !order.raises_exposure() {
            return;
        }
        let (risk, by_phase) = (self.risk(phase), Behaviour::of(phase).risk_within(Ppm::ONE));
        if let Some(influence) = self.influence
            && (risk != by_phase || self.entry() != 1.0)
        {
            out.say(Event::Swayed(Box::new(Swayed { order, risk, by_phase, influence })));
        }
        if let (Some(strain), Some(opening)) = (self.strain, Opening::of(&order))
            && let Some(Verdict::Open(Some(signal))) = strain.judge(opening, trader)
        {
            out.say(Event::Anticipated(Box::new(signal)));
        }
    }
}

impl Life {
    /// Its mood, once it was told what it is like.
    #[must_use]
    pub fn affect(&self) -> Option<&Affect> {
        self.rooms.affect.as_deref()
    }

    /// M-184, A-064. What its own end feels like, to one that has moods.
    #[must_use]
    pub fn felt_end(&self) -> Option<Emotion> {
        self.affect().map(|_| crate::affect::felt_end(self.vitals()))
    }

    /// What presses on it, once it was told by which reading.
    #[must_use]
    pub fn strain(&self) -> Option<&Strain> {
        self.rooms.suffering.as_deref()
    }

    /// S-100, S-106, A-044. What it is under and in which mood, for every question that can pick or change a goal.
    #[must_use]
    pub fn state_words(&self) -> Option<String> {
        let (phase, now) = (self.vitals().phase(), self.vitals().vitality().last_computed);
        let pressed = self.strain().and_then(Strain::prompt);
        let mood = self.affect().and_then(|affect| affect.prompt(phase, now));
        let words: Vec<String> = [pressed, mood].into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join("\n\n"))
    }

    /// Whether this is what it last heard of itself. A life that was never told anything has heard of nothing.
    #[must_use]
    pub fn has_heard(&self, temper: &Temper) -> bool {
        let affect = self.affect().map_or(temper.affect.is_none(), |affect| affect.heard(temper.affect));
        let strain = self.strain().map_or(temper.suffering.is_none(), |strain| strain.heard(temper));
        affect && strain
    }
}
