use std::collections::BTreeSet;

use golem_dreams::Frozen;
use golem_dreams::dream::AskKind;
use golem_dreams::inputs::{Edge, Trace};
use golem_dreams::nrem::forward::{NoForward, forward};
use golem_dreams::nrem::pattern::{Standing, patterns};
use golem_dreams::nrem::perturb::{Absent, Perturbation, anchored, perturbed, with_deviation};
use golem_dreams::nrem::reverse::{CreditBasis, reverse, slots};
use golem_dreams::nrem::trajectory::{Hypothesis, anticipate, is_overdue, walk};
use golem_dreams::nrem::triage::{Triage, triage};
use golem_dreams::report::GrimoireUpdate;
use golem_dreams::words::{Grade, Tier};
use golem_grimoire::kind::{CausalBasis, CausalLink};
use golem_grimoire::regime::Regime;
use golem_grimoire::strength::{Reinforcement, Strength};
use golem_primitives::{Bps, Ppm, Tick, Usdc};
use proptest::prelude::*;

use crate::make::{
    PRICED, dream, entry_id, finding, frozen, in_regime, known, law, lived, path, position, ppm, result, rising, trace,
    traded,
};

fn edge(name: &str, cause: &str, effect: &str, weight: f64, delta: i32) -> Edge {
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
    Edge { id: entry_id(name), link, delta: Bps::from(delta) }
}

/// D-087: a pattern is said from three on, when its interval excludes zero, and stands to what is known.
#[test]
fn d_087_patterns_exclude_chance() {
    let winners: Vec<Trace> = (0..5).map(|n| result(2_900 + n, 1_000 + n as i64)).collect();
    let of = |traces: &[Trace]| patterns(&traces.iter().collect::<Vec<_>>());
    let found = of(&winners);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].finding.trials, found[0].finding.held), (5, 5));
    assert!(of(&winners[..2]).is_empty(), "two are none");
    let mixed: Vec<Trace> = [900, -1_000, 950, -900].iter().zip(2_900..).map(|(pnl, at)| result(at, *pnl)).collect();
    assert!(of(&mixed).is_empty(), "chance is not excluded");
    let apart: Vec<Trace> = winners
        .iter()
        .cloned()
        .zip(0..)
        .map(|(mut one, n)| {
            one.recorded.episode.happened = crate::make::at(n * 600);
            one
        })
        .collect();
    assert!(of(&apart).is_empty(), "other hours are another pattern");
    let mut agrees = known("agrees", 0.5);
    agrees.finding = Some(finding(500));
    let mut opposes = known("opposes", 0.5);
    opposes.finding = Some(finding(-500));
    assert_eq!(found[0].standing(&[]), Standing::Novel);
    assert_eq!(found[0].standing(&[agrees.clone()]), Standing::Confirms(agrees.id));
    assert_eq!(found[0].standing(&[opposes.clone()]), Standing::Contradicts(opposes.id));
}

