//! Several nodes as one, some of them bad (R-023).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use alloy::primitives::{Bytes, U64, keccak256};
use golem_chain::{EndpointError, EndpointSettings, EndpointState, Endpoints};
use serde_json::{Value, json};

use crate::fake_rpc::{FakeRpc, Reply, healthy};

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs()
}

fn settings() -> EndpointSettings {
    EndpointSettings {
        chain_id: Some(7),
        timeout: Duration::from_secs(1),
        rounds: 3,
        backoff: Duration::from_millis(1),
        backoff_limit: Duration::from_millis(2),
        ..EndpointSettings::default()
    }
}

async fn connect(nodes: &[&FakeRpc]) -> Endpoints {
    let urls: Vec<String> = nodes.iter().map(|node| node.url.clone()).collect();
    Endpoints::connect(&urls, settings()).await.expect("connected")
}

async fn block_number(endpoints: &Endpoints) -> Result<u64, EndpointError> {
    endpoints.request::<_, U64>("eth_blockNumber", json!([])).await.map(|number| number.to())
}

fn state_of(endpoints: &Endpoints, index: usize) -> EndpointState {
    endpoints.health()[index].state
}

#[tokio::test]
async fn r_023_an_endpoint_of_another_chain_is_refused_by_name() {
    let (good, other) = (FakeRpc::with_head(5, now()).await, FakeRpc::start(|_, _| Reply::Result(json!("0x1"))).await);
    let error = Endpoints::connect(&[good.url.clone(), other.url.clone()], settings()).await.expect_err("refused");
    assert_eq!(error, EndpointError::WrongChain { url: other.url.clone(), found: 1, expected: 7 });
    assert!(error.to_string().contains("chain 1") && error.to_string().contains("chain 7"), "{error}");
    // With no chain named, the first endpoint decides and the others are held to it.
    let free = EndpointSettings { chain_id: None, ..settings() };
    let endpoints = Endpoints::connect(std::slice::from_ref(&good.url), free).await.expect("connected");
    assert_eq!(endpoints.chain_id(), 7);
    assert!(Endpoints::connect(&[good.url.clone(), other.url.clone()], free).await.is_err());
    assert_eq!(Endpoints::connect(&[], free).await.expect_err("none"), EndpointError::NoEndpoints);
}

#[tokio::test]
async fn r_023_reads_fail_over_and_stay_where_they_are_answered() {
    let (first, second) = (FakeRpc::with_head(5, now()).await, FakeRpc::with_head(6, now()).await);
    let endpoints = connect(&[&first, &second]).await;
    assert_eq!(block_number(&endpoints).await, Ok(5));
    for (broken, why) in [
        (Reply::Status(503, ""), "HTTP"),
        (Reply::Garbage, "no JSON"),
        (Reply::Hang, "silence"),
        (Reply::Status(302, "location: http://127.0.0.1:1/"), "a redirect"),
    ] {
        let broken = std::sync::Mutex::new(Some(broken));
        first.becomes(move |_, _| broken.lock().expect("whole").take().unwrap_or(Reply::Hang));
        assert_eq!(block_number(&endpoints).await, Ok(6), "{why}");
        // The next read goes to the one that answered, not to the one that failed.
        let before = first.asked("eth_blockNumber");
        assert_eq!(block_number(&endpoints).await, Ok(6));
        assert_eq!(first.asked("eth_blockNumber"), before, "{why}");
        first.becomes(|method, _| healthy(method, 5, now()));
        second.becomes(|_, _| Reply::Status(500, ""));
        let endpoints_again = connect(&[&first]).await;
        assert_eq!(block_number(&endpoints_again).await, Ok(5));
        second.becomes(|method, _| healthy(method, 6, now()));
    }
}

#[tokio::test]
async fn r_023_a_read_is_tried_again_after_a_wait() {
    let node = FakeRpc::with_head(5, now()).await;
    let endpoints = connect(&[&node]).await;
    let failures = AtomicUsize::new(2);
    node.becomes(move |method, _| {
        let left = failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if left.is_ok() { Reply::Status(502, "") } else { healthy(method, 5, now()) }
    });
    assert_eq!(block_number(&endpoints).await, Ok(5));
    assert_eq!(node.asked("eth_blockNumber"), 3);
    node.becomes(|_, _| Reply::Status(502, ""));
    let error = block_number(&endpoints).await.expect_err("down");
    assert!(matches!(&error, EndpointError::Unreachable { method: "eth_blockNumber", .. }), "{error:?}");
    assert!(error.is_blind() && error.may_retry());
}

