//! S-110. One file of one Golem, as plain data. Writing it is the store's, and so is the lock.

use std::collections::BTreeSet;

use golem_primitives::{B256, Ppm, UtcTime, keccak256};

use crate::band::Band;
use crate::condition::{Bound, CompiledCondition, Predicate};
use crate::crisis::Crisis;
use crate::domain::WorkDomain;
use crate::event::SufferingEvent;
use crate::history::{History, TraceSum};
use crate::kind::{Canonical, StressorKind};
use crate::law::{MAX_ACTIVE, SufferingLaw};
use crate::predicate::Holds;
use crate::severity::Severity;
use crate::stressor::{Closure, RaisedBy, Scar, Stressor};
use crate::suffering::Suffering;
use crate::text::{Key, Line};

/// The version of the file. Readers refuse what is newer.
pub const EXPORT_VERSION: u16 = 1;

/// S-004, S-006. One stressor, active or over, in the words of the file.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StressorRow {
    #[serde(rename = "type")]
    pub name: String,
    pub description: String,
    pub severity: f64,
    /// The same, exactly.
    pub severity_units: u64,
    pub peak_severity: f64,
    /// The same, exactly.
    pub peak_units: u64,
    pub onset: UtcTime,
    /// For readers; the type decides (S-007).
    pub escalation_per_day: f64,
    pub observable_condition: String,
    pub predicate: Predicate,
    pub resolved: bool,
    pub resolved_at: Option<UtcTime>,
    pub resolution_note: Option<String>,
    pub closure: Option<Closure>,
    pub claimed_reason: Option<String>,
    pub source: RaisedBy,
    pub domain: WorkDomain,
    pub watched: Option<Key>,
    pub last_escalated: UtcTime,
    pub raise_count: u32,
    pub evidence: String,
    pub fitness_at_onset: Option<Ppm>,
    pub inherited: bool,
}

/// S-110, S-111, S-115. The whole file; also what a testament holds.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Export {
    /// S-111.
    pub version: u16,
    pub saved_at: UtcTime,
    pub load: f64,
    /// S-020. Without the cap.
    pub raw_sum: f64,
    pub band: Band,
    pub stressors: Vec<StressorRow>,
    pub resolved_history: Vec<StressorRow>,
    /// S-114. What older traces add up to.
    pub sums: Vec<TraceSum>,
    /// S-091. What waits.
    pub pending: BTreeSet<Canonical>,
    /// S-094.
    pub crisis: Crisis,
    pub holds: Holds,
    /// S-133.
    pub frozen_at: Option<UtcTime>,
    /// S-091.
    pub dropped: u64,
    /// S-111.
    pub checksum: B256,
}

/// Why a file is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StressorFileError {
    #[error("the file has version {got}, this code reads up to {EXPORT_VERSION}; update before opening it")]
    Version { got: u16 },
    #[error("the file does not match its checksum; use the previous copy")]
    Checksum,
    #[error("row {at} of the file is no stressor; use the previous copy")]
    Row { at: usize },
    /// S-111. Neither the file nor its copy can be read.
    #[error("neither the file nor its copy can be read; replay the journal: a crash must not cure")]
    NothingLeft,
}

/// An active stressor is written as what it would leave now, without an end.
fn row_of(stressor: &Stressor) -> StressorRow {
    let left = stressor.clone().leave(Closure::Observed, Line::default(), stressor.onset);
    StressorRow {
        resolved: false,
        resolved_at: None,
        resolution_note: None,
        closure: None,
        evidence: stressor.evidence.to_string(),
        ..row_of_trace(&left)
    }
}

fn row_of_trace(trace: &Scar) -> StressorRow {
    StressorRow {
        name: trace.kind.key().to_string(),
        description: trace.description.to_string(),
        severity: trace.severity.as_f64(),
        severity_units: trace.severity.units(),
        peak_severity: trace.peak.as_f64(),
        peak_units: trace.peak.units(),
        onset: trace.onset,
        escalation_per_day: f64::from(trace.kind.rate().get()) / 1e6,
        observable_condition: trace.condition.text.to_string(),
        predicate: trace.condition.predicate.clone(),
        resolved: true,
        resolved_at: Some(trace.resolved_at),
        resolution_note: Some(trace.note.to_string()),
        closure: Some(trace.closure),
        claimed_reason: trace.claimed_reason.as_ref().map(Line::to_string),
        source: trace.source,
        domain: trace.domain.clone(),
        watched: trace.watched.clone(),
        last_escalated: trace.last_escalated,
        raise_count: trace.raise_count,
        evidence: String::new(),
        fitness_at_onset: trace.fitness_at_onset,
        inherited: trace.inherited,
    }
}

