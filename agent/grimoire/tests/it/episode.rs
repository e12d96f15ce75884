//! Episodes: facts in, nothing rewritten, and what dreams and snapshots take of them.

use std::collections::BTreeSet;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::curator::Duty;
use golem_grimoire::distil::is_due_early;
use golem_grimoire::episode::{
    DreamPriority, EpisodeKind, EpisodeOutcome, FlashbulbReading, Importance, Recorded, is_encoded, is_flashbulb,
};
use golem_grimoire::for_dreams::{oldest_third, regimes_seen, unfinished};
use golem_grimoire::kind::Kind;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::Grimoire;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::outcome::record::{ChainState, InvariantCheck, OutcomeVerification, Receipt, SimulatedOutcome};
use golem_mortality::phase::Phase;
use golem_primitives::{B256, EffectId, Ppm, Tick, Usdc, UtcTime};

use crate::cycle::Cycle;
use crate::make::{DAY, START, add_active, circumstances, draft, episodes, moment};

fn verification(success: bool, realised: i64, broken: bool) -> OutcomeVerification {
    let prediction = SimulatedOutcome {
        expected_return_micros: 100,
        notional: Usdc::from_micros(1_000),
        ..SimulatedOutcome::default()
    };
    let receipt = Receipt { success, realised_return_micros: realised, ..Receipt::default() };
    let mut record = OutcomeVerification::compare(
        Tick::new(7),
        EffectId(B256::repeat_byte(1)),
        ChainState::default(),
        prediction,
        ChainState::default(),
        receipt,
    );
    record.invariants.push(InvariantCheck {
        name: "solvent".into(),
        expression: String::new(),
        passed: !broken,
        actual: String::new(),
        expected: String::new(),
    });
    record
}

/// G-116, G-117, G-118, G-124, G-125: a verified action is a fact with its numbers.
#[test]
fn g_124_verified_outcomes_become_episodes() {
    let here = circumstances(7, "WETH/USDC", Some(Regime::Bull));
    for (success, netted, outcome, importance) in [
        (true, Some(120), EpisodeOutcome::Positive, Importance::Notable),
        (true, Some(-5), EpisodeOutcome::Negative, Importance::Notable),
        (true, Some(0), EpisodeOutcome::Neutral, Importance::Notable),
        (true, None, EpisodeOutcome::Neutral, Importance::Notable),
        (false, None, EpisodeOutcome::Negative, Importance::Critical),
    ] {
        // Whatever it was worth at its own price: only a round trip earns.
        let made = here.verified(&verification(success, 77, false), netted);
        assert_eq!(made.len(), 1);
        assert_eq!((made[0].kind, made[0].outcome, made[0].importance), (EpisodeKind::Action, outcome, importance));
        assert_eq!((made[0].pnl_micros, made[0].confidence), (netted, Confidence::CERTAIN), "no opinion");
    }
    let made = &here.verified(&verification(true, 120, false), None)[0];
    assert_eq!((made.expected, made.actual), (Some(0.1), Some(0.12)), "G-118: per unit of notional");
    assert!((made.surprise() - 0.02).abs() < 1e-12);
    assert_eq!(made.position, Usdc::from_micros(1_000));
}

/// G-126, G-127: a broken invariant stands beside it, beyond doubt, and comes from reads alone.
#[test]
fn g_126_a_broken_invariant_is_a_safety_incident() {
    let made = circumstances(7, "WETH/USDC", None).verified(&verification(true, 1, true), None);
    assert_eq!(made.len(), 2);
    assert_eq!((made[1].kind, made[1].confidence), (EpisodeKind::SafetyIncident, Confidence::CERTAIN));
    assert_eq!(made[1].importance, Importance::Emergency);
    assert!(made[1].text.contains("solvent") && made[0].id != made[1].id);
}

/// G-124: a resolved prediction held when both returns point the same way.
#[test]
fn g_124_resolved_predictions_become_episodes() {
    let here = circumstances(7, "WETH/USDC", None);
    for (predicted, actual, held) in
        [(0.01, 0.5, Some(true)), (-0.01, -0.5, Some(true)), (0.01, -0.1, Some(false)), (0.0, 1.0, None)]
    {
        let made = here.resolved(Pair::new(predicted, actual).expect("finite"), 0);
        assert_eq!(made.held(), held, "{predicted} {actual}");
    }
    let pair = Pair::new(0.1, 0.1).expect("finite");
    assert_ne!(here.resolved(pair, 0).id, here.resolved(pair, 1).id, "two in one tick are two");
    assert_eq!(here.observed("quiet").outcome, EpisodeOutcome::Descriptive, "G-116: every tick has one");
}

