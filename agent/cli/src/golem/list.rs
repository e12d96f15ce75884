//! `bardo golem list`.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_chain::PaperView;
use golem_view::GolemLine;

use super::home::{Folder, Home};
use super::look;
use crate::screen;

/// What a list of things of this machine takes.
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(super) home: Home,
    /// A JSON array instead of a table.
    #[arg(long)]
    pub(super) json: bool,
}

impl ListArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let lines: Vec<GolemLine> = self.home.everybody()?.iter().map(line).collect();
        let nobody = "There is no Golem here; raise one with `bardo golem create NAME`.";
        Ok(screen::draw_all(self.json, "Golems of this machine", &lines, nobody))
    }
}

/// One Golem; what cannot be read is said in its own line and keeps no other from being shown.
pub(crate) fn line(folder: &Folder) -> GolemLine {
    let mut line = GolemLine {
        name: folder.name().to_owned(),
        agent: None,
        vault: None,
        chain: None,
        life: "unreadable",
        phase: None,
        tick: None,
        process: look::holder(folder),
        error: None,
    };
    match folder.birth() {
        Err(_) if folder.is_on_paper() => {
            line.vault = Some("on paper".to_owned());
            match PaperView::read(&folder.paper()) {
                Ok(paper) => line.chain = Some(paper.market.chain),
                Err(error) => line.error = Some(format!("{:#}", eyre::Report::new(error))),
            }
        }
        Ok(birth) => {
            line.agent = Some(birth.agent);
            line.vault = Some(birth.vault.to_string());
            line.chain = Some(birth.deployment.chain_id);
        }
        Err(error) => line.error = Some(format!("{error:#}")),
    }
    match look::reader(folder).and_then(|reader| look::life(&reader)) {
        Ok(life) => {
            line.life = look::standing(&life);
            line.phase = Some(life.vitals().phase().to_string());
            line.tick = Some(life.tick());
        }
        Err(error) => line.error = Some(format!("{error:#}")),
    }
    line
}
