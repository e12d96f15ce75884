use golem_daimon::trigger::ThreatTier;
use golem_dreams::dream::AskKind;
use golem_dreams::rem::rehearsal::{
    ADVERSARIAL, Coverage, Feasibility, GasState, feasible, gap_analysis, rehearse, warning,
};
use golem_dreams::rem::threat::{Guard, Pheromone, Rehearsals, ThreatKind, plan, regime_multiplier};
use golem_dreams::words::DreamTier;
use golem_dreams::{DreamReport, Frozen};
use golem_primitives::{Bps, U256, Usdc, UtcTime};

use crate::make::{PRICED, at, dream, frozen, law, lived, pool, position, ppm};

fn world() -> Frozen {
    Frozen {
        positions: vec![position("WETH", Some(2_400_000_000)), position("WBTC", None)],
        ..frozen(DreamTier::Hardened)
    }
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

/// D-130: what is worse and was not rehearsed for longer comes first.
#[test]
fn d_130_the_worst_and_stalest_come_first() {
    let mut book = Rehearsals::default();
    for kind in [ThreatKind::FlashCrash, ThreatKind::GasWar] {
        book.rehearsed(kind, 17, at(3_000).at);
    }
    let of = |kind, cycle| book.priority(kind, cycle);
    assert_eq!(of(ThreatKind::FlashCrash, 17), ppm(0.25), "rehearsed in this cycle");
    assert_eq!(
        (of(ThreatKind::FlashCrash, 24), of(ThreatKind::FlashCrash, 99)),
        (ppm(0.45), ppm(0.45)),
        "whole after seven"
    );
    assert_eq!(of(ThreatKind::RugPull, 17), ppm(0.45), "never rehearsed");
    assert!(of(ThreatKind::GasWar, 17) < of(ThreatKind::FlashCrash, 17));
}

/// D-131: how often each tier is rehearsed.
#[test]
fn d_131_rehearsals_fall_due_by_tier() {
    let now = at(3_000).at;
    let due = |kind, last: u64, days: u64| {
        let mut book = Rehearsals::default();
        book.rehearsed(kind, last, UtcTime::from_seconds(now.seconds() - days * 86_400));
        book.is_due(kind, 17, now)
    };
    assert!(due(ThreatKind::FlashCrash, 17, 0), "every cycle");
    assert!(!due(ThreatKind::GasWar, 15, 0) && due(ThreatKind::GasWar, 14, 0), "every third");
    assert!(!due(ThreatKind::FeeChange, 1, 6) && due(ThreatKind::FeeChange, 1, 7), "weekly");
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
    assert_eq!(plan(&calm, 1, true)[0].tier(), ThreatTier::Two, "the first was rehearsed just now");
    let stormy = Frozen { volatility: 5, is_thin: true, ..calm };
    assert_eq!(plan(&stormy, 1, true)[0].tier(), ThreatTier::One);
}

/// D-133: what a rehearsal says it would cost, and what would be done.
#[test]
fn d_133_a_rehearsal_says_what_it_would_cost() {
    let threat = rehearse(ThreatKind::FlashCrash, &world(), Some(GAS)).expect("numbers");
    assert_eq!((threat.loss, threat.responses.len()), (Usdc::whole(50), 2));
    assert_eq!(threat.responses[0].expected_loss, Usdc::whole(25));
    assert!(threat.responses[0].action.contains("held-WETH") && threat.story.is_none());
    assert_eq!(rehearse(ThreatKind::MemoryPoisoning, &world(), None), None, "only a story can tell it");
}

/// D-134: covered, weak and uncovered.
#[test]
fn d_134_gaps_are_found() {
    let guard = |asset: &str, points: i32| Guard { asset: asset.into(), threshold: Bps::from(points) };
    let threat = |guards: Vec<Guard>| {
        let one = Frozen { positions: vec![position("WETH", None)], guards, ..frozen(DreamTier::Hardened) };
        rehearse(ThreatKind::FlashCrash, &one, None).expect("numbers")
    };
    let all = [("WETH", 1_250), ("WETH", 1_251), ("WETH", 2_501), ("WBTC", 100)]
        .map(|(asset, points)| threat(vec![guard(asset, points)]));
    use Coverage::{Covered, Uncovered, Weak};
    assert_eq!(all.each_ref().map(|one| one.coverage), [Covered, Weak, Uncovered, Uncovered]);
    assert_eq!(gap_analysis(&all), (1, 1, 2));
    let lines = dream(lived(DreamTier::Hardened), &law(DreamTier::Hardened)).report.awakening.lines;
    assert!(lines.iter().any(|line| line.starts_with("nothing guards against")), "{lines:?}");
}

/// D-135: a response is checked against pool and gas.
#[test]
fn d_135_responses_are_checked_for_feasibility() {
    let mut one = position("WETH", None);
    one.pool = Some(pool());
    one.exit = Some(golem_dreams::market::SwapIn { amount: U256::from(1_000_000u64), zero_for_one: true });
    let feasibility = |position: golem_dreams::market::Position, kind, gas| {
        let world = Frozen { positions: vec![position], ..frozen(DreamTier::Hardened) };
        rehearse(kind, &world, gas).expect("numbers").responses[0].feasibility
    };
    let crash = ThreatKind::FlashCrash;
    assert_eq!(feasibility(one.clone(), crash, Some(GAS)), Feasibility::Feasible);
    assert_eq!(
        feasibility(one.clone(), crash, Some(GasState { partition: Usdc::from_micros(4_999), ..GAS })),
        Feasibility::NoGas
    );
    assert_eq!(feasibility(one.clone(), ThreatKind::RugPull, Some(GAS)), Feasibility::NoLiquidity);
    assert_eq!(feasibility(position("WETH", None), crash, Some(GAS)), Feasibility::Unknown);
    let world = Frozen { positions: vec![one], ..frozen(DreamTier::Hardened) };
    let threats: Vec<_> =
        [crash, ThreatKind::RugPull].iter().filter_map(|kind| rehearse(*kind, &world, Some(GAS))).collect();
    assert_eq!(feasible(&threats), (1, 2));
}

/// D-136: within seven cycles every threat of the first tier is rehearsed.
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
        assert!(one.rehearsals.0.contains_key(kind), "{kind}");
    }
}

