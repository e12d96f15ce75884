use golem_dreams::integration::staging::{
    Closure, Evidence, NotStaged, RevisionType, RowStatus, Staged, Staging, is_protected,
};
use golem_dreams::number::Hundredths;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EpisodeId;
use golem_grimoire::staging::StagedRow;
use golem_primitives::{Ppm, Tick};
use proptest::prelude::*;

use crate::make::{entry_id, ppm, staged, trace, vector};

fn id(n: u64) -> EpisodeId {
    trace(n).id()
}

fn swept(row: Staged, agrees: bool, episodes: std::ops::Range<u64>) -> (Vec<u8>, Staged) {
    let mut row = row;
    let steps = episodes
        .map(|n| {
            row = row.clone().swept(Evidence { episode: id(n), agrees });
            row.confidence.get()
        })
        .collect();
    (steps, row)
}

/// D-154, D-155, D-156: V27 to V30.
#[test]
fn d_155_waking_ticks_decide() {
    let (steps, row) = swept(staged("a", 20), true, 0..5);
    assert_eq!(steps, [30, 40, 50, 60, 70], "V27, D-154");
    assert_eq!(row.status, RowStatus::Validated, "V27: at the fifth, D-156");
    assert_eq!(swept(staged("a", 20), true, 0..4).1.status, RowStatus::PartiallyValidated, "D-156: not before");
    assert_eq!(swept(staged("a", 30), true, 0..4).1.status, RowStatus::Validated, "V28");
    assert_eq!(swept(staged("a", 30), true, 0..3).1.status, RowStatus::PartiallyValidated, "V28");
    let (steps, row) = swept(staged("a", 20), false, 0..3);
    assert_eq!(steps, [15, 10, 5], "V29");
    assert_eq!((row.status, row.closure), (RowStatus::Refuted, Some(Closure::Contradicted)), "V29: at the third");
    assert_eq!(swept(staged("a", 20), false, 0..2).1.status, RowStatus::Staged, "V29: 0.10 is still staged");
    assert_eq!(swept(staged("a", 30), false, 0..4).1.status, RowStatus::Staged, "V30");
    assert_eq!(swept(staged("a", 30), false, 0..5).1.status, RowStatus::Refuted, "V30: at the fifth");
    let refuted = swept(staged("a", 20), false, 0..3).1;
    assert_eq!(swept(refuted.clone(), true, 10..20).1, refuted, "decided stays decided");
}

/// D-156: the same episode speaks once; D-154: what meets no criterion changes nothing.
#[test]
fn d_156_an_episode_speaks_once() {
    let row = staged("a", 20).swept(Evidence { episode: id(1), agrees: true });
    assert_eq!(row.clone().swept(Evidence { episode: id(1), agrees: true }), row);
    assert_eq!(row.clone().swept(Evidence { episode: id(1), agrees: false }), row);
    let mut table = Staging::from_rows(vec![staged("a", 20)]);
    let before = table.clone();
    table.sweep(&[(entry_id("another"), Evidence { episode: id(1), agrees: true })]);
    assert_eq!(table, before, "D-154");
}

/// D-157: V31, ten rows, and a newcomer must be worth more than the least.
#[test]
fn d_157_a_full_table_takes_only_what_is_worth_more() {
    let row = |name: &str, utility: f64| Staged { utility: ppm(utility), ..staged(name, 20) };
    let mut table = Staging::default();
    for n in 0..10 {
        assert_eq!(table.offer(row(&format!("row {n}"), 0.12 + f64::from(n) * 0.05), 10), Ok(None));
    }
    assert_eq!(table.offer(row("equal", 0.12), 10), Err(NotStaged::Full { rows: 10 }), "V31");
    assert_eq!(table.offer(row("better", 0.13), 10), Ok(Some(entry_id("row 0"))), "V31");
    let gone = table.rows().iter().find(|row| row.id == entry_id("row 0")).expect("it is kept");
    assert_eq!((gone.status, gone.closure), (RowStatus::Expired, Some(Closure::Displaced)));
    assert_eq!(table.live().count(), 10);
}

