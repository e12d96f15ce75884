//! Endpoints: what is sent, what is believed, and everything that is not.

use std::time::Duration;

use golem_inference::embedder::drift::{Health, REFERENCE_TEXTS, Reference};
use golem_inference::embedder::{AnyEmbedder, ApiKey, EmbedderSettings, EmbedderTable, OpenError, Patience};
use golem_ports::{Embedder, EmbedderError, EmbeddingPurpose};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::server::{Play, Server};

const KEY: &str = "sk-very-secret-0123456789";
const HOUR: Duration = Duration::from_secs(3_600);
/// Long enough for a busy machine, and never waited for where the server answers.
const AMPLE: Duration = Duration::from_secs(60);
const QUICK: Patience =
    Patience { timeout: AMPLE, tries: 3, first_wait: Duration::from_millis(1), longest_wait: Duration::from_secs(20) };

fn settings(kind: &str, base_url: String, patience: Patience) -> EmbedderSettings {
    let key = Some(ApiKey::new(Zeroizing::new(KEY.to_owned())).unwrap());
    let version = "v1.5".to_owned();
    let written =
        EmbedderTable { kind: kind.to_owned(), base_url, dimensions: 3, version, key, ..EmbedderTable::default() };
    let mut settings = EmbedderSettings::new(written).unwrap();
    if let EmbedderSettings::Remote(endpoint) = &mut settings {
        endpoint.patience = patience;
    }
    settings
}

async fn open(kind: &str, server: &Server, patience: Patience) -> AnyEmbedder {
    let base = if kind == "openai" { format!("{}/api/v1", server.url) } else { server.url.clone() };
    AnyEmbedder::open(&settings(kind, base, patience)).await.unwrap().unwrap()
}

fn openai(vectors: &[(usize, Value)]) -> Value {
    let data: Vec<Value> = vectors
        .iter()
        .map(|(index, embedding)| json!({"object": "embedding", "index": index, "embedding": embedding}))
        .collect();
    json!({"object": "list", "data": data, "model": "nomic", "usage": {"prompt_tokens": 5, "total_tokens": 5}})
}

fn ollama(vectors: Value) -> Value {
    json!({"model": "nomic-embed-text", "embeddings": vectors, "total_duration": 14_143_917, "load_duration": 1_019_500})
}

/// One text through a server that plays these; what came of it and how often it was asked.
async fn embed(kind: &str, plays: Vec<Play>, patience: Patience) -> (Result<Vec<Vec<f32>>, EmbedderError>, usize) {
    let server = Server::start(plays).await;
    let embedder = open(kind, &server, patience).await;
    let embedded = embedder.embed(&["gas"], EmbeddingPurpose::Entry).await;
    if let Err(error) = &embedded {
        let shown = format!("{error} {error:?} {embedder:?}");
        assert!(!shown.contains(KEY), "{shown}");
    }
    (embedded, server.asked().len())
}

/// G-005: nomic-embed-text sees an entry and a query each with the prefix it was trained with.
#[tokio::test]
async fn g_005_openais_protocol_is_spoken_and_order_restored() {
    let first = openai(&[(1, json!([0.0, 3.0, 4.0])), (0, json!([2.0, 0.0, 0.0]))]);
    let server = Server::start([Play::good(first), Play::good(openai(&[(0, json!([0, 0, 1]))]))]).await;
    let embedder = open("openai", &server, QUICK).await;
    let vectors = embedder.embed(&["gas", "Öl"], EmbeddingPurpose::Entry).await.unwrap();
    assert_eq!(vectors, [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]]);
    assert_eq!(embedder.embed(&["why?"], EmbeddingPurpose::Query).await.unwrap(), [[0.0, 0.0, 1.0]]);
    let asked = server.asked();
    assert_eq!(asked[0].line, "POST /api/v1/embeddings");
    assert!(asked[0].head.contains(&format!("authorization: Bearer {KEY}")), "{}", asked[0].head);
    let body = json!({"model": "nomic-embed-text-v1.5", "encoding_format": "float",
        "input": ["search_document: gas", "search_document: Öl"]});
    assert_eq!(asked[0].body, body);
    assert_eq!(asked[1].body["input"], json!(["search_query: why?"]));
    let model = embedder.model();
    assert_eq!((model.name.as_str(), model.version.as_str(), model.dimensions), ("nomic-embed-text-v1.5", "v1.5", 3));
}

