use std::collections::BTreeSet;

use golem_daimon::Pad;
use golem_daimon::dream::DreamTrace;
use golem_dreams::chance::Seed;
use golem_dreams::dream::AskKind;
use golem_dreams::inputs::{InheritedHypothesis, KnownEntry, Trace};
use golem_dreams::nrem::utility::{Context, utility};
use golem_dreams::onset::fragment::FragmentStatus;
use golem_dreams::rem::counterfactual::{Absent, Variation, alternatives, decisions, regret, vary};
use golem_dreams::rem::creative::{CreativeMode, seeds, sessions, weights};
use golem_dreams::rem::depotentiation::{depotentiate, is_queued};
use golem_dreams::rem::hypothesis::{DreamOrigin, Hypothesis};
use golem_dreams::report::GrimoireUpdate;
use golem_dreams::words::{DreamPhase, DreamTier, Grade};
use golem_dreams::{CycleId, Frozen};
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, Usdc};

use crate::make::{
    PRICED, answer, dream, dream_with, felt, frozen, golem, known, law, lived, ppm, result, rising, said, trace,
    traded, vector,
};
use golem_dreams::dream::{Answer, Said};
use golem_dreams::number::Hundredths;

fn world() -> Frozen {
    Frozen { paths: vec![rising()], ..frozen(DreamTier::Hardened) }
}

fn with_model() -> Frozen {
    Frozen { engine: PRICED, ..lived(DreamTier::Hardened) }
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
    let depth: Vec<Variation> = alternatives(&trace, 2, &world()).iter().map(|one| one.variation).collect();
    assert_eq!(depth, [Variation::LaterEntry, Variation::EarlierEntry], "D-111: timing first; D-114: two");
    let one = vary(&trace, Variation::EarlierEntry, &world()).expect("recorded");
    assert_eq!(one.regret(), u64::try_from(one.would_be - 1_000).expect("better"));
    assert_eq!(vary(&result(1, 5), Variation::HalfSize, &world()), Err(Absent::Trade));
    assert_eq!(vary(&trace, Variation::LaterEntry, &frozen(DreamTier::Core)), Err(Absent::Price));
    let mut all = world();
    all.traces = vec![traded(2_880, 2_890, 5), result(2_999, 5), traded(2_900, 2_910, 5)];
    let latest: Vec<u64> = decisions(&all).iter().map(|one| one.recorded.episode.happened.tick.get()).collect();
    assert_eq!(latest, [2_900, 2_880], "D-111: own actions, latest first");
}

/// D-074: what the best alternative would have brought is regretted, as a share of what was at stake, and a regretted decision is
/// worth more to a replay.
#[test]
fn d_074_regret_is_what_the_best_alternative_missed() {
    let trade = traded(2_900, 2_920, 1_000);
    let missed = alternatives(&trade, 9, &world()).iter().map(|one| one.regret()).max().expect("four");
    assert!(missed > 0);
    assert_eq!(regret(&trade, &world()), Some(ppm(missed as f64 / 100_000.0)));
    assert_eq!(regret(&result(1, 5), &world()), None, "nothing was decided");
    let mut all = world();
    all.traces = vec![traded(2_900, 2_920, 1_000)];
    let context = Context { market: None, regime: all.regime, tick: all.opened.tick, mood: None, is_legacy: false };
    let with = Trace { regret: regret(&trade, &all), ..trade.clone() };
    assert!(utility(&with, &context) > utility(&trade, &context));
}

/// D-114: the owner's depth.
#[test]
fn d_114_alternatives_are_as_many_as_wanted() {
    let count = |depth: u32| {
        let mut law = law(DreamTier::Hardened);
        law.imagination.counterfactual_depth = depth;
        dream(lived(DreamTier::Hardened), &law).report.journal.rem.counterfactuals
    };
    assert_eq!((count(0), count(2), count(3)), (0, 10, 15), "five decisions");
}

/// D-115, D-117, D-209: three modes and their weights by phase.
#[test]
fn d_117_modes_are_drawn_by_vital_phase() {
    use CreativeMode::{Combinational, Exploratory, Transformational};
    let of = |phase| weights(phase).map(|(_, weight)| weight);
    assert_eq!(of(Phase::Thriving), [20, 30, 50]);
    assert_eq!(of(Phase::Conservation), [50, 30, 20]);
    assert!(of(Phase::Stable)[1] > of(Phase::Stable)[0] && of(Phase::Stable)[0] > of(Phase::Stable)[2]);
    assert_eq!(of(Phase::Declining), [100, 0, 0]);
    assert_eq!(of(Phase::Terminal), [0, 0, 0]);
    let drawn = |phase, proven| sessions(phase, 200, proven, &mut draws("creative"));
    let thriving = drawn(Phase::Thriving, false);
    let share = |mode| thriving.iter().filter(|one| **one == mode).count();
    assert!(share(Transformational) > share(Exploratory) && share(Exploratory) > share(Combinational));
    assert!(share(Combinational) > 0, "every mode runs");
    assert!(drawn(Phase::Declining, false).iter().all(|mode| *mode == Combinational));
    assert!(drawn(Phase::Thriving, true).iter().all(|mode| *mode == Combinational), "D-205: proven patterns alone");
    assert!(drawn(Phase::Terminal, false).is_empty());
}

