//! States of an entry: no way to active but through candidacy.

use std::collections::BTreeSet;

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::emotion::Pad;
use golem_grimoire::entry::{DreamMark, EmbeddingMark, EntryQuestion};
use golem_grimoire::kind::{EntryBody, Kind, WarningSeverity};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::regime::Regime;
use golem_grimoire::retention::RetentionLaw;
use golem_grimoire::shelf::{Change, ChangeError, Grimoire};
use golem_grimoire::status::{ArchiveReason, BurnReason, Entry, NotYet, ReloadError, Status, Stored};
use golem_grimoire::strength::{LiveResult, Reinforcement};
use golem_primitives::{B256, Ppm, Tick, UtcTime};
use proptest::prelude::*;

use crate::make::{START, add_active, candidate, draft, id, moment};

/// G-145: what each type needs, and that heuristics are derived at home.
#[test]
fn g_145_promotion_needs_confidence_by_type() {
    let now = moment(50, 0.0);
    for (kind, provenance, votes, expected) in [
        (Kind::Insight, Provenance::Own, Votes::default(), Ok(())),
        (Kind::Insight, Provenance::Inheritance, Votes::default(), Err(NotYet::Unconfirmed)),
        (Kind::Insight, Provenance::Inheritance, Votes::UP, Ok(())),
        (Kind::Insight, Provenance::Clade, Votes { up: 2, down: 0 }, Ok(())),
        (Kind::Warning, Provenance::Clade, Votes::default(), Err(NotYet::Unconfirmed)),
        (Kind::Warning, Provenance::PublicPool, Votes::UP, Ok(())),
        (Kind::CausalLink, Provenance::Clade, Votes::UP, Ok(())),
        (Kind::Heuristic, Provenance::Clade, Votes { up: 9, down: 0 }, Err(NotYet::ForeignHeuristic)),
        (Kind::Heuristic, Provenance::Inheritance, Votes::UP, Ok(())),
        (Kind::Insight, Provenance::Dream, Votes::default(), Err(NotYet::Unconfirmed)),
    ] {
        let mut grimoire = Grimoire::default();
        grimoire.apply(Change::Add(Box::new(candidate("a", draft(kind, provenance), now))), now).expect("new");
        grimoire.apply(Change::Vote { id: id("a"), votes }, now).expect("alive");
        let got = grimoire.apply(Change::Promote { id: id("a"), fitness: Ppm::ONE }, now);
        let expected = expected.map_err(|why| ChangeError::NotYet { id: id("a"), why });
        assert_eq!(got, expected, "{kind} {provenance} {votes:?}");
    }
}

/// G-145, G-199: the edge of an insight, and how age moves it.
#[test]
fn g_199_an_ageing_golem_promotes_less() {
    let now = moment(50, 0.0);
    let own = candidate("a", draft(Kind::Insight, Provenance::Own), now);
    assert!(own.promote(Ppm::ONE, now).is_ok());
    let old = own.promote(Ppm::of(500_000), now);
    let needed = Confidence::of(600_000);
    assert_eq!(old, Err(NotYet::BelowThreshold { weighed: Confidence::of(540_000), needed }));
    let link = candidate("b", draft(Kind::CausalLink, Provenance::Own), now);
    assert!(link.promote(Ppm::ZERO, now).is_ok(), "structural knowledge does not age");
}

/// G-146: by evidence, exclusive, and a warning stays heard.
#[test]
fn g_146_contradicted_entries_are_demoted() {
    let now = moment(50, 0.0);
    for (kind, down, demoted) in [(Kind::Insight, 2, false), (Kind::Insight, 3, true), (Kind::Warning, 4, false)] {
        let mut grimoire = Grimoire::default();
        add_active(&mut grimoire, "a", draft(kind, Provenance::Own), now);
        grimoire.apply(Change::Vote { id: id("a"), votes: Votes { up: 0, down } }, now).expect("alive");
        let active = grimoire.active().next().expect("active");
        assert_eq!(active.is_to_be_demoted(), demoted, "{kind} {down}");
    }
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, "a", draft(Kind::Insight, Provenance::Own), now);
    grimoire.apply(Change::Demote { id: id("a") }, moment(99, 0.0)).expect("active");
    assert_eq!(grimoire.candidates().next().map(|c| c.since()), Some(moment(99, 0.0)));
}

