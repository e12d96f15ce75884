use golem_daimon::trigger::ThreatTier;
use golem_dreams::dream::AskKind;
use golem_dreams::rem::rehearsal::{ADVERSARIAL, Coverage, Feasibility, GasState, feasible, gap_analysis, rehearse};
use golem_dreams::rem::threat::{
    Guard, Pheromone, Rehearsal, Rehearsals, ThreatKind, Urgencies, plan, regime_multiplier,
};
use golem_dreams::words::Tier;
use golem_dreams::{DreamReport, Frozen};
use golem_primitives::{Bps, U256, Usdc, UtcTime};

use crate::make::{PRICED, at, dream, frozen, law, lived, pool, position, ppm};

fn world() -> Frozen {
    Frozen { positions: vec![position("WETH", Some(2_400_000_000)), position("WBTC", None)], ..frozen(Tier::Hardened) }
}

const GAS: GasState = GasState { exit: Usdc::from_micros(1_000), partition: Usdc::from_micros(10_000) };

/// D-128, D-129: fifteen kinds in three tiers.
#[test]
fn d_129_fifteen_threats_in_three_tiers() {
    let of = |tier| ThreatKind::ALL.iter().filter(|kind| kind.tier() == tier).count();
    assert_eq!([of(ThreatTier::One), of(ThreatTier::Two), of(ThreatTier::Three)], [5, 5, 5]);
    for name in ["flash_crash", "oracle_manipulation", "contract_exploit", "cascading_liquidation", "sandwich"] {
        assert!(ThreatKind::from_name(name).is_some(), "D-128 {name}");
    }
    let fall = ThreatKind::FlashCrash.shock().expect("numbers").price;
    assert!(fall.get() < -2_000, "D-129: more than a fifth");
}

/// D-130: V44.
#[test]
fn d_130_priorities_meet_their_vectors() {
    let of = |loss, probability, severity, stale| Urgencies { loss, probability, severity, stale }.priority();
    assert_eq!(of(1.0, 0.2, 1.0, 0.5), ppm(0.70), "V44");
    assert_eq!(of(0.0, 0.5, 0.6, 1.0), ppm(0.475), "V44");
}

/// D-131: how often each tier is rehearsed, and twice as often after a real loss.
#[test]
fn d_131_rehearsals_fall_due_by_tier() {
    let now = at(3_000).at;
    let book = |kind, last: u64, days: u64, suffered| {
        let seen = UtcTime::from_seconds(now.seconds() - days * 86_400);
        let one = Rehearsal { last: Some((last, seen)), suffered, ..Rehearsal::default() };
        Rehearsals([(kind, one)].into())
    };
    let due = |kind, last, days, suffered| book(kind, last, days, suffered).is_due(kind, 17, now);
    assert!(due(ThreatKind::FlashCrash, 17, 0, None), "every cycle");
    assert!(!due(ThreatKind::GasWar, 15, 0, None) && due(ThreatKind::GasWar, 14, 0, None), "every third");
    assert!(due(ThreatKind::GasWar, 16, 0, Some(12)), "doubled for five cycles");
    assert!(!due(ThreatKind::GasWar, 16, 0, Some(11)), "and no longer");
    assert!(!due(ThreatKind::FeeChange, 1, 6, None) && due(ThreatKind::FeeChange, 1, 7, None), "weekly");
    assert!(due(ThreatKind::FeeChange, 1, 4, Some(16)), "twice a week");
    assert!(Rehearsals::default().is_due(ThreatKind::FeeChange, 1, now), "never rehearsed");
}

/// D-132: dangerous markets multiply the first tier, and move it before what would otherwise come first.
#[test]
fn d_132_dangerous_markets_multiply_the_first_tier() {
    let all = [(3, false), (4, false), (3, true), (5, true)].map(|(fifth, thin)| regime_multiplier(fifth, thin));
    assert_eq!(all, [1, 2, 2, 3]);
    let mut calm = world();
    for kind in ThreatKind::ALL.iter().filter(|kind| kind.tier() == ThreatTier::One) {
        calm.rehearsals.rehearsed(*kind, 17, at(3_000).at);
    }
    calm.rehearsals.0.entry(ThreatKind::GasWar).or_default().suffered = Some(16);
    assert_eq!(plan(&calm, 1, true), [ThreatKind::GasWar]);
    let stormy = Frozen { volatility: 5, is_thin: true, ..calm };
    assert_eq!(plan(&stormy, 1, true)[0].tier(), ThreatTier::One);
}

