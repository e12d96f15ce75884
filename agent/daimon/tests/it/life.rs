use golem_daimon::event::DaimonEvent;
use golem_daimon::mortal::{Credits, MortalFacts, UnderstandingTrend};
use golem_daimon::personality::{Disposition, Personality};
use golem_daimon::trigger::MortalReason;
use golem_daimon::watch::Alert;
use golem_daimon::{AppraisalModel, Daimon, DaimonLaw, Emotion, Lived, MoodInput, Pad, Trigger};
use golem_mortality::cause::CauseKind;
use golem_mortality::phase::Phase;
use golem_mortality::stochastic::hazard::Hazard;
use golem_primitives::{Bps, GolemId, Ppm, Tick, Usdc, UtcTime};
use proptest::prelude::*;

pub(crate) const RULES: DaimonLaw = DaimonLaw {
    enabled: true,
    model: AppraisalModel::RuleBased,
    mood_decay: 0.95,
    mortality_aware: true,
    grief_ticks: 100,
};

pub(crate) fn at(tick: u64) -> UtcTime {
    UtcTime::from_seconds(1_000_000 + tick * 40)
}

pub(crate) fn moment(tick: u64, triggers: &[Trigger]) -> MoodInput<'_> {
    MoodInput { tick: Tick::new(tick), now: at(tick), triggers, reply: None, is_dreaming: false }
}

fn balanced() -> Daimon {
    Daimon::born(Personality::plain(Disposition::Balanced))
}

fn live(daimon: &mut Daimon, tick: u64, triggers: &[Trigger]) -> Lived {
    daimon.live(&RULES, &moment(tick, triggers))
}

const LOSS: Trigger = Trigger::TradeLoss { loss: Bps::saturating(800) };

/// no trigger, no emotion; a trigger leaves a feeling, the mood it met, and a log of both.
#[test]
fn a_006_no_emotion_without_a_trigger() {
    let mut daimon = balanced();
    let quiet = live(&mut daimon, 1, &[]);
    assert_eq!((quiet.felt.len(), quiet.events.len(), quiet.tag()), (0, 0, None));
    let hurt = live(&mut daimon, 2, &[LOSS]);
    let tag = hurt.tag().expect("A-100: episodes of this tick are tagged");
    assert_eq!((tag.feeling.primary, tag.tick), (Emotion::Fear, Tick::new(2)));
    assert_eq!(tag.mood, Disposition::Balanced.baseline(), "the mood it met");
    let names: Vec<&str> = hurt.events.iter().map(DaimonEvent::name).collect();
    assert_eq!(names, ["daimon.emotional_shift", "daimon.appraisal"], "A-052");
}

/// until a hundred ticks consumers read what one is like; then the mood, told when it has moved far.
#[test]
fn a_022_consumers_read_the_baseline_at_first() {
    let mut daimon = balanced();
    let mut updates = Vec::new();
    for tick in 1..=400 {
        let lived = live(&mut daimon, tick, &[LOSS]);
        updates.extend(lived.events.into_iter().filter(|event| matches!(event, DaimonEvent::MoodUpdate { .. })));
        let mood = daimon.mood(&RULES, at(tick));
        assert_eq!(mood == Disposition::Balanced.baseline(), tick < 100, "{tick}");
    }
    let Some(DaimonEvent::MoodUpdate { from, to, .. }) = updates.first() else { panic!("A-052: told") };
    assert!(from.distance(*to) > 0.15);
    let near = Pad::round(0.3, -0.2, 0.3).distance(Pad::round(0.25, -0.2, 0.3));
    assert!((near - 0.05).abs() < 1e-9, "W-29: 0.05 is no news");
}

/// A-001, M-004: one history, three dispositions: siblings meet the same losses differently.
#[test]
fn a_001_siblings_meet_one_history_differently() {
    let risks: Vec<(Pad, f64)> = Disposition::ALL
        .iter()
        .map(|disposition| {
            let id = GolemId::new(disposition.name()).expect("a name");
            let mut daimon = Daimon::born(Personality::born(&id, Some(*disposition)));
            (1..=300).for_each(|tick| drop(live(&mut daimon, tick, if tick % 7 == 0 { &[LOSS] } else { &[] })));
            let influence = daimon.influence(&RULES, Tick::new(300), at(300));
            (influence.mood, influence.beta(1.0))
        })
        .collect();
    assert!(risks[0].0 != risks[1].0 && risks[1].0 != risks[2].0);
    assert!(risks[0].1 > risks[2].1, "eros exploits, thanatos explores: {risks:?}");
}

