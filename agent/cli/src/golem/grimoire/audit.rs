//! `bardo mind grimoire audit`: a Grimoire against its own law.

use std::process::ExitCode;

use eyre::Result;
use golem_grimoire::playbook::Playbook;
use golem_store::Reader;
use golem_view::{FlawPicture, Shown as _, SoundnessPicture};

use super::whose::TableArguments;
use crate::golem::home::Folder;
use crate::screen;

pub(super) fn run(arguments: &TableArguments) -> Result<ExitCode> {
    let (folder, reader) = arguments.whose.reader()?;
    let flaws = flaws(&folder, &reader)?;
    let sound = flaws.is_empty();
    if arguments.json {
        screen::tell(&SoundnessPicture { golem: folder.name().to_owned(), sound, flaws }.json());
    } else {
        let whole = format!("The Grimoire of {} is sound: every law that can be checked in it holds.", folder.name());
        screen::show_all(&format!("What is wrong with the Grimoire of {}", folder.name()), &flaws, &whole);
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What breaks a law, and which.
pub(crate) fn flaws(folder: &Folder, reader: &Reader) -> Result<Vec<FlawPicture>> {
    let flaws = reader.audit()?.into_iter().map(|flaw| FlawPicture { law: flaw.law, detail: flaw.detail });
    Ok(flaws.chain(file(folder, reader)?.map(|detail| FlawPicture { law: "G-159", detail })).collect())
}

/// G-159. The file in the folder is a copy of the newest version.
fn file(folder: &Folder, reader: &Reader) -> Result<Option<String>> {
    let newest = reader.playbook(None)?.map_or_else(|| Playbook::default().to_string(), |newest| newest.text);
    let path = folder.path().join("PLAYBOOK.md");
    Ok(match std::fs::read_to_string(&path) {
        Ok(text) if text == newest => None,
        Ok(_) => Some(format!("{} is not the newest version; starting the Golem mends it", path.display())),
        Err(error) => Some(format!("{} cannot be read ({error}); starting the Golem writes it", path.display())),
    })
}
