//! Prometheus asks; one page answers.

use std::net::SocketAddr;
use std::sync::Arc;

use eyre::{Result, WrapErr};
use golem_runtime::Metrics;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The most of a request that is read; a scrape needs its first line.
const REQUEST: usize = 1_024;

/// Answers `GET /metrics` until the process ends; tells where.
pub(crate) async fn serve(address: SocketAddr, metrics: Arc<Metrics>) -> Result<SocketAddr> {
    let listener =
        TcpListener::bind(address).await.wrap_err_with(|| format!("metrics cannot be served at {address}"))?;
    let bound = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let metrics = metrics.clone();
            tokio::spawn(async move {
                let _ = answer(stream, &metrics).await;
            });
        }
    });
    Ok(bound)
}

async fn answer(mut stream: TcpStream, metrics: &Metrics) -> std::io::Result<()> {
    let mut request = [0u8; REQUEST];
    let read = stream.read(&mut request).await?;
    let is_known = request[..read].starts_with(b"GET /metrics ");
    let (status, body) = if is_known { ("200 OK", metrics.encode()) } else { ("404 Not Found", String::new()) };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await
}
