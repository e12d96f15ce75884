//! O-011. What comes, as it comes, and after a cut.

use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

use crate::wire::Server;

async fn open(server: &Server, last: Option<&str>) -> TcpStream {
    let (host, bearer) = (server.at.to_string(), format!("Bearer {}", server.token()));
    let mut headers = vec![("host", host.as_str()), ("authorization", bearer.as_str())];
    headers.extend(last.map(|id| ("last-event-id", id)));
    server.open("GET /api/stream?golem=ada", &headers, "").await
}

/// Reads until some words have come.
async fn hear(stream: &mut TcpStream, heard: &mut String, words: &str) {
    let mut bytes = [0; 4_096];
    while !heard.contains(words) {
        let count = stream.read(&mut bytes).await.expect("the stream stands");
        assert!(count > 0, "cut before {words:?}: {heard}");
        heard.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
}

/// O-011: a page that was cut off goes on behind the last id it heard; ids are those of the store.
#[tokio::test]
async fn o_011_a_stream_goes_on_where_it_was_cut() {
    let server = Server::start().await;
    let (mut stream, mut heard) = (open(&server, None).await, String::new());
    hear(&mut stream, &mut heard, "pass 10").await;
    assert!(heard.contains("text/event-stream") && heard.contains("id: 0xada.10"), "{heard}");
    *server.parrot.pass.lock().expect("whole") = 11;
    hear(&mut stream, &mut heard, "id: 0xada.11").await;
    drop(stream);
    *server.parrot.pass.lock().expect("whole") = 12;
    let (mut again, mut heard) = (open(&server, Some("0xada.11")).await, String::new());
    hear(&mut again, &mut heard, "pass 12").await;
    assert!(!heard.contains("pass 11") && !heard.contains("afresh"), "nothing is told twice: {heard}");
}

/// O-011: an id from too long ago, from the future or from another life tells the page to ask for everything again.
#[tokio::test]
async fn o_011_an_id_that_says_nothing_begins_afresh() {
    let server = Server::start().await;
    *server.parrot.pass.lock().expect("whole") = 5_000;
    for old in ["0xada.3", "0xada.5001", "0xeve.5000"] {
        let (mut stream, mut heard) = (open(&server, Some(old)).await, String::new());
        hear(&mut stream, &mut heard, "id: 0xada.5000").await;
        assert!(heard.contains("event: afresh"), "{old}: {heard}");
    }
    // What is no id at all is a first look.
    let (mut stream, mut heard) = (open(&server, Some("nonsense")).await, String::new());
    hear(&mut stream, &mut heard, "pass 5000").await;
}
