//! The Curator: every duty, and that its changes are all it does.

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::curator::{CYCLE_TICKS, CuratorPass, Duty, duty};
use golem_grimoire::entry::{Draft, EntryQuestion, Method};
use golem_grimoire::episode::{Ambiguity, DreamPriority, Episode, EpisodeKind};
use golem_grimoire::event::GrimoireEvent;
use golem_grimoire::finding::{Finding, MeanInterval};
use golem_grimoire::gate::Quarantined;
use golem_grimoire::kind::{Domain, Kind};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::reflection::{Legacy, open_questions};
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::{ArchiveReason, Entry, Status};
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick};
use proptest::prelude::*;

use crate::cycle::Cycle;
use crate::make::{add_active, candidate, draft, episodes, felt, id, key, moment};

fn with_active(name: &str, entry: Draft) -> Grimoire {
    let mut grimoire = Grimoire::default();
    add_active(&mut grimoire, name, entry, moment(1, 0.0));
    grimoire
}

fn status(pass: &CuratorPass, name: &str) -> Option<Status> {
    pass.grimoire.get(id(name)).map(Entry::status)
}

/// G-139, G-153, G-154: when it works, and how much.
#[test]
fn g_153_the_cadence_follows_the_phase() {
    for (tick, phase, critical, news, expected) in [
        (49, Phase::Thriving, false, true, Duty::Rest),
        (50, Phase::Thriving, false, false, Duty::Whole),
        (50, Phase::Stable, false, true, Duty::Whole),
        (50, Phase::Stable, false, false, Duty::Housekeeping),
        (50, Phase::Conservation, false, true, Duty::Rest),
        (100, Phase::Conservation, false, true, Duty::Whole),
        (50, Phase::Declining, false, true, Duty::Housekeeping),
        (50, Phase::Terminal, false, true, Duty::Housekeeping),
        (50, Phase::Thriving, true, true, Duty::Austerity),
        (0, Phase::Thriving, false, true, Duty::Rest),
    ] {
        assert_eq!(duty(Tick::new(tick), phase, critical, news), expected, "{tick} {phase}");
    }
    let tenths_a_day = |tick_seconds| 864_000 / (tick_seconds * CYCLE_TICKS);
    assert_eq!((tenths_a_day(40), tenths_a_day(15)), (432, 1_152), "W41");
    let mut stale = Cycle::new(Grimoire::default(), moment(50, 30.0));
    stale.episodes = episodes("WETH/USDC", 1, &[true; 5]);
    assert_eq!(stale.run().report.added, 0, "G-104: evidence of a month ago is not fresh");
    let resting = Cycle::new(with_active("a", draft(Kind::Insight, Provenance::Own)), moment(51, 900.0)).run();
    assert!(resting.changes.is_empty() && resting.events.is_empty(), "not its turn");
}

/// G-008, G-142, G-148, G-141: three that agree make an insight with its numbers; the odd one is dreamt of.
#[test]
fn g_142_what_held_becomes_an_insight() {
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.1));
    cycle.episodes = episodes("WETH/USDC", 1, &[true, true, true, true, false]);
    cycle.episodes.extend(episodes("OP/USDC", 20, &[true, false]));
    let pass = cycle.run();
    let made: Vec<_> = pass.grimoire.living().collect();
    assert_eq!(made.len(), 1, "two episodes say nothing");
    let Method::Rules(finding) = &made[0].draft.method else { panic!("counted") };
    assert_eq!((finding.held, finding.trials, finding.regime), (4, 5, Some(Regime::Bull)));
    assert!(made[0].draft.content.contains("held 4 of 5 times in bull regime"));
    assert_eq!((made[0].draft.parents.len(), made[0].confidence), (5, Confidence::of(700_000)), "G-032, G-050");
    assert_eq!(made[0].draft.valid_from, cycle.episodes[0].episode.happened.at, "G-031: since its first episode");
    assert_eq!(pass.consolidated.len(), 5, "the others wait for company");
    let odd = cycle.episodes[4].episode.id;
    assert_eq!(pass.tags.get(&odd), Some(&(DreamPriority::High, Ambiguity::ContradictoryPattern)), "G-141");
    assert!(pass.events.iter().any(|event| matches!(event, GrimoireEvent::Write { .. })), "G-195");
    assert_eq!(pass.report.promoted, 1, "G-145: it starts at 0.7");
}