/// A predicate in words, for the checksum.
fn predicate_text(predicate: &Predicate) -> String {
    match predicate {
        Predicate::Canonical => "canonical".to_owned(),
        Predicate::None => "none".to_owned(),
        Predicate::Measured(bounds) => {
            let say = |bound: &Bound| format!("{} {} {}", bound.measure, bound.comparison, bound.millionths);
            bounds.iter().map(say).collect::<Vec<_>>().join(" and ")
        }
    }
}

impl StressorRow {
    fn stressor(self) -> Option<Stressor> {
        Some(Stressor {
            kind: StressorKind::named(&self.name, false)?,
            source: self.source,
            description: Line::new(&self.description),
            condition: CompiledCondition { text: Line::new(&self.observable_condition), predicate: self.predicate },
            evidence: Line::new(&self.evidence),
            severity: Severity::from_units(self.severity_units)?,
            peak: Severity::from_units(self.peak_units)?,
            onset: self.onset,
            last_escalated: self.last_escalated,
            raise_count: self.raise_count,
            domain: self.domain,
            watched: self.watched,
            fitness_at_onset: self.fitness_at_onset,
            claim: self.claimed_reason.map(|reason| Line::new(&reason)),
        })
    }

    fn trace(self) -> Option<Scar> {
        let (closure, at) = (self.closure?, self.resolved_at?);
        let (note, inherited) = (Line::new(self.resolution_note.as_deref().unwrap_or_default()), self.inherited);
        Some(Scar { inherited, ..self.stressor()?.leave(closure, note, at) })
    }

    /// What the checksum covers, each part with its length before it.
    fn feed(&self, bytes: &mut Vec<u8>) {
        let note = self.resolution_note.as_deref().unwrap_or_default();
        let closure = self.closure.map_or("", Closure::name);
        let claimed = self.claimed_reason.as_deref().unwrap_or_default();
        let path = self.domain.path();
        let predicate = predicate_text(&self.predicate);
        let watched = self.watched.as_ref().map_or("", Key::as_str);
        let texts = [
            predicate.as_str(),
            watched,
            self.name.as_str(),
            &self.description,
            &self.observable_condition,
            &self.evidence,
            note,
            closure,
            claimed,
            self.source.name(),
            &path,
        ];
        for text in texts {
            bytes.extend((text.len() as u64).to_be_bytes());
            bytes.extend(text.as_bytes());
        }
        let times = [self.onset, self.last_escalated, self.resolved_at.unwrap_or_default()].map(UtcTime::seconds);
        let fitness = self.fitness_at_onset.map_or(u64::MAX, |share| u64::from(share.get()));
        let (count, inherited) = (u64::from(self.raise_count), u64::from(self.inherited));
        let numbers = [self.severity_units, self.peak_units, count, inherited, fitness];
        times.into_iter().chain(numbers).for_each(|number| bytes.extend(number.to_be_bytes()));
    }
}

impl Export {
    /// S-111. The checksum of what decides anything.
    #[must_use]
    pub fn digest(&self) -> B256 {
        let mut bytes = self.version.to_be_bytes().to_vec();
        for rows in [&self.stressors, &self.resolved_history] {
            bytes.extend((rows.len() as u64).to_be_bytes());
            rows.iter().for_each(|row| row.feed(&mut bytes));
        }
        for sum in &self.sums {
            bytes.extend(format!("{}@{}", sum.key, sum.domain.path()).as_bytes());
            bytes.extend(sum.count.to_be_bytes());
            bytes.extend(sum.max_peak.units().to_be_bytes());
        }
        self.pending.iter().for_each(|kind| bytes.extend(kind.name().as_bytes()));
        for number in [u64::from(self.crisis.cycles()), self.dropped, self.frozen_at.unwrap_or_default().seconds()] {
            bytes.extend(number.to_be_bytes());
        }
        keccak256(bytes)
    }
}