/// fear is caution.
#[test]
fn a_001_fear_lowers_risk_and_raises_exploration() {
    let mut daimon = balanced();
    (1..=300).for_each(|tick| drop(live(&mut daimon, tick, &[LOSS])));
    let influence = daimon.influence(&RULES, Tick::new(300), at(300));
    assert!(influence.risk < 1.0 && influence.beta(1.0) < 1.0, "{influence:?}");
    assert!(influence.risk_within(Phase::Stable, Ppm::ONE) < Ppm::of(800_000));
    let later = daimon.influence(&RULES, Tick::new(301), at(300 + 90 * 24));
    assert!(later.risk > influence.risk, "A-020: an emotion fades");
}

/// a second death starts grief anew and does not add to it; it wears off.
#[test]
fn a_091_griefs_do_not_add_up() {
    let mut daimon = balanced();
    let death = |cause| [Trigger::SiblingDeath { cause, overlap: Ppm::of(600_000) }];
    let first = live(&mut daimon, 10, &death(CauseKind::EpistemicSenescence));
    let began = DaimonEvent::GriefBegan { recalibrates: true, looks_at_credits: false };
    assert!(first.events.contains(&began), "A-093");
    live(&mut daimon, 60, &death(CauseKind::Economic));
    let grief = daimon.grief(Tick::new(60)).expect("it grieves");
    assert!((grief.risk(Tick::new(60)) - 0.8).abs() < 1e-12, "anew, and not 0.64");
    live(&mut daimon, 159, &[]);
    assert!(daimon.grief(Tick::new(159)).is_some());
    live(&mut daimon, 160, &[]);
    assert!(daimon.grief(Tick::new(160)).is_none());
    let economic = live(&mut daimon, 200, &death(CauseKind::Economic));
    let looks = DaimonEvent::GriefBegan { recalibrates: false, looks_at_credits: true };
    assert!(economic.events.contains(&looks), "A-092");
}

/// a dreamer appraises nothing live; its mood still comes back.
#[test]
fn a_117_dreamers_do_not_appraise() {
    let mut daimon = balanced();
    let dreamt = daimon.live(&RULES, &MoodInput { is_dreaming: true, ..moment(10, &[LOSS, Trigger::RegimeShift]) });
    assert_eq!((dreamt.felt.len(), daimon.emotion(at(10))), (0, None));
    let woke = live(&mut daimon, 11, &[Trigger::DreamOutcome { validated: true }, Trigger::DreamInsight]);
    assert_eq!(woke.felt.len(), 2);
}

/// too many events are told and cut.
#[test]
fn a_033_a_crowded_tick_is_cut_and_told() {
    let lived = live(&mut balanced(), 1, &[LOSS; 14]);
    assert_eq!(lived.felt.len(), 10);
    assert!(lived.events.contains(&DaimonEvent::Alert(Alert::TooManyAppraisals)));
}

/// two ticks of high arousal burn in.
#[test]
fn a_105_alarm_that_lasts_burns_in() {
    let mut daimon = balanced();
    let pulse = golem_daimon::pulse::Pulse {
        desirability_ppm: -1_000_000,
        pnl_sign: -1,
        anomalies: 9,
        prediction_error: Ppm::ONE,
        coping_ppm: -1_000_000,
        vitality: Ppm::ZERO,
    };
    let burnt: Vec<bool> = (1..=3).map(|tick| live(&mut daimon, tick, &[Trigger::Pulse(pulse)]).is_flashbulb).collect();
    assert_eq!(burnt, [false, true, true]);
    assert!(!live(&mut daimon, 4, &[]).is_flashbulb);
}

pub(crate) fn facts(vitality: u32, balance: u32, fitness: u32, trend_ppm: i32, rate: f64) -> MortalFacts {
    MortalFacts {
        vitality: Ppm::of(vitality),
        economic: Some(Credits {
            balance: Usdc::whole(balance),
            initial: Usdc::whole(100),
            burn_per_day: Usdc::whole(1),
        }),
        epistemic: Some(UnderstandingTrend { fitness: Ppm::of(fitness), trend_ppm }),
        hazard: Hazard::from_rate(rate),
    }
}

