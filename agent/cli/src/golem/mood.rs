//! `bardo mind mood`: what moves a Golem, and what that does to its decisions.

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, eyre};
use golem_view::{MoodPicture, Picture as _};

use super::grimoire::Whose;
use super::look;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct MoodArguments {
    #[command(flatten)]
    whose: Whose,
    /// A JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

impl MoodArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let life = look::life(&reader)?;
        let picture = MoodPicture::of(folder.name(), &life).ok_or_else(|| {
            eyre!(
                "{} has no moods; write `mode = \"rules\"` under [daimon] of its golem.toml and let it live",
                folder.name()
            )
        })?;
        Ok(screen::draw_by(self.json, &picture, |picture| {
            let MoodPicture { golem, life, tick, influence, recent, .. } = picture;
            screen::show(&picture.table(&format!("{golem}, {life} at tick {tick}")));
            screen::show(&influence.table("what that does to its decisions"));
            screen::show_some("appraised of late", recent);
        }))
    }
}
