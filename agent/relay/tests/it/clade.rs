//! Words between siblings, on a real chain.

use std::collections::BTreeSet;
use std::sync::Arc;

use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_inheritance::pheromone::{Class, Scent, Sign};
use golem_ports::{Clade as _, WordKind};
use golem_primitives::Ppm;
use golem_relay::{CladeLink, NatsLog, NatsSettings};

use crate::nats::Nats;
use crate::raw::Raw;
use crate::world::{DAY, World, hear, until};

/// I-102, I-103, I-107, I-366: a warning reaches every sibling at once, in order with what was said before, and nobody else.
#[tokio::test(flavor = "multi_thread")]
async fn i_103_i_366_words_reach_siblings_at_once_and_nobody_else() {
    let (world, [one, two, three], stranger) = World::with_clade().await;
    let relay = world.relay().await;
    let mut links = [&one, &two, &three].map(|golem| world.link(golem, Some(&relay.name)));
    let mut foreign = world.link(&stranger, Some(&relay.name));
    until("three siblings are linked", || links.iter().all(|link| link.siblings() == Some(2))).await;
    until("the stranger is linked", || foreign.siblings() == Some(0)).await;

    links[0].say(WordKind::Warning, b"the pool is drained", world.now()).expect("said");
    for link in &mut links[1..] {
        let heard = hear(link, 1).await;
        assert_eq!((heard[0].from, heard[0].kind), (one.id(), WordKind::Warning));
        assert_eq!((heard[0].body.as_slice(), heard[0].at), (b"the pool is drained".as_slice(), world.now()));
    }
    links[1].say(WordKind::Acknowledgement, b"it was", world.now()).expect("said");
    foreign.say(WordKind::Batch, b"of another owner", world.now()).expect("said");
    assert_eq!(hear(&mut links[0], 1).await[0].from, two.id(), "never one's own");
    let heard = hear(&mut links[2], 2).await;
    assert_eq!(heard.iter().map(|one| one.kind).collect::<Vec<_>>(), [WordKind::Warning, WordKind::Acknowledgement]);
    links[2].taken(heard[0].place).expect("taken");
    assert_eq!(links[2].heard(9).expect("read"), heard[1..], "told until it is taken");
    // Whatever was meant for the stranger would have come before his own word was stored.
    let mut witness = Raw::hello(&world, &stranger, &relay.name).await.expect("in");
    assert_eq!(witness.pull(0).await.len(), 0);
    assert!(foreign.heard(9).expect("read").is_empty(), "I-103");
}

/// I-108, I-115: who was away six days catches up, a Golem born later too; after eight days it is gone. No relay, no harm.
#[tokio::test(flavor = "multi_thread")]
async fn i_108_i_115_six_days_away_catches_up_and_eight_does_not() {
    let (mut world, [one, two, three], _) = World::with_clade().await;
    let mut alone = world.link(&one, None);
    alone.say(WordKind::Batch, b"said without a relay", world.now()).expect("I-114");
    assert_eq!((alone.siblings(), alone.heard(9)), (None, Ok(Vec::new())), "I-114");
    drop(alone);

    let relay = world.relay().await;
    let mut first = world.link(&one, Some(&relay.name));
    first.say(WordKind::Batch, b"second", world.now()).expect("said");
    let mut witness = Raw::hello(&world, &two, &relay.name).await.expect("in");
    while witness.pull(0).await.len() < 2 {}
    drop(witness);

    world.pass(6 * DAY);
    let mut back = world.link(&two, Some(&relay.name));
    let heard = hear(&mut back, 2).await;
    // What the log has already is handed round a moment later: who links just then hears it before the page of what he missed.
    let bodies: BTreeSet<_> = heard.iter().map(|one| one.body.as_slice()).collect();
    assert_eq!(bodies, BTreeSet::from([b"said without a relay".as_slice(), b"second"]));
    let owner = one.owner.clone();
    let newborn = world.born(&owner).await;
    let mut heir = world.link(&newborn, Some(&relay.name));
    assert_eq!(hear(&mut heir, 2).await.len(), 2, "I-115");

    world.pass(2 * DAY);
    let mut late = world.link(&three, Some(&relay.name));
    first.say(WordKind::Batch, b"third", world.now()).expect("said");
    let heard = hear(&mut late, 1).await;
    assert_eq!(heard.iter().map(|one| one.body.as_slice()).collect::<Vec<_>>(), [b"third"], "W-31");
}

