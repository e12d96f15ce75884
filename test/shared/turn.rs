//! What a Curator's turn came to.

use std::collections::{BTreeMap, BTreeSet};

use golem_grimoire::curator::{CuratorPass, CuratorReport, Duty};
use golem_grimoire::shelf::{Change, Grimoire};

/// A whole pass that made these changes, after which this is known.
pub(crate) fn pass(changes: Vec<Change>, grimoire: Grimoire) -> CuratorPass {
    CuratorPass {
        duty: Duty::Whole,
        changes,
        grimoire,
        consolidated: BTreeSet::new(),
        tags: BTreeMap::new(),
        taught: Vec::new(),
        quarantine: Vec::new(),
        playbook: BTreeSet::new(),
        to_push: BTreeSet::new(),
        minority_weight: 0.0,
        report: CuratorReport::default(),
        events: Vec::new(),
    }
}
