//! Agent-driven: what a model says of its own suffering, and how little that can do.

use golem_primitives::UtcTime;

use crate::condition::{CompiledCondition, Predicate, is_bare_state};
use crate::event::{EntryRefused, SufferingEvent};
use crate::facts::Facts;
use crate::kind::StressorKind;
use crate::law::{AGENT_SLOTS, MAX_ACTIVE, MAX_NEW, SufferingLaw};
use crate::predicate::{self, condition};
use crate::severity::Severity;
use crate::stressor::{Closure, RaisedBy, Stressor};
use crate::suffering::Suffering;
use crate::text::{Key, Line};
use crate::truth::Truth;

/// S-044. The block `suffering_assessment` of a reply, as it came.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SufferingReply {
    pub new_stressors: Vec<NewStressor>,
    pub resolved: Vec<ClaimedResolution>,
}

/// S-044, S-046. A stressor a model names; any name will do.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct NewStressor {
    #[serde(rename = "type")]
    pub name: String,
    pub description: String,
    pub condition: String,
}

/// S-044. A stressor a model says is over.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct ClaimedResolution {
    #[serde(rename = "type")]
    pub name: String,
    pub reason: String,
}

/// S-069. How long a stressor nobody can measure comes back with what it had been.
const RETURN_SECONDS: u64 = UtcTime::DAY_SECONDS;

impl Suffering {
    /// S-044, S-045, S-051. Takes in a reply's block: every resolution, and at most the first two new stressors. A block
    /// that could not be read (`None`) changes nothing.
    pub fn hear(&mut self, reply: Option<&SufferingReply>, facts: &Facts, law: &SufferingLaw) -> Vec<SufferingEvent> {
        let mut events = Vec::new();
        if self.frozen_at.is_some() || facts.is_dreaming {
            return events;
        }
        let Some(reply) = reply else { return vec![SufferingEvent::BlockMalformed] };
        for claim in &reply.resolved {
            self.claim(claim, facts, law, &mut events);
        }
        for entry in reply.new_stressors.iter().take(MAX_NEW) {
            if let Err((key, reason)) = self.add(entry, facts, law, &mut events)
                && reason != EntryRefused::Duplicate
            {
                self.dropped = self.dropped.saturating_add(1);
                events.push(SufferingEvent::Dropped { key, source: RaisedBy::Agent, reason, pending: false });
            }
        }
        self.rebound(law, &mut events);
        events
    }

    /// S-064, S-066. What a claim does. In the seed's reading it is applied and looked at again; hardened, the world is
    /// asked at once, and where it cannot answer the stressor counts until the next look.
    fn claim(
        &mut self,
        claim: &ClaimedResolution,
        facts: &Facts,
        law: &SufferingLaw,
        events: &mut Vec<SufferingEvent>,
    ) {
        let Some(kind) = StressorKind::named(&claim.name, law.is_hardened()) else { return };
        let Some(at) = self.position(&kind) else { return };
        let reason = Line::new(&claim.reason);
        if !law.is_hardened() || self.active[at].condition.predicate == Predicate::None {
            self.active[at].claim = Some(reason);
            let note = format!("self-report, not confirmed; {}", self.active[at].evidence);
            self.close(at, Closure::SelfReport, &note, facts.now, events);
            return;
        }
        let (persists, over, evidence) = self.ask(at, facts);
        if over.is_seen() {
            self.active[at].claim = Some(reason);
            self.close(at, Closure::Observed, evidence.as_str(), facts.now, events);
        } else if persists.is_seen() {
            events.push(SufferingEvent::ClaimRejected { key: kind.key(), evidence });
        } else {
            self.active[at].claim = Some(reason);
            events.push(SufferingEvent::Claimed { key: kind.key() });
        }
    }

    /// What the world says now of an active stressor: whether it persists, whether it is over, by which numbers.
    fn ask(&self, at: usize, facts: &Facts) -> (Truth, Truth, Line) {
        let stressor = &self.active[at];
        match stressor.kind.canonical() {
            Some(kind) => {
                let look = predicate::look(kind, facts, &self.holds);
                let over = predicate::resolves(kind, facts, &self.holds, &stressor.onset());
                (look.raise, over, predicate::evidence(kind, facts))
            }
            None => {
                let over = stressor.condition.test(facts).unwrap_or(Truth::Unknown);
                (over.contrary(), over, Line::new(&format!("observed: {}", stressor.condition.text)))
            }
        }
    }

    fn add(
        &mut self,
        entry: &NewStressor,
        facts: &Facts,
        law: &SufferingLaw,
        events: &mut Vec<SufferingEvent>,
    ) -> Result<(), (Option<Key>, EntryRefused)> {
        let kind = StressorKind::named(&entry.name, law.is_hardened()).ok_or((None, EntryRefused::NoName))?;
        let refuse = |reason: EntryRefused| (Some(kind.key()), reason);
        if self.crisis.hears_nothing_new() {
            return Err(refuse(EntryRefused::AfterReset));
        }
        if self.position(&kind).is_some() {
            return Err(refuse(EntryRefused::Duplicate));
        }
        if law.is_hardened() {
            if kind.canonical().is_none() && is_bare_state(&entry.condition) {
                return Err(refuse(EntryRefused::BareState));
            }
            if self.active.iter().filter(|one| one.source == RaisedBy::Agent).count() >= AGENT_SLOTS {
                return Err(refuse(EntryRefused::AgentSlots));
            }
        }
        if self.active.len() >= MAX_ACTIVE {
            return Err(refuse(EntryRefused::NoRoom));
        }
        let fresh = named(kind, entry, facts, law);
        let former = self.former(&fresh, facts.now).map(|trace| trace.restore(facts.now, law));
        let restored = former.is_some();
        let stressor = former.unwrap_or(fresh);
        self.begin(stressor, restored, events);
        Ok(())
    }

    /// S-065, S-069. What it was before the agent talked it away; what nobody can measure is remembered for a day.
    fn former(&mut self, fresh: &Stressor, now: UtcTime) -> Option<crate::stressor::Scar> {
        let trace = self.history.newest(&fresh.kind)?;
        let unmeasured = trace.condition.predicate == Predicate::None;
        if unmeasured && now.since(trace.resolved_at).as_secs() >= RETURN_SECONDS {
            return None;
        }
        let taken = self.history.take_unconfirmed(&fresh.kind)?;
        taken.kind.canonical().map(|kind| self.unconfirmed.remove(&kind));
        Some(taken)
    }
}

fn named(kind: StressorKind, entry: &NewStressor, facts: &Facts, law: &SufferingLaw) -> Stressor {
    let condition = match kind.canonical() {
        Some(kind) => CompiledCondition { text: Line::new(condition(kind)), predicate: Predicate::Canonical },
        None => CompiledCondition::named(&entry.condition, law.is_hardened()),
    };
    let new = Stressor::new(kind, RaisedBy::Agent, condition, Severity::NEW, facts);
    Stressor { description: Line::new(&entry.description), ..new }
}
