//! M-188. What is saved at once of a death by chance.

use std::path::Path;

use golem_core::life::Life;
use golem_core::record::{CauseKind, Sight};
use golem_grimoire::shelf::Grimoire;
use golem_inheritance::bottleneck::Selection;
use golem_inheritance::genome::GenomeEntry;
use golem_ports::Memory;
use golem_primitives::{Ppm, Tick, Usdc};
use serde::{Deserialize, Serialize};

use crate::error::RuntimeError;
use crate::files::{json, write_whole};

/// M-188. Entries of an emergency snapshot.
const LAST_ENTRIES: usize = 100;

/// M-188. What is saved at once when chance strikes, before anything else of the death is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Emergency {
    pub tick: Tick,
    pub balance: Usdc,
    /// What it last saw, its vault's positions among it.
    pub sight: Option<Sight>,
    /// P-001. The book it acted by.
    pub book: Option<String>,
    pub playbook: Option<String>,
    /// Its last hundred entries, newest first.
    pub entries: Vec<GenomeEntry>,
    pub fitness: Ppm,
    pub vitality: Ppm,
}

/// M-188. The emergency snapshot of a death by chance, written once beside the store.
pub(crate) fn rescue<S: Memory>(life: &Life, store: &S, dir: &Path) -> Result<(), RuntimeError> {
    let path = dir.join("emergency.json");
    let is_chance = life.death().is_some_and(|death| death.cause.kind() == CauseKind::Stochastic);
    if !is_chance || path.exists() {
        return Ok(());
    }
    let (grimoire, _) = store.at_hand()?;
    let vitality = life.vitals().vitality();
    let snapshot = Emergency {
        tick: life.tick(),
        balance: life.vitals().economic().balance(),
        sight: life.trader().and_then(|trader| trader.sight().cloned()),
        book: life.trader().map(|trader| trader.acts_by().to_string()),
        playbook: store.playbook(None)?.map(|newest| newest.text),
        entries: newest_entries(&grimoire),
        fitness: vitality.epistemic,
        vitality: vitality.composite,
    };
    write_whole(&path, &json(&snapshot))
}

fn newest_entries(grimoire: &Grimoire) -> Vec<GenomeEntry> {
    let mut newest: Vec<_> = grimoire.living().collect();
    newest.sort_by(|a, b| b.recorded.cmp(&a.recorded).then(a.id.cmp(&b.id)));
    newest.into_iter().take(LAST_ENTRIES).map(|entry| GenomeEntry::of(entry, Selection::Fill)).collect()
}