impl Suffering {
    /// S-110, S-115, S-133. The file as it stands.
    #[must_use]
    pub fn export(&self, now: UtcTime, law: &SufferingLaw) -> Export {
        let load = self.load(law);
        let mut export = Export {
            version: EXPORT_VERSION,
            saved_at: now,
            load: load.load.as_f64(),
            raw_sum: load.raw_sum(),
            band: self.band,
            stressors: self.active.iter().map(row_of).collect(),
            resolved_history: self.history.traces().map(row_of_trace).collect(),
            sums: self.history.sums().to_vec(),
            pending: self.pending.clone(),
            crisis: self.crisis.clone(),
            holds: self.holds,
            frozen_at: self.frozen_at,
            dropped: self.dropped,
            checksum: B256::ZERO,
        };
        export.checksum = export.digest();
        export
    }

    /// S-007, S-093, S-098, S-111. Suffering from a file. Names take their one form, of one name the worst stays, five
    /// are kept, and a rate the type does not have is ignored and reported.
    ///
    /// # Errors
    /// [`StressorFileError`] when it is newer, damaged, or holds what is no stressor.
    pub fn import(export: Export, law: &SufferingLaw) -> Result<(Self, Vec<SufferingEvent>), StressorFileError> {
        if export.version > EXPORT_VERSION {
            return Err(StressorFileError::Version { got: export.version });
        }
        if export.digest() != export.checksum {
            return Err(StressorFileError::Checksum);
        }
        let mut events = Vec::new();
        let mut active = Vec::new();
        for (at, row) in export.stressors.into_iter().enumerate() {
            let rate = row.escalation_per_day;
            let stressor = row.stressor().ok_or(StressorFileError::Row { at })?;
            if (rate - f64::from(stressor.kind.rate().get()) / 1e6).abs() > 1e-9 {
                events.push(SufferingEvent::RateIgnored { key: stressor.key() });
            }
            active.push(stressor);
        }
        let traces: Option<Vec<Scar>> = export.resolved_history.into_iter().map(StressorRow::trace).collect();
        let traces = traces.ok_or(StressorFileError::Row { at: active.len() })?;
        let mut suffering = Self {
            active,
            history: History::from_parts(traces, export.sums),
            pending: export.pending,
            holds: export.holds,
            crisis: export.crisis,
            band: export.band,
            frozen_at: export.frozen_at,
            dropped: export.dropped,
            unconfirmed: BTreeSet::new(),
        };
        suffering.keep_worst(export.saved_at, &mut events);
        suffering.remember_unconfirmed();
        suffering.rebound(law, &mut events);
        Ok((suffering, events))
    }

    fn remember_unconfirmed(&mut self) {
        let history = &self.history;
        let is_open = |kind: &Canonical| {
            let newest = history.newest(&StressorKind::Canonical(*kind));
            newest.is_some_and(|trace| trace.closure == Closure::SelfReport)
        };
        self.unconfirmed = Canonical::ALL.iter().copied().filter(is_open).collect();
    }

    /// S-093, S-098. One of a name, five of all; what goes leaves its trace.
    fn keep_worst(&mut self, now: UtcTime, events: &mut Vec<SufferingEvent>) {
        self.active.sort_by_key(|one| (std::cmp::Reverse(one.severity), one.onset));
        let mut at = 0;
        while at < self.active.len() {
            let key = self.active[at].key();
            if at >= MAX_ACTIVE || self.active[..at].iter().any(|earlier| earlier.key() == key) {
                self.close(at, Closure::OverCapOnLoad, "over_cap_on_load", now, events);
            } else {
                at += 1;
            }
        }
    }

    /// S-111. Suffering from the file, or from the copy before it; never a silent empty state.
    ///
    /// # Errors
    /// [`StressorFileError::NothingLeft`] when neither can be read: the journal is replayed then.
    pub fn recover(
        file: Option<Export>,
        copy: Option<Export>,
        law: &SufferingLaw,
    ) -> Result<(Self, Vec<SufferingEvent>), StressorFileError> {
        let read = |export: Option<Export>| export.and_then(|export| Self::import(export, law).ok());
        read(file).or_else(|| read(copy)).ok_or(StressorFileError::NothingLeft)
    }
}
