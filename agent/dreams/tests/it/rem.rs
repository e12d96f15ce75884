use std::collections::BTreeSet;

use golem_daimon::Pad;
use golem_daimon::dream::DreamTrace;
use golem_dreams::chance::Seed;
use golem_dreams::dream::AskKind;
use golem_dreams::inputs::{Heirloom, Known, Trace};
use golem_dreams::nrem::perturb::Absent;
use golem_dreams::onset::fragment::FragmentStatus;
use golem_dreams::rem::counterfactual::{Variation, alternatives, decisions, regret, relabel, vary};
use golem_dreams::rem::creative::{CreativeMode, combine, explore, ideas, negate, seeds, sessions, weights};
use golem_dreams::rem::depotentiation::{depotentiate, is_queued, rehearsed_arousal};
use golem_dreams::rem::hypothesis::{Health, Origin, Validation, dedup_hash};
use golem_dreams::rem::scenario::ScenarioSource;
use golem_dreams::rem::stochastic::activate;
use golem_dreams::report::GrimoireUpdate;
use golem_dreams::words::{DreamPhase, Grade, Tier};
use golem_dreams::{CycleId, Frozen};
use golem_grimoire::regime::Regime;
use golem_mortality::phase::Phase;
use golem_primitives::{Bps, Ppm, Tick, Usdc};

use crate::make::{
    PRICED, answer, dream, dream_with, felt, finding, frozen, golem, in_regime, known, law, lived, path, ppm, result,
    rising, said, trace, traded, vector,
};
use golem_dreams::dream::{Answer, Said};
use golem_dreams::number::Hundredths;

fn world() -> Frozen {
    Frozen { paths: vec![rising()], ..frozen(Tier::Hardened) }
}

fn with_model() -> Frozen {
    Frozen { engine: PRICED, ..lived(Tier::Hardened) }
}

fn draws(purpose: &str) -> golem_dreams::chance::Draws {
    Seed::new(golem(), CycleId(17)).draws(purpose)
}

/// D-109, D-110, D-111: own decisions, varied on the recorded path, in the order of what a Golem controls.
#[test]
fn d_110_decisions_are_varied_on_what_was_recorded() {
    let trace = traded(2_900, 2_920, 1_000);
    let at = |variation| vary(&trace, variation, &world()).map(|one| one.would_be);
    let shifted = |price: u128| i64::try_from(101_000 * 3_150_000_000u128 / price).expect("small") - 101_000 + 1_000;
    assert_eq!(at(Variation::LaterEntry), Ok(shifted(3_153_000_000)));
    assert_eq!(at(Variation::EarlierEntry), Ok(shifted(3_147_000_000)));
    let half = at(Variation::HalfSize).expect("a pool");
    let double = at(Variation::DoubleSize).expect("a pool");
    assert!(half > 400 && half < 600 && double > 1_900 && double < 2_000, "{half} {double}: the pool takes its part");
    assert_eq!(at(Variation::GasCeiling), Ok(0), "not done, nothing came of it");
    let depth: Vec<Variation> = alternatives(&trace, 2, &world()).iter().map(|one| one.variation).collect();
    assert_eq!(depth, [Variation::LaterEntry, Variation::EarlierEntry], "D-111: timing first; D-114: two");
    let one = vary(&trace, Variation::EarlierEntry, &world()).expect("recorded");
    assert!(one.is_synthetic && !one.assumptions.is_empty(), "D-109");
    assert_eq!(one.regret(), u64::try_from(one.would_be - 1_000).expect("better"));
    assert_eq!(vary(&result(1, 5), Variation::HalfSize, &world()), Err(Absent::Trade));
    assert_eq!(vary(&trace, Variation::LaterEntry, &frozen(Tier::Core)), Err(Absent::Price));
    let mut all = world();
    all.traces = vec![traded(2_880, 2_890, 5), result(2_999, 5), traded(2_900, 2_910, 5)];
    let latest: Vec<u64> = decisions(&all).iter().map(|one| one.recorded.episode.happened.tick.get()).collect();
    assert_eq!(latest, [2_900, 2_880], "D-111: own actions, latest first");
}

/// D-114: the owner's depth.
#[test]
fn d_114_alternatives_are_as_many_as_wanted() {
    let count = |depth: u32| {
        let mut law = law(Tier::Hardened);
        law.imagination.counterfactual_depth = depth;
        dream(lived(Tier::Hardened), &law).report.imagined.counterfactuals.len()
    };
    assert_eq!((count(0), count(2), count(3)), (0, 10, 15), "five decisions");
}

