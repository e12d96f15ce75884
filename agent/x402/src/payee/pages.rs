//! The pages of the payee: what there is, what it costs, and the goods themselves.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{get, post};
use golem_primitives::{B256, Usdc};
use serde::Deserialize;
use serde_json::{Value, json};
use x402_types::util::Base64Bytes;

use crate::payee::a2a;
use crate::payee::gate::Terms;
use crate::payee::replay::Sold;
use crate::payee::sale::{SaleError, Shop};
use crate::payee::till::TillError;
use crate::payee::wares::Good;
use crate::payload::{PAYMENT_REQUIRED, PAYMENT_RESPONSE, PAYMENT_SIGNATURE, X_PAYMENT, X_PAYMENT_RESPONSE};

/// When to come back to what is out of order.
const COME_BACK_SECONDS: u64 = 10;

/// Only the page for messages reads a body, and none that is long.
pub(crate) fn routes(shop: Arc<Shop>) -> Router {
    Router::new()
        .route("/", get(describe))
        .route("/.well-known/x402", get(well_known))
        .route(a2a::CARD, get(|State(shop): State<Arc<Shop>>| async move { plain(StatusCode::OK, &a2a::card(&shop)) }))
        .route(
            "/.well-known/agent-registration.json",
            get(|State(shop): State<Arc<Shop>>| async move { plain(StatusCode::OK, &a2a::registration(&shop)) }),
        )
        .route(a2a::MESSAGES, post(message).layer(DefaultBodyLimit::max(a2a::MOST_BYTES)))
        .route("/health", get(|| async { plain(StatusCode::OK, &json!({ "healthy": true })) }))
        .route(Good::Feed.path(), post(feed).get(describe))
        .route(Good::Insights.path(), get(insights))
        .route(Good::Bundle.path(), get(bundle))
        .route("/library", get(library))
        .route("/library/{hash}", get(set))
        .fallback(|| async { say(StatusCode::NOT_FOUND, "not_found", "GET / says what is here") })
        .layer(from_fn(for_browsers))
        .with_state(shop)
}

