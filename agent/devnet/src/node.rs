//! One anvil on a leash: it ends when its owner ends, however the owner ends.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use alloy::providers::{Provider, RootProvider};
use alloy::rpc::client::RpcClient;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

use crate::error::DevnetError;
use crate::tools::find_tool;

/// Holds the program by the pipe on its standard input: the pipe closes when the owner stops it or dies, even by
/// SIGKILL, and then the program is ended. It says the program's process id first.
const LEASH: &str = r#"
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
echo "$child"
exec >/dev/null
(
  read -r _ <&3
  kill -TERM "$child" 2>/dev/null
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$child" 2>/dev/null || exit 0
    sleep 0.2
  done
  kill -KILL "$child" 2>/dev/null
) &
watcher=$!
wait "$child"
status=$?
kill "$watcher" 2>/dev/null
exit "$status"
"#;

/// How long anvil may take to answer first.
const START_LIMIT: Duration = Duration::from_secs(20);
/// How long anvil may take to end when asked.
const STOP_LIMIT: Duration = Duration::from_secs(8);
/// How long one request may take; a fork asks another node before it answers.
const REQUEST_LIMIT: Duration = Duration::from_secs(60);
/// Blocks whose state can still be asked for, four times what a full node keeps. Older ones anvil would write to disk as JSON, one
/// behind each block, and that costs it twice what the block does.
const REMEMBERED_STATES: usize = 512;
/// How often a free port is looked for when another process takes it first.
const PORT_TRIES: usize = 3;

/// A running anvil.
#[derive(Debug)]
pub(crate) struct Node {
    leash: Child,
    pid: u32,
    log: PathBuf,
    url: String,
    provider: RootProvider,
}

/// What anvil is started with.
#[derive(Debug, Clone)]
pub(crate) struct NodeSettings {
    pub(crate) port: Option<u16>,
    pub(crate) chain_id: u64,
    pub(crate) arguments: Vec<String>,
    pub(crate) dir: PathBuf,
}

impl Node {
    /// Starts anvil and waits until it answers with the right chain id.
    pub(crate) async fn start(settings: &NodeSettings) -> Result<Self, DevnetError> {
        let anvil = find_tool("anvil")?;
        let mut tries = if settings.port.is_some() { 1 } else { PORT_TRIES };
        loop {
            let port = match settings.port {
                Some(port) => free(port)?,
                None => free(0)?,
            };
            tries -= 1;
            let mut node = Self::spawn(&anvil.path, port, settings).await?;
            match node.wait_ready(settings.chain_id).await {
                Ok(()) => return Ok(node),
                Err(DevnetError::NodeDied { log, .. }) if log.contains("in use") && tries > 0 => {}
                Err(error) => return Err(error),
            }
        }
    }

    async fn spawn(anvil: &Path, port: u16, settings: &NodeSettings) -> Result<Self, DevnetError> {
        let log = settings.dir.join("anvil.log");
        let file = std::fs::File::create(&log).map_err(DevnetError::file("cannot write", &log))?;
        let mut leash = Command::new("sh")
            .args(["-c", LEASH, "leash"])
            .arg(anvil)
            .args(["--host", "127.0.0.1", "--port", &port.to_string(), "--chain-id", &settings.chain_id.to_string()])
            .args(["--quiet", "--no-mining", "--hardfork", "prague"])
            .arg("--cache-path")
            .arg(settings.dir.join("cache"))
            .args(["--prune-history", &REMEMBERED_STATES.to_string()])
            .args(&settings.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(file)
            // Ctrl-C reaches the terminal's whole group; the chain must outlive it long enough to be closed in order.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(DevnetError::file("cannot run", anvil))?;
        let stdout = leash.stdout.take().expect("was asked to be piped");
        let mut line = String::new();
        let _ = BufReader::new(stdout).read_line(&mut line).await;
        let pid = line.trim().parse().map_err(|_| died("could not be started", &log))?;
        let url = format!("http://127.0.0.1:{port}");
        let client = RpcClient::new_http(url.parse().expect("a local address"));
        Ok(Self { leash, pid, log, url, provider: RootProvider::new(client) })
    }

    async fn wait_ready(&mut self, chain_id: u64) -> Result<(), DevnetError> {
        let deadline = Instant::now() + START_LIMIT;
        loop {
            if let Ok(Some(_)) = self.leash.try_wait() {
                return Err(died("ended before it answered", &self.log));
            }
            if let Ok(Ok(answered)) = timeout(Duration::from_secs(2), self.provider.get_chain_id()).await {
                if answered == chain_id {
                    return Ok(());
                }
                let detail = format!("chain id {answered}, not {chain_id}");
                return Err(DevnetError::Unreadable { what: "eth_chainId".to_owned(), detail });
            }
            if Instant::now() > deadline {
                return Err(died(&format!("did not answer within {} s", START_LIMIT.as_secs()), &self.log));
            }
            sleep(Duration::from_millis(15)).await;
        }
    }

    pub(crate) const fn pid(&self) -> u32 {
        self.pid
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) const fn provider(&self) -> &RootProvider {
        &self.provider
    }

    /// One request; a node that has ended is told apart from one that refuses.
    pub(crate) async fn request<P, R>(&mut self, method: &'static str, params: P) -> Result<R, DevnetError>
    where
        P: Serialize + Clone + std::fmt::Debug + Send + Sync + Unpin + 'static,
        R: DeserializeOwned + std::fmt::Debug + Send + Sync + Unpin + 'static,
    {
        let call = self.provider.raw_request::<P, R>(method.into(), params);
        match timeout(REQUEST_LIMIT, call).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(source)) => Err(self.explain(DevnetError::Rpc { what: method.to_owned(), source }).await),
            Err(_) => Err(died(&format!("did not answer {method} within {} s", REQUEST_LIMIT.as_secs()), &self.log)),
        }
    }

    /// Turns a failed call into the death of the node when that is what it was.
    pub(crate) async fn explain(&mut self, error: DevnetError) -> DevnetError {
        let ended = timeout(Duration::from_millis(300), self.leash.wait()).await.is_ok();
        if ended { died("ended while in use", &self.log) } else { error }
    }

    /// Ends anvil and waits for it.
    pub(crate) async fn stop(mut self) -> Result<(), DevnetError> {
        drop(self.leash.stdin.take());
        if timeout(STOP_LIMIT, self.leash.wait()).await.is_err() {
            let seconds = STOP_LIMIT.as_secs();
            return Err(DevnetError::WontStop { pid: self.pid, seconds });
        }
        Ok(())
    }
}

/// The port itself when it is free, or any free one for 0.
fn free(port: u16) -> Result<u16, DevnetError> {
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(|_| DevnetError::PortTaken { port })?;
    listener.local_addr().map(|address| address.port()).map_err(|_| DevnetError::PortTaken { port })
}

fn died(what: &str, log: &Path) -> DevnetError {
    const LINES: usize = 12;
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let log = lines[lines.len().saturating_sub(LINES)..].join("\n");
    DevnetError::NodeDied { what: what.to_owned(), log }
}