/// G-041, G-191: what is learnt keeps the feeling of the newest episode behind it that was felt, and where none was, none.
#[test]
fn g_041_an_insight_keeps_what_was_felt() {
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.1));
    cycle.episodes = episodes("WETH/USDC", 1, &[true; 4]);
    let learnt = |cycle: &Cycle| cycle.run().grimoire.living().map(|entry| entry.draft.emotion).collect::<Vec<_>>();
    assert_eq!(learnt(&cycle), [None]);
    cycle.episodes[0].episode.emotion = Some(felt(0.9));
    cycle.episodes[2].episode.emotion = Some(felt(-0.4));
    assert_eq!(learnt(&cycle), [Some(felt(-0.4))]);
}

/// G-141: an episode without company is handed to dreams after a cycle.
#[test]
fn g_141_lonely_episodes_are_handed_to_dreams() {
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.1));
    cycle.episodes = episodes("OP/USDC", 1, &[true]);
    assert!(cycle.run().tags.is_empty());
    cycle.now = moment(100, 0.2);
    let tag = cycle.run().tags.values().next().copied();
    assert_eq!(tag, Some((DreamPriority::Medium, Ambiguity::InsufficientEvidence)));
}

/// G-048, G-170, G-171: what does not agree becomes a question, and counting on answers it.
#[test]
fn g_171_disagreement_becomes_a_question_and_is_answered() {
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.1));
    cycle.episodes = episodes("WETH/USDC", 1, &[true, false, true, false]);
    let asked = cycle.run();
    let question = open_questions(&asked.grimoire);
    assert_eq!(question.len(), 1);
    let legacy = Legacy::of(&asked.grimoire, Ppm::ZERO, 0);
    assert_eq!((legacy.questions, legacy.entries, legacy.has_gaps), (1, 1, true));
    for recorded in &mut cycle.episodes {
        recorded.notes.is_consolidated = true;
    }
    cycle.episodes.extend(episodes("WETH/USDC", 60, &[true; 12]));
    (cycle.grimoire, cycle.now) = (asked.grimoire, moment(100, 0.2));
    let answered = cycle.run();
    assert!(open_questions(&answered.grimoire).is_empty());
    let settled = answered.grimoire.get(question[0]).and_then(Entry::knowledge).and_then(|k| k.draft.question);
    assert!(matches!(settled, Some(EntryQuestion::Answered(_))));
}

/// G-013, G-017, G-142, G-144: a proven insight bears a heuristic, and later episodes are votes, netted.
#[test]
fn g_144_later_episodes_are_netted_votes() {
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.1));
    cycle.episodes = episodes("WETH/USDC", 1, &[true; 12]);
    let first = cycle.run();
    cycle.episodes.iter_mut().for_each(|recorded| recorded.notes.is_consolidated = true);
    cycle.episodes.extend(episodes("WETH/USDC", 60, &[true, true, false]));
    (cycle.grimoire, cycle.now) = (first.grimoire, moment(100, 0.2));
    let second = cycle.run();
    let insight = second.grimoire.living().find(|entry| entry.kind() == Kind::Insight).expect("made first");
    assert_eq!((insight.validated, insight.contradicted), (2, 1));
    assert_eq!(insight.confidence, Confidence::of(750_000), "0.7 + 0.2 - 0.15");
    assert!(insight.draft.content.contains("held 14 of 15"), "counted on");
    let heuristic = second.grimoire.living().find(|entry| entry.kind() == Kind::Heuristic).expect("borne");
    let said = &heuristic.draft.content;
    assert!(said.starts_with("When the regime is bull") && said.contains("because"), "G-017: {said}");
    assert_eq!(heuristic.draft.source.provenance, Provenance::Own, "G-145: derived at home");
}

