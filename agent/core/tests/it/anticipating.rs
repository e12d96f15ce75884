//! What moves after what: learnt by looks, kept by the Curator, walked by a dream, contradicted by later looks.

use golem_core::dreaming::SeenPrice;
use golem_core::dreaming::law::inputs::MeasuredLink;
use golem_core::dreaming::law::nrem::trajectory::{Scenario, anticipate};
use golem_core::dreaming::law::words::ScheduleMode;
use golem_core::record::{DreamTier, Event};
use golem_core::trader::TraderSettings;
use golem_grimoire::entry::Knowledge;
use golem_grimoire::kind::{CausalBasis, CausalLink, EntryBody};
use golem_grimoire::status::{ArchiveReason, Entry, Status};
use golem_mortality::law::Law;
use golem_playbook::links::{LinkChange, Variable};

use crate::dreaming::{Sleeper, dream};
use crate::dreams::{full, terms};
use crate::memory::mind;
use crate::mind::Mind;
use crate::venue::Venue;

/// Gas is high or low for forty passes at a time, nobody knows why.
fn gas_is_high(pass: u64) -> bool {
    (pass / 40).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) % 7 < 3
}

fn gas(pass: u64) -> u64 {
    10_000_000 + if gas_is_high(pass) { 4_000_000 } else { 0 } + pass.wrapping_mul(2_654_435_761) % 100_000
}

/// Until this pass the price falls while gas is high and rises while it is low.
const LED_UNTIL: u64 = 7_000;

fn price(pass: u64) -> u64 {
    let noise = |pass: u64| (pass.wrapping_mul(2_654_435_761) % 1_001) as f64 / 1e6 - 0.000_5;
    let led = |pass: u64| match gas_is_high(pass) {
        true if pass < LED_UNTIL => -0.000_25,
        false if pass < LED_UNTIL => 0.000_18,
        // Then the other way.
        true => 0.000_25,
        false => -0.000_18,
    };
    let moved: f64 = (1..=pass).map(|pass| led(pass) + noise(pass)).sum();
    (3_000_000_000.0 * libm::exp(moved)) as u64
}

fn life_in_it() -> Venue {
    let venue = Venue::with(TraderSettings::default(), Law::immortal().on_chain());
    Venue { price, gas, mind: Some(Mind::default()), ..venue }
}

fn kept(venue: &Venue) -> Vec<(&CausalLink, Status, u32, u32)> {
    let links = mind(venue).grimoire.entries().filter_map(|entry| {
        let kept = entry.knowledge()?;
        let EntryBody::CausalLink(link) = &kept.draft.body else { return None };
        Some((link, entry.status(), kept.validated, kept.contradicted))
    });
    links.filter(|(link, ..)| link.cause == "gas" && link.effect == "price").collect()
}

fn told(venue: &Venue, like: impl Fn(&LinkChange) -> bool) -> usize {
    venue.told(|event| matches!(event, Event::LinkCounted { change, .. } if like(change)))
}

fn of_gas(change: &LinkChange) -> bool {
    let (LinkChange::Learnt(link) | LinkChange::Contradicted(link)) = change;
    (link.cause, link.effect) == (Variable::Gas, Variable::Price)
}

/// G-015, G-128, G-132, G-031: what looks show to follow is learnt, told and kept with its direction; later looks confirm it, and
/// when the market turns they contradict it: the entry rests in the archive, and is not burned.
#[test]
fn g_132_a_life_learns_a_link_keeps_it_and_gives_it_up() {
    let mut venue = life_in_it();
    venue.run_until_before(5_000, |venue| !kept(venue).is_empty());
    assert_eq!(told(&venue, of_gas), 1);
    let [(link, Status::Active, 0, 0)] = kept(&venue)[..] else { panic!("{:?}", kept(&venue)) };
    assert!(!link.is_alike && link.basis == CausalBasis::Associational && link.evidence > 1_000, "{link:?}");
    assert!(link.weight.get() > 550_000, "{link:?}");
    let evidence = link.evidence;
    venue.run(4 * 250 + 60);
    let [(link, Status::Active, confirmed @ 3.., contradicted)] = kept(&venue)[..] else {
        panic!("{:?}", kept(&venue))
    };
    assert!(confirmed + contradicted <= 5 && contradicted <= 1, "one voice each 250 looks: {confirmed} {contradicted}");
    assert!(link.evidence > evidence);
    venue.run(6_000);
    assert!(told(&venue, |change| matches!(change, LinkChange::Contradicted(_)) && of_gas(change)) > 0);
    let why = each!(mind(&venue).grimoire.entries(), Entry::Archived(archived) => archived.reason());
    assert_eq!(why.iter().filter(|why| **why == ArchiveReason::Contradicted).count(), 1, "{:?}", kept(&venue));
}

fn named<'a>(edges: &'a [MeasuredLink], cause: &str, effect: &str) -> Option<&'a MeasuredLink> {
    edges.iter().find(|edge| edge.link.cause == cause && edge.link.effect == effect)
}

/// D-101, D-104, D-106, D-107, G-130: a dream walks the links that are kept under the ids of their entries, by what was seen to
/// follow, and dreamt again from disk it walks the same.
#[test]
fn d_101_a_dream_walks_what_its_looks_show_to_follow() {
    let mut venue = life_in_it();
    venue.run_until(|venue| !kept(venue).is_empty());
    venue.dreams = Some(terms(DreamTier::Hardened, ScheduleMode::Owner));
    venue.recalls = Some(full(true));
    venue.run_until_asleep();
    let is_it = |entry: &&Knowledge| matches!(&entry.draft.body, EntryBody::CausalLink(link) if link.cause == "gas" && link.effect == "price");
    let id = mind(&venue).grimoire.living().find(is_it).expect("kept").id;
    let is_high = gas_is_high(venue.pass);
    let sleeper = Sleeper::of(venue);
    let slumber = sleeper.slumber();
    let led = named(&slumber.frozen.edges, "gas", "price:ETH").expect("walked");
    assert_eq!(led.id, id);
    assert!((5..200).contains(&led.delta.get().abs()), "{led:?}");
    assert!(
        is_high == (led.delta.get() < 0) || gas_is_high(sleeper.venue.pass - 12) != is_high,
        "as it moves now: {led:?}"
    );
    let report = dream(slumber.clone());
    let walked = anticipate(&slumber.frozen);
    assert_eq!(report.journal.nrem.trajectories as usize, walked.len());
    let lagged = walked.iter().find(|one| matches!(one.hypothesis, Scenario::Lagged(_)));
    let lagged = lagged.expect("D-104: the surest that is overdue");
    assert!(lagged.hops.len() <= 5 && slumber.frozen.edges.iter().any(|edge| edge.id == lagged.hops[0].edge));
    let written = serde_json::to_vec(&slumber).expect("plain data");
    assert_eq!(dream(serde_json::from_slice(&written).expect("what was written")), report, "D-183");
    assert_eq!(sleeper.slumber(), slumber, "frozen again it is the same");
}

/// DG-16: who has counted nothing walks nothing.
#[test]
fn dg_16_a_life_without_links_walks_none() {
    let sleeper = Sleeper::new(DreamTier::Hardened);
    let looks: &[SeenPrice] = &sleeper.shelf.looks;
    assert!(looks.len() > 300 && sleeper.slumber().frozen.edges.is_empty());
}