/// D-112: a missed target is a goal for which it would have been right.
#[test]
fn d_112_missed_targets_are_restated() {
    let one = relabel(&trace(1)).expect("missed");
    assert_eq!((one.aimed, one.reached, one.confidence.get()), (Bps::from(500), Bps::from(100), 20));
    let mut met = trace(1);
    met.recorded.episode.actual = Some(0.05);
    assert_eq!(relabel(&met), None);
}

/// D-113: what a smaller bet would have saved and cost, and whether it pays by how often such trades lost.
#[test]
fn d_113_regret_weighs_the_worst_against_the_usual() {
    let mut all = world();
    let mut bet = traded(2_900, 2_920, 980);
    bet.trade.as_mut().expect("a trade").slippage = Some(Usdc::from_micros(5_000));
    all.traces = vec![bet.clone(), result(1, -50), result(2, -50), result(3, -50)];
    let often = regret(&bet, &all).expect("adverse");
    assert_eq!((often.worst, often.modification), (-4_020, Variation::HalfSize));
    assert!(often.pays && often.normal_cost > 0);
    all.traces = std::iter::once(bet.clone()).chain((1..200).map(|n| result(n, 50))).collect();
    assert!(!regret(&bet, &all).expect("adverse").pays, "it never lost");
    assert_eq!(regret(&traded(2_900, 2_920, 900_000), &all), None, "nothing adverse");
}

/// D-115, D-116, D-117, D-209: three modes, their worth and their weights by phase.
#[test]
fn d_117_modes_are_drawn_by_vital_phase() {
    use CreativeMode::{Combinational, Exploratory, Transformational};
    let of = |phase| weights(phase).map(|(_, weight)| weight);
    assert_eq!(of(Phase::Thriving), [20, 30, 50]);
    assert_eq!(of(Phase::Conservation), [50, 30, 20]);
    assert!(of(Phase::Stable)[1] > of(Phase::Stable)[0] && of(Phase::Stable)[0] > of(Phase::Stable)[2]);
    assert_eq!(of(Phase::Declining), [100, 0, 0]);
    assert_eq!(of(Phase::Terminal), [0, 0, 0]);
    assert_eq!(CreativeMode::ALL.iter().map(|mode| mode.confidence().get()).collect::<Vec<_>>(), [20, 20, 10], "D-116");
    let drawn = |phase, proven| sessions(phase, 200, proven, &mut draws("creative"));
    let thriving = drawn(Phase::Thriving, false);
    let share = |mode| thriving.iter().filter(|one| **one == mode).count();
    assert!(share(Transformational) > share(Exploratory) && share(Exploratory) > share(Combinational));
    assert!(share(Combinational) > 0, "every mode runs");
    assert!(drawn(Phase::Declining, false).iter().all(|mode| *mode == Combinational));
    assert!(drawn(Phase::Thriving, true).iter().all(|mode| *mode == Combinational), "D-205: proven patterns alone");
    assert!(drawn(Phase::Terminal, false).is_empty());
}

/// Two ways of trading: quick ones that leave early in a rising market, and slow ones on another pair.
fn two_ways() -> Frozen {
    let mut all = world();
    let slow = |n: u64| {
        let mut one = traded(2_860 + n, 2_890 + n, 500);
        one.recorded.episode.key.pair = "WETH/DAI".into();
        one.recorded.episode.regime = Some(Regime::Sideways);
        one.recorded.episode.id = trace(100 + n).id();
        one.trade.as_mut().expect("a trade").asset = "DAI".into();
        one
    };
    all.traces = (0..6).map(|n| traded(2_860 + n, 2_862 + n, 100)).chain((0..6).map(slow)).collect();
    let flat: Vec<_> = (0..200).map(|n| (2_850 + n, 1_000_000, Regime::Sideways)).collect();
    all.paths.push(path("DAI", &flat));
    all
}