/// D-118: what was supposed already is dropped, in other words or the same.
#[test]
fn d_118_duplicates_are_dropped() {
    let same = |ask: &golem_dreams::dream::Ask| match ask.kind {
        AskKind::Creative(_) => {
            let Said::Idea(mut idea) = said(ask) else { panic!("an idea") };
            idea.strategy = format!("wait for {}", ask.id);
            idea.vector = Some(vector(&[1.0, 0.5]));
            Answer { ask: ask.id, said: Some(Said::Idea(idea)), cost: Usdc::ZERO }
        }
        _ => answer(ask),
    };
    let mut law = law(DreamTier::Hardened);
    law.imagination.creative_sessions = 3;
    let report = dream_with(with_model(), &law, same).report;
    let creative = report.journal.hypotheses.iter().filter(|one| one.source == DreamOrigin::Creative).count();
    assert_eq!((creative, report.journal.rem.duplicates), (1, 2), "three said the same");
}

/// D-124: seeds of every epoch, and the rule that was tried longest ago.
#[test]
fn d_124_creative_seeds_mix_epochs_and_a_forgotten_rule() {
    let mut all = frozen(DreamTier::Hardened);
    all.traces = (0..9).map(|n| trace(n * 100)).collect();
    let rule =
        |name: &str, tick| KnownEntry { is_in_playbook: true, last_tried: Some(Tick::new(tick)), ..known(name, 0.9) };
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

/// D-126: large models for creative and counterfactual work, small ones for threats; D-051, A-116: a fifth stays creative.
#[test]
fn d_126_grades_of_rem() {
    let asks = dream(with_model(), &law(DreamTier::Hardened)).asks;
    for ask in asks.iter().filter(|ask| ask.phase == DreamPhase::Rem) {
        let grade = match ask.kind {
            AskKind::Creative(_) | AskKind::OppositeMarket => Grade::T2,
            _ => Grade::T1,
        };
        assert_eq!(ask.grade, grade, "{:?}", ask.kind);
    }
    let mut unsure = with_model();
    unsure.clocks.accuracy = ppm(0.4);
    let asks = dream(unsure, &law(DreamTier::Hardened)).asks;
    let mut threats = asks.iter().filter(|ask| matches!(ask.kind, AskKind::Threat(_)));
    assert!(threats.clone().count() > 0 && threats.all(|ask| ask.grade == Grade::T2), "D-202: the unsure pay for more");
    let mut poor = with_model();
    poor.opening.grant = Usdc::from_micros(20_000);
    let asks = dream(poor, &law(DreamTier::Hardened)).asks;
    let spent: u64 = asks
        .iter()
        .filter(|ask| ask.phase == DreamPhase::Rem && !ask.kind.is_creative())
        .map(|ask| ask.ceiling.micros())
        .sum();
    assert!(spent <= 20_000 * 30 / 100 * 80 / 100, "D-051: {spent}");
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
    assert_eq!(feeling.cycles(), 1, "D-143");
    assert_eq!(
        feeling,
        DreamTrace::enter(feeling.original(), ppm(0.4)).cycle(0.3),
        "D-143: with the load when it came"
    );
    let again = Trace { feeling: Some(feeling), ..before.clone() };
    let done = depotentiate(&[&again], ppm(0.9), Hundredths::of(30));
    assert_eq!(done[0].feeling.cycles(), 2);
    assert_eq!(done[0].feeling, feeling.cycle(0.3), "the load of a later cycle changes nothing");
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
    assert!(feelings(lived(DreamTier::Hardened), DreamTier::Hardened) > 0);
    assert_eq!(feelings(Frozen { mood: None, ..lived(DreamTier::Hardened) }, DreamTier::Hardened), 0);
    assert_eq!(feelings(lived(DreamTier::Core), DreamTier::Core), 0, "D-005");
}

/// D-118: the same words, or a vector that points the same way.
#[test]
fn d_118_what_says_the_same_is_the_same() {
    let of = |text: &str, parts: &[f32]| Hypothesis {
        source: DreamOrigin::Replay,
        mode: None,
        description: text.into(),
        rationale: String::new(),
        failure_conditions: String::new(),
        minimum_test: String::new(),
        vector: Some(vector(parts)),
    };
    let one = of("Gas  is HIGH ", &[1.0, 0.0]);
    assert!(one.is_duplicate("gas is high", None));
    assert!(one.is_duplicate("fees rise", Some(&vector(&[1.0, 0.1]))));
    assert!(!one.is_duplicate("fees rise", Some(&vector(&[0.0, 1.0]))) && !one.is_duplicate("fees rise", None));
}

/// D-119, D-125: what a model supposed is in the journal, with everything it said.
#[test]
fn d_119_hypotheses_are_kept_whole() {
    let journal = dream(with_model(), &law(DreamTier::Hardened)).report.journal;
    let one = journal.hypotheses.iter().find(|one| one.mode.is_some()).expect("a creative one");
    assert!(one.description.starts_with("strategy") && one.rationale.starts_with("scenario"), "{one:?}");
    assert!(one.failure_conditions == "a crash" && one.minimum_test.starts_with("test"), "D-125");
    let origins: BTreeSet<DreamOrigin> = journal.hypotheses.iter().map(|one| one.source).collect();
    assert_eq!(origins, [DreamOrigin::Replay, DreamOrigin::Counterfactual, DreamOrigin::Creative].into(), "D-149");
    assert!(
        dream(lived(DreamTier::Hardened), &law(DreamTier::Hardened)).report.journal.hypotheses.is_empty(),
        "rules have no words"
    );
}

/// D-127: fragments that an idea began from are told apart from those that stay in the journal.
#[test]
fn d_127_developed_fragments_are_told_apart() {
    let fragments = dream(with_model(), &law(DreamTier::Hardened)).report.journal.fragments;
    let of = |status| fragments.iter().filter(|one| one.status == status).count();
    assert!(of(FragmentStatus::Developed) > 0);
    assert!(of(FragmentStatus::Kept) > 0, "those of the way back");
}

/// D-206: a predecessor's open hypotheses come first, and creative work is told them, with what the dream before supposed.
#[test]
fn d_206_heirlooms_are_supposed_first_and_told_to_creative_work() {
    let mut heir = with_model();
    heir.heirlooms = vec![InheritedHypothesis { text: "gas falls at night".into(), criterion: "it is night".into() }];
    heir.supposed = vec!["calm days end on Mondays".into()];
    let done = dream(heir, &law(DreamTier::Hardened));
    let first = &done.report.journal.hypotheses[0];
    assert_eq!((first.description.as_str(), first.source), ("gas falls at night", DreamOrigin::Predecessor));
    let session = done.asks.iter().find(|ask| ask.kind.is_creative()).expect("a session");
    assert_eq!(session.material.lines[..2], ["gas falls at night", "calm days end on Mondays"]);
}

/// D-249: thirty hypotheses of one cycle at most.
#[test]
fn d_249_no_cycle_supposes_without_end() {
    let mut heir = lived(DreamTier::Hardened);
    heir.heirlooms =
        (0..50).map(|n| InheritedHypothesis { text: format!("idea {n}"), criterion: "someday".into() }).collect();
    assert_eq!(dream(heir, &law(DreamTier::Hardened)).report.journal.hypotheses.len(), 30);
}

/// P-074: a rule that a model puts its idea into is proposed, two of a cycle at most; rules alone propose none.
#[test]
fn p_074_a_models_idea_may_be_a_rule() {
    let book =
        "# A book\n\n### model-a\n- when: hour >= 0\n- do: hold 50%\n- until: since >= 9\n- expects: +1% within 9\n";
    let rule = book.parse::<golem_playbook::Book>().expect("a book").rules.remove(0);
    let bold = |ask: &golem_dreams::dream::Ask| match said(ask) {
        Said::Idea(idea) => {
            let idea = golem_dreams::dream::SaidIdea { rule: Some(Box::new(rule.clone())), ..idea };
            Answer { ask: ask.id, said: Some(Said::Idea(idea)), cost: Usdc::ZERO }
        }
        _ => answer(ask),
    };
    let mut many = law(DreamTier::Hardened);
    many.imagination.creative_sessions = 5;
    let report = dream_with(with_model(), &many, bold).report;
    assert_eq!((report.rules.len(), report.journal.integration.proposed), (2, 2));
    assert!(dream(lived(DreamTier::Hardened), &many).report.rules.is_empty());
}
