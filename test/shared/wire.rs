//! As much of HTTP as a JSON-RPC node of a test has to speak.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The body of the next request, and what was read beyond it; `None` when the other side is done.
pub(crate) async fn read_request(
    stream: &mut TcpStream,
    mut buffer: Vec<u8>,
) -> std::io::Result<Option<(Vec<u8>, Vec<u8>)>> {
    loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&buffer[..end]).to_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"))
                .map_or(0, |length| length.trim().parse::<usize>().expect("a number"));
            if buffer.len() >= end + 4 + length {
                let rest = buffer.split_off(end + 4 + length);
                return Ok(Some((buffer.split_off(end + 4), rest)));
            }
        }
        if stream.read_buf(&mut buffer).await? == 0 {
            return Ok(None);
        }
    }
}

/// Answers the request of that id with a result or an error.
pub(crate) async fn write_answer(stream: &mut TcpStream, id: &Value, mut answer: Value) -> std::io::Result<()> {
    answer["jsonrpc"] = json!("2.0");
    answer["id"] = id.clone();
    let body = answer.to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all([head.as_bytes(), body.as_bytes()].concat().as_slice()).await
}
