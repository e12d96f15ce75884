//! What the Curator of a venue answers.

use golem_core::record::Curated;
use golem_grimoire::curator::Duty;
use golem_primitives::Ppm;

pub(crate) const CYCLE: Curated = Curated {
    duty: Duty::Whole,
    added: 2,
    promoted: 1,
    demoted: 0,
    archived: 7,
    restored: 0,
    burned: 1,
    archived_recently: 40,
    active_at_start: 100,
    active: 60,
    candidates: 9,
    rules: 3,
    playbook_version: 4,
    mean_before: Ppm::of(500_000),
    mean_after: Ppm::of(520_000),
    taught: Vec::new(),
};
