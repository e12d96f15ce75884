//! The suffering of one Golem: plain data, moved by time and by what is seen.

use std::collections::BTreeSet;

use golem_mortality::phase::Phase;
use golem_primitives::UtcTime;

use crate::band::Band;
use crate::crisis::Crisis;
use crate::event::SufferingEvent;
use crate::facts::Facts;
use crate::history::History;
use crate::kind::{Canonical, StressorKind};
use crate::law::SufferingLaw;
use crate::predicate::Holds;
use crate::severity::Load;
use crate::stressor::{Closure, RaisedBy, Stressor};
use crate::text::{Key, Line};

/// S-001. What presses on a Golem. It rises by itself; only a changed world relieves it, a statement does not.
///
/// The order of a cycle is S-051's: [`feel`](Self::feel) (escalate, assess, band), then the prompt and the inference,
/// then the gate, then [`hear`](Self::hear) (the agent's block, band), then [`close_cycle`](Self::close_cycle) (the
/// crisis counter), then the record.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Suffering {
    pub(crate) active: Vec<Stressor>,
    pub(crate) history: History,
    pub(crate) pending: BTreeSet<Canonical>,
    pub(crate) holds: Holds,
    pub(crate) crisis: Crisis,
    pub(crate) band: Band,
    pub(crate) frozen_at: Option<UtcTime>,
    pub(crate) dropped: u64,
    /// Types whose newest trace ended by the agent's word alone; kept so that a quiet tick reads no history.
    pub(crate) unconfirmed: BTreeSet<Canonical>,
}

impl Default for Suffering {
    fn default() -> Self {
        Self {
            active: Vec::new(),
            history: History::default(),
            pending: BTreeSet::new(),
            holds: Holds::default(),
            crisis: Crisis::default(),
            band: Band::Background,
            frozen_at: None,
            dropped: 0,
            unconfirmed: BTreeSet::new(),
        }
    }
}

impl Suffering {
    /// S-011, S-016, S-051. Charges time and looks at the world, on every tick whatever the Golem is busy with. A
    /// dreamer is charged when it wakes (S-140); with Terminal everything freezes (S-133).
    pub fn feel(&mut self, facts: &Facts, law: &SufferingLaw) -> Vec<SufferingEvent> {
        let mut events = Vec::new();
        if self.frozen_at.is_some() {
            return events;
        }
        if facts.phase == Phase::Terminal {
            return vec![self.freeze(facts.now, law)];
        }
        if facts.is_dreaming {
            return events;
        }
        self.escalate(facts.now, law);
        self.rebound(law, &mut events);
        self.holds.note(facts);
        self.assess(facts, law, &mut events);
        self.rebound(law, &mut events);
        events
    }

    fn escalate(&mut self, now: UtcTime, law: &SufferingLaw) {
        self.active.iter_mut().for_each(|stressor| stressor.escalate(now, law));
    }

    /// S-133. Nothing grows, is assessed, injected, told or reset any more; what stands goes into the testament.
    pub fn freeze(&mut self, now: UtcTime, law: &SufferingLaw) -> SufferingEvent {
        self.frozen_at = self.frozen_at.or(Some(now));
        SufferingEvent::Frozen { load: self.load(law).load }
    }

    /// S-133. A Golem that climbed out of Terminal suffers on from where it froze; what lay between is not charged.
    pub fn thaw(&mut self, now: UtcTime) {
        if self.frozen_at.take().is_some() {
            self.resume(now);
        }
    }

    /// S-008. Taken up again after a time in which nobody suffered by any reading: what lay between is not charged.
    pub fn resume(&mut self, now: UtcTime) {
        self.active.iter_mut().for_each(|stressor| stressor.last_escalated = stressor.last_escalated.max(now));
    }

    /// S-020, S-047. The load.
    #[must_use]
    pub fn load(&self, law: &SufferingLaw) -> Load {
        let of = |source: RaisedBy| self.active.iter().filter(move |one| one.source == source).map(|one| one.severity);
        Load::of(of(RaisedBy::System), of(RaisedBy::Agent), law.agent_cap())
    }

    /// The load of what was seen, without what was said.
    #[must_use]
    pub fn system_load(&self) -> Load {
        let seen = self.active.iter().filter(|one| one.source == RaisedBy::System).map(|one| one.severity);
        Load::of(seen, std::iter::empty(), crate::severity::Severity::ONE)
    }

    /// The band, as of the last change.
    #[must_use]
    pub const fn band(&self) -> Band {
        self.band
    }

    /// What is active, worst first; of equals the earlier.
    #[must_use]
    pub fn active(&self) -> Vec<&Stressor> {
        let mut active: Vec<&Stressor> = self.active.iter().collect();
        active.sort_by_key(|one| (std::cmp::Reverse(one.severity), one.onset));
        active
    }

    /// What is over.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// S-091. What waits for a free slot.
    pub fn pending(&self) -> impl Iterator<Item = Canonical> + '_ {
        self.pending.iter().copied()
    }

    /// S-091. How many found no room in this life.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// S-133. When it froze.
    #[must_use]
    pub const fn frozen_at(&self) -> Option<UtcTime> {
        self.frozen_at
    }

    /// S-143. Types that tag replay in dreams, at most a fifth of the slots; never a header, never a band.
    #[must_use]
    pub fn replay_tags(&self) -> Vec<Key> {
        self.active().into_iter().map(Stressor::key).collect()
    }

    pub(crate) fn position(&self, kind: &StressorKind) -> Option<usize> {
        self.active.iter().position(|one| one.kind == *kind)
    }

    /// Takes in a stressor that was raised, or that came back.
    pub(crate) fn begin(&mut self, stressor: Stressor, restored: bool, events: &mut Vec<SufferingEvent>) {
        events.push(SufferingEvent::Raised {
            kind: stressor.kind.clone(),
            source: stressor.source,
            severity: stressor.severity,
            restored,
            evidence: stressor.evidence.clone(),
        });
        self.active.push(stressor);
    }

    pub(crate) fn close(
        &mut self,
        at: usize,
        closure: Closure,
        note: &str,
        now: UtcTime,
        events: &mut Vec<SufferingEvent>,
    ) {
        let trace = self.active.remove(at).leave(closure, Line::new(note), now);
        let (key, peak, note) = (trace.kind.key(), trace.peak, trace.note.clone());
        events.push(SufferingEvent::Resolved { key, closure, peak, note });
        if let Some(kind) = trace.kind.canonical() {
            if closure == Closure::SelfReport {
                self.unconfirmed.insert(kind)
            } else {
                self.unconfirmed.remove(&kind)
            };
        }
        self.history.push(trace);
    }

    /// S-022. The band anew, told when it changed.
    pub(crate) fn rebound(&mut self, law: &SufferingLaw, events: &mut Vec<SufferingEvent>) {
        let load = self.load(law);
        let (from, to) = (self.band, Band::of(load.load));
        if from != to {
            self.band = to;
            let types = self.replay_tags();
            events.push(SufferingEvent::BandChanged { from, to, load, types });
        }
    }
}
