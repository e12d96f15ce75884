use golem_dreams::budget::DreamLedger;
use golem_dreams::gate::{DreamRefusal, DreamStanding, first_dream};
use golem_dreams::law::DreamLaw;
use golem_dreams::schedule::{DreamLook, Rest, ScheduleVerdict, is_terminal_edge, should_dream};
use golem_dreams::urgency::{Inputs, Readings, Urgency, relieved, threshold};
use golem_dreams::words::{DreamTier, DreamTrigger, GolemMode, ScheduleMode};
use golem_mortality::phase::Phase;
use golem_mortality::score::sigmoid;
use golem_primitives::{Ppm, Tick, Usdc};
use proptest::prelude::*;

use crate::make::{SOUND, at, law, ppm};

fn inputs(novelty: f64, consolidation: f64, emotional: f64, threat: f64, accuracy: f64, ticks_since: u64) -> Inputs {
    Inputs { novelty, consolidation, emotional, threat, accuracy, ticks_since }
}

fn score(phase: Phase, inputs: Inputs) -> Ppm {
    inputs.score(DreamLaw::default().schedule.weights.of(phase))
}

const BUSY: (f64, f64, f64, f64, f64) = (0.9, 1.0, 0.5, 0.5, 0.5);

fn busy() -> Inputs {
    inputs(BUSY.0, BUSY.1, BUSY.2, BUSY.3, BUSY.4, 1_500)
}

/// A look at a sleeping Golem for which everything but a trigger speaks.
pub(crate) fn look() -> DreamLook {
    DreamLook {
        tick: Tick::new(3_001),
        now: at(3_001).at,
        mode: GolemMode::Waking,
        is_sleeping: true,
        standing: DreamStanding { episodes: 500, credit: ppm(0.5), phase: Phase::Thriving, is_permit_pending: false },
        clocks: SOUND,
        is_window_open: false,
        is_directed: false,
        is_terminal_edge: false,
        quality: None,
        cycles_in_window: 0,
        is_emotional: false,
    }
}

fn decide(law: &DreamLaw, urgency: Urgency, look: &DreamLook) -> ScheduleVerdict {
    should_dream(law, &urgency, &DreamLedger::default(), look)
}

fn opened_by(verdict: &ScheduleVerdict) -> Option<DreamTrigger> {
    match verdict {
        ScheduleVerdict::Dream(opening) => Some(opening.trigger),
        _ => None,
    }
}

/// D-030: V1 to V3, V5, V6.
#[test]
fn d_030_urgency_meets_its_vectors() {
    for (x, y) in [(0.0, 0.5), (1.0, 0.731_059), (2.0, 0.880_797), (3.0, 0.952_574)] {
        assert_eq!(ppm(sigmoid(x, 0.0, 1.0)), ppm(y), "V1");
    }
    assert_eq!(score(Phase::Thriving, inputs(0.0, 0.0, 0.0, 0.0, 1.0, 0)), ppm(0.075), "V2");
    assert_eq!(score(Phase::Thriving, busy()), ppm(0.792_886), "V3");
    let v5 = inputs(0.6, 0.8, 0.4, 0.3, 0.55, 800);
    for (phase, parts, dreams) in [
        (Phase::Thriving, 612_303, false),
        (Phase::Stable, 629_620, true),
        (Phase::Conservation, 629_506, true),
        (Phase::Declining, 662_104, true),
    ] {
        assert_eq!(score(phase, v5), Ppm::of(parts), "V5 {phase}");
        assert_eq!(score(phase, v5) >= threshold(&DreamLaw::default().schedule, phase, None), dreams, "V5 {phase}");
    }
    assert_eq!(score(Phase::Declining, inputs(0.9, 0.5, 0.5, 0.5, 0.4, 600)), ppm(0.750_772), "V6");
}

/// D-037, D-219: V4, a pass of micro-consolidation tips the scale.
#[test]
fn d_037_a_micro_pass_adds_two_hundredths() {
    let law = law(DreamTier::Hardened);
    let urgency = Urgency::default().reflect(score(Phase::Thriving, busy()), true);
    assert_eq!(opened_by(&decide(&law, urgency, &look())), None, "V3");
    let urgency = urgency.unresolved();
    assert_eq!(urgency.value(), ppm(0.812_886), "V4");
    assert_eq!(opened_by(&decide(&law, urgency, &look())), Some(DreamTrigger::Urgency), "V4");
}