#[tokio::test]
async fn g_005_ollamas_own_protocol_is_spoken() {
    let server = Server::start([Play::good(ollama(json!([[0, 0, 2], [1, 0, 0]])))]).await;
    let embedder = open("ollama", &server, QUICK).await;
    let vectors = embedder.embed(&["a", "b"], EmbeddingPurpose::Query).await.unwrap();
    assert_eq!(vectors, [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
    let asked = server.asked();
    assert_eq!(asked[0].line, "POST /api/embed");
    let body = json!({"model": "nomic-embed-text", "truncate": true, "input": ["search_query: a", "search_query: b"]});
    assert_eq!(asked[0].body, body);
}

/// G-006: the digest Ollama tells is the version, so an exchanged model is another model.
#[tokio::test]
async fn g_006_an_ollama_is_asked_which_model_it_has() {
    let list = json!({"models": [
        {"name": "llama3.2:latest", "digest": "aa"},
        {"name": "nomic-embed-text:latest", "model": "nomic-embed-text:latest", "size": 274_302_450, "digest": "0a109f422b47"},
    ]});
    let server = Server::start([Play::good(&list), Play::good(json!({"models": []})), Play::good("[]")]).await;
    let written = EmbedderTable { kind: "ollama".to_owned(), base_url: server.url.clone(), ..EmbedderTable::default() };
    let settings = EmbedderSettings::new(written).unwrap();
    let embedder = AnyEmbedder::open(&settings).await.unwrap().unwrap();
    assert_eq!(embedder.model().version, "ollama:0a109f422b47");
    assert_eq!(server.asked()[0].line, "GET /api/tags");
    let missing = AnyEmbedder::open(&settings).await.unwrap_err();
    assert!(matches!(missing, OpenError::Endpoint(EmbedderError::NoModel { .. })) && !missing.may_retry(), "{missing}");
    assert!(missing.to_string().contains("`ollama pull nomic-embed-text`"), "{missing}");
    let malformed = AnyEmbedder::open(&settings).await.unwrap_err();
    assert!(matches!(malformed, OpenError::Endpoint(EmbedderError::Malformed { .. })), "{malformed}");
}

#[tokio::test]
async fn many_texts_go_in_several_requests_and_all_or_none_come_back() {
    let part = |count| ollama(Value::Array(vec![json!([0, 1, 0]); count]));
    let server = Server::start([Play::good(part(64)), Play::good(part(36))]).await;
    let embedder = open("ollama", &server, QUICK).await;
    assert_eq!(embedder.embed(&["x"; 100], EmbeddingPurpose::Entry).await.unwrap().len(), 100);
    assert_eq!(server.asked()[1].body["input"].as_array().unwrap().len(), 36);
    let server = Server::start([Play::good(part(64)), Play::status(400, "")]).await;
    let embedder = open("ollama", &server, QUICK).await;
    let error = embedder.embed(&["x"; 100], EmbeddingPurpose::Entry).await.unwrap_err();
    assert!(matches!(error, EmbedderError::Refused { status: 400, .. }), "{error}");
    let error = embedder.embed(&["x"; 4_097], EmbeddingPurpose::Entry).await.unwrap_err();
    assert!(matches!(error, EmbedderError::TooMuch { .. }), "{error}");
    assert_eq!(server.asked().len(), 2, "too much is not even sent");
}

#[tokio::test]
async fn a_long_text_is_cut_before_it_is_sent() {
    let server = Server::start([Play::good(ollama(json!([[0, 1, 0]])))]).await;
    let embedder = open("ollama", &server, QUICK).await;
    embedder.embed(&[&"ä".repeat(9_000)], EmbeddingPurpose::Entry).await.unwrap();
    assert_eq!(server.asked()[0].body["input"][0].as_str().unwrap().len(), "search_document: ".len() + 8_000);
}

#[tokio::test]
async fn a_limited_request_waits_as_long_as_it_is_told() {
    let good = || Play::good(openai(&[(0, json!([1, 0, 0]))]));
    let limited = |head| Play::Answer(429, head, String::new());
    // Told to wait no time at all, it does not fall back to its own wait, which nobody would sit through.
    let own =
        Patience { first_wait: Duration::from_secs(100_000), longest_wait: Duration::from_secs(100_000), ..QUICK };
    let (embedded, asked) = embed("openai", vec![limited("retry-after: 0\r\n"), good()], own).await;
    assert_eq!((embedded.unwrap().len(), asked), (1, 2));
    // Told to wait longer than it may, it tells so at once.
    let (embedded, asked) = embed("openai", vec![limited("retry-after: 3600\r\n"), good()], QUICK).await;
    let error = embedded.unwrap_err();
    assert!(matches!(error, EmbedderError::Limited { after: Some(HOUR), .. }) && error.may_retry(), "{error}");
    assert_eq!(asked, 1);
    // Told nothing, or nonsense, it uses its own.
    let plays = vec![limited(""), limited("retry-after: soon\r\n"), limited("")];
    let (embedded, asked) = embed("openai", plays, QUICK).await;
    assert!(matches!(embedded, Err(EmbedderError::Limited { after: None, .. })), "{embedded:?}");
    assert_eq!(asked, 3);
}

#[tokio::test]
async fn what_passes_by_itself_is_asked_again_within_bounds() {
    let good = || Play::good(ollama(json!([[1, 0, 0]])));
    let broken = || Play::status(500, r#"{"error":"llama runner process has terminated"}"#);
    let cut = || Play::Cut(r#"{"embeddings":[[0.1,"#.to_owned());
    for plays in [vec![broken(), broken(), good()], vec![cut(), good()], vec![Play::status(503, ""), good()]] {
        let count = plays.len();
        let (embedded, asked) = embed("ollama", plays, QUICK).await;
        assert_eq!((embedded.unwrap().len(), asked), (1, count));
    }
    let (embedded, asked) = embed("ollama", vec![broken(), broken(), broken(), good()], QUICK).await;
    let error = embedded.unwrap_err();
    assert!(error.to_string().contains("(HTTP 500): llama runner process has terminated"), "{error}");
    assert_eq!((asked, error.may_retry()), (3, true));
    let (embedded, asked) = embed("ollama", vec![cut(), cut(), cut()], QUICK).await;
    assert!(matches!(embedded, Err(EmbedderError::Unreachable { .. })), "{embedded:?}");
    assert_eq!(asked, 3);
}

#[tokio::test]
async fn silence_ends_after_its_time() {
    let hasty = Patience { timeout: Duration::from_millis(30), tries: 2, ..QUICK };
    let (embedded, asked) = embed("openai", vec![Play::Silence, Play::Silence], hasty).await;
    let error = embedded.unwrap_err();
    assert!(matches!(error, EmbedderError::TimedOut { limit, .. } if limit == hasty.timeout), "{error}");
    assert!(asked <= 2 && error.may_retry());
}

#[tokio::test]
async fn nobody_there_is_unreachable() {
    let gone = Server::start([]).await.url.clone();
    let embedder = AnyEmbedder::open(&settings("openai", format!("{gone}/v1"), QUICK)).await.unwrap().unwrap();
    let error = embedder.embed(&["x"], EmbeddingPurpose::Entry).await.unwrap_err();
    assert!(matches!(&error, EmbedderError::Unreachable { endpoint, .. } if *endpoint == gone), "{error}");
}

#[tokio::test]
async fn wrong_answers_are_refused_at_once() {
    let numbers = |text: &str| Play::good(format!(r#"{{"data":[{{"index":0,"embedding":{text}}}]}}"#));
    let refusal = format!(r#"{{"error":{{"message":"bad key {KEY}\u0007","type":"auth"}}}}"#);
    let redirect = Play::Answer(307, "location: http://127.0.0.1:1/\r\n", String::new());
    let huge = format!("{}{}", openai(&[(0, json!([1, 0, 0]))]), " ".repeat(70_000));
    for (play, said) in [
        (Play::good("<html>"), "cannot be read"),
        (Play::good(""), "cannot be read"),
        (Play::good(r#"{"data":[{"index":0,"embedding":"AACAPw=="}]}"#), "cannot be read"),
        (numbers("[1, null, 0]"), "cannot be read"),
        (numbers("[1, NaN, 0]"), "cannot be read"),
        (numbers("[1, 1e39, 0]"), "cannot be read"),
        (numbers("[0, 0, 0]"), "zero"),
        (numbers("[1, 0]"), "has 2 dimensions and the model 3"),
        (numbers("[1, 0, 0, 0]"), "has 4 dimensions and the model 3"),
        (Play::good(openai(&[])), "1 texts were given and 0 vectors came back"),
        (Play::good(openai(&[(0, json!([1, 0, 0])), (1, json!([1, 0, 0]))])), "1 texts were given and 2 vectors"),
        (Play::good(openai(&[(1, json!([1, 0, 0]))])), "numbers its vectors wrongly"),
        (Play::good(openai(&[(0, json!([1, 0, 0])), (0, json!([1, 0, 0]))])), "numbers its vectors wrongly"),
        (Play::good(huge), "gives an answer of more than 65632 bytes"),
        (Play::status(401, &refusal), "(HTTP 401): bad key ***"),
        (Play::status(404, ""), "(HTTP 404): it does not say why"),
        (redirect, "(HTTP 307)"),
    ] {
        let shown = format!("{play:?}").chars().take(100).collect::<String>();
        let (embedded, asked) = embed("openai", vec![play], QUICK).await;
        let error = embedded.expect_err(&shown);
        assert!(error.to_string().contains(said), "{shown}: {error}");
        assert_eq!((asked, error.may_retry()), (1, false), "{shown}: {error}");
    }
}

/// G-006: twenty texts now against the same twenty texts then.
#[tokio::test]
async fn g_006_a_model_exchanged_behind_its_name_stops_writes() {
    let all = |vector: Value| Play::good(ollama(Value::Array(vec![vector; REFERENCE_TEXTS.len()])));
    let server = Server::start([all(json!([1, 0, 0])), all(json!([1, 0.01, 0])), all(json!([0.6, 0.8, 0]))]).await;
    let embedder = open("ollama", &server, QUICK).await;
    let reference = Reference::take(&embedder).await.unwrap();
    for health in [Health::Healthy, Health::StopWrites] {
        let now = Reference::take(&embedder).await.unwrap();
        assert_eq!(reference.drift(&now).unwrap().health(), health);
    }
}

#[tokio::test]
async fn choosing_none_opens_nothing() {
    let settings =
        EmbedderSettings::new(EmbedderTable { kind: "none".to_owned(), ..EmbedderTable::default() }).unwrap();
    assert!(AnyEmbedder::open(&settings).await.unwrap().is_none());
}

/// R-024: a proxy that only the environment names gets neither key nor texts: the same test passes in a process whose
/// environment has a dead one.
#[test]
fn r_024_a_proxy_of_the_environment_is_not_used() {
    let mut child = std::process::Command::new(std::env::current_exe().expect("this test"));
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        child.env(name, "http://127.0.0.1:1");
    }
    let child = child.env_remove("NO_PROXY").env_remove("no_proxy");
    let told = child
        .args(["--exact", "remote::g_005_openais_protocol_is_spoken_and_order_restored"])
        .output()
        .expect("it ran");
    assert!(told.status.success() && String::from_utf8_lossy(&told.stdout).contains("1 passed"), "{told:?}");
}
