//! Six classes of what a dream brings forth, and what each may become.

use std::collections::BTreeSet;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{Draft, DreamMark, Method};
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::kind::{Body, Severity};
use golem_grimoire::provenance::{DreamOutput, Provenance, Source};
use golem_primitives::{Ppm, words};

use crate::inputs::{Frozen, Known};
use crate::integration::staging::{EXPIRES_AFTER, RevisionType, RowStatus, Staged};
use crate::nrem::pattern::Pattern;
use crate::number::Hundredths;
use crate::rem::hypothesis::{Hypothesis, Origin, dedup_hash};
use crate::rem::rehearsal::Threat;

words! {
    /// D-148. How something new stands to what is known.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    SchemaFit {
        /// It fits: little is left to do.
        Consistent = "consistent",
        /// It does not: the next cycle looks deeper.
        Inconsistent = "inconsistent",
        /// It adds: a new section at little worth.
        Extending = "extending",
    }
}

/// DG-15. A raise of an entry's worth that a dream asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Boost {
    /// Which entry.
    pub entry: EntryId,
    /// What it was worth.
    pub from: Confidence,
    /// What it would be worth.
    pub to: Confidence,
}

/// DG-15. What a confirmation in a dream adds.
const BOOST: Ppm = Ppm::of(50_000);
/// DG-15. The most it reaches, so that no dream alone lifts an entry to 0.7.
const BOOST_CAP: Ppm = Ppm::of(690_000);

/// DG-15. The raise of an entry once in a cycle; `None` where it would add nothing.
#[must_use]
pub fn boost(known: &Known) -> Option<Boost> {
    let from = known.confidence;
    let to = Confidence::new(from.get().saturating_add(BOOST).min(BOOST_CAP));
    (to > from).then_some(Boost { entry: known.id, from, to })
}

/// D-145. A contradiction that is flagged for review.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contradiction {
    /// The entry.
    pub entry: EntryId,
    /// What speaks against it, with its numbers.
    pub against: String,
    /// The episodes.
    pub episodes: BTreeSet<EpisodeId>,
}

/// D-046, D-145. What is written on everything that comes from a dream.
fn mark(frozen: &Frozen, episodes: &BTreeSet<EpisodeId>, output: DreamOutput) -> DreamMark {
    DreamMark {
        cycle: frozen.cycle.to_string(),
        replayed: episodes.clone(),
        mood: frozen.mood.unwrap_or_default(),
        output: Some(output),
        vitality: frozen.vitality,
        is_validated: false,
    }
}

/// What a text is cut to, so that it is one statement.
fn one_line(text: &str, most: usize) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut end = line.len().min(most);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line[..end].to_owned()
}

/// D-145, C18. A novel pattern as the draft of an insight: a candidate at the gate, not an entry.
#[must_use]
pub fn insight_draft(pattern: &Pattern, frozen: &Frozen) -> Draft {
    let episodes: BTreeSet<EpisodeId> = pattern.episodes.iter().copied().collect();
    let source = Source::foreign(Provenance::Dream, frozen.golem, 0);
    let mut draft = Draft::new(&pattern.sentence(), Body::Insight, source, frozen.opened.at);
    draft.regime = pattern.id.regime;
    draft.method = Method::Rules(pattern.finding.clone());
    draft.dream = Some(mark(frozen, &episodes, DreamOutput::Insight));
    draft.original_confidence = DreamOutput::Insight.initial_confidence();
    draft.parents = episodes;
    draft
}

/// D-145. A threat as the draft of a warning with its rehearsed responses.
#[must_use]
pub fn threat_draft(threat: &Threat, frozen: &Frozen) -> Draft {
    let severity = match threat.tier {
        golem_daimon::trigger::ThreatTier::One => Severity::Critical,
        golem_daimon::trigger::ThreatTier::Two => Severity::High,
        golem_daimon::trigger::ThreatTier::Three => Severity::Medium,
    };
    let responses: Vec<&str> = threat.responses.iter().map(|response| response.action.as_str()).collect();
    let text = format!("{} Loss {}. Rehearsed: {}.", threat.narrative, threat.loss, responses.join(", "));
    let source = Source::foreign(Provenance::Dream, frozen.golem, 0);
    let body = Body::Warning { severity, ttl: None };
    let mut draft = Draft::new(&one_line(&text, Draft::MOST_BYTES), body, source, frozen.opened.at);
    draft.dream = Some(mark(frozen, &BTreeSet::new(), DreamOutput::ThreatGuard));
    draft.original_confidence = DreamOutput::ThreatGuard.initial_confidence();
    draft.tags = threat.tag.iter().cloned().collect();
    draft
}

