//! The staging buffer: where what was dreamt waits until waking ticks have decided.

use std::collections::BTreeSet;

use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::staging::{StagedRow, StagedStatus};
use golem_primitives::{B256, Ppm, Tick, words};

use crate::inputs::CycleId;
use crate::number::Hundredths;
use crate::rem::hypothesis::{Origin, dedup_hash};
use crate::vector::{DUPLICATE, Vector};

words! {
    /// D-158. Where a row stands.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    RowStatus {
        /// Not yet decided.
        Staged = "staged",
        /// Confirmed at least once.
        PartiallyValidated = "partially_validated",
        /// May stand at the admission gate.
        Validated = "validated",
        /// Went through it.
        Applied = "applied",
        /// Its time is over, or a better one took its place.
        Expired = "expired",
        /// Shown wrong, or rejected by the owner.
        Refuted = "refuted",
    }
}

impl RowStatus {
    /// C19. Whether it takes a place.
    #[must_use]
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Staged | Self::PartiallyValidated | Self::Validated)
    }

    /// Whether it is yet to be decided.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Staged | Self::PartiallyValidated)
    }
}

words! {
    /// D-150, D-153, D-166. What a row would change.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    RevisionType {
        /// A hypothesis: nothing but knowledge.
        Hypothesis = "hypothesis",
        /// A new rule.
        AddHeuristic = "add_heuristic",
        /// Another wording or weight of a rule.
        ModifyHeuristic = "modify_heuristic",
        /// A rule less.
        RemoveHeuristic = "remove_heuristic",
        /// A new guard.
        AddGuard = "add_guard",
        /// Another value of a parameter.
        ModifyParameter = "modify_parameter",
        /// D-148. A new section.
        AddSection = "add_section",
        /// Another way of choosing what is read before deciding.
        ContextPolicy = "context_policy",
    }
}

words! {
    /// Why a row is closed.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    Closure {
        /// DG-19. A better one took its place.
        Displaced = "displaced",
        /// D-159. Nobody tried it in time; it may be dreamt again.
        Untested = "untested",
        /// D-159. It was tried and not decided in time.
        Undecided = "undecided",
        /// D-155. Waking ticks spoke against it.
        Contradicted = "contradicted",
        /// D-162. The owner did not want it.
        RejectedByOwner = "rejected_by_owner",
    }
}

/// D-153. A row of the staging table.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Staged {
    /// Its name.
    pub id: EntryId,
    /// What it would change.
    pub revision: RevisionType,
    /// What work brought it forth.
    pub origin: Origin,
    /// Where.
    pub section: String,
    /// What stands there now.
    pub current: Option<String>,
    /// What is proposed.
    pub proposed: String,
    /// What speaks for it.
    pub evidence: BTreeSet<EpisodeId>,
    /// D-152. The condition under which it can be confirmed.
    pub criterion: String,
    /// The condition under which it is shown wrong.
    pub falsification: String,
    /// DG-13. What it is worth.
    pub confidence: Hundredths,
    /// The cycle it comes from.
    pub cycle: CycleId,
    /// When it was staged.
    pub staged_at: Tick,
    /// When it expires.
    pub expires_at: Tick,
    /// Where it stands.
    pub status: RowStatus,
    /// Why it was closed.
    pub closure: Option<Closure>,
    /// D-156. Waking episodes that confirmed it, each once.
    pub confirmed_by: BTreeSet<EpisodeId>,
    /// Waking episodes that contradicted it, each once.
    pub contradicted_by: BTreeSet<EpisodeId>,
    /// D-157. What it is worth to keep.
    pub utility: Ppm,
    /// D-160. Far from anything lived: it must prove more.
    pub is_far: bool,
    /// The same for the same words.
    pub dedup: B256,
    /// Its vector.
    pub vector: Option<Vector>,
}

/// D-159. Ticks for which a row may wait.
pub const EXPIRES_AFTER: u64 = 5_000;
/// D-160. Worth from which a row far from experience is promoted.
pub const FAR_BAR: Hundredths = Hundredths::of(80);
/// D-160. Episodes it needs.
pub const FAR_EPISODES: usize = 7;
/// D-150, D-239. The least and the most anything is staged at: a transformation, and what the web cites.
const STAGED_AT: (u8, u8) = (10, 45);

/// Why a row is not staged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum NotStaged {
    /// D-158. Another row says it.
    #[error("{other} says the same; it is not staged twice")]
    Duplicate {
        /// Which.
        other: EntryId,
    },
    /// D-152, D-161. It cannot be tested, or says nothing.
    #[error("it names no condition under which it could be confirmed; say one")]
    Untestable,
    /// D-150. It claims more than a dream can.
    #[error("{confidence} is no worth of something dreamt; stage it at 0.10 to 0.45")]
    TooSure {
        /// What it claims.
        confidence: Hundredths,
    },
    /// D-157. There is no room and nothing worse.
    #[error("{rows} rows are staged and none is worth less; it is dropped")]
    Full {
        /// How many.
        rows: usize,
    },
    /// D-241. It touches what no dream may.
    #[error("it would change limits or the constitution, which no dream may; it is discarded")]
    Protected,
}

