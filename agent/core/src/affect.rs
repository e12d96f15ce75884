//! The mood of a life: what moved it, and what it may move.
//!
//! A life has no mood until it is told what it is like; without one nothing differs from a life that never heard
//! of moods. What happened is noted as it happens and appraised when the pass that brought it ends, so that what
//! is remembered of the pass carries what was felt of it.

mod gut;
mod triggers;

use golem_daimon::chain::EmotionReply;
use golem_daimon::contagion::{Sync, ThreatTrace};
use golem_daimon::feeling::Felt;
use golem_daimon::influence::Influence;
use golem_daimon::somatic::SomaticMarker;
use golem_daimon::{Daimon, DaimonLaw, Lived, MoodInput, Pad, Trigger};
use golem_grimoire::emotion::EmotionalTag;
use golem_mortality::phase::Phase;
use golem_mortality::ring::Ring;
use golem_mortality::vitals::Vitals;
use golem_primitives::{EffectId, Tick, UtcTime};
use serde::{Deserialize, Serialize};

use crate::body::Body as LifeBody;
use crate::pass::Pass;
use crate::precedents::Situation;
use crate::record::{AffectTemper, CladeNews, Event, Outcome, OutcomeResult, Scent, SiblingDeath, SignClass, Turn};
use crate::trader::Trader;
use crate::trader::setting::{Setting, setting_words};

pub(crate) use triggers::{Landing, felt_end};

use gut::Body;

/// Events of one pass that wait for their appraisal; of more, the first are enough for a mood.
const WAITING: usize = 32;
/// Outcomes a reorganisation can still take back.
const LANDED: usize = 16;
/// Ticks between two ordinary looks at one's own end.
const LOOK_EVERY: u64 = 10;

/// One life's affect, and what a tick has brought so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Affect {
    temper: AffectTemper,
    is_on: bool,
    pub daimon: Daimon,
    waiting: Vec<Trigger>,
    /// What a model said of its own state in this pass; `None` inside when it could not be read.
    reply: Option<Option<EmotionReply>>,
    /// The strongest thing that was felt in the tick in progress.
    felt: Option<Felt>,
    /// A-105, G-123. Whether the last two ticks were burnt in.
    pub(crate) is_flashbulb: bool,
    regime: String,
    /// How many limits the hazard has passed.
    dread: u8,
    /// What earlier tries left.
    body: Body,
    /// The last outcomes that moved it.
    landed: Ring<Option<EffectId>, LANDED>,
}

impl Affect {
    /// The first word furnishes the room; later ones change what may be changed.
    pub(crate) fn furnish(room: &mut Option<Box<Self>>, told: Option<AffectTemper>) {
        match (room, told) {
            (Some(affect), told) => affect.retemper(told),
            (room @ None, Some(told)) => *room = Some(Box::new(Self::born(told))),
            (None, None) => {}
        }
    }

    /// A life that is told what it is like.
    fn born(temper: AffectTemper) -> Self {
        Self {
            temper,
            is_on: true,
            daimon: Daimon::born(temper.personality),
            waiting: Vec::new(),
            reply: None,
            felt: None,
            is_flashbulb: false,
            regime: String::new(),
            dread: 0,
            body: Body::default(),
            landed: Ring::new(),
        }
    }

    /// Numbers may change, what it is like does not.
    fn retemper(&mut self, temper: Option<AffectTemper>) {
        self.is_on = temper.is_some();
        if let Some(temper) = temper {
            self.temper = AffectTemper { personality: self.temper.personality, ..temper };
        }
    }

    /// Whether it was told this already.
    pub(crate) fn heard(&self, temper: Option<AffectTemper>) -> bool {
        temper.map(|temper| AffectTemper { personality: self.temper.personality, ..temper })
            == self.is_on.then_some(self.temper)
    }

    /// The law it is moved by. Off, everything is as if there were none.
    #[must_use]
    pub fn law(&self) -> DaimonLaw {
        DaimonLaw { enabled: self.is_on, ..self.temper.law() }
    }

    /// Whether a model that is asked anyway may say what it makes of an event.
    #[must_use]
    pub const fn asks_model(&self) -> bool {
        self.is_on && self.temper.asks_model
    }

    /// The mood decisions read.
    #[must_use]
    pub fn mood(&self, now: UtcTime) -> Pad {
        self.daimon.mood(&self.law(), now)
    }

    /// The mood that siblings may hear of.
    #[must_use]
    pub fn own_mood(&self) -> Pad {
        self.daimon.own_mood(&self.law())
    }

    /// What it does to numbers that exist anyway.
    #[must_use]
    pub fn influence(&self, tick: Tick, now: UtcTime) -> Influence {
        self.daimon.influence(&self.law(), tick, now)
    }

    /// What a model is told of it: how near its end is, its mood, and what its gut says of what is considered.
    #[must_use]
    pub fn prompt(&self, vitals: &Vitals) -> Option<String> {
        let (phase, now) = (vitals.phase(), vitals.vitality().last_computed);
        let block = self.daimon.prompt(&self.law(), &triggers::mortal_facts(vitals), phase, now)?;
        let gut = self.body.words().filter(|_| phase > Phase::Conservation);
        Some(gut.map_or_else(|| block.clone(), |words| format!("{block}\n{words}")))
    }

    /// How strongly a situation is marked, when it was entered badly often enough to be thought over.
    pub(crate) fn warns_of(&self, situation: &Situation) -> Option<SomaticMarker> {
        self.body.warns_of(situation).filter(|_| self.is_on)
    }

    /// The landscape for those who come after: each place in words, with how often it won, how often it was tried and
    /// what it brought in the mean, as a share of what was at stake.
    pub fn landscape(&self) -> impl Iterator<Item = (String, (u32, u32, f64))> {
        self.body.leaves().iter().map(|leaf| (setting_words(&leaf.at), (leaf.wins, leaf.tries, leaf.pnl)))
    }

