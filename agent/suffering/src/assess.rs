//! System-driven: what is raised and resolved by what is seen.

use crate::condition::{CompiledCondition, Predicate};
use crate::event::{EntryRefused, SufferingEvent};
use crate::facts::Facts;
use crate::kind::{Canonical, StressorKind};
use crate::law::{MAX_ACTIVE, SufferingLaw};
use crate::predicate::{self, Onset, StressorLook, condition, description};
use crate::stressor::{Closure, RaisedBy, Stressor};
use crate::suffering::Suffering;
use crate::text::Line;
use crate::truth::Truth;

impl Suffering {
    /// S-040, S-061. Looks at the world once for every type.
    pub(crate) fn assess(&mut self, facts: &Facts, law: &SufferingLaw, events: &mut Vec<SufferingEvent>) {
        for kind in Canonical::ALL {
            let look = predicate::look(*kind, facts, &self.holds);
            match self.position(&StressorKind::Canonical(*kind)) {
                Some(at) => self.review(at, *kind, &look, facts, events),
                None if look.raise.is_seen() => self.raise(*kind, &look, facts, law, events),
                None => self.let_be(*kind, &look, facts),
            }
        }
        self.assess_measured(facts, events);
    }

    /// An active one: seen again, seen to be over, or neither.
    fn review(
        &mut self,
        at: usize,
        kind: Canonical,
        look: &StressorLook,
        facts: &Facts,
        events: &mut Vec<SufferingEvent>,
    ) {
        let resolved = predicate::resolves(kind, facts, &self.holds, &self.active[at].onset());
        let stressor = &mut self.active[at];
        if look.raise != Truth::Unknown {
            stressor.evidence = predicate::evidence(kind, facts);
        }
        if look.raise.is_seen() {
            // What the agent named and the world shows is the world's, and no less than what silence would have left.
            if stressor.source == RaisedBy::Agent {
                stressor.adopt(look.severity);
            }
            if look.watched.is_some() {
                stressor.watched.clone_from(&look.watched);
            }
            if stressor.claim.take().is_some() {
                stressor.raise_count = stressor.raise_count.saturating_add(1);
                let evidence = stressor.evidence.clone();
                events.push(SufferingEvent::ClaimRejected { key: kind.key(), evidence });
            }
        } else if resolved.is_seen() {
            self.close(at, Closure::Observed, predicate::evidence(kind, facts).as_str(), facts.now, events);
        } else {
            self.settle_claim(at, look.raise, facts, events);
        }
    }

    /// S-066. A claim lasts one look: the world contradicts the raise, or it cannot be seen and the claim lapses.
    fn settle_claim(&mut self, at: usize, raise: Truth, facts: &Facts, events: &mut Vec<SufferingEvent>) {
        let stressor = &mut self.active[at];
        if stressor.claim.is_none() {
            return;
        }
        if raise == Truth::False {
            let note = format!("self-report, not confirmed; {}", stressor.evidence);
            self.close(at, Closure::SelfReport, &note, facts.now, events);
        } else {
            stressor.claim = None;
            let (key, evidence) = (stressor.key(), stressor.evidence.clone());
            events.push(SufferingEvent::ClaimRejected { key, evidence });
        }
    }

    fn raise(
        &mut self,
        kind: Canonical,
        look: &StressorLook,
        facts: &Facts,
        law: &SufferingLaw,
        events: &mut Vec<SufferingEvent>,
    ) {
        if !self.make_room(kind, facts, law, events) {
            return;
        }
        let former =
            self.history.take_unconfirmed(&StressorKind::Canonical(kind)).map(|trace| trace.restore(facts.now, law));
        self.unconfirmed.remove(&kind);
        let restored = former.is_some();
        let measured = CompiledCondition { text: Line::new(condition(kind)), predicate: Predicate::Canonical };
        let mut stressor = former.unwrap_or_else(|| {
            let new =
                Stressor::new(StressorKind::Canonical(kind), RaisedBy::System, measured.clone(), look.severity, facts);
            Stressor { domain: look.domain.clone().unwrap_or_else(|| facts.domain.clone()), ..new }
        });
        stressor.adopt(look.severity);
        stressor.description = Line::new(description(kind));
        stressor.condition = measured;
        stressor.evidence = predicate::evidence(kind, facts);
        stressor.watched = look.watched.clone().or(stressor.watched);
        self.pending.remove(&kind);
        self.begin(stressor, restored, events);
    }

    /// S-090, S-091. Whether there is a slot for what was seen. Hardened, what was only said gives way; when everything
    /// was seen, the new one waits.
    fn make_room(
        &mut self,
        kind: Canonical,
        facts: &Facts,
        law: &SufferingLaw,
        events: &mut Vec<SufferingEvent>,
    ) -> bool {
        if self.active.len() < MAX_ACTIVE {
            return true;
        }
        let said = (0..self.active.len()).filter(|at| self.active[*at].source == RaisedBy::Agent);
        if let (true, Some(at)) = (law.is_hardened(), said.min_by_key(|at| self.active[*at].severity)) {
            self.close(at, Closure::Displaced, "displaced", facts.now, events);
            return true;
        }
        if self.pending.insert(kind) {
            self.dropped = self.dropped.saturating_add(1);
            events.push(SufferingEvent::Dropped {
                key: Some(kind.key()),
                source: RaisedBy::System,
                reason: EntryRefused::NoRoom,
                pending: law.is_hardened(),
            });
        }
        false
    }

    /// Neither active nor raised: what waited no longer does, and what the agent said may turn out true.
    fn let_be(&mut self, kind: Canonical, look: &StressorLook, facts: &Facts) {
        if look.raise == Truth::False {
            self.pending.remove(&kind);
        }
        if !self.unconfirmed.contains(&kind) {
            return;
        }
        let named = StressorKind::Canonical(kind);
        let Some(trace) = self.history.newest(&named) else { return };
        let onset = Onset { at: trace.onset, fitness: trace.fitness_at_onset, watched: trace.watched.as_ref() };
        if predicate::resolves(kind, facts, &self.holds, &onset).is_seen() {
            self.history.confirm(&named, predicate::evidence(kind, facts));
            self.unconfirmed.remove(&kind);
        }
    }

    /// S-048, S-061. Stressors the agent named by a measure, by that measure.
    fn assess_measured(&mut self, facts: &Facts, events: &mut Vec<SufferingEvent>) {
        for at in (0..self.active.len()).rev() {
            let Some(over) = self.active[at].condition.test(facts) else { continue };
            if over.is_seen() {
                let note = format!("observed: {}", self.active[at].condition.text);
                self.close(at, Closure::Observed, &note, facts.now, events);
            } else if self.active[at].claim.take().is_some() {
                let stressor = &self.active[at];
                let (key, evidence) = (stressor.key(), stressor.condition.text.clone());
                events.push(SufferingEvent::ClaimRejected { key, evidence });
            }
        }
    }
}