/// D-031, D-032, D-022: the table's properties. The unknown weighs in everywhere.
#[test]
fn d_032_the_dying_dream_more_often() {
    let table = DreamLaw::default().schedule.weights;
    for (phase, weights) in table.rows() {
        assert_eq!(weights.sum(), 1_000_000, "{phase}");
    }
    let (thriving, declining) = (table.of(Phase::Thriving), table.of(Phase::Declining));
    assert!(declining.temporal > thriving.temporal && declining.natural_period < thriving.natural_period);
    let relative = |weights: &golem_dreams::urgency::Weights| {
        f64::from(weights.novelty.get()) / f64::from(weights.consolidation.get())
    };
    assert!(relative(declining) > relative(thriving));
    let novel = |share| score(Phase::Stable, inputs(share, 0.5, 0.5, 0.5, 0.5, 400));
    assert!(novel(0.9) > novel(0.1), "D-022");
    assert!(
        score(Phase::Stable, inputs(0.5, 0.5, 0.5, 0.5, 0.2, 400))
            > score(Phase::Stable, inputs(0.5, 0.5, 0.5, 0.5, 0.9, 400)),
        "D-022: the less is understood, the more is dreamt"
    );
}

/// D-033, D-038, D-039: counts and money become shares.
#[test]
fn d_033_inputs_are_normalised() {
    let readings = Readings {
        surprises: std::iter::repeat_n(Ppm::ONE, 5).chain(std::iter::repeat_n(ppm(0.5), 20)).collect(),
        unreplayed: 100,
        arousal: ppm(0.6),
        lost: Usdc::whole(2),
        nav: Usdc::whole(80),
        accuracy: ppm(0.7),
        ticks_since: 9,
    };
    let of = Inputs::of(&readings, Phase::Thriving);
    assert_eq!((of.novelty, of.consolidation, of.threat), (0.5, 0.5, 0.5), "the last twenty, 200 episodes, 5% of NAV");
    let much = Readings { unreplayed: 999, lost: Usdc::whole(99), ..readings.clone() };
    let of = Inputs::of(&much, Phase::Thriving);
    assert_eq!((of.consolidation, of.threat), (1.0, 1.0));
    let broke = Inputs::of(&Readings { nav: Usdc::ZERO, ..readings }, Phase::Thriving);
    assert_eq!(broke.threat, 0.0);
    assert_eq!(relieved(ppm(0.6)), ppm(0.18), "D-038: three tenths are left");
}

/// D-034, D-035, D-041: thresholds, and what the market makes of them.
#[test]
fn d_034_thresholds_by_vital_phase_and_market() {
    let mut schedule = DreamLaw::default().schedule;
    assert_eq!(schedule.autonomous_threshold, ppm(0.8), "D-041");
    assert_eq!(threshold(&schedule, Phase::Thriving, None), ppm(0.8));
    for phase in [Phase::Stable, Phase::Conservation, Phase::Declining] {
        assert_eq!(threshold(&schedule, phase, None), ppm(0.6), "{phase}");
    }
    schedule.market_adjustment = 100_000;
    assert_eq!(threshold(&schedule, Phase::Thriving, None), ppm(0.9), "D-035: an active market raises it");
    schedule.market_adjustment = -100_000;
    assert_eq!(threshold(&schedule, Phase::Stable, None), ppm(0.5), "D-035: a quiet one lowers it");
    assert_eq!(threshold(&schedule, Phase::Stable, Some(ppm(0.9))), ppm(0.42), "D-171: dreams that came true lower it");
    assert_eq!(threshold(&schedule, Phase::Stable, Some(ppm(0.0))), ppm(0.6), "D-171: those that did not raise it");
}

/// D-036: with something unresolved nothing that gathered is lost; otherwise the score begins anew.
#[test]
fn d_036_urgency_gathers_while_something_is_unresolved() {
    let high = Urgency::default().reflect(ppm(0.7), true);
    assert_eq!(high.reflect(ppm(0.4), true).value(), ppm(0.7));
    assert_eq!(high.reflect(ppm(0.4), true).unresolved().value(), ppm(0.72));
    assert_eq!(high.reflect(ppm(0.4), false).value(), ppm(0.4));
    assert_eq!(high.reflect(ppm(0.9), true).value(), ppm(0.9), "a higher score is not added twice");
}

