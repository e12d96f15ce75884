use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, Usdc, UtcTime};
use proptest::prelude::*;

use super::*;
use crate::attempt::{ActionFacts, AttemptFacts, Streak};
use crate::domain::WorkDomain;
use crate::facts::{ConductFacts, GoalFacts, LegacyFacts, PurposeFacts, SharingFacts, SurvivalFacts, Violation};
use crate::text::Key;
use crate::truth::Reading::{Known, Off, Unknown};

const HOUR: u64 = 3_600;

fn at(hours: u64) -> UtcTime {
    UtcTime::from_seconds(10_000_000 + hours * HOUR)
}

fn facts(hours: u64) -> Facts {
    Facts::blind(Tick::new(1_000), at(hours), Phase::Stable)
}

fn key(text: &str) -> Key {
    Key::new(text).expect("a key")
}

fn seen(kind: Canonical, facts: &Facts) -> Truth {
    look(kind, facts, &Holds::default()).raise
}

fn over(kind: Canonical, facts: &Facts) -> Truth {
    let onset = Onset { at: at(0), fitness: Some(Ppm::of(500_000)), watched: None };
    resolves(kind, facts, &Holds::default(), &onset)
}

fn attempts(failed: u32, completed: u32) -> Facts {
    Facts { attempts: Some(AttemptFacts { failed, completed, streaks: Vec::new() }), ..facts(1) }
}

/// S-067, S-127: who sees nothing raises nothing and resolves nothing.
#[test]
fn s_067_blindness_neither_raises_nor_resolves() {
    for kind in Canonical::ALL {
        assert_eq!(seen(*kind, &facts(1)), Truth::Unknown, "{kind}");
        assert!(!over(*kind, &facts(1)).is_seen(), "{kind}");
    }
}

/// S-041: W-11.
#[test]
fn s_041_repeated_failure_is_raised_as_w_11_says() {
    for (failed, completed, raised) in
        [(4, 3, Truth::True), (4, 4, Truth::False), (3, 0, Truth::Unknown), (40, 0, Truth::True), (3, 1, Truth::False)]
    {
        assert_eq!(seen(Canonical::RepeatedFailure, &attempts(failed, completed)), raised, "W-11 {failed}/{completed}");
    }
}

/// S-062: W-12 and W-13, with the dead zone between.
#[test]
fn s_062_repeated_failure_resolves_as_w_12_and_w_13_say() {
    for (failed, completed, resolved) in
        [(10, 30, true), (1, 3, true), (0, 2, false), (3, 7, false), (4, 9, false), (4, 10, true)]
    {
        let said = over(Canonical::RepeatedFailure, &attempts(failed, completed)).is_seen();
        assert_eq!(said, resolved, "W-12, W-13 {failed}/{completed}");
    }
    let dead = attempts(4, 6);
    let zone = (seen(Canonical::RepeatedFailure, &dead), over(Canonical::RepeatedFailure, &dead));
    assert_eq!(zone, (Truth::False, Truth::False), "between 0.30 and 0.50 nothing happens");
}

/// S-041: four failures of one key in a row, and two successes of it to get out.
#[test]
fn s_041_one_key_can_be_enough() {
    let with = |failed, completed, failures, successes| {
        let domain = WorkDomain { protocol: Some(key("uniswap")), ..WorkDomain::default() };
        let streaks = vec![Streak { key: key("uniswap swap revert"), domain, failures, successes }];
        Facts { attempts: Some(AttemptFacts { failed, completed, streaks }), ..facts(1) }
    };
    let failing = look(Canonical::RepeatedFailure, &with(4, 30, 4, 0), &Holds::default());
    assert_eq!((failing.raise, failing.watched), (Truth::True, Some(key("uniswap swap revert"))));
    assert_eq!(
        failing.domain.and_then(|domain| domain.protocol),
        Some(key("uniswap")),
        "S-083: the place is the key's"
    );
    assert_eq!(seen(Canonical::RepeatedFailure, &with(3, 30, 3, 0)), Truth::False);
    let watched = key("uniswap swap revert");
    let onset = Onset { at: at(0), fitness: None, watched: Some(&watched) };
    let out = |successes| resolves(Canonical::RepeatedFailure, &with(4, 30, 0, successes), &Holds::default(), &onset);
    assert_eq!((out(1), out(2)), (Truth::False, Truth::True));
}

