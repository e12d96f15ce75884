//! what is bought, and what is refused before anything is signed.

use std::time::Duration;

use alloy::primitives::{Address, U256};
use axum::http::StatusCode;
use golem_chain::bindings::IErc20;
use golem_core::record::Partition;
use golem_ports::{Delivery, Float, PaymentState, Payments};
use golem_primitives::{Usdc, UtcTime};
use golem_x402::{BoughtAnswer, Cap, Host, Listed, PurchaseError};

use crate::sellers::{Runs, asking, field, terms};
use crate::town::{NAMED, Town, clock, purchase};

const PRICE: Usdc = Usdc::from_micros(5_000);
const PAYEE: Address = Address::repeat_byte(0x42);

/// both versions, from the field's own server, settled on chain by a real facilitator.
#[tokio::test]
async fn r_033_a_golem_buys_by_either_version_and_keeps_the_receipt() {
    let town = Town::on(NAMED).await;
    let float = town.float().await;
    let runs = Runs::default();
    let seller = field(&town.facilitator.url(), float.place(), PAYEE, runs.clone()).await;
    let payer = town.payer(&[&seller.host()]).await;
    let mut memory = town.memory();
    let before = float.held().await.expect("seen");
    for (path, version, network) in [("/v2", 2, "eip155:1440000"), ("/v1", 1, "xrpl-evm")] {
        let wanted = purchase(&seller.url(path));
        let bought = payer.buy(&wanted, &mut memory).await.expect(path);
        assert_eq!((bought.answer.body.as_slice(), bought.paid), (&b"{\"gas\":\"low\"}"[..], PRICE), "{path}");
        assert_eq!(bought.answer.media, "application/json");
        let receipt = bought.receipt.clone().expect("a receipt");
        assert_eq!((receipt.network.as_str(), receipt.payer), (network, Some(float.place().holder)));
        let known = memory.payment_of(wanted.effect).expect("readable").expect("recorded");
        assert_eq!((known.version, known.state, known.partition), (version, PaymentState::Settled, Partition::Data));
        assert!(receipt.tx.is_some() && matches!(known.delivery, Delivery::Served { .. }));
        // Asking again for the same is given the same, and costs nothing.
        let again = payer.buy(&wanted, &mut memory).await.expect("kept");
        assert_eq!(again, BoughtAnswer { paid: PRICE, ..bought });
    }
    assert_eq!(runs.count(), 2);
    assert_eq!(town.usdc_of(PAYEE).await, Usdc::from_micros(10_000));
    assert_eq!(before.saturating_sub(float.held().await.expect("seen")), Usdc::from_micros(10_000));
    assert_eq!(memory.spent_on(clock().day()).expect("readable"), Usdc::from_micros(10_000));
    assert_eq!(memory.float_book().expect("readable").paid[2], Usdc::from_micros(10_000));
    let free = payer.buy(&purchase(&seller.url("/free")), &mut memory).await.expect("given away");
    assert_eq!((free.paid, free.receipt), (Usdc::ZERO, None));
}