/// D-115: by counting: a condition with another's exit, kept from five trades when it beats both parents.
#[test]
fn d_115_combinations_beat_both_parents_or_are_none() {
    let ideas = combine(&two_ways(), false);
    assert_eq!(ideas.len(), 1, "{ideas:?}");
    assert!(ideas[0].scenario.contains("held 30 ticks"), "{}", ideas[0].scenario);
    assert_eq!(ideas[0].episodes.len(), 6);
    let mut outdone = two_ways();
    let steep: Vec<_> = (0..200).map(|n| (2_850 + n, 1_000_000 + n * 100_000, Regime::Sideways)).collect();
    outdone.paths[1] = path("DAI", &steep);
    assert!(combine(&outdone, false).is_empty(), "better than one parent is not better than both");
    let mut few = two_ways();
    few.traces.remove(0);
    few.traces.remove(0);
    assert!(combine(&few, false).is_empty(), "four are too few");
    assert!(combine(&two_ways(), true).is_empty(), "D-205: nothing is proven");
    let mut proven = two_ways();
    let mut other = finding(5);
    other.key.pair = "WETH/DAI".into();
    proven.known =
        vec![Known { finding: Some(finding(5)), ..known("a", 0.7) }, Known { finding: Some(other), ..known("b", 0.7) }];
    assert_eq!(combine(&proven, true).len(), 1);
}

/// D-115: by counting: how far one strategy can be pushed, and a rule without its condition.
#[test]
fn d_115_limits_and_negations_are_counted() {
    let mut all = world();
    all.traces = (0..4).map(|n| traded(2_900 + n, 2_910 + n, 1_000)).collect();
    let limit = explore(&all);
    assert!(limit[0].failure.contains("100 bps"), "{}", limit[0].failure);
    assert!(limit[0].scenario.contains("5100 hundredths"), "1,000 earned at 20 of gas: {}", limit[0].scenario);
    all.traces = (0..4).map(|n| traded(2_900 + n, 2_910 + n, -1_000)).collect();
    assert!(explore(&all).is_empty(), "what does not pay has no limit");
    let mut rules = world();
    rules.known = vec![Known { finding: Some(finding(500)), ..known("rule", 0.6) }];
    rules.traces = (0..4)
        .map(|n| {
            let mut one = result(2_900 + n, -900 - n as i64);
            one.recorded.episode.regime = Some(Regime::Bear);
            one
        })
        .collect();
    let turned = negate(&rules);
    assert!(turned[0].strategy.contains("turns round"), "{}", turned[0].strategy);
    rules.traces.truncate(2);
    assert!(negate(&rules).is_empty(), "two say nothing");
    assert!(ideas(CreativeMode::Transformational, &frozen(Tier::Hardened), false).is_empty(), "return none");
}

/// D-118: what was supposed already is dropped, in other words or the same.
#[test]
fn d_118_duplicates_are_dropped() {
    assert_eq!(dedup_hash("Gas  is HIGH "), dedup_hash("gas is high"));
    let same = |ask: &golem_dreams::dream::Ask| match ask.kind {
        AskKind::Creative(_) => {
            let Said::Idea(mut idea) = said(ask) else { panic!("an idea") };
            idea.strategy = format!("wait for {}", ask.id);
            idea.vector = Some(vector(&[1.0, 0.5]));
            Answer { ask: ask.id, said: Some(Said::Idea(idea)), cost: Usdc::ZERO }
        }
        _ => answer(ask),
    };
    let mut law = law(Tier::Hardened);
    law.imagination.creative_sessions = 3;
    let report = dream_with(with_model(), &law, same).report;
    let creative = report.hypotheses.iter().filter(|one| one.source == Origin::Creative).count();
    assert_eq!((creative, report.journal.rem.duplicates), (1, 2), "three said the same");
}

/// D-119, D-120, D-125: everything a hypothesis carries, and the prediction it stands by.
#[test]
fn d_119_hypotheses_are_whole() {
    let report = dream(with_model(), &law(Tier::Hardened)).report;
    let one = report.hypotheses.iter().find(|one| one.mode.is_some()).expect("a creative one");
    for text in [&one.description, &one.rationale, &one.failure_conditions, &one.criterion, &one.minimum_test] {
        assert!(!text.is_empty(), "D-125");
    }
    assert_eq!((one.cycle, one.validation, one.is_promoted), (CycleId(17), Validation::Pending, false));
    assert_eq!(one.dedup, dedup_hash(&one.description));
    let prediction = report.predictions.iter().find(|other| other.hypothesis == one.id).expect("D-120");
    assert_eq!((&prediction.condition, &prediction.outcome), (&one.criterion, &one.description));
}