    /// An entry is sent, or thought over first.
    pub(crate) fn try_on(&mut self, situation: Situation, at: Setting, is_sent: bool) {
        match (self.is_on, is_sent) {
            (true, true) => self.body.enter(situation, at),
            (true, false) => self.body.consider(at),
            (false, _) => {}
        }
    }

    /// The tag of an episode made in this tick; none when nothing was appraised in it.
    #[must_use]
    pub fn tag(&self, tick: Tick, phase: Phase) -> Option<EmotionalTag> {
        self.felt.filter(|felt| felt.tick == tick).map(|felt| EmotionalTag::of(&felt, phase))
    }

    /// What came of an effect. What a reorganisation took back and brought again moves nobody twice.
    pub(crate) fn land(&mut self, outcome: &Outcome, landing: Landing, trader: Option<&Trader>) {
        let trigger = landing.trigger(trader, outcome).filter(|_| self.is_news(outcome.effect));
        trigger.into_iter().for_each(|trigger| self.note(trigger));
        if let OutcomeResult::Confided { confession, .. } = &outcome.result {
            self.reply = Some(confession.feeling.clone());
        }
    }

    /// Whether this outcome has not moved it yet; from now on it has.
    fn is_news(&mut self, effect: EffectId) -> bool {
        let is_new = !self.landed.iter().any(|known| *known == Some(effect));
        if is_new {
            self.landed.push(Some(effect));
        }
        is_new
    }

    pub(crate) fn note(&mut self, trigger: Trigger) {
        if self.is_on {
            self.body.land(&trigger);
        }
        if self.waiting.len() < WAITING {
            self.waiting.push(trigger);
        }
    }

    /// What siblings told: a death is grieved, a crisis or a warning rouses, and a mood is caught, within
    /// the bounds of one sync; and what of the air is a threat rouses while it is there.
    pub(crate) fn hear_clade(&mut self, news: &CladeNews, deaths: &[&SiblingDeath], pass: &mut Pass<'_>) {
        for death in deaths {
            self.note(Trigger::SiblingDeath { cause: death.cause, overlap: death.overlap });
        }
        if news.warnings() > 0 || !news.moods.is_empty() {
            let sync = Sync { moods: &news.moods, warnings: news.warnings(), ..Sync::default() };
            let told = self.daimon.sync(&self.law(), &sync, pass.now());
            told.into_iter().for_each(|event| pass.say(Event::Daimon(Box::new(event))));
        }
        let threats = news.air.iter().filter(|scent| scent.class == SignClass::Threat);
        let trace = |scent: &Scent| ThreatTrace { intensity: scent.intensity, confirmations: scent.confirmations };
        let threats: Vec<ThreatTrace> = threats.map(trace).collect();
        self.daimon.smell(&self.law(), &threats);
    }

    /// Appraises what the pass brought; behind the last turn the tick as a whole.
    pub(crate) fn live(&mut self, body: &LifeBody, trader: Option<&Trader>, pass: &mut Pass<'_>) {
        let (vitals, input) = (body.vitals(), pass.input());
        if !self.is_on {
            self.waiting.clear();
            self.reply = None;
            return;
        }
        for at in 0..pass.events.len() {
            triggers::of_event(&pass.events[at], vitals, |trigger| self.note(trigger));
        }
        let is_rest = input.turn == Turn::Sleeping;
        if is_rest {
            self.note_tick(vitals, trader, pass);
        } else if let Some(trader) = trader {
            self.note_regime(trader);
        }
        if !is_rest && self.waiting.is_empty() && self.reply.is_none() {
            return;
        }
        let (law, triggers, reply) = (self.law(), std::mem::take(&mut self.waiting), self.reply.take());
        let moment = MoodInput {
            tick: input.tick,
            now: input.now,
            triggers: &triggers,
            reply: reply.as_ref().map(Option::as_ref),
            is_dreaming: matches!(body, LifeBody::Dreaming(_)),
        };
        let lived = if is_rest { self.daimon.live(&law, &moment) } else { self.daimon.appraise(&law, &moment) };
        self.keep(lived, input.tick, is_rest, pass);
        self.waiting = triggers;
        self.waiting.clear();
    }

    fn keep(&mut self, lived: Lived, tick: Tick, is_rest: bool, pass: &mut Pass<'_>) {
        let earlier = self.felt.filter(|felt| felt.tick == tick);
        let strongest = lived.tag().copied().into_iter().chain(earlier);
        self.felt = strongest.max_by_key(|felt| felt.feeling.intensity);
        if is_rest {
            self.is_flashbulb = lived.is_flashbulb;
        }
        lived.events.into_iter().for_each(|event| pass.say(Event::Daimon(Box::new(event))));
    }

    /// What belongs to a tick as a whole.
    fn note_tick(&mut self, vitals: &Vitals, trader: Option<&Trader>, pass: &Pass<'_>) {
        let level = triggers::dread(vitals);
        if level > self.dread {
            self.note(triggers::of_crossing(vitals));
        } else if pass.tick().is_every(LOOK_EVERY) {
            self.note(triggers::of_look(vitals));
        }
        self.dread = level;
        if self.waiting.is_empty() {
            self.note(Trigger::Pulse(triggers::pulse(vitals, trader, pass.desk.matches)));
        }
    }

    /// Another market than at the last look, once there was one.
    fn note_regime(&mut self, trader: &Trader) {
        let regime = trader.regime_name();
        if self.regime != regime {
            if !self.regime.is_empty() && trader.regime().is_some() {
                self.note(Trigger::RegimeShift);
            }
            self.regime = regime.to_owned();
        }
    }
}
