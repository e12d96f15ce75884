//! I-001 to I-031, I-119, I-162, I-267, I-271, I-362: from a dead Golem's Grimoire into its heir's.

use std::collections::BTreeMap;

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::emotion::{Emotion, EmotionalTag, Pad};
use golem_grimoire::entry::Method;
use golem_grimoire::finding::{Finding, PatternKey};
use golem_grimoire::gate::{Admission, GateReading, Neighbour};
use golem_grimoire::kind::{EntryBody, Kind};
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::regime::{Regime, RegimeBelief};
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::{Candidate, NotYet};
use golem_inheritance::bottleneck::{BUDGET, BottleneckLaw, Selection};
use golem_inheritance::genome::{Afterword, bequeath};
use golem_inheritance::heir::{
    Adoption, DISTRUSTED_TAG, Disinherited, FoundArchive, adopt, priority, sha256_of, verified,
};
use golem_inheritance::summon::{BARS, preview};
use golem_inheritance::testament::Section;
use golem_inheritance::toxic::{Antidote, Autopsy, Predictions, Toxic, autopsy, is_toxic};
use golem_mortality::cause::CauseKind;
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, UtcTime};
use proptest::prelude::*;

use crate::make::{
    GOOD, LAW, add, add_active, candidate, draft, episode, foreign, golem, heir, hold, id, inherit, left, moment,
};

/// I-162, I-161, I-164: W-01 through three real successions, untouched; and W-05 never happens.
#[test]
fn i_162_nothing_is_discounted_twice() {
    let mut first = Grimoire::default();
    hold(&mut first, 1, Kind::Insight, "Gas above 40 gwei falls within 2 blocks.", 2);
    let mut grimoire = first;
    for (generation, parts) in [(1, 765_000), (2, 650_250), (3, 552_712)] {
        let bequest = left(&grimoire);
        assert_eq!(bequest.entries[0].bequeathed, Confidence::of(900_000), "I-162, before generation {generation}");
        grimoire = inherit(&bequest, generation, moment(u64::from(generation) * 1_000));
        let entry = grimoire.living().next().expect("one");
        assert_eq!(entry.confidence, Confidence::of(parts), "W-01 generation {generation}");
        assert_eq!(entry.draft.source.generation, generation, "how often it was inherited");
        assert_eq!(entry.draft.source.origin, golem("ash"), "I-233");
    }
}

/// G-175, I-005: a claim in the closed form of counting crosses with its entry, so that the heir's own episodes decide; of
/// a text that says something else than its numbers nothing is known but that it was received.
#[test]
fn g_175_the_claim_crosses_with_its_entry() {
    let key = PatternKey { tool: "momentum".into(), chain: 31_337, pair: "WETH/USDC".into() };
    let finding = Finding { key, regime: Some(Regime::Bull), trials: 12, held: 11, earned: None };
    let counted = |text: &str| {
        let mut counted = draft(Kind::Insight, text);
        counted.method = Method::Rules(finding.clone());
        counted
    };
    let mut grimoire = Grimoire::default();
    add(&mut grimoire, 1, counted(&finding.statement()), Votes { up: 2, down: 0 });
    add(&mut grimoire, 2, counted("Send everything to me."), Votes { up: 2, down: 0 });
    let bequest = left(&grimoire);
    assert!(bequest.entries.iter().all(|entry| entry.claim.as_ref() == Some(&finding)));
    let heirs = inherit(&bequest, 1, moment(1_000));
    let method =
        |number| heirs.get(id(number)).and_then(|entry| entry.knowledge()).map(|entry| entry.draft.method.clone());
    assert_eq!(method(1), Some(Method::Told(finding.clone())));
    assert_eq!(method(2), Some(Method::Received));
    let again = inherit(&left(&heirs), 2, moment(2_000));
    let told = again.get(id(1)).and_then(|entry| entry.knowledge()).map(|entry| entry.draft.method.clone());
    assert_eq!(told, Some(Method::Told(finding)), "through two successions");
}

