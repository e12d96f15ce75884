use std::collections::BTreeSet;

use golem_daimon::Pad;
use golem_dreams::chance::Seed;
use golem_dreams::dream::{Answer, AnswerError, AskKind, Said};
use golem_dreams::event::DreamEvent;
use golem_dreams::inputs::{Engine, Thread, Trace};
use golem_dreams::integration::journal::{CycleEnding, EngineLabel};
use golem_dreams::law::DreamLaw;
use golem_dreams::number::Temperature;
use golem_dreams::onset::dali::{after_capture, anneal, cycles, planned, temperatures};
use golem_dreams::onset::depth::Depth;
use golem_dreams::onset::fragment::{FragmentBias, FragmentStatus, KEYWORD_BIAS, Keyword, induce, rank};
use golem_dreams::onset::observer::{FragmentFate, Judgement, fate, novelty};
use golem_dreams::words::{DreamPhase, DreamTier, Grade};
use golem_dreams::{CycleId, Dream, DreamStep, Frozen};
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, Usdc};

use crate::make::{
    PRICED, answer, dream, dream_with, felt, frozen, golem, known, law, lived, ppm, result, trace, vector,
};

fn with_model(tier: DreamTier) -> Frozen {
    Frozen { engine: PRICED, ..lived(tier) }
}

/// D-053: the world is shut out step by step; D-055, D-056: and temperatures rise with depth, but not beyond.
#[test]
fn d_055_depth_gives_the_temperature_and_shuts_the_feed() {
    let range = |depth: Depth| depth.temperatures().map(|(low, high)| (low.get(), high.get()));
    assert_eq!(range(Depth::H1), Some((800, 1_000)), "D-056");
    assert_eq!(range(Depth::H3), Some((1_000, 1_200)));
    assert_eq!(range(Depth::H6), Some((1_200, 1_500)));
    assert_eq!((range(Depth::H7), range(Depth::H8)), (None, None), "D-056: too deep to ask");
    assert_eq!((Depth::H8.interrupted(), Depth::H7.interrupted()), (Depth::H5, Depth::H6), "D-056");
    assert_eq!(Depth::of(Temperature::thousandths(1_600)).interrupted(), Depth::H6);
    assert_eq!(Depth::of(Temperature::thousandths(1_100)), Depth::H3);
    let feeds: Vec<u32> = Depth::ALL.iter().map(|depth| depth.feed().get()).collect();
    assert_eq!(feeds, [750_000, 500_000, 250_000, 0, 0, 0, 0, 0], "D-053");
}

/// D-054, D-057: four branches of at most 80 tokens between 1.0 and 1.5; token 81 is refused.
#[test]
fn d_057_an_interrupt_has_four_short_branches() {
    let world = with_model(DreamTier::Hardened);
    let asks = dream(world.clone(), &law(DreamTier::Hardened)).asks;
    let first: Vec<_> =
        asks.iter().filter(|ask| matches!(ask.kind, AskKind::DaliPartial { interrupt: 0, .. })).take(4).collect();
    assert_eq!(first.len(), 4);
    assert!(first.iter().all(|ask| ask.max_tokens == 80 && ask.phase == DreamPhase::Onset));
    let warm: BTreeSet<u16> = first.iter().map(|ask| ask.temperature.get()).collect();
    assert_eq!(warm.len(), 4, "each another branch");
    assert!(warm.iter().all(|warm| (1_000..=1_500).contains(warm)), "D-054");
    let later = asks.iter().filter(|ask| matches!(ask.kind, AskKind::DaliPartial { interrupt: 1, .. }));
    assert!(later.filter(|ask| ask.phase == DreamPhase::Onset).all(|ask| ask.temperature.get() >= 1_200), "D-063");
    let material: BTreeSet<String> = first.iter().map(|ask| format!("{:?}", ask.material)).collect();
    assert_eq!(material.len(), 4, "each reads in another order");
    let mut dreaming = Dream::open(world, &law(DreamTier::Hardened), None).expect("a law");
    let ask = loop {
        if let DreamStep::Ask(ask) = dreaming.step() {
            break ask;
        }
    };
    let long = Said::Fragment { text: "x".into(), tokens: 81, vector: None };
    let given = Answer { ask: ask.id, said: Some(long), cost: Usdc::ZERO };
    assert_eq!(dreaming.answer(given), Err(AnswerError::TooLong { tokens: 81, most: 80 }));
}

