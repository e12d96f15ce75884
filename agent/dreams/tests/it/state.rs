use golem_dreams::budget::DreamLedger;
use golem_dreams::event::StreamEvent;
use golem_dreams::gate::{DreamRefusal, DreamStanding};
use golem_dreams::schedule::{DreamLook, ScheduleVerdict};
use golem_dreams::state::{DreamState, Toll, TurnError};
use golem_dreams::urgency::Readings;
use golem_dreams::words::{DreamPhase, DreamTier, DreamTrigger, GolemMode};
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, Usdc};

use crate::make::{at, dream, law, lived, opening, ppm};
use crate::schedule;

fn look() -> DreamLook {
    let usual = schedule::look();
    let standing = DreamStanding { phase: Phase::Stable, ..usual.standing };
    DreamLook { tick: Tick::new(3_000), now: at(3_000).at, standing, is_window_open: true, ..usual }
}

fn asleep() -> DreamState {
    let mut state = DreamState::new(DreamTier::Hardened);
    state.enter(&opening(DreamTier::Hardened, DreamTrigger::Window), Tick::new(3_000)).expect("waking");
    state
}

/// D-187, D-188, D-189, D-185: in and out, with everything a state holds.
#[test]
fn d_189_a_golem_falls_asleep_and_wakes() {
    let mut state = DreamState::new(DreamTier::Hardened);
    let law = law(DreamTier::Hardened);
    state.readings.arousal = ppm(0.6);
    let ScheduleVerdict::Dream(opening) = state.on_idle(&law, &look()) else { panic!("a window is open") };
    let told = state.enter(&opening, Tick::new(3_000)).expect("waking");
    assert_eq!(told, [StreamEvent::ModeChange { mode: GolemMode::Dreaming, tick: Tick::new(3_000) }]);
    assert_eq!((state.mode, state.phase, state.cycle_number), (GolemMode::Dreaming, Some(DreamPhase::Onset), 1));
    assert_eq!((state.cycles_this_window, state.dream_start), (1, Some(Tick::new(3_000))));
    assert_eq!((state.budget_remaining, state.budget_spent), (Usdc::from_micros(500_000), Usdc::ZERO));
    let told = state.progress(DreamPhase::Nrem, Usdc::from_micros(50_000)).expect("dreaming");
    let spent = Usdc::from_micros(50_000);
    assert_eq!(told, StreamEvent::DreamProgress { phase: DreamPhase::Nrem, cycle_number: 1, budget_spent: spent });
    assert_eq!(state.budget_remaining, Usdc::from_micros(450_000));
    let report = dream(lived(DreamTier::Hardened), &law).report;
    let toll = Toll {
        cost: report.journal.cost,
        is_complete: report.is_complete(),
        replayed: report.journal.nrem.episodes,
        hypotheses: report.journal.rem.hypotheses,
        insights: 0,
        threats: report.journal.rem.threats,
    };
    let told = state.rise(&law, &toll, Phase::Stable, Tick::new(3_030), at(3_030).at).expect("dreaming");
    assert_eq!(told.iter().map(StreamEvent::name).collect::<Vec<_>>(), ["mode_change", "dream_complete"]);
    assert_eq!((state.mode, state.phase, state.last_dream), (GolemMode::Waking, None, Some(Tick::new(3_030))), "D-185");
    assert_eq!(state.episodes_replayed, report.journal.nrem.episodes);
    assert_eq!(state.hypotheses_generated, report.journal.rem.hypotheses);
    assert_eq!(state.threats_simulated, report.journal.rem.threats);
    assert_eq!(state.episode_count, 500);
    assert_eq!(state.readings.arousal, ppm(0.18), "D-038: a completed dream relieves");
    assert!(state.rise(&law, &toll, Phase::Stable, Tick::new(1), at(1).at).is_err());
    let words: Vec<&str> = GolemMode::ALL.iter().map(|mode| mode.name()).collect();
    assert_eq!(words, ["waking", "dreaming", "dying"], "D-187");
}

