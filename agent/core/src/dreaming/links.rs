//! What moves after what: the causal graph a dream walks.

use golem_dreams::inputs::MeasuredLink;
use golem_dreams::nrem::trajectory::PRICE;
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::{CausalLink, EntryBody};
use golem_grimoire::shelf::Grimoire;
use golem_playbook::links::{Variable, sequels};
use golem_playbook::record::Row;
use golem_primitives::{Bps, Tick};

use crate::curation::causal_link;
use crate::trader::Trader;

/// D-101, G-130. The links that the Grimoire keeps and looks still count, each with by how much the effect went after its cause
/// had moved as it does now. How sure is what is kept of it (G-134); of what nobody counts nothing is walked (DG-16).
pub(super) fn links(trader: Option<&Trader>, grimoire: &Grimoire, asset: &str, now: Tick) -> Vec<MeasuredLink> {
    let mut edges = Vec::new();
    for (place, (pool, hand)) in trader.into_iter().flat_map(Trader::hands).enumerate() {
        let known = hand.links().known();
        if known.is_empty() {
            continue;
        }
        let rows: Vec<Row> = hand.record().rows().copied().collect();
        for (link, sequel) in known.iter().zip(sequels(&rows, known)) {
            let counted = causal_link(hand, link, (place > 0).then_some(pool), now);
            let Some((id, kept)) = kept(grimoire, &counted) else { continue };
            let delta = Bps::saturating(libm::round(sequel.unwrap_or(0.0) * 10_000.0) as i128);
            if delta != Bps::ZERO {
                let (cause, effect) = (named(&kept.cause, asset), named(&kept.effect, asset));
                let last_fired = counted.last_fired;
                edges.push(MeasuredLink { id, link: CausalLink { cause, effect, last_fired, ..kept.clone() }, delta });
            }
        }
    }
    edges.sort_by_key(|edge| (std::cmp::Reverse(edge.link.weight), edge.id));
    edges
}

fn kept<'a>(grimoire: &'a Grimoire, counted: &CausalLink) -> Option<(EntryId, &'a CausalLink)> {
    grimoire.living().find_map(|entry| match &entry.draft.body {
        EntryBody::CausalLink(link) if link.says_the_same(counted) => Some((entry.id, link)),
        _ => None,
    })
}

/// A dream tells prices apart by their asset.
fn named(variable: &str, asset: &str) -> String {
    if variable == Variable::Price.name() { format!("{PRICE}{asset}") } else { variable.to_owned() }
}