/// G-145: GG-6 keeps a fresh 0.7 out of PLAYBOOK.md.
#[test]
fn g_145_playbook_needs_ten_confirmations() {
    let now = moment(50, 0.0);
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, "a", draft(Kind::Heuristic, Provenance::Own), now);
    for confirmations in 0..=10 {
        let active = grimoire.active().next().expect("active");
        assert_eq!(active.is_playbook_worthy(), confirmations >= 10, "{confirmations}");
        grimoire.apply(Change::Vote { id: id("a"), votes: Votes::UP }, now).expect("alive");
    }
}

/// G-027, G-028, G-043, G-072, G-081: which clock moves by what; decay is on read only.
#[test]
fn g_072_decay_is_read_and_validation_restores() {
    let law = RetentionLaw::default();
    let now = moment(50, 0.0);
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, "a", draft(Kind::Insight, Provenance::Own), now);
    let week = moment(15_000, 7.0);
    let read = |grimoire: &Grimoire| grimoire.active().next().expect("active").knowledge().clone();
    assert_eq!(read(&grimoire).effective(&law, week.at), Ppm::of(350_000), "W9 on a whole entry");
    assert_eq!(read(&grimoire).confidence, Confidence::of(700_000), "G-072");

    grimoire.mark_accessed([id("a"), id("nobody")], week.tick);
    let accessed = read(&grimoire);
    assert_eq!((accessed.access_count, accessed.last_accessed), (1, week.tick));
    assert_eq!(accessed.strength.hundredths(), 100, "G-081: reading adds nothing");
    assert_eq!(accessed.last_validated, now, "GG-3: reading is not confirming");

    grimoire.apply(Change::Vote { id: id("a"), votes: Votes::UP }, week).expect("alive");
    let confirmed = read(&grimoire);
    assert_eq!((confirmed.validated, confirmed.last_validated), (1, week));
    assert_eq!(confirmed.effective(&law, week.at), Ppm::of(800_000), "validation restores the validated value");

    grimoire.apply(Change::Vote { id: id("a"), votes: Votes::UP }, now).expect("alive");
    assert_eq!(read(&grimoire).last_validated, week, "time that runs backwards moves nothing");
    grimoire.reinforce(id("a"), Reinforcement::Live(LiveResult { pnl_micros: 1, risk_improved: false }));
    assert_eq!((read(&grimoire).strength.hundredths(), read(&grimoire).useful_count), (200, 1), "G-079");
    grimoire.apply(Change::Check { id: id("a"), correct: false }, week).expect("alive");
    assert_eq!(read(&grimoire).confidence, Confidence::of(800_000), "G-083");
}

/// G-014, G-047: a warning's own term ends it, counted from its last confirmation.
#[test]
fn g_014_a_warning_expires_by_its_ttl() {
    let mut warning = draft(Kind::Warning, Provenance::Own);
    warning.body =
        EntryBody::Warning { severity: WarningSeverity::Low, ttl: Some(std::time::Duration::from_secs(100)) };
    let now = moment(1, 0.0);
    let held = candidate("w", warning, now);
    assert!(!held.knowledge().is_expired(UtcTime::from_seconds(START + 99)));
    assert!(held.knowledge().is_expired(UtcTime::from_seconds(START + 100)));
    let mut bounded = draft(Kind::Insight, Provenance::Own);
    bounded.valid_until = Some(UtcTime::from_seconds(START + 5));
    assert!(candidate("b", bounded, now).knowledge().is_expired(UtcTime::from_seconds(START + 5)), "G-031");
}

