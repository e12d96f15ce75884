//! Who asks for blocks: a devnet whose chain time is advanced by those who live on it.
//!
//! A request names a moment, not a number of blocks, so that asking twice, also after a crash, brings one block.

use std::net::SocketAddr;

use alloy::primitives::B256;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_primitives::UtcTime;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::devnet::{Block, Devnet};
use crate::error::DevnetError;

/// Requests that may wait at once.
const WAITING: usize = 64;
/// The longest line that is read from a stranger.
const LINE: u64 = 256;
/// Blocks one request may bring.
const BLOCKS_PER_REQUEST: u32 = 100_000;

/// Wants the chain to be past a moment.
#[derive(Debug)]
pub struct AdvanceRequest {
    past: UtcTime,
    answer: oneshot::Sender<Result<HeadAnswer, String>>,
}

/// The newest block, as an answer to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadAnswer {
    pub number: u64,
    pub hash: B256,
    pub time: UtcTime,
}

/// The way to ask.
#[derive(Debug, Clone)]
pub enum Control {
    /// Within this process.
    Here(mpsc::Sender<AdvanceRequest>),
    /// Another process on this machine.
    There(SocketAddr),
}

/// A devnet that answers requests for blocks.
#[derive(Debug)]
pub struct Keeper {
    net: Devnet,
    ask: mpsc::Sender<AdvanceRequest>,
    requests: mpsc::Receiver<AdvanceRequest>,
    listener: JoinHandle<()>,
}

impl Keeper {
    /// Opens the devnet to requests, from this process and, on the loopback address alone, from others.
    ///
    /// # Errors
    /// [`DevnetError`] when no port can be opened or the address cannot be announced.
    pub async fn open(mut net: Devnet) -> Result<Self, DevnetError> {
        let refused = |error: std::io::Error| DevnetError::Unreadable {
            what: "opening the control port".to_owned(),
            detail: error.to_string(),
        };
        let socket = TcpListener::bind(("127.0.0.1", 0)).await.map_err(refused)?;
        net.announce_control(socket.local_addr().map_err(refused)?)?;
        let (ask, requests) = mpsc::channel(WAITING);
        let listener = tokio::spawn(listen(socket, ask.clone()));
        Ok(Self { net, ask, requests, listener })
    }

    /// The way to ask it.
    #[must_use]
    pub fn control(&self) -> Control {
        Control::Here(self.ask.clone())
    }

    /// The devnet.
    #[must_use]
    pub const fn net(&mut self) -> &mut Devnet {
        &mut self.net
    }

    /// The next request; nothing is lost when this is dropped while it waits.
    pub async fn next(&mut self) -> AdvanceRequest {
        match self.requests.recv().await {
            Some(request) => request,
            // This keeper holds a sender itself.
            None => std::future::pending().await,
        }
    }

    /// Produces blocks until the chain is past the moment asked for; answers the newest one if any was produced.
    ///
    /// # Errors
    /// [`DevnetError`] when the chain failed; whoever asked hears it too.
    pub fn answer(&mut self, request: AdvanceRequest) -> BoxFuture<'_, Result<Option<Block>, DevnetError>> {
        async move {
            let mut newest = None;
            let mut head = self.net.newest().await?;
            for _ in 0..BLOCKS_PER_REQUEST {
                if head.time > request.past {
                    break;
                }
                match self.net.advance().await {
                    Ok(block) => {
                        head = HeadAnswer { number: block.number, hash: block.hash, time: block.time };
                        newest = Some(block);
                    }
                    Err(error) => {
                        let _ = request.answer.send(Err(error.to_string()));
                        return Err(error);
                    }
                }
            }
            let _ = request.answer.send(Ok(head));
            Ok(newest)
        }
        .boxed()
    }

    /// Answers requests until dropped.
    pub async fn serve(&mut self) -> Result<(), DevnetError> {
        loop {
            let request = self.next().await;
            self.answer(request).await?;
        }
    }

    /// Closes the port and gives the devnet back.
    #[must_use]
    pub fn close(self) -> Devnet {
        self.listener.abort();
        self.net
    }
}

async fn listen(socket: TcpListener, ask: mpsc::Sender<AdvanceRequest>) {
    while let Ok((stream, _)) = socket.accept().await {
        let ask = ask.clone();
        tokio::spawn(async move {
            // Who hangs up or sends nonsense is not answered; the next one is.
            let _ = answer_line(stream, &ask).await;
        });
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    past: UtcTime,
}

async fn answer_line(mut stream: TcpStream, ask: &mpsc::Sender<AdvanceRequest>) -> std::io::Result<()> {
    let (reading, mut writing) = stream.split();
    let mut text = String::new();
    BufReader::new(reading.take(LINE)).read_line(&mut text).await?;
    let answer = match serde_json::from_str::<Line>(&text) {
        Ok(line) => request(ask, line.past).await,
        Err(error) => Err(format!("not a request: {error}")),
    };
    let mut line = serde_json::to_string(&answer).expect("plain data");
    line.push('\n');
    writing.write_all(line.as_bytes()).await
}

async fn request(ask: &mpsc::Sender<AdvanceRequest>, past: UtcTime) -> Result<HeadAnswer, String> {
    const GONE: &str = "the devnet has stopped";
    let (answer, heard) = oneshot::channel();
    ask.send(AdvanceRequest { past, answer }).await.map_err(|_| GONE.to_owned())?;
    heard.await.unwrap_or_else(|_| Err(GONE.to_owned()))
}

impl Control {
    /// Waits until the chain is past a moment, producing blocks when it is not.
    pub async fn advance_past(&self, past: UtcTime) -> Result<HeadAnswer, DevnetError> {
        let answer = match self {
            Self::Here(ask) => request(ask, past).await,
            Self::There(address) => over_there(*address, past).await,
        };
        answer.map_err(|detail| DevnetError::Unreadable { what: "asking the devnet for a block".to_owned(), detail })
    }
}

async fn over_there(address: SocketAddr, past: UtcTime) -> Result<HeadAnswer, String> {
    let say = |error: std::io::Error| error.to_string();
    let mut stream = TcpStream::connect(address).await.map_err(say)?;
    let mut line = serde_json::to_string(&Line { past }).expect("plain data");
    line.push('\n');
    stream.write_all(line.as_bytes()).await.map_err(say)?;
    let mut text = String::new();
    BufReader::new(stream).read_line(&mut text).await.map_err(say)?;
    serde_json::from_str::<Result<HeadAnswer, String>>(&text).map_err(|error| error.to_string())?
}