/// Lives through cycles of fifty ticks, each with that many episodes that all held or all did not.
pub(crate) fn lived(cycles: &[(usize, bool)]) -> Cycle {
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.1));
    for (at, (count, held)) in cycles.iter().enumerate() {
        let tick = at as u64 * 50;
        cycle.episodes.extend(episodes("WETH/USDC", tick + 1, &vec![*held; *count]));
        cycle.now = moment(tick + 50, (tick + 50) as f64 * 40.0 / 86_400.0);
        cycle.grimoire = cycle.run().grimoire;
        cycle.episodes.iter_mut().for_each(|recorded| recorded.notes.is_consolidated = true);
    }
    cycle
}

/// G-013, G-155: a rule to avoid something is confirmed by failures and refuted by successes, also when there are more
/// successes by then, and it is gone before a rule of the other kind is borne.
#[test]
fn g_155_successes_refute_a_rule_to_avoid() {
    let avoidance = |cycle: &Cycle| cycle.grimoire.living().find(|entry| entry.is_avoidance()).map(|e| e.confidence);
    let mut history = vec![(12, false), (2, false), (2, false)];
    let failing = lived(&history);
    assert_eq!(avoidance(&failing), Some(Confidence::of(900_000)), "0.7 at birth and two failures since");
    let rule = failing.grimoire.living().find(|entry| entry.is_avoidance()).expect("borne");
    assert!(rule.draft.tags.contains("strategy:swap"), "G-160: it stands in its strategy's section");
    let mut last = Confidence::of(900_000);
    for _ in 0..12 {
        history.push((3, true));
        let Some(now) = avoidance(&lived(&history)) else { break };
        assert!(now <= last, "{now} after {last}");
        last = now;
    }
    for _ in 0..20 {
        history.push((3, true));
        assert_eq!(avoidance(&lived(&history)), None, "refuted, gone, and not borne again by old failures");
    }
    let trusts = lived(&history).grimoire.living().any(|entry| entry.kind() == Kind::Heuristic);
    assert!(trusts, "what holds again bears a rule again");
}

/// G-013, G-155: what was done bears no rule against itself, and neither does a claim without money.
#[test]
fn g_013_only_claims_in_money_bear_rules() {
    let rules = |change: fn(&mut Episode)| {
        let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.1));
        cycle.episodes = episodes("WETH/USDC", 1, &[false; 12]);
        cycle.episodes.iter_mut().for_each(|recorded| change(&mut recorded.episode));
        let first = cycle.run();
        cycle.episodes.iter_mut().for_each(|recorded| recorded.notes.is_consolidated = true);
        let mut more = episodes("WETH/USDC", 60, &[false; 3]);
        more.iter_mut().for_each(|recorded| change(&mut recorded.episode));
        cycle.episodes.extend(more);
        (cycle.grimoire, cycle.now) = (first.grimoire, moment(100, 0.2));
        let entries = cycle.run().grimoire;
        let insights = entries.living().filter(|entry| entry.kind() == Kind::Insight).count();
        (insights, entries.living().filter(|entry| entry.kind() == Kind::Heuristic).count())
    };
    assert_eq!(rules(|_| {}), (1, 1));
    assert_eq!(rules(|episode| episode.kind = EpisodeKind::Action), (1, 0), "an action");
    assert_eq!(rules(|episode| episode.pnl_micros = None), (1, 0), "a level");
}

/// C32, G-163: the last cycle takes evidence in at whatever tick death comes, and distils nothing.
#[test]
fn g_163_the_last_cycle_needs_no_turn() {
    let mut cycle = Cycle::new(with_active("a", draft(Kind::Insight, Provenance::Own)), moment(37, 0.1));
    cycle.episodes = episodes("WETH/USDC", 1, &[true; 5]);
    cycle.votes.insert(id("a"), Votes::UP);
    assert!(cycle.run().changes.is_empty(), "not its turn");
    let last = cycle.put_in_order();
    assert_eq!((last.duty, last.report.added), (Duty::Housekeeping, 0));
    let entry = last.grimoire.get(id("a")).and_then(Entry::knowledge).expect("there");
    assert_eq!(entry.confidence, Confidence::of(800_000));
    assert!(last.consolidated.is_empty());
}

