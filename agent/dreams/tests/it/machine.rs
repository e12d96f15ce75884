use golem_dreams::budget::Split;
use golem_dreams::dream::{Answer, AnswerError, Ask, AskKind, Said};
use golem_dreams::inputs::{Engine, Trace};
use golem_dreams::integration::journal::{CycleEnding, EngineLabel};
use golem_dreams::report::DreamReport;
use golem_dreams::wake::{Wake, WakeSource};
use golem_dreams::words::{DreamPhase, DreamTier, DreamTrigger, Grade};
use golem_dreams::{CycleId, Dream, DreamLaw, DreamStep, Frozen};
use golem_mortality::phase::Phase;
use golem_primitives::{Tick, Usdc};
use proptest::prelude::*;

use crate::make::{PRICED, answer, at, dream, dream_with, frozen, law, lived, opening, ppm, trace};

const FIVE: [DreamPhase; 5] =
    [DreamPhase::Onset, DreamPhase::Nrem, DreamPhase::Rem, DreamPhase::Integration, DreamPhase::Return];

fn with_model() -> Frozen {
    Frozen { engine: PRICED, ..lived(DreamTier::Hardened) }
}

fn wake(source: WakeSource) -> Wake {
    Wake { source, reason: "the owner calls".into(), at: at(3_010).at }
}

/// A report that holds a journal and nothing else.
fn is_bare(report: &DreamReport) -> bool {
    let bare = DreamReport { journal: report.journal.clone(), ..DreamReport::partial(report.journal.clone()) };
    *report == bare
}

/// D-001, D-002: five phases in their order, in both tiers, with and without a model.
#[test]
fn d_001_a_cycle_has_five_phases_in_order() {
    for world in [lived(DreamTier::Core), lived(DreamTier::Hardened), with_model()] {
        let tier = world.opening.tier;
        let done = dream(world, &law(tier));
        assert_eq!(done.phases, FIVE);
        assert_eq!(done.report.journal.finished, FIVE);
        assert_eq!(done.report.journal.ending, CycleEnding::Complete, "D-002: nothing was left out");
    }
}

/// D-003, D-004, D-005: a lightweight cycle replays five, tries one alternative, consolidates, and nothing more.
#[test]
fn d_004_a_lightweight_cycle_does_little() {
    let done = dream(lived(DreamTier::Core), &law(DreamTier::Core));
    let journal = &done.report.journal;
    assert!(journal.nrem.episodes <= 6, "five and one of the reserve: {}", journal.nrem.episodes);
    assert!(journal.nrem.episodes >= 5);
    assert_eq!(journal.rem.counterfactuals, 1);
    let rem = journal.rem;
    assert_eq!((rem.hypotheses, rem.threats, rem.depotentiated, rem.sessions), (0, 0, 0, 0), "D-005");
    assert!(!done.report.updates.is_empty(), "it consolidates");
    assert_eq!((journal.engine, journal.llm_calls, journal.cost), (EngineLabel::Rules, 0, Usdc::ZERO));
    assert!(done.asks.is_empty(), "D-003: no model at all");
}

/// D-014: where the owner wants nothing imagined REM has no work, however uncertain the Golem is, and everything else is
/// dreamt as before.
#[test]
fn d_014_a_dream_without_rem_replays_and_imagines_nothing() {
    for world in [lived(DreamTier::Core), lived(DreamTier::Hardened), with_model()] {
        let mut without = law(world.opening.tier);
        let imagination = &mut without.imagination;
        (imagination.counterfactual_depth, imagination.creative_sessions, imagination.threat_scenarios) = (0, 0, 0);
        let whole = dream(world.clone(), &law(world.opening.tier)).report;
        let done = dream(world, &without);
        let rem = done.report.journal.rem;
        assert_eq!((rem.counterfactuals, rem.hypotheses, rem.threats, rem.sessions), (0, 0, 0, 0));
        assert!(done.report.threats.is_empty());
        assert_eq!(done.phases, FIVE, "it goes through the phase with nothing to do");
        assert_eq!(done.report.journal.nrem.episodes, whole.journal.nrem.episodes, "it replays as before");
    }
}

