//! O-011. What takes several transactions, as the page writes it.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use golem_primitives::{Address, B256, Usdc};
use serde::Deserialize;

use crate::question::{BookWanted, Question, UndertakingKind, UndertakingWanted, WalletAnswer};
use crate::routes::{Reply, Shared, above_zero, answer, usdc};
use crate::source::Refused;

/// An undertaking as the page writes it. Amounts are USDC in decimals; what is left empty is not said.
#[derive(Debug, Deserialize)]
#[serde(tag = "undertaking", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum WrittenUndertaking {
    Birth {
        from: Address,
        name: String,
        credits: String,
        capital: String,
        playbook: String,
        /// A book of his own; it takes the place of the named one.
        book: String,
    },
    Successor {
        from: Address,
        golem: String,
        credits: String,
        capital: String,
        playbook: String,
        book: String,
        inherit: bool,
    },
    Mandate {
        from: Address,
        golem: String,
        budget: String,
        successors: u64,
        days: u64,
        executor: Address,
        escrow: String,
    },
    RotateKey {
        from: Address,
        golem: String,
    },
    Accept {
        from: Address,
        golem: String,
        keep_lists: bool,
    },
    Link {
        from: Address,
        golem: String,
    },
}

/// What stands in a field, if anything does.
fn said(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// The book that was written, or the one that was named.
fn wanted_book(playbook: &str, book: String) -> Option<BookWanted> {
    match said(&book) {
        Some(_) => Some(BookWanted::Written(book)),
        None => said(playbook).map(|name| BookWanted::Founding(name.to_owned())),
    }
}

/// An amount that may be left out.
fn or_nothing(text: &str) -> Result<Usdc, Refused> {
    said(text).map_or(Ok(Usdc::ZERO), usdc)
}

impl WrittenUndertaking {
    fn wanted(self) -> Result<UndertakingWanted, Refused> {
        let (from, kind) = match self {
            Self::Birth { from, name, credits, capital, playbook, book } => {
                let credits = said(&credits).map(above_zero).transpose()?;
                let none = || Refused::Wrong("a Golem is founded on a book: name one, or write it".to_owned());
                let playbook = wanted_book(&playbook, book).ok_or_else(none)?;
                (from, UndertakingKind::Birth { name, credits, capital: or_nothing(&capital)?, playbook })
            }
            Self::Successor { from, golem, credits, capital, playbook, book, inherit } => {
                let credits = said(&credits).map(above_zero).transpose()?;
                let playbook = wanted_book(&playbook, book);
                (from, UndertakingKind::Successor { golem, credits, capital: or_nothing(&capital)?, playbook, inherit })
            }
            Self::Mandate { from, golem, budget, successors, days, executor, escrow } => {
                let (budget, escrow) = (above_zero(&budget)?, or_nothing(&escrow)?);
                (from, UndertakingKind::Mandate { golem, budget, successors, days, executor, escrow })
            }
            Self::RotateKey { from, golem } => (from, UndertakingKind::RotateKey { golem }),
            Self::Accept { from, golem, keep_lists } => (from, UndertakingKind::Accept { golem, keep_lists }),
            Self::Link { from, golem } => (from, UndertakingKind::Link { golem }),
        };
        Ok(UndertakingWanted { from, kind })
    }
}

/// What the wallet did, as the page writes it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Answered {
    Sent(B256),
    Refused(String),
}

pub(crate) async fn look(State(source): State<Shared>) -> Reply {
    answer(&source, Question::Undertaking).await
}

pub(crate) async fn begin(
    State(source): State<Shared>,
    written: Result<Json<WrittenUndertaking>, JsonRejection>,
) -> Reply {
    let Json(written) = written.map_err(|rejection| Refused::Wrong(rejection.body_text()))?;
    answer(&source, Question::Begin(written.wanted()?)).await
}

pub(crate) async fn answer_to(
    State(source): State<Shared>,
    path: Result<Path<u64>, PathRejection>,
    answered: Result<Json<Answered>, JsonRejection>,
) -> Reply {
    let Path(number) = path.map_err(|rejection| Refused::Wrong(rejection.body_text()))?;
    let Json(answered) = answered.map_err(|rejection| Refused::Wrong(rejection.body_text()))?;
    let did = match answered {
        Answered::Sent(hash) => WalletAnswer::Sent(hash),
        Answered::Refused(words) => WalletAnswer::Refused(words),
    };
    answer(&source, Question::Answer { number, answer: did }).await
}
