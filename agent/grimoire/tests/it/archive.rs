//! What the archive keeps: what failed comes back by new evidence, at what it was left with.

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::entry::{Draft, MOST_PARENTS, Method};
use golem_grimoire::finding::{Finding, MeanInterval};
use golem_grimoire::gate::{Admission, Quarantined};
use golem_grimoire::ingest::{Arrival, Customs, Ingested, reading};
use golem_grimoire::kind::Kind;
use golem_grimoire::playbook::{Holder, Playbook, Writership};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::{Entry, Status};
use golem_mortality::phase::Phase;
use proptest::prelude::*;

use crate::curator::lived;
use crate::cycle::Cycle;
use crate::make::{add_active, draft, episodes, golem, id, key, moment};

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

/// G-013, G-144: a rule is made and voted on by what it earns: many small gains and few large losses are a loss.
#[test]
fn g_144_money_votes_on_what_money_made() {
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.1));
    for at in 0..8 {
        let held: Vec<bool> = (0..20).map(|n| n % 5 != 0).collect();
        let mut fresh = episodes("WETH/USDC", at * 50 + 1, &held);
        for recorded in &mut fresh {
            let is_gain = recorded.episode.pnl_micros > Some(0);
            recorded.episode.pnl_micros = Some(if is_gain { 1_000 } else { -100_000 });
        }
        cycle.episodes.extend(fresh);
        cycle.now = moment(at * 50 + 50, (at * 50 + 50) as f64 * 40.0 / 86_400.0);
        cycle.grimoire = cycle.run().grimoire;
        cycle.episodes.iter_mut().for_each(|recorded| recorded.notes.is_consolidated = true);
    }
    let rules: Vec<_> = cycle.grimoire.living().filter(|entry| entry.kind() == Kind::Heuristic).collect();
    assert!(matches!(&rules[..], [rule] if rule.is_avoidance()), "{rules:?}");
    assert_eq!(rules[0].confidence, Confidence::of(990_000), "each cycle lost money and says so");
    let insight = cycle.grimoire.living().find(|entry| entry.kind() == Kind::Insight).expect("said");
    assert!(insight.draft.content.contains("held 128 of 160"), "what it says of holding is a count");
}

/// One's own finding or another's: sure that it earns, or that it loses.
fn counted(kind: Kind, way: Provenance, sign: i64) -> Draft {
    let mut said = draft(kind, way);
    let earned = Some(MeanInterval { mean_micros: 5 * sign, low_micros: 5 * sign - 4, high_micros: 5 * sign + 4 });
    said.method = Method::Rules(Finding { key: key("WETH/USDC"), regime: None, trials: 20, held: 10, earned });
    said.original_confidence = Confidence::of(200_000);
    said
}

/// G-108, G-109, G-149: a foreign attack on the well known stays locked away, a warning as well, and is dropped after three
/// cycles; it stands at the gate again when what it attacks has fallen, and passes if one's own findings agree by then.
#[test]
fn g_149_foreign_attacks_stay_in_quarantine() {
    for kind in [Kind::Warning, Kind::Insight] {
        let mut grimoire = Grimoire::default();
        add_active(&mut grimoire, "known", counted(Kind::Insight, Provenance::Own, 1), moment(1, 0.0));
        let sent = Arrival {
            draft: counted(kind, Provenance::Clade, -1),
            way: Provenance::Clade,
            sender: golem(),
            claimed_cosine: None,
            is_left: false,
            on_chain: None,
        };
        let read = reading(&grimoire, &sent.draft, None, moment(2, 0.0));
        let (judged, _) = Customs::default().ingest(id("x"), sent, &read, moment(2, 0.0));
        let Ingested::Judged(Admission::Quarantined(locked)) = judged else { panic!("{judged:?}") };
        assert_eq!(locked.draft.method, Method::Received, "believed nowhere");
        let mut cycle = Cycle::new(grimoire, moment(50, 0.1));
        cycle.quarantine = vec![*locked.clone()];
        for waited in 1..3 {
            let pass = cycle.run();
            assert_eq!((pass.report.added, pass.quarantine.len()), (0, 1), "{kind} after {waited}");
            assert_eq!(pass.quarantine[0].cycles, waited);
            cycle.quarantine = pass.quarantine;
        }
        assert!(cycle.run().quarantine.is_empty(), "dropped");
        cycle.quarantine = vec![*locked.clone()];
        cycle.votes.insert(id("known"), Votes::DOWN);
        add_active(&mut cycle.grimoire, "agrees", counted(Kind::Insight, Provenance::Own, -1), moment(2, 0.0));
        let freed = cycle.run();
        assert_eq!((freed.report.added, freed.quarantine.len()), (1, 0), "{kind}");
        cycle.quarantine = vec![Quarantined { claim: None, ..*locked }];
        assert_eq!(cycle.run().quarantine.len(), 1, "without a claim nobody can say what it attacks");
    }
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
