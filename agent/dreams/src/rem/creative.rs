//! Boden's three ways of being creative. What a model says in them is words; the book's own rewrites are their rules (P-072).

use golem_grimoire::id::EpisodeId;
use golem_mortality::phase::Phase;
use golem_primitives::words;

use crate::chance::Draws;
use crate::inputs::{Frozen, newest};

words! {
    /// D-115. Three ways.
    CreativeMode {
        /// Elements of different strategies together.
        Combinational = "combinational",
        /// One strategy to its limits.
        Exploratory = "exploratory",
        /// A basic assumption turned round.
        Transformational = "transformational",
    }
}

/// D-117. Weights in percent by vital phase: combinational, exploratory, transformational.
#[must_use]
pub const fn weights(phase: Phase) -> [(CreativeMode, u32); 3] {
    use CreativeMode::{Combinational, Exploratory, Transformational};
    let [combinational, exploratory, transformational] = match phase {
        Phase::Thriving => [20, 30, 50],
        Phase::Stable => [30, 50, 20],
        Phase::Conservation => [50, 30, 20],
        Phase::Declining => [100, 0, 0],
        Phase::Terminal => [0, 0, 0],
    };
    [(Combinational, combinational), (Exploratory, exploratory), (Transformational, transformational)]
}

/// D-117, D-205. The modes of this cycle's sessions, drawn by weight. `is_proven_only` leaves combining alone.
#[must_use]
pub fn sessions(phase: Phase, wanted: u32, is_proven_only: bool, draws: &mut Draws) -> Vec<CreativeMode> {
    let weights = if is_proven_only && phase != Phase::Terminal { weights(Phase::Declining) } else { weights(phase) };
    let total: u32 = weights.iter().map(|(_, weight)| weight).sum();
    if total == 0 {
        return Vec::new();
    }
    let mut draw = |_| {
        let mut at = u32::try_from(draws.below(total as usize)).expect("below a hundred");
        let found = weights.iter().find(|(_, weight)| {
            let is_here = at < *weight;
            at = at.saturating_sub(*weight);
            is_here
        });
        found.map_or(CreativeMode::Combinational, |(mode, _)| *mode)
    };
    (0..wanted).map(&mut draw).collect()
}

/// D-124. What creative work starts from: fragments of different times, and one rule nobody tried lately.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeedSet {
    /// Episodes, one of each third of a life.
    pub episodes: Vec<EpisodeId>,
    /// The rule of PLAYBOOK.md that was tried longest ago.
    pub rule: Option<golem_grimoire::id::EntryId>,
}

/// D-124. Draws the seeds of one session.
#[must_use]
pub fn seeds(frozen: &Frozen, draws: &mut Draws) -> SeedSet {
    let mut all = newest(&frozen.traces);
    all.reverse();
    let third = all.len().div_ceil(3).max(1);
    let episodes = all.chunks(third).map(|epoch| epoch[draws.below(epoch.len())].id()).collect();
    let rules = frozen.known.iter().filter(|known| known.is_in_playbook);
    let rule = rules.min_by_key(|known| (known.last_tried, known.id)).map(|known| known.id);
    SeedSet { episodes, rule }
}
