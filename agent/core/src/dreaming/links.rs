//! What moves after what: the causal graph a dream walks.

use std::collections::{BTreeMap, BTreeSet};

use golem_dreams::inputs::Edge;
use golem_dreams::nrem::trajectory::PRICE;
use golem_grimoire::causal::Association;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::{Body, CausalLink};
use golem_grimoire::shelf::Grimoire;
use golem_primitives::{Bps, GolemId, Tick};

use super::Seen;

/// Links a dream is given at most; of more the surest.
const MOST_LINKS: usize = 64;
/// Ticks between a move and what follows it that are tried.
const MOST_LAG: usize = 5;
/// Ticks that are compared, the newest.
const MOST_TICKS: usize = 10_000;

/// By how much one thing moved in each tick, as a share of what it was; what was not looked at is no number.
type Moves = Vec<f64>;

/// What was looked at, tick by tick.
#[derive(Debug)]
struct Record {
    /// The tick of the first move.
    first: Tick,
    moves: BTreeMap<String, Moves>,
}

/// D-101, G-130. The links of the Grimoire whose two ends were looked at, and those that the looks themselves earn, each
/// pair once. A link tells how sure and after how long; by how much is what was seen, and a link of which nothing was seen
/// is not walked (DG-16).
pub(super) fn links(golem: &GolemId, opened: Moment, grimoire: &Grimoire, looks: &[Seen], asset: &str) -> Vec<Edge> {
    let Some(record) = Record::of(looks, asset) else { return Vec::new() };
    let known = grimoire.living().filter_map(|entry| match &entry.draft.body {
        Body::CausalLink(link) => Some((entry.id, link.clone())),
        _ => None,
    });
    let mut edges: Vec<Edge> = known.filter_map(|(id, link)| record.edge(id, link)).collect();
    edges.sort_by_key(surest);
    edges.extend(record.earned().into_iter().filter_map(|link| {
        let name = format!("{}>{}", link.cause, link.effect);
        record.edge(EntryId::derive(opened.at, golem, name.as_bytes()), link)
    }));
    // G-129. A pair is there once: what the Grimoire says of it comes before what one look back says.
    let mut pairs = BTreeSet::new();
    edges.retain(|edge| pairs.insert((edge.link.cause.clone(), edge.link.effect.clone())));
    edges.sort_by_key(surest);
    edges.truncate(MOST_LINKS);
    edges
}

fn surest(edge: &Edge) -> (std::cmp::Reverse<golem_primitives::Ppm>, EntryId) {
    (std::cmp::Reverse(edge.link.weight), edge.id)
}

impl Record {
    /// `None` where fewer than two ticks were looked at.
    fn of(looks: &[Seen], asset: &str) -> Option<Self> {
        let by_tick: BTreeMap<u64, &Seen> = looks.iter().map(|seen| (seen.tick.get(), seen)).collect();
        let last = *by_tick.keys().next_back()?;
        let oldest = last.saturating_sub(MOST_TICKS as u64).max(*by_tick.keys().next()?);
        let moved = |of: fn(&Seen) -> f64| -> Moves {
            let at = |tick: u64| by_tick.get(&tick).map_or(f64::NAN, |seen| of(seen));
            (oldest..last).map(|tick| (at(tick + 1) - at(tick)) / at(tick)).collect()
        };
        let moves = BTreeMap::from([
            (format!("{PRICE}{asset}"), moved(|seen| seen.price.micros() as f64)),
            ("liquidity".to_owned(), moved(|seen| seen.liquidity as f64)),
            ("gas".to_owned(), moved(|seen| seen.base_fee_wei as f64)),
        ]);
        (oldest < last).then_some(Self { first: Tick::new(oldest + 1), moves })
    }

    /// A link with what was seen of it; `None` where nothing was, or what was seen moved nothing.
    fn edge(&self, id: EntryId, link: CausalLink) -> Option<Edge> {
        let (cause, effect) = self.moves.get(&link.cause).zip(self.moves.get(&link.effect))?;
        let lag = usize::try_from(link.lag_ticks).ok()?;
        // As the cause moved last, so it is taken to move next.
        let last = cause.iter().rev().find(|moved| moved.is_finite() && **moved != 0.0)?;
        let (mut sum, mut times) = (0.0, 0u32);
        for (before, after) in cause.iter().zip(effect.iter().skip(lag)) {
            if before * last > 0.0 && after.is_finite() {
                (sum, times) = (sum + after, times.saturating_add(1));
            }
        }
        let mean = sum / f64::from(times);
        let delta = if mean.is_finite() { Bps::saturating(libm::round(mean * 10_000.0) as i128) } else { Bps::ZERO };
        (delta != Bps::ZERO).then_some(Edge { id, link, delta })
    }

    /// G-015, D-249. For each pair the lag at which one moved after the other most surely. Many pairs at many lags are tried,
    /// so chance has to be excluded twice, in the older half and in the newer, and both halves have to say the same.
    fn earned(&self) -> Vec<CausalLink> {
        let pairs = self.moves.iter().flat_map(|cause| self.moves.iter().map(move |effect| (cause, effect)));
        let pairs = pairs.filter(|(cause, effect)| cause.0 != effect.0);
        let best = pairs.filter_map(|(cause, effect)| {
            let lags = (1..=MOST_LAG).filter_map(|lag| self.at_lag(cause, effect, lag));
            // Of equally sure lags the shortest.
            lags.reduce(|best, next| if next.weight > best.weight { next } else { best })
        });
        best.collect()
    }

    fn at_lag(&self, cause: (&String, &Moves), effect: (&String, &Moves), lag: usize) -> Option<CausalLink> {
        let whole = Association::count(cause.1, effect.1, lag);
        let middle = cause.1.len() / 2;
        let halves = [(&cause.1[..middle], &effect.1[..middle]), (&cause.1[middle..], &effect.1[middle..])];
        let halves = halves.map(|(cause, effect)| Association::count(cause, effect, lag));
        let says = |seen: &Association| seen.same * 2 > seen.moves;
        let holds = |seen: &Association| seen.excludes_chance() && says(seen) == says(&whole);
        let fired = self.last_fired(cause.1, effect.1, lag, says(&whole))?;
        halves.iter().all(holds).then(|| whole.link(cause.0, effect.0, fired))?
    }

    /// G-130. The last tick at which the effect moved as it does after the cause.
    fn last_fired(&self, cause: &Moves, effect: &Moves, lag: usize, alike: bool) -> Option<Tick> {
        let is_one = |(before, after): (&f64, &f64)| {
            let product = before * after;
            product.is_finite() && product != 0.0 && (product > 0.0) == alike
        };
        let nth = cause.iter().zip(effect.iter().skip(lag)).rposition(is_one)?;
        u64::try_from(nth + lag).ok().map(|nth| Tick::new(self.first.get().saturating_add(nth)))
    }
}
