//! The Daimon of one Golem: plain data, moved once a tick.

mod hindsight;

use golem_mortality::cause::CauseKind;
use golem_mortality::phase::Phase;
use golem_mortality::ring::Ring;
use golem_primitives::{Ppm, Tick, UtcTime};

use crate::attention::{Attention, Heard};
use crate::chain::{EmotionReply, Overrides, ground};
use crate::contagion::{Contagion, Sync, ThreatTrace};
use crate::emotion::{Emotion, MoodLabel};
use crate::event::DaimonEvent;
use crate::evidence::FeelingGrounds;
use crate::feeling::{Feeling, Felt};
use crate::grief::Grief;
use crate::influence::Influence;
use crate::law::{AppraisalModel, DaimonLaw};
use crate::memory::Flashbulb;
use crate::mood::{Mood, MoodWindow, NOTABLE, SAMPLE_TICKS};
use crate::mortal::MortalFacts;
use crate::pad::Pad;
use crate::personality::Personality;
use crate::prompt::{self, RECENT};
use crate::pulse::Residual;
use crate::rules::{Ground, appraise};
use crate::trigger::Trigger;
use crate::watch::{Alert, WatchMemory};

/// What a tick brings.
#[derive(Debug, Clone, Copy)]
pub struct MoodInput<'a> {
    pub tick: Tick,
    pub now: UtcTime,
    pub triggers: &'a [Trigger],
    /// What a model said of it, when one was asked anyway; `None` inside when it said nothing readable.
    pub reply: Option<Option<&'a EmotionReply>>,
    /// Whether it dreams: then live events wait for the waking.
    pub is_dreaming: bool,
}

/// What a tick left.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lived {
    /// What was felt; episodes made in this tick are tagged with it.
    pub felt: Vec<Felt>,
    pub events: Vec<DaimonEvent>,
    /// Whether the tick is burnt in.
    pub is_flashbulb: bool,
}

impl Lived {
    /// The tag of an episode made in this tick: the strongest of what was felt, none when nothing was.
    #[must_use]
    pub fn tag(&self) -> Option<&Felt> {
        self.felt.iter().reduce(|best, one| if one.feeling.intensity > best.feeling.intensity { one } else { best })
    }
}

/// Emotion, mood and personality of one Golem. It holds no clock, no chance and no inference.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Daimon {
    personality: Personality,
    mood: Mood,
    window: MoodWindow,
    residual: Residual,
    contagion: Contagion,
    attention: Attention,
    grief: Option<Grief>,
    recent: Ring<Option<Felt>, RECENT>,
    /// What happened behind each of those, in the same order.
    behind: Ring<Option<Trigger>, RECENT>,
    told: Pad,
    overrides: Overrides,
    watch: WatchMemory,
    flashbulb: Flashbulb,
    primary: Option<Emotion>,
}

impl Daimon {
    /// One that has felt nothing yet and rests at what it is like.
    #[must_use]
    pub fn born(personality: Personality) -> Self {
        let baseline = personality.baseline();
        Self {
            personality,
            mood: Mood::from(baseline),
            window: MoodWindow::default(),
            residual: Residual::ZERO,
            contagion: Contagion::default(),
            attention: Attention::default(),
            grief: None,
            recent: Ring::new(),
            behind: Ring::new(),
            told: baseline,
            overrides: Overrides::default(),
            watch: WatchMemory::default(),
            flashbulb: Flashbulb::default(),
            primary: None,
        }
    }

    /// Appraises what a turn brought before its tick is over, so that what is remembered of the turn is
    /// tagged with it. What belongs to a whole tick waits for [`live`](Self::live).
    pub fn appraise(&mut self, law: &DaimonLaw, moment: &MoodInput<'_>) -> Lived {
        let mut lived = Lived::default();
        if law.is_on() && !moment.is_dreaming {
            self.feel(law, moment, &mut lived);
        }
        lived
    }

    /// Lives one tick: third after each turn, behind the heartbeat and the law of mortality.
    pub fn live(&mut self, law: &DaimonLaw, moment: &MoodInput<'_>) -> Lived {
        let mut lived = Lived::default();
        if !law.is_on() {
            return lived;
        }
        if !moment.is_dreaming {
            self.feel(law, moment, &mut lived);
        }
        if moment.tick.is_every(SAMPLE_TICKS) {
            self.mood = self.mood.returning(self.personality.baseline());
            self.window.sample(self.mood.pad());
        }
        self.look_around(law, moment, &mut lived);
        lived
    }

