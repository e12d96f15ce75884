//! A life that buys: beside its ticks, under one name, and with what it may have cost booked.

use std::path::Path;
use std::sync::{Arc, Mutex};

use golem_core::record::{
    Bought, CostSource, EffectKind, Excerpt, Offered, Offers, OutcomeResult, Partition, PurchaseOccasion, SourceKind,
    SourceName, Unbought,
};
use golem_ports::{
    Authorisation, Buyer, Delivery, Goods, Payment, PaymentReceipt, PaymentState, Payments as _, Purchased,
    WantedPurchase,
};
use golem_primitives::{Address, B256, EffectId, Usdc, UtcTime, keccak256};
use golem_runtime::Shopper;
use golem_store::SqliteStore;
use tokio::sync::Notify;

use crate::departed::die_within;
use crate::fake::{self, BIRTH, FakeChain, Lived, born, live, relived, reopen, resume};

const PRICE: Usdc = Usdc::from_micros(4_000);

/// What a buyer behind the port does.
#[derive(Debug, Clone, Copy)]
enum Manner {
    Serves,
    /// Not over before it was asked this often.
    PendsUntil(usize),
    Cheats,
    Hangs,
    /// Pays once it is let.
    PaysLate,
    Panics,
}

#[derive(Debug, Clone)]
struct Script {
    manner: Manner,
    asked: Arc<Mutex<Vec<EffectId>>>,
    reconciled: Arc<Mutex<usize>>,
    gate: Arc<Notify>,
    paid: Arc<Mutex<usize>>,
}

impl Script {
    fn new(manner: Manner) -> Self {
        Self { manner, asked: Arc::default(), reconciled: Arc::default(), gate: Arc::default(), paid: Arc::default() }
    }

    fn asked(&self) -> Vec<EffectId> {
        self.asked.lock().expect("free").clone()
    }
}

fn served(source: SourceName) -> Purchased {
    let bought = Bought {
        source,
        host: "a:443".to_owned(),
        bytes: 4,
        digest: keccak256("rain"),
        excerpt: Excerpt::from("rain"),
        reading: None,
        receipt: Some(B256::repeat_byte(9)),
    };
    Purchased::Served { bought: Box::new(bought), paid: PRICE }
}

impl Buyer for Script {
    fn offers(&self) -> Offers {
        let offered = Offered {
            name: SourceName::new("weather").expect("a name"),
            kind: SourceKind::Text,
            host: "a:443".to_owned(),
            at_most: Usdc::from_micros(5_000),
            every_seconds: 200,
            when: PurchaseOccasion::Always,
        };
        Offers {
            sources: [offered].into_iter().collect(),
            per_day: Usdc::from_micros(100_000),
            call_cap: Usdc::whole(1),
            float_cap: Usdc::whole(2),
        }
    }

    async fn buy(&mut self, wanted: WantedPurchase) -> Purchased {
        self.asked.lock().expect("free").push(wanted.effect);
        let times = self.asked().iter().filter(|effect| **effect == wanted.effect).count();
        match self.manner {
            Manner::PendsUntil(enough) if times < enough => Purchased::Pending,
            Manner::Serves | Manner::PendsUntil(_) => served(wanted.source),
            Manner::Cheats => {
                let until = UtcTime::from_seconds((wanted.now.day() + 1) * UtcTime::DAY_SECONDS);
                Purchased::Unserved { why: Unbought::Cheated { until }, paid: PRICE }
            }
            Manner::PaysLate => {
                self.gate.notified().await;
                *self.paid.lock().expect("free") += 1;
                served(wanted.source)
            }
            Manner::Hangs => std::future::pending().await,
            Manner::Panics => panic!("as the script says"),
        }
    }

    async fn reconcile(&mut self) {
        *self.reconciled.lock().expect("free") += 1;
    }
}

fn begun(dir: &Path, manner: Manner) -> (Lived, FakeChain, Script) {
    let (chain, script) = (FakeChain::default(), Script::new(manner));
    let mut runtime = resume(dir, "ada", born(dir, "ada"), &chain);
    runtime.provide(Shopper::hire(script.clone()));
    (runtime, chain, script)
}

const fn is_buy(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Buy { .. })
}

