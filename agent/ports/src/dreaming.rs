//! What a dream asks a model, with the words its material stands for. Prompts, providers and prices are the adapter's.

use golem_dreams::Frozen;
use golem_dreams::dream::{Ask, Said};
use golem_primitives::{EffectId, Usdc, keccak256};

/// One question of a dream. Whatever is in it was recorded, and is data to whoever reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reverie {
    /// Its one name for ever, of the effect and its number: providers that know idempotency keys get it as one.
    pub name: EffectId,
    pub ask: Ask,
    /// The episodes it is about, in words.
    pub episodes: Vec<String>,
    /// The entries it is about, in words.
    pub known: Vec<String>,
    /// Where the Golem stood when it fell asleep.
    pub scene: String,
}

impl Reverie {
    /// D-183. The question with everything it may read: what was frozen, and nothing that is live.
    #[must_use]
    pub fn of(effect: EffectId, ask: Ask, frozen: &Frozen) -> Self {
        let episode = |id| frozen.traces.iter().find(|trace| trace.id() == id);
        let entry = |id| frozen.known.iter().find(|known| known.id == id);
        let episodes = ask.material.episodes.iter().filter_map(|id| episode(*id));
        let known = ask.material.entries.iter().filter_map(|id| entry(*id));
        Self {
            name: EffectId(keccak256([effect.0.as_slice(), &ask.id.to_be_bytes()].concat())),
            episodes: episodes.map(|trace| trace.recorded.episode.text.clone()).collect(),
            known: known.map(|known| known.text.clone()).collect(),
            scene: scene(frozen),
            ask,
        }
    }
}

/// The frozen world in a line: numbers and our own words alone.
fn scene(frozen: &Frozen) -> String {
    let regime = frozen.regime.map_or("unknown", golem_grimoire::regime::Regime::name);
    let liquidity = if frozen.is_thin { "thin" } else { "usual" };
    let held: Usdc = frozen.positions.iter().map(|position| position.value).sum();
    format!(
        "regime {regime}; volatility {} of 5; liquidity {liquidity}; vitality {}; {} open positions worth {held}",
        frozen.volatility,
        frozen.vitality,
        frozen.positions.len()
    )
}

/// What a model said, and what that cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Mused {
    /// What, in the shape its question asked for.
    pub said: Said,
    /// By the provider's usage numbers.
    pub cost: Usdc,
}
