//! `bardo line heritage`: what was handed down to a Golem, whose turn it is to be tried, and what its own life made of it.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail};
use golem_grimoire::id::EntryId;
use golem_grimoire::shelf::Grimoire;
use golem_inheritance::arrival::HeirTag;
use golem_inheritance::baldwin::{ProposalStanding, StructuralDefault};
use golem_inheritance::novelty::GenerationStage;
use golem_ports::Store as _;
use golem_runtime::{DEFAULTS_NOTE, Defaults, HERITAGE_NOTE, Handed, Heritage, TRIAL_NOTE, Trials, belief};
use golem_store::{Reader, SqliteStore};
use golem_view::{AsKept, HeirloomLine, HeritagePicture, Picture as _, table_of};

use super::grimoire::standing;
use super::home::{Folder, Home};
use super::look;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct HeritageArguments {
    /// The Golem: its name, agent id or vault.
    golem: String,
    #[command(flatten)]
    home: Home,
    /// Let a rule that its line proposes be a default from now on: it is heard before it is confirmed here. The Golem
    /// must not be running.
    #[arg(long, value_name = "ENTRY", conflicts_with = "give_back")]
    accept: Option<EntryId>,
    /// Take a default back: it has to be confirmed like everything else. The Golem must not be running.
    #[arg(long, value_name = "ENTRY")]
    give_back: Option<EntryId>,
    /// A JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// The record a newborn's store keeps of what it was handed; `None` for a first generation.
pub(crate) fn of(reader: &Reader) -> Result<Option<Heritage>> {
    let Some(text) = reader.note(HERITAGE_NOTE)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).wrap_err("the record of what was inherited cannot be read")
}

/// I-051. Whose turn it is: where each entry stands in the queue of validation.
struct Turns {
    begun: BTreeSet<EntryId>,
    waiting: BTreeMap<EntryId, usize>,
    deferred: BTreeSet<EntryId>,
    refused: usize,
    stage: GenerationStage,
}

impl Turns {
    fn of(heritage: &Heritage, reader: &Reader, grimoire: &Grimoire) -> Result<Self> {
        let trials = Trials::of(reader.note(TRIAL_NOTE)?.as_deref());
        let queue = heritage.queue(grimoire, &belief(&look::life(reader)?), &trials.begun);
        Ok(Self {
            begun: trials.begun,
            waiting: queue.waiting().enumerate().map(|(at, one)| (one.id, at + 1)).collect(),
            deferred: queue.deferred().map(|one| one.id).collect(),
            refused: queue.counts().refused,
            stage: queue.stage(),
        })
    }

    fn word(&self, id: EntryId) -> String {
        match self.waiting.get(&id) {
            Some(place) => format!("waits, {place}."),
            None if self.deferred.contains(&id) => "put off".to_owned(),
            None if self.begun.contains(&id) => "on trial".to_owned(),
            None => "-".to_owned(),
        }
    }
}

/// One entry from the predecessor's word to the heir's own.
fn line(handed: &Handed, grimoire: &Grimoire, turns: &Turns) -> HeirloomLine {
    let known = grimoire.get(handed.id);
    let now = known.and_then(|entry| entry.knowledge());
    HeirloomLine {
        entry: handed.id.to_string(),
        from: now.and_then(|known| HeirTag::of(&known.draft.source)).map(|tag| tag.name().to_owned()),
        kind: now.map(|known| known.kind().name().to_owned()),
        generation: now.map(|known| known.draft.source.generation.into()),
        bequeathed: handed.bequeathed.get(),
        arrived: handed.arrived.map(|worth| worth.get()),
        fate: fate(handed),
        turn: turns.word(handed.id),
        novelty: handed.rank.map(|rank| rank.novelty),
        status: known.map(|entry| entry.status().name().to_owned()),
        confidence: now.map(|known| known.confidence.get()),
        validated: now.map(|known| known.validated.into()),
        contradicted: now.map(|known| known.contradicted.into()),
        says: now.map(|known| known.draft.content.clone()),
    }
}

/// What became of it at the door, by the name its record has.
fn fate(handed: &Handed) -> String {
    let record = serde_json::to_value(&handed.fate).unwrap_or_default();
    record.as_str().map_or_else(|| record.to_string(), str::to_owned)
}

impl HeritageArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.home.find(&self.golem)?;
        if let Some(entry) = self.accept.or(self.give_back) {
            return turn(&folder, entry, self.accept.is_some());
        }
        let reader = look::reader(&folder)?;
        let Some(heritage) = of(&reader)? else {
            bail!("{} is the first of its line; it inherited nothing", folder.name())
        };
        let grimoire = reader.grimoire()?;
        let turns = Turns::of(&heritage, &reader, &grimoire)?;
        let defaults = Defaults::of(reader.note(DEFAULTS_NOTE)?.as_deref());
        let entries = heritage.entries.iter().map(|handed| line(handed, &grimoire, &turns)).collect();
        let picture = HeritagePicture {
            golem: folder.name().to_owned(),
            predecessor: heritage.predecessor.to_string(),
            generation: heritage.generation.into(),
            testament: heritage.testament.to_string(),
            bundle: heritage.bundle.to_string(),
            stage: turns.stage.name().to_owned(),
            waiting: turns.waiting.len(),
            put_off: turns.deferred.len(),
            refused: turns.refused,
            entries,
            defaults: AsKept::of(&defaults),
            hypotheses: AsKept::of(&heritage.hypotheses),
        };
        Ok(screen::draw_by(self.json, &picture, |picture| {
            screen::show(&picture.table(&format!("What {} inherited", folder.name())));
            screen::show(&table_of("In the order of validation", &picture.entries));
            for one in defaults.iter() {
                println!("{}", told(one, &grimoire, folder.name()));
            }
        }))
    }
}

/// I-183. A default with where it stands and what can be done.
fn told(one: &StructuralDefault, grimoire: &Grimoire, name: &str) -> String {
    let id = one.proposal.entry;
    let known = grimoire.get(id).and_then(|entry| entry.knowledge());
    let says = known.map_or_else(|| "it is gone".to_owned(), |known| screen::harmless(&known.draft.content));
    match one.standing() {
        ProposalStanding::Proposed => {
            format!("Its line proposes a default: {says} (bardo line heritage {name} --accept {id})")
        }
        ProposalStanding::Default { since } => {
            format!("A default since tick {}: {says} (bardo line heritage {name} --give-back {id})", since.tick)
        }
        ProposalStanding::Returned { since } => format!("No default since tick {}: {says}", since.tick),
    }
}

/// I-183. By its owner's word a proposal comes into force, or a default goes back.
fn turn(folder: &Folder, entry: EntryId, is_accepted: bool) -> Result<ExitCode> {
    if let Some(pid) = look::holder(folder) {
        bail!("process {pid} lives {}; stop it first", folder.name());
    }
    let (now, _) = standing(&look::reader(folder)?)?;
    let mut store = SqliteStore::open(&folder.store(), Some(&folder.birth()?.golem()))?;
    let mut defaults = Defaults::of(store.note(DEFAULTS_NOTE)?.as_deref());
    let is_turned = if is_accepted { defaults.accept(entry, now) } else { defaults.give_back(entry, now) };
    if !is_turned {
        bail!("{entry} is no such default of {}; `bardo line heritage {0}` shows what is proposed", folder.name());
    }
    store.set_note(DEFAULTS_NOTE, &defaults.to_note())?;
    println!("{entry} {} of {}", if is_accepted { "is a default" } else { "is no longer a default" }, folder.name());
    Ok(ExitCode::SUCCESS)
}
