//! O-011. Who is answered, and what every answer says of itself.

use crate::wire::Server;

type Headers<'a> = &'a [(&'a str, &'a str)];

/// O-011: only the page itself is answered: not under another name, for another site, or without the token.
#[tokio::test]
async fn o_011_only_the_page_itself_is_answered() {
    let server = Server::start().await;
    let own = server.at.to_string();
    let local = format!("localhost:{}", server.at.port());
    let bearer = format!("Bearer {}", server.token());
    let origin = format!("http://{own}");
    let cases: [(&str, Headers, u16); 12] = [
        ("its own page", &[("host", &own), ("authorization", &bearer)], 200),
        ("by the machine's name", &[("host", &local), ("authorization", &bearer)], 200),
        ("from its own origin", &[("host", &own), ("authorization", &bearer), ("origin", &origin)], 200),
        ("a name that was bent to this machine", &[("host", "evil.example"), ("authorization", &bearer)], 421),
        ("no host at all", &[("authorization", &bearer)], 421),
        ("another site", &[("host", &own), ("authorization", &bearer), ("origin", "http://evil.example")], 403),
        ("a file or a sandbox", &[("host", &own), ("authorization", &bearer), ("origin", "null")], 403),
        ("led by another site", &[("host", &own), ("authorization", &bearer), ("sec-fetch-site", "cross-site")], 403),
        ("led by a neighbour", &[("host", &own), ("authorization", &bearer), ("sec-fetch-site", "same-site")], 403),
        ("no token", &[("host", &own)], 401),
        ("another token", &[("host", &own), ("authorization", "Bearer 00")], 401),
        ("the token as something else", &[("host", &own), ("authorization", server.token())], 401),
    ];
    for (who, headers, wanted) in cases {
        let answer = server.ask("GET /api/fleet", headers, "").await;
        assert_eq!(answer.status(), wanted, "{who}: {}", answer.0);
        assert_eq!(answer.0.contains("everybody"), wanted == 200, "{who}: {}", answer.0);
    }
}

/// O-011: every answer, also a refusal, forbids scripts, frames and requests of others, and none is kept.
#[tokio::test]
async fn o_011_every_answer_carries_its_policy() {
    let server = Server::start().await;
    let own = server.at.to_string();
    for (path, headers) in [
        ("GET /", vec![("host", own.as_str())]),
        ("GET /api/fleet", vec![]),
        ("GET /nowhere", vec![("host", own.as_str())]),
    ] {
        let answer = server.ask(path, &headers, "").await;
        for words in [
            "default-src 'none'; script-src 'self'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-",
        ] {
            assert!(answer.0.contains(words), "{path} lacks {words:?}: {}", answer.0);
        }
        assert!(!answer.0.contains("unsafe-inline") && !answer.0.contains("access-control-allow"), "{}", answer.0);
    }
}

/// O-011: a program without its page says what to do; one with it serves it packed to those who can unpack it.
#[tokio::test]
async fn o_011_the_page_is_in_the_program_or_it_says_what_to_do() {
    let server = Server::start().await;
    let own = server.at.to_string();
    let answer = server.ask("GET /", &[("host", &own), ("accept-encoding", "gzip, br")], "").await;
    if golem_web::is_built() {
        assert_eq!(answer.status(), 200);
        assert!(answer.0.contains("content-encoding: gzip") && answer.0.contains("text/html"), "{}", answer.0);
        let plain = server.ask("GET /", &[("host", &own)], "").await;
        assert!(plain.0.contains("<div id=\"page\">") && !plain.0.contains("<script>"), "{}", plain.0);
    } else {
        assert_eq!(answer.status(), 501);
        assert!(answer.0.contains("scripts/setup"), "{}", answer.0);
    }
}
