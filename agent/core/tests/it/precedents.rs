//! Decisions thought through before: when they answer, what they can do, and that they are part of the life.

use golem_core::life::Life;
use golem_core::mind::Pending;
use golem_core::record::{Course, Event, Observation, Order, OutcomeResult};
use golem_primitives::{Ppm, Usdc};

use crate::deliberating::{advise, asked, entries, minded};
use crate::venue::Venue;

type Thinks = fn(&Pending) -> Option<(OutcomeResult, Usdc)>;

/// A Golem that remembers what it is advised for so many ticks.
fn remembering(thinks: Thinks, ttl_ticks: u64) -> Venue {
    Venue { remembers: Some(ttl_ticks), ..minded(thinks) }
}

fn recalled(venue: &Venue) -> Vec<Course> {
    each!(&venue.events, Event::DecisionRecalled { course, .. } => *course)
}

fn spent(order: Order) -> Usdc {
    if let Order::Buy { spend, .. } = order { spend } else { panic!("{order:?}") }
}

/// G-002, M-139: the same situation is not put to a model again while its answer is good; once it is not, it is.
#[test]
fn g_002_a_precedent_answers_instead_of_a_model() {
    let thinks: Thinks = |pending| advise(pending, 1);
    let (mut forgets, mut remembers, mut lapses) = (minded(thinks), remembering(thinks, 400), remembering(thinks, 1));
    for venue in [&mut forgets, &mut remembers, &mut lapses] {
        venue.run(300);
    }
    assert!(asked(&remembers) < asked(&forgets), "{} and {}", asked(&remembers), asked(&forgets));
    assert!(!recalled(&remembers).is_empty() && recalled(&forgets).is_empty());
    assert_eq!((recalled(&lapses).len(), asked(&lapses)), (0, asked(&forgets)), "older than it may be");
    assert!(entries(&remembers).len() >= entries(&forgets).len(), "no entry is lost by it");
    assert!(remembers.life.precedents().is_some_and(|kept| kept.count() > 0 && kept.ttl_ticks() == 400));
}

/// what is recalled is one of what is offered now: the wish, its half, or nothing.
#[test]
fn r_032_a_precedent_picks_of_what_is_offered_now() {
    let mut whole = remembering(|pending| advise(pending, 1), 400);
    let mut half = remembering(|pending| advise(pending, 2), 400);
    let mut none = remembering(|pending| advise(pending, 0), 400);
    for venue in [&mut whole, &mut half, &mut none] {
        venue.run(300);
    }
    let acted = |venue: &Venue| each!(recalled(venue), Course::Act(order) => order);
    let (first, halved) = (spent(acted(&whole)[0]), spent(acted(&half)[0]));
    let off = first.share_down(Ppm::of(500_000)).micros().abs_diff(halved.micros());
    assert!(off < first.micros() / 20, "{first} and {halved}: capital moved a little between them");
    for venue in [&whole, &half] {
        let sent = entries(venue);
        assert!(acted(venue).iter().all(|order| sent.contains(order)), "sent exactly as offered");
    }
    assert!(!recalled(&none).is_empty() && recalled(&none).iter().all(|course| *course == Course::Stay));
    assert!(entries(&none).is_empty());
}

/// precedents are part of the life: one that is read back from its bytes at every tick comes to the same
/// hash; without the word of them a life with a mind is written as before.
#[test]
fn r_002_precedents_survive_their_snapshot() {
    let thinks: Thinks = |pending| advise(pending, 1);
    let (mut whole, mut cut) = (remembering(thinks, 400), remembering(thinks, 400));
    for _ in 0..150 {
        whole.tick();
        cut.tick();
        cut.life = Life::from_snapshot(&cut.life.to_snapshot()).expect("just written");
        assert_eq!((cut.life.hash(), cut.life.precedents()), (whole.life.hash(), whole.life.precedents()));
    }
    assert!(!recalled(&cut).is_empty());
    let mut plain = minded(thinks);
    plain.run(50);
}

/// G-002: another term begins anew, and none at all remembers nothing.
#[test]
fn g_002_another_term_begins_anew() {
    let mut venue = remembering(|pending| advise(pending, 1), 400);
    venue.run(150);
    assert!(venue.life.precedents().is_some_and(|kept| kept.count() > 0));
    venue.tick_seeing(Observation::Precedents { ttl_ticks: 0 });
    let before = recalled(&venue).len();
    venue.run(150);
    assert_eq!((recalled(&venue).len(), venue.life.precedents().map(|kept| kept.count())), (before, Some(0)));
}
