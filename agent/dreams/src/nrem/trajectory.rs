//! Anticipatory trajectories: what follows from what is known to follow.

use std::collections::{BTreeMap, BTreeSet};

use golem_grimoire::id::EntryId;
use golem_grimoire::regime::Regime;
use golem_primitives::{Bps, Ppm, Tick};

use crate::inputs::{Frozen, MeasuredLink};

/// D-101. Links followed at most.
pub const HOPS: usize = 5;
/// D-102. Ticks for which a regime is taken to hold.
pub const CONTINUATION: u64 = 20;
/// How the name of a price begins among causal variables.
pub const PRICE: &str = "price:";

/// D-102 to D-104. What is supposed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scenario {
    Continuation(Regime),
    /// B. It turns into one that was lived through.
    Switch(Regime),
    /// C. A link that is overdue fires now.
    Lagged(EntryId),
}

/// D-106. One link followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Hop {
    pub edge: EntryId,
    /// What it is predicted to move by.
    pub delta: Bps,
    pub confidence: Ppm,
}

/// D-107. Where it ends.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Terminus {
    pub regime: Option<Regime>,
    /// Where prices went, by asset.
    pub prices: BTreeMap<String, Bps>,
    /// Where liquidity went; `None` where nothing says it.
    pub liquidity: Option<Bps>,
    /// Where gas went; `None` where nothing says it.
    pub gas: Option<Bps>,
}

/// D-106. One trajectory.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Trajectory {
    pub hypothesis: Scenario,
    pub hops: Vec<Hop>,
    pub terminus: Terminus,
    /// DG-16. Share of open positions that end above their stop.
    pub fitness: Ppm,
    /// DG-16. The product of the hops' confidences.
    pub confidence: Ppm,
    /// D-108. Positions that do not survive it.
    pub endangered: Vec<String>,
}

impl Trajectory {
    /// D-108. What it says where it would take something, in a template's words; nothing where every position survives it.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        if self.endangered.is_empty() {
            return None;
        }
        let supposed = match &self.hypothesis {
            Scenario::Continuation(regime) => format!("if {regime} holds"),
            Scenario::Switch(regime) => format!("if it turns to {regime}"),
            Scenario::Lagged(_) => "if what is overdue comes now".to_owned(),
        };
        Some(format!("{supposed}, {} fall through their stop", self.endangered.join(", ")))
    }
}

/// D-101, C38, DG-16. Follows from a variable the surest link at each step, at most five, never to a variable a second
/// time; of equally sure ones the first by name.
#[must_use]
pub fn walk<'a>(edges: &'a [MeasuredLink], from: &str) -> Vec<&'a MeasuredLink> {
    let mut seen: BTreeSet<&str> = BTreeSet::from([from]);
    let mut chain: Vec<&'a MeasuredLink> = Vec::new();
    let mut at = from;
    while chain.len() < HOPS {
        let open = edges.iter().filter(|edge| edge.link.cause == at && !seen.contains(edge.link.effect.as_str()));
        let Some(next) = open.min_by_key(|edge| (std::cmp::Reverse(edge.link.weight), edge.id)) else { break };
        at = &next.link.effect;
        seen.insert(at);
        chain.push(next);
    }
    chain
}

/// D-105. Whether a link has not fired within its own lag.
#[must_use]
pub fn is_overdue(edge: &MeasuredLink, now: Tick) -> bool {
    now.since(edge.link.last_fired) > edge.link.lag_ticks
}

/// What a chain moves, added to where it started.
fn moved(terminus: &mut Terminus, edge: &MeasuredLink) {
    let by = i128::from(edge.delta.get());
    let plus = |old: Option<Bps>, by: i128| Bps::saturating(i128::from(old.map_or(0, Bps::get)) + by);
    let add = |old: Option<Bps>| plus(old, by);
    match edge.link.effect.as_str() {
        "gas" => terminus.gas = Some(add(terminus.gas)),
        // What a trade loses to the pool grows as there is less in it.
        "depth" => terminus.liquidity = Some(plus(terminus.liquidity, -by)),
        other => {
            if let Some(asset) = other.strip_prefix(PRICE) {
                let sum = add(terminus.prices.get(asset).copied());
                terminus.prices.insert(asset.to_owned(), sum);
            }
        }
    }
}

