//! `bardo grave library export` and `pull`: what an owner keeps by hand, of the living and of the dead (I-240, I-242,
//! I-243).

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, ensure};
use golem_grimoire::entry::Knowledge;
use golem_grimoire::id::EntryId;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Entry;
use golem_inheritance::bottleneck::Selection;
use golem_inheritance::genome::GenomeEntry;
use golem_inheritance::library::inflow::{Channel, Dedup, dedup, may_export};
use golem_primitives::Ppm;
use golem_view::ShelfLine;

use super::alike::Likeness;
use super::kept::{Kept, all, entry_path};
use crate::golem::home::Home;
use crate::golem::look;
use crate::screen;

/// What `library export` and `library pull` take.
#[derive(Debug, Args)]
pub(crate) struct PullArguments {
    /// The Golem: its name, agent id or vault.
    golem: String,
    /// Entries of its Grimoire; everything that may be kept when left out.
    entries: Vec<EntryId>,
    #[command(flatten)]
    home: Home,
    /// Keep also what is nearly the same as something kept.
    #[arg(long)]
    keep_near: bool,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

/// An entry as the library holds it: worth what it is worth where it comes from.
pub(super) fn as_kept(known: &Knowledge) -> GenomeEntry {
    GenomeEntry { bequeathed: known.confidence, ..GenomeEntry::of(known, Selection::Fill) }
}

/// I-240. Why an entry may not be kept by that way; `None` when it may.
fn refusal(channel: Channel, entry: &Entry) -> Option<String> {
    let known = match entry {
        Entry::Active(active) => active.knowledge(),
        other if channel == Channel::ManualPull => match other.knowledge() {
            Some(_) => return None,
            None => return Some("it was refuted there, and no more than that is left".to_owned()),
        },
        other => return Some(format!("it is {} there; what it has proved itself is exported", other.status().name())),
    };
    let is_enough = channel == Channel::ManualPull || may_export(known.confidence);
    (!is_enough).then(|| format!("it is worth {}, less than 0.5", known.confidence))
}

impl PullArguments {
    pub(super) async fn run(&self, channel: Channel) -> Result<ExitCode> {
        let folder = self.home.find(&self.golem)?;
        let reader = look::reader(&folder)?;
        let is_alive = look::life(&reader)?.is_alive();
        ensure!(
            is_alive || channel == Channel::ManualPull,
            "{} is dead; `bardo grave library pull {0}` keeps more of it",
            folder.name()
        );
        ensure!(
            !is_alive || channel == Channel::LiveExport,
            "{} is alive; `bardo grave library export {0}` keeps what it proved",
            folder.name()
        );
        let (birth, grimoire) = (folder.birth()?, reader.grimoire()?);
        let mut kept = all(&self.home)?;
        let wanted = self.wanted(channel, &grimoire)?;
        let texts = wanted.iter().filter_map(|entry| entry.knowledge()).map(|known| known.draft.content.as_str());
        let texts: Vec<String> =
            texts.map(str::to_owned).chain(kept.iter().map(|one| one.entry.content.clone())).collect();
        let likeness = Likeness::of(texts.iter().map(String::as_str), folder.settings().ok().as_ref()).await;
        let mut lines = Vec::new();
        for entry in wanted {
            let Some(known) = entry.knowledge() else { continue };
            let fate = match refusal(channel, entry) {
                Some(why) => format!("refused: {why}"),
                None => {
                    let one = Kept::by(channel, &birth.kin(), birth.golem(), as_kept(known));
                    self.keep(one, &mut kept, &likeness)?
                }
            };
            lines.push(ShelfLine {
                entry: known.id,
                fate,
                worth: Some(known.confidence),
                says: known.draft.content.clone(),
            });
        }
        let nothing = format!("{} has nothing that may be kept this way.", folder.name());
        Ok(screen::draw_all(self.json, &format!("What is kept of {}", folder.name()), &lines, &nothing))
    }

    /// Those that were named, or everything that may be kept.
    fn wanted<'a>(&self, channel: Channel, grimoire: &'a Grimoire) -> Result<Vec<&'a Entry>> {
        if self.entries.is_empty() {
            let is_open = |entry: &&Entry| entry.knowledge().is_some() && refusal(channel, entry).is_none();
            return Ok(grimoire.entries().filter(is_open).collect());
        }
        let mut found = Vec::new();
        for id in &self.entries {
            let known = grimoire.get(*id).filter(|entry| entry.knowledge().is_some());
            ensure!(
                known.is_some(),
                "{id} is not in its Grimoire; `bardo mind grimoire list {}` shows what is",
                self.golem
            );
            found.extend(known);
        }
        Ok(found)
    }

    /// I-243. Keeps one entry, unless something kept says it already, or nearly and nobody insists.
    fn keep(&self, one: Kept, kept: &mut Vec<Kept>, likeness: &Likeness) -> Result<String> {
        if entry_path(&self.home, one.entry.id).exists() {
            return Ok("kept already".to_owned());
        }
        let nearest = kept.iter().map(|other| (likeness.between(&one.entry, &other.entry), other.entry.id)).max();
        let (near, of) = nearest.unwrap_or((Ppm::ZERO, one.entry.id));
        match dedup(near) {
            Dedup::Skip => return Ok(format!("skipped: {of} says it")),
            Dedup::Ask if !self.keep_near => {
                return Ok(format!("not kept: {of} is alike by {near}; --keep-near keeps both"));
            }
            Dedup::Ask | Dedup::Keep => {}
        }
        one.write(&self.home)?;
        kept.push(one);
        Ok("kept".to_owned())
    }
}