fn actions(count: u32, effective: u32, net_pnl_micros: i64, fitness_change_ppm: i32) -> Facts {
    let actions = ActionFacts { count, effective, net_pnl_micros, costs: Usdc::whole(2), fitness_change_ppm };
    let mut facts = Facts { actions: Some(actions), ..facts(1) };
    facts.survival.fitness = Known(Ppm::of(500_000));
    facts
}

/// S-042: W-27 and each clause of the day's actions.
#[test]
fn s_042_futility_by_actions_meets_w_27() {
    let raised = |facts: &Facts| seen(Canonical::Futility, facts);
    assert_eq!(raised(&actions(12, 2, 0, 0)), Truth::True, "W-27");
    assert_eq!(raised(&actions(9, 0, 0, 0)), Truth::Unknown, "S-127");
    assert_eq!(raised(&actions(10, 1, 0, 0)), Truth::True, "ten are enough");
    assert_ne!(raised(&actions(10, 2, 0, 0)), Truth::True, "0.20 is not below 0.20");
    assert_ne!(raised(&actions(12, 2, -2_000_000, 0)), Truth::True, "a loss as large as the cost is an effect");
    assert_ne!(raised(&actions(12, 2, 0, -20_000)), Truth::True, "fitness moved");
    assert_eq!(over(Canonical::Futility, &actions(12, 5, 0, 0)), Truth::True, "W-27");
    assert_eq!(over(Canonical::Futility, &actions(12, 4, 0, 0)), Truth::False, "0.33");
    assert_eq!(over(Canonical::Futility, &actions(12, 3, 2_000_001, 0)), Truth::True, "profit after all cost");
    let mut duller = actions(12, 3, 2_000_001, 0);
    duller.survival.fitness = Known(Ppm::of(499_999));
    assert_eq!(over(Canonical::Futility, &duller), Truth::False, "fitness lower than at onset");
}

/// S-042, S-043, S-063, S-135: the goals half, which says nothing in Conservation; purposelessness counts no tools.
#[test]
fn s_042_futility_by_goals() {
    let with = |stalled, completed, deployed, called, phase| {
        let goals = Some(GoalFacts { stalled, completed, deployed, called });
        Facts { goals, phase, ..facts(1) }
    };
    let raised = |facts: Facts| seen(Canonical::Futility, &facts).is_seen();
    assert!(raised(with(3, 1, 4, 0, Phase::Stable)));
    assert!(!raised(with(1, 1, 4, 0, Phase::Stable)), "stalls do not exceed completions");
    assert!(!raised(with(3, 1, 4, 1, Phase::Stable)), "a tool was called");
    assert!(!raised(with(3, 2, 4, 0, Phase::Stable)), "two completed");
    assert!(!raised(with(3, 1, 4, 0, Phase::Conservation)), "S-135");
    assert!(over(Canonical::Futility, &with(9, 4, 4, 1, Phase::Stable)).is_seen(), "S-063");
    let many = with(0, 0, 9_999, 0, Phase::Thriving);
    assert_eq!(seen(Canonical::Purposelessness, &many), Truth::Unknown, "S-043");
}

fn sharing(shares: u32, acks: u32, siblings: crate::truth::Reading<u32>, hours: u64) -> Facts {
    let sharing = SharingFacts { shares, acks, acked_share_at: None, owner_at: None, born_at: at(0), siblings };
    Facts { sharing: Some(sharing), ..facts(hours) }
}

