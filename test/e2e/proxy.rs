//! A node between a Golem and its chain that fails as public nodes fail, by a seed.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use alloy::providers::{Provider, RootProvider};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::wire::{read_request, write_answer};

/// Of a thousand requests, how many are ...
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rates {
    /// ... dropped, half of them after they were carried out.
    pub(crate) dropped: u32,
    /// ... delayed.
    pub(crate) delayed: u32,
    /// ... carried out twice.
    pub(crate) doubled: u32,
    /// ... turned away by a limit, by HTTP or in JSON.
    pub(crate) limited: u32,
    /// ... answered with an older head, or one that is not there yet.
    pub(crate) lied: u32,
}

/// A running proxy.
pub(crate) struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    listener: JoinHandle<()>,
}

struct Shared {
    node: RootProvider,
    rates: Rates,
    chance: Mutex<ChaCha8Rng>,
    closed: AtomicBool,
    faults: AtomicU64,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    Honest,
    DropBefore,
    DropAfter,
    Delay,
    Twice,
    TooMany,
    Limit,
    OldHead,
    FarHead,
}

impl Proxy {
    pub(crate) async fn before(node: &RootProvider, seed: u64, rates: Rates) -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = socket.local_addr().expect("bound");
        let shared = Arc::new(Shared {
            node: node.clone(),
            rates,
            chance: Mutex::new(ChaCha8Rng::seed_from_u64(seed)),
            closed: AtomicBool::new(false),
            faults: AtomicU64::new(0),
        });
        let served = shared.clone();
        let listener = tokio::spawn(async move {
            while let Ok((stream, _)) = socket.accept().await {
                let shared = served.clone();
                tokio::spawn(async move {
                    let _ = serve(stream, &shared).await;
                });
            }
        });
        Self { address, shared, listener }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers nobody any more, or everybody again.
    pub(crate) fn close(&self, closed: bool) {
        self.shared.closed.store(closed, Ordering::SeqCst);
    }

    /// Requests that did not go as they should.
    pub(crate) fn faults(&self) -> u64 {
        self.shared.faults.load(Ordering::SeqCst)
    }
}

impl Shared {
    fn mood(&self, method: &str, params: &Value) -> Mood {
        let mut chance = self.chance.lock().expect("not poisoned");
        let (mut drawn, coin) = (chance.next_u32() % 1_000, chance.next_u32().is_multiple_of(2));
        let rates = &self.rates;
        let is_head = method == "eth_getBlockByNumber" && params[0] == "latest";
        let moods = [
            (rates.dropped, if coin { Mood::DropBefore } else { Mood::DropAfter }),
            (rates.delayed, Mood::Delay),
            (rates.doubled, Mood::Twice),
            (rates.limited, if coin { Mood::TooMany } else { Mood::Limit }),
            (if is_head { rates.lied } else { 0 }, if coin { Mood::OldHead } else { Mood::FarHead }),
        ];
        for (rate, mood) in moods {
            if drawn < rate {
                self.faults.fetch_add(1, Ordering::SeqCst);
                return mood;
            }
            drawn -= rate;
        }
        Mood::Honest
    }

    async fn ask(&self, method: &str, params: &Value) -> Option<Value> {
        match self.node.raw_request::<_, Value>(method.to_owned().into(), params.clone()).await {
            Ok(result) => Some(json!({ "result": result })),
            Err(error) => error.as_error_resp().map(|said| json!({ "error": said })),
        }
    }

    /// An older head, whole and true once; or the newest under a number that is not there.
    async fn lie(&self, mood: Mood, honest: Value) -> Value {
        let number = crate::world::number(&honest["result"]["number"]);
        if mood == Mood::FarHead {
            let mut far = honest;
            far["result"]["number"] = json!(format!("{:#x}", number + 5));
            return far;
        }
        let older = json!([format!("{:#x}", number.saturating_sub(3)), false]);
        self.ask("eth_getBlockByNumber", &older).await.unwrap_or(honest)
    }
}

async fn serve(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut buffer = Vec::new();
    loop {
        let Some((body, rest)) = read_request(&mut stream, buffer).await? else { return Ok(()) };
        buffer = rest;
        if shared.closed.load(Ordering::SeqCst) {
            return Ok(());
        }
        let request: Value = serde_json::from_slice(&body).expect("JSON-RPC");
        let (method, params) = (request["method"].as_str().expect("a method").to_owned(), request["params"].clone());
        let mood = shared.mood(&method, &params);
        match mood {
            Mood::DropBefore => return Ok(()),
            Mood::Delay => tokio::time::sleep(Duration::from_millis(30)).await,
            Mood::Twice => drop(shared.ask(&method, &params).await),
            Mood::TooMany => {
                stream.write_all(b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n").await?;
                continue;
            }
            _ => {}
        }
        let Some(mut answer) = shared.ask(&method, &params).await else { return Ok(()) };
        match mood {
            Mood::DropAfter => return Ok(()),
            Mood::Limit => answer = json!({ "error": { "code": -32005, "message": "daily request count exceeded" } }),
            Mood::OldHead | Mood::FarHead => answer = shared.lie(mood, answer).await,
            _ => {}
        }
        write_answer(&mut stream, &request["id"], answer).await?;
    }
}