/// G-061, G-068, G-140, G-147, G-155, M-256 by the engine that was chosen for it: what fell below 0.1 goes into the archive,
/// and the numbers are told.
#[test]
fn g_068_decayed_entries_leave_at_the_next_cycle() {
    let grimoire = with_active("a", draft(Kind::Insight, Provenance::Own));
    for (days, expected) in [(19.6, Status::Active), (19.7, Status::Archived)] {
        let pass = Cycle::new(grimoire.clone(), moment(50, days)).run();
        assert_eq!(status(&pass, "a"), Some(expected), "W9 at {days} days");
        let gone = u32::from(expected == Status::Archived);
        let told = pass.events.iter().any(
            |e| matches!(e, GrimoireEvent::Decay { entries_decayed, mean_before, .. } if *entries_decayed == gone && *mean_before > Ppm::ZERO),
        );
        assert!(told, "G-147");
        let done = GrimoireEvent::CuratorCycleComplete { pruned: gone, promoted: 0, heuristics_proposed: 0 };
        assert!(pass.events.contains(&done), "G-195");
    }
    let mut immortal = Cycle::new(grimoire, moment(50, 900.0));
    immortal.law.retention.demurrage = false;
    assert_eq!(status(&immortal.run(), "a"), Some(Status::Active), "G-076");
}

/// G-069, G-083, G-144: evidence counts before anything is let go, and reaches into the archive.
#[test]
fn g_144_evidence_counts_before_letting_go() {
    let mut cycle = Cycle::new(with_active("a", draft(Kind::Insight, Provenance::Own)), moment(50, 30.0));
    cycle.votes.insert(id("a"), Votes { up: 3, down: 1 });
    cycle.checks.push((id("a"), true));
    let kept = cycle.run();
    let entry = kept.grimoire.get(id("a")).and_then(Entry::knowledge).expect("there").clone();
    assert_eq!((status(&kept, "a"), entry.confidence), (Some(Status::Active), Confidence::of(900_000)));
    assert_eq!((entry.cycles, entry.low_cycles), (1, 0));
    cycle.votes.clear();
    cycle.checks.clear();
    cycle
        .grimoire
        .apply(Change::Archive { id: id("a"), reason: ArchiveReason::Decayed }, moment(9, 0.0))
        .expect("alive");
    cycle.votes.insert(id("a"), Votes::UP);
    let restored = cycle.run();
    assert_eq!((status(&restored, "a"), restored.report.restored), (Some(Status::Active), 1));
}

/// G-071, G-114: what did badly and nobody reads is pruned after three cycles; warnings and the dead are spared.
#[test]
fn g_114_poor_entries_are_pruned_after_three_cycles() {
    let mut stained = draft(Kind::Insight, Provenance::Own);
    stained.source = stained.source.stained(None);
    for (entry, spared) in
        [(draft(Kind::Insight, Provenance::Own), false), (draft(Kind::Warning, Provenance::Own), true), (stained, true)]
    {
        let mut cycle = Cycle::new(with_active("a", entry), moment(50, 0.0));
        cycle.grimoire.apply(Change::Vote { id: id("a"), votes: Votes::DOWN }, cycle.now).expect("alive");
        for _ in 0..3 {
            let pass = cycle.run();
            assert_eq!(status(&pass, "a"), Some(Status::Active), "C14: three cycles of grace");
            cycle.grimoire = pass.grimoire;
        }
        assert_eq!(status(&cycle.run(), "a") == Some(Status::Active), spared);
        for reads in 1..=2 {
            cycle.grimoire.mark_accessed([id("a")], cycle.now.tick);
            let is_kept = status(&cycle.run(), "a") == Some(Status::Active);
            assert_eq!(is_kept, spared || reads == 2, "read twice it is of use to someone");
        }
    }
}

/// G-075, M-261: there is room for five hundred active entries; of one more the least confident goes into the archive, not
/// the oldest.
#[test]
fn m_261_the_five_hundred_and_first_costs_the_least_confident_its_place() {
    let now = moment(50, 0.0);
    let mut grimoire = Grimoire::default();
    for place in 0..501u32 {
        add_active(&mut grimoire, &place.to_string(), draft(Kind::Insight, Provenance::Own), now);
    }
    let weak = id("250");
    grimoire.apply(Change::Vote { id: weak, votes: Votes::DOWN }, now).expect("alive");
    let pass = Cycle::new(grimoire, now).run();
    assert_eq!((pass.grimoire.active_count(), status(&pass, "250")), (500, Some(Status::Archived)));
}

