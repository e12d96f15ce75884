//! What the archive keeps: what failed comes back by new evidence, at what it was left with.

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::kind::Kind;
use golem_grimoire::status::{Entry, Status};
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

proptest! {
    /// GG-5: votes confirm exactly when they would raise a confidence that no bound stops.
    #[test]
    fn gg_5_votes_confirm_when_they_raise(up in 0u32..4, down in 0u32..4) {
        let before = Confidence::of(500_000);
        let votes = Votes { up, down };
        prop_assert_eq!(votes.confirm(), before.after(votes) > before);
    }
}
