//! What models advised before, for the same situation again (G-002). A life that has no precedents asks every time.
//!
//! It is part of the life: what answers from it is decided by the journal alone, before and after a restart.

use std::collections::BTreeSet;

use golem_grimoire::cache::{CachedDecision, DecisionCache};
use golem_grimoire::id::EntryId;
use golem_grimoire::regime::Regime;
use golem_mortality::behaviour::Behaviour;
use golem_primitives::{EffectId, Tick};
use serde::{Deserialize, Serialize};

use crate::deliberation::Choices;
use crate::record::{Course, Order, Phase, TickInput};

const MOST: u32 = 64;

/// What was advised, whatever the size and the limits are today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    Whole,
    Half,
    Stay,
}

/// What makes two questions the same: the same wish in the same market, as far from its mean, in the same phase.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Situation {
    /// What is wanted, by its name.
    pub wish: String,
    pub regime: Option<Regime>,
    pub phase: Phase,
    /// How many whole deviations the price is from its mean, and on which side.
    pub deviations: i8,
}

/// Decisions by situation, and the question that is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Precedents {
    decided: DecisionCache<Situation, Ruling>,
    open: Option<Open>,
}

/// A question on its way: what it is about and what was heard when it was put.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Open {
    effect: EffectId,
    situation: Situation,
    rests_on: BTreeSet<EntryId>,
}

impl Precedents {
    /// G-002. Each answers for so many ticks. Another term is another memory: what was kept for the old one is not known to
    /// be good for the new.
    pub(crate) fn furnish(room: &mut Option<Box<Self>>, ttl_ticks: u64) {
        *room = Some(Box::new(Self { decided: DecisionCache::new(MOST, ttl_ticks), open: None }));
    }

    /// For how many ticks a decision answers.
    #[must_use]
    pub const fn ttl_ticks(&self) -> u64 {
        self.decided.ttl_ticks()
    }

    /// How many are remembered.
    #[must_use]
    pub fn count(&self) -> usize {
        self.decided.len()
    }

    /// What was advised in this situation, and when, if it is still good: not too old, and everything that was heard then
    /// is heard now.
    pub(crate) fn recall(&mut self, situation: &Situation, input: &TickInput) -> Option<(Ruling, Tick)> {
        let times = Behaviour::of(situation.phase).cache_ttl_multiplier;
        let kept = self.decided.recall(situation, &voices(input), input.tick, times)?;
        Some((kept.action, kept.decided))
    }

    pub(crate) fn ask(&mut self, effect: EffectId, situation: Situation, input: &TickInput) {
        self.open = Some(Open { effect, situation, rests_on: voices(input) });
    }

    /// A question was answered, with this course. Only what was done as advised is a precedent.
    pub(crate) fn keep(&mut self, effect: EffectId, choices: &Choices, course: &Course, now: Tick) {
        let Some(open) = self.open.take_if(|open| open.effect == effect) else { return };
        if let Some(action) = ruling(choices, course) {
            self.decided.keep(open.situation, CachedDecision { action, rests_on: open.rests_on, decided: now });
        }
    }
}

/// The entries that speak.
fn voices(input: &TickInput) -> BTreeSet<EntryId> {
    input.counsel().map(|advice| advice.entry).collect()
}

/// Which of what was offered a course took; a list that is not the wish and its half says nothing of another.
fn ruling(choices: &Choices, course: &Course) -> Option<Ruling> {
    match (course, choices.candidates()) {
        (Course::Stay, _) => Some(Ruling::Stay),
        (Course::Act(order), [whole, _]) if *order == whole.order => Some(Ruling::Whole),
        (Course::Act(order), [_, half]) if *order == half.order => Some(Ruling::Half),
        _ => None,
    }
}

/// What a ruling comes to among what may be chosen now; `None` when that is not among it.
pub(crate) fn follow(ruling: Ruling, choices: &Choices) -> Option<Option<Order>> {
    match (ruling, choices.candidates()) {
        (Ruling::Stay, _) => Some(None),
        (Ruling::Whole, [whole, _]) => Some(Some(whole.order)),
        (Ruling::Half, [_, half]) => Some(Some(half.order)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use golem_mortality::stochastic::roll::Salt;
    use golem_mortality::vitals::Chance;
    use golem_primitives::UtcTime;

    use super::*;

    /// M-129, G-002: what was decided in Thriving answers for its time, and from Stable down for twice that.
    #[test]
    fn m_129_a_decision_answers_longer_in_a_poorer_phase() {
        let lasts = |phase: Phase| {
            let situation = Situation { wish: "buy".to_owned(), regime: None, phase, deviations: -2 };
            let kept = CachedDecision { action: Ruling::Stay, rests_on: BTreeSet::new(), decided: Tick::new(100) };
            let mut precedents = Precedents { decided: DecisionCache::new(MOST, 10), open: None };
            precedents.decided.keep(situation.clone(), kept);
            let at = |tick| TickInput::quiet(Tick::new(tick), UtcTime::EPOCH, Chance::Named(Salt::Empty));
            (100..).take_while(|tick| precedents.recall(&situation, &at(*tick)).is_some()).count()
        };
        let phases = [Phase::Thriving, Phase::Stable, Phase::Conservation];
        assert_eq!(phases.map(lasts), [10, 20, 20]);
    }
}
