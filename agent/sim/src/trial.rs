//! Trials: arms that differ in one thing, on the same markets with the same luck, seed by seed.
//!
//! The lives of a trial learn by the law: they trade on paper through [`step`](golem_core::step::step), their passes
//! become episodes, the Curator counts them, and what it made of them speaks to the next decision. Deaths hand down
//! through the bottleneck and births adopt candidates, as in a real line. Only the market is made up.

mod dreamer;
mod learner;
mod library;
mod line;
pub mod measure;
mod plot;
mod pool;
pub mod report;
pub mod settings;
mod table;
pub mod terrain;
mod till;
pub mod truth;

pub use line::{Arm, LineRecord};
pub use report::TrialReport;
pub use settings::{TrialError, TrialSettings};

use crate::settings::Progress;
use line::Line;
use terrain::{Ground, Terrain};
use truth::Truth;

/// A line that inherits, one that begins anew at each death, and one that never dies: neither hazard nor age nor
/// senescence ends it, and nothing else sets it apart. All live on the same capital.
#[must_use]
pub fn lineages() -> Vec<Arm> {
    vec![
        Arm { name: "inheriting", is_mortal: true, inherits: true, dreams: None },
        Arm { name: "blank", is_mortal: true, inherits: false, dreams: None },
        Arm { name: "immortal", is_mortal: false, inherits: false, dreams: None },
    ]
}

/// D-014. A life that dreams in the core tier, one whose dreams have no REM, and one that does not dream. None of them
/// dies, so that no death blurs what dreams do.
#[must_use]
pub fn dreams() -> Vec<Arm> {
    let awake = Arm { name: "off", is_mortal: false, inherits: false, dreams: None };
    vec![
        Arm { name: "core", dreams: Some(dreamer::core_law()), ..awake.clone() },
        Arm { name: "without REM", dreams: Some(dreamer::law_without_rem()), ..awake.clone() },
        awake,
    ]
}

/// Lives every arm on every seed.
///
/// # Errors
/// [`TrialError`] when there is nothing to compare.
pub fn run(
    settings: &TrialSettings,
    arms: &[Arm],
    mut progress: impl FnMut(Progress),
) -> Result<TrialReport, TrialError> {
    settings.check()?;
    let truth = Truth::of(settings)?;
    let total = u64::from(settings.seeds) * arms.len() as u64;
    let mut lines: Vec<Vec<LineRecord>> = vec![Vec::new(); arms.len()];
    let mut switches = 0;
    let mut done = 0;
    for seed in (settings.first_seed..).take(settings.seeds as usize) {
        let ticks = usize::try_from(settings.ticks).unwrap_or(usize::MAX);
        let path: Vec<Ground> = Terrain::new(seed, settings.pace).take(ticks).collect();
        switches += path.iter().filter(|tick| tick.is_switch).count() as u64;
        for (arm, lines) in arms.iter().zip(&mut lines) {
            lines.push(Line::new(settings, arm, &truth, seed).live(&path)?);
            done += 1;
            progress(Progress { done, total });
        }
    }
    Ok(TrialReport::of(settings, &truth, switches, arms, lines))
}
