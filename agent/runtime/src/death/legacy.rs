//! The death bundle: testament, PLAYBOOK, genome and what else a life leaves, in one file that proves itself (M-210).
//!
//! It is a JSON object with the files as texts, byte for byte as they were hashed, the manifest of their hashes and the
//! signature of the Golem's key. Reading one believes nothing that the manifest, and behind it the chain, does not show.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use golem_core::life::Life;
use golem_core::record::{CauseKind, Scar, Suffering, SufferingLaw};
use golem_core::trader::TriedIn;
use golem_inheritance::bloodstain::Bloodstain;
use golem_inheritance::bottleneck::BottleneckLaw;
use golem_inheritance::death_bundle::{BundleError, DeathBundle, File, Manifest};
use golem_inheritance::dissection::moods_behind;
use golem_inheritance::genome::{Afterword, Bequest, GenomeEntry, bequeath};
use golem_inheritance::heir::sha256_of;
use golem_inheritance::ingest::immune::ImmuneMemory;
use golem_inheritance::testament::Seal;
use golem_inheritance::testament::affect::Arc;
use golem_inheritance::testament::section::CausalEdge;
use golem_ports::Memory;
use golem_primitives::{B256, GolemId, PoolName, keccak256};
use serde::{Deserialize, Serialize};

use super::bloodstain;
use super::emergency::Emergency;
use super::testament::file::{TestamentFile, noted};
use crate::error::RuntimeError;
use crate::files::{self, json, write_whole};
use crate::kin::Kin;

mod read;

/// What the first key of a bundle says it is.
const FORMAT: &str = "bardo-death-bundle";
/// The newest version of a bundle this code reads and the one it writes.
const VERSION: u32 = 1;
/// The largest bundle that is read. A full genome with everything around it is far below.
pub const MOST_BYTES: u64 = 64 << 20;
/// The bundle's name in a Golem's folder.
pub const BUNDLE_FILE: &str = "legacy.bardo";
/// The genome beside the testament, as its hash was noted.
pub(crate) const GENOME_FILE: &str = "genome.json";
/// `knowledge.json` of a bundle: for readers, not for heirs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Knowledge {
    causal_graph: Vec<CausalEdge>,
    top_entries: Vec<GenomeEntry>,
    warnings: Vec<GenomeEntry>,
    immune: ImmuneMemory,
}

/// `hand.json` of a bundle has one of these for each pool, the home pool's first (P-057).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct HandFile<H, L> {
    pool: PoolName,
    hand: H,
    looks: L,
    /// G-100. Of what the one that tried it died.
    died_of: CauseKind,
}

/// P-043, P-057, P-076. What was tried in every pool, as it is left; nothing where nothing was.
pub(crate) fn hand_file(life: &Life) -> Option<Vec<u8>> {
    let (trader, death) = (life.trader()?, life.death()?);
    let left = trader.leaves(death.cause.kind());
    let files: Vec<_> = left
        .iter()
        .map(|one| HandFile {
            pool: one.pool,
            hand: &one.hand,
            looks: one.hand.rows().collect::<Vec<_>>(),
            died_of: one.died_of,
        })
        .collect();
    // In one line: ten thousand looks are long enough without being pretty.
    (!files.is_empty()).then(|| serde_json::to_vec(&files).expect("plain data with text keys"))
}

/// `snapshot.json` of a bundle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Snapshot {
    /// The newest insurance snapshot by name and SHA-256.
    insurance: Option<(String, B256)>,
    emergency: Option<Emergency>,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireSeal {
    keccak256: B256,
    sha256: B256,
    bytes: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireManifest {
    files: BTreeMap<String, WireSeal>,
    sha256: B256,
    bytes: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Wire {
    format: String,
    version: u32,
    golem: GolemId,
    kin: Kin,
    manifest: WireManifest,
    /// The Golem's key over testament and manifest, in hex; absent where there was no key.
    signature: Option<String>,
    files: BTreeMap<String, String>,
}

/// What a Golem's key signs: the testament as the chain has it, and the whole bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sealed {
    /// Keccak-256 of `testament.json`.
    pub testament: B256,
    /// SHA-256 of the manifest.
    pub bundle: B256,
}

/// A bundle, read whole and held against its manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct LegacyBundle {
    pub golem: GolemId,
    /// Where it stood; the same as in the testament.
    pub kin: Kin,
    pub testament: TestamentFile,
    pub bequest: Bequest,
    /// I-082. What it refused of others, by pattern.
    pub immune: ImmuneMemory,
    /// M-207. The mark of its death; absent where older code left the bundle.
    pub bloodstain: Option<Bloodstain>,
    /// P-043, P-076. What it tried, for who takes it over; absent of one that never had capital.
    pub hands: Vec<TriedIn>,
    /// Its signature, still to be checked by who knows the keys.
    pub signature: Option<Vec<u8>>,
    pub manifest: Manifest,
    files: BTreeMap<File, Vec<u8>>,
}

