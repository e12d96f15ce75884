//! Warnings of one's own: losses beyond the rule, and laws that broke.
//!
//! The catalogue says what a warning is (G-014) and not when one is made. Here a loss is beyond the rule when it takes a
//! twentieth of what was at stake or more, the one number the catalogue has for a large one (G-123); and so is every
//! safety incident (G-126). One is enough: what a warning does is to make smaller steps, and it fades unless another comes.

use std::collections::BTreeSet;

use golem_primitives::{GolemId, Ppm};

use super::words::warning;
use super::{Distillation, Group, Operation, felt_draft, shelved};
use crate::confidence::Votes;
use crate::entry::{Knowledge, Method};
use crate::episode::{Episode, EpisodeKind};
use crate::finding::Finding;
use crate::id::{EpisodeId, Moment};
use crate::kind::{Kind, WarningSeverity};
use crate::shelf::Grimoire;
use crate::thesis::Thesis;

/// G-123. The share of what was at stake from which a loss is beyond the rule.
const BEYOND: Ppm = Ppm::of(50_000);
/// Shares from which it costs much, and from which it kills.
const MUCH: Ppm = Ppm::of(100_000);
const DEADLY: Ppm = Ppm::of(200_000);
/// Episodes without such a loss that speak against a warning as much as one vote.
const CALM: u32 = 10;

/// How bad an episode was; `None` for one within the rule.
fn severity(episode: &Episode) -> Option<WarningSeverity> {
    if episode.kind == EpisodeKind::SafetyIncident {
        return Some(WarningSeverity::Critical);
    }
    let lost = episode.pnl_micros.filter(|pnl| *pnl < 0)?.unsigned_abs();
    let stake = episode.position.micros();
    if stake == 0 {
        return None;
    }
    let share = u128::from(lost) * 1_000_000 / u128::from(stake);
    match Ppm::saturating(u64::try_from(share).unwrap_or(u64::MAX)) {
        share if share >= DEADLY => Some(WarningSeverity::Critical),
        share if share >= MUCH => Some(WarningSeverity::High),
        share if share >= BEYOND => Some(WarningSeverity::Medium),
        _ => None,
    }
}

/// Lets the new episodes of a group speak for and against its warnings, and makes one's own where there is none. A loss
/// speaks once for each warning: it is then among the episodes behind it, also while the group is too small to be counted.
pub(super) fn weigh(
    golem: &GolemId,
    grimoire: &Grimoire,
    group: &Group<'_>,
    finding: &Finding,
    now: Moment,
    out: &mut Distillation,
) {
    let bad: Vec<(EpisodeId, WarningSeverity)> =
        group.fresh.iter().filter_map(|recorded| Some((recorded.episode.id, severity(&recorded.episode)?))).collect();
    let calm = group.fresh.len().saturating_sub(bad.len());
    let calm = u32::try_from(calm).unwrap_or(u32::MAX) / CALM;
    let unheard = |known: &Knowledge| -> BTreeSet<EpisodeId> {
        bad.iter().map(|(id, _)| *id).filter(|id| !known.draft.parents.contains(id)).collect()
    };
    let mut is_said = false;
    let about = |known: &&Knowledge| known.draft.counted().is_some_and(|counted| counted.is_about(finding));
    for known in grimoire.living().filter(|known| known.kind() == Kind::Warning).filter(about) {
        is_said |= matches!(known.draft.method, Method::Rules(_));
        let parents = unheard(known);
        let votes = Votes { up: u32::try_from(parents.len()).unwrap_or(u32::MAX), down: calm };
        if !votes.is_empty() {
            out.operations.push(Operation::Vote { id: known.id, votes });
        }
        if !parents.is_empty() {
            out.operations.push(Operation::Edit { id: known.id, finding: finding.clone(), parents });
        }
    }
    let Some(worst) = bad.iter().map(|(_, severity)| *severity).max().filter(|_| !is_said) else { return };
    let thesis = Thesis { kind: Kind::Warning, key: finding.key.clone(), regime: finding.regime, holds: true };
    let kept = shelved(grimoire, &thesis, |method| matches!(method, Method::Rules(_)));
    let kept = kept.and_then(|id| grimoire.get(id)?.knowledge());
    let Some(kept) = kept else {
        let parents = bad.iter().map(|(id, _)| *id).collect();
        out.operations.push(Operation::Add(Box::new(felt_draft(group, warning(golem, finding, worst, parents, now)))));
        return;
    };
    let parents = unheard(kept);
    if !parents.is_empty() {
        let votes = Votes { up: u32::try_from(parents.len()).unwrap_or(u32::MAX), down: 0 };
        out.operations.push(Operation::Vote { id: kept.id, votes });
        out.operations.push(Operation::Edit { id: kept.id, finding: finding.clone(), parents });
    }
}