/// G-001, G-012, G-022, G-030, G-033, G-049: a shelf of all five types keeps every field as it was proposed.
#[test]
fn g_001_the_grimoire_keeps_what_was_proposed() {
    let now = moment(1, 0.0);
    let mut grimoire = Grimoire::default();
    for kind in Kind::ALL {
        let mut proposed = draft(*kind, Provenance::Own);
        proposed.regime = (*kind != Kind::CausalLink).then_some(Regime::Bear);
        proposed.tags = BTreeSet::from(["gas".to_owned(), kind.name().to_owned()]);
        add_active(&mut grimoire, kind.name(), proposed.clone(), now);
        let held = grimoire.get(id(kind.name())).and_then(Entry::knowledge).expect("there");
        assert_eq!((held.kind(), &held.draft), (*kind, &proposed), "{kind}");
    }
    assert_eq!(grimoire.active_count(), 5);
    let tagged = grimoire.living().filter(|entry| entry.draft.tags.contains("insight"));
    assert_eq!(tagged.map(|entry| entry.id).collect::<Vec<_>>(), [id("insight")], "G-033");
    let regimes: Vec<_> = grimoire.living().filter(|entry| entry.draft.regime.is_none()).map(|k| k.kind()).collect();
    assert_eq!(regimes, [Kind::CausalLink], "G-030: regime-independent");
}

/// G-082: what was seen moves the confidence of what is known, and is counted.
#[test]
fn g_082_votes_are_evidence() {
    let now = moment(1, 0.0);
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, "a", draft(Kind::Insight, Provenance::Own), now);
    grimoire.apply(Change::Vote { id: id("a"), votes: Votes { up: 2, down: 1 } }, now).expect("alive");
    let held = grimoire.active().next().expect("active").knowledge();
    assert_eq!((held.confidence, held.validated, held.contradicted), (Confidence::of(750_000), 2, 1));
}

/// G-046, G-065, G-189: a dream confirmed within seven days.
#[test]
fn g_189_dreams_confirmed_in_time_are_validated() {
    for (days, validated, parts) in [(7.0, true, 500_000), (7.01, false, 400_000)] {
        let mut grimoire = Grimoire::default();
        let mut dream = draft(Kind::Insight, Provenance::Dream);
        let mark = DreamMark {
            cycle: "c7".into(),
            mood: Pad::round(-0.3, 0.2, 0.0),
            vitality: Ppm::of(620_000),
            ..DreamMark::default()
        };
        dream.dream = Some(mark.clone());
        let now = moment(1, 0.0);
        grimoire.apply(Change::Add(Box::new(candidate("d", dream, now))), now).expect("new");
        grimoire.apply(Change::Vote { id: id("d"), votes: Votes::UP }, moment(9, days)).expect("alive");
        let held = grimoire.candidates().next().expect("there").knowledge();
        assert_eq!((held.pace().is_dream_validated, held.confidence), (validated, Confidence::of(parts)), "{days}");
        assert_eq!(held.draft.dream, Some(DreamMark { is_validated: validated, ..mark }), "G-046: the rest is kept");
    }
}

/// G-070, M-256, M-262: a line stays, nothing comes back from ashes, and each of the six reasons has its word.
#[test]
fn g_070_burning_leaves_a_line() {
    let now = moment(50, 0.0);
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, "a", draft(Kind::Insight, Provenance::Own), now);
    grimoire.apply(Change::Burn { id: id("a"), reason: BurnReason::Contradicted }, now).expect("there");
    let Some(Entry::Burned(burned)) = grimoire.get(id("a")) else { panic!("burned") };
    assert!(burned.summary.starts_with("When gas") && burned.reason == BurnReason::Contradicted);
    assert_eq!(grimoire.get(id("a")).and_then(Entry::knowledge), None);
    for change in [
        Change::Restore { id: id("a"), votes: Votes::UP },
        Change::Vote { id: id("a"), votes: Votes::UP },
        Change::Burn { id: id("a"), reason: BurnReason::Death },
        Change::Promote { id: id("a"), fitness: Ppm::ONE },
    ] {
        let refused = grimoire.apply(change, now);
        assert_eq!(refused, Err(ChangeError::WrongStatus { id: id("a"), status: Status::Burned }));
    }
    let words = ["confidence_zero", "contradicted", "superseded", "capacity", "death", "governance"];
    assert_eq!(BurnReason::ALL.iter().map(|reason| reason.name()).collect::<Vec<_>>(), words);
}

