//! What more than one endpoint is asked for: the answer most of them give, or none.

use alloy::primitives::U64;
use golem_chain::{EndpointError, EndpointSettings, Endpoints};
use serde_json::json;

use crate::fake_rpc::{FakeRpc, Reply, healthy};

/// A node of chain 7 that says this number, or refuses when it has none.
async fn saying(number: Option<u64>) -> FakeRpc {
    FakeRpc::start(move |method, _| match (method, number) {
        ("eth_getTransactionCount", Some(number)) => Reply::Result(json!(format!("{number:#x}"))),
        ("eth_getTransactionCount", None) => Reply::Error(-32000, "header not found", json!(null)),
        _ => healthy(method, 5, 0),
    })
    .await
}

async fn asked(nodes: &[&FakeRpc]) -> (Endpoints, Result<u64, EndpointError>) {
    let urls: Vec<String> = nodes.iter().map(|node| node.url.clone()).collect();
    let settings = EndpointSettings { chain_id: Some(7), rounds: 1, ..EndpointSettings::devnet() };
    let endpoints = Endpoints::connect(&urls, settings).await.expect("connected");
    let said = count(&endpoints).await;
    (endpoints, said)
}

async fn count(endpoints: &Endpoints) -> Result<u64, EndpointError> {
    endpoints.agreed::<_, U64>("eth_getTransactionCount", json!([])).await.map(|count| count.to())
}

/// one of three that lies or cannot say is outvoted, wherever it stands; without a majority nobody is believed.
#[tokio::test]
async fn r_023_more_than_half_decide() {
    let (four, also_four, five, six, unsure) = (
        saying(Some(4)).await,
        saying(Some(4)).await,
        saying(Some(5)).await,
        saying(Some(6)).await,
        saying(None).await,
    );
    for nodes in [[&five, &four, &also_four], [&four, &five, &also_four], [&unsure, &four, &also_four]] {
        assert_eq!(asked(&nodes).await.1, Ok(4));
    }
    for nodes in [&[&four, &five][..], &[&four, &five, &six], &[&unsure, &four], &[&five, &four, &unsure]] {
        let error = asked(nodes).await.1.expect_err("nobody has a majority");
        assert!(
            matches!(error, EndpointError::Disagreement { .. }) && error.is_blind() && error.may_retry(),
            "{error}"
        );
        assert!(nodes.iter().all(|node| error.to_string().contains(&node.url)), "{error}");
    }
    let error = asked(&[&unsure, &unsure, &four]).await.1.expect_err("most cannot say");
    assert!(matches!(error, EndpointError::Rpc { .. }), "{error}");
}

/// of three the one that is left decides nothing; of two it is believed, and so is one alone.
#[tokio::test]
async fn r_023_who_is_left_of_three_does_not_decide_alone() {
    let (liar, first, second) = (saying(Some(9)).await, saying(Some(4)).await, saying(Some(4)).await);
    let (three, said) = asked(&[&liar, &first, &second]).await;
    assert_eq!(said, Ok(4));
    let (two, said) = asked(&[&first, &second]).await;
    assert_eq!(said, Ok(4));
    second.becomes(|_, _| Reply::Status(503, ""));
    assert!(count(&three).await.expect_err("one against one").is_blind());
    assert_eq!(count(&two).await, Ok(4));
    first.becomes(|_, _| Reply::Status(503, ""));
    assert!(count(&three).await.expect_err("silenced").is_blind(), "a liar is alone");
    assert_eq!(asked(&[&liar]).await.1, Ok(9), "there is nobody else to ask");
}