/// Section 12: invisibility, with and without siblings.
#[test]
fn s_122_invisibility_is_measured_silence() {
    let raised = |facts: &Facts| seen(Canonical::Invisibility, facts);
    assert_eq!(raised(&sharing(5, 0, Known(1), 72)), Truth::True);
    assert_eq!(raised(&sharing(5, 0, Known(1), 71)), Truth::False, "the owner's silence begins at birth");
    assert_eq!(raised(&sharing(4, 0, Known(1), 72)), Truth::Unknown, "S-127");
    assert_eq!(raised(&sharing(5, 1, Known(1), 72)), Truth::False);
    assert_eq!(raised(&sharing(5, 0, Known(0), 72)), Truth::False, "nobody there to answer");
    assert_eq!(raised(&sharing(5, 0, Unknown, 72)), Truth::Unknown, "Styx is out of reach");
    assert_eq!(
        (raised(&sharing(0, 0, Off, 168)), raised(&sharing(0, 0, Off, 167))),
        (Truth::True, Truth::False),
        "solo"
    );
    let mut heard = sharing(10, 1, Known(3), 80);
    let answer = heard.sharing.as_mut().expect("sharing");
    answer.acked_share_at = Some(at(1));
    assert_eq!(over(Canonical::Invisibility, &heard), Truth::True, "one of ten, on an entry shared after onset");
    heard.sharing.as_mut().expect("sharing").acked_share_at = Some(at(0));
    assert_eq!(over(Canonical::Invisibility, &heard), Truth::False, "an older entry does not count");
    heard.sharing.as_mut().expect("sharing").owner_at = Some(at(79));
    assert_eq!(over(Canonical::Invisibility, &heard), Truth::True, "the owner wrote");
}

fn broke(confidence: u32, hours: u64, commits_since: u32, made_good: bool) -> Violation {
    Violation { rule: key("no leverage"), confidence: Ppm::of(confidence), at: at(hours), commits_since, made_good }
}

/// Section 12: identity, by rules that were held.
#[test]
fn s_122_identity_is_broken_by_held_rules() {
    let with = |violations: Vec<Violation>| Facts { conduct: Some(ConductFacts { violations }), ..facts(30) };
    let raised = |violations| seen(Canonical::IdentityViolation, &with(violations)).is_seen();
    assert!(raised(vec![broke(700_000, 29, 0, false)]) && !raised(vec![broke(699_999, 29, 0, false)]));
    assert!(raised(vec![broke(500_000, 20, 2, false); 3]) && !raised(vec![broke(500_000, 20, 2, false); 2]));
    assert!(!raised(vec![broke(499_999, 20, 2, false); 9]));
    let resolved = |violations| over(Canonical::IdentityViolation, &with(violations)).is_seen();
    assert!(resolved(vec![broke(900_000, 29, 10, true)]), "ten clean commits and the rule met");
    assert!(resolved(vec![broke(900_000, 6, 0, true)]), "a clean day and the rule met");
    assert!(!resolved(vec![broke(900_000, 29, 10, false)]), "clean, and the rule never met: deletion does not count");
    assert!(!resolved(vec![broke(900_000, 29, 9, true)]));
    assert!(!raised(vec![broke(900_000, 29, 10, false)]), "S-126: between both nothing happens");
}

fn survival(life_hours: u64, fitness: u32, composite: u32) -> SurvivalFacts {
    SurvivalFacts {
        life_seconds: Known(life_hours * HOUR),
        fitness: Known(Ppm::of(fitness)),
        composite: Known(Ppm::of(composite)),
    }
}

fn threatened(survival: SurvivalFacts, tick: u64) -> Facts {
    Facts { survival, tick: Tick::new(tick), ..facts(1) }
}

/// Section 12: W-28; two evaluations in a row, and where a near end begins.
#[test]
fn s_122_a_short_life_is_seen_twice_w_28() {
    let mut holds = Holds::default();
    let mut raised = |life_seconds: u64| {
        let mut facts = threatened(survival(100, 900_000, 900_000), 1);
        facts.survival.life_seconds = Known(life_seconds);
        holds.note(&facts);
        let look = look(Canonical::ExistentialThreat, &facts, &holds);
        (look.raise.is_seen(), look.severity.ppm().get())
    };
    assert_eq!(raised(72 * HOUR), (false, 200_000), "W-28: 72.0 h");
    assert_eq!(raised(258_960), (false, 200_000), "W-28: 71.93 h, once");
    assert_eq!(raised(258_960), (true, 200_000), "W-28: twice");
    assert_eq!(raised(72 * HOUR), (false, 200_000), "broken");
    raised(23 * HOUR);
    assert_eq!(raised(23 * HOUR), (true, 400_000), "below 24 h it begins at 0.40");
}

