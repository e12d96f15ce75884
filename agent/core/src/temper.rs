//! Affect and suffering in the order of a tick: what furnishes them, what they hear, and how they lean on a decision.

use golem_daimon::Emotion;
use golem_daimon::influence::Influence;
use golem_daimon::somatic::SomaticMarker;
use golem_mortality::behaviour::Behaviour;
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_primitives::{Ppm, Tick, UtcTime};
use golem_suffering::gate::Verdict;

use crate::affect::{Affect, Landing};
use crate::body::Body;
use crate::deliberation::{Bias, bent};
use crate::life::Life;
use crate::mind::Mind;
use crate::pass::Pass;
use crate::precedents::Situation;
use crate::record::{
    Band, CladeNews, EffectKind, Event, Forgone, Order, Outcome, OutcomeResult, Scar, Signal, Swayed, Temper,
};
use crate::rooms::Rooms;
use crate::strain::{Opening, Strain};
use crate::trader::{self, Trader};

/// How far a mood raises the threshold of an entry. It lowers none: nothing is entered that the rules would
/// not foretell anything of.
const ENTRY: (f64, f64) = (1.0, 1.25);

/// A-002, S-008. The first word furnishes a room; later ones change what may be changed.
pub(crate) fn furnish(rooms: &mut Rooms, temper: &Temper, now: UtcTime) {
    match (&mut rooms.affect, temper.affect) {
        (Some(affect), told) => affect.retemper(told),
        (room @ None, Some(told)) => *room = Some(Box::new(Affect::born(told))),
        (None, None) => {}
    }
    match (&mut rooms.suffering, temper.suffering) {
        (Some(strain), _) => strain.retemper(temper, now),
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

/// S-034. What siblings told is told on, moves a mood, and nothing that presses.
pub(crate) fn hear_clade(rooms: &mut Rooms, news: &CladeNews, pass: &mut Pass<'_>) {
    if rooms.affect.is_some() || rooms.suffering.is_some() {
        news.crises.iter().for_each(|heard| pass.say(Event::SiblingCrisis(Box::new(heard.clone()))));
    }
    if let Some(affect) = rooms.affect.as_deref_mut() {
        affect.hear_clade(news, pass);
    }
}

/// What came of an effect reaches both.
pub(crate) fn hear(rooms: &mut Rooms, outcome: &Outcome, landing: Landing, trader: Option<&Trader>, now: UtcTime) {
    if let Some(affect) = rooms.affect.as_deref_mut() {
        // What a reorganisation took back and brought again moves nobody twice.
        let trigger = landing.trigger(trader, outcome).filter(|_| affect.is_news(outcome.effect));
        trigger.into_iter().for_each(|trigger| affect.note(trigger));
        if let OutcomeResult::Confided { confession, .. } = &outcome.result {
            affect.hear(confession.feeling.clone());
        }
    }
    if let Some(strain) = rooms.suffering.as_deref_mut() {
        strain.hear_outcome(outcome, landing, trader, now);
        if let OutcomeResult::Confided { confession, .. } = &outcome.result {
            strain.hear(confession.suffering.clone());
        }
    }
}

/// What a pass leaves in both: suffering first, because what it tells is appraised (S-144) and never the reverse.
pub(crate) fn live(rooms: &mut Rooms, body: &Body, trader: Option<&Trader>, pass: &mut Pass<'_>) {
    if let Some(strain) = rooms.suffering.as_deref_mut() {
        strain.live(body, trader, pass);
    }
    if let Some(affect) = rooms.affect.as_deref_mut()
        && body.is_alive()
    {
        if let Some(trader) = trader {
            try_on(affect, rooms.mind.as_deref(), trader, body.vitals().phase(), pass);
        }
        affect.live(body, trader, pass);
    }
}

/// The entry this pass sent, or asks a model about.
fn tried(mind: Option<&Mind>, pass: &Pass<'_>) -> Option<(Order, bool)> {
    pass.effects.iter().find_map(|effect| match effect.kind {
        EffectKind::Trade(order) if order.raises_exposure() => Some((order, true)),
        EffectKind::Deliberate { .. } => {
            let pending = mind?.pending().filter(|pending| pending.effect() == effect.id)?;
            Some((pending.choices().candidates().first()?.order, false))
        }
        _ => None,
    })
}

fn try_on(affect: &mut Affect, mind: Option<&Mind>, trader: &Trader, phase: Phase, pass: &Pass<'_>) {
    let Some((order, is_sent)) = tried(mind, pass) else { return };
    let lean = Lean::of(Some(affect), None, pass);
    let (situation, entry) = (trader::situation(&order, trader, phase), lean.entry());
    if let Some(at) = trader::setting(&order, trader, entry) {
        affect.try_on(situation, at, is_sent);
    }
}

/// How affect and suffering lean on one decision. It holds them only to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lean<'a> {
    influence: Option<Influence>,
    affect: Option<&'a Affect>,
    strain: Option<&'a Strain>,
}

impl<'a> Lean<'a> {
    /// As they stand in this pass.
    pub(crate) fn of(affect: Option<&'a Affect>, strain: Option<&'a Strain>, pass: &Pass<'_>) -> Self {
        Self { influence: affect.map(|affect| affect.influence(pass.tick(), pass.now())), affect, strain }
    }

    /// The risk that is taken: never more than the phase gives.
    pub(crate) fn risk(&self, phase: Phase) -> Ppm {
        let by_phase = Behaviour::of(phase).risk_within(Ppm::ONE);
        self.influence.map_or(by_phase, |influence| influence.risk_within(phase, Ppm::ONE).min(by_phase))
    }

    /// What the threshold of an entry is multiplied with: who exploits waits for more, who explores does not,
    /// and who is moved by what went badly is cautious, however far its thoughts wander.
    pub(crate) fn entry(&self) -> f64 {
        let factor = |influence: Influence| {
            let beta = influence.beta(1.0);
            if influence.mood.pleasure() < 0.0 { 2.0 - beta } else { beta }
        };
        self.influence.map_or(1.0, |influence| factor(influence).clamp(ENTRY.0, ENTRY.1))
    }

    /// How aroused a decision is made.
    pub(crate) fn arousal(&self) -> Ppm {
        self.influence.map_or(Ppm::ZERO, |influence| Ppm::round(influence.mood.arousal().max(0.0)))
    }

    /// How a mood bends what depends on a decision.
    pub(crate) fn stakes(&self, plain: Ppm) -> Ppm {
        bent(plain, self.influence.as_ref())
    }

    /// What mood and marks do to whom is asked.
    pub(crate) fn bias(&self, situation: &Situation) -> Bias {
        self.influence.map_or_else(Bias::default, |influence| Bias::of(&influence, self.marked(situation).is_some()))
    }

    /// The mark of a situation that wants to be thought over.
    pub(crate) fn marked(&self, situation: &Situation) -> Option<SomaticMarker> {
        self.affect.and_then(|affect| affect.warns_of(situation))
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
    pub(crate) fn may_harvest(&self, trader: &Trader, vitals: &Vitals) -> bool {
        self.strain.is_none_or(|strain| strain.may_harvest(trader, vitals))
    }

    /// Whether no entry is asked for now, because one was just closed. What gets out does not wait.
    pub(crate) fn rests(&self, order: &Order, tick: Tick) -> bool {
        order.raises_exposure() && self.strain.is_some_and(|strain| strain.rests(tick))
    }

    /// S-129. The band in which data is not bought, when this is one. What is on its way is followed to its end.
    pub(crate) fn closes_purchases(&self, trader: &Trader) -> Option<Band> {
        self.strain.filter(|strain| !strain.may_buy(trader)).map(Strain::band)
    }

    /// S-036. Whether a model is asked to look at what presses, though nothing may be chosen.
    pub(crate) fn examines(&self, tick: Tick) -> bool {
        self.strain.is_some_and(|strain| strain.examines(tick))
    }

    /// S-080. What was suffered before where an order would enter.
    pub(crate) fn anticipates(&self, order: &Order, trader: &Trader) -> Option<Signal> {
        self.strain?.anticipates(Opening::of(order)?, trader)
    }

    /// S-080. Warns of what was suffered there before an order enters: when a model is asked about it, or when it goes out
    /// and nobody was.
    pub(crate) fn warn(&self, order: &Order, trader: &Trader, pass: &mut Pass<'_>) {
        if let Some(signal) = self.anticipates(order, trader) {
            pass.say(Event::Anticipated(Box::new(signal)));
        }
    }

    /// What is told of an order that goes out: what moved it.
    pub(crate) fn tell(&self, order: Order, phase: Phase, pass: &mut Pass<'_>) {
        if !order.raises_exposure() {
            return;
        }
        let (risk, by_phase) = (self.risk(phase), Behaviour::of(phase).risk_within(Ppm::ONE));
        if let Some(influence) = self.influence
            && (risk != by_phase || self.entry() != 1.0)
        {
            pass.say(Event::Swayed(Box::new(Swayed { order, risk, by_phase, influence })));
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

    /// S-100, S-106, S-123, A-044. What it is under, what was suffered where the open question leads (S-080), and in which
    /// mood it is, for every question that is asked of a living one.
    #[must_use]
    pub fn state_words(&self) -> Option<String> {
        let (phase, now) = (self.vitals().phase(), self.vitals().vitality().last_computed);
        let pressed = self.strain().and_then(Strain::prompt);
        let warned = self.anticipated().map(|signal| signal.text());
        let mood = self.affect().and_then(|affect| affect.prompt(phase, now));
        let words: Vec<String> = [pressed, warned, mood].into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join("\n\n"))
    }

    /// S-080. What was suffered before where the open question leads.
    fn anticipated(&self) -> Option<Signal> {
        let asked = self.mind()?.pending()?.choices().candidates().first()?;
        self.strain()?.anticipates(Opening::of(&asked.order)?, self.trader()?)
    }

    /// Whether this is what it last heard of itself. A life that was never told anything has heard of nothing.
    #[must_use]
    pub fn has_heard(&self, temper: &Temper) -> bool {
        let affect = self.affect().map_or(temper.affect.is_none(), |affect| affect.heard(temper.affect));
        let strain = self.strain().map_or(temper.suffering.is_none(), |strain| strain.heard(temper));
        affect && strain
    }
}

#[cfg(test)]
mod tests {
    use golem_daimon::Pad;
    use proptest::prelude::*;

    use super::*;

    fn entry(p: f64, a: f64, d: f64) -> f64 {
        let influence = Influence { mood: Pad::round(p, a, d), ..Influence::NONE };
        Lean { influence: Some(influence), affect: None, strain: None }.entry()
    }

    /// fear is caution, contentment waits for more, and a calm mind enters as the rules say.
    #[test]
    fn a_001_fear_makes_an_entry_harder() {
        assert!((entry(-0.3, 0.4, -0.2) - 1.19).abs() < 1e-9);
        assert!((entry(0.2, 0.1, 0.3) - 1.07).abs() < 1e-9);
        assert_eq!((entry(0.0, 0.0, 0.0), entry(0.1, 0.9, 0.0), entry(-1.0, 1.0, -1.0)), (1.0, 1.0, 1.25));
    }

    proptest! {
        /// whatever the mood, nothing is entered sooner than the rules would.
        #[test]
        fn a_151_no_mood_enters_sooner(p in -1.0..=1.0f64, a in -1.0..=1.0f64, d in -1.0..=1.0f64) {
            prop_assert!((1.0..=1.25).contains(&entry(p, a, d)));
        }
    }
}