/// D-028: V7, and refusals are never a reset.
#[test]
fn d_028_refusals_take_a_tenth_each() {
    let mut urgency = Urgency::default().reflect(ppm(0.85), true);
    for left in [0.75, 0.65, 0.55, 0.45, 0.35, 0.25, 0.15, 0.05, 0.0] {
        urgency = urgency.refuse();
        assert_eq!(urgency.value(), ppm(left), "V7");
    }
    assert_eq!(urgency.refuse().value(), Ppm::ZERO, "never below nothing");
    assert_eq!(urgency.heal().value(), ppm(0.1), "what stood against it is gone: it comes back as it went");
    assert_eq!(Urgency::spent(ppm(0.1)).value(), ppm(0.1), "after a dream nothing is owed");
}

/// D-023, D-024, D-025, D-026, D-027: the four edges, for every trigger.
#[test]
fn d_027_four_preconditions_hold_for_every_trigger() {
    let fine = look().standing;
    for (standing, refusal) in [
        (DreamStanding { episodes: 199, ..fine }, Some(DreamRefusal::TooFewEpisodes { episodes: 199, needed: 200 })),
        (DreamStanding { episodes: 200, ..fine }, None),
        (DreamStanding { credit: ppm(0.1499), ..fine }, Some(DreamRefusal::PoorCredit { credit: ppm(0.1499) })),
        (DreamStanding { credit: ppm(0.15), ..fine }, None),
        (DreamStanding { phase: Phase::Terminal, ..fine }, Some(DreamRefusal::Terminal)),
        (DreamStanding { is_permit_pending: true, ..fine }, Some(DreamRefusal::PermitPending)),
    ] {
        let urgent = Urgency::default().reflect(Ppm::ONE, true);
        let base = DreamLook { standing, ..look() };
        let windowed = DreamLook { is_window_open: true, ..base };
        let directed = DreamLook { is_directed: true, ..base };
        for (look, urgency, trigger) in [
            (windowed, Urgency::default(), DreamTrigger::Window),
            (directed, Urgency::default(), DreamTrigger::Owner),
            (base, urgent, DreamTrigger::Urgency),
        ] {
            let verdict = decide(&law(DreamTier::Hardened), urgency, &look);
            match refusal {
                None => assert_eq!(opened_by(&verdict), Some(trigger), "V8 {standing:?}"),
                Some(because) => {
                    assert_eq!(verdict, ScheduleVerdict::Refused { trigger, because: vec![because] }, "{trigger}");
                }
            }
        }
    }
}

/// D-029: a refusal says why and what to do; all that stand against a dream are named.
#[test]
fn d_029_refusals_give_their_reasons() {
    let standing = DreamStanding { episodes: 0, credit: Ppm::ZERO, phase: Phase::Terminal, is_permit_pending: true };
    let all = standing.refusals(false);
    assert_eq!(all.len(), 4);
    for (refusal, says) in all.iter().zip(["episodes", "0.15", "Terminal", "permitted"]) {
        assert!(refusal.to_string().contains(says), "{refusal}");
    }
}

/// D-010: below 15% of credit neither tier dreams.
#[test]
fn d_010_poor_credit_stops_both_tiers() {
    let standing = DreamStanding { credit: ppm(0.149_999), ..look().standing };
    for tier in [DreamTier::Core, DreamTier::Hardened] {
        let look = DreamLook { standing, tick: Tick::new(3_050), is_directed: true, ..look() };
        assert!(matches!(decide(&law(tier), Urgency::default(), &look), ScheduleVerdict::Refused { .. }), "{tier}");
    }
}