/// D-133: everything a rehearsal records.
#[test]
fn d_133_a_rehearsal_says_what_it_would_cost() {
    let mut held = world();
    held.rehearsals.rehearsed(ThreatKind::FlashCrash, 3, at(100).at);
    let threat = rehearse(ThreatKind::FlashCrash, &held, 0, Some(GAS)).expect("numbers");
    assert_eq!((threat.tier, threat.loss, threat.loss_share), (ThreatTier::One, Usdc::whole(50), ppm(0.25)));
    assert_eq!(threat.affected, ["held-WETH", "held-WBTC"]);
    assert!(!threat.cascades, "only one falls through its stop");
    assert_eq!(threat.history.times, 1);
    assert_eq!(threat.responses.len(), 2);
    assert_eq!((threat.responses[0].latency_ticks, threat.responses[0].cost), (1, Some(Usdc::from_micros(5_000))));
    assert!(threat.story.is_none() && !threat.timeline.is_empty() && !threat.trigger.is_empty());
    held.positions[1].stop = Some(2_900_000_000);
    assert!(rehearse(ThreatKind::FlashCrash, &held, 0, None).expect("numbers").cascades);
    assert_eq!(rehearse(ThreatKind::MemoryPoisoning, &held, 0, None), None, "only a story can tell it");
}

/// D-134: covered, weak and uncovered; a missing guard is staged at 0.3.
#[test]
fn d_134_gaps_are_found_and_staged() {
    let guard = |asset: &str, points: i32| Guard { asset: asset.into(), threshold: Bps::from(points) };
    let coverage = |guards: Vec<Guard>| {
        let one = Frozen { positions: vec![position("WETH", None)], guards, ..frozen(Tier::Hardened) };
        rehearse(ThreatKind::FlashCrash, &one, 0, None).map(|one| (one.coverage, one.gap.is_some()))
    };
    assert_eq!(coverage(vec![guard("WETH", 1_250)]), Some((Coverage::Covered, false)));
    assert_eq!(coverage(vec![guard("WETH", 1_251)]), Some((Coverage::Weak, true)));
    assert_eq!(coverage(vec![guard("WETH", 2_501)]), Some((Coverage::Uncovered, true)));
    assert_eq!(coverage(vec![guard("WBTC", 100)]), Some((Coverage::Uncovered, true)));
    let report = dream(lived(Tier::Hardened), &law(Tier::Hardened)).report;
    assert_eq!(report.journal.rem.guards, gap_analysis(&report.threats));
    let staged: Vec<_> = report.staging_writes.iter().filter(|(row, _)| row.section == "guards").collect();
    assert!(!staged.is_empty() && staged.iter().all(|(row, _)| row.confidence.get() == 30));
}

/// D-135: a response is checked against pool and gas.
#[test]
fn d_135_responses_are_checked_for_feasibility() {
    let mut one = position("WETH", None);
    one.pool = Some(pool());
    one.exit = Some(golem_dreams::market::SwapIn { amount: U256::from(1_000_000u64), zero_for_one: true });
    let feasibility = |position: golem_dreams::market::Position, kind, gas| {
        let world = Frozen { positions: vec![position], ..frozen(Tier::Hardened) };
        rehearse(kind, &world, 0, gas).expect("numbers").responses[0].feasibility
    };
    let crash = ThreatKind::FlashCrash;
    assert_eq!(feasibility(one.clone(), crash, Some(GAS)), Feasibility::Feasible);
    assert_eq!(
        feasibility(one.clone(), crash, Some(GasState { partition: Usdc::from_micros(4_999), ..GAS })),
        Feasibility::NoGas
    );
    assert_eq!(feasibility(one.clone(), ThreatKind::RugPull, Some(GAS)), Feasibility::NoLiquidity);
    assert_eq!(feasibility(position("WETH", None), crash, Some(GAS)), Feasibility::Unknown);
    let world = Frozen { positions: vec![one], ..frozen(Tier::Hardened) };
    let threats: Vec<_> =
        [crash, ThreatKind::RugPull].iter().filter_map(|kind| rehearse(*kind, &world, 0, Some(GAS))).collect();
    assert_eq!(feasible(&threats), (1, 2));
}