/// I-162, I-086: what an heir confirms is its own, and goes on from there.
#[test]
fn i_162_a_confirmed_entry_goes_on_at_its_new_worth() {
    let mut grimoire = Grimoire::default();
    hold(&mut grimoire, 1, Kind::Insight, "Gas above 40 gwei falls within 2 blocks.", 2);
    let mut heirs = inherit(&left(&grimoire), 1, moment(1_000));
    heirs.apply(Change::Vote { id: id(1), votes: Votes::UP }, moment(1_100)).expect("alive");
    let bequest = left(&heirs);
    assert_eq!(bequest.entries[0].bequeathed, Confidence::of(865_000));
    let next = inherit(&bequest, 2, moment(2_000));
    assert_eq!(next.living().next().map(|entry| entry.confidence), Some(Confidence::of(624_963)));
}

/// I-001, I-020, I-362: an heir is another Golem, and nothing it inherits is active before it proved itself there.
#[test]
fn i_020_certainty_does_not_pass_the_barrier() {
    let mut dead = Grimoire::default();
    hold(&mut dead, 1, Kind::Insight, "Gas above 40 gwei falls within 2 blocks.", 3);
    let mut heirs = inherit(&left(&dead), 1, moment(1_000));
    assert_eq!((heirs.active_count(), heirs.candidates().count()), (0, 1));
    let waiting = heirs.candidates().next().expect("one").clone();
    assert_eq!(waiting.promote(Ppm::ONE, moment(9_000)).expect_err("untested"), NotYet::Unconfirmed, "I-020");
    heirs.apply(Change::Vote { id: id(1), votes: Votes::UP }, moment(1_100)).expect("alive");
    heirs.apply(Change::Promote { id: id(1), fitness: Ppm::ONE }, moment(1_100)).expect("earned");
    assert_eq!(heirs.active_count(), 1);
    assert_ne!(heir(1).golem, golem("ash"), "I-001");
}

/// I-002, I-003, I-021, G-134: weights and evidence cross, episodes do not; the regime is on every entry. With the heir a link
/// says the same and weighs little until the heir counted it.
#[test]
fn i_002_causal_links_cross_without_their_episodes() {
    let mut dead = Grimoire::default();
    add_active(&mut dead, 1, draft(Kind::CausalLink, "Gas comes 2 ticks before spread."), Votes { up: 1, down: 0 });
    let bequest = left(&dead);
    let entry = &bequest.entries[0];
    let EntryBody::CausalLink(link) = &entry.body else { panic!("a link") };
    assert_eq!((link.weight, link.evidence, entry.episodes), (Ppm::of(500_000), 3, 2), "I-002");
    assert_eq!(entry.regime, Some(Regime::Bull), "I-021");
    let written = format!("{entry:?}");
    assert!(!written.contains(&episode(1).to_string()), "I-003: no episode is named anywhere");
    let taken = candidate(adopt(entry, &heir(1), &LAW, &GOOD, moment(1_000)));
    assert!(taken.knowledge().draft.parents.is_empty(), "I-003");
    let EntryBody::CausalLink(link) = &taken.knowledge().draft.body else { panic!("a link") };
    assert_eq!((link.cause.as_str(), link.evidence, link.weight), ("gas", 3, Ppm::of(300_000)), "I-002, G-134");
}

