//! The archive beside the links: an object comes whole and goes whole, each time with its sender's signature.

use std::sync::Arc;

use alloy::primitives::{Address, keccak256};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use golem_inheritance::guard::Access;
use golem_primitives::UtcTime;

use super::Shared;
use crate::archive::{ARCHIVE_BYTES, OBJECT_BYTES, ObjectName};
use crate::frame::{SIGNATURE_BYTES, Statement, statements};
use crate::gate::{Caller, Sight};
use crate::log::LogError;
use crate::message::{RefusalReason, RelayRefusal};

/// Headers of a request: who, when, and his signature.
pub(crate) const VAULT: &str = "styx-vault";
pub(crate) const AT: &str = "styx-at";
pub(crate) const SIGNATURE: &str = "styx-signature";

fn no(refused: &RelayRefusal) -> Response {
    let status = match refused.reason {
        RefusalReason::TooMany => StatusCode::TOO_MANY_REQUESTS,
        RefusalReason::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        RefusalReason::Full => StatusCode::INSUFFICIENT_STORAGE,
        RefusalReason::Blind => StatusCode::SERVICE_UNAVAILABLE,
        RefusalReason::Malformed => StatusCode::BAD_REQUEST,
        _ => StatusCode::FORBIDDEN,
    };
    (status, [("retry-after", refused.retry_after.to_string())], Json(refused)).into_response()
}

fn failed(error: &LogError) -> Response {
    match error {
        LogError::Full => {
            let words = format!(
                "an object has {OBJECT_BYTES} bytes at most, and all of an owner's {ARCHIVE_BYTES}; older ones go first"
            );
            no(&RelayRefusal { retry_after: 3_600, ..RelayRefusal::new(RefusalReason::Full, words) })
        }
        error => {
            tracing::warn!(%error, "the archive cannot be reached");
            no(&RelayRefusal {
                retry_after: 5,
                ..RelayRefusal::new(RefusalReason::Blind, "the archive cannot be reached")
            })
        }
    }
}

/// Who asks, and whose his objects are.
async fn asked(shared: &Shared, headers: &HeaderMap, what: String, body: &[u8]) -> Result<Address, RelayRefusal> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let missing = |name: &str| {
        RelayRefusal::new(RefusalReason::Malformed, format!("the header {name} is missing or no such thing"))
    };
    let vault = text(VAULT).and_then(|text| text.parse().ok()).ok_or_else(|| missing(VAULT))?;
    let at = text(AT).and_then(|text| text.parse().ok()).ok_or_else(|| missing(AT))?;
    let mut signature = [0; SIGNATURE_BYTES];
    let written = text(SIGNATURE).ok_or_else(|| missing(SIGNATURE))?;
    alloy::hex::decode_to_slice(written, &mut signature).map_err(|_| missing(SIGNATURE))?;
    let access = if what.starts_with("PUT") { Access::Write } else { Access::Read };
    let statement = Statement::Request(statements::Request { vault, at, what, body: keccak256(body) });
    let caller = Caller { vault, at: UtcTime::from_seconds(at), statement, signature: &signature };
    let now = shared.now();
    let enrolled = shared.gate.admit(caller, now, Sight::Now).await?;
    shared.spend(vault, access, now)?;
    Ok(enrolled.owner)
}

type Parts = Path<(String, String, String)>;

fn named((vault, tick, part): (String, String, String)) -> Result<ObjectName, RelayRefusal> {
    let words = "an object is called /archive/<vault>/<tick>/<part>";
    ObjectName::of(&vault, &tick, &part).ok_or_else(|| RelayRefusal::new(RefusalReason::Malformed, words))
}

/// I-117. Lays an object of the caller's own vault down.
pub(super) async fn lay(
    State(shared): State<Arc<Shared>>,
    Path(parts): Parts,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Ok(_carrier) = shared.carriers.acquire().await else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let laid = async {
        let name = named(parts)?;
        if headers.get(VAULT).and_then(|value| value.to_str().ok()?.parse().ok()) != Some(name.vault) {
            return Err(RelayRefusal::new(RefusalReason::NotKey, "a vault lays down what is its own"));
        }
        let owner = asked(&shared, &headers, format!("PUT {}", name.path()), &body).await?;
        Ok((owner, name))
    };
    match laid.await {
        Ok((owner, name)) => match shared.archive.put(owner, name, body.to_vec(), shared.now()).await {
            Ok(()) => StatusCode::NO_CONTENT.into_response(),
            Err(error) => failed(&error),
        },
        Err(refused) => no(&refused),
    }
}

/// I-117. Hands an object to one of its owner's Golems.
pub(super) async fn fetch(State(shared): State<Arc<Shared>>, Path(parts): Parts, headers: HeaderMap) -> Response {
    let Ok(_carrier) = shared.carriers.acquire().await else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let wanted = async {
        let name = named(parts)?;
        Ok((asked(&shared, &headers, format!("GET {}", name.path()), &[]).await?, name))
    };
    match wanted.await {
        Ok((owner, name)) => match shared.archive.get(owner, name, shared.now()).await {
            Ok(Some(bytes)) => bytes.into_response(),
            Ok(None) => (StatusCode::NOT_FOUND, "no such object is kept\n").into_response(),
            Err(error) => failed(&error),
        },
        Err(refused) => no(&refused),
    }
}

/// I-117. What there is.
pub(super) async fn list(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    match asked(&shared, &headers, "GET /archive".to_owned(), &[]).await {
        Ok(owner) => match shared.archive.list(owner, shared.now()).await {
            Ok(filed) => Json(filed).into_response(),
            Err(error) => failed(&error),
        },
        Err(refused) => no(&refused),
    }
}
