//! The files of the page, as they were built into this program.

use axum::extract::Path;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

struct File {
    name: &'static str,
    plain: &'static [u8],
    packed: &'static [u8],
}

mod built {
    use super::File;

    include!(concat!(env!("OUT_DIR"), "/page.rs"));
}

const NOT_BUILT: &str =
    "This program was built without its page. Run scripts/setup, then build it again: cargo build -p golem-cli.\n";

/// Whether there is a page in this program.
#[must_use]
pub fn is_built() -> bool {
    file("index.html").is_some()
}

fn file(name: &str) -> Option<&'static File> {
    built::FILES.iter().find(|file| file.name == name)
}

pub(crate) async fn index(headers: HeaderMap) -> Response {
    match file("index.html") {
        Some(file) => serve(file, &headers, "no-cache"),
        None => (StatusCode::NOT_IMPLEMENTED, NOT_BUILT).into_response(),
    }
}

/// Names of assets carry the hash of what is in them, but for the text of licences.
pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    match file(&format!("assets/{name}")) {
        Some(file) if file.name.ends_with(".txt") => serve(file, &headers, "no-cache"),
        Some(file) => serve(file, &headers, "public, max-age=31536000, immutable"),
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}

fn serve(file: &File, headers: &HeaderMap, keep: &'static str) -> Response {
    let takes_packed = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|text| text.split(',').any(|one| one.trim().starts_with("gzip")));
    let body = if takes_packed { file.packed } else { file.plain };
    let mut response = body.into_response();
    let told = response.headers_mut();
    told.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(file.name)));
    told.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    told.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if takes_packed {
        told.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