/// D-136: within seven cycles every threat of the first tier is rehearsed, and false alarms are counted.
#[test]
fn d_136_the_first_tier_is_rehearsed_within_seven_cycles() {
    let mut one = world();
    for cycle in 18..25 {
        one.cycle = golem_dreams::CycleId(cycle);
        for kind in plan(&one, 1, true) {
            one.rehearsals.rehearsed(kind, cycle, at(3_000 + cycle).at);
        }
    }
    for kind in ThreatKind::ALL.iter().filter(|kind| kind.tier() == ThreatTier::One) {
        assert!(one.rehearsals.of(*kind).times > 0, "{kind}");
    }
    let alarms = |wrong, all| {
        Rehearsals(
            [(ThreatKind::GasWar, Rehearsal { false_alarms: wrong, activations: all, ..Rehearsal::default() })].into(),
        )
    };
    assert_eq!(alarms(2, 10).false_alarms(), Some((ppm(0.2), false)));
    assert_eq!(alarms(3, 10).false_alarms(), Some((ppm(0.3), true)));
    assert_eq!(Rehearsals::default().false_alarms(), None);
}

/// D-137: imagined attacks are tagged and can be turned off alone.
#[test]
fn d_137_imagined_attacks_are_tagged_and_can_be_turned_off() {
    let tag = |kind| rehearse(kind, &world(), 0, None).expect("numbers").tag;
    assert_eq!(tag(ThreatKind::Sandwich).as_deref(), Some(ADVERSARIAL));
    assert_eq!(tag(ThreatKind::FlashCrash), None);
    assert!(plan(&world(), 15, true).iter().any(|kind| kind.is_adversarial()));
    let without = plan(&world(), 15, false);
    assert!(!without.is_empty() && without.iter().all(|kind| !kind.is_adversarial()));
    let mut off = law(Tier::Hardened);
    off.imagination.adversarial = false;
    let report = dream(lived(Tier::Hardened), &off).report;
    assert!(report.threats.iter().all(|threat| threat.tag.is_none()));
}

/// D-138: what siblings warn of comes first, by what is left of it.
#[test]
fn d_138_warnings_of_siblings_seed_the_plan() {
    let scent = |kind, relevance, strength| Pheromone { kind, relevance: ppm(relevance), strength: ppm(strength) };
    let mut one = world();
    one.pheromones = vec![
        scent(ThreatKind::FeeChange, 0.9, 0.3),
        scent(ThreatKind::GasWar, 0.6, 0.8),
        scent(ThreatKind::YieldCompression, 0.5, 1.0),
    ];
    assert_eq!(plan(&one, 2, true), [ThreatKind::GasWar, ThreatKind::FeeChange], "0.5 is not above 0.5");
}

/// D-128, D-005: as many as the owner wants, in a full cycle alone.
#[test]
fn d_128_threats_are_rehearsed_in_full_cycles() {
    let report = dream(lived(Tier::Hardened), &law(Tier::Hardened)).report;
    assert_eq!(report.journal.rem.threats, 3);
    assert!(dream(lived(Tier::Core), &law(Tier::Core)).report.threats.is_empty(), "D-005");
    let told = dream(Frozen { engine: PRICED, ..lived(Tier::Hardened) }, &law(Tier::Hardened));
    assert!(told.asks.iter().any(|ask| matches!(ask.kind, AskKind::Threat(_))));
    assert!(told.report.threats.iter().all(|one| one.story.is_some()));
    assert_eq!(told.report.threats[0].loss, report.threats[0].loss, "a story moves no number");
    let words = |report: &DreamReport| report.warnings.iter().map(|draft| draft.content.clone()).collect::<Vec<_>>();
    assert_eq!(words(&told.report), words(&report), "D-241: and no warning");
    assert_eq!(told.report.journal.stories.len(), 3, "the owner may read it");
}