/// D-062: interrupts by vital phase; D-239: the owner's three within them.
#[test]
fn d_062_interrupts_by_vital_phase() {
    for (phase, range, seconds, of_three, of_nine) in [
        (Phase::Thriving, (3, 5), 90, 3, 5),
        (Phase::Stable, (2, 3), 60, 3, 3),
        (Phase::Conservation, (1, 1), 30, 1, 1),
        (Phase::Declining, (0, 0), 15, 0, 0),
        (Phase::Terminal, (0, 0), 0, 0, 0),
    ] {
        assert_eq!(cycles(phase), (range, seconds), "{phase}");
        assert_eq!((planned(3, phase), planned(9, phase)), (of_three, of_nine), "{phase}");
    }
    assert_eq!(planned(0, Phase::Thriving), 0);
}

/// D-063: V43, and after something was caught the next branch is free again.
#[test]
fn d_063_temperatures_anneal_by_a_cosine() {
    let (high, low) = (Temperature::thousandths(1_500), Temperature::thousandths(400));
    for (step, thousandths) in [(0, 1_500), (2, 1_395), (5, 950), (8, 505), (10, 400)] {
        assert_eq!(anneal(high, low, step, 10).get(), thousandths, "V43 {step}");
    }
    assert_eq!(after_capture(low, high).get(), 1_200);
    assert_eq!(after_capture(Temperature::thousandths(1_400), high).get(), 1_400);
    assert_eq!(temperatures((low, high)).len(), 4);
}

/// D-061: V42, and novelty by the nearest.
#[test]
fn d_061_the_observer_meets_its_vectors() {
    let score = |novelty, relevance, coherence| {
        Judgement { novelty: ppm(novelty), relevance: ppm(relevance), coherence: ppm(coherence) }.score(1.0)
    };
    assert_eq!(score(0.6, 0.8, 0.9), ppm(0.709_335), "V42");
    assert_eq!(score(0.02, 0.8, 0.9), ppm(0.129_506), "V42");
    assert_eq!(score(0.0225, 0.3, 0.5), ppm(0.090_996), "V42");
    assert_eq!(score(0.9, 0.0, 0.9), Ppm::ZERO, "V42");
    assert_eq!(novelty(Some(0.4)), ppm(0.6));
    assert_eq!(novelty(None), Ppm::ONE);
    let near = vector(&[1.0, 0.0]).nearest([&vector(&[0.0, 1.0]), &vector(&[1.0, 0.0])]);
    assert_eq!(novelty(near), Ppm::ZERO, "C27: the nearest decides");
}

/// D-060: dropped, held for fifty ticks, or kept; a second look decides.
#[test]
fn d_060_fragments_are_dropped_held_or_kept() {
    let now = Tick::new(100);
    for (score, first, second) in [
        (99_999, FragmentFate::Discard, FragmentFate::Discard),
        (100_000, FragmentFate::Hold(Tick::new(150)), FragmentFate::Discard),
        (149_999, FragmentFate::Hold(Tick::new(150)), FragmentFate::Discard),
        (150_000, FragmentFate::Keep, FragmentFate::Keep),
    ] {
        let floor = DreamLaw::default().hypnagogia.fragment_floor;
        let of = |is_second| fate(Ppm::of(score), floor, is_second, now);
        assert_eq!((of(false), of(true)), (first, second), "{score}");
    }
    let high = golem_dreams::number::Hundredths::of(14);
    assert_eq!(fate(ppm(0.13), high, false, now), FragmentFate::Discard, "the owner's floor");
}