/// D-121: what becomes of predictions says how one dreams.
#[test]
fn d_121_confirmation_rates_tell_noise_from_timidity() {
    for (confirmed, health) in [
        (0, Health::Noise),
        (9, Health::Noise),
        (10, Health::Weak),
        (30, Health::Healthy),
        (100, Health::Healthy),
        (101, Health::Strong),
        (150, Health::Strong),
        (151, Health::Timid),
    ] {
        assert_eq!(Health::of(confirmed, 1_000), health, "{confirmed}");
    }
    assert_eq!(Health::of(0, 0), Health::Unknown);
}

/// D-122, D-109: scenarios say what made them and that they never happened.
#[test]
fn d_122_scenarios_are_marked_synthetic() {
    let report = dream(with_model(), &law(Tier::Hardened)).report;
    let sources: BTreeSet<ScenarioSource> = report.imagined.scenarios.iter().map(|one| one.source).collect();
    assert!(sources.contains(&ScenarioSource::Creative));
    assert!(report.imagined.scenarios.iter().all(|one| one.is_synthetic && !one.events.is_empty()));
}

/// D-123: two memories of distant times or other regimes, by seed, and how often they met.
#[test]
fn d_123_distant_memories_are_activated() {
    let mut all = frozen(Tier::Hardened);
    all.traces = (0..10).map(|n| trace(2_900 + n)).collect();
    assert_eq!(activate(&all, &mut draws("activation")), None, "none is distant");
    all.traces.push(in_regime(2_905, Regime::Bear));
    all.traces.push(trace(100));
    let found = activate(&all, &mut draws("activation")).expect("two");
    assert_eq!(activate(&all, &mut draws("activation")), Some(found), "the same seed");
    assert_ne!(found.first, found.second);
    assert!(found.together > 0, "they share a key and a time");
}

/// D-124: seeds of every epoch, and the rule that was tried longest ago.
#[test]
fn d_124_creative_seeds_mix_epochs_and_a_forgotten_rule() {
    let mut all = frozen(Tier::Hardened);
    all.traces = (0..9).map(|n| trace(n * 100)).collect();
    let rule = |name: &str, tick| Known { is_in_playbook: true, last_tried: Some(Tick::new(tick)), ..known(name, 0.9) };
    all.known = vec![rule("fresh", 2_900), rule("stale", 5), known("not a rule", 0.9)];
    let set = seeds(&all, &mut draws("creative"));
    assert_eq!((set.episodes.len(), set.rule), (3, Some(known("stale", 0.0).id)));
    let epochs: BTreeSet<u64> = all
        .traces
        .iter()
        .filter(|one| set.episodes.contains(&one.id()))
        .map(|one| one.recorded.episode.happened.tick.get() / 300)
        .collect();
    assert_eq!(epochs.len(), 3);
}

/// D-126: large models for creative and counterfactual work, small ones for threats; D-051: a fifth stays creative.
#[test]
fn d_126_grades_of_rem() {
    let asks = dream(with_model(), &law(Tier::Hardened)).asks;
    for ask in asks.iter().filter(|ask| ask.phase == DreamPhase::Rem) {
        let grade = match ask.kind {
            AskKind::Creative(_) | AskKind::OppositeMarket => Grade::T2,
            _ => Grade::T1,
        };
        assert_eq!(ask.grade, grade, "{:?}", ask.kind);
    }
    let mut unsure = with_model();
    unsure.clocks.accuracy = ppm(0.4);
    let asks = dream(unsure, &law(Tier::Hardened)).asks;
    let mut threats = asks.iter().filter(|ask| matches!(ask.kind, AskKind::Threat(_)));
    assert!(threats.clone().count() > 0 && threats.all(|ask| ask.grade == Grade::T2), "D-202: the unsure pay for more");
    let mut poor = with_model();
    poor.opening.grant = Usdc::from_micros(20_000);
    let asks = dream(poor, &law(Tier::Hardened)).asks;
    let spent: u64 = asks
        .iter()
        .filter(|ask| ask.phase == DreamPhase::Rem && !ask.kind.is_creative())
        .map(|ask| ask.ceiling.micros())
        .sum();
    assert!(spent <= 20_000 * 30 / 100 * 80 / 100, "D-051: {spent}");
}

