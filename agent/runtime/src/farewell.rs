//! What a dying Golem leaves for its Clade and for the archive: files, until somebody carries them (I-114).
//!
//! In `outbox` lie the notice that a death has begun (M-186), then the bloodstain and the entries that pass the gates of
//! Terminal (M-205, I-121), each with the time from which it may go. In the archive lie testament, bundle and the last
//! insurance snapshot with a card that says what they are (M-203, I-120); nothing there is encrypted. What was handed over
//! is noted in the store, so whoever takes a file away does not find it there again.

use std::path::Path;

use golem_core::life::Life;
use golem_grimoire::provenance::Provenance;
use golem_inheritance::attribution::DEATH_WEIGHT_TENTHS;
use golem_inheritance::bloodstain::Bloodstain;
use golem_inheritance::clade::archive::{ArchiveLaw, FinalPart, TESTAMENT_WEIGHT_TENTHS};
use golem_inheritance::clade::delta::TTL;
use golem_inheritance::clade::farewell::{Delivery, DyingNotice, batches, parting};
use golem_inheritance::clade::sync::Matter;
use golem_inheritance::heir::sha256_of;
use golem_ports::Memory;
use golem_primitives::{B256, GolemId, UtcTime};
use serde::{Deserialize, Serialize};

use crate::error::RuntimeError;
use crate::legacy::{self, BUNDLE_FILE, LegacyBundle};
use crate::testament::{Kin, acceptance, write_whole};

/// The folder of parcels for siblings, in a Golem's folder.
pub const OUTBOX: &str = "outbox";
/// The card of an archive.
pub const CARD_FILE: &str = "card.json";
const FORMAT: &str = "bardo-parcel";
const VERSION: u32 = 1;

/// The notes under which the store keeps what was handed over.
const NOTICE_NOTE: &str = "farewell.notice";
const PARTED_NOTE: &str = "farewell.parted";
const ARCHIVED_NOTE: &str = "farewell.archived";
const DONE: &str = "done";

/// One thing for siblings.
#[derive(Debug, Serialize)]
struct Parcel<'a, T> {
    format: &'static str,
    version: u32,
    /// `dying`, `bloodstain` or `entries`.
    kind: &'static str,
    /// I-106. Whether it goes at once or with a batch.
    trigger: &'static str,
    from: GolemId,
    kin: &'a Kin,
    /// I-094. When it may go.
    not_before: UtcTime,
    /// I-109. Until when a sibling that is away can still have it.
    expires: UtcTime,
    /// I-234, M-205. What a contribution of the dying weighs in the reputation of its line, in tenths.
    reputation_tenths: u64,
    body: &'a T,
}

/// M-203, I-120. What lies in an archive, for whoever searches there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveCard {
    /// Whose.
    pub golem: GolemId,
    /// Where it stood.
    pub kin: Kin,
    /// As what it is found: a testament.
    pub provenance: Provenance,
    /// M-203. What it weighs in a search, in tenths of an ordinary find.
    pub weight_tenths: u64,
    /// Whether somebody needs a key to read it.
    pub is_encrypted: bool,
    /// The files.
    pub parts: Vec<ArchivedPart>,
}

/// One file of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedPart {
    /// Its name.
    pub file: String,
    /// I-120. Which part of a final archive it is.
    pub part: String,
    /// SHA-256 of its bytes.
    pub sha256: B256,
    /// How many there are.
    pub bytes: u64,
    /// C-28. Until when it is kept at least.
    pub kept_until: UtcTime,
}

/// What of a farewell is still to be handed over in this process.
#[derive(Debug, Default)]
pub(crate) struct Farewell {
    notice: Delivery,
    parted: Delivery,
    archived: Delivery,
}

/// Whose farewell it is and where it is left.
pub(crate) struct Leaver<'a> {
    pub(crate) life: &'a Life,
    pub(crate) kin: &'a Kin,
    pub(crate) dir: &'a Path,
    pub(crate) archive: Option<&'a Path>,
    pub(crate) now: UtcTime,
}

/// M-187. Whether siblings have been told.
pub(crate) fn is_told<S: Memory>(store: &S) -> Result<bool, RuntimeError> {
    Ok(store.note(NOTICE_NOTE)?.is_some())
}

impl Farewell {
    /// M-186. Tells the Clade that a death has begun.
    pub(crate) fn announce<S: Memory>(&mut self, leaver: &Leaver<'_>, store: &mut S) {
        hand_over(&mut self.notice, leaver, store, NOTICE_NOTE, DONE, |leaver, store| leaver.announce(store));
    }

