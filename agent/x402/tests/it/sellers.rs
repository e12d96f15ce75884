//! Servers that sell: the field's own, and some that cheat.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use alloy::primitives::Address;
use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use golem_ports::FloatPlace;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use x402_axum::X402Middleware;
use x402_chain_eip155::chain::{AssetTransferMethod, Eip155ChainReference, Eip155TokenDeployment};
use x402_chain_eip155::{V1Eip155Exact, V2Eip155Exact};
use x402_types::util::Base64Bytes;

/// A server that ends with its test.
pub(crate) struct Seller {
    pub(crate) address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Seller {
    pub(crate) async fn open(routes: Router) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        Self { address, serving: tokio::spawn(async move { axum::serve(listener, routes).await.expect("serves") }) }
    }

    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Seller {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

pub(crate) fn token(place: &FloatPlace) -> Eip155TokenDeployment {
    let transfer_method = AssetTransferMethod::Eip3009 { name: place.name.clone(), version: place.version.clone() };
    Eip155TokenDeployment {
        chain_reference: Eip155ChainReference::new(place.chain_id),
        address: place.usdc,
        decimals: 6,
        transfer_method,
    }
}

/// Counts how often it was run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs(Arc<AtomicUsize>);

impl Runs {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// The field's own server: `/v2` sells by version 2, `/v1` by version 1 where the chain has a name, `/broken`
/// takes the money and then fails, `/long` takes it and answers too much, `/cut` takes it and hangs up.
pub(crate) async fn field(facilitator: &str, place: &FloatPlace, payee: Address, runs: Runs) -> Seller {
    let gate = X402Middleware::try_new(facilitator).expect("a facilitator").settle_before_execution();
    let price = || token(place).amount(5_000u64);
    let newer = || gate.with_price_tag(V2Eip155Exact::price_tag(payee, price()));
    let serve = move || async move {
        runs.add();
        (StatusCode::OK, [("content-type", "application/json")], "{\"gas\":\"low\"}")
    };
    let broken = || async { StatusCode::INTERNAL_SERVER_ERROR };
    let long = || async { vec![b'a'; 1_000_000] };
    // Whoever panics here leaves a connection that ends in the middle.
    let cut = || async { std::panic::resume_unwind(Box::new("cut")) as () };
    let mut routes = Router::new()
        .route("/v2", get(serve.clone()).layer(newer()))
        .route("/broken", get(broken).layer(newer()))
        .route("/long", get(long).layer(newer()))
        .route("/cut", get(cut).layer(newer()))
        .route("/free", get(|| async { "for nothing" }));
    let chain: x402_types::chain::ChainId = Eip155ChainReference::new(place.chain_id).into();
    if chain.as_network_name().is_some() {
        let older = gate.with_price_tag(V1Eip155Exact::price_tag(payee, price()));
        routes = routes.route("/v1", get(serve).layer(older));
    }
    Seller::open(routes).await
}

/// Terms of version 2 as somebody might write them.
pub(crate) fn terms(place: &FloatPlace, payee: Address, amount: &str) -> Value {
    json!({
        "scheme": "exact", "network": format!("eip155:{}", place.chain_id), "amount": amount, "asset": place.usdc,
        "payTo": payee, "maxTimeoutSeconds": 60, "extra": { "name": place.name, "version": place.version },
    })
}

/// A server that asks in these terms and, whatever it is shown, says `after`.
pub(crate) async fn asking(terms: Value, after: StatusCode) -> (Seller, Runs) {
    let shown = Runs::default();
    let counted = shown.clone();
    let handler = move |headers: HeaderMap| {
        let (terms, counted) = (terms.clone(), counted.clone());
        async move {
            if headers.contains_key("payment-signature") || headers.contains_key("x-payment") {
                counted.add();
                return after.into_response();
            }
            ask(&terms)
        }
    };
    (Seller::open(Router::new().route("/", get(handler))).await, shown)
}

pub(crate) fn ask(terms: &Value) -> Response {
    let required = json!({ "x402Version": 2, "accepts": [terms], "resource": { "url": "http://127.0.0.1/" } });
    let header = Base64Bytes::encode(required.to_string()).to_string();
    (StatusCode::PAYMENT_REQUIRED, [("payment-required", header)], "").into_response()
}
