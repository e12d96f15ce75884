//! M-207. The mark of a death, from what the life itself knows at its end.

use std::path::{Path, PathBuf};

use golem_core::life::Life;
use golem_grimoire::confidence::Votes;
use golem_grimoire::kind::Kind;
use golem_grimoire::shelf::Grimoire;
use golem_inheritance::bloodstain::landscape::Patch;
use golem_inheritance::bloodstain::{Bloodstain, FeltEnding, Mark, Traces};
use golem_inheritance::bottleneck::Selection;
use golem_inheritance::genome::GenomeEntry;
use golem_inheritance::testament::fill::causal_edges;
use golem_primitives::{B256, Ppm};

use super::testament::file::TestamentFile;

/// The bloodstain's name in a Golem's folder.
pub const BLOODSTAIN_FILE: &str = "bloodstain.json";

/// Where a Golem's bloodstain stands in its folder.
pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join(BLOODSTAIN_FILE)
}

/// M-207, A-124. The mark of this life's death. One that was left before stays as it was.
pub(super) fn stain(
    life: &Life,
    file: &TestamentFile,
    (testament, priors): (B256, B256),
    grimoire: &Grimoire,
    dir: &Path,
) -> Bloodstain {
    let left = std::fs::read(path(dir)).ok().and_then(|bytes| serde_json::from_slice::<Bloodstain>(&bytes).ok());
    if let Some(left) = left.filter(|left| left.flaw(&file.testament, testament, priors).is_none()) {
        return left;
    }
    let sight = life.trader().and_then(|trader| trader.sight());
    let warnings = grimoire.living().filter(|entry| entry.kind() == Kind::Warning);
    let ending =
        file.acceptance.and_then(|accepted| Some(FeltEnding { emotion: accepted.emotion?, mood: accepted.mood? }));
    let traces = Traces {
        block: sight.map(|sight| sight.block.number).unwrap_or_default(),
        scars: scars(file),
        votes: votes(grimoire),
        warnings: warnings.map(|entry| GenomeEntry::of(entry, Selection::Priority)).collect(),
        edges: causal_edges(grimoire, usize::MAX),
        somatic: ending,
        landscape: landscape(life),
    };
    Bloodstain::of(&file.testament, testament, priors, traces)
}

/// What it suffered, over or not.
fn scars(file: &TestamentFile) -> Vec<Mark> {
    let Some(suffered) = &file.suffering else { return Vec::new() };
    let mark = |what: String, peak: f64| Mark { what, severity: Ppm::round(peak) };
    let pressing = suffered.stressors.iter().map(|one| mark(one.description.clone(), one.peak_severity));
    let over = suffered.resolved_history.iter().map(|one| mark(one.description.clone(), one.peak_severity));
    pressing.chain(over).collect()
}

fn votes(grimoire: &Grimoire) -> Votes {
    let known = grimoire.entries().filter_map(|entry| entry.knowledge());
    known.fold(Votes::default(), |sum, one| sum.plus(Votes { up: one.validated, down: one.contradicted }))
}

/// Where its entries lay and what came of them; nothing of one without moods.
fn landscape(life: &Life) -> Vec<Patch> {
    let Some(affect) = life.affect() else { return Vec::new() };
    let patch = |(setting, leaf): (String, (u32, u32, f64))| {
        let (wins, tries, pnl) = leaf;
        // `as` saturates; a share of what was at stake is far from its ends.
        Patch { setting, wins, tries, pnl_ppm: (pnl * 1e6).round() as i64 }
    };
    affect.landscape().map(patch).collect()
}