#[tokio::test]
async fn r_023_a_revert_is_an_answer_and_comes_at_once_with_its_data() {
    let node = FakeRpc::with_head(5, now()).await;
    let endpoints = connect(&[&node]).await;
    node.becomes(|_, _| Reply::Error(3, "execution reverted", json!("0xdeadbeef")));
    let error = endpoints.request::<_, Bytes>("eth_call", json!([{}, "latest"])).await.expect_err("reverted");
    let EndpointError::Reverted { data, .. } = &error else { panic!("{error:?}") };
    assert_eq!(data, &Some(Bytes::from_static(&[0xde, 0xad, 0xbe, 0xef])));
    assert!(!error.is_blind() && !error.may_retry());
    assert_eq!(node.asked("eth_call"), 1);
    // So is the refusal of a request, once every endpoint has given it.
    node.becomes(|_, _| Reply::Error(-32601, "the method does not exist", Value::Null));
    let error = endpoints.request::<_, Bytes>("eth_simulateV1", json!([])).await.expect_err("refused");
    assert!(matches!(error, EndpointError::Rpc { code: -32601, .. }) && !error.is_blind());
    assert_eq!(node.asked("eth_simulateV1"), 1);
}

#[tokio::test]
async fn r_023_refusals_inside_an_http_error_and_answers_to_others_are_told_apart() {
    let node = FakeRpc::with_head(5, now()).await;
    let endpoints = connect(&[&node]).await;
    node.becomes(|_, _| {
        Reply::Raw(
            400,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":3,"message":"execution reverted","data":"0x01"}}"#,
        )
    });
    let error = endpoints.request::<_, Bytes>("eth_call", json!([])).await.expect_err("reverted");
    let EndpointError::Reverted { data, .. } = &error else { panic!("{error:?}") };
    assert_eq!(data, &Some(Bytes::from_static(&[1])));
    for odd in [r#"{"jsonrpc":"2.0","id":999999,"result":"0x5"}"#, r#"{"jsonrpc":"2.0"}"#, "[]", "5"] {
        node.becomes(move |_, _| Reply::Raw(200, odd));
        let error = block_number(&endpoints).await.expect_err(odd);
        assert!(matches!(error, EndpointError::Unreachable { .. }) && error.is_blind(), "{odd}: {error:?}");
    }
    // Nothing found is an answer.
    node.becomes(|_, _| Reply::Result(Value::Null));
    let none: Option<Value> = endpoints.request("eth_getTransactionReceipt", json!([])).await.expect("answered");
    assert_eq!(none, None);
}

#[tokio::test]
async fn r_023_an_endpoint_that_asks_for_patience_gets_it() {
    for limit in [|| Reply::Status(429, "retry-after: 60"), || Reply::Error(-32005, "limit exceeded", Value::Null)] {
        let (first, second) = (FakeRpc::with_head(5, now()).await, FakeRpc::with_head(6, now()).await);
        let endpoints = connect(&[&first, &second]).await;
        first.becomes(move |_, _| limit());
        assert_eq!(block_number(&endpoints).await, Ok(6));
        assert_eq!(state_of(&endpoints, 0), EndpointState::Resting);
        endpoints.head().await.expect("seen");
        assert_eq!((first.asked("eth_blockNumber"), first.asked("eth_getBlockByNumber")), (1, 0), "left alone");
        // When all of them ask for it, that is what is told.
        let alone = connect_limited(&first).await;
        first.becomes(move |_, _| limit());
        let error = block_number(&alone).await.expect_err("limited");
        assert!(matches!(error, EndpointError::RateLimited { .. }) && error.is_blind(), "{error:?}");
    }
}

async fn connect_limited(node: &FakeRpc) -> Endpoints {
    node.becomes(|method, _| healthy(method, 5, now()));
    connect(&[node]).await
}

