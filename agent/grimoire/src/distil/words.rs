//! The words of what counting makes: statements, questions, rules and warnings. Each follows from its finding alone, so
//! that who reads a text can tell whether it is the one its finding makes.

use std::collections::BTreeSet;

use golem_primitives::GolemId;

use super::HEURISTIC_TRIALS;
use crate::entry::{Draft, EntryQuestion, Method};
use crate::finding::{Finding, rule_words, warning_words};
use crate::id::{EntryId, EpisodeId, Moment};
use crate::kind::{Domain, EntryBody, WarningSeverity};
use crate::playbook::STRATEGY_TAG;
use crate::provenance::Source;

/// What was counted, as a draft of one's own.
fn counted(
    golem: &GolemId,
    finding: &Finding,
    content: &str,
    body: EntryBody,
    parents: BTreeSet<EpisodeId>,
    now: Moment,
) -> Draft {
    // It held from its first episode on, whenever it was written down.
    let from = parents.first().map_or(now.at, |first| first.at());
    Draft {
        domain: Domain::MarketStructure,
        regime: finding.regime,
        parents,
        tags: BTreeSet::from([finding.key.tool.clone(), finding.key.pair.clone()]),
        method: Method::Rules(finding.clone()),
        ..Draft::new(content, body, Source::own(*golem), from)
    }
}

/// G-142, G-171. The statement of a finding, or the question it leaves.
pub(super) fn statement(
    golem: &GolemId,
    finding: &Finding,
    parents: BTreeSet<EpisodeId>,
    now: Moment,
    asks: bool,
) -> Draft {
    let mut draft = counted(golem, finding, &finding.statement(), EntryBody::Insight, parents, now);
    if asks {
        let interval = finding.interval();
        draft.content = format!("Does {} hold in this regime? So far: {}", finding.key, finding.statement());
        draft.question = Some(EntryQuestion::Open { requires_investigation: true });
        draft.gaps = vec![format!("the share that holds lies anywhere between {} and {}", interval.low, interval.high)];
    }
    draft
}

/// G-013, G-017, G-145. The rule of action an insight bears once ten trials exclude chance: do it if it holds, avoid it
/// if it fails.
pub(super) fn heuristic(
    golem: &GolemId,
    finding: &Finding,
    insight: EntryId,
    parents: BTreeSet<EpisodeId>,
    now: Moment,
) -> Option<Draft> {
    if finding.trials < HEURISTIC_TRIALS || finding.sign() == 0 {
        return None;
    }
    let (when, act) = rule_words(finding, finding.sign() < 0);
    let because = finding.statement().trim_end_matches('.').to_owned();
    let body = EntryBody::Heuristic { when, act, because, derived_from: BTreeSet::from([insight]) };
    let content = body.statement()?;
    let mut draft = counted(golem, finding, &content, body, parents, now);
    draft.tags.insert(format!("{STRATEGY_TAG}{}", finding.key.tool));
    Some(draft)
}

/// G-014, G-047. The warning of losses beyond the rule, with the episodes that taught it. It has no term of its own: its
/// class lets it fade unless such losses come again (C33).
pub(super) fn warning(
    golem: &GolemId,
    finding: &Finding,
    severity: WarningSeverity,
    parents: BTreeSet<EpisodeId>,
    now: Moment,
) -> Draft {
    let body = EntryBody::Warning { severity, ttl: None };
    counted(golem, finding, &warning_words(finding, severity), body, parents, now)
}
