use std::collections::BTreeSet;

use golem_dreams::Frozen;
use golem_dreams::inputs::MeasuredLink;
use golem_dreams::nrem::trajectory::{Scenario, anticipate, is_overdue, walk};
use golem_dreams::report::GrimoireUpdate;
use golem_dreams::words::{DreamPhase, DreamTier, DreamTrigger, Grade};
use golem_grimoire::kind::{CausalBasis, CausalLink};
use golem_grimoire::regime::Regime;
use golem_grimoire::strength::{Reinforcement, Strength};
use golem_primitives::{Bps, Ppm, Tick};
use proptest::prelude::*;

use crate::make::{PRICED, dream, entry_id, frozen, in_regime, law, lived, opening, path, position, ppm};

fn edge(name: &str, cause: &str, effect: &str, weight: f64, delta: i32) -> MeasuredLink {
    let link = CausalLink {
        cause: cause.into(),
        effect: effect.into(),
        weight: ppm(weight),
        evidence: 5,
        lag_ticks: 10,
        is_alike: true,
        last_fired: Tick::new(2_995),
        basis: CausalBasis::Associational,
        mechanism: None,
    };
    MeasuredLink { id: entry_id(name), link, delta: Bps::from(delta) }
}

/// D-089, A-104: every replayed episode is strengthened by half, and by nothing else here.
#[test]
fn d_089_replay_strengthens_by_half() {
    let done = dream(lived(DreamTier::Core), &law(DreamTier::Core));
    let replayed: Vec<_> = done
        .report
        .updates
        .iter()
        .filter_map(|one| match one {
            GrimoireUpdate::Replayed(id, by) => Some((*id, *by)),
            _ => None,
        })
        .collect();
    assert_eq!(replayed.len() as u32, done.report.journal.nrem.episodes);
    assert!(replayed.iter().all(|(_, by)| *by == Reinforcement::DreamReplay));
    assert_eq!(Strength::ONE.reinforced(Reinforcement::DreamReplay).hundredths(), 150);
}

/// D-098: what is replayed is put to the small model, also where a larger one is paid for.
#[test]
fn d_098_replay_asks_the_small_model() {
    let asks = dream(Frozen { engine: PRICED, ..lived(DreamTier::Hardened) }, &law(DreamTier::Hardened)).asks;
    let replayed: Vec<_> = asks.iter().filter(|ask| ask.phase == DreamPhase::Nrem).collect();
    assert!(!replayed.is_empty() && replayed.iter().all(|ask| ask.grade == Grade::T1), "{replayed:?}");
    assert!(asks.iter().any(|ask| ask.grade > Grade::T1), "a larger one was there");
}

/// D-101: V41: five hops and no sixth, the surest first, no circle.
#[test]
fn d_101_chains_follow_the_surest_link_five_hops() {
    let mut edges: Vec<MeasuredLink> = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
        .iter()
        .enumerate()
        .map(|(n, weight)| edge(&format!("e{n}"), &format!("v{n}"), &format!("v{}", n + 1), *weight, -100))
        .collect();
    edges.push(edge("weak", "v0", "elsewhere", 0.2, 0));
    edges.push(edge("circle", "v2", "v0", 0.99, 0));
    let chain = walk(&edges, "v0");
    assert_eq!(chain.len(), 5);
    let product: f64 = chain.iter().map(|edge| edge.link.weight.as_f64()).product();
    assert_eq!(ppm(product), ppm(0.1512), "V41");
    assert!(walk(&edges, "nowhere").is_empty());
}

fn anxious_world() -> Frozen {
    let mut world = frozen(DreamTier::Hardened);
    let falling: Vec<_> = (0..20u64)
        .map(|n| (2_900 + n, 3_000_000_000 - n * 30_000_000, Regime::Bear))
        .chain((20..40).map(|n| (2_900 + n, 2_430_000_000 + (n - 20) * 3_000_000, Regime::Bull)))
        .collect();
    world.paths = vec![path("WETH", &falling)];
    world.positions = vec![position("WETH", Some(2_800_000_000)), position("WBTC", None)];
    world.traces =
        vec![in_regime(2_900, Regime::Bear), in_regime(2_930, Regime::Bull), in_regime(2_931, Regime::Crisis)];
    world.edges = vec![
        edge("a", "price:WETH", "gas", 0.9, 500),
        edge("b", "gas", "depth", 0.5, 300),
        MeasuredLink {
            link: CausalLink { last_fired: Tick::new(2_989), ..edge("c", "funding", "price:WBTC", 0.7, -900).link },
            ..edge("c", "", "", 0.0, -900)
        },
    ];
    world
}

