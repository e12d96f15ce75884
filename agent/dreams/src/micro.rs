//! Micro-consolidation: a glance between two dreams, awake.

use std::time::Duration;

use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::kind::Kind;
use golem_grimoire::strength::Reinforcement;
use golem_primitives::{Ppm, UtcTime};

use crate::inputs::{KnownEntry, Trace};

/// D-216. How often.
pub const EVERY: Duration = Duration::from_secs(60);
/// D-217. Episodes looked at.
pub const EPISODES: usize = 5;
/// D-217. Insights compared.
pub const INSIGHTS: usize = 10;
/// D-217. Cosine above which an insight is strengthened.
const MATCH: f64 = 0.8;
/// D-218. Cosine above which an episode that went the other way is an anomaly.
const NEAR: f64 = 0.7;
/// DG-21. Confidence from which an insight is trusted.
const TRUSTED: Ppm = Ppm::of(700_000);

/// D-217 to D-220. What a pass wants noted: strengths and tags, and nothing else. It knows no PLAYBOOK.md.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Glance {
    /// Insights that were met again, each once for every episode that met it.
    pub strengthened: Vec<(EntryId, Reinforcement)>,
    /// Episodes that went against what is known: to be dreamt of first.
    pub anomalies: Vec<EpisodeId>,
}

impl Glance {
    /// D-219. Whether a pattern is left unresolved, which adds to the urgency.
    #[must_use]
    pub const fn is_unresolved(&self) -> bool {
        !self.anomalies.is_empty()
    }
}

/// D-216. Whether a pass is due.
#[must_use]
pub fn is_due(last: Option<UtcTime>, now: UtcTime) -> bool {
    last.is_none_or(|last| now.since(last) >= EVERY)
}

/// D-217, D-218. One pass over the newest five episodes and the ten insights that are retrieved most.
#[must_use]
pub fn glance(traces: &[Trace], known: &[KnownEntry]) -> Glance {
    let mut newest: Vec<&Trace> = traces.iter().collect();
    newest.sort_by_key(|trace| std::cmp::Reverse((trace.recorded.episode.happened, trace.id())));
    let mut insights: Vec<&KnownEntry> = known.iter().filter(|known| known.kind == Kind::Insight).collect();
    insights.sort_by_key(|known| (std::cmp::Reverse(known.retrievals), known.id));
    insights.truncate(INSIGHTS);
    let mut glance = Glance::default();
    for trace in newest.into_iter().take(EPISODES) {
        let Some(vector) = &trace.vector else { continue };
        for insight in &insights {
            let Some(cosine) = insight.vector.as_ref().and_then(|other| vector.cosine(other)) else { continue };
            let diverges = insight.confidence.get() >= TRUSTED && trace.sign() * insight.sign < 0;
            if cosine > NEAR && diverges {
                glance.anomalies.push(trace.id());
            } else if cosine > MATCH {
                glance.strengthened.push((insight.id, Reinforcement::MicroConsolidation));
            }
        }
    }
    glance.anomalies.dedup();
    glance
}
