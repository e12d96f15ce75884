//! What was suffered here before.

use crate::domain::WorkDomain;
use crate::law::SCARRING;
use crate::severity::Severity;
use crate::suffering::Suffering;
use crate::text::{Key, Line};

/// S-080. A warning before a domain is entered.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Signal {
    pub key: Key,
    pub peak: Severity,
    /// S-084. What really ended it; nothing when nothing did.
    pub cure: Option<Line>,
    /// S-085. Whether a predecessor suffered it.
    pub inherited: bool,
}

impl Signal {
    /// The words.
    #[must_use]
    pub fn text(&self) -> String {
        let whose = if self.inherited {
            "a predecessor in a similar domain suffered"
        } else {
            "a similar domain previously caused"
        };
        let cure = self
            .cure
            .as_ref()
            .map_or_else(|| "It was never truly resolved.".to_owned(), |note| format!("It resolved when: {note}."));
        format!("Anticipatory signal: {whose} {} suffering (peak {}).\n{cure}", self.key, self.peak)
    }
}

impl Suffering {
    /// S-080..S-085. The worst that was suffered in a domain, above 0.5; of equals the newest.
    #[must_use]
    pub fn anticipate(&self, domain: &WorkDomain) -> Option<Signal> {
        let traces = self.history.traces().filter(|trace| trace.domain.covers(domain)).map(|trace| Signal {
            key: trace.kind.key(),
            peak: trace.peak,
            cure: trace.is_resolved().then(|| trace.note.clone()),
            inherited: trace.inherited,
        });
        let sums = self.history.sums().iter().filter(|sum| sum.domain.covers(domain)).map(|sum| Signal {
            key: sum.key.clone(),
            peak: sum.max_peak,
            cure: sum.last_true_note.clone(),
            inherited: false,
        });
        sums.chain(traces).filter(|signal| signal.peak > SCARRING).max_by_key(|signal| signal.peak)
    }
}