/// caps, list and payee, each refused by its own word, with nothing signed and nothing recorded.
#[tokio::test]
async fn r_033_caps_list_and_payee_refuse_before_anything_is_signed() {
    let town = Town::up().await;
    let float = town.float().await;
    let (seller, shown) = asking(terms(float.place(), PAYEE, "5000"), StatusCode::OK).await;
    let url = seller.url("/");
    let host = seller.host();
    let mut memory = town.memory();

    let payer = town.payer(&["data.example"]).await;
    let refused = payer.buy(&purchase(&url), &mut memory).await.expect_err("not listed");
    assert!(matches!(refused, PurchaseError::NotListed { .. }), "{refused}");
    let plain = payer.buy(&purchase("http://data.example/"), &mut memory).await.expect_err("in clear");
    assert!(matches!(plain, PurchaseError::Host(_)), "{plain}");

    let payer = town.payer_with(&[&host], |settings| settings.per_call = Usdc::from_micros(4_999)).await;
    let refused = payer.buy(&purchase(&url), &mut memory).await.expect_err("too dear");
    assert!(matches!(refused, PurchaseError::TooDear { cap: Cap::PerCall, .. }), "{refused}");
    let mut modest = purchase(&url);
    modest.at_most = Usdc::from_micros(4_998);
    let refused = payer.buy(&modest, &mut memory).await.expect_err("too dear");
    assert!(matches!(refused, PurchaseError::TooDear { cap: Cap::Purchase, .. }), "{refused}");

    let payer = town.payer_with(&[&host], |settings| settings.per_day = Usdc::from_micros(4_999)).await;
    let refused = payer.buy(&purchase(&url), &mut memory).await.expect_err("the day's cap");
    assert!(matches!(refused, PurchaseError::DayCap { left, .. } if left == Usdc::from_micros(4_999)), "{refused}");

    let pinned = Listed { host: host.parse::<Host>().expect("a host"), payee: Some(Address::repeat_byte(9)) };
    let payer = town.payer_with(&[], |settings| settings.hosts = vec![pinned]).await;
    let refused = payer.buy(&purchase(&url), &mut memory).await.expect_err("another payee");
    assert!(matches!(refused, PurchaseError::PayeeChanged { offered, .. } if offered == PAYEE), "{refused}");

    assert_eq!(shown.count(), 0, "no server was shown anything");
    assert!(memory.reader().last_payments(9).expect("readable").is_empty());
}

/// the day's cap holds over several purchases and is new the next day.
#[tokio::test]
async fn r_033_the_days_cap_counts_what_was_paid_and_is_new_tomorrow() {
    let town = Town::up().await;
    let seller = field(&town.facilitator.url(), town.float().await.place(), PAYEE, Runs::default()).await;
    let payer = town.payer_with(&[&seller.host()], |settings| settings.per_day = Usdc::from_micros(9_999)).await;
    let mut memory = town.memory();
    payer.buy(&purchase(&seller.url("/v2")), &mut memory).await.expect("the first");
    let mut second = purchase(&seller.url("/v2"));
    let refused = payer.buy(&second, &mut memory).await.expect_err("the second");
    assert!(matches!(refused, PurchaseError::DayCap { left, .. } if left == Usdc::from_micros(4_999)), "{refused}");
    assert!(refused.may_retry());
    second.now = second.now.plus(Duration::from_secs(UtcTime::DAY_SECONDS));
    payer.buy(&second, &mut memory).await.expect("tomorrow");
    assert_eq!(town.usdc_of(PAYEE).await, Usdc::from_micros(10_000));
}

/// V-006, R-033: a partition pays from its own share, and an empty wallet pays nothing.
#[tokio::test]
async fn v_006_a_purchase_is_covered_by_its_own_partition_and_by_the_wallet() {
    let town = Town::up().await;
    let float = town.float().await;
    let seller = field(&town.facilitator.url(), float.place(), PAYEE, Runs::default()).await;
    let payer = town.payer(&[&seller.host()]).await;
    let mut memory = town.memory();
    let mut thinking = purchase(&seller.url("/v2"));
    thinking.partition = Partition::Llm;
    let refused = payer.buy(&thinking, &mut memory).await.expect_err("nothing was drawn from llm");
    let short = |error: &PurchaseError| match error {
        PurchaseError::FloatShort { partition, short } => Some((*partition, *short)),
        _ => None,
    };
    assert_eq!(short(&refused), Some((Partition::Llm, PRICE)), "{refused}");
    memory.drew(crate::town::effect(2_000), Partition::Llm, PRICE).expect("on disk");
    payer.buy(&thinking, &mut memory).await.expect("drawn");

    let (key, to) = (town.stranger(0), town.devnet.accounts().issuer.address);
    let rest = float.held().await.expect("seen").saturating_sub(Usdc::from_micros(4_000));
    let away = IErc20::transferCall { to, value: U256::from(rest.micros()) };
    town.send(&key, town.devnet.world().usdc, &away).await;
    let refused = payer.buy(&purchase(&seller.url("/v2")), &mut memory).await.expect_err("the wallet is empty");
    assert_eq!(short(&refused), Some((Partition::Data, Usdc::from_micros(1_000))), "{refused}");
    assert!(refused.may_retry());
}

