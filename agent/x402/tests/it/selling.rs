//! R-034: what the payee sells, to whom, and how often.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use alloy::primitives::{Address, B256};
use golem_ports::Goods;
use golem_primitives::Usdc;
use golem_x402::{Good, Payee, PayeeError, PayeeSettings, PriceList, SetOnSale, Taken, Wares};
use reqwest::header::HeaderMap;
use reqwest::{Client, Response, StatusCode};
use serde_json::Value;
use x402_chain_eip155::{V1Eip155ExactClient, V2Eip155ExactClient};
use x402_reqwest::X402Client;
use x402_types::scheme::client::FirstMatch;

use crate::sellers::Runs;
use crate::town::{NAMED, Town};

pub(crate) const INSIGHTS: Usdc = Usdc::from_micros(10_000);

/// What the owner allows, and how often it was handed out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shelf {
    pub(crate) runs: Runs,
    took: Arc<Mutex<Vec<Taken>>>,
    empty: Arc<AtomicBool>,
    clumsy: Arc<AtomicBool>,
    sets: Arc<Mutex<Vec<SetOnSale>>>,
}

impl Wares for Shelf {
    fn has(&self, _: Good) -> bool {
        !self.empty.load(Ordering::SeqCst)
    }

    fn sets(&self) -> Vec<SetOnSale> {
        self.sets.lock().expect("not poisoned").clone()
    }

    fn hand_out(&self, good: Good) -> Pin<Box<dyn Future<Output = Option<Goods>> + Send + '_>> {
        Box::pin(async move {
            if self.clumsy.swap(false, Ordering::SeqCst) {
                return None;
            }
            self.runs.add();
            let text = format!("{} {}", good.path().trim_start_matches('/').trim_end_matches('s'), self.runs.count());
            Some(Goods { media: "text/plain".to_owned(), body: text.into_bytes() })
        })
    }

    fn took(&self, taken: &Taken) {
        self.took.lock().expect("not poisoned").push(taken.clone());
    }

    fn taken(&self) -> Vec<Taken> {
        self.took.lock().expect("not poisoned").clone()
    }
}

impl Shelf {
    pub(crate) fn sold(&self) -> Vec<(Good, Usdc)> {
        self.taken().iter().map(|taken| (taken.good, taken.amount)).collect()
    }
}

/// A vault that is none.
pub(crate) const VAULT: Address = Address::repeat_byte(0x77);

pub(crate) async fn open(town: &Town, vault: Address, shelf: &Shelf) -> Payee {
    open_at(town, vault, shelf, &town.facilitator.url()).await
}

/// A town with a stall in it, which sells for a vault that is none.
pub(crate) async fn stall() -> (Town, Shelf, Payee) {
    let (town, shelf) = (Town::up().await, Shelf::default());
    let payee = open(&town, VAULT, &shelf).await;
    (town, shelf, payee)
}

async fn open_at(town: &Town, vault: Address, shelf: &Shelf, facilitator: &str) -> Payee {
    let mut settings = PayeeSettings::new(facilitator, "Ada");
    settings.listen.set_port(0);
    settings.prices = PriceList { insights: Some(INSIGHTS), ..PriceList::default() };
    Payee::open(settings, town.counter(vault).await, Arc::new(shelf.clone())).await.expect("open")
}

/// A stranger with the field's own client, who knows both versions.
pub(crate) fn stranger(town: &Town, index: usize) -> X402Client<FirstMatch> {
    let signer = Arc::new(town.stranger(index).signer());
    X402Client::new().register(V1Eip155ExactClient::new(Arc::clone(&signer))).register(V2Eip155ExactClient::new(signer))
}

async fn pay_for(town: &Town, url: &str) -> HeaderMap {
    let asked = Client::new().get(url).send().await.expect("answered");
    assert_eq!(asked.status(), StatusCode::PAYMENT_REQUIRED);
    stranger(town, 2).make_payment_headers(asked).await.expect("an offer the field understands")
}

async fn show(url: &str, headers: HeaderMap) -> (StatusCode, String) {
    let answer = Client::new().get(url).headers(headers).send().await.expect("answered");
    (answer.status(), answer.text().await.expect("whole"))
}

fn port(url: &str) -> String {
    url.parse::<reqwest::Url>().expect("an address").port().expect("a port").to_string()
}

fn error_of(body: &str) -> String {
    serde_json::from_str::<Value>(body).expect("JSON")["error"].as_str().expect("a word").to_owned()
}