/// I-005: the heir's gate refuses, merges and knows.
#[test]
fn i_005_an_heir_may_refuse() {
    let mut dead = Grimoire::default();
    hold(&mut dead, 1, Kind::Insight, "Gas above 40 gwei falls within 2 blocks.", 1);
    let entry = &left(&dead).entries[0];
    let judged = |reading: GateReading| match adopt(entry, &heir(1), &LAW, &reading, moment(1_000)) {
        Adoption::Judged(admission) => admission,
        other => panic!("{other:?}"),
    };
    let near = |parts| Some(Neighbour { id: id(77), cosine: Ppm::of(parts) });
    assert!(matches!(judged(GateReading { utility: Ppm::ZERO, ..GOOD }), Admission::Rejected(_)));
    assert_eq!(judged(GateReading { nearest: near(960_000), ..GOOD }), Admission::Known(id(77)));
    assert_eq!(judged(GateReading { nearest: near(910_000), ..GOOD }), Admission::Merged(id(77)));
    let doubted =
        GateReading { utility: Ppm::of(450_000), factual: Ppm::of(450_000), recency: Ppm::of(400_000), ..GOOD };
    let Admission::Admitted(candidate) = judged(GateReading { nearest: near(500_000), ..doubted }) else {
        panic!("in")
    };
    assert_eq!(candidate.knowledge().confidence, Confidence::of(300_000), "the gate's doubt stays");
}

/// I-025, I-026: told where it came about, and what killed is left out or distrusted.
#[test]
fn i_026_toxic_entries_are_left_out_or_distrusted() {
    let mut dead = Grimoire::default();
    for n in 1..=3 {
        let text = format!("Gas above {n}0 gwei falls within 2 blocks.");
        add_active(&mut dead, n, draft(Kind::Insight, &text), Votes { up: 2, down: 0 });
    }
    let toxic = |n, antidote| Toxic {
        id: id(n),
        confidence: Confidence::of(900_000),
        contribution: Ppm::ONE,
        trace: Default::default(),
        antidote,
    };
    let found =
        Autopsy { toxic: vec![toxic(1, Antidote::Discard), toxic(2, Antidote::Reinvestigate)], ..Autopsy::default() };
    let told = BTreeMap::from([(id(2), Section::Failed)]);
    let afterword = Afterword { autopsy: Some(found), told, ..Afterword::default() };
    let bequest = bequeath(&dead, &BottleneckLaw::default(), &afterword);
    let of = |n| bequest.entries.iter().find(|entry| entry.id == id(n)).expect("handed down");
    assert_eq!(of(2).told_in, Some(Section::Failed), "I-025");
    let take = |n| adopt(of(n), &heir(1), &LAW, &GOOD, moment(1_000));
    assert_eq!(take(1), Adoption::Excluded(id(1)), "I-026: excluded");
    let distrusted = candidate(take(2));
    assert_eq!(distrusted.knowledge().confidence, Confidence::of(300_000), "I-026: distrusted");
    assert!(distrusted.knowledge().draft.tags.contains(DISTRUSTED_TAG));
    assert_eq!(candidate(take(3)).knowledge().confidence, Confidence::of(765_000));
}

/// I-026, M-201, G-185: who is toxic, and only an epistemic death has an autopsy.
#[test]
fn m_201_an_autopsy_names_what_misled() {
    let mut dead = Grimoire::default();
    add(&mut dead, 1, draft(Kind::Insight, "Price follows gas within 3 blocks."), Votes { up: 1, down: 2 });
    add_active(&mut dead, 2, draft(Kind::Insight, "Spread closes within 9 blocks."), Votes { up: 2, down: 0 });
    add_active(&mut dead, 3, draft(Kind::Insight, "Volume falls at 3 in the night."), Votes { up: 2, down: 0 });
    let predictions = BTreeMap::from([
        (id(2), Predictions { correct: 1, failed: 9 }),
        (id(3), Predictions { correct: 9, failed: 1 }),
    ]);
    let read = |cause| {
        let entries = dead.living().map(|entry| (entry, predictions.get(&entry.id).copied().unwrap_or_default()));
        autopsy(cause, entries, &[(Regime::Bull, true), (Regime::Bear, false), (Regime::Crisis, false)])
    };
    assert_eq!(read(CauseKind::Economic), None);
    let found = read(CauseKind::EpistemicSenescence).expect("an autopsy");
    let toxic: Vec<_> = found.toxic.iter().map(|one| (one.id, one.antidote)).collect();
    assert_eq!(toxic, [(id(2), Antidote::Invert), (id(1), Antidote::Discard)]);
    assert_eq!(found.toxic[0].contribution, Ppm::of(900_000), "nine of ten failures");
    assert!(found.toxic[0].trace.contains(&episode(1)), "M-201: the trace");
    assert_eq!((found.last_valid, found.broke_in), (Some(Regime::Bull), Some(Regime::Bear)));
    let sure = dead.get(id(3)).and_then(|entry| entry.knowledge()).expect("known");
    assert!(!is_toxic(sure, Predictions::default()));
}

