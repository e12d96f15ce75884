//! Reading a bundle: every layer that can be checked without a chain.

use std::collections::{BTreeMap, BTreeSet};

use golem_core::record::{Suffering, SufferingLaw};
use golem_core::trader::TriedIn;
use golem_inheritance::bloodstain::Bloodstain;
use golem_inheritance::bottleneck::BUDGET;
use golem_inheritance::death_bundle::{BundleError, File, Manifest};
use golem_inheritance::genome::Bequest;
use golem_inheritance::ingest::immune::ImmuneMemory;
use golem_inheritance::testament::Seal;
use golem_playbook::hand::Hand;
use golem_playbook::record::Row;
use golem_primitives::B256;
use serde::de::DeserializeOwned;

use super::{FORMAT, HandFile, Knowledge, LegacyBundle, LegacyError, MOST_BYTES, VERSION, Wire};
use crate::death::testament::file::TestamentFile;

impl LegacyBundle {
    /// Reads a bundle. Nothing of one that does not prove itself is believed; whether the chain knows it is for those to
    /// ask who can.
    pub fn read(bytes: &[u8]) -> Result<Self, LegacyError> {
        let format = LegacyError::Format;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(format(format!(
                "it has {} bytes, more than any bundle ({MOST_BYTES}); nothing was read",
                bytes.len()
            )));
        }
        let wire: Wire = serde_json::from_slice(bytes).map_err(|error| {
            let what =
                if error.is_eof() { "it ends too early; copy the whole file" } else { "this is no death bundle" };
            format(format!("{what} ({error})"))
        })?;
        if wire.format != FORMAT {
            return Err(format("this is no death bundle; `bardo line bundle export` writes one".to_owned()));
        }
        if wire.version > VERSION {
            return Err(format(format!(
                "it has version {}, this program reads up to {VERSION}; use the newer program",
                wire.version
            )));
        }
        let (manifest, files) = unpacked(&wire)?;
        manifest.check(&files)?;
        if B256::from(manifest.sha256()) != wire.manifest.sha256 {
            return Err(format("the manifest's own hash is not that of its lines; download it again".to_owned()));
        }
        let testament = testament_of(&wire, &files)?;
        let bequest = genome_of(&files, &testament)?;
        let immune = immune_of(&files)?;
        let bloodstain = stain_of(&manifest, &files, &testament)?;
        let hands = hand_of(&manifest, &files, &testament)?;
        let signature = match &wire.signature {
            Some(text) => {
                Some(unhex(text).ok_or_else(|| format("its signature is no hex; export it again".to_owned()))?)
            }
            None => None,
        };
        Ok(Self {
            golem: wire.golem,
            kin: wire.kin,
            testament,
            bequest,
            immune,
            bloodstain,
            hands,
            signature,
            manifest,
            files,
        })
    }
}

fn unpacked(wire: &Wire) -> Result<(Manifest, BTreeMap<File, Vec<u8>>), LegacyError> {
    let known = |name: &str| {
        File::from_name(name).ok_or_else(|| LegacyError::Format(format!("{name:?} belongs to no bundle; remove it")))
    };
    let mut seals = BTreeMap::new();
    for (name, seal) in &wire.manifest.files {
        seals.insert(known(name)?, Seal { keccak: seal.keccak256, sha256: seal.sha256.0, bytes: seal.bytes });
    }
    let mut files = BTreeMap::new();
    for (name, text) in &wire.files {
        files.insert(known(name)?, text.clone().into_bytes());
    }
    Ok((Manifest::stated(seals), files))
}

fn parsed<T: DeserializeOwned>(bytes: &[u8], fail: fn(String) -> LegacyError) -> Result<T, LegacyError> {
    serde_json::from_slice(bytes).map_err(|error| fail(format!("it cannot be read: {error}; export it again")))
}

