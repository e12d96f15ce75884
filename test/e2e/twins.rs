//! A memory that is older than the chain, and a life that is lived twice.

use golem_chain::Stands;
use golem_core::record::Event;
use golem_ports::{Attempts as _, ChainError, Store as _, TAKE_OVER_NOTE};
use golem_primitives::Tick;
use golem_runtime::{Remedy, RuntimeError};
use golem_store::insurance;

use crate::world::{Born, Ground, Living, Nature, Town, live_to, resume};

/// How long it lives before its memory is copied, and behind that.
const EARLY: u64 = 40;
const LATE: u64 = 120;

async fn grown() -> (Town, Born) {
    let (town, born) = Town::with(Ground::default(), "ada", &Nature::acting_by("mean-reversion")).await;
    town.live_to(&born, EARLY).await;
    (town, born)
}

/// A start as `bardo golem run` makes it: held against the chain first.
async fn begin(town: &Town, born: &Born, known: u64) -> Result<(Living, Stands), ChainError> {
    let hand = town.hand(born, &town.running.rpc_url).await;
    let mut store = born.memory();
    let stands = hand.reckon(&mut store, Tick::new(known)).await?;
    Ok((resume(hand, store, town.pace(), born.runtime()), stands))
}

/// a memory that is older than what its key did is refused, whatever made it old; by its owner's word the life
/// goes on from it, does nothing again that it may have done, and is level with the chain from there.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_an_old_memory_is_refused_until_its_owner_takes_it_over() {
    let (town, born) = grown().await;
    let copy = born.folder.join("early.sqlite");
    let store = born.memory();
    let early = store.highest_nonce(born.key.address()).expect("read").map_or(0, |nonce| nonce + 1);
    store.reader().export(&copy).expect("room");
    drop(store);
    let (mut living, stands) = begin(&town, &born, EARLY).await.expect("level");
    assert_eq!(stands, Stands::Level);
    live_to(&mut living, LATE).await;
    drop(living);
    let late = born.memory().highest_nonce(born.key.address()).expect("read").map_or(0, |nonce| nonce + 1);
    assert!(late > early + 1, "{early}, {late}: it did something meanwhile");
    // The file comes back as an old backup does: nobody said that it shall be lived.
    insurance::restore(&copy, &born.store(), &born.id).expect("sealed");
    born.memory().set_note(TAKE_OVER_NOTE, "").expect("on disk");
    match begin(&town, &born, EARLY).await.map(|(_, stands)| stands) {
        Err(ChainError::Astray { used, known, .. }) => assert_eq!((used, known), (late, early)),
        other => panic!("{other:?}"),
    }
    assert!(insurance::accept(&born.store(), &born.id).expect("sound").is_empty());
    let (mut living, stands) = begin(&town, &born, EARLY).await.expect("taken over");
    assert!(matches!(stands, Stands::TakenOver { unknown, .. } if unknown == late - early), "{stands:?}");
    live_to(&mut living, LATE).await;
    drop(living);
    assert_eq!(born.told(|event| matches!(event, Event::PaymentsPaused)), 0, "its books begin again");
    let (_, stands) = begin(&town, &born, LATE).await.expect("level again");
    assert_eq!(stands, Stands::Level);
    born.replayed();
}

/// of two processes that live one life, one notices what the other did and does nothing more.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_a_life_that_is_lived_twice_stops() {
    let (town, born) = grown().await;
    let (mut one, _) = begin(&town, &born, EARLY).await.expect("level");
    let folder = tempfile::tempdir().expect("a folder");
    let mut twin = born.clone();
    twin.folder = folder.path().to_owned();
    let copy = folder.path().join("copy");
    one.store().reader().export(&copy).expect("room");
    insurance::restore(&copy, &twin.store(), &twin.id).expect("sealed");
    let (mut two, stands) = begin(&town, &twin, EARLY).await.expect("level so far");
    assert_eq!(stands, Stands::Level);
    let sent = |living: &Living| living.store().highest_nonce(born.key.address()).expect("read");
    let before = sent(&one);
    live_to(&mut one, LATE).await;
    assert!(sent(&one) > before, "the first one acts");
    let knew = sent(&two);
    match two.tick().await {
        Err(RuntimeError::Unsafe(ChainError::Astray { used, known, .. })) => assert!(used > known, "{used}, {known}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(sent(&two), knew, "it signed nothing");
    assert_eq!(two.tick().await.expect_err("nor does it go on").remedy(), Remedy::Nothing);
}