/// D-013: a full cycle does all of it; both leave a journal. There is no world model and none is asked for.
#[test]
fn d_013_a_full_cycle_does_everything() {
    let report = dream(with_model(), &law(DreamTier::Hardened)).report;
    let journal = &report.journal;
    assert!(journal.nrem.trajectories > 0 && journal.rem.counterfactuals > 1);
    assert!(journal.rem.threats > 0 && journal.rem.sessions > 0 && journal.rem.depotentiated > 0);
    assert_eq!(journal.engine, EngineLabel::Model);
    assert!(journal.llm_calls > 0 && journal.cost > Usdc::ZERO);
}

/// D-049: a dream for which nobody pays any more ends where it is, with a partial journal.
#[test]
fn d_049_a_spent_budget_ends_the_cycle() {
    let mut dreaming = Dream::open(with_model(), &law(DreamTier::Hardened), None).expect("a law");
    let ask = loop {
        match dreaming.step() {
            DreamStep::Ask(ask) if ask.phase == DreamPhase::Nrem => break ask,
            DreamStep::Ask(ask) => dreaming.answer(answer(&ask)).expect("an answer"),
            DreamStep::Phase(_) | DreamStep::Finished(_) => {}
        }
    };
    let report = dreaming.exhaust();
    assert!(is_bare(&report));
    assert_eq!(report.journal.ending, CycleEnding::BudgetExhausted(DreamPhase::Nrem));
    assert_eq!(report.journal.finished, [DreamPhase::Onset]);
    assert_eq!(dreaming.answer(answer(&ask)), Err(AnswerError::NothingAsked), "nothing is asked any more");
    assert_eq!(dreaming.step(), DreamStep::Finished(Box::new(report)));
}

/// D-049: what no phase can pay for is not asked, and the cycle goes on by rules.
#[test]
fn d_049_what_cannot_be_paid_is_not_asked() {
    let mut world = with_model();
    world.opening.grant = Usdc::from_micros(4);
    world.engine = Engine::Model { t0: Usdc::from_micros(4), t1: Usdc::from_micros(4), t2: Some(Usdc::from_micros(4)) };
    let poor = dream(world, &law(DreamTier::Hardened));
    assert!(poor.asks.is_empty());
    assert_eq!((poor.report.journal.ending, poor.report.journal.engine), (CycleEnding::Complete, EngineLabel::Rules));
}

/// D-050: a cycle at the nominal tick takes what the vital phases aim at.
#[test]
fn d_050_a_cycle_lasts_as_long_as_it_is_told() {
    let mut dreaming = Dream::open(lived(DreamTier::Core), &law(DreamTier::Core), None).expect("a law");
    dreaming.tick(Tick::new(3_030));
    let report = loop {
        if let DreamStep::Finished(report) = dreaming.step() {
            break report;
        }
    };
    // Thirty ticks of forty seconds are twenty minutes.
    assert_eq!((report.journal.duration_ticks, report.journal.duration_ticks * 40 / 60), (30, 20));
}

/// D-052: the mood is read once; the machine holds what was frozen and offers no way to change it.
#[test]
fn d_052_the_mood_of_a_cycle_does_not_change() {
    let world = lived(DreamTier::Hardened);
    let first = dream(world.clone(), &law(DreamTier::Hardened)).report;
    assert_eq!(first.threats[0].warning.dream.as_ref().map(|mark| mark.mood), world.mood);
}

