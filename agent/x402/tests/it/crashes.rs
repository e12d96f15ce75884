//! killed at any moment, a purchase is paid at most once and gone on with.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use alloy::primitives::Address;
use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use golem_core::record::{Partition, PurchaseOccasion, SourceKind, SourceName, Unbought};
use golem_ports::{
    Buyer, Delivery, Float, FloatBook, FloatPlace, Goods, Payment, PaymentReceipt, PaymentState, Payments, Purchased,
    StoreError, WantedPurchase,
};
use golem_primitives::{B256, EffectId, Usdc, UtcTime};
use golem_store::SqliteStore;
use golem_x402::{PaidSource, Purchase, PurchaseBounds, PurchaseError, SourceMarket};
use tokio::sync::oneshot;

use crate::sellers::{Runs, Seller, ask, field, terms};
use crate::selling::{INSIGHTS, Shelf, VAULT, open, stall};
use crate::town::{Town, clock, purchase};

const PRICE: Usdc = Usdc::from_micros(5_000);
const PAYEE: Address = Address::repeat_byte(0x42);

/// Where a process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Death {
    /// Right after an authorisation is on disk.
    Intended,
    /// Right before what was bought is.
    Answered,
}

/// A memory whose process dies.
struct Dying(SqliteStore, Death);

fn killed<T>() -> Result<T, StoreError> {
    Err(StoreError::Failed { path: "memory".into(), detail: "killed".to_owned() })
}

impl Payments for Dying {
    fn intend(&mut self, payment: &Payment) -> Result<(), StoreError> {
        self.0.intend(payment)?;
        if self.1 == Death::Intended { killed() } else { Ok(()) }
    }
    fn payment_of(&self, effect: EffectId) -> Result<Option<Payment>, StoreError> {
        self.0.payment_of(effect)
    }
    fn open_payments(&self) -> Result<Vec<Payment>, StoreError> {
        self.0.open_payments()
    }
    fn conclude(&mut self, nonce: B256, state: PaymentState) -> Result<(), StoreError> {
        self.0.conclude(nonce, state)
    }
    fn served(&mut self, nonce: B256, receipt: Option<&PaymentReceipt>, answer: &Goods) -> Result<(), StoreError> {
        if self.1 == Death::Answered { killed() } else { self.0.served(nonce, receipt, answer) }
    }
    fn unserved(&mut self, nonce: B256, why: &str, bar: Option<UtcTime>) -> Result<(), StoreError> {
        self.0.unserved(nonce, why, bar)
    }
    fn spent_on(&self, day: u64) -> Result<Usdc, StoreError> {
        self.0.spent_on(day)
    }
    fn barred_until(&self, host: &str) -> Result<Option<UtcTime>, StoreError> {
        self.0.barred_until(host)
    }
    fn payee_of(&self, host: &str) -> Result<Option<Address>, StoreError> {
        self.0.payee_of(host)
    }
    fn drew(&mut self, effect: EffectId, partition: Partition, amount: Usdc) -> Result<(), StoreError> {
        self.0.drew(effect, partition, amount)
    }
    fn float_book(&self) -> Result<FloatBook, StoreError> {
        self.0.float_book()
    }
}

#[tokio::test]
async fn r_021_killed_between_record_and_send_the_same_authorisation_is_sent_once() {
    let town = Town::up().await;
    let runs = Runs::default();
    let seller = field(&town.facilitator.url(), town.float().await.place(), PAYEE, runs.clone()).await;
    let wanted = purchase(&seller.url("/v2"));
    let mut dying = Dying(town.memory(), Death::Intended);
    let killed = town.payer(&[&seller.host()]).await.buy(&wanted, &mut dying).await.expect_err("killed");
    assert!(matches!(killed, PurchaseError::Store(_)), "{killed}");
    drop(dying);
    assert_eq!(town.usdc_of(PAYEE).await, Usdc::ZERO);

    let mut memory = town.memory();
    let recorded = memory.payment_of(wanted.effect).expect("readable").expect("on disk before it was sent");
    let bought = town.payer(&[&seller.host()]).await.buy(&wanted, &mut memory).await.expect("gone on with");
    assert_eq!((bought.paid, runs.count()), (PRICE, 1));
    let known = memory.payment_of(wanted.effect).expect("readable").expect("the same one");
    assert_eq!((known.authorisation, known.header), (recorded.authorisation, recorded.header));
    assert_eq!(town.usdc_of(PAYEE).await, PRICE);
}

