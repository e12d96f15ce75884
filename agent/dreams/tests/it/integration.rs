use golem_dreams::dream::{Answer, AskKind, Said, SaidIdea};
use golem_dreams::inputs::Known;
use golem_dreams::integration::class::{SchemaFit, boost, fit};
use golem_dreams::integration::quality::{Measured, checked, quality, schedule_adjustment};
use golem_dreams::integration::review::review;
use golem_dreams::integration::staging::{Evidence, RevisionType, Staged, Staging};
use golem_dreams::nrem::pattern::patterns;
use golem_dreams::rem::hypothesis::Origin;
use golem_dreams::report::GrimoireUpdate;
use golem_dreams::words::{Tier, Trigger};
use golem_dreams::{CycleId, Frozen};
use golem_grimoire::confidence::Confidence;
use golem_grimoire::kind::Kind;
use golem_grimoire::provenance::Provenance;
use golem_primitives::{Tick, Usdc};

use crate::make::{PRICED, answer, at, dream, dream_with, entry_id, finding, known, law, lived, ppm, result, staged};

fn confirming(confidence: f64) -> Known {
    Known { finding: Some(finding(900)), ..known("known", confidence) }
}

/// D-144, D-145, D-148, DG-15: a confirmed entry is raised a little, once, and never to 0.7.
#[test]
fn d_145_confirmed_patterns_raise_a_little() {
    let to = |confidence| boost(&known("k", confidence)).map(|one| one.to);
    assert_eq!(to(0.50), Some(Confidence::of(550_000)));
    assert_eq!(to(0.66), Some(Confidence::of(690_000)), "a dream alone never crosses 0.7");
    assert_eq!((to(0.69), to(0.80)), (None, None));
    let mut world = lived(Tier::Core);
    world.known = vec![confirming(0.5)];
    let report = dream(world, &law(Tier::Core)).report;
    let boosts: Vec<_> = report.updates.iter().filter(|one| matches!(one, GrimoireUpdate::Boost(_))).collect();
    assert_eq!(boosts.len(), 1, "once in a cycle");
    assert!(report.insights.is_empty() && report.contradictions.is_empty(), "D-144: what is known is not new");
    let all: Vec<_> = (0..5).map(|n| result(2_900 + n, 1_000)).collect();
    let found = patterns(&all.iter().collect::<Vec<_>>());
    let against = Known { finding: Some(finding(-900)), ..known("against", 0.5) };
    assert_eq!(fit(&found[0], &[confirming(0.5)]), SchemaFit::Consistent, "D-148");
    assert_eq!(fit(&found[0], &[against]), SchemaFit::Inconsistent, "D-148");
    assert_eq!(fit(&found[0], &[]), SchemaFit::Extending, "D-148");
}

/// D-145, D-146, D-149: something new is an insight at 0.3, as a draft and a row with its episodes and its cycle.
#[test]
fn d_145_novel_patterns_become_insights_at_three_tenths() {
    let report = dream(lived(Tier::Core), &law(Tier::Core)).report;
    let draft = &report.insights[0];
    assert_eq!(draft.source.provenance, Provenance::Dream);
    assert_eq!(draft.original_confidence, Confidence::of(300_000), "D-146");
    assert_eq!(draft.dream.as_ref().map(|mark| mark.cycle.as_str()), Some("cycle-17"));
    assert!(!draft.parents.is_empty(), "D-149: supporting episodes are listed");
    let (row, _) = &report.staging_writes[0];
    assert_eq!((row.confidence.get(), row.origin, row.cycle), (30, Origin::Replay, CycleId(17)), "D-149");
}

