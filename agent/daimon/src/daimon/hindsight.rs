//! A model's word about an event that was felt before: an answer takes a tick or two, and what it is about was appraised by
//! rule meanwhile.

use golem_primitives::Tick;

use super::{Daimon, Lived, MoodInput};
use crate::chain::EmotionReply;
use crate::event::DaimonEvent;
use crate::evidence::FeelingGrounds;
use crate::feeling::Felt;
use crate::law::DaimonLaw;
use crate::trigger::Trigger;

/// Ticks after which nobody speaks of an event any more.
const REMEMBERED: u64 = 10;

fn is_named(felt: &Felt, reply: &EmotionReply) -> bool {
    felt.trigger.name() == reply.trigger.trim()
}

impl Daimon {
    /// Judges what a model said of something it was told of: the event it names, or the newest when it names
    /// none that was felt of late. Where it is believed the mood is what it were had the event been felt so at once; the
    /// evidence is that of the event's own tick.
    pub(super) fn look_back(&mut self, law: &DaimonLaw, moment: &MoodInput<'_>, lived: &mut Lived) {
        let Some(reply) = self.believable(law, moment) else { return };
        let named = reply.and_then(|reply| self.fresh(moment.tick).filter(|felt| is_named(felt, reply)).last());
        let Some(felt) = named.or_else(|| self.fresh(moment.tick).last()) else {
            // Nothing was felt, so there is nothing to feel otherwise.
            return;
        };
        let evidence = FeelingGrounds::of(&self.happened(felt.tick));
        let (feeling, divergence) = self.judged(reply, felt.feeling, &evidence, lived);
        if divergence.is_none() {
            self.mood = self.mood.corrected(&felt.feeling, &feeling, law.mood_decay);
        }
        lived.events.push(DaimonEvent::Appraisal { felt: Felt { feeling, ..felt }, divergence, everywhere: false });
    }

    /// Whether a model names something that was felt of late.
    pub(super) fn recalls(&self, reply: &EmotionReply, tick: Tick) -> bool {
        self.fresh(tick).any(|felt| is_named(&felt, reply))
    }

    fn fresh(&self, tick: Tick) -> impl Iterator<Item = Felt> + '_ {
        self.recent().filter(move |felt| tick.since(felt.tick) <= REMEMBERED)
    }

    /// What was felt of a tick, by what happened.
    fn happened(&self, tick: Tick) -> Vec<Trigger> {
        let pairs = self.recent.iter().zip(self.behind.iter());
        pairs
            .filter(|(felt, _)| felt.is_some_and(|felt| felt.tick == tick))
            .filter_map(|(_, trigger)| *trigger)
            .collect()
    }
}