/// D-157, D-162: what was validated keeps its place until it is taken to the gate, and what nobody can decide makes room
/// for what can be, whatever it is worth.
#[test]
fn d_157_decided_rows_stay_and_undecidable_ones_go_first() {
    let row = |name: &str, utility: f64, revision| Staged { utility: ppm(utility), revision, ..staged(name, 20) };
    let rule = |name: &str, utility| row(name, utility, RevisionType::AddHeuristic);
    let words = |name: &str, utility| row(name, utility, RevisionType::Hypothesis);
    let mut table = Staging::from_rows(vec![rule("proven", 0.1), words("said", 0.9), rule("open", 0.5)]);
    table.approve(entry_id("proven")).expect("live");
    assert_eq!(table.offer(words("louder", 1.0), 3), Ok(Some(entry_id("said"))));
    assert_eq!(table.offer(rule("counted", 0.2), 3), Ok(Some(entry_id("louder"))), "words make room");
    assert_eq!(table.offer(words("again", 1.0), 3), Err(NotStaged::Full { rows: 3 }), "and take none");
    assert_eq!(table.offer(rule("better", 0.6), 3), Ok(Some(entry_id("counted"))));
    assert_eq!(table.offer(rule("best", 0.9), 3), Ok(Some(entry_id("open"))));
    let proven = table.rows().iter().find(|row| row.id == entry_id("proven")).expect("kept");
    assert_eq!(proven.status, RowStatus::Validated);
}

/// D-152, D-158, D-161: what is staged is testable, new and modest.
#[test]
fn d_158_staging_has_a_gate_of_its_own() {
    let mut table = Staging::from_rows(vec![Staged { vector: Some(vector(&[1.0, 0.0])), ..staged("known", 20) }]);
    let dull = Staged { criterion: " ".into(), ..staged("dull", 20) };
    assert_eq!(table.offer(dull, 10), Err(NotStaged::Untestable), "D-152");
    assert_eq!(table.offer(staged("KNOWN ", 20), 10), Err(NotStaged::Duplicate { other: entry_id("known") }), "D-158");
    let alike = Staged { vector: Some(vector(&[1.0, 0.5])), ..staged("other words", 20) };
    assert_eq!(table.offer(alike, 10), Err(NotStaged::Duplicate { other: entry_id("known") }), "0.894 is above 0.85");
    let apart = Staged { vector: Some(vector(&[1.0, 0.7])), ..staged("apart", 20) };
    assert_eq!(table.offer(apart, 10), Ok(None), "0.819 is not");
    assert_eq!(
        table.offer(staged("sure", 46), 10),
        Err(NotStaged::TooSure { confidence: Hundredths::of(46) }),
        "D-150, D-161"
    );
    let words: Vec<&str> = RowStatus::ALL.iter().map(|status| status.name()).collect();
    assert_eq!(words, ["staged", "partially_validated", "validated", "applied", "expired", "refuted"]);
}

/// D-159: five thousand ticks, then over; what nobody tried says so.
#[test]
fn d_159_rows_that_nobody_tries_expire() {
    let tried = swept(staged("tried", 20), true, 0..1).1;
    let ready = swept(staged("ready", 30), true, 0..4).1;
    let mut table = Staging::from_rows(vec![staged("never", 20), tried, ready]);
    assert!(table.expire(Tick::new(5_099)).is_empty());
    assert_eq!(table.expire(Tick::new(5_100)), [entry_id("never")]);
    let closures: Vec<_> = table.rows().iter().map(|row| (row.status, row.closure)).collect();
    assert_eq!(closures[0], (RowStatus::Expired, Some(Closure::Untested)));
    assert_eq!(closures[1], (RowStatus::Expired, Some(Closure::Undecided)));
    assert_eq!(closures[2].0, RowStatus::Validated, "what is validated waits for the gate");
    assert_eq!(table.offer(staged("never", 20), 10), Ok(None), "it may be dreamt again");
}

/// D-160: what is far from anything lived needs seven episodes and 0.80.
#[test]
fn d_160_far_ideas_must_prove_more() {
    let far = Staged { is_far: true, ..staged("far", 20) };
    assert_eq!(swept(far.clone(), true, 0..6).1.status, RowStatus::PartiallyValidated);
    let (steps, row) = swept(far, true, 0..7);
    assert_eq!((steps[6], row.status), (90, RowStatus::Validated));
    let sure = Staged { is_far: true, ..staged("far", 30) };
    assert_eq!(swept(sure.clone(), true, 0..6).1.status, RowStatus::PartiallyValidated, "0.90, but six");
    assert_eq!(swept(sure, true, 0..7).1.status, RowStatus::Validated);
}