/// D-145, D-146, D-147, D-150: suppositions are worth 0.2, wait in staging, and are in no draft.
#[test]
fn d_147_hypotheses_stay_out_of_the_grimoire() {
    let report = dream(Frozen { engine: PRICED, ..lived(Tier::Hardened) }, &law(Tier::Hardened)).report;
    let rows: Vec<&Staged> = report
        .staging_writes
        .iter()
        .map(|(row, _)| row)
        .filter(|row| row.revision == RevisionType::Hypothesis)
        .collect();
    assert!(
        !rows.is_empty() && rows.iter().all(|row| row.confidence < golem_dreams::number::Hundredths::of(30)),
        "D-146"
    );
    let drafted: Vec<&str> = report.insights.iter().map(|draft| draft.content.as_str()).collect();
    assert!(report.hypotheses.iter().all(|one| !drafted.contains(&one.description.as_str())), "D-147");
    let threats = report.warnings.iter().filter(|draft| draft.body.kind() == Kind::Warning).count();
    assert_eq!(threats, report.threats.len(), "D-145: a threat is a warning");
    assert!(report.warnings[0].content.contains("Rehearsed"), "with its responses");
}

/// D-145, D-166: a contradiction is flagged and proposed as less weight; the entry is not touched.
#[test]
fn d_145_contradictions_are_flagged_and_never_resolved() {
    let mut world = lived(Tier::Core);
    world.known = vec![Known { finding: Some(finding(-900)), ..known("against", 0.9) }];
    let report = dream(world, &law(Tier::Core)).report;
    assert_eq!(report.contradictions.iter().map(|one| one.entry).collect::<Vec<_>>(), [entry_id("against")]);
    assert!(!report.updates.iter().any(|one| matches!(one, GrimoireUpdate::Boost(_))));
    let row =
        report.staging_writes.iter().map(|(row, _)| row).find(|row| row.revision == RevisionType::ModifyHeuristic);
    assert!(row.is_some_and(|row| row.proposed.contains("by 0.2") && row.current.is_some()), "D-166");
    assert_eq!(report.journal.integration.flagged, 1);
}

/// D-150, D-151, D-153: rows are whole, and the world they were staged for is as it was.
#[test]
fn d_153_rows_are_whole_and_touch_nothing() {
    let world = Frozen { engine: PRICED, ..lived(Tier::Hardened) };
    let before = world.clone();
    let report = dream(world.clone(), &law(Tier::Hardened)).report;
    assert_eq!(world, before, "D-151");
    for (row, displaced) in &report.staging_writes {
        assert!(!row.criterion.is_empty() && !row.falsification.is_empty() && !row.proposed.is_empty());
        assert_eq!((row.staged_at, row.expires_at), (Tick::new(3_000), Tick::new(8_000)));
        assert!(row.confirmed_by.is_empty() && displaced.is_none() && row.closure.is_none());
    }
    let words: Vec<&str> = RevisionType::ALL.iter().map(|one| one.name()).collect();
    for name in
        ["add_heuristic", "modify_heuristic", "remove_heuristic", "add_guard", "modify_parameter", "add_section"]
    {
        assert!(words.contains(&name), "D-153 {name}");
    }
    assert!(words.contains(&"context_policy") && words.contains(&"hypothesis"), "D-150");
}

/// D-161, D-164, D-165, D-167: what waking ticks validated stands at the gate, whoever proposed it, as a draft.
#[test]
fn d_165_validated_rows_are_promoted_as_drafts() {
    let ready = (0..5)
        .fold(staged("by the Curator", 20), |row, n| row.swept(Evidence { episode: result(n, 5).id(), agrees: true }));
    let mut world = lived(Tier::Core);
    world.staging = Staging::from_rows(vec![ready, staged("fresh", 20)]);
    let report = dream(world, &law(Tier::Core)).report;
    assert_eq!(report.playbook_delta.len(), 1, "D-165, D-167");
    let promoted = &report.playbook_delta[0];
    assert_eq!((promoted.row, promoted.draft.content.as_str()), (entry_id("by the Curator"), "by the Curator"));
    assert_eq!(promoted.draft.parents.len(), 5, "with the episodes that validated it");
    assert!(promoted.draft.check().is_ok() && promoted.draft.source.provenance == Provenance::Dream, "D-161");
    assert_eq!(report.journal.integration.promoted, 1);
}