/// two relays stand on one cluster; who is linked to the one hears at once who is linked to the other.
#[tokio::test(flavor = "multi_thread")]
async fn r_041_two_relays_on_one_cluster_are_one() {
    let (world, [one, two, three], stranger) = World::with_clade().await;
    let nats = Nats::up();
    let mut relays = Vec::new();
    for _ in 0..2 {
        let log = NatsLog::connect(&nats.url(), NatsSettings::default()).await.expect("connected");
        let log = Arc::new(log);
        relays.push(world.relay_on(Arc::clone(&log) as _, log).await);
    }
    let mut here = world.link(&one, Some(&relays[0].name));
    let mut there = world.link(&two, Some(&relays[1].name));
    let mut foreign = world.link(&stranger, Some(&relays[1].name));
    until("all are linked", || [&here, &there, &foreign].iter().all(|link| link.siblings().is_some())).await;
    here.say(WordKind::Warning, b"danger", world.now()).expect("said");
    assert_eq!(hear(&mut there, 1).await[0].body, b"danger");
    there.say(WordKind::Batch, b"thanks", world.now()).expect("said");
    assert_eq!(hear(&mut here, 1).await[0].body, b"thanks");
    // Another relay, the same log: nobody hears twice.
    drop(there);
    let mut moved = world.link(&two, Some(&relays[0].name));
    here.say(WordKind::Batch, b"again", world.now()).expect("said");
    assert_eq!(hear(&mut moved, 2).await.len(), 2);
    let mut late = world.link(&three, Some(&relays[1].name));
    assert_eq!(hear(&mut late, 3).await.len(), 3, "I-108");
    assert!(foreign.heard(9).expect("read").is_empty());

    // I-326. What is in the air at one is in the air at the other.
    here.leave(&threat(), world.now()).expect("kept");
    let sensed = sense(&world, &mut late, |scents| !scents.is_empty()).await;
    assert_eq!((sensed[0].class, sensed[0].confirmations), (Class::Threat, 0));
    moved.leave(&threat(), world.now()).expect("kept");
    sense(&world, &mut late, |scents| scents.iter().any(|scent| scent.confirmations == 1)).await;
}

const AIR: [Domain; 2] = [Domain::GasMev, Domain::Yield];

fn threat() -> Sign {
    Sign { class: Class::Threat, intensity: Ppm::of(800_000), domain: Domain::GasMev, regime: Some(Regime::Bear) }
}

/// Breathes, a second at a time, until that is in the air.
async fn sense(world: &World, link: &mut CladeLink, is_so: impl Fn(&[Scent]) -> bool) -> Vec<Scent> {
    let mut scents = Vec::new();
    until("it is in the air", || {
        world.pass(1);
        scents = link.sense(&AIR, Some(Regime::Bear), world.now());
        is_so(&scents)
    })
    .await;
    scents
}

/// I-320, I-323 to I-326: what one leaves a sibling senses, a second confirms it, and nobody learns who; of another owner, of another
/// regime and of one's own nothing is sensed. A sign that was left without a relay waits for one, and fades meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn i_323_a_sign_is_sensed_by_siblings_and_confirmed() {
    let (world, [one, two, three], stranger) = World::with_clade().await;
    let mut alone = world.link(&one, None);
    alone.leave(&threat(), world.now()).expect("I-114: it waits");
    assert!(alone.sense(&AIR, Some(Regime::Bear), world.now()).is_empty());
    drop(alone);
    world.pass(2 * 3_600);
    let relay = world.relay().await;
    let mut links = [&one, &two, &three].map(|golem| world.link(golem, Some(&relay.name)));
    let mut foreign = world.link(&stranger, Some(&relay.name));
    until("all are linked", || links.iter().chain([&foreign]).all(|link| link.siblings().is_some())).await;
    let [first, second, third] = &mut links;
    let sensed = sense(&world, second, |scents| !scents.is_empty()).await;
    assert_eq!(sensed.len(), 1);
    assert_eq!((sensed[0].domain, sensed[0].class, sensed[0].confirmations), (Domain::GasMev, Class::Threat, 0));
    assert!((200_000..=400_000).contains(&sensed[0].intensity.get()), "I-322: two hours ago: {sensed:?}");
    let at_two = second.sense(&AIR, None, world.now());
    assert!(at_two.is_empty(), "of another regime nothing is known yet");

    third.leave(&threat(), world.now()).expect("kept");
    let sensed = sense(&world, second, |scents| scents.iter().any(|scent| scent.confirmations == 1)).await;
    let told = format!("{sensed:?}");
    for golem in [&one, &two, &three] {
        assert!(!told.contains(&format!("{:x}", golem.vault)), "I-320: {told}");
    }
    sense(&world, first, |scents| scents.iter().any(|scent| scent.confirmations == 1)).await;
    foreign.leave(&threat(), world.now()).expect("kept");
    let other = Sign { domain: Domain::Yield, class: Class::Wisdom, ..threat() };
    first.leave(&other, world.now()).expect("kept");
    sense(&world, second, |scents| scents.iter().any(|scent| scent.class == Class::Wisdom)).await;
    let mut raw = Raw::hello(&world, &stranger, &relay.name).await.expect("in");
    assert!(raw.sense().await.is_empty(), "I-320, I-326: neither another owner's nor its own");
}
