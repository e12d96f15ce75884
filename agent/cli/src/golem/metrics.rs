//! What this process counts, for Prometheus, and whether all is well, for who restarts it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use eyre::{Result, WrapErr};
use golem_edge::server::{self, ServerLimits};
use golem_runtime::{METRICS_MEDIA, Metrics};
use serde_json::json;
use tokio::net::TcpListener;

/// A few who scrape, each for as long as one page takes.
const LIMITS: ServerLimits = ServerLimits { connections: 32, patience: Duration::from_secs(30) };

/// Between two tries to listen.
const TRY_EVERY: Duration = Duration::from_secs(30);

/// Serves, or tells why not and tries again beside the lives: a port that is taken disturbs nobody's life.
pub(crate) async fn keep(address: SocketAddr, metrics: Arc<Metrics>) {
    if tell(address, &metrics).await {
        return;
    }
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(TRY_EVERY).await;
            if tell(address, &metrics).await {
                return;
            }
        }
    });
}

async fn tell(address: SocketAddr, metrics: &Arc<Metrics>) -> bool {
    let served = serve(address, metrics.clone()).await;
    match &served {
        Ok(bound) => eprintln!("metrics at http://{bound}/metrics"),
        Err(error) => eprintln!("{error:#}; everybody lives on, and this is tried again"),
    }
    served.is_ok()
}

/// Answers `GET /metrics` and `GET /health` until the process ends; tells where.
async fn serve(address: SocketAddr, metrics: Arc<Metrics>) -> Result<SocketAddr> {
    let listener =
        TcpListener::bind(address).await.wrap_err_with(|| format!("metrics cannot be served at {address}"))?;
    let bound = listener.local_addr()?;
    let routes = Router::new().route("/metrics", get(counts)).route("/health", get(health)).with_state(metrics);
    tokio::spawn(server::serve(listener, routes, LIMITS));
    Ok(bound)
}

async fn counts(State(metrics): State<Arc<Metrics>>) -> impl IntoResponse {
    ([(CONTENT_TYPE, METRICS_MEDIA)], metrics.encode())
}

/// Well when everybody who should live here does: what waits, is blind or gave up is for somebody to look at.
async fn health(State(metrics): State<Arc<Metrics>>) -> impl IntoResponse {
    let standings = metrics.standings();
    let is_well = standings.values().all(|standing| standing.is_well());
    let golems: serde_json::Map<_, _> =
        standings.into_iter().map(|(golem, standing)| (golem, standing.name().into())).collect();
    let status = if is_well { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, axum::Json(json!({ "healthy": is_well, "golems": golems })))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use golem_runtime::GolemStanding;
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;

    use super::*;

    async fn served() -> SocketAddr {
        serve(SocketAddr::from(([127, 0, 0, 1], 0)), Arc::default()).await.expect("a free port")
    }

    /// What is answered to a request, head and body, as one text.
    async fn said(address: SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).await.expect("taken");
        stream
            .write_all(format!("{request} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").as_bytes())
            .await
            .expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).await.expect("whole");
        text.to_ascii_lowercase()
    }

    /// what is served is labelled as the format it is in, to GET and to HEAD, with a query or without.
    #[tokio::test]
    async fn r_050_metrics_are_served_as_what_they_are() {
        let address = served().await;
        for request in ["GET /metrics", "GET /metrics?name=ada", "HEAD /metrics"] {
            let said = said(address, request).await;
            assert!(said.starts_with("http/1.1 200"), "{request}: {said}");
            let label = "content-type: application/openmetrics-text; version=1.0.0; charset=utf-8";
            assert!(said.contains(label), "{request}: {said}");
            assert_eq!(said.ends_with("# eof\n"), request.starts_with("GET"), "{request}: {said}");
        }
        let said = said(address, "GET /elsewhere").await;
        assert!(said.starts_with("http/1.1 404"), "{said}");
    }

    /// who restarts processes is told whether everybody who should live here does.
    #[tokio::test]
    async fn r_050_health_says_who_should_be_looked_at() {
        let metrics = Arc::new(Metrics::default());
        let address = serve(SocketAddr::from(([127, 0, 0, 1], 0)), metrics.clone()).await.expect("a free port");
        metrics.stands("ada", GolemStanding::Alive);
        let well = said(address, "GET /health").await;
        assert!(
            well.starts_with("http/1.1 200") && well.ends_with("{\"golems\":{\"ada\":\"alive\"},\"healthy\":true}"),
            "{well}"
        );
        metrics.stands("bob", GolemStanding::Waiting);
        let unwell = said(address, "GET /health").await;
        assert!(unwell.starts_with("http/1.1 503") && unwell.contains("\"bob\":\"waiting\""), "{unwell}");
    }

    /// whoever says nothing is not waited for.
    #[tokio::test(start_paused = true)]
    async fn r_050_a_silent_visitor_is_sent_away() {
        let mut silent = TcpStream::connect(served().await).await.expect("taken");
        let left = tokio::time::timeout(Duration::from_secs(3_600), silent.read(&mut [0; 1])).await;
        assert_eq!(left.expect("within the hour").unwrap_or(0), 0, "nothing is said to him");
    }

    /// a connection that cannot be taken, for want of file descriptors, is not the end of the server. In a process
    /// of its own, because the limit is a process's.
    #[test]
    fn r_050_a_connection_that_cannot_be_taken_is_not_the_end() {
        const MARK: &str = "BARDO_TEST_STARVED";
        if std::env::var_os(MARK).is_some() {
            return starved();
        }
        let name = "golem::metrics::tests::r_050_a_connection_that_cannot_be_taken_is_not_the_end";
        let child = std::process::Command::new(std::env::current_exe().expect("this test"));
        let told = { child }.env(MARK, "1").args(["--exact", name]).output().expect("it ran");
        assert!(told.status.success() && String::from_utf8_lossy(&told.stdout).contains("1 passed"), "{told:?}");
    }

    fn starved() {
        let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let address = tokio.block_on(served());
        let knocked = std::net::TcpStream::connect(address).expect("the system's queue takes it");
        let usual = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: Some(3), maximum: usual.maximum }).expect("lowered");
        // The server is polled while not one descriptor is to be had.
        tokio.block_on(async {
            for _ in 0..64 {
                tokio::task::yield_now().await;
            }
        });
        setrlimit(Resource::Nofile, usual).expect("raised again");
        drop(knocked);
        let asking = std::thread::spawn(move || {
            let mut stream = std::net::TcpStream::connect(address).expect("somebody listens");
            stream.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
            stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").expect("sent");
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("whole");
            text
        });
        let said = tokio.block_on(async { tokio::task::spawn_blocking(|| asking.join().expect("answered")).await });
        assert!(said.expect("joined").starts_with("HTTP/1.1 200"));
    }
}