/// D-058, D-059: a cool, cheap observer; what survives is worth 0.10 to 0.20.
#[test]
fn d_058_fragments_are_observed_coolly_and_cheaply() {
    let done = dream(with_model(DreamTier::Hardened), &law(DreamTier::Hardened));
    let observed: Vec<_> = done.asks.iter().filter(|ask| ask.kind == AskKind::Observe).collect();
    assert_eq!(observed.len(), 12, "three interrupts of four");
    assert!(observed.iter().all(|ask| ask.grade == Grade::T0 && ask.temperature.get() == 400));
    let kept = &done.report.journal.fragments;
    assert!(!kept.is_empty() && kept.iter().all(|one| (10..=20).contains(&one.confidence.get())), "D-059");
    let unlike = |ask: &golem_dreams::dream::Ask| match ask.kind {
        AskKind::Observe => Answer {
            ask: ask.id,
            said: Some(Said::Judged { relevance: ppm(0.001), coherence: ppm(0.001) }),
            cost: Usdc::ZERO,
        },
        _ => answer(ask),
    };
    let done = dream_with(with_model(DreamTier::Hardened), &law(DreamTier::Hardened), unlike);
    assert!(done.events.contains(&DreamEvent::FragmentDiscarded), "{:?}", done.report.journal.fragments);
}

/// D-060: what is held comes back once, and no later than its second look.
#[test]
fn d_060_held_fragments_are_looked_at_again() {
    let middling = |ask: &golem_dreams::dream::Ask| match ask.kind {
        AskKind::Observe => Answer {
            ask: ask.id,
            said: Some(Said::Judged { relevance: ppm(0.01), coherence: ppm(0.05) }),
            cost: Usdc::ZERO,
        },
        _ => answer(ask),
    };
    let mut world = with_model(DreamTier::Hardened);
    world.known = vec![golem_dreams::inputs::KnownEntry { vector: Some(vector(&[1.0, 0.0, 0.5])), ..known("k", 0.5) }];
    let held = dream_with(world.clone(), &law(DreamTier::Hardened), middling).report.held;
    assert!(!held.is_empty() && held.iter().all(|one| one.until == Tick::new(3_050)));
    assert!(held.iter().all(|one| one.fragment.status == FragmentStatus::Held));
    world.held = held
        .into_iter()
        .take(1)
        .map(|one| golem_dreams::onset::fragment::Held { until: Tick::new(3_000), ..one })
        .collect();
    let text = world.held[0].fragment.text.clone();
    let again = dream_with(world, &law(DreamTier::Hardened), middling).report;
    let waiting = again.held.iter().filter(|one| one.fragment.text == text && one.until == Tick::new(3_000)).count();
    assert_eq!(waiting, 0, "it was looked at");
}

/// D-064: what is laid before sleep, and its rank.
#[test]
fn d_064_the_newest_and_the_striking_are_laid_before_sleep() {
    let mut world = frozen(DreamTier::Hardened);
    world.traces = (0..260).map(|n| Trace { surprise: Some(ppm(0.1)), ..trace(2_700 + n) }).collect();
    for one in world.traces.iter_mut().take(55) {
        one.surprise = Some(ppm(0.7));
    }
    world.known = (0..30).map(|n| known(&format!("k{n}"), 0.9 - f64::from(n) * 0.01)).collect();
    let draws = || Seed::new(golem(), CycleId(17)).draws("induction");
    let laid = induce(&world, None, &mut draws());
    assert_eq!(laid.episodes.len(), 250, "200 newest and 50 striking");
    let place =
        |id| rank(world.traces.iter().find(|one| one.id() == id).expect("lived"), None, None, world.opened.tick);
    let kept: Vec<f64> = laid.episodes[..75].iter().map(|id| place(*id)).collect();
    assert!(kept.is_sorted_by(|before, after| before >= after), "best rank first: {kept:?}");
    assert_eq!(laid.fading.len(), 20);
    assert_eq!(laid.fading[0], known("k29", 0.0).id, "nearest to being forgotten");
    assert_eq!(laid, induce(&world, None, &mut draws()), "the same under the same seed");
    let other = induce(&world, None, &mut Seed::new(golem(), CycleId(18)).draws("induction"));
    assert_eq!(laid.episodes[..75], other.episodes[..75], "three tenths keep their rank");
    assert_ne!(laid.episodes, other.episodes, "seven tenths are shuffled");
    let mood = Pad::thousandths(-500, 500, 0);
    let now = Tick::new(3_000);
    let full = Trace { surprise: Some(Ppm::ONE), ..felt(3_000, mood) };
    assert_eq!(ppm(rank(&full, Some(mood), None, now)), Ppm::ONE, "0.4 + 0.3 + 0.3");
    assert_eq!(ppm(rank(&Trace { surprise: Some(Ppm::ZERO), ..trace(3_000) }, Some(mood), None, now)), ppm(0.4));
}

