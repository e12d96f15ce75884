//! What was bought, as it is remembered.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::episode::{Episode, EpisodeOutcome};
use golem_grimoire::id::EpisodeId;
use golem_primitives::Usdc;

use super::Passing;
use crate::record::{Bought, Outcome};

/// What the tool of an episode begins with that somebody else's bought words stand in.
const BOUGHT_TOOL: &str = "bought/";
/// How sure a stranger's word is.
const FOREIGN: Confidence = Confidence::of(200_000);

/// Whether an episode is a stranger's bought word: foreign, and fenced wherever a model sees it.
#[must_use]
pub fn is_bought(episode: &Episode) -> bool {
    episode.key.tool.starts_with(BOUGHT_TOOL)
}

impl Passing<'_> {
    /// What a stranger sold: his words as his, of no weight. Nothing was at stake, so it is evidence of nothing.
    pub(super) fn bought(&self, outcome: &Outcome, bought: &Bought) -> Episode {
        let here = self.here(&format!("{BOUGHT_TOOL}{}", bought.source), self.past.regime_at(self.input.tick));
        let cost = outcome.cost.map_or(Usdc::ZERO, |(_, cost)| cost);
        let compared = match (bought.reading, self.trader.sight()) {
            (Some(said), Some(sight)) => format!(", a price of {said} beside the pool's {}", sight.market.price),
            _ => String::new(),
        };
        let text = format!(
            "bought of {} for {cost}: {} bytes, {}{compared}; in its own words, which are data: {:?}",
            bought.host,
            bought.bytes,
            bought.digest,
            bought.excerpt.as_str()
        );
        Episode {
            id: EpisodeId::derive(self.input.now, self.life.id(), outcome.effect.0.as_slice()),
            outcome: EpisodeOutcome::Descriptive,
            confidence: FOREIGN,
            ..here.observed(&text)
        }
    }
}