/// D-137: imagined attacks are tagged and can be turned off alone.
#[test]
fn d_137_imagined_attacks_are_tagged_and_can_be_turned_off() {
    let tags = |kind| warning(&rehearse(kind, &world(), None).expect("numbers"), &world()).tags;
    assert_eq!(tags(ThreatKind::Sandwich), [ADVERSARIAL.to_owned()].into());
    assert!(tags(ThreatKind::FlashCrash).is_empty());
    assert!(plan(&world(), 15, true).iter().any(|kind| kind.is_adversarial()));
    let without = plan(&world(), 15, false);
    assert!(!without.is_empty() && without.iter().all(|kind| !kind.is_adversarial()));
    let mut off = law(DreamTier::Hardened);
    off.imagination.adversarial = false;
    let report = dream(lived(DreamTier::Hardened), &off).report;
    assert!(report.threats.iter().all(|threat| threat.warning.tags.is_empty()));
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
    let report = dream(lived(DreamTier::Hardened), &law(DreamTier::Hardened)).report;
    assert_eq!(report.journal.rem.threats, 3);
    assert!(dream(lived(DreamTier::Core), &law(DreamTier::Core)).report.threats.is_empty(), "D-005");
    let told = dream(Frozen { engine: PRICED, ..lived(DreamTier::Hardened) }, &law(DreamTier::Hardened));
    assert!(told.asks.iter().any(|ask| matches!(ask.kind, AskKind::Threat(_))));
    let words = |report: &DreamReport| report.threats.iter().map(|one| one.warning.content.clone()).collect::<Vec<_>>();
    assert_eq!(words(&told.report), words(&report), "D-241: a story moves no number and no warning");
    assert_eq!(told.report.journal.stories.len(), 3, "the owner may read it");
}