/// D-089, A-104: every replayed episode is strengthened by half, and by nothing else here.
#[test]
fn d_089_replay_strengthens_by_half() {
    let done = dream(lived(Tier::Core), &law(Tier::Core));
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

/// D-090: the parts sum to the outcome, the last decision first; marks decide where they were recorded.
#[test]
fn d_090_outcomes_are_credited_back_to_the_first_decision() {
    let mut life: Vec<Trace> = [2_900, 2_905, 2_910].iter().map(|at| result(*at, 0)).collect();
    life[2] = result(2_910, 1_000);
    let by_distance = reverse(&life.iter().collect::<Vec<_>>(), None).expect("finished");
    assert_eq!(by_distance.iter().map(|one| one.micros).sum::<i64>(), 1_000);
    assert_eq!(by_distance[0].episode, life[2].id(), "from the outcome back");
    assert!(by_distance[0].micros > by_distance[1].micros && by_distance[1].micros > by_distance[2].micros);
    assert_eq!(by_distance[0].basis, CreditBasis::Discounted);
    for one in &mut life {
        one.trade =
            Some(golem_dreams::market::Trade { exit: Some(Tick::new(2_920)), ..crate::make::trade(2_900, 2_920) });
    }
    let prices = path(
        "WETH",
        &[
            (2_900, 100, Regime::Bull),
            (2_905, 100, Regime::Bull),
            (2_910, 180, Regime::Bull),
            (2_920, 200, Regime::Bull),
        ],
    );
    let by_marks = reverse(&life.iter().collect::<Vec<_>>(), Some(&prices)).expect("finished");
    let parts: Vec<i64> = by_marks.iter().map(|one| one.micros).collect();
    assert_eq!(parts, [200, 800, 0], "holding from 2,905 to 2,910 earned it");
    assert_eq!(by_marks[0].basis, CreditBasis::Marks);
    life[2].recorded.episode.is_unfinished = true;
    assert_eq!(reverse(&life.iter().collect::<Vec<_>>(), None), None, "not over");
}

/// D-091: in proportion to the size of the outcome, losses before equal wins.
#[test]
fn d_091_large_outcomes_and_losses_are_walked_first() {
    assert_eq!(slots(&[300, -600, 100], 10), [3, 6, 1]);
    assert_eq!(slots(&[500, -500], 1), [0, 1], "the loss of equals");
    assert_eq!(slots(&[0, 0], 4), [0, 0]);
}

/// D-092, D-093: three likeliest developments over fifty ticks with worst case and bailout; nothing without a record.
#[test]
fn d_093_open_positions_are_projected() {
    let mut points = Vec::new();
    for n in 0..60u64 {
        let (regime, price) = match n % 4 {
            0 => (Regime::Bull, 3_000_000_000),
            1 => (Regime::Bear, 2_900_000_000),
            2 => (Regime::Bull, 3_100_000_000),
            _ => (Regime::Sideways, 2_000_000_000),
        };
        points.push((2_900 + n, price, regime));
    }
    let held = position("WETH", Some(2_700_000_000));
    let all = forward(&held, Some(&path("WETH", &points)), Regime::Bull).expect("recorded");
    assert_eq!(all.iter().map(|one| one.regime).collect::<Vec<_>>(), [Regime::Bear, Regime::Sideways]);
    assert_eq!(all[0].probability, ppm(0.5));
    assert!(all[0].worst < Bps::ZERO && all[0].worst_loss > Usdc::ZERO);
    assert!(all[0].bailout.is_some_and(|saved| saved < all[0].worst_loss), "leaving at the stop saves some of it");
    assert_eq!(forward(&held, None, Regime::Bull), Err(NoForward::NoPath));
    assert_eq!(forward(&held, Some(&path("WETH", &points)), Regime::Crisis), Err(NoForward::NoTransition));
}

fn world() -> Frozen {
    Frozen { paths: vec![rising()], ..frozen(Tier::Hardened) }
}

/// D-094, D-095: each perturbation from recorded amounts, and refused by name where they are absent.
#[test]
fn d_095_perturbations_are_computed_or_refused() {
    let trace = traded(2_900, 2_920, 1_000);
    let at = |by| perturbed(&trace, by, &world()).map(|one| one.would_be);
    assert_eq!(at(Perturbation::Slippage), Ok(950), "50 more");
    assert_eq!(at(Perturbation::Gas), Ok(920), "four times 20 more");
    // The price rises by 3,000,000 a tick of 20 blocks: three blocks later it is that of tick 2,901.
    let (paid, later) = (3_150_000_000u128, 3_153_000_000u128);
    let expected = i64::try_from(101_000u128 * paid / later).expect("small") - 101_000 + 1_000;
    assert_eq!(at(Perturbation::Delay), Ok(expected));
    assert!(at(Perturbation::FeedGap).ok() < at(Perturbation::Delay).ok(), "fifteen ticks later it is dearer still");
    assert!(at(Perturbation::ThinPool).is_ok_and(|would| would < 1_000));
    assert_eq!(at(Perturbation::Decoupling), Err(Absent::OtherAsset));
    let mut paired = trace.clone();
    paired.trade.as_mut().expect("a trade").moves_with = Some("WETH".into());
    let other = perturbed(&paired, Perturbation::Decoupling, &world()).map(|one| one.would_be);
    assert_eq!(other, Ok(1_000 - 100_000 * 60 / 3_150), "the common part of the move is taken away");
    let mut bare = trace.clone();
    if let Some(trade) = bare.trade.as_mut() {
        (trade.slippage, trade.gas, trade.pool) = (None, None, None);
    }
    let refused = |by| perturbed(&bare, by, &frozen(Tier::Hardened)).expect_err("absent");
    assert_eq!(refused(Perturbation::Slippage), Absent::Slippage);
    assert_eq!(refused(Perturbation::Gas), Absent::Gas);
    assert_eq!(refused(Perturbation::Delay), Absent::Price);
    assert_eq!(refused(Perturbation::ThinPool), Absent::Pool);
    assert_eq!(perturbed(&result(1, 5), Perturbation::Gas, &world()), Err(Absent::Trade));
}

/// D-094: the owner's share of replays is perturbed; none at nothing.
#[test]
fn d_094_a_share_of_replays_is_perturbed() {
    let count = |rate: f64| {
        let mut law = law(Tier::Hardened);
        law.replay.perturbation_rate = ppm(rate);
        let nrem = dream(lived(Tier::Hardened), &law).report.journal.nrem;
        (nrem.perturbed + nrem.refused, nrem.episodes)
    };
    assert_eq!(count(0.0).0, 0);
    let (all, episodes) = count(1.0);
    assert_eq!(all, episodes * 6, "every one in six ways");
    let (some, _) = count(0.3);
    assert!(some > 0 && some < all / 2, "{some} of {all}");
}

/// D-096: three deviations beside one that was seen.
#[test]
fn d_096_perturbations_are_anchored_on_what_was_seen() {
    let points = |seen: i32| anchored(Bps::from(seen)).map(Bps::get);
    assert_eq!(points(15), [50, 100, 200]);
    assert_eq!(points(-15), [50, 100, 200]);
    assert_eq!(points(17), [100, 200, 400]);
    assert_eq!(with_deviation(&result(1, 1_000), Bps::from(50)), Ok(500), "half a percent of 100,000");
}

/// D-097: the rule of triage and its edges.
#[test]
fn d_097_triage_keeps_abstracts_or_forgets() {
    for (utility, contradicted, sharing, way) in [
        (0.5, 0, 9, Triage::Preserve),
        (0.499_999, 0, 3, Triage::Abstract),
        (0.5, 1, 3, Triage::Abstract),
        (0.5, 1, 2, Triage::Preserve),
        (0.099_999, 0, 2, Triage::Forget),
        (0.1, 0, 2, Triage::Preserve),
        (0.5, 2, 2, Triage::Forget),
    ] {
        assert_eq!(triage(ppm(utility), contradicted, sharing), way, "{utility} {contradicted} {sharing}");
    }
    let mut world = lived(Tier::Core);
    for one in &mut world.traces {
        one.contradicted = 2;
        one.recorded.episode.key.pair = format!("{}", one.recorded.episode.happened.tick);
    }
    let report = dream(world, &law(Tier::Core)).report;
    assert_eq!(report.deletions.len() as u32, report.journal.nrem.forgotten, "decisions feed Integration");
    assert!(!report.deletions.is_empty());
}

/// D-098: a small model reads a batch, a large one only what is complex.
#[test]
fn d_098_complex_batches_are_read_by_a_large_model() {
    let grades = |complex: bool| -> BTreeSet<Grade> {
        let mut world = Frozen { engine: PRICED, ..lived(Tier::Hardened) };
        for one in &mut world.traces {
            one.protocols = if complex { 2 } else { 1 };
        }
        let asks = dream(world, &law(Tier::Hardened)).asks;
        let asks: Vec<_> = asks.into_iter().filter(|ask| ask.kind == AskKind::ReplayBatch).collect();
        assert!(asks.iter().all(|ask| ask.material.episodes.len() <= 10));
        asks.iter().map(|ask| ask.grade).collect()
    };
    assert_eq!(grades(false), BTreeSet::from([Grade::T1]));
    assert_eq!(grades(true), BTreeSet::from([Grade::T2]));
}

/// D-100: what is logged of NREM, with what an insight cost.
#[test]
fn d_100_nrem_is_measured() {
    let nrem = dream(Frozen { engine: PRICED, ..lived(Tier::Hardened) }, &law(Tier::Hardened)).report.journal.nrem;
    assert!(nrem.episodes > 0 && nrem.batches > 0 && nrem.patterns > 0 && nrem.reverse > 0 && nrem.credits > 0);
    assert_eq!(nrem.patterns, nrem.novel + nrem.confirmed + nrem.contradictions);
    assert_eq!(nrem.episodes, nrem.preserved + nrem.abstracted + nrem.forgotten);
}

/// D-101: V41: five hops and no sixth, the surest first, no circle.
#[test]
fn d_101_chains_follow_the_surest_link_five_hops() {
    let mut edges: Vec<Edge> = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
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
    let mut world = frozen(Tier::Hardened);
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
        Edge {
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
    let names: Vec<&Hypothesis> = all.iter().map(|one| &one.hypothesis).collect();
    assert_eq!(
        names,
        [
            &Hypothesis::Continuation(Regime::Bull),
            &Hypothesis::Switch(Regime::Bear),
            &Hypothesis::Switch(Regime::Crisis),
            &Hypothesis::Lagged(entry_id("c")),
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

/// D-108: what needs attention reaches the report, for REM and for the waking life.
#[test]
fn d_108_trajectories_are_handed_on() {
    let mut world = lived(Tier::Hardened);
    let anxious = anxious_world();
    (world.edges, world.paths, world.positions) = (anxious.edges, anxious.paths, anxious.positions);
    world.traces.extend(anxious.traces);
    let report = dream(world.clone(), &law(Tier::Hardened)).report;
    assert_eq!(report.replays.trajectories, anticipate(&world));
    assert!(report.replays.trajectories.iter().any(|one| !one.endangered.is_empty()));
    assert!(dream(lived(Tier::Core), &law(Tier::Core)).report.replays.trajectories.is_empty(), "core walks nothing");
}

/// D-099: NREM's patterns are drafts and rows; there is no document to write them into.
#[test]
fn d_099_nrem_makes_candidates_only() {
    let report = dream(lived(Tier::Core), &law(Tier::Core)).report;
    assert!(!report.insights.is_empty());
    assert!(report.playbook_delta.is_empty(), "nothing fresh is promoted");
    assert!(report.insights.iter().all(|draft| draft.check().is_ok() && draft.dream.is_some()));
}

proptest! {
    /// D-090: credit is neither made nor lost.
    #[test]
    fn d_090_credit_sums_to_the_outcome(outcome: i32, steps in 1u64..30) {
        let mut life: Vec<Trace> = (0..steps).map(|n| trace(2_900 + n)).collect();
        for one in &mut life { one.recorded.episode.pnl_micros = None; }
        life.last_mut().expect("one").recorded.episode.pnl_micros = Some(i64::from(outcome));
        let credits = reverse(&life.iter().collect::<Vec<_>>(), None).expect("finished");
        prop_assert_eq!(credits.iter().map(|one| one.micros).sum::<i64>(), i64::from(outcome));
    }

    /// D-091: every slot is given.
    #[test]
    fn d_091_slots_are_given_whole(outcomes in prop::collection::vec(-1_000i64..1_000, 1..10), count in 0usize..20) {
        let given: usize = slots(&outcomes, count).iter().sum();
        prop_assert!(given == count || outcomes.iter().all(|one| *one == 0) || given < count && outcomes.contains(&0));
    }

    /// D-101: no chain is longer than five, and none meets a variable twice.
    #[test]
    fn d_101_no_chain_runs_in_circles(links in prop::collection::vec((0u8..6, 0u8..6, 0u32..=1_000_000), 0..20)) {
        let edges: Vec<Edge> = links.iter().enumerate()
            .map(|(n, (a, b, w))| edge(&format!("e{n}"), &format!("v{a}"), &format!("v{b}"), f64::from(*w) / 1e6, 0))
            .collect();
        let chain = walk(&edges, "v0");
        let met: BTreeSet<&str> = chain.iter().map(|edge| edge.link.effect.as_str()).collect();
        prop_assert!(chain.len() <= 5 && met.len() == chain.len() && !met.contains("v0"));
    }
}
