//! Addresses, and the question behind each.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use golem_primitives::{Address, B256, Usdc};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::guard::{Doorkeeper, guarded};
use crate::question::{ActWanted, Question, WantedKind};
use crate::source::{Bookmark, GolemSource, Refused};
use crate::{page, stream, undertakings};

/// The largest question with a body: a reason of 256 bytes has room many times over.
const MOST_BYTES: usize = 8 * 1024;
/// An undertaking may bring a book, which has 256 KiB at most, and its line ends are two signs here.
const MOST_UNDERTAKING_BYTES: usize = 640 * 1024;

pub(crate) type Shared = Arc<dyn GolemSource>;

/// Everything that is served, behind its guard.
pub fn routes(source: Arc<dyn GolemSource>, guard: Doorkeeper) -> Router {
    let routes = Router::new()
        .route("/", get(page::index))
        .route("/assets/{name}", get(page::asset))
        .route("/api/fleet", get(async |State(source): State<Shared>| answer(&source, Question::Fleet).await))
        .route("/api/stream", get(listen))
        .route(
            "/api/undertaking",
            get(undertakings::look).post(undertakings::begin).layer(DefaultBodyLimit::max(MOST_UNDERTAKING_BYTES)),
        )
        .route("/api/undertaking/{number}", post(undertakings::answer_to))
        .route("/api/golems/{golem}/entries/{entry}", get(entry))
        .route("/api/golems/{golem}/blocks/{number}", get(block))
        .route("/api/golems/{golem}/transactions/{hash}", get(transaction))
        .route("/api/golems/{golem}/acts", post(act))
        .route("/api/golems/{golem}/{what}", get(look))
        .fallback(async || (StatusCode::NOT_FOUND, "there is nothing at this address\n"))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(source);
    guarded(routes, guard)
}

/// What may stand behind the question mark.
#[derive(Debug, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Particulars {
    tick: Option<u64>,
    words: Option<String>,
    status: Option<String>,
    skip: Option<usize>,
    newest: Option<u64>,
    verify: Option<bool>,
    golem: Option<String>,
}

/// What a page is told, or why it is told nothing.
pub(crate) type Reply = Result<Json<Value>, Refused>;

pub(crate) async fn answer(source: &Shared, question: Question) -> Reply {
    source.answer(question).await.map(|told| Json(told.into_value()))
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = match self {
            Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::Wrong(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Away(_) => StatusCode::BAD_GATEWAY,
            Self::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        (status, Json(json!({ "error": self.to_string() }))).into_response()
    }
}

async fn look(
    State(source): State<Shared>,
    path: Result<Path<(String, String)>, PathRejection>,
    query: Result<Query<Particulars>, QueryRejection>,
) -> Reply {
    let Path((golem, what)) = path.map_err(|rejection| Refused::Wrong(rejection.body_text()))?;
    let Query(more) = query.map_err(|rejection| Refused::Wrong(rejection.body_text()))?;
    let question = match what.as_str() {
        "portrait" => Question::Portrait(golem),
        "history" => Question::History(golem),
        "trades" => Question::Trades(golem),
        "why" => Question::Why { golem, tick: more.tick },
        "claims" => Question::Claims(golem),
        "playbook" => Question::Playbook(golem),
        "grimoire" => {
            let words = more.words.filter(|words| !words.trim().is_empty());
            Question::Grimoire { golem, words, status: more.status, skip: more.skip.unwrap_or(0) }
        }
        "dreams" => Question::Dreams(golem),
        "mind" => Question::Mind(golem),
        "market" => Question::Market(golem),
        "clade" => Question::Clade(golem),
        "costs" => Question::Costs(golem),
        "lineage" => Question::Lineage(golem),
        "chronicle" => Question::Chronicle { golem, verify: more.verify.unwrap_or(false) },
        "chain" => Question::Chain(golem),
        "explorer" => Question::Explorer { golem, newest: more.newest },
        other => return Err(Refused::Missing(format!("nothing is told of {other:?}"))),
    };
    answer(&source, question).await
}

async fn entry(State(source): State<Shared>, Path((golem, entry)): Path<(String, String)>) -> Reply {
    answer(&source, Question::Entry { golem, entry }).await
}

async fn block(State(source): State<Shared>, Path((golem, number)): Path<(String, String)>) -> Reply {
    let number = number.parse().map_err(|_| Refused::Wrong(format!("{number:?} is no number of a block")))?;
    answer(&source, Question::Block { golem, number }).await
}

async fn transaction(State(source): State<Shared>, Path((golem, hash)): Path<(String, String)>) -> Reply {
    let no_hash = |_| Refused::Wrong(format!("{hash:?} is no hash of a transaction: 0x and 64 hexadecimal digits"));
    let hash = hash.parse::<B256>().map_err(no_hash)?;
    answer(&source, Question::Transaction { golem, hash }).await
}

/// An act as the page writes it. Amounts are USDC in decimals, as a person types them.
#[derive(Debug, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
enum Written {
    Kill {
        from: Address,
        reason: String,
        #[serde(default)]
        revoke: bool,
    },
    Fund {
        from: Address,
        amount: String,
        #[serde(default)]
        into_capital: bool,
    },
    Withdraw {
        from: Address,
        amount: String,
    },
}

impl Written {
    fn wanted(self) -> Result<ActWanted, Refused> {
        Ok(match self {
            Self::Kill { from, reason, revoke } => ActWanted { from, kind: WantedKind::Kill { reason, revoke } },
            Self::Fund { from, amount, into_capital } => {
                ActWanted { from, kind: WantedKind::Fund { amount: above_zero(&amount)?, into_capital } }
            }
            Self::Withdraw { from, amount } => {
                ActWanted { from, kind: WantedKind::Withdraw { amount: above_zero(&amount)? } }
            }
        })
    }
}

pub(crate) fn usdc(text: &str) -> Result<Usdc, Refused> {
    let no_amount = |_| Refused::Wrong(format!("{text:?} is no amount of USDC; write it as 25 or 25.50"));
    text.trim().parse().map_err(no_amount)
}

pub(crate) fn above_zero(text: &str) -> Result<Usdc, Refused> {
    let amount = usdc(text)?;
    if amount.is_zero() { Err(Refused::Wrong("give an amount above zero".to_owned())) } else { Ok(amount) }
}

async fn act(
    State(source): State<Shared>,
    Path(golem): Path<String>,
    written: Result<Json<Written>, JsonRejection>,
) -> Reply {
    let Json(written) = written.map_err(|rejection| Refused::Wrong(rejection.body_text()))?;
    answer(&source, Question::Act { golem, wanted: written.wanted()? }).await
}

async fn listen(
    State(source): State<Shared>,
    query: Result<Query<Particulars>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let Query(more) = query.map_err(|rejection| Refused::Wrong(rejection.body_text()))?;
    let since: Option<Bookmark> =
        headers.get("last-event-id").and_then(|value| value.to_str().ok()).and_then(|text| text.parse().ok());
    Ok(stream::follow(source, more.golem, since))
}
