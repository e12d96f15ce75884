//! A life that was lived and is over, and what it left.

use std::collections::BTreeMap;
use std::path::Path;

use golem_core::record::Temper;
use golem_grimoire::id::Moment;
use golem_inheritance::death_bundle::{File, Manifest};
use golem_inheritance::heir::Heir;
use golem_primitives::{B256, LineageId, Tick, keccak256};
use golem_runtime::{LegacyBundle, LivedTick, TestamentFile};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fake::{FakeChain, Lived, born, id, live, swinging, tempered};

pub(crate) async fn die(runtime: &mut Lived, chain: &FakeChain) {
    die_within(runtime, chain, 30).await;
}

pub(crate) async fn die_within(runtime: &mut Lived, chain: &FakeChain, passes: u64) {
    chain.set(|script| script.is_dying = true);
    for _ in 0..passes {
        if runtime.tick().await.expect("dies") == LivedTick::Dead {
            return;
        }
    }
    panic!("it takes too long");
}

/// A life that was lived so long and is over.
pub(crate) struct Departed {
    pub(crate) dir: TempDir,
    pub(crate) runtime: Lived,
}

impl Departed {
    pub(crate) async fn after(ticks: u64) -> Self {
        Self::with(ticks, Temper::NONE).await
    }

    pub(crate) async fn with(ticks: u64, temper: Temper) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let chain = swinging();
        let mut runtime = tempered(dir.path(), "ada", born(dir.path(), "ada"), &chain, temper);
        live(&mut runtime, ticks).await;
        die(&mut runtime, &chain).await;
        Self { dir, runtime }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn bundle(&self) -> LegacyBundle {
        bundle(self.path())
    }
}

pub(crate) fn testament(dir: &Path) -> TestamentFile {
    serde_json::from_slice(&std::fs::read(dir.join("testament.json")).expect("written")).expect("a testament")
}

/// Who takes over what somebody left.
pub(crate) fn heir() -> Heir {
    Heir { golem: id("eve"), lineage: LineageId(0), generation: 1 }
}

/// When it does.
pub(crate) fn at_birth(left: &LegacyBundle) -> Moment {
    Moment::new(Tick::new(0), left.testament.written)
}

pub(crate) fn bundle(dir: &Path) -> LegacyBundle {
    LegacyBundle::read(&std::fs::read(LegacyBundle::path(dir)).expect("a bundle")).expect("whole")
}

/// A bundle in which somebody wrote another text for a file, and its seal, and the manifest's hash: everything that needs
/// no key.
pub(crate) fn forged(bundle: &[u8], file: &str, text: &str) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(bundle).expect("JSON");
    // The bloodstain names testament and genome, and is as easily written anew.
    let (was, is) = (value["files"][file].as_str().unwrap_or_default(), text);
    let (old, new) = (keccak256(was).to_string(), keccak256(is).to_string());
    let stain = value["files"]["bloodstain.json"].as_str().unwrap_or_default().replace(&old, &new);
    if !stain.is_empty() {
        value["files"]["bloodstain.json"] = json!(stain);
    }
    value["files"][file] = json!(text);
    let files: BTreeMap<File, Vec<u8>> = value["files"]
        .as_object()
        .expect("files")
        .iter()
        .map(|(name, text)| (File::from_name(name).expect("known"), text.as_str().expect("text").as_bytes().to_vec()))
        .collect();
    let manifest = Manifest::of(&files);
    for file in files.keys() {
        let seal = manifest.seal(*file).expect("listed");
        value["manifest"]["files"][file.name()] =
            json!({ "keccak256": seal.keccak, "sha256": B256::from(seal.sha256), "bytes": seal.bytes });
    }
    value["manifest"]["sha256"] = json!(B256::from(manifest.sha256()));
    serde_json::to_vec(&value).expect("JSON")
}
