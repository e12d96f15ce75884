//! What the archive keeps: what failed comes back by new evidence, at what it was left with.

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::entry::MOST_PARENTS;
use golem_grimoire::kind::Kind;
use golem_grimoire::playbook::{Holder, Playbook, Writership};
use golem_grimoire::status::{Entry, Status};
use golem_mortality::phase::Phase;
use proptest::prelude::*;

use crate::curator::lived;
use crate::cycle::Cycle;

/// State and confidence of every entry of a type that is or was.
fn all(cycle: &Cycle, kind: Kind) -> Vec<(Status, Confidence)> {
    let known = |entry: &Entry| entry.knowledge().map(|known| (known.kind(), entry.status(), known.confidence));
    let all = cycle.grimoire.entries().filter_map(known);
    all.filter(|(of, _, _)| *of == kind).map(|(_, status, confidence)| (status, confidence)).collect()
}

/// G-069, GG-5: what held for long and then failed is not said anew while old successes still outweigh: it waits in the
/// archive and comes back at what it was left with.
#[test]
fn g_069_the_archive_launders_no_confidence() {
    let mut history = vec![(6, true); 20];
    assert_eq!(all(&lived(&history), Kind::Insight), [(Status::Active, Confidence::of(990_000))]);
    history.extend([(3, false); 6]);
    for _ in 0..4 {
        history.push((3, false));
        assert_eq!(all(&lived(&history), Kind::Insight), [(Status::Archived, Confidence::of(90_000))]);
    }
    history.push((2, true));
    assert_eq!(all(&lived(&history), Kind::Insight), [(Status::Candidate, Confidence::of(290_000))], "two for it");
    history.push((4, true));
    assert_eq!(all(&lived(&history), Kind::Insight), [(Status::Active, Confidence::of(690_000))], "earned again");
    let restored = lived(&history);
    let insight = restored.grimoire.living().find(|entry| entry.kind() == Kind::Insight).expect("restored");
    assert!(insight.draft.content.contains("held 126 of 156"), "counted on: {}", insight.draft.content);
}

/// G-069, G-155: nor is a rule of action said anew.
#[test]
fn g_069_a_refuted_rule_comes_back_at_what_it_was_left_with() {
    let mut history = vec![(12, true), (2, true), (2, true), (2, false), (2, false), (2, false)];
    assert_eq!(all(&lived(&history), Kind::Heuristic), [(Status::Archived, Confidence::of(50_000))]);
    history.extend([(10, true), (1, true)]);
    let back = all(&lived(&history), Kind::Heuristic);
    assert_eq!(back.len(), 1, "one rule, whatever became of it: {back:?}");
}

/// G-032, G-165: what stands behind an entry is named as far as the newest go, and more of it makes no new PLAYBOOK.
#[test]
fn g_165_more_evidence_makes_no_new_version() {
    let history: Vec<(usize, bool)> = std::iter::repeat_n((12, true), 8).collect();
    let cycle = lived(&history);
    for entry in cycle.grimoire.living() {
        let parents: Vec<_> = entry.draft.parents.iter().copied().collect();
        let all: Vec<_> = cycle.episodes.iter().map(|recorded| recorded.episode.id).collect();
        assert_eq!(parents, all[96 - MOST_PARENTS..], "the newest of 96");
        assert_eq!(entry.draft.valid_from, cycle.episodes[0].episode.happened.at, "G-031: since the first");
    }
    let writership = Writership { dreams: false, is_dying: false, phase: Phase::Thriving };
    let mut playbook = Playbook::default();
    for cycles in 2..=8 {
        let edits = playbook.wanted_edits(&lived(&history[..cycles]).grimoire);
        playbook.pen(Holder::Curator, writership).expect("its turn").commit("cycle", &edits).expect("with evidence");
    }
    assert_eq!((playbook.version(), playbook.rules().count()), (1, 1));
}

proptest! {
    /// GG-5: votes confirm exactly when they would raise a confidence that no bound stops.
    #[test]
    fn gg_5_votes_confirm_when_they_raise(up in 0u32..4, down in 0u32..4) {
        let before = Confidence::of(500_000);
        let votes = Votes { up, down };
        prop_assert_eq!(votes.confirm(), before.after(votes) > before);
    }
}
