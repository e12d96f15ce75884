//! Whose memory is meant, and the moment by which it is read.

use clap::Args;
use eyre::{Result, bail};
use golem_grimoire::id::Moment;
use golem_grimoire::status::Entry;
use golem_store::{Lookup, Reader};

use crate::golem::home::{Folder, Home};
use crate::golem::look;

/// Whose memory.
#[derive(Debug, Args)]
pub(crate) struct Whose {
    /// The Golem: its name on this machine, its agent id, or its vault's address.
    #[arg(value_name = "GOLEM")]
    pub(crate) golem: String,
    #[command(flatten)]
    pub(crate) home: Home,
}

/// What is asked of one memory and answered with a table.
#[derive(Debug, Args)]
pub(crate) struct TableArguments {
    #[command(flatten)]
    pub(crate) whose: Whose,
    /// A JSON object instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Whose {
    /// Its folder, also of one that lives on paper.
    pub(crate) fn folder(&self) -> Result<Folder> {
        self.home.find_memory(&self.golem)
    }

    /// Its folder, only if it was born on a chain.
    pub(crate) fn born(&self) -> Result<Folder> {
        self.home.find(&self.golem)
    }

    /// Its memory, only to look; also while it lives.
    pub(crate) fn reader(&self) -> Result<(Folder, Reader)> {
        let folder = self.folder()?;
        let reader = look::reader(&folder)?;
        Ok((folder, reader))
    }

    /// Its folder, if nobody lives it now.
    pub(super) fn stopped(&self, to_do: &str) -> Result<Folder> {
        let folder = self.folder()?;
        if let Some(pid) = look::holder(&folder) {
            bail!("process {pid} lives {}; stop it first, then {to_do}", folder.name());
        }
        Ok(folder)
    }
}

/// Where a life stands: the moment by which what it knows is read.
pub(crate) fn standing(reader: &Reader) -> Result<(Moment, golem_core::life::Life)> {
    let life = look::life(reader)?;
    // Its own time, not the machine's: a life on a local L2 or a stopped one is as old as its last look.
    let now = Moment::new(life.tick(), life.vitals().vitality().last_computed);
    Ok((now, life))
}

/// The entry whose id begins with these letters.
pub(super) fn find(reader: &Reader, name: &str, wanted: &str) -> Result<Entry> {
    match reader.lookup(wanted)? {
        Lookup::One(entry) => Ok(*entry),
        Lookup::Nothing => bail!("{name} has no entry {wanted:?}; list them with `bardo mind grimoire list {name}`"),
        Lookup::Several(ids) => {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            bail!("several entries begin with {wanted:?}: {}; write more of the id", ids.join(", "))
        }
    }
}