/// G-070: only ever contradicted, a candidate burns and it is told.
#[test]
fn g_070_refuted_candidates_burn() {
    let now = moment(50, 0.0);
    let mut grimoire = Grimoire::default();
    grimoire
        .apply(Change::Add(Box::new(candidate("a", draft(Kind::Insight, Provenance::Clade), now))), now)
        .expect("new");
    let mut cycle = Cycle::new(grimoire, now);
    cycle.votes.insert(id("a"), Votes { up: 0, down: 3 });
    let pass = cycle.run();
    assert_eq!((status(&pass, "a"), pass.report.burned), (Some(Status::Burned), 1));
    assert!(pass.events.iter().any(|event| matches!(event, GrimoireEvent::Burned(burned) if burned.id == id("a"))));
}

/// G-146: contradicted below 0.4 it is a candidate again.
#[test]
fn g_146_the_cycle_demotes() {
    let mut cycle = Cycle::new(with_active("a", draft(Kind::Insight, Provenance::Own)), moment(50, 0.0));
    cycle.votes.insert(id("a"), Votes { up: 1, down: 3 });
    let pass = cycle.run();
    assert_eq!((status(&pass, "a"), pass.report.demoted), (Some(Status::Candidate), 1));
}

/// G-078: each clock presses for its own; poverty does nothing else.
#[test]
fn g_078_the_clocks_press() {
    let mut cycle = Cycle::new(with_active("a", draft(Kind::Insight, Provenance::Own)), moment(550, 0.1));
    cycle.pressure.economic_critical = true;
    cycle.episodes = episodes("WETH/USDC", 1, &[true; 5]);
    let poor = cycle.run();
    assert_eq!((poor.duty, status(&poor, "a")), (Duty::Austerity, Some(Status::Archived)));
    assert!(poor.consolidated.is_empty(), "the Curator pauses");
    cycle.pressure.economic_critical = false;
    cycle.pressure.senescent = true;
    assert_eq!(status(&cycle.run(), "a"), Some(Status::Active));
    cycle.domain_fitness.insert(Domain::General, Ppm::of(299_999));
    assert_eq!(status(&cycle.run(), "a"), Some(Status::Archived), "a failing domain goes first");
    cycle.pressure.senescent = false;
    cycle.pressure.reference_lifespan = 600;
    assert!(cycle.run().to_push.contains(&id("a")), "an old Golem gives away");
}

/// G-153: C32, a declining Golem still forgets and no longer distils.
#[test]
fn g_153_the_declining_forget_but_do_not_distil() {
    let mut cycle = Cycle::new(with_active("a", draft(Kind::Insight, Provenance::Own)), moment(50, 30.0));
    cycle.phase = Phase::Declining;
    cycle.episodes = episodes("WETH/USDC", 1, &[true; 5]);
    let pass = cycle.run();
    assert_eq!((status(&pass, "a"), pass.report.added), (Some(Status::Archived), 0));
}

fn counted(trials: u32, sign: i64) -> Draft {
    let mut entry = draft(Kind::Insight, Provenance::Own);
    let earned = MeanInterval { mean_micros: 5 * sign, low_micros: 5 * sign - 4, high_micros: 5 * sign + 4 };
    entry.method =
        Method::Rules(Finding { key: key("WETH/USDC"), regime: None, trials, held: trials, earned: Some(earned) });
    entry
}

/// G-108, G-149: quarantine is reviewed each cycle, and dropped after three.
#[test]
fn g_149_quarantine_is_reviewed() {
    let mut cycle = Cycle::new(with_active("a", counted(20, 1)), moment(50, 0.0));
    cycle.quarantine = vec![Quarantined { draft: counted(3, -1), claim: None, since: moment(1, 0.0), cycles: 0 }];
    assert_eq!(cycle.run().quarantine.first().map(|locked| locked.cycles), Some(1));
    cycle.quarantine[0].cycles = 2;
    assert!(cycle.run().quarantine.is_empty(), "three cycles without support");
    cycle.quarantine[0].cycles = 0;
    cycle.votes.insert(id("a"), Votes::DOWN);
    let freed = cycle.run();
    assert!(freed.quarantine.is_empty() && freed.report.added == 1, "what it attacks is no longer well known");
}

