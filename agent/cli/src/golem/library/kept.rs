//! Entries of the library as they are kept, and what became of each at those who were given it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use eyre::{Result, WrapErr, ensure};
use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_grimoire::provenance::MODEL;
use golem_inheritance::attribution::Attribution;
use golem_inheritance::genome::GenomeEntry;
use golem_inheritance::library::bundle::BATTLE_TESTED;
use golem_inheritance::library::equip::{EquipOutcome, SuggestionTier, is_deprioritised};
use golem_inheritance::library::inflow::Channel;
use golem_primitives::{AgentId, GolemId, LineageId};
use golem_runtime::Kin;
use golem_view::{AsKept, LibraryLine};
use serde::{Deserialize, Serialize};

use super::equipped::outcomes;
use crate::golem::home::{Home, read_json, write_whole};

/// An entry as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// I-242. By which way it came.
    pub(crate) channel: String,
    /// Who left it.
    pub(crate) golem: GolemId,
    pub(crate) agent: Option<AgentId>,
    pub(crate) lineage: LineageId,
    pub(crate) generation: u32,
    /// I-241, I-246. The entry, worth what it was, with the mark of the dead.
    pub(crate) entry: GenomeEntry,
    /// G-104. What its seller says it is worth, which the gate of a Golem asks for; a Golem that takes it in believes three tenths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) claimed: Option<Confidence>,
    /// I-232, I-233. Who first learned it, and from whom it came here.
    pub(crate) attribution: Attribution,
    /// I-240, I-251. Golems that proved it beside those it was equipped to.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) proved_by: BTreeSet<GolemId>,
    /// I-243. Entries that said the same and were joined with it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) joined: BTreeSet<EntryId>,
}

impl Kept {
    /// I-240 to I-242, I-246. An entry as it comes in by a way: with its tag, worth what the way leaves of it.
    pub(super) fn by(channel: Channel, birth: &Kin, golem: GolemId, entry: GenomeEntry) -> Self {
        let mut entry = GenomeEntry {
            source: channel.source(&entry.source),
            bequeathed: channel.confidence(entry.bequeathed),
            ..entry
        };
        entry.tags.insert(channel.tag().to_owned());
        let attribution = Attribution::held(&entry.source, golem, birth.generation);
        Self {
            channel: channel.name().to_owned(),
            golem,
            agent: birth.agent,
            lineage: birth.lineage,
            generation: birth.generation,
            entry,
            claimed: None,
            attribution,
            proved_by: BTreeSet::new(),
            joined: BTreeSet::new(),
        }
    }

    /// Whether a stranger sold it.
    pub(super) fn is_bought(&self) -> bool {
        self.channel == Channel::MarketplacePurchase.name()
    }

    /// I-233. Whose it is at the gate. What a predecessor's model supposed comes in its name, since no stranger may bear a
    /// model's.
    pub(super) fn sender(&self) -> GolemId {
        let origin = self.attribution.origin();
        if origin.as_str() == MODEL { self.golem } else { origin }
    }

    /// I-251. Whether five Golems proved it.
    pub(super) fn is_battle_tested(&self) -> bool {
        self.entry.tags.contains(BATTLE_TESTED)
    }

    pub(super) fn line(&self, failed: &BTreeSet<EntryId>) -> LibraryLine {
        LibraryLine {
            id: self.entry.id,
            worth: self.entry.bequeathed,
            kind: self.entry.body.kind().name(),
            generation: self.generation,
            left_by: self.agent.map_or_else(|| self.golem.to_string(), |agent| agent.to_string()),
            channel: self.channel.clone(),
            mark: mark(self, failed),
            says: self.entry.content.clone(),
            golem: self.golem,
            agent: self.agent,
            lineage: self.lineage,
            proved_by: self.proved_by.iter().copied().collect(),
            joined: self.joined.iter().copied().collect(),
            entry: AsKept::of(&self.entry),
        }
    }

    pub(super) fn write(&self, home: &Home) -> Result<()> {
        write_whole(&entry_path(home, self.entry.id), &serde_json::to_vec_pretty(self)?)
    }
}

pub(super) fn entry_path(home: &Home, id: EntryId) -> PathBuf {
    home.library().join("entries").join(format!("{id}.json"))
}

/// Where an entry is that is in the library.
pub(super) fn kept_path(home: &Home, id: EntryId) -> Result<PathBuf> {
    let path = entry_path(home, id);
    ensure!(path.exists(), "{id} is not in the library; `bardo grave library list` shows what is");
    Ok(path)
}

pub(super) fn all(home: &Home) -> Result<Vec<Kept>> {
    let dir = home.library().join("entries");
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let mut kept = Vec::new();
    for file in std::fs::read_dir(&dir).wrap_err_with(|| format!("cannot read {}", dir.display()))? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            kept.push(read(&path)?);
        }
    }
    kept.sort_by(|a: &Kept, b: &Kept| b.entry.bequeathed.cmp(&a.entry.bequeathed).then(a.entry.id.cmp(&b.entry.id)));
    Ok(kept)
}

pub(super) fn read(path: &Path) -> Result<Kept> {
    read_json(path, "entry of the library")
}

/// I-245, I-251. What five Golems proved, and what two found wrong.
fn mark(one: &Kept, failed: &BTreeSet<EntryId>) -> &'static str {
    match (failed.contains(&one.entry.id), one.is_battle_tested()) {
        (true, _) => "contradicted",
        (false, true) => BATTLE_TESTED,
        (false, false) => "",
    }
}

/// I-245. Entries that as many Golems contradicted as demote one.
pub(super) fn demoted(home: &Home, kept: &[Kept]) -> Result<BTreeSet<EntryId>> {
    let mut failed = BTreeSet::new();
    for one in kept {
        let wrong = outcomes(home, one.entry.id)?.into_values().filter(|how| *how == EquipOutcome::Contradicted);
        if is_deprioritised(u32::try_from(wrong.count()).unwrap_or(u32::MAX)) {
            failed.insert(one.entry.id);
        }
    }
    Ok(failed)
}

/// I-245, I-253. How strongly an entry is suggested, by what became of it at the Golems that were given it. The one that
/// left it has proven it too.
pub(super) fn tier(home: &Home, kept: &Kept, outcomes: &BTreeMap<String, EquipOutcome>) -> SuggestionTier {
    let count = |wanted: EquipOutcome| outcomes.values().filter(|one| **one == wanted).count();
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let validated = small(validators(home, kept, outcomes).len());
    SuggestionTier::of(
        kept.entry.body.kind(),
        validated,
        kept.entry.bequeathed,
        small(count(EquipOutcome::Contradicted)),
    )
}

/// I-251, I-253. Who proved an entry: the one that left it, those that had proved it when it came in, and those it was
/// equipped to and that confirmed it; each once. Of what was bought only the last: the others are its seller's word.
pub(super) fn validators(home: &Home, kept: &Kept, outcomes: &BTreeMap<String, EquipOutcome>) -> BTreeSet<GolemId> {
    let equipped = outcomes.iter().filter(|(_, how)| **how == EquipOutcome::Validated);
    let equipped = equipped.filter_map(|(name, _)| Some(home.find(name).ok()?.birth().ok()?.golem()));
    let told = kept.proved_by.iter().copied().chain([kept.golem]).filter(|_| !kept.is_bought());
    equipped.chain(told).collect()
}