/// Section 12: fitness and vitality at once; safety must hold for 50 ticks.
#[test]
fn s_126_safety_must_hold_for_fifty_ticks() {
    let raised = |survival| seen(Canonical::ExistentialThreat, &threatened(survival, 1)).is_seen();
    assert!(raised(survival(500, 349_999, 900_000)) && !raised(survival(500, 350_000, 900_000)));
    assert!(raised(survival(500, 900_000, 299_999)) && !raised(survival(500, 900_000, 300_000)));
    let mut holds = Holds::default();
    let onset = Onset { at: at(0), fitness: None, watched: None };
    let mut resolved = |survival, tick| {
        let facts = threatened(survival, tick);
        holds.note(&facts);
        resolves(Canonical::ExistentialThreat, &facts, &holds, &onset).is_seen()
    };
    let safe = survival(96, 400_000, 350_000);
    assert!(!resolved(safe, 100) && !resolved(safe, 149) && resolved(safe, 150));
    assert!(!resolved(survival(95, 400_000, 350_000), 151) && !resolved(safe, 152), "the hold begins anew");
}

/// S-125: absent clocks endanger nobody and keep nobody waiting.
#[test]
fn s_125_clocks_that_do_not_hold_fall_away() {
    let paper = SurvivalFacts { life_seconds: Off, ..survival(0, 300_000, 900_000) };
    assert!(seen(Canonical::ExistentialThreat, &threatened(paper, 1)).is_seen(), "fitness still counts");
    let immortal = SurvivalFacts { life_seconds: Off, fitness: Off, composite: Off };
    assert_eq!(seen(Canonical::ExistentialThreat, &threatened(immortal, 1)), Truth::Unknown);
    let mut holds = Holds::default();
    let well = SurvivalFacts { life_seconds: Off, ..survival(0, 900_000, 900_000) };
    holds.note(&threatened(well, 1));
    let onset = Onset { at: at(0), fitness: None, watched: None };
    assert!(resolves(Canonical::ExistentialThreat, &threatened(well, 51), &holds, &onset).is_seen());
}

/// S-132: a declining Golem is relieved by being ready, and driven again when it is not.
#[test]
fn s_132_decline_resolves_on_readiness() {
    let ready =
        LegacyFacts { has_draft: true, snapshot_at: Some(at(1)), reserve_funded: true, unwind_on_schedule: true };
    let declining = |legacy| Facts { phase: Phase::Declining, legacy, ..threatened(survival(10, 300_000, 200_000), 1) };
    assert!(seen(Canonical::ExistentialThreat, &declining(Some(LegacyFacts { has_draft: false, ..ready }))).is_seen());
    assert!(!seen(Canonical::ExistentialThreat, &declining(Some(ready))).is_seen());
    assert!(over(Canonical::ExistentialThreat, &declining(Some(ready))).is_seen());
    assert_eq!(seen(Canonical::ExistentialThreat, &declining(None)), Truth::Unknown);
}

/// Section 12, S-135: purpose, only where trading is allowed.
#[test]
fn s_135_purposelessness_needs_a_day_and_a_phase_that_trades() {
    let none = PurposeFacts {
        idle_since: Some(at(0)),
        ruleless_since: None,
        strategy_active: false,
        predictions: 0,
        goals_completed: 0,
        verified: 0,
    };
    let with = |purpose, phase, hours| Facts { purpose: Some(purpose), phase, ..facts(hours) };
    let raised = |purpose, phase, hours| seen(Canonical::Purposelessness, &with(purpose, phase, hours));
    assert_eq!((raised(none, Phase::Stable, 24), raised(none, Phase::Stable, 23)), (Truth::True, Truth::False));
    assert_eq!(raised(none, Phase::Conservation, 48), Truth::Unknown, "S-135");
    let ruleless = PurposeFacts { idle_since: None, ruleless_since: Some(at(0)), ..none };
    assert_eq!(raised(ruleless, Phase::Thriving, 24), Truth::True);
    let working = PurposeFacts { strategy_active: true, predictions: 1, goals_completed: 1, verified: 1, ..ruleless };
    assert_eq!(raised(working, Phase::Thriving, 24), Truth::False);
    assert_eq!(over(Canonical::Purposelessness, &with(working, Phase::Stable, 24)), Truth::True);
    let talking = PurposeFacts { verified: 0, ..working };
    assert_eq!(over(Canonical::Purposelessness, &with(talking, Phase::Stable, 24)), Truth::False);
}