/// G-069, M-256: the archive gives back, and only a confirmation restores.
#[test]
fn g_069_the_archive_opens_by_a_confirmation() {
    let now = moment(50, 0.0);
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, "a", draft(Kind::Insight, Provenance::Own), now);
    grimoire.apply(Change::Archive { id: id("a"), reason: ArchiveReason::Decayed }, now).expect("alive");
    let Some(Entry::Archived(archived)) = grimoire.get(id("a")) else { panic!("archived") };
    assert_eq!((archived.at(), archived.reason()), (now, ArchiveReason::Decayed));
    let refused = grimoire.apply(Change::Restore { id: id("a"), votes: Votes::DOWN }, now);
    assert_eq!(refused, Err(ChangeError::NoConfirmation { id: id("a") }));
    grimoire.apply(Change::Restore { id: id("a"), votes: Votes::UP }, now).expect("confirmed");
    assert_eq!(grimoire.active().next().map(|a| a.knowledge().confidence), Some(Confidence::of(800_000)), "GG-5");
    assert_eq!(grimoire.apply(Change::Demote { id: id("z") }, now), Err(ChangeError::Unknown { id: id("z") }));
}

/// G-048, G-170: a question stays open until another entry settles it, once.
#[test]
fn g_170_questions_persist_until_settled() {
    let now = moment(50, 0.0);
    let mut question = draft(Kind::Insight, Provenance::Own);
    question.question = Some(EntryQuestion::Open { requires_investigation: true });
    question.gaps = vec!["only two samples".into()];
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, "q", question, now);
    let held = |grimoire: &Grimoire| grimoire.active().next().expect("there").knowledge().clone();
    assert_eq!(held(&grimoire).remaining(&RetentionLaw::default(), moment(1, 400.0).at), Ppm::of(700_000), "C30");
    grimoire.apply(Change::Settle { id: id("q"), question: EntryQuestion::Answered(id("a")) }, now).expect("alive");
    grimoire.apply(Change::Settle { id: id("q"), question: EntryQuestion::Superseded(id("b")) }, now).expect("alive");
    assert_eq!(held(&grimoire).draft.question, Some(EntryQuestion::Answered(id("a"))));
    assert!(held(&grimoire).remaining(&RetentionLaw::default(), moment(1, 400.0).at) < Ppm::of(1));
}

/// G-006, G-024: vectors of different models are never compared.
#[test]
fn g_006_vectors_compare_only_within_one_model() {
    let mark = |model: &str, version: &str, byte| EmbeddingMark {
        model: model.into(),
        version: version.into(),
        preprocessing: B256::repeat_byte(byte),
        at: UtcTime::EPOCH,
    };
    let nomic = mark("nomic-embed-text", "1.5", 1);
    assert!(nomic.is_comparable(&EmbeddingMark { at: UtcTime::from_seconds(9), ..nomic.clone() }));
    for other in [mark("hash", "1.5", 1), mark("nomic-embed-text", "1", 1), mark("nomic-embed-text", "1.5", 2)] {
        assert!(!nomic.is_comparable(&other));
    }
}

/// G-039, G-053, G-175: a row that claims to be active without a history is refused.
#[test]
fn g_053_rows_without_a_history_are_refused() {
    let now = moment(50, 0.0);
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, "a", draft(Kind::Insight, Provenance::Inheritance), now);
    let row = Stored::of(grimoire.get(id("a")).expect("there")).expect("not burned");
    assert_eq!(row.clone().reload().as_ref(), Ok(grimoire.get(id("a")).expect("there")));
    let mut forged = row.clone();
    forged.promotion = forged.promotion.map(|p| golem_grimoire::status::Promotion { confirmations: 0, ..p });
    assert_eq!(forged.reload(), Err(ReloadError::Unconfirmed { id: id("a") }));
    let mut early = row.clone();
    early.promotion = early.promotion.map(|p| golem_grimoire::status::Promotion { at: moment(1, -1.0), ..p });
    assert_eq!(early.reload(), Err(ReloadError::ActiveBeforeCandidate { id: id("a") }));
    let mut never = row;
    never.promotion = None;
    assert_eq!(never.reload().map(|entry| entry.status()), Ok(Status::Candidate));
}