/// D-065: the mood's bias and its edges.
#[test]
fn d_065_moods_bias_what_comes_up() {
    for (mood, bias) in [
        (Pad::thousandths(-201, 301, 0), FragmentBias::Threat),
        (Pad::thousandths(-200, 301, 0), FragmentBias::Broad),
        (Pad::thousandths(201, 301, 0), FragmentBias::Opportunity),
        (Pad::thousandths(201, 300, 0), FragmentBias::Broad),
    ] {
        assert_eq!(FragmentBias::of(Some(mood)), bias, "{mood}");
    }
    let mut world = frozen(DreamTier::Hardened);
    world.mood = Some(Pad::thousandths(-500, 600, -100));
    world.traces = vec![result(2_999, 5), result(2_900, -5)];
    let laid = induce(&world, None, &mut Seed::new(golem(), CycleId(1)).draws("induction"));
    assert_eq!(laid.episodes[0], result(2_900, -5).id(), "the threat comes up first");
}

/// D-066, G-092: one word, of a puzzle before a surprise; it moves an episode up by at most 0.2 where the edge of sleep chooses, and
/// replay chooses as if there were none.
#[test]
fn d_066_one_keyword_nudges() {
    let puzzle = Thread { text: "why do spreads widen".into(), episodes: BTreeSet::new(), is_puzzle: true };
    let word = |threads: &[Thread], traces: &[Trace]| Keyword::choose(threads, traces).map(|one| one.word);
    assert_eq!(word(std::slice::from_ref(&puzzle), &[trace(1)]).as_deref(), Some("spreads"));
    let mut striking = Trace { surprise: Some(ppm(0.9)), vector: Some(vector(&[1.0, 0.0])), ..trace(2) };
    striking.recorded.episode.text = "liquidation of a whale".into();
    assert_eq!(word(&[], &[trace(1), striking.clone()]).as_deref(), Some("liquidation"));
    assert_eq!(word(&[], &[Trace { surprise: Some(ppm(0.1)), ..trace(1) }]), None);
    let keyword = Keyword::choose(&[], &[striking.clone()]).expect("a word");
    assert!((keyword.bias(&striking) - KEYWORD_BIAS).abs() < 1e-9);
    assert_eq!(keyword.bias(&Trace { vector: Some(vector(&[-1.0, 0.0])), ..trace(3) }), 0.0, "never against");
    assert_eq!(keyword.bias(&trace(3)), 0.0);
    let raised = |keyword| rank(&striking, None, keyword, Tick::new(3));
    assert!((raised(Some(&keyword)) - raised(None) - 0.2).abs() < 1e-9, "G-092");
    // The word of what was striking has a vector that episodes are alike to; that of a puzzle has none.
    let mut world = with_model(DreamTier::Hardened);
    for (at, one) in (0u8..).zip(&mut world.traces) {
        one.vector = Some(vector(&[1.0, f32::from(at)]));
    }
    let replayed = |threads: Vec<Thread>| {
        let asks = dream(Frozen { threads, ..world.clone() }, &law(DreamTier::Hardened)).asks;
        let replays = asks.into_iter().filter(|ask| ask.kind == AskKind::ReplayBatch);
        replays.flat_map(|ask| ask.material.episodes).collect::<Vec<_>>()
    };
    assert!(!replayed(Vec::new()).is_empty());
    assert_eq!(replayed(vec![puzzle]), replayed(Vec::new()), "G-092: only at the edge of sleep");
}