/// R-034: one header, eight times at once and once later: one settlement, one run, and the same answer for all.
#[tokio::test]
async fn r_034_eight_replays_of_one_header_run_the_handler_once() {
    let (town, shelf, payee) = stall().await;
    let url = format!("{}/insights", payee.url());
    let headers = pay_for(&town, &url).await;
    let eight = (0..8).map(|_| {
        let (url, headers) = (url.clone(), headers.clone());
        tokio::spawn(async move { show(&url, headers).await })
    });
    for one in eight.collect::<Vec<_>>() {
        assert_eq!(one.await.expect("answered"), (StatusCode::OK, "insight 1".to_owned()));
    }
    assert_eq!(show(&url, headers.clone()).await, (StatusCode::OK, "insight 1".to_owned()));
    assert_eq!((shelf.runs.count(), town.usdc_of(VAULT).await), (1, INSIGHTS));
    assert_eq!(shelf.sold(), [(Good::Insights, INSIGHTS)]);
    // Another payee knows nothing of it; the token does.
    let elsewhere = Shelf::default();
    let other = open(&town, VAULT, &elsewhere).await;
    let (status, body) = show(&format!("{}/insights", other.url()), headers).await;
    assert_eq!(status, StatusCode::PAYMENT_REQUIRED, "{body}");
    assert_eq!((shelf.runs.count(), elsewhere.runs.count(), town.usdc_of(VAULT).await), (1, 0, INSIGHTS));
}

/// R-034: version 1 by what an old client sees, the body alone, where the chain has a name for it.
#[tokio::test]
async fn r_034_an_old_client_buys_by_version_1() {
    let town = Town::on(NAMED).await;
    let shelf = Shelf::default();
    let payee = open(&town, VAULT, &shelf).await;
    assert_eq!(payee.check().await.expect("supported").len(), 2, "both versions");
    let url = format!("{}/insights", payee.url());
    let body = Client::new().get(&url).send().await.expect("answered").bytes().await.expect("whole");
    let mut bare = axum::http::Response::new(body);
    *bare.status_mut() = StatusCode::PAYMENT_REQUIRED;
    let headers = stranger(&town, 2).make_payment_headers(Response::from(bare)).await.expect("version 1");
    assert!(headers.contains_key("x-payment"));
    let answer = Client::new().get(&url).headers(headers).send().await.expect("answered");
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.headers().contains_key("x-payment-response") && answer.headers().contains_key("payment-response"));
    assert_eq!((shelf.runs.count(), town.usdc_of(VAULT).await), (1, INSIGHTS));
}

/// R-034: without its facilitator a payee says so, takes nothing, and the payment is as good as before.
#[tokio::test]
async fn r_034_a_facilitator_that_is_down_loses_nothing() {
    let town = Town::up().await;
    let shelf = Shelf::default();
    let nobody = {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        format!("http://{}", listener.local_addr().expect("an address"))
    };
    let alone = open_at(&town, VAULT, &shelf, &nobody).await;
    let down = alone.check().await.expect_err("nobody there");
    assert!(matches!(down, PayeeError::Till(_)) && down.may_retry(), "{down}");
    let url = format!("{}/insights", alone.url());
    let headers = pay_for(&town, &url).await;
    let (status, body) = show(&url, headers.clone()).await;
    assert_eq!((status, error_of(&body).as_str()), (StatusCode::SERVICE_UNAVAILABLE, "facilitator_unreachable"));
    assert_eq!((shelf.runs.count(), town.usdc_of(VAULT).await), (0, Usdc::ZERO));
    let payee = open(&town, VAULT, &shelf).await;
    assert_eq!(payee.check().await.expect("supported"), [2], "version 1 has no name for this chain");
    let (status, body) = show(&format!("{}/insights", payee.url()), headers).await;
    assert_eq!((status, body.as_str()), (StatusCode::OK, "insight 1"));
    assert_eq!(town.usdc_of(VAULT).await, INSIGHTS);
}

