//! whatever a server answers, nothing is signed that the owner did not allow.

use alloy::primitives::Address;
use axum::Router;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use golem_ports::Float;
use golem_x402::{PurchaseError, PurchaseRequest, Unfit};
use serde_json::{Value, json};

use crate::sellers::{Seller, ask, terms};
use crate::town::{Town, purchase};

const PAYEE: Address = Address::repeat_byte(0x42);

type Expected = fn(&PurchaseError) -> bool;

#[tokio::test]
async fn r_033_hostile_answers_are_refused_by_name_and_nothing_is_signed() {
    let town = Town::up().await;
    let place = town.float().await.place().clone();
    let with = |field: &str, value: Value| {
        let mut terms = terms(&place, PAYEE, "5000");
        terms[field] = value;
        ask(&terms)
    };
    let vast = format!("1{}", "0".repeat(30));
    let answers: Vec<(&str, Response, Expected)> = vec![
        ("a huge body", (StatusCode::PAYMENT_REQUIRED, vec![b'['; 3_000_000]).into_response(), |error| {
            matches!(error, PurchaseError::Unreachable { .. })
        }),
        ("a huge header", with("extra", json!({ "pad": "x".repeat(40_000) })), |error| {
            matches!(error, PurchaseError::NoOffer { .. } | PurchaseError::Unreachable { .. })
        }),
        ("no JSON", (StatusCode::PAYMENT_REQUIRED, "{\"x402Version\":1,\"accepts\":[{").into_response(), |error| {
            matches!(error, PurchaseError::NoOffer { .. })
        }),
        ("deep JSON", (StatusCode::PAYMENT_REQUIRED, "[".repeat(100_000)).into_response(), |error| {
            matches!(error, PurchaseError::NoOffer { .. })
        }),
        ("a negative amount", with("amount", json!("-5")), |error| {
            matches!(error, PurchaseError::Unfit { why: Unfit::Amount, .. })
        }),
        ("an amount beyond everything", with("amount", json!(vast)), |error| {
            matches!(error, PurchaseError::TooDear { .. })
        }),
        ("another asset", with("asset", json!(Address::repeat_byte(5))), |error| {
            matches!(error, PurchaseError::Unfit { why: Unfit::Asset(_), .. })
        }),
        ("another chain", with("network", json!("eip155:1")), |error| {
            matches!(error, PurchaseError::Unfit { why: Unfit::Chain(_), .. })
        }),
        ("paid to nobody", with("payTo", json!(Address::ZERO)), |error| {
            matches!(error, PurchaseError::Unfit { why: Unfit::Payee, .. })
        }),
        ("another domain", with("extra", json!({ "name": "Ether", "version": "2" })), |error| {
            matches!(error, PurchaseError::Unfit { why: Unfit::Domain, .. })
        }),
        ("terms too long to be sent", with("extra", json!({ "pad": "x".repeat(11_800) })), |error| {
            matches!(error, PurchaseError::NoOffer { .. })
        }),
        ("sent elsewhere", (StatusCode::FOUND, [("location", "http://10.0.0.1/")]).into_response(), |error| {
            matches!(error, PurchaseError::Refused { status: 302, .. })
        }),
        ("an error", StatusCode::BAD_GATEWAY.into_response(), |error| {
            matches!(error, PurchaseError::Refused { status: 502, .. }) && error.may_retry()
        }),
        ("a free flood", vec![b'a'; 1_000_000].into_response(), |error| {
            matches!(error, PurchaseError::Unreachable { .. })
        }),
    ];
    let mut memory = town.memory();
    for (name, answer, expected) in answers {
        let (parts, body) = answer.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.expect("whole");
        let (status, headers) = (parts.status, parts.headers);
        let handler = move || async move { (status, headers, body).into_response() };
        let seller = Seller::open(Router::new().route("/", get(handler.clone()).post(handler))).await;
        let payer = town.payer(&[&seller.host()]).await;
        let refused = payer.buy(&purchase(&seller.url("/")), &mut memory).await.expect_err(name);
        assert!(expected(&refused), "{name}: {refused:?}");
        assert!(refused.to_string().len() < 600, "{name}: its words are bounded");
    }
    assert!(memory.reader().last_payments(9).expect("readable").is_empty(), "nothing was signed");

    let payer = town.payer(&["127.0.0.1:9"]).await;
    let mut long = purchase("http://127.0.0.1:9/");
    long.request = PurchaseRequest::Post { media: "text/plain".to_owned(), body: vec![0; 300_000] };
    let refused = payer.buy(&long, &mut memory).await.expect_err("too long");
    assert!(matches!(refused, PurchaseError::RequestTooLong { .. }), "{refused}");
    let nobody = payer.buy(&purchase("http://127.0.0.1:9/"), &mut memory).await.expect_err("nobody there");
    assert!(matches!(nobody, PurchaseError::Unreachable { .. }) && nobody.may_retry(), "{nobody}");
}