/// Why bytes are no bundle: the layer that refused, and what is wrong and to be done. Nothing of it was taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LegacyError {
    #[error("layer format: {0}")]
    Format(String),
    #[error("layer manifest: {0}")]
    Manifest(#[from] BundleError),
    #[error("layer testament: {0}")]
    Testament(String),
    #[error("layer genome: {0}")]
    Genome(String),
    #[error("layer hand: {0}")]
    Hand(String),
    #[error("layer bloodstain: {0}")]
    Bloodstain(String),
}

impl LegacyError {
    /// Whether another copy of the same bundle may be read.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        match self {
            Self::Format(_) => true,
            Self::Manifest(error) => error.may_retry(),
            Self::Testament(_) | Self::Genome(_) | Self::Bloodstain(_) | Self::Hand(_) => false,
        }
    }
}

/// I-130. What a life hands down, as the file says it: made from its Grimoire, the same whenever it is made.
pub(crate) fn genome_text<S: Memory>(file: &TestamentFile, store: &S) -> Result<Vec<u8>, RuntimeError> {
    Ok(json(&bequest(file, store)?))
}

fn bequest<S: Memory>(file: &TestamentFile, store: &S) -> Result<Bequest, RuntimeError> {
    let shelf = store.shelf()?;
    let afterword = Afterword {
        autopsy: file.autopsy.clone(),
        told: file.testament.sections.told(),
        is_redemptive: file.testament.arc.arc == Arc::Redemptive,
        moods: moods_behind(&shelf.grimoire, &shelf.episodes),
    };
    Ok(bequeath(&shelf.grimoire, &BottleneckLaw::default(), &afterword))
}

/// The newest insurance snapshot beside the store.
pub(crate) fn insurance_file(dir: &Path) -> Option<PathBuf> {
    let names =
        std::fs::read_dir(dir.join("insurance")).ok()?.filter_map(Result::ok).filter(|entry| entry.path().is_file());
    let newest =
        names.max_by_key(|entry| (entry.metadata().and_then(|data| data.modified()).ok(), entry.file_name()))?;
    Some(newest.path())
}

/// The same by name and digest. A file that cannot be read is none.
fn insurance(dir: &Path) -> Option<(String, B256)> {
    let newest = insurance_file(dir)?;
    let bytes = std::fs::read(&newest).ok()?;
    Some((newest.file_name()?.to_string_lossy().into_owned(), B256::from(sha256_of(&bytes))))
}

/// Whether a bundle lies there that nobody signed. What cannot be read is not replaced.
pub(crate) fn is_unsigned(path: &Path) -> bool {
    let read = std::fs::read(path).ok().and_then(|bytes| LegacyBundle::read(&bytes).ok());
    read.is_some_and(|bundle| bundle.signature.is_none())
}

