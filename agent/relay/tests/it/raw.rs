//! A link by hand, which says what no honest one would.

use futures_util::{SinkExt as _, StreamExt as _};
use golem_ports::WordKind;
use golem_relay::{Frame, SIGNATURE_BYTES, Statement, VaultKey as _, statements};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::world::{Golem, World};

pub(crate) struct Raw {
    pub(crate) socket: WebSocketStream<TcpStream>,
    pub(crate) ready: Value,
}

/// Signs a frame of a Golem.
pub(crate) async fn sign(golem: &Golem, mut frame: Frame) -> Frame {
    frame.signature = golem.key.sign(frame.statement()).await.expect("signed");
    frame
}

/// A frame that is as it should be.
pub(crate) async fn word(world: &World, golem: &Golem, seq: u64, body: &[u8]) -> Frame {
    let frame = Frame {
        vault: golem.vault,
        seq,
        at: world.now(),
        kind: WordKind::Batch,
        signature: [0; SIGNATURE_BYTES],
        body: body.to_vec(),
    };
    sign(golem, frame).await
}

impl Raw {
    /// Connects and hears the relay's number.
    pub(crate) async fn connect(relay: &str) -> (WebSocketStream<TcpStream>, Value) {
        let tcp = TcpStream::connect(relay).await.expect("connected");
        let (mut socket, _) = tokio_tungstenite::client_async(format!("ws://{relay}/"), tcp).await.expect("shaken");
        let challenge = next(&mut socket).await.expect("a challenge");
        (socket, challenge["challenge"].clone())
    }

    /// Says who it is; the reason when that is refused.
    pub(crate) async fn hello(world: &World, golem: &Golem, relay: &str) -> Result<Self, String> {
        Self::hello_as(world, golem, relay, |_| {}).await
    }

    pub(crate) async fn hello_as(
        world: &World,
        golem: &Golem,
        relay: &str,
        change: impl FnOnce(&mut statements::Hello),
    ) -> Result<Self, String> {
        let (mut socket, challenge) = Self::connect(relay).await;
        let mut hello = statements::Hello {
            vault: golem.vault,
            relay: challenge["relay"].as_str().expect("a name").to_owned(),
            nonce: challenge["nonce"].as_str().expect("a number").parse().expect("32 bytes"),
            at: world.now().seconds(),
        };
        change(&mut hello);
        let (vault, at) = (hello.vault, hello.at);
        let signature = golem.key.sign(Statement::Hello(hello)).await.expect("signed");
        let said =
            json!({ "hello": { "vault": vault, "at": at, "signature": alloy::hex::encode_prefixed(signature) } });
        socket.send(Message::Text(said.to_string().into())).await.expect("sent");
        let told = next(&mut socket).await.expect("an answer");
        match told["refused"]["reason"].as_str() {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(Self { socket, ready: told["ready"].clone() }),
        }
    }

    pub(crate) async fn send(&mut self, bytes: Vec<u8>) {
        // A relay that has hung up is found out by whoever listens.
        let _ = self.socket.send(Message::Binary(bytes.into())).await;
    }

    pub(crate) async fn text(&mut self, text: String) {
        let _ = self.socket.send(Message::Text(text.into())).await;
    }

    /// The answer to something: "stored", a refusal's reason, or "gone".
    pub(crate) async fn answer(&mut self) -> String {
        loop {
            let Some(told) = next(&mut self.socket).await else { return "gone".to_owned() };
            if let Some(reason) = told["refused"]["reason"].as_str() {
                return reason.to_owned();
            }
            if told.get("stored").is_some() {
                return "stored".to_owned();
            }
        }
    }

    pub(crate) async fn tell(&mut self, bytes: Vec<u8>) -> String {
        self.send(bytes).await;
        self.answer().await
    }

    /// Bodies behind a place.
    pub(crate) async fn pull(&mut self, after: u64) -> Vec<Vec<u8>> {
        self.text(json!({ "pull": { "after": after, "most": 1000 } }).to_string()).await;
        let mut bodies = Vec::new();
        loop {
            match self.socket.next().await.expect("open").expect("open") {
                Message::Binary(bytes) => bodies.push(Frame::decode(&bytes[8..]).expect("a frame").body),
                Message::Text(text) if text.contains("\"page\"") => return bodies,
                _ => {}
            }
        }
    }

    /// The body of the next word that comes by itself.
    pub(crate) async fn live(&mut self) -> Vec<u8> {
        loop {
            if let Message::Binary(bytes) = self.socket.next().await.expect("open").expect("open") {
                return Frame::decode(&bytes[8..]).expect("a frame").body;
            }
        }
    }

    /// I-323. Leaves a sign, until it is in the air.
    pub(crate) async fn leave(&mut self, class: &str) {
        let sign = json!({ "class": class, "intensity_ppm": 800_000, "domain": "gas_mev", "regime": "bear" });
        self.text(json!({ "leave": sign }).to_string()).await;
        while next(&mut self.socket).await.expect("open") != "left" {}
    }

    /// I-326. Senses.
    pub(crate) async fn sense(&mut self) -> Vec<Value> {
        self.text(json!({ "sense": { "domains": ["gas_mev"], "regime": "bear" } }).to_string()).await;
        loop {
            let told = next(&mut self.socket).await.expect("open");
            if let Some(scents) = told["scents"]["scents"].as_array() {
                return scents.clone();
            }
        }
    }
}

/// The next text; `None` when the relay has hung up.
pub(crate) async fn next(socket: &mut WebSocketStream<TcpStream>) -> Option<Value> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).expect("JSON")),
            Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
            _ => {}
        }
    }
}