/// whoever is paid first at a server is its payee.
#[tokio::test]
async fn r_033_a_server_that_names_another_payee_is_not_paid() {
    let town = Town::up().await;
    let float = town.float().await;
    let first = field(&town.facilitator.url(), float.place(), PAYEE, Runs::default()).await;
    let payer = town.payer(&[&first.host()]).await;
    let mut memory = town.memory();
    payer.buy(&purchase(&first.url("/v2")), &mut memory).await.expect("the first");
    let address = first.address;
    drop(first);
    // The same server, taken over by somebody else.
    let other = Address::repeat_byte(0x66);
    let listener = loop {
        if let Ok(listener) = tokio::net::TcpListener::bind(address).await {
            break listener;
        }
        tokio::task::yield_now().await;
    };
    let asked = terms(float.place(), other, "5000");
    let routes =
        axum::Router::new().route("/v2", axum::routing::get(move || async move { crate::sellers::ask(&asked) }));
    let serving = tokio::spawn(async move { axum::serve(listener, routes).await });
    let url = format!("http://{address}/v2");
    let refused = payer.buy(&purchase(&url), &mut memory).await.expect_err("another payee");
    assert!(
        matches!(refused, PurchaseError::PayeeChanged { known, offered, .. } if (known, offered) == (PAYEE, other)),
        "{refused}"
    );
    serving.abort();
}

/// a server that takes the money and serves nothing is recorded, barred for the day, and asked again the next.
#[tokio::test]
async fn r_033_who_takes_money_and_serves_nothing_is_barred_until_tomorrow() {
    let town = Town::up().await;
    let seller = field(&town.facilitator.url(), town.float().await.place(), PAYEE, Runs::default()).await;
    let payer = town.payer(&[&seller.host()]).await;
    let mut memory = town.memory();
    let midnight = |days: u64| UtcTime::from_seconds((clock().day() + days) * UtcTime::DAY_SECONDS);
    // (what it does instead, the day)
    for (path, day) in [("/broken", 1), ("/long", 2), ("/cut", 3)] {
        let mut wanted = purchase(&seller.url(path));
        wanted.now = midnight(day);
        let unserved = payer.buy(&wanted, &mut memory).await.expect_err(path);
        assert!(matches!(&unserved, PurchaseError::Unserved { amount, .. } if *amount == PRICE), "{path}: {unserved}");
        assert_eq!((unserved.spent(), unserved.may_retry()), (PRICE, false));
        assert_eq!(town.usdc_of(PAYEE).await, Usdc::from_micros(5_000 * day), "{path} took it");
        let known = memory.payment_of(wanted.effect).expect("readable").expect("recorded");
        assert!(matches!(known.delivery, Delivery::Unserved { .. }) && known.state == PaymentState::Settled);
        let again = payer.buy(&wanted, &mut memory).await.expect_err("final");
        assert!(matches!(again, PurchaseError::Unserved { .. }), "{again}");
        let mut next = purchase(&seller.url("/v2"));
        next.now = UtcTime::from_seconds(midnight(day + 1).seconds() - 1);
        let barred = payer.buy(&next, &mut memory).await.expect_err("barred");
        assert!(matches!(barred, PurchaseError::Barred { until, .. } if until == midnight(day + 1)), "{barred}");
    }
    let mut wanted = purchase(&seller.url("/v2"));
    wanted.now = midnight(4);
    payer.buy(&wanted, &mut memory).await.expect("a new day");
}