/// What a page of any other site may send here and read of the answer. Nothing here knows who asks but by what he pays, so
/// that any site may.
async fn for_browsers(request: Request, next: Next) -> Response {
    let mut response = if request.method() == Method::OPTIONS {
        let mut nothing = Response::default();
        *nothing.status_mut() = StatusCode::NO_CONTENT;
        nothing
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, OPTIONS"),
        (
            ACCESS_CONTROL_ALLOW_HEADERS,
            "payment-signature, x-payment, content-type, a2a-version, access-control-expose-headers",
        ),
        (ACCESS_CONTROL_EXPOSE_HEADERS, "payment-required, payment-response, x-payment-response, retry-after"),
        (VARY, "accept"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether a person looks, with a browser.
fn is_person(headers: &HeaderMap) -> bool {
    headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}

async fn describe(State(shop): State<Arc<Shop>>, headers: HeaderMap) -> Response {
    if is_person(&headers) {
        return page(&shop, StatusCode::OK);
    }
    plain(StatusCode::OK, &offer(&shop))
}

async fn message(State(shop): State<Arc<Shop>>, headers: HeaderMap, body: Bytes) -> Response {
    let version = headers.get("a2a-version").map(HeaderValue::as_bytes);
    plain(StatusCode::OK, &a2a::reply(&body, version, &offer(&shop)))
}

/// What there is, for a program.
fn offer(shop: &Shop) -> Value {
    let on_sale = goods(shop).into_iter().map(|good| {
        let price = match (good, shop.prices.feed) {
            (Good::Feed, Some((least, most))) => json!({ "least": least.micros(), "most": most.micros() }),
            _ => json!(shop.price(good).map(Usdc::micros)),
        };
        let method = if good == Good::Feed { "POST" } else { "GET" };
        let has = shop.wares.has(good);
        json!({
            "url": shop.url(good), "method": method, "description": good.description(), "price": price, "open": has,
        })
    });
    json!({
        "name": shop.name,
        "agent": shop.agent,
        "vault": shop.counter.vault.to_checksum(None),
        "network": format!("eip155:{}", shop.counter.chain_id),
        "asset": shop.counter.usdc.to_checksum(None),
        "unit": "micro-USDC",
        "x402Support": true,
        "goods": on_sale.collect::<Vec<_>>(),
        "library": format!("{}/library", shop.base),
        "feed": "POST /feed?amount=5 with an x402 payment of 5 USDC goes straight into the vault",
    })
}

async fn well_known(State(shop): State<Arc<Shop>>) -> Response {
    let resources: Vec<_> = goods(&shop).into_iter().map(|good| shop.url(good)).collect();
    plain(StatusCode::OK, &json!({ "version": 1, "resources": resources, "agent": shop.agent }))
}

#[derive(Debug, Deserialize)]
struct Feed {
    amount: Option<String>,
}

async fn feed(State(shop): State<Arc<Shop>>, Query(wanted): Query<Feed>, headers: HeaderMap) -> Response {
    let Some((least, most)) = shop.prices.feed else { return closed() };
    let amount = wanted.amount.as_deref().map_or(Ok(least), str::parse::<Usdc>);
    match amount {
        Ok(amount) if (least..=most).contains(&amount) => {
            let url = format!("{}?amount={}", shop.url(Good::Feed), decimal(amount));
            sell(&shop, Good::Feed, amount, url, &headers).await
        }
        _ => say(StatusCode::BAD_REQUEST, "amount", &format!("amount is from {} to {}", decimal(least), decimal(most))),
    }
}

async fn insights(State(shop): State<Arc<Shop>>, headers: HeaderMap) -> Response {
    priced(&shop, Good::Insights, &headers).await
}

async fn bundle(State(shop): State<Arc<Shop>>, headers: HeaderMap) -> Response {
    priced(&shop, Good::Bundle, &headers).await
}

/// I-240. What is published of the owner's library, for nothing: the evidence, the price and the hash of what is handed out.
async fn library(State(shop): State<Arc<Shop>>) -> Response {
    let open = shop.wares.sets().into_iter().filter(|set| shop.wares.has(Good::Set(set.hash)));
    let sets = open.map(|set| {
        json!({
            "hash": set.hash,
            "url": shop.url(Good::Set(set.hash)),
            "price": set.price.micros(),
            "evidence": set.evidence,
        })
    });
    let told = json!({
        "name": shop.name,
        "agent": shop.agent,
        "vault": shop.counter.vault.to_checksum(None),
        "network": format!("eip155:{}", shop.counter.chain_id),
        "unit": "micro-USDC",
        "sets": sets.collect::<Vec<_>>(),
    });
    plain(StatusCode::OK, &told)
}

async fn set(State(shop): State<Arc<Shop>>, Path(hash): Path<String>, headers: HeaderMap) -> Response {
    match hash.parse::<B256>() {
        Ok(hash) => priced(&shop, Good::Set(hash), &headers).await,
        Err(_) => closed(),
    }
}

async fn priced(shop: &Arc<Shop>, good: Good, headers: &HeaderMap) -> Response {
    match shop.price(good) {
        Some(price) => sell(shop, good, price, shop.url(good), headers).await,
        None => closed(),
    }
}

async fn sell(shop: &Arc<Shop>, good: Good, price: Usdc, url: String, headers: &HeaderMap) -> Response {
    let shown = headers.get(PAYMENT_SIGNATURE).or_else(|| headers.get(X_PAYMENT));
    let is_owed = shown.is_some_and(|header| shop.is_paid(good, header.as_bytes()));
    if !is_owed && !shop.wares.has(good) {
        return later("nothing_to_sell", "it is not to be had now, and nothing was paid");
    }
    let terms = shop.counter.terms(good, price, url);
    let (header, asked) = match (headers.get(PAYMENT_SIGNATURE), headers.get(X_PAYMENT)) {
        (Some(header), _) => (header, terms.newer(header.as_bytes())),
        (None, Some(header)) => (header, terms.older(header.as_bytes())),
        (None, None) if is_person(headers) => {
            let mut page = page(shop, StatusCode::PAYMENT_REQUIRED);
            require(&mut page, &terms.ask("payment is required").0);
            return page;
        }
        (None, None) => return ask(&terms, "payment is required"),
    };
    let asked = match asked {
        Ok(asked) => asked,
        // What it was paid for was asked at another price.
        Err(_) if is_owed => Value::Null,
        Err(why) => return ask(&terms, why),
    };
    match shop.sell(good, price, header.as_bytes(), asked).await {
        Ok(sold) => hand_over(sold),
        Err(SaleError::Till(TillError::Declined { reason })) => ask(&terms, &reason),
        Err(error) => {
            tracing::warn!(%error, good = good.path(), "nothing was sold");
            match error {
                SaleError::Till(_) => {
                    later("facilitator_unreachable", "nothing was served; show the same payment again")
                }
                SaleError::Busy => later("busy", "too many sales at once; show the same payment again"),
                SaleError::Gone | SaleError::Broken => {
                    say(StatusCode::INTERNAL_SERVER_ERROR, "owed", "it is paid and owed; show the same payment again")
                }
            }
        }
    }
}

fn hand_over(sold: Sold) -> Response {
    let receipt = Base64Bytes::encode(sold.receipt.to_string()).to_string();
    let answer = Response::builder()
        .header(CONTENT_TYPE, sold.media)
        .header(CACHE_CONTROL, "no-store")
        .header(PAYMENT_RESPONSE, &receipt)
        .header(X_PAYMENT_RESPONSE, &receipt);
    answer.body(Body::from(sold.body)).unwrap_or_else(|_| say(StatusCode::INTERNAL_SERVER_ERROR, "owed", "no header"))
}

/// The terms in both versions: the newer in a header, the older in the body.
fn ask(terms: &Terms, error: &str) -> Response {
    let (header, body) = terms.ask(error);
    let mut response = plain(StatusCode::PAYMENT_REQUIRED, &body);
    require(&mut response, &header);
    response
}

fn require(response: &mut Response, header: &str) {
    if let Ok(header) = header.parse() {
        response.headers_mut().insert(PAYMENT_REQUIRED, header);
    }
}

/// The stall as a person reads it: what there is, what it costs, and how it is paid.
fn page(shop: &Shop, status: StatusCode) -> Response {
    let name = harmless(&shop.name);
    let rows: String = goods(shop).into_iter().map(|good| row(shop, good)).collect();
    let feeding = match shop.prices.feed {
        Some((least, most)) => format!(
            "<h2>Feed it</h2><p>From {least} to {most}, straight into its vault {vault} on chain {chain}. Clients pay \
             0.10 USDC at most unless they are told more, in millionths of a USDC:</p><pre>import {{ wrapFetchWithPayment \
             }} from \"x402-fetch\";\nconst pay = wrapFetchWithPayment(fetch, account, BigInt(5_000_000));\nawait \
             pay(\"{url}?amount=5\", {{ method: \"POST\" }});</pre>",
            vault = shop.counter.vault,
            chain = shop.counter.chain_id,
            url = harmless(&shop.url(Good::Feed)),
        ),
        None => String::new(),
    };
    let text = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{name}</title><body><h1>{name}</h1><p>A Golem: an agent that lives on what \
         it earns and is given. It takes USDC over x402 (HTTP 402).</p><table>{rows}</table>{feeding}</body></html>"
    );
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn row(shop: &Shop, good: Good) -> String {
    let price = match (shop.price(good), shop.prices.feed) {
        (Some(price), _) => price.to_string(),
        (None, Some((least, _))) => format!("from {least}"),
        (None, None) => String::new(),
    };
    let open = if shop.wares.has(good) { "" } else { ", not to be had now" };
    let url = harmless(&shop.url(good));
    format!("<tr><td><code>{url}</code></td><td>{}</td><td>{price}{open}</td></tr>", good.description())
}

/// Text that is nothing but text in a page.
fn harmless(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn closed() -> Response {
    say(StatusCode::NOT_FOUND, "not_sold", "the owner does not sell this")
}

fn later(error: &str, message: &str) -> Response {
    let mut response = say(StatusCode::SERVICE_UNAVAILABLE, error, message);
    response.headers_mut().insert(RETRY_AFTER, COME_BACK_SECONDS.into());
    response
}

fn say(status: StatusCode, error: &str, message: &str) -> Response {
    plain(status, &json!({ "error": error, "message": message }))
}

fn plain(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn goods(shop: &Shop) -> Vec<Good> {
    let is_sold = |good: &Good| *good == Good::Feed && shop.prices.feed.is_some() || shop.price(*good).is_some();
    let sets = shop.wares.sets().into_iter().map(|set| Good::Set(set.hash)).filter(|set| shop.wares.has(*set));
    Good::ALL.into_iter().filter(is_sold).chain(sets).collect()
}

/// An amount as it stands in an address.
fn decimal(amount: Usdc) -> String {
    format!("{}.{:06}", amount.micros() / Usdc::UNIT, amount.micros() % Usdc::UNIT)
}

impl Shop {
    fn price(&self, good: Good) -> Option<Usdc> {
        match good {
            Good::Feed => None,
            Good::Insights => self.prices.insights,
            Good::Bundle => self.prices.bundle,
            Good::Set(hash) => self.wares.sets().into_iter().find(|set| set.hash == hash).map(|set| set.price),
        }
    }

    fn url(&self, good: Good) -> String {
        let (base, path) = (&self.base, good.path());
        if let Good::Set(hash) = good { format!("{base}{path}/{hash}") } else { format!("{base}{path}") }
    }
}
