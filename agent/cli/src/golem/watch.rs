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

use eyre::Result;
use golem_tui::{ScreenError, ScreenRequest};

use super::subject::Which;
use super::{create, successor};
use crate::chain::Stopping;

pub(crate) use session::{Session, Stage};

pub(super) async fn run(which: Which) -> Result<ExitCode> {
    let folder = which.home.find_memory(&which.golem)?;
    if !has_terminal() {
        return Err(ScreenError::NoTerminal { golem: folder.name().to_owned() }.into());
    }
    let mut stopping = Stopping::listen()?;
    let mut session = Session::open(Stage { folder, which: which.clone(), stop: None })?;
    let asked = tokio::select! {
        biased;
        () = stopping.asked() => {
            session.close().await?;
            return Ok(ExitCode::from(130));
        }
        asked = session.ended() => asked?,
    };
    carry_out(asked, which).await
}

/// Whether there is a terminal to draw on and to hear keys from.
pub(crate) fn has_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Does what was asked for on the screen, which is gone by now.
pub(crate) async fn carry_out(asked: Option<ScreenRequest>, which: Which) -> Result<ExitCode> {
    match asked {
        Some(ScreenRequest::Summon(draft)) => successor::SuccessorArguments::of(which)?.summon(draft).await,
        Some(ScreenRequest::StartFresh) => create::CreateArguments::fresh(which.home, which.chain)?.run().await,
        Some(ScreenRequest::Close | ScreenRequest::Foresee(_)) | None => Ok(ExitCode::SUCCESS),
    }
}