/// the expected arc emerges from the clocks and is set nowhere: content while it thrives, uneasy below, and it
/// accepts at the end.
#[test]
fn a_065_the_arc_of_a_life_emerges() {
    let feels = |facts: MortalFacts| facts.feeling().pad;
    let thriving = feels(facts(850_000, 95, 800_000, 0, 1e-6));
    let pressed = feels(facts(450_000, 30, 450_000, -30_000, 5e-5));
    let declining = feels(facts(200_000, 12, 380_000, -40_000, 2e-4));
    let terminal = feels(facts(90_000, 1, 100_000, -90_000, 9e-4));
    assert!(thriving.pleasure() > -0.1 && thriving.arousal() < 0.1 && thriving.dominance() > 0.1, "{thriving}");
    for (name, pad) in [("middle", pressed), ("declining", declining)] {
        assert!((-0.5..=-0.2).contains(&pad.pleasure()), "{name} {pad}");
        assert!((0.3..=0.7).contains(&pad.arousal()) && (-0.3..=0.2).contains(&pad.dominance()), "{name} {pad}");
    }
    assert_eq!(terminal, Pad::thousandths(-100, 400, 300));
}

/// an immortal is not moved by its end; a near end is heard everywhere.
#[test]
fn a_003_immortals_do_not_fear_their_end() {
    let end = [Trigger::Mortality { why: MortalReason::PhaseChange, facts: facts(150_000, 5, 300_000, 0, 1e-4) }];
    let mortal = live(&mut balanced(), 1, &end);
    let told = |event: &DaimonEvent| matches!(event, DaimonEvent::Appraisal { everywhere: true, .. });
    assert!(mortal.events.iter().any(told), "A-067");
    let immortal = DaimonLaw { mortality_aware: false, ..RULES };
    assert!(balanced().live(&immortal, &moment(1, &end)).felt.is_empty());
    assert_eq!(balanced().live(&immortal, &moment(1, &[LOSS])).felt.len(), 1, "generic affect stays");
}

fn any_trigger() -> impl Strategy<Value = Trigger> {
    prop_oneof![
        any::<i32>().prop_map(|points| Trigger::TradeLoss { loss: Bps::from(points) }),
        any::<i32>().prop_map(|points| Trigger::TradeProfit { gain: Bps::from(points) }),
        (0u32..=1_000_000).prop_map(|parts| Trigger::PredictionMiss { error: Ppm::of(parts) }),
        (any::<i32>(), any::<i32>()).prop_map(|(surprise_ppm, accuracy_trend_ppm)| Trigger::PredictionResolved {
            surprise_ppm,
            accuracy_trend_ppm
        }),
        Just(Trigger::RegimeShift),
        Just(Trigger::CuratorCycle),
        (prop::sample::select(CauseKind::ALL), 0u32..=1_000_000)
            .prop_map(|(cause, overlap)| Trigger::SiblingDeath { cause, overlap: Ppm::of(overlap) }),
        (0u32..=1_000_000, 0u32..200, any::<i32>()).prop_map(|(vitality, balance, trend)| Trigger::Mortality {
            why: MortalReason::Look,
            facts: facts(vitality, balance, vitality, trend, 1e-5)
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// any history leaves everything in range, the same twice, and the mood coming home.
    #[test]
    fn a_154_any_history_leaves_everything_in_range(
        history in prop::collection::vec(prop::collection::vec(any_trigger(), 0..4), 1..300),
    ) {
        let (mut one, mut other) = (balanced(), balanced());
        for (tick, triggers) in history.iter().enumerate() {
            let tick = tick as u64 + 1;
            prop_assert_eq!(live(&mut one, tick, triggers), live(&mut other, tick, triggers));
            let influence = one.influence(&RULES, Tick::new(tick), at(tick));
            prop_assert!((0.48..=1.20).contains(&influence.risk));
            prop_assert!((0.1..=2.0).contains(&influence.beta(1.0)));
        }
        let end = history.len() as u64;
        (end + 1..end + 6_000).for_each(|tick| drop(live(&mut one, tick, &[])));
        let rest = one.mood(&RULES, at(end + 6_000)).distance(Disposition::Balanced.baseline());
        prop_assert!(rest < 1e-5, "A-051: no mood is for ever, {}", rest);
    }
}
