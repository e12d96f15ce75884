//! A Golem that buys data over x402 on a real chain: real server, real facilitator, real USDC.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alloy::primitives::Address;
use golem_chain::bindings::IVault;
use golem_chain::{KeyFloat, Signer};
use golem_core::record::{CostSource, Event, Missed, PurchaseMade, PurchaseOccasion, SourceKind, SourceName, Unbought};
use golem_devnet::Facilitator;
use golem_ports::{Delivery, Float as _, Goods, Payment, PaymentState};
use golem_primitives::{EffectId, Usdc};
use golem_runtime::Shopper;
use golem_store::{Reader, StoredEvent};
use golem_x402::{
    Counter, Good, Listed, PaidSource, Payee, PayeeSettings, Payer, PayerSettings, PriceList, PurchaseBounds,
    SetOnSale, SourceMarket, Taken, Wares,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::sellers::{Runs, Seller, field};
use crate::world::{Born, Ground, Living, Nature, Town};

/// What the field's server asks.
const PRICE: Usdc = Usdc::from_micros(5_000);
const PAYEE: Address = Address::repeat_byte(0x42);
const CHEAT: Address = Address::repeat_byte(0x43);

fn source(name: &str, url: String, at_most: Usdc) -> PaidSource {
    let name = SourceName::new(name).expect("a name");
    let (kind, field, when) = (SourceKind::Text, String::new(), PurchaseOccasion::Always);
    PaidSource { name, url, kind, field, at_most, every_seconds: 300, when }
}

async fn float(town: &Town, born: &Born) -> KeyFloat {
    let endpoints = town.endpoints(&town.running.rpc_url).await;
    KeyFloat::open(endpoints, Signer::Local(born.key.clone()), &town.deployment).await.expect("a float")
}

fn payments(born: &Born) -> Vec<Payment> {
    born.reader().last_payments(10_000).expect("payments")
}

fn is_awaited(born: &Born) -> bool {
    payments(born).iter().any(|payment| payment.delivery == Delivery::Awaited && payment.state == PaymentState::Open)
}

/// One tick, and blocks until whoever settles has settled.
async fn tick(town: &Town, born: &Born, living: &mut Living) {
    living.tick().await.expect("it goes on");
    let since = Instant::now();
    town.bringing(async {
        while is_awaited(born) {
            assert!(since.elapsed() < Duration::from_secs(60), "a payment is not settled");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

fn told(born: &Born) -> (Vec<PurchaseMade>, Vec<Missed>) {
    let bought = each!(born.events(), StoredEvent { event: Event::Bought(told), .. } => *told);
    (bought, each!(born.events(), StoredEvent { event: Event::Unbought(told), .. } => *told))
}

/// What was booked for data over the whole life, by effect.
fn booked(born: &Born) -> Vec<(EffectId, Usdc)> {
    let costs = born.outcomes().into_iter().filter_map(|outcome| Some((outcome.effect, outcome.cost?)));
    costs.filter(|(_, (source, _))| *source == CostSource::Data).map(|(effect, (_, cost))| (effect, cost)).collect()
}

async fn usdc_of(town: &Town, account: Address) -> Usdc {
    Usdc::from_micros(u64::try_from(town.balance(town.deployment.usdc, account).await).expect("small"))
}

/// The data partition, as the vault says.
async fn data_on_chain(town: &Town, born: &Born) -> Usdc {
    town.desk(town.owner()).await.books(born.vault).await.expect("books").credits[2]
}

/// What was drawn into the key's wallet, by the vault's own log.
async fn drawn(town: &Town, born: &Born) -> Usdc {
    let spent = town.logs::<IVault::Spent>(born.vault).await;
    let to_key = spent.iter().filter(|spent| spent.payee == born.key.address() && spent.partition == 2);
    to_key.map(|spent| Usdc::from_micros(spent.amount.to())).sum()
}

/// V-006, V-003: it buys from the field's own server; the cost is in the data partition on chain and in the
/// books to the last unit; host list and caps refuse the rest before anything is signed; a cheat is recorded and left alone.
#[tokio::test(flavor = "multi_thread")]
async fn r_033_a_life_buys_data_and_the_chain_agrees() {
    let (town, born) = Town::with(Ground::default(), "buyer", &Nature::default()).await;
    let facilitator = town.bringing(Facilitator::open(&town.running.rpc_url)).await.expect("a facilitator");
    let float = float(&town, &born).await;
    let (runs, cheated, unlisted) = (Runs::default(), Runs::default(), Runs::default());
    let good = field(&facilitator.url(), float.place(), PAYEE, runs.clone()).await;
    let bad = field(&facilitator.url(), float.place(), CHEAT, cheated.clone()).await;
    let other = field(&facilitator.url(), float.place(), PAYEE, unlisted.clone()).await;
    let listed = |seller: &Seller| Listed { host: seller.host().parse().expect("a host"), payee: None };
    let settings = PayerSettings {
        hosts: vec![listed(&good), listed(&bad)],
        per_call: Usdc::from_micros(10_000),
        per_day: Usdc::from_micros(60_000),
        ..PayerSettings::default()
    };
    let bounds = PurchaseBounds { per_day: settings.per_day, call_cap: Usdc::whole(1), float_cap: Usdc::whole(2) };
    let sources = vec![
        source("gas", good.url("/v2"), PRICE),
        source("dear", good.url("/v2"), Usdc::from_micros(4_999)),
        source("cheat", bad.url("/broken"), PRICE),
        source("elsewhere", other.url("/v2"), PRICE),
    ];
    let mut living = town.take_up(&born, &town.running.rpc_url).await;
    let till = living.store().till().expect("a second hand");
    living.provide(Shopper::hire(SourceMarket::new(
        Payer::new(float, settings).expect("a payer"),
        till,
        sources,
        bounds,
    )));
    let start = data_on_chain(&town, &born).await;
    for _ in 0..60 {
        tick(&town, &born, &mut living).await;
    }
    let (bought, missed) = told(&born);
    assert!(bought.len() >= 3, "{bought:?} {missed:?}");
    assert!(bought.iter().all(|told| told.cost == PRICE && told.bought.excerpt.as_str() == "{\"gas\":\"low\"}"));
    assert!(bought.iter().all(|told| told.bought.receipt.is_some()), "receipts are kept with the cost");
    let of = |name: &str| missed.iter().filter(|missed| missed.source.as_str() == name).collect::<Vec<_>>();
    assert!(!of("dear").is_empty() && of("dear").iter().all(|told| told.why == Unbought::Refused), "{missed:?}");
    assert!(!of("elsewhere").is_empty() && of("elsewhere").iter().all(|told| told.cost.is_zero()));
    assert_eq!(unlisted.count(), 0);
    assert!(matches!(of("cheat")[..], [Missed { why: Unbought::Cheated { .. }, cost: PRICE, .. }]), "{missed:?}");
    // The money, from three sides: the payees, the wallet, the vault.
    let spent = Usdc::from_micros(PRICE.micros() * bought.len() as u64);
    let paid = payments(&born).iter().filter(|payment| payment.state == PaymentState::Settled).count();
    assert_eq!((runs.count(), usdc_of(&town, PAYEE).await), (paid - 1, Usdc::from_micros(5_000 * (paid as u64 - 1))));
    assert!(runs.count() - bought.len() <= 1, "at most the last one is not told yet");
    assert_eq!(usdc_of(&town, CHEAT).await, PRICE);
    let drawn = drawn(&town, &born).await;
    assert!(!drawn.is_zero());
    assert_eq!(usdc_of(&town, born.key.address()).await.micros(), drawn.micros() - 5_000 * paid as u64);
    assert_eq!(data_on_chain(&town, &born).await, start.saturating_sub(drawn), "on chain data fell by the draws");
    let data_purchases = living.life().data_purchases().expect("it may buy");
    assert_eq!(
        data_purchases.float(),
        drawn.saturating_sub(spent).saturating_sub(PRICE),
        "and by its own books it is the same"
    );
    assert!(data_purchases.spent_today() <= Usdc::from_micros(60_000), "R-033: the day's cap");
    assert!(living.life().books().is_some());
    assert_eq!(born.told(|event| matches!(event, Event::LedgerDiffers { .. })), 0, "V-003");
    assert_eq!(born.told(|event| matches!(event, Event::BudgetBreached { .. })), 0, "R-031");
    let metrics = living.telemetry().metrics().encode();
    let line = format!("golem_cheated_total{{golem=\"{}\",source=\"cheat\"}} 1", born.id);
    assert!(metrics.contains(&line), "{metrics}");
    drop(living);
    let asked = runs.count();
    born.replayed();
    assert_eq!(runs.count(), asked, "to live it again asks nobody");
    town.assert_sent_once(&born).await;
    let desk = town.desk(town.owner()).await;
    town.bringing(desk.top_up(born.vault, Usdc::whole(3), &mut |_| {})).await.expect("fed");
    let before = booked(&born).len();
    town.live_to(&born, 70).await;
    assert_eq!(born.told(|event| matches!(event, Event::LedgerDiffers { .. })), 0, "M-047: feeding is no difference");
    assert!(booked(&born).len() >= before);
}

/// What a Golem of ours sells, so that who was cut off is given again what he paid for.
#[derive(Debug)]
struct Shelf;

impl Wares for Shelf {
    fn has(&self, _: Good) -> bool {
        true
    }

    fn sets(&self) -> Vec<SetOnSale> {
        Vec::new()
    }

    fn hand_out(&self, _: Good) -> Pin<Box<dyn Future<Output = Option<Goods>> + Send + '_>> {
        Box::pin(async { Some(Goods { media: "text/plain".to_owned(), body: b"an insight".to_vec() }) })
    }

    fn took(&self, _: &Taken) {}

    fn taken(&self) -> Vec<Taken> {
        Vec::new()
    }
}

/// `bardo golem run`, killed outright again and again while a payment is on its way, pays for no effect twice,
/// books what the payee got, and its books agree with the chain.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_a_process_killed_while_it_pays_never_pays_twice() {
    const KILLS: usize = 12;
    const INSIGHT: Usdc = Usdc::from_micros(3_000);
    let town = Town::up(Ground::default()).await;
    let facilitator = town.bringing(Facilitator::open(&town.running.rpc_url)).await.expect("a facilitator");
    let mut settings = PayeeSettings::new(facilitator.url(), "Eve");
    settings.listen.set_port(0);
    settings.prices = PriceList { insights: Some(INSIGHT), ..PriceList::default() };
    let nature = |url: &str| {
        let host = url.trim_start_matches("http://");
        let law = format!(
            "[x402]\nhosts = [\"{host}\"]\nper_call = 0.003\nper_day = 0.5\n[x402.sources.eve]\nurl = \"{url}/insights\"\nevery_minutes = 1\n"
        );
        Nature { law, ..Nature::default() }
    };
    let somebody = town.birth("somebody", &Nature::default()).await;
    let counter = Counter::of(float(&town, &somebody).await.place(), PAYEE);
    let payee = Payee::open(settings, counter, Arc::new(Shelf)).await.expect("a stall");
    let born = town.birth("ada", &nature(payee.url())).await;
    let mut chance = ChaCha8Rng::seed_from_u64(33);
    let run = |ticks: u64| {
        let ticks = ticks.to_string();
        let arguments = ["golem", "run", "ada", "--speed", "1000000000", "--ticks", &ticks];
        town.bardo(&arguments).spawn().expect("bardo runs")
    };
    for cut in 0..KILLS {
        let before = payments(&born).len();
        let mut child = run(4_000);
        let since = Instant::now();
        while payments(&born).len() == before {
            assert!(child.try_wait().expect("asked").is_none(), "it ended after {cut} cuts");
            assert!(since.elapsed() < Duration::from_secs(60), "nothing more is bought after {cut} cuts");
            tokio::time::sleep(Duration::from_micros(300)).await;
        }
        // Anywhere between the record and the outcome: a blind moment is the point, not a wait for something.
        tokio::time::sleep(Duration::from_micros(chance.next_u64() % 60_000)).await;
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    let lived =
        Reader::open(&born.store()).and_then(|reader| reader.last_pass()).expect("read").map_or(0, |(seq, _)| seq);
    assert!(run(lived / 2 + 40).wait().expect("ended").success());
    let all = payments(&born);
    let alive: Vec<_> = all.iter().filter(|payment| payment.state != PaymentState::Void).collect();
    let effects: std::collections::BTreeSet<_> = alive.iter().map(|payment| payment.effect).collect();
    assert_eq!(effects.len(), alive.len(), "an effect was paid twice, or may be");
    let settled = alive.iter().filter(|payment| payment.state == PaymentState::Settled).count();
    assert!(settled >= KILLS && alive.len() - settled <= 1, "{settled} of {}", alive.len());
    let got = usdc_of(&town, PAYEE).await;
    // The last one may have been taken just when the life stopped.
    let each_once = [settled, alive.len()].map(|count| INSIGHT.micros() * count as u64);
    assert!(each_once.contains(&got.micros()), "the payee got {got}, each once is one of {each_once:?}");
    let booked = booked(&born);
    let once: std::collections::BTreeSet<_> = booked.iter().map(|(effect, _)| *effect).collect();
    assert_eq!(once.len(), booked.len(), "a purchase is booked once");
    let total: Usdc = booked.iter().map(|(_, cost)| *cost).sum();
    assert!(
        got.saturating_sub(total) <= INSIGHT && total <= got,
        "booked {total}, paid {got}: at most the last is open"
    );
    let (bought, missed) = told(&born);
    assert!(missed.iter().all(|missed| missed.cost.is_zero()), "a good server gives again what it sold: {missed:?}");
    assert_eq!(bought.len(), booked.len());
    assert_eq!(born.told(|event| matches!(event, Event::LedgerDiffers { .. })), 0, "V-003");
    born.replayed();
    town.assert_sent_once(&born).await;
    let drawn = drawn(&town, &born).await;
    assert_eq!(usdc_of(&town, born.key.address()).await, drawn.saturating_sub(got));
}