    /// M-203, M-205, I-121. Leaves the rest, once there is a bundle.
    pub(crate) fn part<S: Memory>(&mut self, leaver: &Leaver<'_>, store: &mut S) {
        if !LegacyBundle::path(leaver.dir).exists() {
            return;
        }
        hand_over(&mut self.parted, leaver, store, PARTED_NOTE, DONE, |leaver, store| leaver.part(store));
        // A bundle that nobody could sign at first is laid down again when somebody has.
        if let (Some(archive), Ok(bundle)) = (leaver.archive, read(&LegacyBundle::path(leaver.dir))) {
            let mark = B256::from(sha256_of(&bundle)).to_string();
            hand_over(&mut self.archived, leaver, store, ARCHIVED_NOTE, &mark, |leaver, _| leaver.lay_down(archive));
        }
    }
}

/// M-205, M-182. Hands something over once, with as many retries as the law gives; no death waits for it.
fn hand_over<S: Memory>(
    delivery: &mut Delivery,
    leaver: &Leaver<'_>,
    store: &mut S,
    note: &str,
    mark: &str,
    act: impl Fn(&Leaver<'_>, &S) -> Result<(), RuntimeError>,
) {
    let is_done = store.note(note).is_ok_and(|found| found.as_deref() == Some(mark));
    if is_done || !delivery.is_due(leaver.now) {
        return;
    }
    let done = act(leaver, store).and_then(|()| Ok(store.set_note(note, mark)?));
    if let Err(error) = done {
        *delivery = delivery.failed(leaver.now);
        let (golem, is_last) = (leaver.life.id(), delivery.is_given_up());
        tracing::warn!(%golem, note, %error, is_last, "not handed over to the Clade");
    }
}

impl Leaver<'_> {
    fn send<T: Serialize>(
        &self,
        name: &str,
        kind: &'static str,
        matter: Matter,
        not_before: UtcTime,
        body: &T,
    ) -> Result<(), RuntimeError> {
        let parcel = Parcel {
            format: FORMAT,
            version: VERSION,
            kind,
            trigger: matter.trigger().name(),
            from: *self.life.id(),
            kin: self.kin,
            not_before,
            expires: not_before.plus(TTL),
            reputation_tenths: DEATH_WEIGHT_TENTHS,
            body,
        };
        write_whole(&self.dir.join(OUTBOX).join(name), &legacy::json(&parcel))
    }

    fn announce<S: Memory>(&self, store: &S) -> Result<(), RuntimeError> {
        let Some(accepted) = acceptance(self.life, false) else { return Ok(()) };
        let (grimoire, _) = store.at_hand()?;
        let entries = parting(&grimoire, self.life.vitals().law().mode);
        let notice = DyingNotice::of(&accepted, entries.len());
        self.send("0-dying.json", "dying", Matter::CriticalAlert, self.now, &notice)
    }

    fn part<S: Memory>(&self, store: &S) -> Result<(), RuntimeError> {
        let Some(stain) = self.stain()? else { return Ok(()) };
        self.send("1-bloodstain.json", "bloodstain", Matter::Bloodstain, stain.at, &stain)?;
        let (grimoire, _) = store.at_hand()?;
        // The moment is the death's, so that what is written again is the same.
        let entries = parting(&grimoire, self.life.vitals().law().mode);
        for (number, batch) in (0u32..).zip(batches(*self.life.id(), entries, stain.at)) {
            let name = format!("2-entries-{number:03}.json");
            self.send(&name, "entries", Matter::Entry, batch.not_before, &batch.entries)?;
        }
        Ok(())
    }

    fn stain(&self) -> Result<Option<Bloodstain>, RuntimeError> {
        let path = LegacyBundle::path(self.dir);
        let bytes = read(&path)?;
        Ok(LegacyBundle::read(&bytes).ok().and_then(|left| left.bloodstain))
    }

    /// M-203, I-120. Copies what is to be kept; the card comes last, so an archive with a card is whole.
    fn lay_down(&self, archive: &Path) -> Result<(), RuntimeError> {
        let law = ArchiveLaw::default();
        let insurance = legacy::insurance_file(self.dir);
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
        write_whole(&archive.join(CARD_FILE), &legacy::json(&card))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, RuntimeError> {
    std::fs::read(path).map_err(|source| RuntimeError::File { what: path.display().to_string(), source })
}
