//! A provider on this machine that says what a test wants it to say, and remembers what it was asked.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does with one request.
#[derive(Debug, Clone)]
pub(crate) enum Turn {
    /// Answers with a status, headers and a body.
    Say(u16, &'static [(&'static str, &'static str)], String),
    /// Reads the question and says nothing.
    Silence,
    /// Begins to answer and says no more.
    Stall,
    /// Closes after the question.
    HangUp,
    /// Promises more than it sends.
    Cut(String),
    /// Never ends.
    Flood,
    /// Says at once that more comes than anybody reads.
    Threaten,
}

impl Turn {
    pub(crate) fn ok(body: Value) -> Self {
        Self::Say(200, &[], body.to_string())
    }

    pub(crate) fn fail(status: u16) -> Self {
        Self::Say(status, &[], r#"{"error":{"type":"api_error","message":"trouble"}}"#.to_owned())
    }
}

/// One request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Asked {
    pub(crate) fn line(&self) -> &str {
        self.head.lines().next().expect("a request line")
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let is = |line: &&str| line.to_ascii_lowercase().starts_with(&format!("{name}:"));
        self.head.lines().find(is).and_then(|line| Some(line.split_once(':')?.1.trim()))
    }
}

/// A running server.
#[derive(Clone)]
pub(crate) struct Server {
    address: SocketAddr,
    turns: Arc<Mutex<VecDeque<Turn>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Plays these turns, one a request; afterwards it says 418.
    pub(crate) async fn playing(turns: impl IntoIterator<Item = Turn>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let server = Self {
            address: listener.local_addr().expect("bound"),
            turns: Arc::new(Mutex::new(turns.into_iter().collect())),
            asked: Arc::default(),
        };
        let shared = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let server = shared.clone();
                tokio::spawn(async move { server.serve(stream).await });
            }
        });
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("not poisoned").clone()
    }

    async fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut buffer = Vec::new();
        loop {
            let asked = read_request(&mut stream, &mut buffer).await?;
            self.asked.lock().expect("not poisoned").push(asked);
            let turn = self.turns.lock().expect("not poisoned").pop_front();
            match turn.unwrap_or(Turn::Say(418, &[], String::new())) {
                Turn::Say(status, headers, body) => say(&mut stream, status, headers, &body).await?,
                Turn::Silence => {
                    // Until the other side gives up.
                    let _ = stream.read(&mut [0; 1]).await;
                    return None;
                }
                Turn::Stall => {
                    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"type\":").await.ok()?;
                    let _ = stream.read(&mut [0; 1]).await;
                    return None;
                }
                Turn::HangUp => return None,
                Turn::Cut(body) => {
                    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len() + 100);
                    stream.write_all(head.as_bytes()).await.ok()?;
                    stream.write_all(body.as_bytes()).await.ok()?;
                    return None;
                }
                Turn::Flood => {
                    stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await.ok()?;
                    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
                    loop {
                        stream.write_all(chunk.as_bytes()).await.ok()?;
                    }
                }
                Turn::Threaten => {
                    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9000000000\r\n\r\n{").await.ok()?;
                }
            }
        }
    }
}

pub(crate) async fn say(stream: &mut TcpStream, status: u16, headers: &[(&str, &str)], body: &str) -> Option<()> {
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!(
        "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\n{more}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.ok()
}

pub(crate) async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Asked> {
    loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().expect("a number"))
            });
            let whole = end + 4 + length.unwrap_or(0);
            if buffer.len() >= whole {
                let body = serde_json::from_slice(&buffer[end + 4..whole]).unwrap_or(Value::Null);
                buffer.drain(..whole);
                return Some(Asked { head, body });
            }
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}