/// What came of purchases, and for how much of what is kept for data.
fn outcomes(store: &SqliteStore) -> Vec<(EffectId, Option<Usdc>, OutcomeResult)> {
    let told = fake::outcomes(store, is_buy).into_iter().map(|outcome| {
        let cost = outcome.cost.map(|(source, cost)| {
            assert_eq!(source, CostSource::Data);
            cost
        });
        (outcome.effect, cost, outcome.result)
    });
    told.collect()
}

/// Lives until its buyer is asked.
async fn until_asked(runtime: &mut Lived, buyer: &Script) {
    while buyer.asked().is_empty() {
        live(runtime, 1).await;
    }
}

fn open_buy(runtime: &Lived) -> Option<EffectId> {
    runtime.open_effects().iter().find(|open| is_buy(&open.effect.kind)).map(|open| open.effect.id)
}

/// what is bought comes beside the ticks, is journaled with its cost and replays without anybody being asked;
/// what was drawn for it stands in the book of the float.
#[tokio::test]
async fn r_033_a_purchase_is_recorded_input() {
    let dir = tempfile::tempdir().expect("a folder");
    let (mut runtime, _, script) = begun(dir.path(), Manner::Serves);
    live(&mut runtime, 40).await;
    let known = outcomes(runtime.store());
    assert!(known.len() > 2 && known.iter().all(|(_, cost, _)| *cost == Some(PRICE)), "{known:?}");
    let effects: Vec<_> = known.iter().map(|(effect, ..)| *effect).collect();
    assert_eq!(script.asked()[..effects.len()], effects, "each is asked for once");
    let book = runtime.store().float_book().expect("read");
    assert_eq!(book.drawn[Partition::Data as usize], Usdc::from_micros(100_000));
    assert!(*script.reconciled.lock().expect("free") > 20, "R-021: each tick looks after what is open");
    let hash = runtime.life().hash();
    let again = relived(runtime.store());
    assert_eq!((again.life.hash(), again.compared), (hash, 80));
    let metrics = runtime.telemetry().metrics().encode();
    let line = format!("golem_purchases_total{{golem=\"ada\",source=\"weather\"}} {}", known.len());
    assert!(metrics.contains(&line), "{metrics}");
    assert!(metrics.contains("golem_data_cost_usdc_total"), "{metrics}");
}

/// a purchase cut off is asked for again under its own name, and is one outcome.
#[tokio::test]
async fn r_021_a_purchase_cut_off_keeps_its_name() {
    let dir = tempfile::tempdir().expect("a folder");
    let (mut runtime, chain, silent) = begun(dir.path(), Manner::Hangs);
    until_asked(&mut runtime, &silent).await;
    live(&mut runtime, 5).await;
    assert_eq!(silent.asked().len(), 1, "who is asked is not asked again");
    drop(runtime);
    let mut runtime = resume(dir.path(), "ada", reopen(dir.path(), "ada"), &chain);
    let again = Script::new(Manner::PendsUntil(3));
    runtime.provide(Shopper::hire(again.clone()));
    live(&mut runtime, 8).await;
    let effect = silent.asked()[0];
    assert_eq!(again.asked()[..3], [effect; 3], "what is not over is asked for again, once a tick");
    let known = outcomes(runtime.store());
    assert_eq!(known.iter().filter(|(of, ..)| *of == effect).count(), 1, "{known:?}");
    assert!(matches!(&known[0], (of, Some(PRICE), OutcomeResult::Bought(_)) if *of == effect), "{known:?}");
}

/// A payment of an effect, given away and not heard of again.
fn given_away(effect: EffectId) -> Payment {
    Payment {
        effect,
        partition: Partition::Data,
        host: "a:443".to_owned(),
        authorisation: Authorisation {
            payee: Address::repeat_byte(1),
            amount: PRICE,
            valid_before: UtcTime::from_seconds(BIRTH + 600),
            nonce: B256::repeat_byte(2),
        },
        at: UtcTime::from_seconds(BIRTH),
        version: 2,
        header: "header".to_owned(),
        state: PaymentState::Open,
        delivery: Delivery::Awaited,
    }
}