/// G-151, G-190: contradictions cost the weaker; the younger of two alike goes; only every 250 ticks.
#[test]
fn g_151_deep_validation_finds_contradictions_and_twins() {
    let mut grimoire = with_active("a", counted(20, 1));
    add_active(&mut grimoire, "b", counted(4, -1), moment(1, 0.0));
    let worth =
        |pass: &CuratorPass, name: &str| pass.grimoire.get(id(name)).and_then(Entry::knowledge).map(|k| k.confidence);
    let shallow = Cycle::new(grimoire.clone(), moment(200, 0.0)).run();
    assert_eq!(worth(&shallow, "b"), Some(Confidence::of(700_000)));
    let deep = Cycle::new(grimoire, moment(250, 0.0)).run();
    assert_eq!(worth(&deep, "a"), Some(Confidence::of(700_000)));
    assert_eq!(worth(&deep, "b"), Some(Confidence::of(550_000)), "flagged by a vote, not resolved");

    let mut twins = with_active("a", counted(20, 1));
    add_active(&mut twins, "b", counted(4, 1), moment(1, 0.0));
    let merged = Cycle::new(twins, moment(250, 0.0)).run();
    assert_eq!(merged.grimoire.active_count(), 1);
    let younger = id("a").max(id("b"));
    assert!(
        matches!(merged.grimoire.get(younger), Some(Entry::Archived(gone)) if gone.reason() == ArchiveReason::Merged)
    );
}

/// G-152.
#[test]
fn g_152_the_minority_mood_gains_until_the_next_cycle() {
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.0));
    assert_eq!(cycle.run().minority_weight, 0.0);
    let mut felt = episodes("WETH/USDC", 1, &[true]);
    felt[0].episode.emotion = Some(golem_grimoire::emotion::EmotionalTag {
        primary: golem_grimoire::emotion::Emotion::Joy,
        pad: golem_grimoire::emotion::Pad::round(0.9, 0.0, 0.0),
        mood: golem_grimoire::emotion::Pad::NEUTRAL,
        intensity: Ppm::ONE,
        phase: Phase::Stable,
        reactivations: 0,
        since: cycle.now.at,
    });
    cycle.episodes = felt;
    assert!((cycle.run().minority_weight + 0.36).abs() < 1e-12);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// G-075, G-139: whatever the Grimoire, the pass respects capacity, its changes replay, and no cycle of it makes an
    /// entry from outside active that was never confirmed.
    #[test]
    fn g_075_capacity_is_respected(
        entries in prop::collection::vec(
            (prop::sample::select(Kind::ALL), prop::sample::select(Provenance::ALL), 0u32..5, 0u32..5, 0.0..40.0f64), 0..25),
        capacity in 0usize..12, days in 0.0..60.0f64, cycles in 1u64..12,
        held in prop::collection::vec(any::<bool>(), 0..20), phase in prop::sample::select(Phase::ALL.to_vec()),
    ) {
        let mut grimoire = Grimoire::default();
        for (n, (kind, provenance, up, down, at)) in entries.iter().enumerate() {
            let (name, made) = (n.to_string(), moment(1, *at));
            grimoire.apply(Change::Add(Box::new(candidate(&name, draft(*kind, *provenance), made))), made).expect("new");
            grimoire.apply(Change::Vote { id: id(&name), votes: Votes { up: *up, down: *down } }, made).expect("alive");
        }
        let mut cycle = Cycle::new(grimoire, moment(cycles * 50, days));
        cycle.law.capacity = capacity;
        cycle.phase = phase;
        cycle.episodes = episodes("WETH/USDC", 1, &held);
        let pass = cycle.run();
        if pass.duty > Duty::Rest {
            prop_assert!(pass.grimoire.active_count() <= capacity);
        }
        for active in pass.grimoire.active() {
            let entry = active.knowledge();
            prop_assert!(entry.draft.source.provenance.is_own() || entry.validated > 0);
        }
        prop_assert_eq!(cycle.run(), pass, "the same input, the same pass");
    }
}
