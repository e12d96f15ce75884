//! `bardo golem life`: one page that tells a life so far.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_view::{Picture as _, Shown as _, Story};

use super::{Home, look};
use crate::screen;

/// Events read at once.
const PAGE: usize = 1_000;

/// What `life` takes.
#[derive(Debug, Args)]
pub(crate) struct LifeArguments {
    /// The Golem: its name on this machine, its agent id, or its vault's address.
    #[arg(value_name = "GOLEM")]
    golem: String,
    #[command(flatten)]
    home: Home,
    /// A JSON object instead of a page.
    #[arg(long)]
    json: bool,
}

impl LifeArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.home.find_memory(&self.golem)?;
        let reader = look::reader(&folder)?;
        let life = look::life(&reader)?;
        let mut story = Story::default();
        let mut next = 1;
        loop {
            let page = reader.events(next, PAGE)?;
            let Some(last) = page.last() else { break };
            next = last.id + 1;
            for event in &page {
                story.hear(event.tick, &event.event);
            }
        }
        let told = story.page(folder.name(), &life);
        if self.json {
            screen::tell(&told.json());
            return Ok(ExitCode::SUCCESS);
        }
        screen::show(&told.known(&format!("The life of {} so far", folder.name())));
        screen::show(&told.tried.table("what it tried"));
        screen::show(&told.learnt.table("what it learnt"));
        screen::show(&told.dreamt.table("what it dreamt"));
        screen::show(&told.felt.table("what it felt"));
        screen::show(&told.wrong.table("what it was wrong about"));
        Ok(ExitCode::SUCCESS)
    }
}
