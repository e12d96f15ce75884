//! `bardo golem watch`, and the same screen while a life is lived: O-010.
//!
//! The screen (`golem-tui`) draws and asks; what is drawn is read by `onlooker`, and what is asked for is done here, by the
//! same functions as the commands of that name.

pub(crate) mod memory;
mod portrait;
mod session;
mod terminal;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_tui::{Request, ScreenError};

use super::home::Folder;
use super::subject::Which;
use super::{create, successor};
use crate::chain::Stopping;

pub(crate) use session::{Session, Stage};

/// What `watch` takes.
#[derive(Debug, Args)]
pub(crate) struct WatchArguments {
    #[command(flatten)]
    which: Which,
}

impl WatchArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let folder = self.which.home.find_memory(&self.which.golem)?;
        require_terminal(&folder)?;
        let mut stopping = Stopping::listen()?;
        let mut session = Session::open(Stage { folder, which: self.which.clone(), stop: None })?;
        let asked = tokio::select! {
            biased;
            () = stopping.asked() => {
                session.close().await?;
                return Ok(ExitCode::from(130));
            }
            asked = session.ended() => asked?,
        };
        carry_out(asked, self.which).await
    }
}

/// Whether there is a terminal to draw on and to hear keys from.
pub(crate) fn has_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

fn require_terminal(folder: &Folder) -> Result<(), ScreenError> {
    if has_terminal() { Ok(()) } else { Err(ScreenError::NoTerminal { golem: folder.name().to_owned() }) }
}

/// Does what was asked for on the screen, which is gone by now.
pub(crate) async fn carry_out(asked: Option<Request>, which: Which) -> Result<ExitCode> {
    match asked {
        Some(Request::Summon(draft)) => successor::SuccessorArguments::of(which)?.summon(draft).await,
        Some(Request::StartFresh) => create::CreateArguments::fresh(which.home, which.chain)?.run().await,
        Some(Request::Close | Request::Foresee(_)) | None => Ok(ExitCode::SUCCESS),
    }
}