/// R-034: what is not to be had is said before anybody pays, and what was paid and dropped is owed.
#[tokio::test]
async fn r_034_nobody_pays_for_nothing() {
    let (town, shelf, payee) = stall().await;
    let at = |path: &str| format!("{}{path}", payee.url());
    let headers = pay_for(&town, &at("/insights")).await;
    shelf.empty.store(true, Ordering::SeqCst);
    let (status, body) = show(&at("/insights"), headers.clone()).await;
    assert_eq!((status, error_of(&body).as_str()), (StatusCode::SERVICE_UNAVAILABLE, "nothing_to_sell"));
    assert_eq!(town.usdc_of(VAULT).await, Usdc::ZERO);
    shelf.empty.store(false, Ordering::SeqCst);

    shelf.clumsy.store(true, Ordering::SeqCst);
    let (status, body) = show(&at("/insights"), headers.clone()).await;
    assert_eq!((status, error_of(&body).as_str()), (StatusCode::INTERNAL_SERVER_ERROR, "owed"));
    assert_eq!(show(&at("/insights"), headers.clone()).await, (StatusCode::OK, "insight 1".to_owned()));
    assert_eq!(town.usdc_of(VAULT).await, INSIGHTS, "paid once");

    for (path, expected) in [("/bundle", StatusCode::NOT_FOUND), ("/else", StatusCode::NOT_FOUND)] {
        assert_eq!(show(&at(path), headers.clone()).await.0, expected, "{path}");
    }
    let mut nonsense = HeaderMap::new();
    nonsense.insert("payment-signature", "bm9uc2Vuc2U=".parse().expect("a header"));
    assert_eq!(show(&at("/insights"), nonsense).await.0, StatusCode::PAYMENT_REQUIRED);
    let mut older = HeaderMap::new();
    older.insert("x-payment", "e30=".parse().expect("a header"));
    let (status, body) = show(&at("/insights"), older).await;
    assert_eq!(status, StatusCode::PAYMENT_REQUIRED);
    assert!(error_of(&body).contains("version 2"), "{body}");
}

/// R-034, I-240: a set is listed for nothing with its evidence and its hash; one that was withdrawn is listed no more and sold to nobody,
/// and whoever paid for it before is given it all the same. A header for one set buys no other.
#[tokio::test]
async fn r_034_a_set_is_listed_sold_and_owed() {
    let (town, shelf, payee) = stall().await;
    let set = |byte: u8, price| SetOnSale {
        hash: B256::repeat_byte(byte),
        price: Usdc::from_micros(price),
        evidence: serde_json::json!({ "name": format!("set {byte}") }),
    };
    shelf.sets.lock().expect("not poisoned").extend([set(1, 7_000), set(2, 7_000)]);
    let (status, body) = show(&format!("{}/library", payee.url()), HeaderMap::new()).await;
    let listed: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!((status, listed["vault"].as_str()), (StatusCode::OK, Some(VAULT.to_checksum(None).as_str())));
    assert_eq!((&listed["sets"][0]["price"], &listed["sets"][1]["evidence"]["name"]), (&7_000.into(), &"set 2".into()));
    let (first, second) = (listed["sets"][0]["url"].as_str().expect("text"), listed["sets"][1]["url"].as_str());
    let headers = pay_for(&town, first).await;
    shelf.clumsy.store(true, Ordering::SeqCst);
    let (status, body) = show(first, headers.clone()).await;
    assert_eq!((status, error_of(&body).as_str()), (StatusCode::INTERNAL_SERVER_ERROR, "owed"));
    shelf.empty.store(true, Ordering::SeqCst);
    let (_, body) = show(&format!("{}/library", payee.url()), HeaderMap::new()).await;
    let listed: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(listed["sets"].as_array().map(Vec::len), Some(0), "withdrawn");
    let (status, body) = show(first, HeaderMap::new()).await;
    assert_eq!((status, error_of(&body).as_str()), (StatusCode::SERVICE_UNAVAILABLE, "nothing_to_sell"));
    // The stall is closed, its price is raised, and it opens again.
    drop(payee);
    shelf.sets.lock().expect("not poisoned")[0].price = Usdc::from_micros(9_000);
    let payee = open(&town, VAULT, &shelf).await;
    let moved = |url: &str| url.replace(&port(first), &port(payee.url()));
    let (first, second) = (&moved(first), second.map(moved));
    assert_eq!(show(first, headers.clone()).await, (StatusCode::OK, "library 1".to_owned()), "paid, so it is owed");
    shelf.empty.store(false, Ordering::SeqCst);
    let (status, _) = show(&second.expect("text"), headers).await;
    assert_eq!(status, StatusCode::PAYMENT_REQUIRED, "another set is another sale");
    assert_eq!(town.usdc_of(VAULT).await, Usdc::from_micros(7_000));
    let nowhere = format!("{}/library/{}", payee.url(), B256::repeat_byte(3));
    assert_eq!(show(&nowhere, HeaderMap::new()).await.0, StatusCode::NOT_FOUND);
    assert_eq!(show(&format!("{}/library/x", payee.url()), HeaderMap::new()).await.0, StatusCode::NOT_FOUND);
}

