//! O-014. Who is answered over HTTP.

use std::time::Duration;

use golem_edge::server::{ServerLimits, serve};
use golem_mcp::over_http;
use golem_web::{Doorkeeper, Token};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::world::tools;

type Headers<'a> = &'a [(&'a str, &'a str)];

const CALL: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{"golem":"ada"}}}"#;

/// O-014: only who knows the token and comes under the server's own name is answered; no page of another site is.
#[tokio::test]
async fn o_014_over_http_only_the_owners_assistant_is_answered() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address");
    let token = Token::of([7; 32]);
    let (parrot, tools) = tools();
    let routes = over_http(tools, Doorkeeper::new(at, token.clone()));
    let limits = ServerLimits { connections: 4, patience: Duration::from_secs(60) };
    let server = tokio::spawn(serve(listener, routes, limits));
    let (own, bearer, origin) = (at.to_string(), format!("Bearer {}", token.reveal()), format!("http://{at}"));
    let cases: [(&str, Headers, u16); 8] = [
        ("its owner's assistant", &[("host", &own), ("authorization", &bearer)], 200),
        ("one that runs in a page of its own", &[("host", &own), ("authorization", &bearer), ("origin", &origin)], 200),
        ("a name that was bent to this machine", &[("host", "evil.example"), ("authorization", &bearer)], 421),
        ("another site", &[("host", &own), ("authorization", &bearer), ("origin", "http://evil.example")], 403),
        ("a file or a sandbox", &[("host", &own), ("authorization", &bearer), ("origin", "null")], 403),
        ("led by another site", &[("host", &own), ("authorization", &bearer), ("sec-fetch-site", "cross-site")], 403),
        ("no token", &[("host", &own)], 401),
        ("another token", &[("host", &own), ("authorization", "Bearer 00")], 401),
    ];
    for (who, headers, wanted) in cases {
        let mut text = format!(
            "POST /mcp HTTP/1.1\r\nconnection: close\r\ncontent-type: application/json\r\naccept: application/json, \
             text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\ncontent-length: {}\r\n",
            CALL.len()
        );
        headers.iter().for_each(|(name, value)| text.push_str(&format!("{name}: {value}\r\n")));
        let mut stream = TcpStream::connect(at).await.expect("connects");
        stream.write_all(format!("{text}\r\n{CALL}").as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        let status: u16 = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        assert_eq!(status, wanted, "{who}: {answer}");
        assert_eq!(parrot.asked.lock().expect("whole").pop().is_some(), wanted == 200, "{who}: {answer}");
    }
    server.abort();
}