/// What every row of a cycle shares.
fn row(frozen: &Frozen, name: &str, revision: RevisionType, proposed: &str) -> Staged {
    let now = frozen.opened.tick;
    let proposed = one_line(proposed, Draft::MOST_BYTES);
    Staged {
        id: EntryId::derive(frozen.opened.at, &frozen.golem, format!("{}/{name}", frozen.cycle).as_bytes()),
        revision,
        origin: Origin::Replay,
        section: "global".to_owned(),
        current: None,
        dedup: dedup_hash(&proposed),
        proposed,
        evidence: BTreeSet::new(),
        criterion: String::new(),
        falsification: String::new(),
        confidence: Hundredths::of(20),
        cycle: frozen.cycle,
        staged_at: now,
        expires_at: now.checked_add(EXPIRES_AFTER).unwrap_or(golem_primitives::Tick::MAX),
        status: RowStatus::Staged,
        closure: None,
        confirmed_by: BTreeSet::new(),
        contradicted_by: BTreeSet::new(),
        utility: Ppm::ZERO,
        is_far: false,
        vector: None,
    }
}

/// D-150. The row of a hypothesis.
#[must_use]
pub fn hypothesis_row(hypothesis: &Hypothesis, frozen: &Frozen, utility: Ppm) -> Staged {
    let name = hypothesis.id.to_string();
    Staged {
        origin: hypothesis.source,
        evidence: hypothesis.episodes.clone(),
        criterion: hypothesis.criterion.clone(),
        falsification: hypothesis.failure_conditions.clone(),
        confidence: hypothesis.confidence,
        utility,
        is_far: hypothesis.episodes.is_empty(),
        vector: hypothesis.vector.clone(),
        ..row(frozen, &name, RevisionType::Hypothesis, &hypothesis.description)
    }
}

/// D-145, C18. The row that stands beside an insight's draft.
#[must_use]
pub fn insight_row(pattern: &Pattern, frozen: &Frozen, confidence: Hundredths, utility: Ppm) -> Staged {
    let sentence = pattern.sentence();
    Staged {
        evidence: pattern.episodes.iter().copied().collect(),
        criterion: format!("{} is tried again under the same regime", pattern.id.key),
        falsification: "its result has the opposite sign".to_owned(),
        confidence,
        utility,
        ..row(frozen, &format!("insight/{sentence}"), RevisionType::AddHeuristic, &sentence)
    }
}

/// D-134, D-166. The row of a guard that is missing.
#[must_use]
pub fn guard_row(threat: &Threat, frozen: &Frozen) -> Option<Staged> {
    let (asset, fall) = threat.gap.as_ref()?;
    let text = format!("Leave {asset} when it falls by {} within five minutes ({}).", fall.magnitude(), threat.kind);
    Some(Staged {
        origin: Origin::Threat,
        section: "guards".to_owned(),
        criterion: format!("{asset} falls by {} bps or more", fall.magnitude()),
        falsification: "leaving there loses more than staying".to_owned(),
        confidence: Hundredths::of(30),
        utility: threat.severity,
        ..row(frozen, &format!("guard/{text}"), RevisionType::AddGuard, &text)
    })
}

/// D-166. The row of a rule that replay speaks against: less weight, by 0.2.
#[must_use]
pub fn down_weight_row(contradiction: &Contradiction, frozen: &Frozen) -> Staged {
    let text = format!("Lower {} by 0.2: {}", contradiction.entry, contradiction.against);
    Staged {
        current: Some(contradiction.entry.to_string()),
        evidence: contradiction.episodes.clone(),
        criterion: format!("{} is tried again and fails", contradiction.entry),
        falsification: format!("{} is tried again and holds", contradiction.entry),
        utility: Ppm::of(500_000),
        ..row(frozen, &format!("weight/{}", contradiction.entry), RevisionType::ModifyHeuristic, &text)
    }
}

/// D-148. How a pattern stands to what is known.
#[must_use]
pub fn fit(pattern: &Pattern, known: &[Known]) -> SchemaFit {
    use crate::nrem::pattern::Standing;
    match pattern.standing(known) {
        Standing::Confirms(_) => SchemaFit::Consistent,
        Standing::Contradicts(_) => SchemaFit::Inconsistent,
        Standing::Novel => SchemaFit::Extending,
    }
}

/// D-145, D-155, D-161. A row as it stands at the admission gate: a draft, and nothing that is admitted already.
#[must_use]
pub fn promotion(row: &Staged, frozen: &Frozen) -> Draft {
    let source = Source::foreign(Provenance::Dream, frozen.golem, 0);
    let mut draft = Draft::new(&row.proposed, Body::Insight, source, frozen.opened.at);
    draft.parents = row.evidence.union(&row.confirmed_by).copied().collect();
    draft.original_confidence = row.confidence.confidence();
    draft.dream =
        Some(DreamMark { cycle: row.cycle.to_string(), ..mark(frozen, &row.evidence, DreamOutput::Hypothesis) });
    draft
}
