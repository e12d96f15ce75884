//! Connections, bounded in number and time: strangers are on the other end.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// How long somebody may take to say what he wants, also between two questions over one connection.
const HEADER_PATIENCE: Duration = Duration::from_secs(10);
/// The most of a request that is held before it is understood.
const BUFFER_BYTES: usize = 64 * 1024;
/// Before the next try when a connection could not be taken.
const BREATH: Duration = Duration::from_millis(100);

/// What strangers may take of this machine.
#[derive(Debug, Clone, Copy)]
pub struct ServerLimits {
    /// Connections that stand at once; the next one waits in the system's queue.
    pub connections: usize,
    /// How long a connection may stand altogether, the longest answer included.
    pub patience: Duration,
}

/// Serves until it is dropped, and its connections with it. Nothing a stranger does ends it.
pub async fn serve(listener: TcpListener, routes: Router, limits: ServerLimits) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let mut connections = JoinSet::new();
    loop {
        let place = Arc::clone(&places).acquire_owned().await;
        while connections.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((stream, _)) => {
                let routes = routes.clone();
                connections.spawn(async move {
                    let _place = place;
                    attend(stream, routes, limits.patience).await;
                });
            }
            // Out of file descriptors, mostly: whoever hangs up frees one.
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                sleep(BREATH).await;
            }
        }
    }
}

async fn attend(stream: TcpStream, routes: Router, patience: Duration) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_PATIENCE).max_buf_size(BUFFER_BYTES);
    let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes)).with_upgrades();
    if let Ok(Err(error)) = timeout(patience, connection).await {
        tracing::debug!(%error, "a connection broke");
    }
}
