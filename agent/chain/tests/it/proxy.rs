//! A node between us and the devnet that says what a test wants it to say.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use alloy::providers::{Provider, RootProvider};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};

use crate::wire::{read_request, write_answer};

/// What the proxy makes of a request: another answer, or `None` for the devnet's own.
pub(crate) type Script = Box<dyn FnMut(&str, &Value, &mut Value) -> Option<Answer> + Send>;

/// An answer of the proxy's own.
pub(crate) enum Answer {
    /// A result.
    Result(Value),
    /// An error with its code.
    Error(i64, &'static str),
}

/// What the proxy refuses before the devnet hears of it.
pub(crate) type Gate = Box<dyn FnMut(&str, &Value) -> Option<Answer> + Send>;

/// A running proxy.
pub(crate) struct Proxy {
    address: SocketAddr,
    script: Arc<Mutex<Script>>,
    gate: Arc<Mutex<Gate>>,
}

impl Proxy {
    /// Stands before `node`, honest until it is told otherwise. A script sees the method, its parameters and the devnet's
    /// answer, which it may change.
    pub(crate) async fn before(node: &RootProvider) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let script: Arc<Mutex<Script>> = Arc::new(Mutex::new(Box::new(|_, _, _| None)));
        let gate: Arc<Mutex<Gate>> = Arc::new(Mutex::new(Box::new(|_, _| None)));
        let (node, shared) = (node.clone(), (Arc::clone(&script), Arc::clone(&gate)));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (node, shared) = (node.clone(), shared.clone());
                tokio::spawn(async move {
                    let _ = serve(stream, node, shared).await;
                });
            }
        });
        Self { address, script, gate }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn play(&self, script: Script) {
        *self.script.lock().expect("not poisoned") = script;
    }

    /// From now on it says what the devnet says.
    pub(crate) fn be_honest(&self) {
        self.play(Box::new(|_, _, _| None));
    }

    /// From now on it changes what the devnet says to this.
    pub(crate) fn bend(&self, wrong: &'static str, lie: impl Fn(&mut Value) + Send + 'static) {
        self.play(Box::new(move |method, _, said| {
            if method == wrong {
                lie(said);
            }
            None
        }));
    }

    /// From now on the devnet does not even hear of what the gate answers.
    pub(crate) fn guard(&self, gate: Gate) {
        *self.gate.lock().expect("not poisoned") = gate;
    }
}

type Shared = (Arc<Mutex<Script>>, Arc<Mutex<Gate>>);

async fn serve(mut stream: TcpStream, node: RootProvider, (script, gate): Shared) -> std::io::Result<()> {
    let mut buffer = Vec::new();
    loop {
        let Some((body, rest)) = read_request(&mut stream, buffer).await? else { return Ok(()) };
        buffer = rest;
        let request: Value = serde_json::from_slice(&body).expect("JSON-RPC");
        let (method, params) = (request["method"].as_str().expect("a method").to_owned(), request["params"].clone());
        let gated = (gate.lock().expect("not poisoned"))(&method, &params);
        let mut honest = match gated {
            Some(_) => json!({ "result": null }),
            None => match node.raw_request::<_, Value>(method.clone().into(), params.clone()).await {
                Ok(result) => json!({ "result": result }),
                Err(error) => match error.as_error_resp() {
                    Some(said) => json!({ "error": said }),
                    None => return Ok(()),
                },
            },
        };
        let scripted =
            gated.or_else(|| (script.lock().expect("not poisoned"))(&method, &params, &mut honest["result"]));
        let answer = match scripted {
            Some(Answer::Result(result)) => json!({ "result": result }),
            Some(Answer::Error(code, message)) => json!({ "error": { "code": code, "message": message } }),
            None => {
                if honest.get("error").is_some() {
                    honest.as_object_mut().expect("an object").remove("result");
                }
                honest
            }
        };
        write_answer(&mut stream, &request["id"], answer).await?;
    }
}
