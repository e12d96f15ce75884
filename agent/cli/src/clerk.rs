//! O-011. Who stands in for the terminal where the page began a command: it keeps what the command says, and its wallet is the
//! one in the browser. A command does not know who asked for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eyre::Result;
use golem_chain::{HandedSigner, HandedTransaction, Signer};
use serde_json::Value;

/// Most of what was done that is told; an undertaking has a handful of transactions.
const MOST_NOTES: usize = 100;

tokio::task_local! {
    static CLERK: Clerk;
}

/// Who stands in for the terminal.
#[derive(Clone)]
pub(crate) struct Clerk {
    pub(crate) wallet: HandedSigner,
    pub(crate) papers: Arc<Mutex<Papers>>,
}

/// How far it has come.
#[derive(Debug, Default)]
pub(crate) struct Papers {
    pub(crate) notes: Vec<String>,
    pub(crate) told: Option<Value>,
    pub(crate) waits: Option<HandedTransaction>,
    /// Nothing while it goes on; then whether it was done, or why not.
    pub(crate) over: Option<Result<(), String>>,
}

/// A lock that a panic left is still whole: every write to it is one assignment, or what lies behind it is read anew.
pub(crate) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The wallet in the browser, for a command that was begun there.
pub(crate) fn wallet() -> Option<Signer> {
    CLERK.try_with(|clerk| Signer::Handed(clerk.wallet.clone())).ok()
}

/// Keeps what a command says for the page; answers whether it was begun there.
pub(crate) fn note(words: &str) -> bool {
    let noted = CLERK.try_with(|clerk| {
        let mut papers = locked(&clerk.papers);
        if papers.notes.len() < MOST_NOTES {
            papers.notes.push(words.to_owned());
        }
    });
    noted.is_ok()
}

/// Keeps what a command tells a program.
pub(crate) fn told(json: &Value) -> bool {
    CLERK.try_with(|clerk| locked(&clerk.papers).told = Some(json.clone())).is_ok()
}

impl Clerk {
    /// Does a command in this clerk's hearing.
    pub(crate) async fn hears<T>(self, command: impl Future<Output = T>) -> T {
        CLERK.scope(self, command).await
    }
}

impl Papers {
    /// Why a command that could be asked did not do it.
    pub(crate) fn refusal(&self) -> String {
        let word = |key: &str| self.told.as_ref()?.get(key)?.as_str().map(str::to_owned);
        match (word("why"), word("advice")) {
            (Some(why), Some(advice)) => format!("{why}; {advice}"),
            (Some(why), None) => why,
            _ => self.notes.last().cloned().unwrap_or_else(|| "it was refused".to_owned()),
        }
    }
}
