//! What moves after what: the links a dream is frozen with, and the trajectories it walks over them.

use golem_core::dreaming::Seen;
use golem_core::dreaming::law::inputs::Edge;
use golem_core::dreaming::law::nrem::trajectory::Hypothesis;
use golem_core::record::DreamTier;
use golem_grimoire::entry::Draft;
use golem_grimoire::gate::{Admission, Occasion, Reading, admit};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::{Body, CausalBasis, CausalLink};
use golem_grimoire::provenance::Source;
use golem_grimoire::shelf::Change;
use golem_primitives::{Ppm, Tick, Usdc, UtcTime};

use crate::dreaming::{Sleeper, dream};
use crate::venue::BIRTH;

/// A reading anything passes the gate with.
const FINE: Reading = Reading {
    utility: Ppm::of(900_000),
    factual: Ppm::of(900_000),
    recency: Ppm::of(900_000),
    nearest: None,
    known: 0,
    contradicts: None,
    occasion: Occasion::Ordinary,
};

/// A market in which gas moves first, liquidity the other way two ticks later, and the price with liquidity a tick after
/// that, ten times of eleven; what moves gas is nobody's doing.
fn looks(ticks: u64) -> Vec<Seen> {
    let up = |tick: u64| tick.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) % 7 < 3;
    let (mut gas, mut liquidity, mut price) = (1_000_000_000u64, 1_000_000_000_000u128, 3_000_000_000u64);
    (1..=ticks)
        .map(|tick| {
            gas = if up(tick) { gas / 100 * 102 } else { gas / 100 * 99 };
            liquidity = if up(tick.wrapping_sub(2)) { liquidity / 100 * 99 } else { liquidity / 100 * 101 };
            let is_led = !tick.is_multiple_of(11);
            price = if up(tick.wrapping_sub(3)) == is_led { price / 1_000 * 995 } else { price / 1_000 * 1_003 };
            Seen {
                tick: Tick::new(tick),
                block: tick,
                at: UtcTime::from_seconds(BIRTH + tick * 40),
                price: Usdc::from_micros(price),
                liquidity,
                base_fee_wei: gas,
            }
        })
        .collect()
}

fn named<'a>(edges: &'a [Edge], cause: &str, effect: &str) -> Option<&'a Edge> {
    edges.iter().find(|edge| edge.link.cause == cause && edge.link.effect == effect)
}

/// D-101, D-106, G-015, G-130: what the looks show to follow is frozen with how sure, how long after and by how much, the
/// dream walks it, and dreamt again from disk it walks the same.
#[test]
fn d_101_a_dream_walks_what_its_looks_show_to_follow() {
    let mut sleeper = Sleeper::new(DreamTier::Hardened);
    sleeper.shelf.looks = looks(380);
    let slumber = sleeper.slumber();
    let edges = &slumber.frozen.edges;
    let drained = named(edges, "gas", "liquidity").expect("seen");
    assert_eq!(
        (drained.link.lag_ticks, drained.link.weight, drained.link.basis),
        (2, Ppm::ONE, CausalBasis::Associational)
    );
    let fell = named(edges, "liquidity", "price:ETH").expect("seen");
    assert_eq!(fell.link.lag_ticks, 1);
    assert!((850_000..950_000).contains(&fell.link.weight.get()), "ten of eleven: {:?}", fell.link);
    assert_eq!(drained.delta.get().abs(), 100);
    assert!(fell.delta.get() != 0 && drained.link.last_fired > Tick::new(370), "G-130: {drained:?}");
    let report = dream(slumber.clone());
    let hops: Vec<usize> = report.replays.trajectories.iter().map(|one| one.hops.len()).collect();
    assert!(hops.iter().all(|hops| *hops <= 5), "{hops:?}");
    let lagged = report.replays.trajectories.iter().find(|one| one.hypothesis == Hypothesis::Lagged(drained.id));
    let lagged = lagged.expect("D-104: the surest is overdue");
    assert_eq!(lagged.hops.iter().map(|hop| hop.edge).collect::<Vec<_>>(), [drained.id, fell.id]);
    assert_eq!(lagged.confidence, fell.link.weight, "DG-16");
    assert_eq!(lagged.terminus.liquidity, Some(drained.delta), "D-107");
    assert_eq!(lagged.terminus.prices.get("ETH"), Some(&fell.delta), "D-107");
    assert_eq!(report.journal.nrem.trajectories as usize, hops.len());
    let written = serde_json::to_vec(&slumber).expect("plain data");
    assert_eq!(dream(serde_json::from_slice(&written).expect("what was written")), report, "D-183");
    assert_eq!(sleeper.slumber(), slumber, "frozen again it is the same");
}