fn any_change() -> impl Strategy<Value = Change> {
    let a = id("a");
    prop_oneof![
        (0u32..3, 0u32..3).prop_map(move |(up, down)| Change::Vote { id: a, votes: Votes { up, down } }),
        any::<bool>().prop_map(move |correct| Change::Check { id: a, correct }),
        (0u32..=1_000_000).prop_map(move |f| Change::Promote { id: a, fitness: Ppm::of(f) }),
        Just(Change::Demote { id: a }),
        Just(Change::Archive { id: a, reason: ArchiveReason::Decayed }),
        (0u32..2).prop_map(move |up| Change::Restore { id: a, votes: Votes { up, down: 0 } }),
        any::<bool>().prop_map(move |is_low| Change::Cycle { id: a, is_low }),
    ]
}

proptest! {
    /// G-053, G-102, G-175: whatever happens, an entry from outside is active only after a confirmation, and has the
    /// record of its candidacy; rows round-trip in every state.
    #[test]
    fn g_102_no_path_from_outside_to_active_without_candidacy(
        kind in prop::sample::select(Kind::ALL),
        provenance in prop::sample::select(Provenance::ALL),
        changes in prop::collection::vec(any_change(), 0..40),
    ) {
        let mut grimoire = Grimoire::default();
        let now = moment(1, 0.0);
        grimoire.apply(Change::Add(Box::new(candidate("a", draft(kind, provenance), now))), now).expect("new");
        prop_assert_eq!(grimoire.get(id("a")).map(Entry::status), Some(Status::Candidate));
        for (step, change) in changes.into_iter().enumerate() {
            let was = grimoire.get(id("a")).map(Entry::status);
            let promotes = matches!(change, Change::Promote { .. } | Change::Restore { .. });
            let applied = grimoire.apply(change, moment(2 + step as u64, 0.01 * step as f64));
            let entry = grimoire.get(id("a")).expect("there");
            if entry.status() == Status::Active && was != Some(Status::Active) {
                prop_assert!(promotes && applied.is_ok());
            }
            if let Entry::Active(active) = entry {
                prop_assert!(active.promotion().at >= active.promotion().candidate_since);
                prop_assert!(provenance.is_own() || active.knowledge().validated > 0);
            }
            let row = Stored::of(entry).expect("not burned");
            prop_assert_eq!(&row.reload().expect("a real history"), entry);
        }
    }

    /// G-069: what the archive kept is what would have been: restoring on evidence equals never having archived.
    #[test]
    fn g_069_archive_and_restore_are_inverse(
        changes in prop::collection::vec(any_change(), 0..10), up in 1u32..4, down in 0u32..4,
    ) {
        let now = moment(1, 0.0);
        let mut kept = Grimoire::default();
        kept.apply(Change::Add(Box::new(candidate("a", draft(Kind::Insight, Provenance::Own), now))), now).expect("new");
        for change in changes {
            let _ = kept.apply(change, now);
        }
        if matches!(kept.get(id("a")).map(Entry::status), Some(Status::Candidate | Status::Active)) {
            let (votes, later) = (Votes { up, down }, moment(99, 3.0));
            let mut archived = kept.clone();
            archived.apply(Change::Archive { id: id("a"), reason: ArchiveReason::Capacity }, now).expect("alive");
            archived.apply(Change::Restore { id: id("a"), votes }, later).expect("confirmed");
            kept.apply(Change::Vote { id: id("a"), votes }, later).expect("alive");
            prop_assert_eq!(archived, kept);
        }
    }

    /// G-067, G-072: effective confidence lies between the floor and what is stored.
    #[test]
    fn g_067_effective_confidence_is_bounded(days in 0.0..2_000.0f64, kind in prop::sample::select(Kind::ALL)) {
        let held = candidate("a", draft(kind, Provenance::Own), moment(1, 0.0));
        let effective = held.knowledge().effective(&RetentionLaw::default(), moment(Tick::ZERO.get(), days).at);
        prop_assert!(effective >= RetentionLaw::FLOOR && effective <= held.knowledge().confidence.get());
    }
}