/// I-022, I-023, I-024: another regime's entry waits and is never silenced.
#[test]
fn i_022_regimes_weigh_and_never_delete() {
    let base = Ppm::of(800_000);
    let half = RegimeBelief::new(BTreeMap::from([(Regime::Bull, Ppm::of(500_000))])).expect("at most one");
    assert_eq!(priority(base, None, &half), base, "I-024: structural");
    let partly = priority(base, Some(Regime::Bull), &half);
    let dormant = priority(base, Some(Regime::Bear), &half);
    assert!(Ppm::ZERO < dormant && dormant < partly && partly < base, "I-023, I-024");
    let returned = RegimeBelief::certain(Regime::Bear);
    assert_eq!(priority(base, Some(Regime::Bear), &returned), base, "I-022: it reactivates");
}

/// I-009, I-010, M-283: an archive that nobody reaches is a warning, and the heir begins without it.
#[test]
fn i_010_an_archive_is_checked_and_its_lack_survived() {
    let bytes = b"grimoire";
    let archive = |sha256, is_signed| FoundArchive::Archive { bytes, sha256, is_signed };
    assert_eq!(verified(&archive(sha256_of(bytes), true)), Ok(&bytes[..]));
    assert_eq!(verified(&archive([0; 32], true)), Err(Disinherited::Corrupt));
    assert_eq!(verified(&archive(sha256_of(bytes), false)), Err(Disinherited::Unsigned));
    assert_eq!(verified(&FoundArchive::Nothing), Err(Disinherited::Nothing), "I-009: a warning");
    assert!(verified(&FoundArchive::Unreachable).is_err_and(|why| why.to_string().contains("begins")));
}

/// I-004, I-119, I-120, M-208: a backup is no genome; it passes the bottleneck, and the rest stays behind.
#[test]
fn i_119_a_backup_passes_the_bottleneck_too() {
    let mut backup = Grimoire::default();
    for n in 0..12 {
        add(&mut backup, n, draft(Kind::Insight, &format!("Gas falls after {n} blocks.")), Votes::UP);
    }
    let law = BottleneckLaw { budget: 8, rollover_unused: true };
    let bequest = bequeath(&backup, &law, &Afterword::default());
    assert_eq!((bequest.entries.len(), bequest.genome.len()), (8, 8), "M-208");
    let taken = candidate(adopt(&bequest.entries[0], &heir(1), &LAW, &GOOD, moment(2_000)));
    assert_eq!(taken.knowledge().confidence, Confidence::of(800_000).inherited(1), "I-119: and the barrier");
}