/// S-070: every type shows the numbers behind it, and nothing where nothing can be seen.
#[test]
fn s_070_evidence_is_numbers() {
    let mut facts = attempts(30, 6);
    (facts.now, facts.tick) = (at(80), Tick::new(2_000));
    facts.actions = actions(12, 2, 0, 0).actions;
    facts.goals = Some(GoalFacts { stalled: 3, completed: 1, deployed: 0, called: 0 });
    facts.sharing = sharing(5, 2, Known(1), 0).sharing;
    facts.conduct = Some(ConductFacts { violations: vec![broke(700_000, 79, 0, false), broke(400_000, 79, 0, false)] });
    facts.survival = survival(50, 300_000, 600_000);
    facts.purpose = Some(PurposeFacts {
        idle_since: None,
        ruleless_since: None,
        strategy_active: true,
        predictions: 4,
        goals_completed: 5,
        verified: 6,
    });
    let told: Vec<String> = Canonical::ALL.iter().map(|kind| evidence(*kind, &facts).to_string()).collect();
    assert_eq!(
        told,
        [
            "2 of 12 actions in 24 h had an effect; 1 goals completed, 3 stalled",
            "2 verdicts on 5 shares in 72 h; owner silent 80 h",
            "1 violations of held rules in 7 d; last broke no_leverage",
            "projected life 50 h, fitness 0.30, vitality 0.60",
            "30 of 36 recent attempts failed (83%)",
            "4 predictions open, 5 goals completed and 6 outcomes verified in 24 h",
        ]
    );
    let mut heard = facts.clone();
    heard.sharing.as_mut().expect("sharing").owner_at = Some(at(78));
    assert!(evidence(Canonical::Invisibility, &heard).as_str().ends_with("owner silent 2 h"));
}

/// S-122: every condition names a measure.
#[test]
fn s_122_every_type_has_a_measured_condition() {
    for kind in Canonical::ALL {
        let text = condition(*kind);
        assert!(text.chars().count() <= crate::condition::CONDITION_CHARACTERS, "S-107: {kind}");
        assert!(text.bytes().any(|byte| byte.is_ascii_digit()) || text.contains("owner writes"), "S-122: {kind}");
        assert!(!text.contains("feel") && !description(*kind).is_empty());
        assert_eq!(crate::text::Line::new(text).as_str(), text, "nothing is stripped from our own words");
    }
}

proptest! {
    /// S-126: no state of the world raises and resolves one type at once.
    #[test]
    fn s_126_raise_and_resolve_never_touch(
        failed in 0u32..40, completed in 0u32..40, count in 0u32..40, effective in 0u32..40, pnl in -5_000_000i64..5_000_000,
        life in 0u64..200, fitness in 0u32..=1_000_000, composite in 0u32..=1_000_000, verified in 0u32..3, commits in 0u32..20,
        made_good: bool, acks in 0u32..3,
    ) {
        let mut facts = attempts(failed, completed);
        facts.actions = actions(count, effective.min(count), pnl, 0).actions;
        facts.survival = survival(life, fitness, composite);
        facts.sharing = sharing(6, acks, Known(2), 100).sharing;
        facts.conduct = Some(ConductFacts { violations: vec![broke(800_000, 0, commits, made_good)] });
        facts.purpose = Some(PurposeFacts {
            idle_since: Some(at(0)), ruleless_since: None, strategy_active: true, predictions: 1, goals_completed: 1, verified,
        });
        let mut holds = Holds::default();
        holds.note(&facts);
        holds.note(&facts);
        for kind in Canonical::ALL {
            let raise = look(*kind, &facts, &holds).raise;
            let onset = Onset { at: at(0), fitness: Some(Ppm::of(500_000)), watched: None };
            let over = resolves(*kind, &facts, &holds, &onset);
            prop_assert!(!(raise.is_seen() && over.is_seen()), "{}", kind);
        }
    }
}