/// D-175, D-190, D-195, DG-24: an interrupt anywhere leaves a partial journal and nothing else.
#[test]
fn d_175_an_interrupt_anywhere_leaves_a_partial_journal() {
    for steps in 0..80 {
        let mut dreaming = Dream::open(with_model(), &law(DreamTier::Hardened), None).expect("a law");
        let mut over = false;
        for _ in 0..steps {
            match dreaming.step() {
                DreamStep::Ask(ask) => dreaming.answer(answer(&ask)).expect("an answer"),
                DreamStep::Phase(_) => {}
                DreamStep::Finished(_) => over = true,
            }
        }
        if over {
            break;
        }
        let (phase, spent) = (dreaming.phase().expect("somewhere"), dreaming.spent());
        let report = dreaming.interrupt(wake(WakeSource::Death));
        assert!(is_bare(&report), "{phase}");
        assert_eq!(report.journal.ending, CycleEnding::Interrupted { phase, wake: wake(WakeSource::Death) });
        assert_eq!(report.journal.cost, spent);
        let wasted = Usdc::from_micros(500_000).saturating_sub(spent);
        assert_eq!(report.journal.wasted, wasted, "D-195: the rest is wasted, not spent");
        assert!(!report.is_complete());
        assert_eq!(dreaming.step(), DreamStep::Finished(Box::new(report)), "and nothing goes on behind it");
    }
}

/// D-067: what was caught before the alarm is saved.
#[test]
fn d_067_an_alarm_saves_what_was_caught() {
    let mut dreaming = Dream::open(with_model(), &law(DreamTier::Hardened), None).expect("a law");
    let mut caught = 0;
    while caught < 3 {
        if let DreamStep::Ask(ask) = dreaming.step() {
            dreaming.answer(answer(&ask)).expect("an answer");
            caught += 1;
        }
    }
    let report = dreaming.interrupt(wake(WakeSource::Alarm));
    assert_eq!(report.journal.fragments.len(), 3);
    assert!(dreaming.take_events().iter().any(|event| event.name() == "hypnagogia.alarm_abort"));
}

/// D-020, D-021: the last dream: short, by rules, for nothing, past staging into the testament.
#[test]
fn d_021_the_last_dream_speaks_to_the_testament_alone() {
    let mut world = Frozen { engine: PRICED, phase: Phase::Terminal, ..lived(DreamTier::Core) };
    world.opening = opening(DreamTier::Core, DreamTrigger::Emergency);
    world.opening.grant = Usdc::ZERO;
    world.clocks.projected_ticks = Some(1);
    let done = dream(world, &law(DreamTier::Hardened));
    let report = &done.report;
    assert_eq!(done.phases, FIVE);
    assert!(report.journal.nrem.episodes > 0 && report.journal.rem.counterfactuals > 0, "NREM, REM and Integration");
    assert!(!report.testament.is_empty(), "D-020");
    assert!(report.updates.is_empty() && report.threats.is_empty() && report.rules.is_empty(), "D-021");
    assert!(done.asks.is_empty() && report.journal.cost.is_zero());
}

/// D-176, D-177, D-178: the way back asks once more, within half a second, smooths the mood, and can be turned off.
#[test]
fn d_176_the_way_back() {
    let mut world = with_model();
    world.mood = Some(golem_daimon::Pad::thousandths(-500, 500, 0));
    let done = dream(world.clone(), &law(DreamTier::Hardened));
    let back: Vec<&Ask> = done.asks.iter().filter(|ask| ask.phase == DreamPhase::Return).collect();
    assert_eq!(back.len(), 4, "D-176: one interrupt");
    assert!(back.iter().all(|ask| ask.within.is_some_and(|time| time.as_millis() == 500)), "D-177");
    assert!(done.asks.iter().filter(|ask| ask.phase != DreamPhase::Return).all(|ask| ask.within.is_none()));
    assert_eq!(done.report.awakening.mood, Some(golem_daimon::Pad::thousandths(-450, 450, 0)), "D-177");
    assert!(!done.report.awakening.lines.is_empty(), "D-177");
    let mut off = law(DreamTier::Hardened);
    off.hypnagogia.hypnopompic_return = false;
    let done = dream(world, &off);
    assert_eq!(done.phases, FIVE);
    assert!(done.asks.iter().all(|ask| ask.phase != DreamPhase::Return), "D-178: its share stays unspent");
    assert_eq!(done.report.awakening, Default::default());
}