/// D-127: fragments that were developed say into what; the others stay in the journal.
#[test]
fn d_127_developed_fragments_name_what_was_made_of_them() {
    let fragments = dream(with_model(), &law(Tier::Hardened)).report.journal.fragments;
    let developed: Vec<_> = fragments.iter().filter(|one| one.status == FragmentStatus::Developed).collect();
    assert!(!developed.is_empty() && developed.iter().all(|one| one.made.is_some()));
    let kept = fragments.iter().filter(|one| one.status == FragmentStatus::Kept);
    assert!(kept.clone().all(|one| one.made.is_none()) && kept.count() > 0, "those of the way back");
}

/// D-139, D-140, D-141, D-143: V32; arousal falls and nothing else changes.
#[test]
fn d_139_feelings_fade_and_facts_stay() {
    let cycles = |thousandths, step| {
        let mut feeling = DreamTrace::enter(Pad::thousandths(-500, thousandths, -200), Ppm::ZERO);
        while feeling.processed().arousal() != 0.0 {
            feeling = feeling.cycle(step);
        }
        feeling.cycles()
    };
    assert_eq!([cycles(810, 0.3), cycles(900, 0.3), cycles(1_000, 0.3)], [3, 3, 4], "V32, D-140");
    // V33: half at once would take two cycles, so above 0.8 no more than 0.3 is taken.
    assert_eq!(cycles(900, 0.5), 3, "V33: not two, D-140");
    let before = felt(2_900, Pad::thousandths(-500, 900, -200));
    let done = depotentiate(&[&before], ppm(0.4), Hundredths::of(30));
    let feeling = done[0].feeling;
    assert_eq!(feeling.original(), Pad::thousandths(-500, 900, -200), "D-143");
    assert_eq!(feeling.processed(), Pad::thousandths(-500, 600, -200), "D-139, D-141: only arousal moves");
    assert_eq!((feeling.cycles(), feeling.load_at_entry()), (1, ppm(0.4)), "D-143");
    let again = Trace { feeling: Some(feeling), ..before.clone() };
    let done = depotentiate(&[&again], ppm(0.9), Hundredths::of(30));
    assert_eq!((done[0].feeling.cycles(), done[0].feeling.load_at_entry()), (2, ppm(0.4)));
    let calm = felt(1, Pad::thousandths(0, 500, 0));
    assert!(!is_queued(&calm) && is_queued(&again) && is_queued(&before), "D-142: above 0.5, until calm");
    assert!(depotentiate(&[&calm], Ppm::ZERO, Hundredths::of(30)).is_empty());
}

/// D-139, D-005: only with a Daimon and only in a full cycle.
#[test]
fn d_139_depotentiation_needs_a_daimon_and_a_full_cycle() {
    let feelings = |world: Frozen, tier| {
        let updates = dream(world, &law(tier)).report.updates;
        updates.iter().filter(|one| matches!(one, GrimoireUpdate::Feeling(_))).count()
    };
    assert!(feelings(lived(Tier::Hardened), Tier::Hardened) > 0);
    assert_eq!(feelings(Frozen { mood: None, ..lived(Tier::Hardened) }, Tier::Hardened), 0);
    assert_eq!(feelings(lived(Tier::Core), Tier::Core), 0, "D-005");
}

/// D-142: rehearsal takes the fear from a threat.
#[test]
fn d_142_rehearsal_calms() {
    assert_eq!(rehearsed_arousal(ppm(0.8), 5), ppm(0.4));
    assert_eq!((rehearsed_arousal(ppm(0.8), 0), rehearsed_arousal(ppm(0.8), 99)), (ppm(0.8), ppm(0.4)));
}

/// D-206, D-247: a predecessor's open hypotheses come first, at 0.15.
#[test]
fn d_206_heirlooms_are_supposed_first() {
    let mut heir = with_model();
    heir.heirlooms = vec![Heirloom { text: "gas falls at night".into(), criterion: "it is night".into() }];
    let report = dream(heir, &law(Tier::Hardened)).report;
    let first = &report.hypotheses[0];
    assert_eq!((first.description.as_str(), first.confidence.get()), ("gas falls at night", 15));
    assert!(first.rationale.contains("requires investigation"));
}

/// D-249: thirty predictions of one cycle at most.
#[test]
fn d_249_no_cycle_predicts_without_end() {
    let mut heir = lived(Tier::Hardened);
    heir.heirlooms = (0..50).map(|n| Heirloom { text: format!("idea {n}"), criterion: "someday".into() }).collect();
    let report = dream(heir, &law(Tier::Hardened)).report;
    assert_eq!((report.hypotheses.len(), report.predictions.len()), (30, 30));
}