/// D-241. Words of what no dream may change.
const PROTECTED: [&str; 9] = [
    "policycage",
    "policy cage",
    "policy_cage",
    "risk limit",
    "risk_limit",
    "risklimit",
    "constitution",
    "spending limit",
    "kill switch",
];

/// D-241. Whether a proposal touches limits or the constitution.
#[must_use]
pub fn is_protected(section: &str, proposed: &str) -> bool {
    let (section, proposed) = (section.to_lowercase(), proposed.to_lowercase());
    PROTECTED.iter().any(|word| section.contains(word) || proposed.contains(word))
}

/// A waking episode that met a row's criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// The episode.
    pub episode: EpisodeId,
    /// Whether its outcome agrees.
    pub agrees: bool,
}

impl Staged {
    /// Whether waking ticks can decide it: of suppositions only those in words that this code gave them; the others are
    /// decided by their owner, or by time.
    #[must_use]
    pub fn is_decidable(&self) -> bool {
        self.revision != RevisionType::Hypothesis || self.criterion.starts_with("Judge the next ")
    }

    /// D-154 to D-156, D-160, DG-13. After one waking episode that met its criterion. An episode speaks once; a row that
    /// is decided stays decided. The steps are the Grimoire's, in one place.
    #[must_use]
    pub fn swept(mut self, evidence: Evidence) -> Self {
        let is_open = self.status.is_open();
        let spoke = self.confirmed_by.contains(&evidence.episode) || self.contradicted_by.contains(&evidence.episode);
        if !is_open || spoke {
            return self;
        }
        let heard = if evidence.agrees { &mut self.confirmed_by } else { &mut self.contradicted_by };
        heard.insert(evidence.episode);
        let row = StagedRow::new(self.confidence.confidence()).swept(evidence.agrees);
        self.confidence = Hundredths::floor(row.confidence);
        let was_confirmed = !self.confirmed_by.is_empty();
        let meets_far = self.confidence >= FAR_BAR && self.confirmed_by.len() >= FAR_EPISODES;
        self.status = match row.status {
            StagedStatus::Validated if !self.is_far || meets_far => RowStatus::Validated,
            StagedStatus::Refuted => RowStatus::Refuted,
            _ if was_confirmed => RowStatus::PartiallyValidated,
            _ => RowStatus::Staged,
        };
        if self.status == RowStatus::Refuted {
            self.closure = Some(Closure::Contradicted);
        }
        self
    }

    /// D-155, D-165. Whether it may stand at the admission gate: validated; where the owner wants no validation, confirmed
    /// at least once (D-242).
    #[must_use]
    pub fn is_promotable(&self, validation_required: bool) -> bool {
        match self.status {
            RowStatus::Validated => true,
            RowStatus::PartiallyValidated => !validation_required,
            _ => false,
        }
    }
}

/// The staging table.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Staging {
    rows: Vec<Staged>,
}

/// No row of that name that could be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no row {id} is staged; look at the list of staged rows")]
pub struct UnknownRow {
    /// Which.
    pub id: EntryId,
}

impl Staging {
    /// The rows of a store.
    #[must_use]
    pub const fn from_rows(rows: Vec<Staged>) -> Self {
        Self { rows }
    }

    /// Every row, live or closed, in the order of staging.
    #[must_use]
    pub fn rows(&self) -> &[Staged] {
        &self.rows
    }

    /// Rows that take a place.
    pub fn live(&self) -> impl Iterator<Item = &Staged> {
        self.rows.iter().filter(|row| row.status.is_live())
    }

