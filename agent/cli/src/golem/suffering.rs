//! `bardo mind suffering`: what presses on a Golem, what would ease it, and what it closes.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, ensure, eyre};
use golem_suffering::export::Export;
use golem_view::{Picture as _, Shown as _, SufferingPicture};

use super::grimoire::Whose;
use super::look;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct SufferingArguments {
    #[command(flatten)]
    whose: Whose,
    /// A JSON object instead of tables.
    #[arg(long)]
    json: bool,
    /// Write everything that is and was suffered into a new file, with its checksum.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    export: Option<PathBuf>,
}

impl SufferingArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let life = look::life(&reader)?;
        let told = SufferingPicture::of(folder.name(), &life).zip(SufferingPicture::export(&life));
        let (picture, export) = told.ok_or_else(|| {
            eyre!(
                "{} does not suffer; write `profile = \"hardened\"` under [suffering] of its golem.toml and let it live",
                folder.name()
            )
        })?;
        match self.export {
            Some(path) => write(&path, &export)?,
            None if self.json => screen::tell(&picture.json()),
            None => show(&picture),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// S-111. Beside it, flushed, renamed; what is there already is not overwritten.
fn write(path: &std::path::Path, export: &Export) -> Result<()> {
    ensure!(!path.exists(), "{} exists; choose another file", path.display());
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let written = || -> std::io::Result<()> {
        let file = std::fs::File::create(&beside)?;
        serde_json::to_writer_pretty(&file, export).map_err(std::io::Error::other)?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    };
    written().wrap_err_with(|| format!("cannot write {}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

fn show(picture: &SufferingPicture) {
    let SufferingPicture { golem, life, tick, pressing, eased, .. } = picture;
    screen::show(&picture.table(&format!("{golem}, {life} at tick {tick}")));
    screen::show_some("what presses", pressing);
    screen::show_some("what is over", eased);
}
