//! What suffering tells the outside.

use golem_daimon::Trigger;

use crate::band::Band;
use crate::kind::StressorKind;
use crate::severity::{Load, Severity};
use crate::stressor::{Closure, RaisedBy};
use crate::text::{Key, Line};

/// Why an entry of a reply was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EntryRefused {
    /// S-092. It is active already.
    #[error("a stressor of that name is active; it is not added twice")]
    Duplicate,
    /// S-090. Five are active.
    #[error("five stressors are active; the entry was dropped")]
    NoRoom,
    /// S-047.
    #[error("the agent holds three slots already; the entry was refused")]
    AgentSlots,
    /// S-048.
    #[error("the condition is a bare state; name a measure and a number")]
    BareState,
    /// S-093.
    #[error("the name has no letter and no digit; name the stressor")]
    NoName,
    /// S-097.
    #[error("a crisis was just broken; new stressors are heard again in the next cycle")]
    AfterReset,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SufferingEvent {
    Raised {
        kind: StressorKind,
        source: RaisedBy,
        severity: Severity,
        restored: bool,
        evidence: Line,
    },
    Resolved {
        key: Key,
        closure: Closure,
        peak: Severity,
        note: Line,
    },
    /// S-065. The agent says one is over; it counts until the next look.
    Claimed {
        key: Key,
    },
    /// S-066. The agent says one is over and the world says it is not.
    ClaimRejected {
        key: Key,
        evidence: Line,
    },
    /// S-091. A stressor found no room, or an entry was not taken.
    Dropped {
        key: Option<Key>,
        source: RaisedBy,
        reason: EntryRefused,
        /// S-091. Whether it waits for the next free slot.
        pending: bool,
    },
    /// S-022. Another band.
    BandChanged {
        from: Band,
        to: Band,
        load: Load,
        types: Vec<Key>,
    },
    /// S-051. A reply's block could not be read; nothing changed.
    BlockMalformed,
    /// S-094. A crisis was broken.
    ForceReset {
        /// Crisis cycles in a row.
        cycles: u32,
        closed: usize,
    },
    /// S-097. The owner should look: resets do not help.
    OwnerAlert {
        /// Resets within a day.
        resets: usize,
        exhausted: bool,
    },
    /// S-007. A file gave a rate that is not the type's; it does not count.
    RateIgnored {
        key: Key,
    },
    /// S-133. Death has begun; nothing moves any more.
    Frozen {
        load: Severity,
    },
}

impl SufferingEvent {
    /// The name in files, streams and metrics.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Raised { .. } => "suffering.raised",
            Self::Resolved { .. } => "suffering.resolved",
            Self::Claimed { .. } => "suffering.claimed",
            Self::ClaimRejected { .. } => "suffering.claim_rejected",
            Self::Dropped { .. } => "suffering.dropped",
            Self::BandChanged { .. } => "suffering.band_changed",
            Self::BlockMalformed => "suffering.block_malformed",
            Self::ForceReset { .. } => "suffering.force_reset",
            Self::OwnerAlert { .. } => "suffering.owner_alert",
            Self::RateIgnored { .. } => "suffering.rate_ignored",
            Self::Frozen { .. } => "suffering.frozen",
        }
    }

    /// S-144, A-160. What affect is told: entering a band from below, and what was really resolved. One way only.
    #[must_use]
    pub fn appraisal(&self) -> Option<Trigger> {
        match self {
            Self::BandChanged { from, to, load, .. } if to > from => {
                to.strain().map(|band| Trigger::Strain { band, load: load.load.ppm() })
            }
            Self::Resolved { closure: Closure::Observed, .. } => Some(Trigger::Relief),
            _ => None,
        }
    }
}

/// Names of the metrics.
pub mod metric {
    /// Gauge, at most one.
    pub const LOAD: &str = "suffering_load";
    /// Gauge without the cap.
    pub const RAW_SUM: &str = "suffering_raw_sum";
    /// Gauge by `band`.
    pub const BAND: &str = "suffering_band";
    /// Gauge by `type`.
    pub const SEVERITY: &str = "suffering_severity";
    /// S-091. Counter by `type` and `source`.
    pub const DROPPED: &str = "suffering_dropped_total";
    /// Counter.
    pub const RESETS: &str = "suffering_force_resets_total";
    /// Counter by `type`.
    pub const CLAIMS_REJECTED: &str = "suffering_claims_rejected_total";
    /// All of them.
    pub const ALL: [&str; 7] = [LOAD, RAW_SUM, BAND, SEVERITY, DROPPED, RESETS, CLAIMS_REJECTED];
}