/// D-211, D-212: the milestone by vital phase; below it an interval that fires is skipped.
#[test]
fn d_211_the_first_dream_waits_for_enough_to_dream_of() {
    let all = [Phase::Thriving, Phase::Stable, Phase::Conservation, Phase::Declining].map(first_dream);
    assert_eq!(all, [200, 150, 100, 50]);
    let due = DreamLook { tick: Tick::new(3_050), ..look() };
    assert_eq!(opened_by(&decide(&law(DreamTier::Core), Urgency::default(), &due)), Some(DreamTrigger::Interval));
    let young = DreamLook { standing: DreamStanding { episodes: 199, ..due.standing }, ..due };
    assert!(
        matches!(decide(&law(DreamTier::Core), Urgency::default(), &young), ScheduleVerdict::Refused { .. }),
        "D-212"
    );
}

/// D-210: every fifty ticks, asleep, and not in Terminal; D-003: core is driven by nothing else of its own.
#[test]
fn d_210_the_interval_drives_lightweight_cycles() {
    let law = law(DreamTier::Core);
    for (tick, is_sleeping, dreams) in [(3_050, true, true), (3_051, true, false), (3_050, false, false)] {
        let look = DreamLook { tick: Tick::new(tick), is_sleeping, is_window_open: true, ..look() };
        let urgent = Urgency::default().reflect(Ppm::ONE, true);
        assert_eq!(opened_by(&decide(&law, urgent, &look)).is_some(), dreams, "{tick} {is_sleeping}");
    }
    assert_eq!(DreamLaw::default().tier, DreamTier::Core, "D-003");
}

/// D-015, D-016, D-018, D-019, D-040, D-043, D-044: who opens a dream in which mode, through the one function.
#[test]
fn d_040_modes_decide_what_opens_a_dream() {
    let urgent = Urgency::default().reflect(ppm(0.8), true);
    let calm = Urgency::default().reflect(ppm(0.799_999), true);
    for (mode, window, urgency, trigger) in [
        (ScheduleMode::Owner, true, calm, Some(DreamTrigger::Window)),
        (ScheduleMode::Owner, false, urgent, None),
        (ScheduleMode::Autonomous, true, calm, None),
        (ScheduleMode::Autonomous, true, urgent, Some(DreamTrigger::Urgency)),
        (ScheduleMode::Hybrid, true, Urgency::default(), Some(DreamTrigger::Window)),
        (ScheduleMode::Hybrid, false, urgent, Some(DreamTrigger::Urgency)),
        (ScheduleMode::Hybrid, false, calm, None),
    ] {
        let mut law = law(DreamTier::Hardened);
        law.schedule.mode = mode;
        let look = DreamLook { is_window_open: window, ..look() };
        assert_eq!(opened_by(&decide(&law, urgency, &look)), trigger, "{mode} {window}");
        let directed = DreamLook { is_directed: true, ..look };
        let ScheduleVerdict::Dream(opening) = decide(&law, calm, &directed) else { panic!("D-019: {mode}") };
        assert_eq!((opening.trigger, opening.score), (DreamTrigger::Owner, Ppm::ONE), "D-019");
    }
}

/// D-020: once, on the edge, by rules, for nothing, free of P3 alone; D-200: nothing else is spent in Terminal.
#[test]
fn d_020_the_last_dream_is_dreamt_on_the_edge() {
    assert!(is_terminal_edge(Phase::Declining, Phase::Terminal, false));
    assert!(!is_terminal_edge(Phase::Declining, Phase::Terminal, true), "once");
    assert!(!is_terminal_edge(Phase::Terminal, Phase::Terminal, false));
    assert!(!is_terminal_edge(Phase::Terminal, Phase::Declining, false));
    let standing = DreamStanding { phase: Phase::Terminal, ..look().standing };
    let edge = DreamLook { standing, is_terminal_edge: true, ..look() };
    let ScheduleVerdict::Dream(opening) = decide(&law(DreamTier::Hardened), Urgency::default(), &edge) else {
        panic!("a dream")
    };
    assert_eq!(
        (opening.trigger, opening.tier, opening.grant),
        (DreamTrigger::Emergency, DreamTier::Core, Usdc::ZERO),
        "C3"
    );
    let pending = DreamLook { standing: DreamStanding { is_permit_pending: true, ..standing }, ..edge };
    assert!(
        matches!(decide(&law(DreamTier::Hardened), Urgency::default(), &pending), ScheduleVerdict::Refused { .. }),
        "C3"
    );
}