#[tokio::test]
async fn r_024_no_error_and_no_debug_output_has_an_endpoints_key() {
    let node = FakeRpc::with_head(5, now()).await;
    let key = "S3cretKeyOfTheProvider";
    let once = EndpointSettings { rounds: 1, timeout: Duration::from_millis(300), ..settings() };
    let urls = [
        format!("{}/v2/{key}", node.url),
        format!("{}/?apikey={key}", node.url),
        node.url.replace("http://", &format!("http://user:{key}@")),
    ];
    for url in urls {
        let endpoints = Endpoints::connect(std::slice::from_ref(&url), once).await.expect("connected");
        let mut told = format!("{endpoints:?} {:?}", endpoints.health());
        // Some nodes repeat the key in their own words.
        let echo = || Reply::Error(-32000, "project S3cretKeyOfTheProvider is not allowed", Value::Null);
        for reply in [|| Reply::Status(403, ""), || Reply::Garbage, || Reply::Hang, echo] {
            node.becomes(move |_, _| reply());
            let error = block_number(&endpoints).await.expect_err("broken");
            told.push_str(&format!("{error} {error:?} {:?}", endpoints.health()));
        }
        node.becomes(|_, _| Reply::Result(json!("0x1")));
        let error = Endpoints::connect(std::slice::from_ref(&url), once).await.expect_err("another chain");
        told.push_str(&format!("{error} {error:?}"));
        node.becomes(|method, _| healthy(method, 5, now()));
        assert!(!told.contains(key), "{told}");
    }
    // Nor when nobody listens there at all.
    let nowhere = format!("http://127.0.0.1:1/v2/{key}");
    let error = Endpoints::connect(&[nowhere], once).await.expect_err("nobody");
    assert!(!format!("{error} {error:?}").contains(key), "{error:?}");
    let error = Endpoints::connect(&[format!("ftp://x/{key}")], once).await.expect_err("no http");
    assert!(matches!(error, EndpointError::BadUrl { .. }) && !format!("{error} {error:?}").contains(key));
}

/// Whatever is logged, at the finest level, by us and by all we stand on.
#[tokio::test]
async fn r_024_no_log_has_an_endpoints_key() {
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("whole").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let written = Written::default();
    let writer = written.clone();
    let logs = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(logs);
    let node = FakeRpc::with_head(5, now()).await;
    let secret = format!("{}/v2/S3cretKeyOfTheProvider", node.url).replace("http://", "http://me:S3cretWord@");
    let endpoints = Endpoints::connect(&[secret], settings()).await.expect("connected");
    tracing::info!(?endpoints, "connected");
    endpoints.head().await.expect("seen");
    node.becomes(|_, _| Reply::Status(401, ""));
    let error = block_number(&endpoints).await.expect_err("refused");
    tracing::warn!(%error, ?error, "refused");
    let text = String::from_utf8(written.0.lock().expect("whole").clone()).expect("text");
    assert!(text.contains("connected") && text.contains("HTTP 401"), "{text}");
    assert!(!text.contains("S3cret"), "{text}");
}

#[tokio::test]
async fn r_023_a_lying_head_is_distrusted_and_a_lagging_one_avoided() {
    let nodes = [
        FakeRpc::with_head(9_000, now()).await,
        FakeRpc::with_head(100, now()).await,
        FakeRpc::with_head(101, now()).await,
        FakeRpc::with_head(50, now()).await,
        FakeRpc::with_head(101, now() + 3_600).await,
        FakeRpc::with_head(101, now()).await,
    ];
    let endpoints = connect(&nodes.iter().collect::<Vec<_>>()).await;
    let head = endpoints.head().await.expect("seen");
    assert_eq!((head.number, head.base_fee), (101, 1_000_000_000));
    let states: Vec<_> = (0..6).map(|index| state_of(&endpoints, index)).collect();
    use EndpointState::{Distrusted, Healthy, Lagging};
    assert_eq!(states, [Distrusted, Healthy, Healthy, Lagging { blocks: 51 }, Distrusted, Healthy]);
    assert_ne!(block_number(&endpoints).await, Ok(9_000), "what a liar says is not believed");
    assert_eq!(nodes[0].asked("eth_blockNumber"), 0);
    // It is looked at again with every head, and forgiven when it agrees.
    nodes[0].becomes(|method, _| healthy(method, 101, now()));
    endpoints.head().await.expect("seen");
    assert_eq!(state_of(&endpoints, 0), Healthy);
}