/// G-015, D-249: what moves by itself follows nothing, and neither does a market nobody looked at.
#[test]
fn g_015_a_market_without_links_has_none() {
    let mut sleeper = Sleeper::new(DreamTier::Hardened);
    sleeper.shelf.looks = looks(380);
    // Each thing as another stretch of time moved it.
    let apart: Vec<Seen> = sleeper.shelf.looks.clone();
    for (at, seen) in sleeper.shelf.looks.iter_mut().enumerate() {
        let other = &apart[(at * 7 + 131) % apart.len()];
        (seen.liquidity, seen.base_fee_wei) = (other.liquidity, apart[(at * 11 + 53) % apart.len()].base_fee_wei);
    }
    let edges = sleeper.slumber().frozen.edges;
    assert!(
        named(&edges, "gas", "price:ETH").is_none() && named(&edges, "liquidity", "price:ETH").is_none(),
        "{edges:?}"
    );
    for looks in [Vec::new(), looks(1), looks(5)] {
        sleeper.shelf.looks = looks;
        assert!(sleeper.slumber().frozen.edges.is_empty());
    }
}

/// D-104, D-105, G-129, G-130: a link of the Grimoire is walked under its own id, with its own certainty, by what was seen of
/// it; one whose ends nobody looked at is not.
#[test]
fn g_130_links_of_the_grimoire_are_walked_by_their_id() {
    let mut sleeper = Sleeper::new(DreamTier::Hardened);
    sleeper.shelf.looks = looks(380);
    let now = Moment::new(Tick::new(1), UtcTime::from_seconds(BIRTH));
    let golem = *sleeper.venue.life.id();
    let mut add = |cause: &str, effect: &str| {
        let link = CausalLink {
            cause: cause.to_owned(),
            effect: effect.to_owned(),
            weight: Ppm::of(990_000),
            evidence: 4,
            lag_ticks: 2,
            last_fired: Tick::new(3),
            basis: CausalBasis::Associational,
            mechanism: None,
        };
        let body = Body::CausalLink(link);
        let text = body.statement().expect("two variables");
        let draft = Draft::new(&text, body, Source::own(golem), now.at);
        let name = EntryId::derive(now.at, &golem, text.as_bytes());
        let Admission::Admitted(candidate) = admit(name, draft, &FINE, now) else { panic!("{text}") };
        let grimoire = &mut sleeper.venue.mind.as_mut().expect("a mind").grimoire;
        grimoire.apply(Change::Add(candidate), now).expect("new");
        name
    };
    let (known, unseen) = (add("gas", "liquidity"), add("governance", "price:ETH"));
    let slumber = sleeper.slumber();
    let edges = &slumber.frozen.edges;
    let of: Vec<&Edge> =
        edges.iter().filter(|edge| edge.link.cause == "gas" && edge.link.effect == "liquidity").collect();
    assert_eq!(of.len(), 1, "G-129: a pair is there once");
    assert_eq!((of[0].id, of[0].link.weight, of[0].delta.get().abs()), (known, Ppm::of(990_000), 100));
    assert!(edges.iter().all(|edge| edge.id != unseen), "by how much is not guessed");
    let report = dream(slumber);
    let lagged = report.replays.trajectories.iter().find(|one| one.hypothesis == Hypothesis::Lagged(known));
    let lagged = lagged.expect("D-105: it has not fired for longer than its lag");
    assert_eq!((lagged.hops[0].edge, lagged.hops[0].confidence), (known, Ppm::of(990_000)));
}