/// with nobody left to go on with a purchase, what was given away is booked whole and what was not costs nothing.
#[tokio::test]
async fn r_031_what_nobody_can_tell_is_booked_whole() {
    for (is_given, expected) in [(true, Some(PRICE)), (false, None)] {
        let dir = tempfile::tempdir().expect("a folder");
        let (mut runtime, chain, silent) = begun(dir.path(), Manner::Hangs);
        until_asked(&mut runtime, &silent).await;
        drop(runtime);
        let mut store = reopen(dir.path(), "ada");
        if is_given {
            store.intend(&given_away(silent.asked()[0])).expect("on disk");
        }
        let mut runtime = resume(dir.path(), "ada", store, &chain);
        live(&mut runtime, 2).await;
        let known = outcomes(runtime.store());
        let why = if is_given { Unbought::Unknown } else { Unbought::Refused };
        assert_eq!(known, [(silent.asked()[0], expected, OutcomeResult::Unbought(why))]);
        assert_eq!(runtime.life().data_purchases().map(|bought| bought.offers.clone()), Some(Offers::default()));
    }
}

/// goods that were paid, served and kept are bought, though nobody is left who bought them.
#[tokio::test]
async fn r_031_what_lies_on_disk_was_bought() {
    let dir = tempfile::tempdir().expect("a folder");
    let (mut runtime, chain, silent) = begun(dir.path(), Manner::Hangs);
    until_asked(&mut runtime, &silent).await;
    drop(runtime);
    let (mut store, effect) = (reopen(dir.path(), "ada"), silent.asked()[0]);
    let payment = given_away(effect);
    store.intend(&payment).expect("on disk");
    let answer = Goods { media: "text/plain".to_owned(), body: b"rain".to_vec() };
    let receipt = PaymentReceipt { tx: Some(B256::repeat_byte(9)), payer: None, network: "eip155:8453".to_owned() };
    store.served(payment.authorisation.nonce, Some(&receipt), &answer).expect("on disk");
    let mut runtime = resume(dir.path(), "ada", store, &chain);
    live(&mut runtime, 2).await;
    let Purchased::Served { bought, .. } = served(SourceName::new("weather").expect("a name")) else { unreachable!() };
    assert_eq!(outcomes(runtime.store()), [(effect, Some(PRICE), OutcomeResult::Bought(bought))]);
}

/// a cheat is an event and a metric, and is left alone; a buyer that dies stops no life.
#[tokio::test]
async fn r_033_cheats_are_counted_and_a_buyer_that_dies_stops_no_life() {
    let dir = tempfile::tempdir().expect("a folder");
    let (mut runtime, _, script) = begun(dir.path(), Manner::Cheats);
    live(&mut runtime, 60).await;
    assert_eq!(script.asked().len(), 1, "nothing more that day");
    let metrics = runtime.telemetry().metrics().encode();
    assert!(metrics.contains("golem_cheated_total{golem=\"ada\",source=\"weather\"} 1"), "{metrics}");
    assert!(metrics.contains("golem_events_total{golem=\"ada\",name=\"golem.data_cheated\"} 1"), "{metrics}");
    let dir = tempfile::tempdir().expect("a folder");
    let (mut runtime, ..) = begun(dir.path(), Manner::Panics);
    live(&mut runtime, 30).await;
    assert!(runtime.life().is_alive() && open_buy(&runtime).is_none());
    let offered = runtime.life().data_purchases().map(|bought| bought.offers.sources.len());
    assert_eq!(offered, Some(0), "it is told that it is gone");
}

/// T-003, R-031: the dying buy nothing, and nothing of theirs stays open.
#[tokio::test]
async fn t_003_a_death_waits_for_no_seller() {
    let dir = tempfile::tempdir().expect("a folder");
    let (mut runtime, chain, silent) = begun(dir.path(), Manner::Hangs);
    until_asked(&mut runtime, &silent).await;
    die_within(&mut runtime, &chain, 40).await;
    assert!(runtime.life().death().is_some() && open_buy(&runtime).is_none());
    assert!(matches!(&outcomes(runtime.store())[..], [(_, None, OutcomeResult::Unbought(Unbought::Refused))]));
}

/// T-003, R-031: what is booked as never paid is never paid: nobody goes on buying for the dying.
#[tokio::test]
async fn t_003_nobody_pays_for_the_dying() {
    let dir = tempfile::tempdir().expect("a folder");
    let (mut runtime, chain, late) = begun(dir.path(), Manner::PaysLate);
    until_asked(&mut runtime, &late).await;
    chain.set(|script| script.is_dying = true);
    while outcomes(runtime.store()).is_empty() {
        runtime.tick().await.expect("dies");
    }
    late.gate.notify_one();
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    assert_eq!(*late.paid.lock().expect("free"), 0);
    assert!(!runtime.life().is_alive());
}