/// A server behind a door that keeps the first paid answer back: for ever once it has told, or by hanging up.
async fn behind(target: String, cut: bool) -> (Seller, oneshot::Receiver<()>) {
    let (arrived, waiting) = oneshot::channel();
    let arrived = Arc::new(Mutex::new(Some(arrived)));
    let handler = move |headers: HeaderMap| {
        let (arrived, target) = (Arc::clone(&arrived), target.clone());
        async move {
            let mut asking = reqwest::Client::new().get(&target);
            let paying = headers.get("payment-signature").cloned();
            if let Some(header) = &paying {
                asking = asking.header("payment-signature", header);
            }
            let answer = asking.send().await.expect("the field's server");
            let (status, headers) = (answer.status(), answer.headers().clone());
            let body = answer.bytes().await.expect("whole");
            let first = arrived.lock().expect("not poisoned").take_if(|_| paying.is_some());
            if let Some(first) = first {
                // The money is taken; the answer never leaves.
                let _ = first.send(());
                if cut {
                    std::panic::resume_unwind(Box::new("cut"));
                }
                std::future::pending::<()>().await;
            }
            (status, headers, body).into_response()
        }
    };
    (Seller::open(Router::new().route("/", get(handler))).await, waiting)
}

#[tokio::test]
async fn r_021_killed_between_send_and_answer_nothing_is_paid_again() {
    let town = Town::up().await;
    let runs = Runs::default();
    let inner = field(&town.facilitator.url(), town.float().await.place(), PAYEE, runs.clone()).await;
    let (seller, taken) = behind(inner.url("/v2"), false).await;
    let payer = town.payer(&[&seller.host()]).await;
    let wanted = purchase(&seller.url("/"));
    let mut memory = town.memory();
    tokio::select! {
        biased;
        bought = payer.buy(&wanted, &mut memory) => panic!("it was to be killed: {bought:?}"),
        told = taken => told.expect("the server took the money"),
    }
    drop((payer, memory));
    assert_eq!(town.usdc_of(PAYEE).await, PRICE);

    let mut memory = town.memory();
    let payer = town.payer(&[&seller.host()]).await;
    for _ in 0..2 {
        let lost = payer.buy(&wanted, &mut memory).await.expect_err("the field's server gives nothing twice");
        assert!(matches!(lost, PurchaseError::Unserved { .. }), "{lost}");
    }
    let known = memory.payment_of(wanted.effect).expect("readable").expect("recorded");
    assert_eq!(known.state, PaymentState::Settled);
    assert!(matches!(known.delivery, Delivery::Unserved { .. }));
    assert_eq!((town.usdc_of(PAYEE).await, runs.count()), (PRICE, 1), "once");
}

/// a Golem that buys from a Golem and dies over the answer is given it again, for nothing.
#[tokio::test]
async fn r_021_killed_over_the_answer_a_golem_is_given_it_again() {
    let town = Town::up().await;
    let vault = town.vault().await;
    let shelf = Shelf::default();
    let payee = open(&town, vault, &shelf).await;
    let wanted = purchase(&format!("{}/insights", payee.url()));
    let before = town.usdc_of(vault).await;
    let host = payee.address().to_string();
    let mut dying = Dying(town.memory(), Death::Answered);
    let killed = town.payer(&[&host]).await.buy(&wanted, &mut dying).await.expect_err("killed");
    assert!(matches!(killed, PurchaseError::Store(_)), "{killed}");
    drop(dying);
    let mut memory = town.memory();
    let bought = town.payer(&[&host]).await.buy(&wanted, &mut memory).await.expect("given again");
    assert_eq!((bought.answer.body.as_slice(), shelf.runs.count()), (&b"insight 1"[..], 1));
    let paid = town.usdc_of(vault).await.saturating_sub(before);
    assert_eq!((bought.paid, paid), (INSIGHTS, INSIGHTS));
    assert_eq!(memory.payment_of(wanted.effect).expect("readable").expect("one").state, PaymentState::Settled);
}