    /// Steps one to three and six of A-037: appraise, vector, label, mood.
    fn feel(&mut self, law: &DaimonLaw, moment: &MoodInput<'_>, lived: &mut Lived) {
        let felt_by = |trigger: &&Trigger| law.mortality_aware || !trigger.is_mortal();
        let triggers: Vec<Trigger> = moment.triggers.iter().filter(felt_by).copied().collect();
        for trigger in &triggers {
            if let Trigger::PredictionResolved { surprise_ppm, accuracy_trend_ppm } = trigger {
                self.residual = self.residual.resolved(*surprise_ppm, *accuracy_trend_ppm);
            }
        }
        let ground = Ground { baseline: self.personality.baseline(), residual: self.residual };
        let magnitude = |trigger: &Trigger| appraise(trigger, &ground).intensity;
        let heard: Vec<Heard> =
            triggers.iter().map(|trigger| Heard { trigger: *trigger, magnitude: magnitude(trigger) }).collect();
        let attended = self.attention.attend(&heard, self.watch.sensitivity(moment.tick));
        if attended.left > 0 {
            lived.events.push(DaimonEvent::Alert(Alert::TooManyAppraisals));
        }
        let asked = self.asked_of(law, moment, &attended.heard);
        if asked.is_none() {
            self.look_back(law, moment, lived);
        }
        let evidence = FeelingGrounds::of(&triggers);
        for (at, heard) in attended.heard.iter().enumerate() {
            let rule = appraise(&heard.trigger, &ground);
            let (feeling, divergence) = match asked {
                Some((place, reply)) if place == at => self.judged(reply, rule, &evidence, lived),
                _ => (rule, None),
            };
            self.take_in(law, moment, &heard.trigger, feeling, divergence, lived);
        }
    }

