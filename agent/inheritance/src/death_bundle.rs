//! The death bundle: everything a life leaves, in one file anybody can check (M-210, I-001, I-003, I-116).

use std::collections::BTreeMap;

use golem_grimoire::id::EntryId;
use golem_grimoire::kind::Kind;
use golem_grimoire::shelf::Grimoire;
use golem_primitives::words;
use golem_primitives::{B256, Ppm};
use sha2::{Digest, Sha256};

use crate::bottleneck::Selection;
use crate::genome::{Bequest, GenomeEntry};
use crate::ingest::immune::ImmuneMemory;
use crate::testament::fill::causal_edges;
use crate::testament::section::CausalEdge;
use crate::testament::{Seal, Testament};

/// M-210. Entries beside the genome, by confidence and novelty.
pub const TOP_ENTRIES: usize = 50;

/// I-001, I-003, M-210. What is left: genome, PLAYBOOK and testament are what a successor receives; the rest is for
/// readers. It has no place for episodes, decisions, pending actions or exact parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct DeathBundle {
    pub testament: Testament,
    pub bequest: Bequest,
    /// M-210. The digest of the last insurance snapshot.
    pub snapshot: Option<B256>,
    /// M-210. The causal graph, every edge of it, strongest first.
    pub causal_graph: Vec<CausalEdge>,
    /// M-210. The fifty entries that were surest and newest at once.
    pub top_entries: Vec<GenomeEntry>,
    /// M-210. Every warning.
    pub warnings: Vec<GenomeEntry>,
    /// I-082. What was refused from others.
    pub immune: ImmuneMemory,
}

/// M-210. The fifty entries with the most `confidence * novelty`; ties by id. An entry nobody compared is as new as can
/// be.
#[must_use]
pub fn top_entries(grimoire: &Grimoire, novelty: &BTreeMap<EntryId, Ppm>) -> Vec<GenomeEntry> {
    let worth = |entry: &golem_grimoire::entry::Knowledge| {
        let novelty = novelty.get(&entry.id).copied().unwrap_or(Ppm::ONE);
        u64::from(entry.confidence.get().get()) * u64::from(novelty.get())
    };
    let mut entries: Vec<_> = grimoire.living().collect();
    entries.sort_by(|a, b| worth(b).cmp(&worth(a)).then(a.id.cmp(&b.id)));
    entries.into_iter().take(TOP_ENTRIES).map(|entry| GenomeEntry::of(entry, Selection::Fill)).collect()
}

impl DeathBundle {
    /// M-210. Gathers it.
    #[must_use]
    pub fn gather(
        testament: Testament,
        bequest: Bequest,
        grimoire: &Grimoire,
        novelty: &BTreeMap<EntryId, Ppm>,
        immune: ImmuneMemory,
        snapshot: Option<B256>,
    ) -> Self {
        let warnings = grimoire.living().filter(|entry| entry.kind() == Kind::Warning);
        Self {
            causal_graph: causal_edges(grimoire, usize::MAX),
            top_entries: top_entries(grimoire, novelty),
            warnings: warnings.map(|entry| GenomeEntry::of(entry, Selection::Priority)).collect(),
            testament,
            bequest,
            snapshot,
            immune,
        }
    }
}

words! {
    /// The files of a bundle, in the order in which they are hashed.
    File {
        Testament = "testament.json",
        Playbook = "PLAYBOOK.md",
        Genome = "genome.json",
        /// Edges, top entries, warnings and refusals.
        Knowledge = "knowledge.json",
        Snapshot = "snapshot.json",
        /// M-207. The mark of the death.
        Bloodstain = "bloodstain.json",
        /// P-043, P-076. The rules that were tried, what each has shown, and the looks they were tried at.
        Hand = "hand.json",
    }
}

/// M-210. What a bundle holds and hashes to; whoever wrote the files makes it, whoever reads them checks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    files: BTreeMap<File, Seal>,
    pub url: Option<String>,
}

/// Why files are not those of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    #[error("the bundle lacks {file}; download it again")]
    Missing { file: File },
    #[error("{file} is not what the manifest says; download it again")]
    Changed { file: File },
    #[error("{file} is not in the manifest; remove it")]
    Unlisted { file: File },
}

impl BundleError {
    /// Another copy may be whole.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::Changed { .. })
    }
}

impl Manifest {
    /// The manifest of files as they were written.
    #[must_use]
    pub fn of(files: &BTreeMap<File, Vec<u8>>) -> Self {
        Self { files: files.iter().map(|(file, bytes)| (*file, Seal::of(bytes))).collect(), url: None }
    }

    /// The manifest that somebody states, to be held against the files.
    #[must_use]
    pub const fn stated(files: BTreeMap<File, Seal>) -> Self {
        Self { files, url: None }
    }

    /// The seal of a file.
    #[must_use]
    pub fn seal(&self, file: File) -> Option<Seal> {
        self.files.get(&file).copied()
    }

    /// M-210. Bytes of all files.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.files.values().fold(0, |sum, seal| sum.saturating_add(seal.bytes))
    }

    /// M-210. SHA-256 over names, sizes and hashes, in order.
    #[must_use]
    pub fn sha256(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        for (file, seal) in &self.files {
            hash.update((file.name().len() as u64).to_be_bytes());
            hash.update(file.name());
            hash.update(seal.bytes.to_be_bytes());
            hash.update(seal.sha256);
        }
        hash.finalize().into()
    }

    /// I-010. Whether these are the files.
    ///
    /// # Errors
    /// [`BundleError`] names the first that is missing, changed or not listed.
    pub fn check(&self, files: &BTreeMap<File, Vec<u8>>) -> Result<(), BundleError> {
        for (file, seal) in &self.files {
            let bytes = files.get(file).ok_or(BundleError::Missing { file: *file })?;
            if !seal.holds(bytes) {
                return Err(BundleError::Changed { file: *file });
            }
        }
        match files.keys().find(|file| !self.files.contains_key(file)) {
            Some(file) => Err(BundleError::Unlisted { file: *file }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::keccak256;

    use super::*;

    fn files() -> BTreeMap<File, Vec<u8>> {
        BTreeMap::from([(File::Testament, b"{}".to_vec()), (File::Playbook, b"# PLAYBOOK".to_vec())])
    }

    /// M-210, M-223, I-302, I-010: keccak for the chain, SHA-256 in the bundle, and a changed byte is seen.
    #[test]
    fn m_210_a_bundle_can_be_checked_by_anybody() {
        let manifest = Manifest::of(&files());
        assert_eq!((manifest.size(), manifest.check(&files())), (12, Ok(())));
        let seal = manifest.seal(File::Testament).expect("listed");
        assert_eq!(seal.keccak, keccak256(b"{}"), "I-302: the testament's hash on chain");
        let empty: [u8; 32] = Sha256::digest(b"{}").into();
        assert_eq!(seal.sha256, empty, "M-223");
        let mut changed = files();
        changed.insert(File::Testament, b"{ }".to_vec());
        let error = manifest.check(&changed).expect_err("changed");
        assert!(error == BundleError::Changed { file: File::Testament } && error.may_retry());
        assert_ne!(Manifest::of(&changed).sha256(), manifest.sha256());
        let mut fewer = files();
        fewer.remove(&File::Playbook);
        assert_eq!(manifest.check(&fewer), Err(BundleError::Missing { file: File::Playbook }));
        let mut more = files();
        more.insert(File::Snapshot, Vec::new());
        let error = manifest.check(&more).expect_err("unlisted");
        assert!(error == BundleError::Unlisted { file: File::Snapshot } && !error.may_retry());
    }
}