/// D-215: off, nothing is computed and nothing opens, whatever asks.
#[test]
fn d_215_off_is_off() {
    let off = DreamLaw { enabled: false, ..law(DreamTier::Hardened) };
    let all = DreamLook { is_window_open: true, is_directed: true, is_terminal_edge: true, ..look() };
    let urgent = Urgency::default().reflect(Ppm::ONE, true);
    assert_eq!(decide(&off, urgent, &all), ScheduleVerdict::Rest(Rest::Disabled));
    assert!(!DreamLaw::default().enabled, "D-230");
}

/// D-203: below six hours of credit there are no dreams, also for an owner.
#[test]
fn d_203_near_the_end_of_credits_nobody_dreams() {
    let clocks = golem_dreams::clocks::Clocks { projected_ticks: Some(539), ..SOUND };
    let look = DreamLook { clocks, is_directed: true, ..look() };
    assert_eq!(decide(&law(DreamTier::Hardened), Urgency::default(), &look), ScheduleVerdict::Rest(Rest::NearTheEnd));
}

/// D-017: cycles repeat in a window while there is money and room for one.
#[test]
fn d_017_cycles_repeat_while_the_budget_lasts() {
    let law = law(DreamTier::Hardened);
    let windowed = |cycles_in_window| DreamLook { is_window_open: true, cycles_in_window, ..look() };
    assert!(opened_by(&decide(&law, Urgency::default(), &windowed(3))).is_some());
    assert_eq!(
        decide(&law, Urgency::default(), &windowed(4)),
        ScheduleVerdict::Rest(Rest::NoBudget),
        "four in Thriving"
    );
    let spent = DreamLedger::default().spend(Usdc::whole(2), look().now);
    let verdict = should_dream(&law, &Urgency::default(), &spent, &windowed(0));
    assert_eq!(verdict, ScheduleVerdict::Rest(Rest::NoBudget), "the session is spent");
}

/// D-009: a full cycle has its own grant; a lightweight one its small total.
#[test]
fn d_009_each_tier_draws_on_its_own() {
    let full = decide(&law(DreamTier::Hardened), Urgency::default(), &DreamLook { is_directed: true, ..look() });
    let light = decide(&law(DreamTier::Core), Urgency::default(), &DreamLook { is_directed: true, ..look() });
    let grant = |verdict: &ScheduleVerdict| match verdict {
        ScheduleVerdict::Dream(opening) => opening.grant.micros(),
        other => panic!("{other:?}"),
    };
    assert_eq!((grant(&full), grant(&light)), (500_000, 3_000));
}

proptest! {
    /// D-033: whatever is read, the score is a share, and grows with what presses.
    #[test]
    fn d_033_scores_are_shares(
        novelty in 0.0..=1.0f64, consolidation in 0.0..=1.0f64, emotional in 0.0..=1.0f64, threat in 0.0..=1.0f64,
        accuracy in 0.0..=1.0f64, ticks: u64, phase in 0usize..5,
    ) {
        let phase = Phase::ALL[phase];
        let here = score(phase, inputs(novelty, consolidation, emotional, threat, accuracy, ticks));
        let more = score(phase, inputs(1.0, consolidation, emotional, threat, accuracy, ticks));
        prop_assert!(here <= more && more <= Ppm::ONE);
    }

    /// D-027: nothing that the gate refuses is ever opened, whatever asks for it.
    #[test]
    fn d_027_no_refused_dream_opens(
        episodes in 0u64..400, credit in 0u32..=1_000_000, phase in 0usize..5, is_permit_pending: bool,
        is_window_open: bool, is_directed: bool, is_sleeping: bool, urgency in 0u32..=1_000_000, tick in 0u64..10_000,
        hardened: bool,
    ) {
        let standing = DreamStanding { episodes, credit: Ppm::of(credit), phase: Phase::ALL[phase], is_permit_pending };
        let look = DreamLook { standing, is_window_open, is_directed, is_sleeping, tick: Tick::new(tick), ..look() };
        let tier = if hardened { DreamTier::Hardened } else { DreamTier::Core };
        let urgency = Urgency::default().reflect(Ppm::of(urgency), true);
        let verdict = decide(&law(tier), urgency, &look);
        prop_assert!(opened_by(&verdict).is_none() || standing.refusals(false).is_empty());
    }
}
