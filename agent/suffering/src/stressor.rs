//! One stressor, and the trace it leaves.

use golem_primitives::{Ppm, UtcTime, words};

use crate::condition::{CompiledCondition, Predicate};
use crate::domain::WorkDomain;
use crate::facts::Facts;
use crate::kind::StressorKind;
use crate::law::{SufferingLaw, UNMEASURED};
use crate::predicate::Onset;
use crate::severity::Severity;
use crate::text::{Key, Line};

words! {
    /// S-006, S-040. Who raised it.
    RaisedBy {
        System = "system",
        Agent = "agent",
    }
}

/// S-004, S-006. A stressor that is active.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Stressor {
    pub kind: StressorKind,
    pub source: RaisedBy,
    pub description: Line,
    pub condition: CompiledCondition,
    /// S-070. The numbers behind it, of the last look.
    pub evidence: Line,
    pub severity: Severity,
    pub peak: Severity,
    pub onset: UtcTime,
    /// S-013. Up to when growth was charged.
    pub last_escalated: UtcTime,
    /// How often it was raised without having been resolved.
    pub raise_count: u32,
    pub domain: WorkDomain,
    /// The key or rule it is about, if there is one.
    pub watched: Option<Key>,
    pub fitness_at_onset: Option<Ppm>,
    /// S-065. The agent says it is over; it counts until the next look.
    pub claim: Option<Line>,
}

impl Stressor {
    /// A stressor that begins now, where the Golem works.
    pub(crate) fn new(
        kind: StressorKind,
        source: RaisedBy,
        condition: CompiledCondition,
        severity: Severity,
        facts: &Facts,
    ) -> Self {
        Self {
            kind,
            source,
            description: Line::default(),
            condition,
            evidence: Line::default(),
            severity,
            peak: severity,
            onset: facts.now,
            last_escalated: facts.now,
            raise_count: 1,
            domain: facts.domain.clone(),
            watched: None,
            fitness_at_onset: facts.survival.fitness.known(),
            claim: None,
        }
    }

    /// Its key.
    #[must_use]
    pub fn key(&self) -> Key {
        self.kind.key()
    }

    /// What its resolution needs to know.
    #[must_use]
    pub const fn onset(&self) -> Onset<'_> {
        Onset { at: self.onset, fitness: self.fitness_at_onset, watched: self.watched.as_ref() }
    }

    /// S-048. Where it stops growing.
    fn ceiling(&self, law: &SufferingLaw) -> Severity {
        if law.is_hardened() && self.condition.predicate == Predicate::None { UNMEASURED } else { Severity::ONE }
    }

    /// S-120. What was only said is seen: the world's from now on, and at least as bad as what is seen begins.
    pub(crate) fn adopt(&mut self, seen: Severity) {
        self.source = RaisedBy::System;
        self.severity = self.severity.max(seen);
        self.peak = self.peak.max(self.severity);
    }

    /// S-010..S-015. Charges the time since it was last charged, once. A clock that stepped back charges nothing and
    /// moves nothing.
    pub fn escalate(&mut self, now: UtcTime, law: &SufferingLaw) {
        if now <= self.last_escalated {
            return;
        }
        let gap = now.since(self.last_escalated).as_secs();
        let charged = law.max_gap_days.map_or(gap, |days| gap.min(u64::from(days) * UtcTime::DAY_SECONDS));
        let grown = self.severity.grown(self.kind.rate(), charged).at_most(self.ceiling(law));
        // S-014: severity never falls through escalation, also where a ceiling is new.
        self.severity = self.severity.max(grown);
        self.peak = self.peak.max(self.severity);
        self.last_escalated = now;
    }

    /// S-060. What it leaves behind.
    #[must_use]
    pub fn leave(self, closure: Closure, note: Line, now: UtcTime) -> Scar {
        Scar {
            kind: self.kind,
            source: self.source,
            description: self.description,
            condition: self.condition,
            severity: self.severity,
            peak: self.peak,
            onset: self.onset,
            last_escalated: self.last_escalated,
            resolved_at: now,
            closure,
            note,
            claimed_reason: self.claim,
            raise_count: self.raise_count,
            domain: self.domain,
            watched: self.watched,
            fitness_at_onset: self.fitness_at_onset,
            inherited: false,
        }
    }
}

words! {
    /// How a stressor ended.
    Closure {
        /// S-061. The world changed, as observed.
        Observed = "observed",
        /// S-064. The agent said so and nobody has seen it.
        SelfReport = "self_report",
        /// S-094. A crisis was broken.
        ForceReset = "force_reset",
        /// S-091. It made room for one that was seen.
        Displaced = "displaced",
        /// S-098. A file held too many.
        OverCapOnLoad = "over_cap_on_load",
    }
}

/// S-060, S-124. What a stressor leaves behind.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Scar {
    pub kind: StressorKind,
    pub source: RaisedBy,
    pub description: Line,
    pub condition: CompiledCondition,
    pub severity: Severity,
    pub peak: Severity,
    pub onset: UtcTime,
    pub last_escalated: UtcTime,
    pub resolved_at: UtcTime,
    pub closure: Closure,
    /// S-068. What ended it, in observed numbers.
    pub note: Line,
    /// S-068. What the agent said, apart from the cause.
    pub claimed_reason: Option<Line>,
    pub raise_count: u32,
    pub domain: WorkDomain,
    pub watched: Option<Key>,
    pub fitness_at_onset: Option<Ppm>,
    /// S-085. Whether a predecessor left it.
    pub inherited: bool,
}

impl Scar {
    /// S-084. Whether anything was really resolved.
    #[must_use]
    pub const fn is_resolved(&self) -> bool {
        matches!(self.closure, Closure::Observed)
    }

    /// S-065. The stressor back again: its former severity and the growth since, its onset, its peak.
    #[must_use]
    pub fn restore(self, now: UtcTime, law: &SufferingLaw) -> Stressor {
        let mut stressor = Stressor {
            kind: self.kind,
            source: self.source,
            description: self.description,
            condition: self.condition,
            evidence: Line::default(),
            severity: self.severity,
            peak: self.peak,
            onset: self.onset,
            last_escalated: self.last_escalated,
            raise_count: self.raise_count.saturating_add(1),
            domain: self.domain,
            watched: self.watched,
            fitness_at_onset: self.fitness_at_onset,
            claim: None,
        };
        stressor.escalate(now, law);
        stressor
    }
}