#[tokio::test]
async fn r_023_a_chain_that_stands_still_or_goes_back_is_told() {
    let node = FakeRpc::with_head(100, now() - 600).await;
    let endpoints = connect(&[&node]).await;
    let error = endpoints.head().await.expect_err("stale");
    assert!(matches!(error, EndpointError::Stale { number: 100, .. }) && error.is_blind(), "{error:?}");
    node.becomes(|method, _| healthy(method, 1_000, now()));
    assert_eq!(endpoints.head().await.expect("seen").number, 1_000);
    let skew = endpoints.skew().expect("measured").seconds;
    assert!((0..=2).contains(&skew), "{skew}");
    // A reorg's worth is ordinary; more is said once, then the new chain is the chain.
    node.becomes(|method, _| healthy(method, 950, now()));
    assert_eq!(endpoints.head().await.expect("seen").number, 950);
    node.becomes(|method, _| healthy(method, 10, now()));
    let error = endpoints.head().await.expect_err("went back");
    assert_eq!(error, EndpointError::WentBack { from: 950, to: 10 });
    assert!(error.is_blind() && !error.may_retry());
    assert_eq!(endpoints.head().await.expect("seen").number, 10);
}

#[tokio::test]
async fn r_023_an_endpoint_that_comes_back_on_another_chain_is_never_believed() {
    let (good, absent) = (FakeRpc::with_head(5, now()).await, FakeRpc::start(|_, _| Reply::Status(503, "")).await);
    let endpoints = connect(&[&good, &absent]).await;
    absent.becomes(|method, _| match method {
        "eth_chainId" => Reply::Result(json!("0x9")),
        _ => healthy(method, 77, now()),
    });
    good.becomes(|_, _| Reply::Status(503, ""));
    let error = block_number(&endpoints).await.expect_err("nobody left");
    assert!(error.to_string().contains("is on chain 9, not on 7"), "{error}");
    assert_eq!(absent.asked("eth_blockNumber"), 0);
}

#[tokio::test]
async fn r_022_what_a_node_says_of_a_transaction_can_be_told_apart() {
    let node = FakeRpc::with_head(5, now()).await;
    let endpoints = connect(&[&node]).await;
    let raw = [2, 1, 2, 3];
    for known in ["already known", "known transaction: 0xab", "transaction already imported"] {
        node.becomes(move |_, _| Reply::Error(-32000, known, Value::Null));
        assert_eq!(endpoints.send_raw(&raw).await, Ok(keccak256(raw)), "{known}");
    }
    type Is = fn(&EndpointError) -> bool;
    let refusals: [(&'static str, Is); 6] = [
        ("nonce too low: next nonce 5, tx nonce 3", |e| matches!(e, EndpointError::NonceTooLow { .. })),
        ("replacement transaction underpriced", |e| matches!(e, EndpointError::ReplacementUnderpriced { .. })),
        ("insufficient funds for gas * price + value", |e| matches!(e, EndpointError::InsufficientFunds { .. })),
        ("max fee per gas less than block base fee", |e| matches!(e, EndpointError::FeeTooLow { .. })),
        ("transaction underpriced", |e| matches!(e, EndpointError::FeeTooLow { .. })),
        ("invalid sender", |e| matches!(e, EndpointError::Rpc { .. })),
    ];
    for (words, is) in refusals {
        node.becomes(move |_, _| Reply::Error(-32000, words, Value::Null));
        let error = endpoints.send_raw(&raw).await.expect_err("refused");
        assert!(is(&error) && !error.may_retry() && !error.is_blind(), "{words}: {error:?}");
    }
}

#[tokio::test]
async fn r_022_one_endpoint_that_takes_a_transaction_is_enough() {
    let (first, second) = (FakeRpc::with_head(5, now()).await, FakeRpc::with_head(5, now()).await);
    let endpoints = connect(&[&first, &second]).await;
    let raw = [2, 9, 9];
    let hash = keccak256(raw);
    first.becomes(|_, _| Reply::Error(-32000, "nonce too low", Value::Null));
    second.becomes(move |_, _| Reply::Result(json!(hash)));
    assert_eq!(endpoints.send_raw(&raw).await, Ok(hash));
    assert_eq!((first.asked("eth_sendRawTransaction"), second.asked("eth_sendRawTransaction")), (1, 1));
    // One that calls it by another name did not take this one.
    second.becomes(|_, _| Reply::Result(json!(keccak256("another"))));
    let error = endpoints.send_raw(&raw).await.expect_err("not taken");
    assert!(matches!(error, EndpointError::NonceTooLow { .. }), "{error:?}");
}