/// D-183, D-186: only the report leaves, with everything the catalogue names.
#[test]
fn d_186_the_report_is_whole() {
    let report = dream(with_model(), &law(DreamTier::Hardened)).report;
    assert_eq!(report.journal.cycle, CycleId(17));
    assert!(!report.updates.is_empty() && !report.journal.hypotheses.is_empty() && !report.threats.is_empty());
    let prompt = format!("{:?}", report.journal);
    assert!(!prompt.contains("branch 0 of interrupt"), "D-183: no prompt leaves the branch");
}

/// D-180: the branch's turns bound the questions.
#[test]
fn d_180_questions_are_bounded_by_turns() {
    let mut world = with_model();
    world.engine = Engine::Model { t0: Usdc::ZERO, t1: Usdc::ZERO, t2: Some(Usdc::ZERO) };
    let mut law = law(DreamTier::Hardened);
    (law.hypnagogia.dali_cycles, law.replay.batch_size) = (5, 100);
    (law.imagination.creative_sessions, law.imagination.threat_scenarios) = (10, 15);
    world.phase = Phase::Thriving;
    assert!(dream(world, &law).asks.len() <= 60);
}

/// D-068: an answer to another question, of another shape or too dear is refused, and the question stays open.
#[test]
fn d_068_wrong_answers_change_nothing() {
    let mut dreaming = Dream::open(with_model(), &law(DreamTier::Hardened), None).expect("a law");
    assert_eq!(dreaming.answer(Answer { ask: 0, said: None, cost: Usdc::ZERO }), Err(AnswerError::NothingAsked));
    let ask = loop {
        if let DreamStep::Ask(ask) = dreaming.step() {
            break ask;
        }
    };
    let wrong = [
        (Answer { ask: 99, ..answer(&ask) }, AnswerError::OtherQuestion { asked: 0, given: 99 }),
        (Answer { said: Some(Said::Narrative("x".into())), ..answer(&ask) }, AnswerError::WrongShape),
        (
            Answer { cost: Usdc::whole(1), ..answer(&ask) },
            AnswerError::TooDear { cost: Usdc::whole(1), ceiling: ask.ceiling },
        ),
    ];
    for (given, error) in wrong {
        assert_eq!(dreaming.answer(given), Err(error));
        assert_eq!(dreaming.step(), DreamStep::Ask(ask.clone()), "asked again until it is answered");
    }
    assert_eq!(dreaming.spent(), Usdc::ZERO);
}

/// D-126, D-003: no question of a full cycle is dearer than T2, none of a lightweight one dearer than T0.
#[test]
fn d_003_grades_are_bounded_by_tier() {
    let mut wanted = law(DreamTier::Core);
    wanted.hypnagogia.enabled = Some(true);
    let light = dream(Frozen { engine: PRICED, ..lived(DreamTier::Core) }, &wanted);
    assert!(light.asks.iter().all(|ask| ask.grade == Grade::T0) && !light.asks.is_empty());
    assert!(light.report.journal.cost <= golem_dreams::budget::CORE_CYCLE, "D-006");
    let full = dream(with_model(), &law(DreamTier::Hardened)).asks;
    assert!(full.iter().any(|ask| ask.grade == Grade::T2));
}

/// A dream that crashed goes on from its answers to the same report.
#[test]
fn d_183_a_dream_goes_on_from_its_answers() {
    let whole = dream(with_model(), &law(DreamTier::Hardened));
    for heard in [0, 1, 7, whole.asks.len()] {
        let answers: Vec<Answer> = whole.asks.iter().take(heard).map(answer).collect();
        let mut resumed = Dream::resume(with_model(), &law(DreamTier::Hardened), None, answers).expect("a law");
        let report = loop {
            match resumed.step() {
                DreamStep::Ask(ask) => resumed.answer(answer(&ask)).expect("an answer"),
                DreamStep::Phase(_) => {}
                DreamStep::Finished(report) => break *report,
            }
        };
        assert_eq!(report, whole.report, "{heard}");
    }
}

