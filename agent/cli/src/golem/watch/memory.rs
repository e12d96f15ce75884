//! What is left of one that died: its stone, its testament, and the graves of its line.

use std::path::Path;

use eyre::{Result, WrapErr};
use golem_core::life::Life;
use golem_inheritance::summon::Memorial;
use golem_primitives::{Ppm, Usdc};
use golem_runtime::TestamentFile;
use golem_tui::{GraveScene, MemorialScene};
use golem_view::{LifePicture, MemorialPicture, Witness};

use crate::golem::graves;
use crate::golem::home::{Folder, Home};

/// I-260 to I-263.
pub(super) fn memorial(folder: &Folder, life: &Life) -> MemorialScene {
    let testament = testament(&folder.testament());
    let stone = match &testament {
        Ok(file) => MemorialPicture::from(&Memorial::of(&file.testament)),
        Err(error) => without_testament(life, error),
    };
    MemorialScene { stone, testament: told(testament), graves: line_of(folder) }
}

pub(crate) fn testament(path: &Path) -> Result<TestamentFile> {
    let bytes = std::fs::read(path).wrap_err("it left no testament that can be read")?;
    serde_json::from_slice(&bytes).wrap_err_with(|| format!("{} is no testament", path.display()))
}

pub(crate) fn told(file: Result<TestamentFile>) -> Witness<String> {
    Witness::of(file.map(|file| file.to_markdown()))
}

/// What its memory alone can say.
fn without_testament(life: &Life, why: &eyre::Report) -> MemorialPicture {
    let picture = LifePicture::of(life);
    let cause = life.death().map_or("unknown", |death| death.cause.kind().name());
    let earned = life.trader().map(|trader| trader.ledger().earned().closed).unwrap_or_default();
    MemorialPicture {
        ticks: life.tick().get(),
        trades: earned,
        funded: Usdc::ZERO,
        earned: Usdc::ZERO,
        spent: Usdc::ZERO,
        entries: 0,
        inherited: 0,
        best_fitness: Ppm::ZERO,
        last_fitness: picture.clocks.epistemic,
        cause: format!("It died of {cause}."),
        last_words: format!("{why:#}"),
    }
}

/// I-263. All the dead of its line that are buried here, the newest generation first; of one on paper itself.
fn line_of(folder: &Folder) -> Vec<GraveScene> {
    let Ok(own) = folder.birth() else { return Vec::new() };
    let everybody = folder.home().map(|home: Home| home.all()).transpose().ok().flatten().unwrap_or_default();
    let mut graves: Vec<GraveScene> = everybody
        .iter()
        .filter_map(|other| {
            let birth = other.birth().ok().filter(|birth| birth.lineage == own.lineage)?;
            let grave = graves::grave(other, &birth)?;
            Some(GraveScene { grave, testament: told(testament(&other.testament())) })
        })
        .collect();
    graves.sort_by_key(|one| std::cmp::Reverse(one.grave.generation));
    graves
}
