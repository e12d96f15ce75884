//! Who may ask, and what every answer says of itself.

use std::fmt;
use std::net::SocketAddr;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq as _;

/// Nothing but this page's own files, nobody's frame, and no string that becomes a script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// What a page must know to be answered. It shows itself to nobody.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Of bytes that nobody can guess.
    #[must_use]
    pub fn of(bytes: [u8; 32]) -> Self {
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// To be told to the one person whose browser it is.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// Refuses everybody but the page that was served here.
#[derive(Debug, Clone)]
pub struct Doorkeeper {
    hosts: [String; 2],
    origins: [String; 2],
    token: Token,
}

impl Doorkeeper {
    /// For a server at an address of this machine.
    #[must_use]
    pub fn new(at: SocketAddr, token: Token) -> Self {
        let hosts = [at.to_string(), format!("localhost:{}", at.port())];
        let origins = hosts.clone().map(|host| format!("http://{host}"));
        Self { hosts, origins, token }
    }

    /// Under which names it is served.
    #[must_use]
    pub const fn origins(&self) -> &[String; 2] {
        &self.origins
    }

    /// Where a person opens the page. What stands behind the `#` never leaves his browser.
    #[must_use]
    pub fn address(&self) -> String {
        format!("{}/#{}", self.origins[0], self.token.reveal())
    }

    /// Why a request is not answered.
    fn refusal(&self, headers: &HeaderMap, path: &str) -> Option<(StatusCode, &'static str)> {
        let said = |name: HeaderName| headers.get(name).map(HeaderValue::as_bytes);
        let is_one_of = |known: &[String; 2], said: &[u8]| known.iter().any(|one| one.as_bytes() == said);
        // A name of somebody else's that leads here is how a foreign page reaches a local server.
        if !said(header::HOST).is_some_and(|host| is_one_of(&self.hosts, host)) {
            return Some((StatusCode::MISDIRECTED_REQUEST, "this page is served under its own address alone"));
        }
        if said(header::ORIGIN).is_some_and(|origin| !is_one_of(&self.origins, origin)) {
            return Some((StatusCode::FORBIDDEN, "another site asks; only the page itself is answered"));
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
            return Some((
                StatusCode::FORBIDDEN,
                "another site led here; type or paste the address that bardo web printed",
            ));
        }
        // The files of the page are the same for everybody; all else is somebody's life.
        if path != "/" && !path.starts_with("/assets/") {
            let token = said(header::AUTHORIZATION).and_then(|value| value.strip_prefix(b"Bearer "));
            let is_known = token.is_some_and(|token| bool::from(token.ct_eq(self.token.0.as_bytes())));
            if !is_known {
                return Some((
                    StatusCode::UNAUTHORIZED,
                    "no token, or an old one; take the one that was printed when this server was started",
                ));
            }
        }
        None
    }
}

/// Routes that nobody reaches past the guard.
pub fn guarded(routes: Router, guard: Doorkeeper) -> Router {
    routes.layer(from_fn_with_state(guard, watch))
}

/// Asks the guard first, and gives every answer its headers, also a refusal.
async fn watch(State(guard): State<Doorkeeper>, request: Request, next: Next) -> Response {
    let refusal = guard.refusal(request.headers(), request.uri().path());
    let mut response = match refusal {
        Some((status, words)) => (status, words).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // What is told of a life is as old as the moment; only files whose names change with them may be kept.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