fn testament_of(wire: &Wire, files: &BTreeMap<File, Vec<u8>>) -> Result<TestamentFile, LegacyError> {
    let fail = LegacyError::Testament;
    let bytes = files.get(&File::Testament).ok_or(BundleError::Missing { file: File::Testament })?;
    let file: TestamentFile = parsed(bytes, fail)?;
    if file.testament.header.golem != wire.golem || file.kin != wire.kin {
        return Err(fail("it is another Golem's than the bundle says; use the bundle it belongs to".to_owned()));
    }
    // S-111. What it suffered is believed whole or not at all.
    if let Some(suffered) = &file.suffering
        && let Err(error) = Suffering::import((**suffered).clone(), &SufferingLaw::default())
    {
        return Err(fail(format!("what it suffered cannot be believed: {error}; export it again")));
    }
    if files.get(&File::Playbook).is_none_or(|text| *text != file.testament.playbook.as_bytes()) {
        return Err(fail("PLAYBOOK.md is not the one of the testament; download it again".to_owned()));
    }
    Ok(file)
}

/// I-130, I-360. The genome, if it could have passed the bottleneck: no more than there are places, each entry once, and
/// every chosen entry there.
fn genome_of(files: &BTreeMap<File, Vec<u8>>, testament: &TestamentFile) -> Result<Bequest, LegacyError> {
    let fail = LegacyError::Genome;
    let bytes = files.get(&File::Genome).ok_or(BundleError::Missing { file: File::Genome })?;
    let bequest: Bequest = parsed(bytes, fail)?;
    let ids: BTreeSet<_> = bequest.entries.iter().map(|entry| entry.id).collect();
    let chosen: BTreeSet<_> = bequest.genome.chosen.iter().map(|one| one.id).collect();
    let detail = if bequest.entries.len() > BUDGET {
        format!("it has {} entries, and at most {BUDGET} pass a death", bequest.entries.len())
    } else if ids.len() != bequest.entries.len() {
        "an entry stands in it twice".to_owned()
    } else if ids != chosen {
        format!("{} entries were chosen and {} are there; it was cut or added to", chosen.len(), ids.len())
    } else if ids.len() > testament.testament.grimoire.total as usize {
        "it has more entries than the testament says the Grimoire had".to_owned()
    } else {
        return Ok(bequest);
    };
    Err(fail(detail))
}

/// I-082. What the dead refused; a bundle without it has refused nothing.
fn immune_of(files: &BTreeMap<File, Vec<u8>>) -> Result<ImmuneMemory, LegacyError> {
    let Some(bytes) = files.get(&File::Knowledge) else { return Ok(ImmuneMemory::default()) };
    let knowledge: Knowledge = serde_json::from_slice(bytes)
        .map_err(|error| LegacyError::Format(format!("knowledge.json cannot be read: {error}; export it again")))?;
    Ok(ImmuneMemory::inherited(knowledge.immune.table()))
}

/// M-207, I-344. The mark of the death, if it is of the one the testament tells; a bundle of older code has none.
fn stain_of(
    manifest: &Manifest,
    files: &BTreeMap<File, Vec<u8>>,
    testament: &TestamentFile,
) -> Result<Option<Bloodstain>, LegacyError> {
    let fail = LegacyError::Bloodstain;
    let Some(bytes) = files.get(&File::Bloodstain) else { return Ok(None) };
    let stain: Bloodstain = parsed(bytes, fail)?;
    let hash = |file| manifest.seal(file).map(|seal: Seal| seal.keccak).unwrap_or_default();
    match stain.flaw(&testament.testament, hash(File::Testament), hash(File::Genome)) {
        Some(why) => Err(fail(format!("{why}; use the bundle it belongs to"))),
        None => Ok(Some(stain)),
    }
}

/// P-046. What was tried, if it is what the testament names.
fn hand_of(
    manifest: &Manifest,
    files: &BTreeMap<File, Vec<u8>>,
    testament: &TestamentFile,
) -> Result<Vec<TriedIn>, LegacyError> {
    let fail = LegacyError::Hand;
    let is_named = manifest.seal(File::Hand).map(|seal: Seal| seal.keccak) == testament.hand;
    let bytes = match (files.get(&File::Hand), is_named) {
        (None, true) => return Ok(Vec::new()),
        (Some(bytes), true) => bytes,
        _ => return Err(fail("it is not the one the testament names; use the bundle it belongs to".to_owned())),
    };
    let files: Vec<HandFile<Hand, Vec<Row>>> = parsed(bytes, fail)?;
    let mut tried = Vec::with_capacity(files.len());
    for HandFile { pool, mut hand, looks, died_of } in files {
        hand.take_up(looks).map_err(|error| fail(format!("{error}; export it again")))?;
        tried.push(TriedIn { pool, hand, died_of });
    }
    Ok(tried)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok()).collect()
}