    /// Which of these events a model's answer is about: the one it names, or the first when it names none.
    /// An answer about an earlier event is for hindsight.
    fn asked_of<'a>(
        &self,
        law: &DaimonLaw,
        moment: &MoodInput<'a>,
        heard: &[Heard],
    ) -> Option<(usize, Option<&'a EmotionReply>)> {
        let reply = self.believable(law, moment)?;
        let names = |one: &Heard| reply.is_some_and(|reply| one.trigger.kind().name() == reply.trigger.trim());
        let is_earlier = || reply.is_some_and(|reply| self.recalls(reply, moment.tick));
        let first = (!heard.is_empty() && !is_earlier()).then_some(0);
        heard.iter().position(names).or(first).map(|at| (at, reply))
    }

    /// What a model said, while models are heard at all.
    fn believable<'a>(&self, law: &DaimonLaw, moment: &MoodInput<'a>) -> Option<Option<&'a EmotionReply>> {
        let is_heard = law.model == AppraisalModel::ChainOfEmotion && !self.overrides.should_stop();
        moment.reply.filter(|_| is_heard)
    }

    fn judged(
        &mut self,
        reply: Option<&EmotionReply>,
        rule: Feeling,
        evidence: &FeelingGrounds,
        lived: &mut Lived,
    ) -> (Feeling, Option<String>) {
        let grounded = ground(reply, rule, evidence);
        let was_on = !self.overrides.should_stop();
        self.overrides.count(grounded.divergence.is_some());
        if was_on && self.overrides.should_stop() {
            lived.events.push(DaimonEvent::Alert(Alert::ModelSwitchedOff));
        }
        (grounded.feeling, grounded.divergence.map(|divergence| divergence.to_string()))
    }

    fn take_in(
        &mut self,
        law: &DaimonLaw,
        moment: &MoodInput<'_>,
        trigger: &Trigger,
        feeling: Feeling,
        divergence: Option<String>,
        lived: &mut Lived,
    ) {
        let felt = Felt { feeling, trigger: trigger.kind(), mood: self.mood.pad(), tick: moment.tick, at: moment.now };
        self.mood = self.mood.moved(&feeling, law.mood_decay);
        self.watch.note_felt(&felt);
        self.recent.push(Some(felt));
        self.behind.push(Some(*trigger));
        if self.primary != Some(feeling.primary) {
            lived.events.push(DaimonEvent::EmotionalShift { from: self.primary, to: feeling.primary });
            self.primary = Some(feeling.primary);
        }
        let everywhere = matches!(trigger, Trigger::Mortality { facts, .. } if facts.goes_everywhere());
        lived.events.push(DaimonEvent::Appraisal { felt, divergence, everywhere });
        if let Trigger::SiblingDeath { cause, overlap } = trigger {
            // a second death starts grief anew and does not add to it.
            let grief = Grief::begin(moment.tick, law.grief_ticks, *cause, *overlap);
            self.grief = Some(grief);
            lived.events.push(DaimonEvent::GriefBegan {
                recalibrates: grief.recalibrates(moment.tick),
                looks_at_credits: *cause == CauseKind::Economic && law.mortality_aware,
            });
        }
        lived.felt.push(felt);
    }

    /// What is told of the mood as it is now.
    fn look_around(&mut self, law: &DaimonLaw, moment: &MoodInput<'_>, lived: &mut Lived) {
        if self.grief.is_some_and(|grief| !grief.lasts(moment.tick)) {
            self.grief = None;
        }
        if moment.triggers.iter().any(|trigger| matches!(trigger, Trigger::CuratorCycle)) {
            lived.events.extend(self.watch.review(moment.tick).map(DaimonEvent::Alert));
        }
        let mood = self.mood(law, moment.now);
        lived.is_flashbulb = self.flashbulb.notes(self.arousal_of(moment.tick, lived));
        lived.events.extend(self.watch.note_mood(mood, moment.tick).into_iter().map(DaimonEvent::Alert));
        if mood.distance(self.told) > NOTABLE {
            lived.events.push(DaimonEvent::MoodUpdate { from: self.told, to: mood, label: MoodLabel::of(mood) });
            self.told = mood;
        }
    }

    /// How aroused the tick was: by the strongest of this turn, or what an earlier turn of the tick left.
    fn arousal_of(&self, tick: Tick, lived: &Lived) -> f64 {
        let earlier = || self.recent().filter(|felt| felt.tick == tick).max_by_key(|felt| felt.feeling.intensity);
        lived.tag().copied().or_else(earlier).map_or(0.0, |felt| felt.feeling.pad.arousal())
    }

    /// Takes in what a sync with the Clade brought. The engine is the only one that writes a mood.
    pub fn sync(&mut self, law: &DaimonLaw, sync: &Sync<'_>, now: UtcTime) -> Vec<DaimonEvent> {
        if !law.is_on() || !self.contagion.absorb(sync, self.mood.pad(), now) {
            return Vec::new();
        }
        self.watch.note_cap(now).map(DaimonEvent::Alert).into_iter().collect()
    }

    /// Takes in what hangs in the air.
    pub fn smell(&mut self, law: &DaimonLaw, threats: &[ThreatTrace]) {
        if law.is_on() {
            self.contagion.smell(threats);
        }
    }

    /// The mood consumers read: nothing when affect is off, what one is like until there are ten
    /// samples, and then the mood with what others left in it.
    #[must_use]
    pub fn mood(&self, law: &DaimonLaw, now: UtcTime) -> Pad {
        if !law.is_on() {
            return Pad::NEUTRAL;
        }
        let own = if self.window.is_settled() { self.mood.pad() } else { self.personality.baseline() };
        self.contagion.colour(own, now)
    }

    /// The mood that may be shared: one's own, without what others left in it, so that nothing echoes.
    #[must_use]
    pub fn own_mood(&self, law: &DaimonLaw) -> Pad {
        if law.is_on() { self.mood.pad() } else { Pad::NEUTRAL }
    }

    /// What was felt last, with what is left of it.
    #[must_use]
    pub fn emotion(&self, now: UtcTime) -> Option<(Felt, Ppm)> {
        let felt = (*self.recent.newest()?)?;
        Some((felt, felt.feeling.intensity_after(now.since(felt.at))))
    }

    /// What was felt of late, oldest first.
    pub fn recent(&self) -> impl Iterator<Item = Felt> + '_ {
        self.recent.iter().copied().flatten()
    }

    /// What it is like.
    #[must_use]
    pub const fn personality(&self) -> &Personality {
        &self.personality
    }

    /// The grief it is in.
    #[must_use]
    pub fn grief(&self, tick: Tick) -> Option<&Grief> {
        self.grief.as_ref().filter(|grief| grief.lasts(tick))
    }

    /// Whether nothing has been in its hands for 200 ticks.
    #[must_use]
    pub const fn is_helpless(&self) -> bool {
        self.watch.is_helpless()
    }

    /// What it does to numbers that exist anyway. Off, it does nothing.
    #[must_use]
    pub fn influence(&self, law: &DaimonLaw, tick: Tick, now: UtcTime) -> Influence {
        if !law.is_on() {
            return Influence::NONE;
        }
        // An emotion that has faded to nothing moves nothing.
        let fresh = self.emotion(now).filter(|(_, left)| *left >= Ppm::of(50_000)).map(|(felt, _)| felt.feeling);
        Influence::of(self.mood(law, now), fresh.as_ref(), self.grief(tick), tick)
    }

    /// What a model is told of it: how near its end is, where that moves it, and its mood; nothing when affect is off.
    #[must_use]
    pub fn prompt(&self, law: &DaimonLaw, facts: &MortalFacts, phase: Phase, now: UtcTime) -> Option<String> {
        if !law.is_on() {
            return None;
        }
        let recent: Vec<Felt> = self.recent().collect();
        let end = law.mortality_aware.then(|| prompt::mortality_block(facts, phase));
        let parts = end.into_iter().chain([prompt::block(self.mood(law, now), &recent, phase)]);
        Some(parts.collect::<Vec<_>>().join("\n"))
    }
}