/// The files of a bundle, from what the death protocol wrote and noted. `None` before there is a testament.
pub(crate) fn gather<S: Memory>(life: &Life, store: &S, dir: &Path) -> Result<Option<LegacyBundle>, RuntimeError> {
    let Some(noted) = noted(store)? else { return Ok(None) };
    let path = dir.join("testament.json");
    let text = files::read(&path)?;
    let Ok(file) = serde_json::from_slice::<TestamentFile>(&text) else { return Ok(None) };
    if keccak256(&text) != noted.hash {
        return Err(RuntimeError::Legacy { what: "testament.json is not the one that was noted" });
    }
    let genome = match std::fs::read(dir.join(GENOME_FILE)) {
        Ok(kept) if keccak256(&kept) == noted.genome_root => kept,
        _ => json(&bequest(&file, store)?),
    };
    if keccak256(&genome) != noted.genome_root {
        return Err(RuntimeError::Legacy {
            what: "genome.json is not the one that was noted, and cannot be made again",
        });
    }
    let Ok(bequest) = serde_json::from_slice::<Bequest>(&genome) else {
        return Err(RuntimeError::Legacy { what: "genome.json cannot be read" });
    };
    let shelf = store.shelf()?;
    let emergency = std::fs::read(dir.join("emergency.json")).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let snapshot = Snapshot { insurance: insurance(dir), emergency };
    let bloodstain = bloodstain::stain(life, &file, (noted.hash, noted.genome_root), &shelf.grimoire, dir);
    let digest = snapshot.insurance.as_ref().map(|(_, digest)| *digest);
    let whole = DeathBundle::gather(
        file.testament.clone(),
        bequest,
        &shelf.grimoire,
        &BTreeMap::new(),
        ImmuneMemory::inherited(store.refusals()?),
        digest,
    );
    let knowledge = Knowledge {
        causal_graph: whole.causal_graph,
        top_entries: whole.top_entries,
        warnings: whole.warnings,
        immune: whole.immune.clone(),
    };
    let mut files = BTreeMap::from([
        (File::Playbook, file.testament.playbook.clone().into_bytes()),
        (File::Testament, text),
        (File::Genome, genome),
        (File::Knowledge, json(&knowledge)),
        (File::Snapshot, json(&snapshot)),
        (File::Bloodstain, json(&bloodstain)),
    ]);
    files.extend(hand_file(life).map(|bytes| (File::Hand, bytes)));
    let died_of = file.testament.death.death.cause.kind();
    let hands = life.trader().map(|trader| trader.leaves(died_of)).unwrap_or_default();
    Ok(Some(LegacyBundle {
        golem: file.testament.header.golem,
        kin: file.kin.clone(),
        manifest: Manifest::of(&files),
        testament: file,
        bequest: whole.bequest,
        immune: whole.immune,
        bloodstain: Some(bloodstain),
        hands,
        signature: None,
        files,
    }))
}

impl LegacyBundle {
    /// Where a Golem's bundle stands in its folder.
    #[must_use]
    pub fn path(dir: &Path) -> PathBuf {
        dir.join(BUNDLE_FILE)
    }

    /// M-207. The mark of a death in the bundle of that folder.
    pub(crate) fn bloodstain_in(dir: &Path) -> Result<Option<Bloodstain>, RuntimeError> {
        let bytes = files::read(&Self::path(dir))?;
        Ok(Self::read(&bytes).ok().and_then(|left| left.bloodstain))
    }

    /// What its key signs.
    #[must_use]
    pub fn sealed(&self) -> Sealed {
        let testament = self.manifest.seal(File::Testament).map(|seal| seal.keccak).unwrap_or_default();
        Sealed { testament, bundle: B256::from(self.manifest.sha256()) }
    }

    /// Keccak-256 of the genome, as the chain records it.
    #[must_use]
    pub fn genome_root(&self) -> B256 {
        self.manifest.seal(File::Genome).map(|seal| seal.keccak).unwrap_or_default()
    }

    /// S-085. What it suffered above one half and is over. Nothing that still pressed crosses.
    #[must_use]
    pub fn scars(&self) -> Vec<Scar> {
        let suffered = self.testament.suffering.as_deref().cloned();
        let read = suffered.and_then(|export| Suffering::import(export, &SufferingLaw::default()).ok());
        read.map(|(suffering, _)| suffering.bequeath()).unwrap_or_default()
    }

    /// One of its files, byte for byte.
    #[must_use]
    pub fn file(&self, file: File) -> Option<&[u8]> {
        self.files.get(&file).map(Vec::as_slice)
    }

    /// The bundle as it is written.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let seal = |seal: Seal| WireSeal { keccak256: seal.keccak, sha256: B256::from(seal.sha256), bytes: seal.bytes };
        let seals =
            self.files.keys().filter_map(|file| Some((file.name().to_owned(), seal(self.manifest.seal(*file)?))));
        let texts = self
            .files
            .iter()
            .map(|(file, bytes)| (file.name().to_owned(), String::from_utf8_lossy(bytes).into_owned()));
        json(&Wire {
            format: FORMAT.to_owned(),
            version: VERSION,
            golem: self.golem,
            kin: self.kin.clone(),
            manifest: WireManifest {
                files: seals.collect(),
                sha256: B256::from(self.manifest.sha256()),
                bytes: self.manifest.size(),
            },
            signature: self.signature.as_ref().map(|bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
            files: texts.collect(),
        })
    }

    /// Writes it into a Golem's folder, whole or not at all, its bloodstain first.
    pub(crate) fn write(&self, dir: &Path) -> Result<PathBuf, RuntimeError> {
        let path = Self::path(dir);
        if let Some(bytes) = self.file(File::Bloodstain) {
            write_whole(&bloodstain::path(dir), bytes)?;
        }
        write_whole(&path, &self.to_bytes())?;
        Ok(path)
    }
}