/// D-189, D-190: death takes the waking and the dreaming; the dying do not dream.
#[test]
fn d_190_death_takes_a_dreaming_golem_at_once() {
    let mut state = asleep();
    assert_eq!(state.die(Tick::new(5)).len(), 1);
    assert_eq!((state.mode, state.phase), (GolemMode::Dying, None));
    assert!(state.die(Tick::new(6)).is_empty());
    assert_eq!(
        state.enter(&opening(DreamTier::Core, DreamTrigger::Owner), Tick::new(7)),
        Err(TurnError::NotWaking { mode: GolemMode::Dying })
    );
    assert!(matches!(state.on_idle(&law(DreamTier::Hardened), &look()), ScheduleVerdict::Rest(_)));
}

/// D-191: a lightweight dream begins in sleep alone.
#[test]
fn d_191_a_lightweight_dream_begins_in_sleep() {
    let awake = DreamLook { is_sleeping: false, tick: Tick::new(3_050), is_window_open: false, ..look() };
    let mut state = DreamState::new(DreamTier::Core);
    assert!(
        matches!(state.on_idle(&law(DreamTier::Core), &awake), ScheduleVerdict::Rest(_)),
        "D-191: only from SLEEPING"
    );
    let asleep = DreamLook { is_sleeping: true, ..awake };
    assert!(matches!(state.on_idle(&law(DreamTier::Core), &asleep), ScheduleVerdict::Dream(_)), "D-191");
}

/// D-018, D-028, D-036, D-213: the hook behind a tick gathers, the idle hook decides and remembers.
#[test]
fn d_213_after_a_turn_urgency_gathers_and_idling_decides() {
    let law = law(DreamTier::Hardened);
    let mut state = DreamState::new(DreamTier::Hardened);
    let busy = Readings {
        surprises: vec![Ppm::ONE; 20],
        unreplayed: 500,
        arousal: ppm(0.9),
        lost: Usdc::whole(9),
        nav: Usdc::whole(10),
        accuracy: ppm(0.3),
        ticks_since: 9_999,
    };
    state.after_turn(&law, busy.clone(), Phase::Stable, true);
    assert!(state.score() > ppm(0.9) && state.mode == GolemMode::Waking, "it only gathers");
    let before = state.score();
    let closed = DreamLook {
        is_window_open: false,
        standing: DreamStanding { is_permit_pending: true, ..look().standing },
        ..look()
    };
    let verdict = state.on_idle(&law, &closed);
    assert_eq!(
        verdict,
        ScheduleVerdict::Refused { trigger: DreamTrigger::Urgency, because: vec![DreamRefusal::PermitPending] }
    );
    assert_eq!(state.score(), before.saturating_sub(ppm(0.1)), "D-028");
    state.after_turn(&law, Readings::default(), Phase::Stable, true);
    assert_eq!(state.score(), before.saturating_sub(ppm(0.1)), "D-036: unresolved, it is kept");
    state.after_turn(&law, Readings::default(), Phase::Stable, false);
    assert!(state.score() < ppm(0.3), "resolved, it begins anew");
    let mut off = DreamState::new(DreamTier::Hardened);
    let law_off = golem_dreams::DreamLaw { enabled: false, ..law };
    off.after_turn(&law_off, busy, Phase::Stable, true);
    assert_eq!(off, DreamState::new(DreamTier::Hardened), "D-215");
}

/// D-017, D-199: a new window has its own cycles and its own money.
#[test]
fn d_017_a_new_window_begins_anew() {
    let law = law(DreamTier::Hardened);
    let mut state = DreamState::new(DreamTier::Hardened);
    state.cycles_this_window = 9;
    state.ledger = DreamLedger::default().spend(Usdc::whole(2), at(3_000).at);
    assert!(matches!(state.on_idle(&law, &look()), ScheduleVerdict::Dream(_)));
    assert_eq!((state.cycles_this_window, state.ledger.session, state.ledger.month), (0, Usdc::ZERO, Usdc::whole(2)));
    state.cycles_this_window = 3;
    assert!(
        matches!(state.on_idle(&law, &look()), ScheduleVerdict::Rest(_)),
        "three in Stable, the window is the same"
    );
}

/// D-020: the emergency dream is dreamt once in a life.
#[test]
fn d_020_the_last_dream_is_remembered() {
    let mut state = DreamState::new(DreamTier::Hardened);
    state.enter(&opening(DreamTier::Core, DreamTrigger::Emergency), Tick::new(1)).expect("waking");
    assert!(state.had_emergency);
}
