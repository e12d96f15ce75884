//! A small HTTP server on this machine that plays answers in their order and keeps what it was asked.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What the server does with one request.
#[derive(Debug, Clone)]
pub(crate) enum Play {
    /// Answers with a status, more headers and a body.
    Answer(u16, &'static str, String),
    /// Promises more than it sends, then hangs up.
    Cut(String),
    /// Reads and never answers.
    Silence,
}

impl Play {
    pub(crate) fn good(body: impl ToString) -> Self {
        Self::Answer(200, "", body.to_string())
    }

    pub(crate) fn status(status: u16, body: &str) -> Self {
        Self::Answer(status, "", body.to_owned())
    }
}

/// One request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Method and path.
    pub(crate) line: String,
    /// The header lines.
    pub(crate) head: String,
    /// The body.
    pub(crate) body: Value,
}

pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    task: JoinHandle<()>,
}

impl Server {
    /// Plays `plays` once each; what comes after them is refused with 418.
    pub(crate) async fn start(plays: impl IntoIterator<Item = Play>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let mut plays = plays.into_iter().collect::<Vec<_>>().into_iter();
        let kept = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            let mut silent = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let request = read(&mut stream).await;
                kept.lock().unwrap().push(request);
                match plays.next().unwrap_or_else(|| Play::status(418, "nothing more to play")) {
                    Play::Answer(status, head, body) => say(&mut stream, status, head, &body, body.len()).await,
                    Play::Cut(body) => say(&mut stream, 200, "", &body, body.len() + 100).await,
                    Play::Silence => silent.push(stream),
                }
            }
        });
        Self { url, asked, task }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn say(stream: &mut TcpStream, status: u16, head: &str, body: &str, length: usize) {
    let head = format!(
        "HTTP/1.1 {status} Played\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n{head}\r\n"
    );
    // Whoever has had enough hangs up, which is his right.
    let _ = stream.write_all(head.as_bytes()).await;
    let _ = stream.write_all(body.as_bytes()).await;
    let _ = stream.shutdown().await;
}

async fn read(stream: &mut TcpStream) -> Asked {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0, "hung up within the head");
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let (line, head) = head.split_once("\r\n").unwrap();
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let length: usize = length.unwrap_or(0);
    while bytes.len() < end + length {
        assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0, "hung up within the body");
    }
    let line = line.trim_end_matches(" HTTP/1.1").to_owned();
    Asked { line, head: head.to_owned(), body: serde_json::from_slice(&bytes[end..]).unwrap_or(Value::Null) }
}