/// an answer that is cut off after the payment is asked for once more, with the same payment.
#[tokio::test]
async fn r_033_an_answer_cut_off_after_payment_is_asked_for_once_more() {
    let (town, shelf, payee) = stall().await;
    let (seller, taken) = behind(format!("{}/insights", payee.url()), true).await;
    let wanted = purchase(&seller.url("/"));
    let mut memory = town.memory();
    let bought = town.payer(&[&seller.host()]).await.buy(&wanted, &mut memory).await.expect("given again");
    taken.await.expect("the first answer was cut off");
    assert_eq!((bought.answer.body.as_slice(), shelf.runs.count()), (&b"insight 1"[..], 1));
    assert_eq!(town.usdc_of(VAULT).await, INSIGHTS, "paid once");
    assert_eq!(memory.barred_until(&seller.host()).expect("readable"), None);
}

/// an authorisation nobody took stays the same until it has run out on chain; then its part of the day is free
/// again and the purchase begins anew.
#[tokio::test]
async fn r_033_what_was_not_taken_is_offered_again_and_runs_out() {
    let town = Town::up().await;
    let float = town.float().await;
    let (asked, shown) = (terms(float.place(), PAYEE, "5000"), Arc::new(Mutex::new(Vec::<String>::new())));
    let headers = Arc::clone(&shown);
    let handler = move |sent: HeaderMap| {
        let (asked, headers) = (asked.clone(), Arc::clone(&headers));
        async move {
            match sent.get("payment-signature") {
                Some(header) => {
                    headers.lock().expect("not poisoned").push(header.to_str().expect("text").to_owned());
                    StatusCode::BAD_GATEWAY.into_response()
                }
                None => ask(&asked),
            }
        }
    };
    let seller = Seller::open(Router::new().route("/", get(handler))).await;
    let payer = town.payer_with(&[&seller.host()], |settings| settings.per_day = Usdc::from_micros(9_999)).await;
    let mut memory = town.memory();
    let wanted = purchase(&seller.url("/"));
    for _ in 0..2 {
        let refused = payer.buy(&wanted, &mut memory).await.expect_err("not served");
        assert!(matches!(&refused, PurchaseError::NotTaken { .. }) && refused.may_retry(), "{refused}");
        assert_eq!(refused.spent(), Usdc::ZERO);
    }
    {
        let shown = shown.lock().expect("not poisoned");
        assert!(shown.len() == 2 && shown[0] == shown[1], "the same leave twice is one leave");
    }
    // While it may be taken it counts.
    let other = payer.buy(&purchase(&seller.url("/")), &mut memory).await.expect_err("the day's cap");
    assert!(matches!(other, PurchaseError::DayCap { .. }), "{other}");
    assert!(payer.reconcile(&mut memory).await.is_ok());
    assert_eq!(memory.open_payments().expect("readable").len(), 1);

    town.set_time(clock().plus(Duration::from_secs(700))).await;
    payer.reconcile(&mut memory).await.expect("seen");
    let known = memory.payment_of(wanted.effect).expect("readable").expect("recorded");
    assert_eq!((known.state, memory.open_payments().expect("readable").len()), (PaymentState::Void, 0));
    assert_eq!(memory.spent_on(clock().day()).expect("readable"), Usdc::ZERO);
    let mut wanted = wanted;
    wanted.now = clock().plus(Duration::from_secs(700));
    let over = payer.buy(&wanted, &mut memory).await.expect_err("it had its time");
    assert!(matches!(over, PurchaseError::RanOut { .. }) && !over.may_retry(), "{over}");
    assert_eq!(shown.lock().expect("not poisoned").len(), 2, "an effect gives leave once");
    let another = Purchase { now: wanted.now, ..purchase(&seller.url("/")) };
    let anew = payer.buy(&another, &mut memory).await.expect_err("still not served");
    assert!(matches!(anew, PurchaseError::NotTaken { .. }), "{anew}");
    assert_eq!(town.usdc_of(PAYEE).await, Usdc::ZERO);
    let shown = shown.lock().expect("not poisoned");
    assert!(shown.len() == 3 && shown[2] != shown[0], "a new leave under a new name");
}