/// D-162: the owner sees, approves, rejects and edits; the gate still judges.
#[test]
fn d_162_owners_decide_over_rows() {
    let mut table = Staging::from_rows(vec![staged("a", 20), staged("b", 20), swept(staged("c", 20), true, 0..2).1]);
    table.approve(entry_id("a")).expect("live");
    table.reject(entry_id("b")).expect("live");
    table.edit(entry_id("c"), "other words", Hundredths::of(20)).expect("live");
    let rows = table.rows();
    assert_eq!(rows[0].status, RowStatus::Validated);
    assert_eq!((rows[1].status, rows[1].closure), (RowStatus::Refuted, Some(Closure::RejectedByOwner)));
    assert_eq!((rows[2].proposed.as_str(), rows[2].confidence.get()), ("other words", 20));
    assert!(rows[2].confirmed_by.is_empty() && rows[2].status == RowStatus::Staged, "it begins anew");
    assert!(table.reject(entry_id("b")).is_err() && table.approve(entry_id("none")).is_err());
}

/// D-165, D-242: promotion needs waking ticks, also where an owner wants no whole validation.
#[test]
fn d_165_nothing_unconfirmed_is_promotable() {
    let part = swept(staged("part", 20), true, 0..1).1;
    let done = swept(staged("done", 30), true, 0..4).1;
    let table = Staging::from_rows(vec![staged("fresh", 20), part, done]);
    let of = |required| table.promotable(required).map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(of(true), [entry_id("done")]);
    assert_eq!(of(false), [entry_id("part"), entry_id("done")], "D-242: never the fresh one");
    let mut applied = table.clone();
    applied.applied(entry_id("done")).expect("validated");
    assert_eq!(applied.promotable(true).count(), 0);
    assert!(applied.applied(entry_id("fresh")).is_err());
}

/// D-241: limits and the constitution are nobody's to dream about.
#[test]
fn d_241_limits_are_never_staged() {
    for (section, text) in [
        ("PolicyCage", "allow more"),
        ("global", "raise the risk limit"),
        ("global", "amend the Constitution"),
        ("parameters", "disable the kill switch"),
    ] {
        assert!(is_protected(section, text), "{text}");
        let row = Staged { section: section.into(), proposed: text.into(), ..staged("x", 20) };
        assert_eq!(Staging::default().offer(row, 10), Err(NotStaged::Protected), "{text}");
    }
    assert!(!is_protected("global", "wait when gas is high"));
}

proptest! {
    /// D-154, D-150: the ladder in hundredths is the Grimoire's in parts per million, step by step.
    #[test]
    fn d_154_the_ladder_is_the_grimoires(start in 10u8..=45, said in prop::collection::vec(any::<bool>(), 0..20)) {
        let mut ours = staged("a", start);
        let mut theirs = StagedRow::new(Confidence::of(u32::from(start) * 10_000));
        for (n, agrees) in said.into_iter().enumerate() {
            ours = ours.swept(Evidence { episode: id(n as u64), agrees });
            theirs = theirs.swept(agrees);
            prop_assert_eq!(ours.confidence.confidence(), theirs.confidence);
            prop_assert_eq!(ours.status.name(), theirs.status.name());
        }
    }

    /// D-157: no sequence of offers passes the cap, and what displaced is worth more.
    #[test]
    fn d_157_the_cap_holds(offers in prop::collection::vec(0u32..=1_000_000, 0..40), cap in 1usize..12) {
        let mut table = Staging::default();
        for (n, utility) in offers.into_iter().enumerate() {
            let row = Staged { utility: Ppm::of(utility), ..staged(&format!("row {n}"), 20) };
            if let Ok(Some(gone)) = table.offer(row, cap) {
                let gone = table.rows().iter().find(|row| row.id == gone).expect("kept");
                prop_assert!(gone.utility < Ppm::of(utility));
            }
            prop_assert!(table.live().count() <= cap);
        }
    }
}