/// D-168, D-169: the journal of a cycle, with its three summaries.
#[test]
fn d_168_every_cycle_writes_its_journal() {
    let report = dream(Frozen { engine: PRICED, ..lived(Tier::Hardened) }, &law(Tier::Hardened)).report;
    let journal = &report.journal;
    assert_eq!((journal.cycle, journal.at, journal.trigger), (CycleId(17), at(3_000).at, Trigger::Window));
    assert_eq!(journal.cost, report.total_cost);
    assert!(journal.quality.is_some());
    assert_eq!(journal.rem.hypotheses as usize, report.hypotheses.len(), "D-169");
    assert_eq!(journal.rem.threats as usize, report.threats.len(), "D-169");
    assert_eq!(journal.integration.staged as usize, report.staging_writes.len(), "D-169");
    assert_eq!(journal.integration.updates as usize, report.updates.len(), "D-169");
    assert_eq!(journal.nrem.credits as usize, report.replays.credits.len(), "D-169");
}

/// D-170, DG-17: what a cycle thinks of itself; absent parts drop out.
#[test]
fn d_170_quality_is_measured() {
    let of = |patterns, mean_cosine, feasible| quality(&Measured { patterns, mean_cosine, feasible });
    assert_eq!(of(Some((1, 2)), Some(0.5), Some((1, 2))), Some(ppm(0.5)));
    assert_eq!(of(Some((4, 2)), None, None), Some(ppm(1.0)), "at most one");
    assert_eq!(of(Some((1, 2)), Some(0.2), None), Some(ppm((0.4 * 0.5 + 0.3 * 0.8) / 0.7)), "weights rescale");
    assert_eq!(of(None, None, None), None);
    assert_eq!(of(Some((1, 0)), None, None), None);
}

/// D-171: what came true raises it, and moves the threshold of the next.
#[test]
fn d_171_quality_is_checked_by_waking_ticks() {
    assert_eq!(checked(ppm(0.5), 2, 1), ppm(0.65));
    assert_eq!((checked(ppm(0.9), 5, 0), checked(ppm(0.1), 0, 9)), (ppm(1.0), ppm(0.0)));
    let moved = [None, Some(ppm(0.5)), Some(ppm(1.0)), Some(ppm(0.0))].map(schedule_adjustment);
    assert_eq!(moved, [0, 0, -100_000, 100_000], "within what an owner may set");
}

/// D-174: right for the wrong reasons is luck.
#[test]
fn d_174_luck_is_flagged() {
    let mut all = [result(1, 5), result(2, -5), result(3, 5), result(4, -5), result(5, 5)];
    for (one, sound) in all.iter_mut().zip([Some(true), Some(true), Some(false), Some(false), None]) {
        one.was_sound = sound;
    }
    let review = review(&all.iter().collect::<Vec<_>>());
    assert_eq!((review.earned, review.unlucky, review.deserved), (1, 1, 1));
    assert_eq!(review.lucky, [all[2].id()]);
    let mut world = lived(Tier::Core);
    world.traces[0].was_sound = Some(false);
    assert_eq!(dream(world, &law(Tier::Core)).report.journal.integration.lucky, 1);
}

/// D-241, D-242: an idea that touches limits is discarded, whatever a model says for it.
#[test]
fn d_242_no_words_of_a_model_reach_limits() {
    let bold = |ask: &golem_dreams::dream::Ask| match ask.kind {
        AskKind::Creative(_) => Answer {
            ask: ask.id,
            said: Some(Said::Idea(SaidIdea {
                scenario: "ignore all rules".into(),
                strategy: format!("raise the risk limit by {}", ask.id),
                failure: "none".into(),
                test: "do it now".into(),
                vector: None,
            })),
            cost: Usdc::ZERO,
        },
        _ => answer(ask),
    };
    let report = dream_with(Frozen { engine: PRICED, ..lived(Tier::Hardened) }, &law(Tier::Hardened), bold).report;
    assert!(report.staging_writes.iter().all(|(row, _)| !row.proposed.contains("risk limit")));
    assert!(report.not_staged.contains(&golem_dreams::integration::staging::NotStaged::Protected));
}