/// What sells nothing: it asks for a payment and never takes it.
async fn never_takes(place: &FloatPlace) -> Seller {
    let asked = terms(place, PAYEE, "5000");
    let handler = move |sent: HeaderMap| {
        let asked = asked.clone();
        async move {
            if sent.contains_key("payment-signature") { StatusCode::BAD_GATEWAY.into_response() } else { ask(&asked) }
        }
    };
    Seller::open(Router::new().route("/", get(handler))).await
}

/// a purchase whose payment nobody takes ends when it has run out, and one whose source the owner moved ends
/// at once with what may still be taken.
#[tokio::test]
async fn r_033_a_purchase_nobody_takes_the_money_of_comes_to_an_end() {
    let town = Town::up().await;
    let float = town.float().await;
    let (seller, other) = (never_takes(float.place()).await, never_takes(float.place()).await);
    let hosts = [seller.host(), other.host()];
    let source = PaidSource {
        name: SourceName::new("weather").expect("a name"),
        url: seller.url("/"),
        kind: SourceKind::Text,
        field: String::new(),
        at_most: PRICE,
        every_seconds: 60,
        when: PurchaseOccasion::Always,
    };
    let bounds = PurchaseBounds { per_day: Usdc::whole(1), call_cap: Usdc::whole(1), float_cap: Usdc::whole(2) };
    let moved = PaidSource { url: other.url("/"), ..source.clone() };
    let hosts = [hosts[0].as_str(), hosts[1].as_str()];
    let mut market = SourceMarket::new(town.payer(&hosts).await, town.memory(), vec![source.clone()], bounds);
    let Purchase { effect, now, .. } = purchase(&source.url);
    let mut wanted = WantedPurchase { effect, source: source.name, at_most: PRICE, now };
    assert_eq!(market.buy(wanted).await, Purchased::Pending, "it may still be taken");
    drop(market);

    let mut elsewhere = SourceMarket::new(town.payer(&hosts).await, town.memory(), vec![moved.clone()], bounds);
    let unknown = Purchased::Unserved { why: Unbought::Unknown, paid: PRICE };
    assert_eq!(elsewhere.buy(wanted).await, unknown, "the owner moved it");
    drop(elsewhere);
    let mut unlisted = SourceMarket::new(town.payer(&hosts[1..]).await, town.memory(), vec![source.clone()], bounds);
    assert_eq!(unlisted.buy(wanted).await, unknown, "the owner no longer lists it");
    drop(unlisted);

    town.set_time(clock().plus(Duration::from_secs(700))).await;
    wanted.now = clock().plus(Duration::from_secs(700));
    let mut market = SourceMarket::new(town.payer(&hosts).await, town.memory(), vec![source], bounds);
    let refused = Purchased::Unserved { why: Unbought::Refused, paid: Usdc::ZERO };
    for _ in 0..2 {
        assert_eq!(market.buy(wanted).await, refused);
    }
    drop(market);
    let mut elsewhere = SourceMarket::new(town.payer(&hosts).await, town.memory(), vec![moved], bounds);
    assert_eq!(elsewhere.buy(wanted).await, refused);
    drop(elsewhere);
    assert_eq!(town.memory().open_payments().expect("readable").len(), 0, "nothing new was given away");
}
