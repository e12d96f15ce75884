//! `bardo mind grimoire show`.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_grimoire::status::Entry;
use golem_store::Reader;
use golem_view::{EntryLine, EntryPicture, EpisodeLine, Gain, GroundsPicture, HistoryLine, Picture as _};

use super::whose::{Whose, find, standing};
use crate::golem::home::Folder;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    whose: Whose,
    /// The entry: its id, or enough of its beginning to be the only one.
    entry: String,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

impl ShowArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let picture = entry_of(&folder, &reader, &self.entry)?;
        Ok(screen::draw_by(self.json, &picture, tell))
    }
}

/// One entry whole, by enough of its id.
pub(crate) fn entry_of(folder: &Folder, reader: &Reader, wanted: &str) -> Result<EntryPicture> {
    let (now, _) = standing(reader)?;
    let entry = find(reader, folder.name(), wanted)?;
    Ok(EntryPicture {
        entry: EntryLine::of(&entry, &folder.settings()?.grimoire.retention, now.at),
        more: entry.knowledge().map(GroundsPicture::from),
        behind: behind(reader, &entry)?,
        history: history(reader, &entry)?,
    })
}

/// The newest episodes it was counted from.
fn behind(reader: &Reader, entry: &Entry) -> Result<Vec<EpisodeLine>> {
    const SHOWN: usize = 10;
    let Some(known) = entry.knowledge() else { return Ok(Vec::new()) };
    let mut told = Vec::new();
    for id in known.draft.parents.iter().rev().take(SHOWN) {
        if let Some(recorded) = reader.episode(*id)? {
            let episode = recorded.episode;
            told.push(EpisodeLine {
                id: episode.id,
                tick: episode.happened.tick,
                outcome: episode.outcome.name(),
                pnl: episode.pnl_micros.map(Gain),
                text: episode.text,
            });
        }
    }
    Ok(told)
}

fn history(reader: &Reader, entry: &Entry) -> Result<Vec<HistoryLine>> {
    let changes = reader.history(entry.id())?.into_iter();
    let told = changes.map(|change| HistoryLine {
        tick: change.at.tick,
        at: change.at.at,
        what: change.what,
        note: change.note,
    });
    Ok(told.collect())
}

fn tell(picture: &EntryPicture) {
    let EntryPicture { entry, more, behind, history } = picture;
    screen::show(&entry.known("The entry"));
    if let Some(more) = more {
        screen::show(&more.known("What stands behind it"));
    }
    screen::show_some("The newest episodes behind it", behind);
    screen::show_some("What happened to it", history);
}
