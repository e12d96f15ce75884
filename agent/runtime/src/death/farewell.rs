//! What a dying Golem leaves in the archive: testament, bundle and the last insurance snapshot with a card that says what they are
//! (M-203, I-120); nothing there is encrypted. What siblings are told goes by the Clade's wire.

use std::path::Path;

use golem_core::life::Life;
use golem_grimoire::provenance::Provenance;
use golem_inheritance::clade::archive::{ArchiveLaw, FinalPart, TESTAMENT_WEIGHT_TENTHS};
use golem_inheritance::clade::farewell::HandoverTries;
use golem_inheritance::heir::sha256_of;
use golem_ports::Memory;
use golem_primitives::{B256, GolemId, UtcTime};
use serde::{Deserialize, Serialize};

use super::legacy::{BUNDLE_FILE, LegacyBundle, insurance_file};
use crate::error::RuntimeError;
use crate::files::{json, read, write_whole};
use crate::kin::Kin;

/// The card of an archive.
pub const CARD_FILE: &str = "card.json";

/// The note under which the store keeps which bundle was laid down.
const ARCHIVED_NOTE: &str = "farewell.archived";

/// M-203, I-120. What lies in an archive, for whoever searches there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveCard {
    pub golem: GolemId,
    pub kin: Kin,
    /// As what it is found: a testament.
    pub provenance: Provenance,
    /// M-203. What it weighs in a search, in tenths of an ordinary find.
    pub weight_tenths: u64,
    /// Whether somebody needs a key to read it.
    pub is_encrypted: bool,
    pub parts: Vec<ArchivedPart>,
}

/// One file of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedPart {
    pub file: String,
    /// I-120. Which part of a final archive it is.
    pub part: String,
    /// SHA-256 of its bytes.
    pub sha256: B256,
    pub bytes: u64,
    /// C-28. Until when it is kept at least.
    pub kept_until: UtcTime,
}

/// What of a farewell is still to be handed over in this process.
#[derive(Debug, Default)]
pub(crate) struct Farewell {
    archived: HandoverTries,
}

/// Whose farewell it is and where it is left.
pub(crate) struct Leaver<'a> {
    pub(crate) life: &'a Life,
    pub(crate) kin: &'a Kin,
    pub(crate) dir: &'a Path,
    pub(crate) archive: Option<&'a Path>,
    pub(crate) now: UtcTime,
}

impl Farewell {
    /// M-203. Lays down what is kept, once there is a bundle. One that nobody could sign at first is laid down again when somebody
    /// has.
    pub(crate) fn lay_down<S: Memory>(&mut self, leaver: &Leaver<'_>, store: &mut S) {
        let Some(archive) = leaver.archive.filter(|_| LegacyBundle::path(leaver.dir).exists()) else { return };
        let Ok(bundle) = read(&LegacyBundle::path(leaver.dir)) else { return };
        let mark = B256::from(sha256_of(&bundle)).to_string();
        let is_done = store.note(ARCHIVED_NOTE).is_ok_and(|found| found.as_deref() == Some(mark.as_str()));
        if is_done || !self.archived.is_due(leaver.now) {
            return;
        }
        let done = leaver.lay_down(archive).and_then(|()| Ok(store.set_note(ARCHIVED_NOTE, &mark)?));
        if let Err(error) = done {
            self.archived = self.archived.failed(leaver.now);
            let (golem, is_last) = (leaver.life.id(), self.archived.is_given_up());
            tracing::warn!(%golem, %error, is_last, "not laid down in the archive");
        }
    }
}

impl Leaver<'_> {
    /// M-203, I-120. Copies what is to be kept; the card comes last, so an archive with a card is whole.
    fn lay_down(&self, archive: &Path) -> Result<(), RuntimeError> {
        let law = ArchiveLaw::default();
        let insurance = insurance_file(self.dir);
        let mut all = vec![
            (FinalPart::Testament, self.dir.join("testament.json")),
            (FinalPart::GrimoireBundle, self.dir.join(BUNDLE_FILE)),
        ];
        all.extend(insurance.map(|path| (FinalPart::InsuranceSnapshot, path)));
        let mut parts = Vec::new();
        for (part, path) in all {
            let bytes = read(&path)?;
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            write_whole(&archive.join(&file), &bytes)?;
            parts.push(ArchivedPart {
                file,
                part: part.name().to_owned(),
                sha256: B256::from(sha256_of(&bytes)),
                bytes: bytes.len() as u64,
                kept_until: law.kept_until(part, self.now),
            });
        }
        let card = ArchiveCard {
            golem: *self.life.id(),
            kin: self.kin.clone(),
            provenance: Provenance::Testament,
            weight_tenths: TESTAMENT_WEIGHT_TENTHS,
            is_encrypted: false,
            parts,
        };
        write_whole(&archive.join(CARD_FILE), &json(&card))
    }
}