/// D-102, D-103, D-104, D-105, D-106, D-107: the three scenarios with all they record.
#[test]
fn d_104_three_scenarios_are_walked() {
    let world = anxious_world();
    let all = anticipate(&world);
    let names: Vec<&Scenario> = all.iter().map(|one| &one.hypothesis).collect();
    assert_eq!(
        names,
        [
            &Scenario::Continuation(Regime::Bull),
            &Scenario::Switch(Regime::Bear),
            &Scenario::Switch(Regime::Crisis),
            &Scenario::Lagged(entry_id("c")),
        ],
        "D-102, D-103, D-104"
    );
    assert!(is_overdue(&world.edges[2], Tick::new(3_000)) && !is_overdue(&world.edges[0], Tick::new(3_000)), "D-105");
    let bear = &all[1];
    assert!(bear.terminus.prices["WETH"] < Bps::from(-1_500), "D-102: twenty ticks of what it did");
    assert_eq!((bear.terminus.gas, bear.terminus.liquidity), (Some(Bps::from(500)), Some(Bps::from(-300))), "D-107");
    assert_eq!(bear.terminus.regime, Some(Regime::Bear), "D-107");
    assert_eq!(bear.hops.iter().map(|hop| hop.edge).collect::<Vec<_>>(), [entry_id("a"), entry_id("b")], "D-106");
    assert_eq!((bear.fitness, bear.confidence), (ppm(0.5), ppm(0.45)), "D-106: one of two survives");
    assert_eq!(bear.endangered, ["held-WETH"], "D-108");
    assert_eq!(all[0].fitness, Ppm::ONE);
    assert_eq!(all[3].terminus.prices["WBTC"], Bps::from(-900));
}

/// D-108, D-020: what a trajectory would take is what a full dream wakes with, and what the last one leaves.
#[test]
fn d_108_trajectories_are_handed_on() {
    let mut world = lived(DreamTier::Hardened);
    let anxious = anxious_world();
    (world.edges, world.paths, world.positions) = (anxious.edges, anxious.paths, anxious.positions);
    world.traces.extend(anxious.traces);
    let says = |lines: &[String]| lines.iter().any(|line| line.starts_with("if it turns to bear, held-WETH"));
    let lines = dream(world.clone(), &law(DreamTier::Hardened)).report.awakening.lines;
    assert!(says(&lines), "{lines:?}");
    world.opening = opening(DreamTier::Core, DreamTrigger::Emergency);
    assert!(says(&dream(world, &law(DreamTier::Hardened)).report.testament), "D-020");
    let core = dream(lived(DreamTier::Core), &law(DreamTier::Core)).report.journal.nrem;
    assert_eq!(core.trajectories, 0, "a lightweight cycle walks nothing");
}

proptest! {
    /// D-101: no chain is longer than five, and none meets a variable twice.
    #[test]
    fn d_101_no_chain_runs_in_circles(links in prop::collection::vec((0u8..6, 0u8..6, 0u32..=1_000_000), 0..20)) {
        let edges: Vec<MeasuredLink> = links.iter().enumerate()
            .map(|(n, (a, b, w))| edge(&format!("e{n}"), &format!("v{a}"), &format!("v{b}"), f64::from(*w) / 1e6, 0))
            .collect();
        let chain = walk(&edges, "v0");
        let met: BTreeSet<&str> = chain.iter().map(|edge| edge.link.effect.as_str()).collect();
        prop_assert!(chain.len() <= 5 && met.len() == chain.len() && !met.contains("v0"));
    }
}
