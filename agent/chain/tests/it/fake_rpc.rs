//! A node that answers as it is told: late, wrongly, or not at all.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the node does with a request.
pub(crate) enum Reply {
    /// A result.
    Result(Value),
    /// A JSON-RPC error: code, words, data.
    Error(i64, &'static str, Value),
    /// An HTTP status, with a header line of its own.
    Status(u16, &'static str),
    /// An HTTP status and a body as it is.
    Raw(u16, &'static str),
    /// Bytes that are no JSON.
    Garbage,
    /// Nothing, for ever.
    Hang,
}

type Behaviour = Arc<dyn Fn(&str, &Value) -> Reply + Send + Sync>;

/// A running fake. It ends with the test's runtime.
pub(crate) struct FakeRpc {
    pub(crate) url: String,
    behaviour: Arc<Mutex<Behaviour>>,
    asked: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl FakeRpc {
    pub(crate) async fn start(behaviour: impl Fn(&str, &Value) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let behaviour: Arc<Mutex<Behaviour>> = Arc::new(Mutex::new(Arc::new(behaviour)));
        let asked = Arc::new(Mutex::new(BTreeMap::new()));
        let (to_do, count) = (Arc::clone(&behaviour), Arc::clone(&asked));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (to_do, count) = (Arc::clone(&to_do), Arc::clone(&count));
                tokio::spawn(async move { answer(stream, &to_do, &count).await });
            }
        });
        Self { url, behaviour, asked }
    }

    /// A node of chain 7 whose head is `number` at `time`, and which is otherwise asked nothing.
    pub(crate) async fn with_head(number: u64, time: u64) -> Self {
        Self::start(move |method, _| healthy(method, number, time)).await
    }

    /// From now on it does this.
    pub(crate) fn becomes(&self, behaviour: impl Fn(&str, &Value) -> Reply + Send + Sync + 'static) {
        *self.behaviour.lock().expect("no test panics in it") = Arc::new(behaviour);
    }

    /// How often a method was asked for.
    pub(crate) fn asked(&self, method: &str) -> usize {
        self.asked.lock().expect("no test panics in it").get(method).copied().unwrap_or_default()
    }
}

/// What a node in health says.
pub(crate) fn healthy(method: &str, number: u64, time: u64) -> Reply {
    match method {
        "eth_chainId" => Reply::Result(json!("0x7")),
        "eth_getBlockByNumber" => Reply::Result(json!({
            "number": format!("{number:#x}"),
            "hash": format!("0x{number:064x}"),
            "parentHash": format!("0x{:064x}", number.saturating_sub(1)),
            "timestamp": format!("{time:#x}"),
            "baseFeePerGas": "0x3b9aca00",
        })),
        "eth_blockNumber" => Reply::Result(json!(format!("{number:#x}"))),
        _ => Reply::Error(-32601, "the method does not exist", Value::Null),
    }
}

async fn answer(
    mut stream: TcpStream,
    behaviour: &Mutex<Behaviour>,
    asked: &Mutex<BTreeMap<String, usize>>,
) -> Option<()> {
    let body = read_body(&mut stream).await?;
    let request: Value = serde_json::from_slice(&body).ok()?;
    let method = request["method"].as_str()?.to_owned();
    *asked.lock().ok()?.entry(method.clone()).or_default() += 1;
    let behaviour = Arc::clone(&*behaviour.lock().ok()?);
    let id = &request["id"];
    let (status, header, text) = match behaviour(&method, &request["params"]) {
        Reply::Result(result) => (200, "", json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()),
        Reply::Error(code, message, data) => {
            let mut error = json!({ "code": code, "message": message });
            if !data.is_null() {
                error["data"] = data;
            }
            (200, "", json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string())
        }
        Reply::Status(status, header) => (status, header, "no".to_owned()),
        Reply::Raw(status, body) => (status, "", body.to_owned()),
        Reply::Garbage => (200, "", "<html>".to_owned()),
        Reply::Hang => std::future::pending().await,
    };
    let header = if header.is_empty() { String::new() } else { format!("{header}\r\n") };
    let length = text.len();
    let head = format!("HTTP/1.1 {status} X\r\n{header}content-length: {length}\r\nconnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.ok()?;
    stream.write_all(text.as_bytes()).await.ok()?;
    stream.shutdown().await.ok()
}

async fn read_body(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&piece[..read]);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        let length: usize = head.lines().find_map(|line| line.strip_prefix("content-length:"))?.trim().parse().ok()?;
        if bytes.len() >= end + 4 + length {
            return Some(bytes.split_off(end + 4));
        }
    }
}