/// Numbers that are no law open no dream.
#[test]
fn d_233_no_dream_opens_over_a_broken_law() {
    let mut broken = law(DreamTier::Hardened);
    broken.replay.batch_size = 0;
    assert!(Dream::open(frozen(DreamTier::Hardened), &broken, None).is_err());
}

/// Some world: episodes of chance, a model that fails where chance says so.
fn any_world() -> impl Strategy<Value = (Frozen, u64)> {
    let episodes = prop::collection::vec((2_850u64..2_990, -2_000i64..2_000, 0.0..=1.0f64, -1.0..=1.0f64), 0..40);
    (episodes, any::<u64>(), 0usize..5, any::<bool>(), any::<bool>(), 0u64..600_000).prop_map(
        |(episodes, cycle, phase, hardened, modelled, grant)| {
            let tier = if hardened { DreamTier::Hardened } else { DreamTier::Core };
            let mut world = lived(tier);
            world.cycle = CycleId(cycle);
            world.phase = Phase::ALL[phase];
            world.opening.grant = Usdc::from_micros(grant);
            world.traces.extend(episodes.into_iter().enumerate().map(|(n, (tick, pnl, surprise, arousal))| {
                let mut one = crate::make::felt(tick, golem_daimon::Pad::round(0.0, arousal, 0.0));
                one.recorded.episode.pnl_micros = Some(pnl);
                one.recorded.episode.id = trace(10_000 + n as u64).id();
                Trace { surprise: Some(ppm(surprise)), ..one }
            }));
            if modelled {
                world.engine = PRICED;
            }
            (world, cycle)
        },
    )
}

/// A model that fails by name of question.
fn flaky(seed: u64) -> impl Fn(&Ask) -> Answer {
    move |ask| {
        let fails = (u64::from(ask.id) ^ seed).is_multiple_of(5);
        Answer { said: if fails { None } else { answer(ask).said }, ..answer(ask) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// DG-20, D-183: the same world and the same answers are the same dream to the last bit.
    #[test]
    fn d_183_dreams_replay_bit_for_bit((world, seed) in any_world()) {
        let law = law(world.opening.tier);
        let first = dream_with(world.clone(), &law, flaky(seed));
        let second = dream_with(world, &law, flaky(seed));
        prop_assert_eq!(format!("{:?}", first.report), format!("{:?}", second.report));
        prop_assert_eq!(first.events, second.events);
    }

    /// D-049, D-071, D-199: no dream costs more than its grant, no phase more than its share, and it always ends.
    #[test]
    fn d_199_no_dream_costs_more_than_its_grant((world, seed) in any_world()) {
        let law = law(world.opening.tier);
        let split = Split::of(world.opening.grant, world.phase, None);
        let grant = world.opening.grant;
        let done = dream_with(world, &law, flaky(seed));
        prop_assert!(done.report.journal.cost <= grant);
        for phase in DreamPhase::ALL {
            let spent: Usdc = done.asks.iter().filter(|ask| ask.phase == *phase).map(|ask| ask.ceiling).sum();
            prop_assert!(spent <= split.of_phase(*phase), "{} {}", phase, spent);
        }
        prop_assert!(done.asks.len() <= 60);
    }

}

/// D-114: another temperature than the owner's is never asked for in REM.
#[test]
fn d_114_creative_work_is_as_free_as_the_owner_says() {
    let asks = dream(with_model(), &law(DreamTier::Hardened)).asks;
    let creative: Vec<u16> =
        asks.iter().filter(|ask| matches!(ask.kind, AskKind::Creative(_))).map(|ask| ask.temperature.get()).collect();
    assert!(!creative.is_empty() && creative.iter().all(|warm| *warm == 700));
    assert_eq!(DreamLaw::default().imagination.exploration_temperature.get(), 700);
}