/// A trajectory from what is supposed, over a chain of links.
fn along(frozen: &Frozen, hypothesis: Scenario, mut terminus: Terminus, chain: &[&MeasuredLink]) -> Trajectory {
    let hops: Vec<Hop> =
        chain.iter().map(|edge| Hop { edge: edge.id, delta: edge.delta, confidence: edge.link.weight }).collect();
    for edge in chain {
        moved(&mut terminus, edge);
    }
    let survives = |asset: &str, position: &crate::market::Position| {
        position.survives(terminus.prices.get(asset).copied().unwrap_or(Bps::ZERO))
    };
    let (safe, endangered): (Vec<_>, Vec<_>) =
        frozen.positions.iter().partition(|position| survives(&position.asset, position));
    let all = frozen.positions.len();
    let fitness = if all == 0 { Ppm::ONE } else { Ppm::round(safe.len() as f64 / all as f64) };
    let confidence = Ppm::round(hops.iter().map(|hop| hop.confidence.as_f64()).product());
    let endangered = endangered.into_iter().map(|position| position.id.clone()).collect();
    Trajectory { hypothesis, hops, terminus, fitness, confidence, endangered }
}

/// Where prices go when a regime holds for some ticks, by what they did under it; and the price that moves most, from
/// which links are followed.
fn under(frozen: &Frozen, regime: Regime) -> (Terminus, Option<String>) {
    let prices: BTreeMap<String, Bps> = frozen
        .paths
        .iter()
        .filter_map(|path| Some((path.asset.clone(), path.drift(regime)?)))
        .map(|(asset, drift)| (asset, Bps::saturating(libm::round(drift * CONTINUATION as f64 * 10_000.0) as i128)))
        .collect();
    let moving = prices.iter().max_by_key(|(asset, by)| (by.magnitude(), std::cmp::Reverse(*asset)));
    let start = moving.filter(|(_, by)| by.magnitude() > 0).map(|(asset, _)| format!("{PRICE}{asset}"));
    (Terminus { regime: Some(regime), prices, ..Terminus::default() }, start)
}

fn in_regime(frozen: &Frozen, hypothesis: Scenario, regime: Regime) -> Trajectory {
    let (terminus, start) = under(frozen, regime);
    let chain = start.map_or_else(Vec::new, |start| walk(&frozen.edges, &start));
    along(frozen, hypothesis, terminus, &chain)
}

/// D-101 to D-106. Scenario A for the regime now, B for every other that was lived through, C for the surest link that is
/// overdue.
#[must_use]
pub fn anticipate(frozen: &Frozen) -> Vec<Trajectory> {
    let lived: BTreeSet<Regime> = frozen.traces.iter().filter_map(|trace| trace.recorded.episode.regime).collect();
    let mut all = Vec::new();
    if let Some(now) = frozen.regime {
        all.push(in_regime(frozen, Scenario::Continuation(now), now));
    }
    let others = lived.into_iter().filter(|regime| Some(*regime) != frozen.regime);
    all.extend(others.map(|regime| in_regime(frozen, Scenario::Switch(regime), regime)));
    let overdue = frozen.edges.iter().filter(|edge| is_overdue(edge, frozen.opened.tick));
    if let Some(first) = overdue.min_by_key(|edge| (std::cmp::Reverse(edge.link.weight), edge.id)) {
        let rest = walk(&frozen.edges, &first.link.effect);
        let rest = rest.into_iter().take_while(|edge| edge.link.effect != first.link.cause);
        let chain: Vec<&MeasuredLink> = [first].into_iter().chain(rest).take(HOPS).collect();
        let terminus = Terminus { regime: frozen.regime, ..Terminus::default() };
        all.push(along(frozen, Scenario::Lagged(first.id), terminus, &chain));
    }
    all
}
