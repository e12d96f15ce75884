//! The pages of the payee: what there is, what it costs, and the goods themselves.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use golem_primitives::Usdc;
use serde::Deserialize;
use serde_json::{Value, json};
use x402_types::util::Base64Bytes;

use crate::payee::gate::Terms;
use crate::payee::replay::Sold;
use crate::payee::sale::{SaleError, Shop};
use crate::payee::till::TillError;
use crate::payee::wares::Good;
use crate::payload::{PAYMENT_REQUIRED, PAYMENT_RESPONSE, PAYMENT_SIGNATURE, X_PAYMENT, X_PAYMENT_RESPONSE};

/// When to come back to what is out of order.
const COME_BACK_SECONDS: u64 = 10;

/// No page reads a body, so that nobody can make one long.
pub(crate) fn routes(shop: Arc<Shop>) -> Router {
    Router::new()
        .route("/", get(describe))
        .route("/.well-known/x402", get(well_known))
        .route("/health", get(|| async { plain(StatusCode::OK, &json!({ "healthy": true })) }))
        .route(Good::Feed.path(), post(feed))
        .route(Good::Insights.path(), get(insights))
        .route(Good::Bundle.path(), get(bundle))
        .fallback(|| async { say(StatusCode::NOT_FOUND, "not_found", "GET / says what is here") })
        .with_state(shop)
}

async fn describe(State(shop): State<Arc<Shop>>) -> Response {
    let on_sale = goods(&shop).map(|good| {
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
    let description = json!({
        "name": shop.name,
        "agent": shop.agent,
        "vault": shop.counter.vault,
        "network": format!("eip155:{}", shop.counter.chain_id),
        "asset": shop.counter.usdc,
        "unit": "micro-USDC",
        "x402Support": true,
        "goods": on_sale.collect::<Vec<_>>(),
        "feed": "POST /feed?amount=5 with an x402 payment of 5 USDC goes straight into the vault",
    });
    plain(StatusCode::OK, &description)
}

async fn well_known(State(shop): State<Arc<Shop>>) -> Response {
    let resources: Vec<_> = goods(&shop).map(|good| shop.url(good)).collect();
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

async fn priced(shop: &Arc<Shop>, good: Good, headers: &HeaderMap) -> Response {
    match shop.price(good) {
        Some(price) => sell(shop, good, price, shop.url(good), headers).await,
        None => closed(),
    }
}

async fn sell(shop: &Arc<Shop>, good: Good, price: Usdc, url: String, headers: &HeaderMap) -> Response {
    if !shop.wares.has(good) {
        return later("nothing_to_sell", "it is not to be had now, and nothing was paid");
    }
    let terms = shop.counter.terms(good, price, url);
    let (header, asked) = match (headers.get(PAYMENT_SIGNATURE), headers.get(X_PAYMENT)) {
        (Some(header), _) => (header, terms.newer(header.as_bytes())),
        (None, Some(header)) => (header, terms.older(header.as_bytes())),
        (None, None) => return ask(&terms, "payment is required"),
    };
    let asked = match asked {
        Ok(asked) => asked,
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
    if let Ok(header) = header.parse() {
        response.headers_mut().insert(PAYMENT_REQUIRED, header);
    }
    response
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
    headers.insert(CONTENT_TYPE, axum::http::HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, axum::http::HeaderValue::from_static("no-store"));
    response
}

fn goods(shop: &Shop) -> impl Iterator<Item = Good> + '_ {
    let is_sold = |good: &Good| *good == Good::Feed && shop.prices.feed.is_some() || shop.price(*good).is_some();
    Good::ALL.into_iter().filter(is_sold)
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
        }
    }

    fn url(&self, good: Good) -> String {
        format!("{}{}", self.base, good.path())
    }
}