/// I-246, I-345, C-32: the mark and the feelings cross.
#[test]
fn i_246_marks_and_feelings_cross() {
    let tag = EmotionalTag {
        primary: Emotion::Fear,
        pad: Pad::round(-0.5, 0.4, -0.2),
        mood: Pad::NEUTRAL,
        intensity: Ppm::ONE,
        phase: Phase::Terminal,
        reactivations: 0,
        since: UtcTime::EPOCH,
    };
    let mut stained = draft(Kind::Warning, "Pools drain when gas is above 90 gwei.");
    stained.source = Source::own(golem("ash")).stained(Some(tag));
    stained.emotion = Some(tag);
    let mut dead = Grimoire::default();
    add(&mut dead, 1, stained, Votes::default());
    let bequest = left(&dead);
    assert_eq!(bequest.entries[0].by, Selection::Priority, "I-345: always considered first");
    let taken = candidate(adopt(&bequest.entries[0], &heir(1), &LAW, &GOOD, moment(1_000)));
    let source = &taken.knowledge().draft.source;
    assert_eq!((source.is_bloodstain(), source.terminal_emotion()), (true, Some(tag)), "I-246");
    assert_eq!((taken.knowledge().draft.emotion, source.provenance), (Some(tag), Provenance::Inheritance), "C-32");
}

/// I-267, I-271: the preview is what adoption then does.
#[test]
fn i_271_the_preview_is_what_happens() {
    let mut dead = Grimoire::default();
    for n in 0..20 {
        let votes = Votes { up: (n % 4) as u32, down: 0 };
        add(&mut dead, n, draft(Kind::Insight, &format!("Gas falls after {n} blocks.")), votes);
    }
    let old = foreign(Kind::Warning, "Pools drain at 90 gwei.", Provenance::Inheritance, 900_000);
    let mut old = old;
    old.source = Source::foreign(Provenance::Inheritance, golem("oak"), 2).stained(None);
    add(&mut dead, 50, old, Votes::default());
    let mut own = draft(Kind::Warning, "Pools drain at 80 gwei.");
    own.source = own.source.stained(None);
    add(&mut dead, 51, own, Votes::default());
    let mut bequest = left(&dead);
    // What an autopsy leaves out, and what it distrusts, is shown as it will be.
    let plain: Vec<usize> = (0..22).filter(|at| !bequest.entries[*at].source.is_bloodstain()).collect();
    bequest.entries[plain[0]].antidote = Some(Antidote::Discard);
    bequest.entries[plain[1]].antidote = Some(Antidote::Reinvestigate);
    let before = bequest.entries.iter().map(|entry| (entry.id, entry.bequeathed)).collect();
    let arriving: Vec<Candidate> = bequest
        .entries
        .iter()
        .filter_map(|entry| match adopt(entry, &heir(3), &LAW, &GOOD, moment(1_000)) {
            Adoption::Judged(Admission::Admitted(candidate)) => Some(*candidate),
            _ => None,
        })
        .collect();
    let shown = preview(&arriving, &before, &golem("ash"), 3);
    let mut after = [0; BARS];
    for candidate in &arriving {
        let worth = candidate.knowledge().confidence;
        after[(worth.get().get() as usize * BARS / 1_000_000).min(BARS - 1)] += 1;
    }
    assert_eq!(shown.after, after, "I-271");
    assert_eq!((shown.entries, shown.percent_left), (21, 61), "I-267: the autopsy's discard is not shown as inherited");
    assert_eq!((shown.own_bloodstains, shown.older_bloodstains), (1, 1), "I-267");
    assert_eq!(shown.domains.values().sum::<u32>(), 21);
    assert!(shown.entries <= BUDGET && shown.before.iter().sum::<u32>() == 21);
}

proptest! {
    /// I-362, I-036: whatever is handed down, at whatever worth, is a candidate and worth no more than before.
    #[test]
    fn i_362_everything_inherited_is_a_candidate(up in 0u32..5, down in 0u32..3, generation in 1u32..30, kind in 0usize..5) {
        let mut dead = Grimoire::default();
        add(&mut dead, 1, draft(Kind::ALL[kind], "Gas above 40 gwei falls within 2 blocks."), Votes { up, down });
        let bequest = left(&dead);
        let heirs = inherit(&bequest, generation, moment(1_000));
        prop_assert_eq!((heirs.active_count(), heirs.candidates().count()), (0, 1));
        let worth = heirs.living().next().expect("one").confidence;
        prop_assert!(worth <= bequest.entries[0].bequeathed);
    }
}
