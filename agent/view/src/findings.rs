//! What was looked at, whether it is as it should be, and what to do about it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use golem_primitives::{AgentId, B256, GolemId, LineageId, Tick};

use crate::{AsKept, ByteCount, Number, Tested, picture};

picture! {
    /// One thing that was looked at.
    pub struct FindingPicture {
        ok: Tested = "ok",
        what: String = "what",
        detail: String = "found",
        /// Of what is not as it should be.
        remedy: Option<String>,
    }
}

impl FindingPicture {
    /// What was found, and what to do where it is not as it should be.
    pub fn new(what: impl Into<String>, ok: bool, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        if ok { Self::sound(what, detail) } else { Self::wrong(what, detail, remedy) }
    }

    /// What is as it should be.
    pub fn sound(what: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { ok: Tested(true), what: what.into(), detail: detail.into(), remedy: None }
    }

    /// What is not, and what to do about it where anything can be done.
    pub fn wrong(what: impl Into<String>, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        let remedy = Some(remedy.into()).filter(|words| !words.is_empty());
        Self { ok: Tested(false), what: what.into(), detail: detail.into(), remedy }
    }

    /// What was found, or why it was not.
    pub fn tried(
        what: impl Into<String>,
        found: Result<impl Into<String>, impl fmt::Display>,
        remedy: impl Into<String>,
    ) -> Self {
        match found {
            Ok(detail) => Self::sound(what, detail),
            Err(why) => Self::wrong(what, why.to_string(), remedy),
        }
    }

    /// Whether all are as they should be.
    #[must_use]
    pub fn all_ok(findings: &[Self]) -> bool {
        findings.iter().all(|finding| finding.ok.0)
    }
}

picture! {
    /// Everything that is kept of a Golem, against what was written.
    pub struct AuditPicture { golem: String, sound: bool, found: Vec<FindingPicture> }

    /// A law that does not hold somewhere.
    pub struct FlawPicture { law: &'static str = "law", detail: String = "what" }

    /// A Grimoire against its own law.
    pub struct SoundnessPicture { golem: String, sound: bool, flaws: Vec<FlawPicture> }

    /// I-010. Something that a death left, layer by layer against the chain.
    pub struct LayersPicture { holds: bool, layers: Vec<FindingPicture> }

    /// Where a life lived again came out otherwise.
    pub struct DivergedPicture { pass: u64, tick: Tick, recorded: B256, got: B256 }

    /// A life lived again from its newest snapshot.
    pub struct ShortcutPicture { from: u64, passes: u64, hash: B256, agrees: bool }

    /// A life lived again.
    pub struct RelivedPicture {
        golem: String,
        holds: bool,
        passes: u64,
        compared: u64,
        tick: Tick,
        hash: B256,
        snapshot: ShortcutPicture,
        diverged: Option<DivergedPicture>,
        /// On this machine.
        took_seconds: Number,
    }

    /// I-001. What is in a death bundle.
    pub struct BundlePicture {
        golem: GolemId = "golem",
        agent: Option<AgentId> = "agent",
        chain: u64 = "chain",
        lineage: LineageId = "lineage",
        generation: u32 = "generation",
        cause: &'static str = "died of",
        last_words: String = "last words",
        entries: usize = "entries",
        testament_hash: B256 = "testament hash",
        genome_root: B256 = "genome root",
        bundle_sha256: B256 = "bundle SHA-256",
        is_signed: bool = "signed",
        size: ByteCount = "size",
        files: BTreeMap<String, ByteCount>,
        places: AsKept,
        kin: AsKept,
        stats: AsKept,
    }

    /// A bundle that was taken in.
    pub struct BundleKept {
        golem: GolemId,
        agent: Option<AgentId>,
        kept: PathBuf,
        layers: Vec<FindingPicture>,
        /// What raises a successor of it.
        next: Option<String>,
    }
}
