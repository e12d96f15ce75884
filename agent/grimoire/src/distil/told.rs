//! Evidence on what others said. Whoever said it, one's own episodes decide (G-053, G-175).

use std::collections::{BTreeMap, BTreeSet};

use super::{Distillation, Group, Operation, shelved, votes};
use crate::entry::{Knowledge, Method};
use crate::finding::Finding;
use crate::id::EpisodeId;
use crate::kind::Kind;
use crate::shelf::Grimoire;
use crate::status::Entry;
use crate::thesis::Thesis;

/// Whether somebody else said it in the closed form.
const fn is_told(method: &Method) -> bool {
    matches!(method, Method::Told(_))
}

/// Lets the new episodes of a group vote on what others said of it, exactly as on what was counted here. What an entry's
/// sender counted has no vote. Of what was archived one comes back for each thesis that is confirmed and that nobody
/// living says.
pub(super) fn weigh(grimoire: &Grimoire, group: &Group<'_>, finding: &Finding, out: &mut Distillation) {
    let is_meant = |entry: &Knowledge| {
        is_told(&entry.draft.method)
            && entry.kind() != Kind::Warning
            && entry.draft.counted().is_some_and(|told| told.is_about(finding))
    };
    let parents: BTreeSet<EpisodeId> = group.fresh.iter().map(|recorded| recorded.episode.id).collect();
    let mut said: BTreeMap<Thesis, bool> = BTreeMap::new();
    for entry in grimoire.entries() {
        let Some(known) = entry.knowledge().filter(|known| is_meant(known)) else { continue };
        let Some(thesis) = Thesis::of(&known.draft) else { continue };
        if matches!(entry, Entry::Archived(_)) {
            said.entry(thesis).or_default();
            continue;
        }
        let votes = votes(thesis.kind, thesis.holds, group);
        out.operations.push(Operation::Vote { id: known.id, votes });
        out.operations.push(Operation::Edit { id: known.id, finding: finding.clone(), parents: parents.clone() });
        said.insert(thesis, true);
    }
    for (thesis, _) in said.into_iter().filter(|(_, is_living)| !is_living) {
        let votes = votes(thesis.kind, thesis.holds, group);
        if let Some(id) = shelved(grimoire, &thesis, is_told).filter(|_| votes.confirm()) {
            out.operations.push(Operation::Vote { id, votes });
        }
    }
}