/// R-034: a payee says for nothing what it sells, and where it stands.
#[tokio::test]
async fn r_034_the_free_pages_name_every_price() {
    let town = Town::up().await;
    let payee = open(&town, VAULT, &Shelf::default()).await;
    let (status, body) = show(payee.url(), HeaderMap::new()).await;
    let said: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(
        (status, said["name"].as_str(), said["x402Support"].as_bool()),
        (StatusCode::OK, Some("Ada"), Some(true))
    );
    assert_eq!(said["goods"].as_array().map(Vec::len), Some(2), "{said}");
    assert_eq!(said["goods"][0]["price"]["least"], 100_000);
    assert_eq!(said["goods"][1]["price"], 10_000);
    assert_eq!(said["vault"], VAULT.to_checksum(None));
    let (_, body) = show(&format!("{}/.well-known/x402", payee.url()), HeaderMap::new()).await;
    let said: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(said["resources"][0], format!("{}/feed", payee.url()));
    let (_, body) = show(&format!("{}/.well-known/agent-card.json", payee.url()), HeaderMap::new()).await;
    let card: Value = serde_json::from_str(&body).expect("JSON");
    let message =
        r#"{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","parts":[]}}}"#;
    let url = card["supportedInterfaces"][0]["url"].as_str().expect("an address");
    let answer = reqwest::Client::new().post(url).body(message).send().await.expect("an answer");
    let told: Value = serde_json::from_str(&answer.text().await.expect("text")).expect("JSON");
    assert_eq!(told["result"]["message"]["parts"][1]["data"]["goods"].as_array().map(Vec::len), Some(2), "{told}");
    assert!(payee.address().ip().is_loopback());
}

/// R-034: a browser is shown a page instead, asked to pay with the same terms, and let read both from any site.
#[tokio::test]
async fn r_034_a_browser_is_shown_a_page_and_may_pay_from_any_site() {
    let town = Town::up().await;
    let mut settings = PayeeSettings::new(town.facilitator.url(), "<b>Ada</b>");
    settings.listen.set_port(0);
    settings.prices = PriceList { insights: Some(INSIGHTS), ..PriceList::default() };
    let shelf = Arc::new(Shelf::default());
    let payee = Payee::open(settings, town.counter(VAULT).await, shelf).await.expect("open");
    let accept = HeaderMap::from_iter([(reqwest::header::ACCEPT, "text/html,*/*;q=0.8".parse().expect("a header"))]);
    for (path, expected) in
        [("/", StatusCode::OK), ("/feed", StatusCode::OK), ("/insights", StatusCode::PAYMENT_REQUIRED)]
    {
        let url = format!("{}{path}", payee.url());
        let shown = Client::new().get(&url).headers(accept.clone()).send().await.expect("answered");
        assert_eq!(shown.status(), expected, "{path}");
        assert_eq!(shown.headers()["content-type"], "text/html; charset=utf-8", "{path}");
        assert_eq!(shown.headers()["access-control-allow-origin"], "*", "{path}");
        assert_eq!(shown.headers().contains_key("payment-required"), path == "/insights");
        let text = shown.text().await.expect("whole");
        for word in ["&lt;b&gt;Ada", "/feed?amount=5", "BigInt(5_000_000)", "0.01", &VAULT.to_checksum(None)] {
            assert!(text.contains(word), "{path}: {word}: {text}");
        }
        assert!(!text.contains("<b>"), "{text}");
    }
    let asked = Client::new().request(reqwest::Method::OPTIONS, format!("{}/insights", payee.url())).send().await;
    let asked = asked.expect("answered");
    assert_eq!(asked.status(), StatusCode::NO_CONTENT);
    let allowed = asked.headers()["access-control-allow-headers"].to_str().expect("text").to_owned();
    let exposed = asked.headers()["access-control-expose-headers"].to_str().expect("text").to_owned();
    assert!(allowed.contains("payment-signature") && allowed.contains("x-payment"), "{allowed}");
    assert!(exposed.contains("payment-required") && exposed.contains("payment-response"), "{exposed}");
}

/// R-034: bodies are not read, headers are bounded, and the next one is served all the same.
#[tokio::test]
async fn r_034_long_requests_are_not_held() {
    let town = Town::up().await;
    let payee = open(&town, VAULT, &Shelf::default()).await;
    let flood = Client::new().post(format!("{}/feed?amount=1", payee.url())).body(vec![b'a'; 8_000_000]).send().await;
    // It may be answered or hung up on while it still talks; it is not listened to.
    assert!(flood.is_err() || flood.is_ok_and(|answer| answer.status() == StatusCode::PAYMENT_REQUIRED));
    for (size, expected) in
        [(20_000, StatusCode::PAYMENT_REQUIRED), (200_000, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)]
    {
        let long = "A".repeat(size);
        let asked =
            Client::new().get(format!("{}/insights", payee.url())).header("payment-signature", long).send().await;
        assert!(asked.is_err() || asked.is_ok_and(|answer| answer.status() == expected), "{size}");
    }
    assert_eq!(show(payee.url(), HeaderMap::new()).await.0, StatusCode::OK);
}