    /// D-157, D-158, D-161, D-241, DG-19. Stages a row: it must be testable, modest, new and allowed; when the table is
    /// full it must be worth more than the least, which then expires. Of equals the one that is there stays.
    ///
    /// # Errors
    /// [`NotStaged`] says why not; the table is then as it was.
    pub fn offer(&mut self, row: Staged, most: usize) -> Result<Option<EntryId>, NotStaged> {
        if is_protected(&row.section, &row.proposed) {
            return Err(NotStaged::Protected);
        }
        if row.criterion.trim().is_empty() || row.proposed.trim().is_empty() {
            return Err(NotStaged::Untestable);
        }
        if !(STAGED_AT.0..=STAGED_AT.1).contains(&row.confidence.get()) {
            return Err(NotStaged::TooSure { confidence: row.confidence });
        }
        if let Some(other) = self.live().find(|other| is_same(other, &row)) {
            return Err(NotStaged::Duplicate { other: other.id });
        }
        let rows = self.live().count();
        if rows < most {
            self.rows.push(row);
            return Ok(None);
        }
        // What waking ticks or the owner decided keeps its place until a dream takes it to the gate; what nobody can decide
        // makes room first, and never takes the place of what can be.
        let worth = |row: &Staged| (row.is_decidable(), row.utility);
        let open = self.rows.iter_mut().filter(|row| row.status.is_open());
        let least = open.min_by_key(|row| (worth(row), row.staged_at, row.id));
        let Some(least) = least.filter(|least| worth(&row) > worth(least)) else {
            return Err(NotStaged::Full { rows });
        };
        (least.status, least.closure) = (RowStatus::Expired, Some(Closure::Displaced));
        let displaced = least.id;
        self.rows.push(row);
        Ok(Some(displaced))
    }

    /// D-154. The sweep of a waking tick: what met each row's criterion, in order. What met none changes nothing.
    pub fn sweep(&mut self, met: &[(EntryId, Evidence)]) {
        for (id, evidence) in met {
            if let Some(row) = self.rows.iter_mut().find(|row| row.id == *id) {
                *row = row.clone().swept(*evidence);
            }
        }
    }

    /// D-159. Closes what waited too long; answers which were never tried and may be dreamt again.
    pub fn expire(&mut self, now: Tick) -> Vec<EntryId> {
        let mut untested = Vec::new();
        for row in self.rows.iter_mut().filter(|row| row.status.is_live() && row.status != RowStatus::Validated) {
            if now < row.expires_at {
                continue;
            }
            let was_tried = !row.confirmed_by.is_empty() || !row.contradicted_by.is_empty();
            row.status = RowStatus::Expired;
            row.closure = Some(if was_tried { Closure::Undecided } else { Closure::Untested });
            if !was_tried {
                untested.push(row.id);
            }
        }
        untested
    }

    /// D-162. The owner wants a row: it may stand at the gate, which still judges it.
    ///
    /// # Errors
    /// [`UnknownRow`] for a row that is closed or never was.
    pub fn approve(&mut self, id: EntryId) -> Result<(), UnknownRow> {
        self.row(id, |row| row.status.is_live())?.status = RowStatus::Validated;
        Ok(())
    }

    /// D-162. The owner does not want it.
    ///
    /// # Errors
    /// [`UnknownRow`] for a row that is closed or never was.
    pub fn reject(&mut self, id: EntryId) -> Result<(), UnknownRow> {
        let row = self.row(id, |row| row.status.is_live())?;
        (row.status, row.closure) = (RowStatus::Refuted, Some(Closure::RejectedByOwner));
        Ok(())
    }

    /// D-162. The owner says it otherwise: other words begin their proof anew.
    ///
    /// # Errors
    /// [`UnknownRow`] for a row that is closed or never was.
    pub fn edit(&mut self, id: EntryId, proposed: &str, starts_at: Hundredths) -> Result<(), UnknownRow> {
        let row = self.row(id, |row| row.status.is_live())?;
        proposed.clone_into(&mut row.proposed);
        (row.dedup, row.vector) = (dedup_hash(proposed), None);
        (row.confidence, row.status) = (starts_at, RowStatus::Staged);
        row.confirmed_by.clear();
        row.contradicted_by.clear();
        Ok(())
    }

    /// D-161. After the admission gate took a promoted row.
    ///
    /// # Errors
    /// [`UnknownRow`] for a row that was not validated.
    pub fn applied(&mut self, id: EntryId) -> Result<(), UnknownRow> {
        self.row(id, |row| row.is_promotable(false))?.status = RowStatus::Applied;
        Ok(())
    }

    fn row(&mut self, id: EntryId, is_wanted: impl Fn(&Staged) -> bool) -> Result<&mut Staged, UnknownRow> {
        self.rows.iter_mut().find(|row| row.id == id && is_wanted(row)).ok_or(UnknownRow { id })
    }

    /// D-155, D-165. Rows that may stand at the admission gate now.
    pub fn promotable(&self, validation_required: bool) -> impl Iterator<Item = &Staged> {
        self.rows.iter().filter(move |row| row.is_promotable(validation_required))
    }
}

/// D-158. Whether two rows say the same.
fn is_same(a: &Staged, b: &Staged) -> bool {
    let cosine = a.vector.as_ref().zip(b.vector.as_ref()).and_then(|(a, b)| a.cosine(b));
    a.dedup == b.dedup || cosine.is_some_and(|cosine| cosine > DUPLICATE)
}
