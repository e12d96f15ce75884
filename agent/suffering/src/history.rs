//! What was suffered and is over: bounded, and never forgotten without a sum.

use std::collections::VecDeque;

use golem_primitives::UtcTime;

use crate::domain::WorkDomain;
use crate::kind::StressorKind;
use crate::law::SCARRING;
use crate::severity::Severity;
use crate::stressor::{Closure, Scar};
use crate::text::{Key, Line};

/// S-114. Traces kept whole.
pub const TRACES: usize = 500;
/// S-114. Sums kept; beyond it the mildest go.
pub const SUMS: usize = 500;

/// S-114. What many traces of one type in one place add up to.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TraceSum {
    pub key: Key,
    pub domain: WorkDomain,
    pub count: u64,
    pub max_peak: Severity,
    pub last_true_note: Option<Line>,
    pub last_at: UtcTime,
}

/// S-060, S-114. Resolved history.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct History {
    traces: VecDeque<Scar>,
    sums: Vec<TraceSum>,
}

impl History {
    /// The traces, oldest first.
    pub fn traces(&self) -> impl DoubleEndedIterator<Item = &Scar> + ExactSizeIterator {
        self.traces.iter()
    }

    /// The sums.
    #[must_use]
    pub fn sums(&self) -> &[TraceSum] {
        &self.sums
    }

    pub(crate) fn from_parts(traces: Vec<Scar>, sums: Vec<TraceSum>) -> Self {
        let mut history = Self { traces: VecDeque::new(), sums };
        traces.into_iter().for_each(|trace| history.push(trace));
        history
    }

    /// S-114. Keeps a trace. The oldest mild one is folded into its sum first, a scar only when all are.
    pub fn push(&mut self, trace: Scar) {
        self.traces.push_back(trace);
        if self.traces.len() <= TRACES {
            return;
        }
        let mild = self.traces.iter().position(|one| one.peak <= SCARRING).unwrap_or(0);
        if let Some(oldest) = self.traces.remove(mild) {
            self.fold(&oldest);
        }
    }

    fn fold(&mut self, trace: &Scar) {
        let key = trace.kind.key();
        let note = trace.is_resolved().then(|| trace.note.clone());
        if let Some(sum) = self.sums.iter_mut().find(|sum| sum.key == key && sum.domain == trace.domain) {
            sum.count = sum.count.saturating_add(1);
            sum.max_peak = sum.max_peak.max(trace.peak);
            sum.last_at = sum.last_at.max(trace.resolved_at);
            sum.last_true_note = note.or_else(|| sum.last_true_note.take());
            return;
        }
        self.sums.push(TraceSum {
            key,
            domain: trace.domain.clone(),
            count: 1,
            max_peak: trace.peak,
            last_true_note: note,
            last_at: trace.resolved_at,
        });
        if self.sums.len() > SUMS {
            let mildest = (0..self.sums.len()).min_by_key(|at| (self.sums[*at].max_peak, self.sums[*at].last_at));
            mildest.map(|at| self.sums.remove(at));
        }
    }

    /// The newest trace of a type that this life left.
    #[must_use]
    pub fn newest(&self, kind: &StressorKind) -> Option<&Scar> {
        self.traces.iter().rev().find(|trace| !trace.inherited && trace.kind == *kind)
    }

    /// S-065. Takes back the newest trace of a type if it ended by the agent's word alone; a trace that is restored is
    /// no longer one.
    pub fn take_unconfirmed(&mut self, kind: &StressorKind) -> Option<Scar> {
        let at = self.traces.iter().rposition(|trace| !trace.inherited && trace.kind == *kind)?;
        if self.traces[at].closure == Closure::SelfReport { self.traces.remove(at) } else { None }
    }

    /// S-064. What the agent said was seen after all.
    pub fn confirm(&mut self, kind: &StressorKind, note: Line) {
        let newest = self.traces.iter_mut().rev().find(|trace| !trace.inherited && trace.kind == *kind);
        if let Some(trace) = newest.filter(|trace| trace.closure == Closure::SelfReport) {
            (trace.closure, trace.note) = (Closure::Observed, note);
        }
    }
}