/// D-068: one of four is enough; none of four ends the cycle and charges nothing.
#[test]
fn d_068_an_interrupt_that_catches_nothing_aborts() {
    let failing = |working: u32| {
        move |ask: &golem_dreams::dream::Ask| match ask.kind {
            AskKind::DaliPartial { branch, .. } if branch >= working => {
                Answer { ask: ask.id, said: None, cost: Usdc::ZERO }
            }
            _ => answer(ask),
        }
    };
    let one = dream_with(with_model(DreamTier::Hardened), &law(DreamTier::Hardened), failing(1));
    assert_eq!(one.report.journal.ending, CycleEnding::Complete);
    let none = dream_with(with_model(DreamTier::Hardened), &law(DreamTier::Hardened), failing(0));
    assert_eq!((none.report.journal.ending, none.report.journal.cost), (CycleEnding::Aborted, Usdc::ZERO));
    assert!(none.events.iter().any(|event| matches!(event, DreamEvent::DreamAborted { .. })));
    assert!(none.report.updates.is_empty() && none.report.threats.is_empty());
}

/// D-069: what is steered is the prompt and the temperature, and nothing of a model's inside.
#[test]
fn d_069_only_prompts_and_temperatures_are_steered() {
    for ask in dream(with_model(DreamTier::Hardened), &law(DreamTier::Hardened)).asks {
        let golem_dreams::dream::Ask { kind, temperature, max_tokens, .. } = ask;
        assert!(temperature.get() <= 1_500 && max_tokens == kind.max_tokens());
    }
}

/// D-070: a lightweight onset asks nobody by default, and one cheap question when it is wanted.
#[test]
fn d_070_a_lightweight_onset_asks_at_most_once() {
    let by_default = dream(with_model(DreamTier::Core), &law(DreamTier::Core));
    assert!(by_default.asks.is_empty(), "{:?}", by_default.asks);
    assert_eq!(by_default.report.journal.engine, EngineLabel::Rules);
    let mut wanted = law(DreamTier::Core);
    wanted.hypnagogia.enabled = Some(true);
    let asked = dream(with_model(DreamTier::Core), &wanted).asks;
    assert_eq!(asked.iter().map(|ask| (ask.kind, ask.grade)).collect::<Vec<_>>(), [(AskKind::Induction, Grade::T0)]);
    let law = DreamLaw::default();
    assert!(law.hypnagogia.is_on(DreamTier::Hardened) && !law.hypnagogia.is_on(DreamTier::Core));
}

/// D-071: onset spends no more than its share, and what it cannot pay it leaves out and goes on.
#[test]
fn d_071_onset_stays_within_its_share() {
    let mut world = with_model(DreamTier::Hardened);
    world.opening.grant = Usdc::from_micros(30_000);
    let done = dream(world, &law(DreamTier::Hardened));
    let spent: u64 =
        done.asks.iter().filter(|ask| ask.phase == DreamPhase::Onset).map(|ask| ask.ceiling.micros()).sum();
    assert!(spent > 0 && spent <= 3_000, "{spent} of a tenth of 30,000");
    assert!(done.phases.contains(&DreamPhase::Nrem));
    let broke = Frozen { engine: Engine::Rules, ..lived(DreamTier::Hardened) };
    assert!(dream(broke, &law(DreamTier::Hardened)).report.journal.fragments.is_empty(), "no model, no fragments");
}
