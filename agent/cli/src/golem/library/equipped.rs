//! Who was given what of the library, and what became of it (I-245).

use std::collections::BTreeMap;
use std::path::PathBuf;

use eyre::{Result, WrapErr};
use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_inheritance::library::equip::EquipOutcome;
use serde::{Deserialize, Serialize};

use crate::golem::home::{Home, read_json, write_whole};
use crate::golem::look;

/// One entry that was given to one Golem.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Equipped {
    pub(super) golem: String,
    pub(super) id: EntryId,
    /// What it was worth on arrival.
    pub(super) worth: Confidence,
}

fn record_path(home: &Home, entry: EntryId) -> PathBuf {
    home.library().join("equipped").join(format!("{entry}.json"))
}

/// To whom an entry was given.
fn records(home: &Home, entry: EntryId) -> Result<Vec<Equipped>> {
    let path = record_path(home, entry);
    if !path.exists() {
        return Ok(Vec::new());
    }
    read_json(&path, "record of the library")
}

/// I-245. What became of an entry at every Golem it was given to; one whose memory is gone says nothing.
pub(super) fn outcomes(home: &Home, entry: EntryId) -> Result<BTreeMap<String, EquipOutcome>> {
    let mut found = BTreeMap::new();
    for given in records(home, entry)? {
        let Ok(reader) = home.find(&given.golem).and_then(|folder| look::reader(&folder)) else { continue };
        let is_over = look::life(&reader).is_ok_and(|life| !life.is_alive());
        let grimoire = reader.grimoire()?;
        let known = grimoire.get(given.id);
        let outcome = match known.and_then(|entry| entry.knowledge()) {
            Some(now) => EquipOutcome::of(given.worth, now.confidence, now.validated + now.contradicted, is_over),
            // What burned was contradicted; what faded was never used.
            None if known.is_some() => EquipOutcome::Contradicted,
            None => EquipOutcome::Unused,
        };
        found.insert(given.golem, outcome);
    }
    Ok(found)
}

/// I-243. What was given of an entry that was joined with another counts for the other.
pub(super) fn hand_over(home: &Home, from: EntryId, to: EntryId) -> Result<()> {
    let (gone, mut stays) = (records(home, from)?, records(home, to)?);
    if gone.is_empty() {
        return Ok(());
    }
    for one in gone {
        if stays.iter().all(|other| other.golem != one.golem) {
            stays.push(one);
        }
    }
    write_whole(&record_path(home, to), &serde_json::to_vec_pretty(&stays)?)?;
    let path = record_path(home, from);
    std::fs::remove_file(&path).wrap_err_with(|| format!("cannot remove {}", path.display()))
}

/// Writes down that an entry was given to a Golem.
pub(super) fn record(home: &Home, entry: EntryId, given: Equipped) -> Result<()> {
    let mut known = records(home, entry)?;
    known.retain(|other| other.golem != given.golem);
    known.push(given);
    write_whole(&record_path(home, entry), &serde_json::to_vec_pretty(&known)?)
}