/// G-119, G-045: notes change beside an episode that does not.
#[test]
fn g_119_notes_stand_beside_an_unchanged_episode() {
    let episode = circumstances(7, "WETH/USDC", None).observed("quiet");
    let mut recorded = Recorded::from(episode.clone());
    recorded.notes.replay_count += 1;
    recorded.notes.is_forgotten = true;
    recorded.notes.dream_priority = Some((DreamPriority::High, golem_grimoire::episode::Ambiguity::UnresolvedConflict));
    assert_eq!(recorded.episode, episode);
    assert_eq!(EpisodeKind::ALL.len(), 4, "G-116 and G-126");
}

/// G-122.
#[test]
fn g_122_the_dying_write_less_down() {
    for (phase, seen, decided, acted) in [
        (Phase::Thriving, true, true, true),
        (Phase::Stable, true, true, true),
        (Phase::Conservation, false, true, true),
        (Phase::Declining, false, false, true),
        (Phase::Terminal, false, false, false),
    ] {
        let encoded = [(false, false), (true, false), (true, true)].map(|(d, a)| is_encoded(phase, d, a));
        assert_eq!(encoded, [seen, decided, acted], "{phase}");
    }
}

/// G-123: each cause alone, exclusive edges, three a day.
#[test]
fn g_123_flashbulbs_are_rare() {
    let calm = FlashbulbReading { ticks_since_regime: Some(1), ..FlashbulbReading::default() };
    assert!(!is_flashbulb(&calm));
    for (striking, taken) in [
        (FlashbulbReading { aroused_twice: true, ..calm }, true),
        (FlashbulbReading { pnl_of_nav: Ppm::of(50_000), ..calm }, false),
        (FlashbulbReading { pnl_of_nav: Ppm::of(50_001), ..calm }, true),
        (FlashbulbReading { ticks_since_regime: Some(500), ..calm }, false),
        (FlashbulbReading { ticks_since_regime: Some(501), ..calm }, true),
        (FlashbulbReading { ticks_since_regime: None, ..calm }, true),
        (FlashbulbReading { probe_is_high: true, taken_today: 2, ..calm }, true),
        (FlashbulbReading { probe_is_high: true, taken_today: 3, ..calm }, false),
    ] {
        assert_eq!(is_flashbulb(&striking), taken, "{striking:?}");
    }
}

/// G-097, G-138, G-188: what dreams ask for.
#[test]
fn g_188_dreams_are_served() {
    let mut all = episodes("WETH/USDC", 1, &[true; 7]);
    all[0].episode.happened.at = UtcTime::from_seconds(START - 31 * DAY);
    all[0].episode.regime = Some(Regime::Crisis);
    let now = UtcTime::from_seconds(START);
    assert_eq!(regimes_seen(&all, now), BTreeSet::from([Regime::Bull]), "G-138");
    assert_eq!(oldest_third(&all), [all[0].episode.id, all[1].episode.id]);
    assert!(oldest_third(&[]).is_empty() && regimes_seen(&[], now).is_empty());
    all[3].episode.is_unfinished = true;
    assert_eq!(unfinished(&all), [all[3].episode.id], "G-097");
}

/// G-143.
#[test]
fn g_143_ten_episodes_of_a_strategy_need_not_wait() {
    assert!(!is_due_early(&episodes("WETH/USDC", 1, &[true; 9])));
    assert!(is_due_early(&episodes("WETH/USDC", 1, &[true; 10])));
}

/// G-143, G-153: called before its turn the Curator counts ten new episodes and lets nothing go; with nine, dying or poor
/// it rests.
#[test]
fn g_143_an_early_cycle_only_counts() {
    let run = |count: usize, phase: Phase, is_poor: bool| {
        let mut cycle = Cycle::new(Grimoire::default(), moment(194_437, 90.1));
        add_active(&mut cycle.grimoire, "old", draft(Kind::Insight, Provenance::Own), moment(1, 0.0));
        cycle.episodes = episodes("WETH/USDC", 194_400, &vec![true; count]);
        (cycle.phase, cycle.pressure.economic_critical) = (phase, is_poor);
        cycle.run()
    };
    let early = run(10, Phase::Thriving, false);
    assert_eq!((early.duty, early.report.added, early.consolidated.len()), (Duty::Whole, 1, 10));
    assert_eq!(early.report.archived, 0, "letting go waits for the turn");
    for (count, phase, is_poor) in [
        (9, Phase::Thriving, false),
        (10, Phase::Declining, false),
        (10, Phase::Terminal, false),
        (10, Phase::Stable, true),
    ] {
        let rests = run(count, phase, is_poor);
        assert_eq!((rests.duty, rests.changes.len()), (Duty::Rest, 0), "{count} in {phase}");
    }
}
