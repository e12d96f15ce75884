//! G-142. What a model supposes of the episodes: it comes in as anything from outside does, a candidate at best, and only
//! what happens here afterwards speaks for it or against it.

use std::collections::BTreeSet;

use golem_core::memory::Venue;
use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::entry::{Draft, Knowledge};
use golem_grimoire::episode::{Episode, Recorded};
use golem_grimoire::finding::PatternKey;
use golem_grimoire::gate::Admission;
use golem_grimoire::id::Moment;
use golem_grimoire::ingest::{Arrival, Ingested};
use golem_grimoire::kind::{Domain, EntryBody};
use golem_grimoire::provenance::{MODEL, Provenance, Source};
use golem_grimoire::regime::Regime;
use golem_ports::{Arrived, Arriving, Memory, Shelf, Supposition};
use golem_primitives::{GolemId, keccak256};

use crate::error::RuntimeError;

/// Between what is claimed and why.
const SUPPOSED: &str = "a model supposes: ";
/// What a model's word is worth where it comes from; the gate lowers it.
const ITS_WORD: Confidence = Confidence::of(500_000);

/// The tools whose outcomes are known, each once, in the order of their names.
pub(crate) fn tools(shelf: &Shelf) -> Vec<String> {
    let judged = shelf.episodes.iter().filter(|recorded| recorded.episode.held().is_some());
    let names: BTreeSet<&str> = judged.map(|recorded| recorded.episode.key.tool.as_str()).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Sends claims through customs and gate; answers how many stand as candidates.
pub(crate) fn admit<S: Memory>(
    store: &mut S,
    venue: &Venue,
    tools: &[String],
    claims: &[Supposition],
    now: Moment,
) -> Result<u8, RuntimeError> {
    let arriving: Vec<Arriving> = claims.iter().filter_map(|claim| arriving(venue, tools, claim, now)).collect();
    let arrived = store.ingest(arriving, now)?;
    let is_in = |arrived: &&Arrived| {
        matches!(arrived, Arrived::Judged { ingested: Ingested::Judged(Admission::Admitted(_)), .. })
    };
    Ok(u8::try_from(arrived.iter().filter(is_in).count()).unwrap_or(u8::MAX))
}

/// The statement is ours: the model gives the tool, the market, the verdict and a reason for people.
fn arriving(venue: &Venue, tools: &[String], claim: &Supposition, now: Moment) -> Option<Arriving> {
    let (tool, regime) = (tools.get(claim.tool)?, Regime::from_name(&claim.regime)?);
    let content = format!("{}{}", statement(&venue.key(tool), claim.holds, regime), claim.because);
    let sender = GolemId::new(MODEL).expect("a short name");
    let mut draft =
        Draft::new(&content, EntryBody::Insight, Source::foreign(Provenance::Marketplace, sender, 0), now.at);
    (draft.domain, draft.regime, draft.original_confidence) = (Domain::MarketStructure, Some(regime), ITS_WORD);
    let arrival =
        Arrival { draft, way: Provenance::Marketplace, sender, claimed_cosine: None, is_left: false, on_chain: None };
    Some(Arriving { arrival, nearest: None })
}

/// What is claimed, in our words; behind it stands the model's reason. It is what episodes are held against, so nobody can
/// have one thing confirmed and another thing said.
fn statement(key: &PatternKey, holds: bool, regime: Regime) -> String {
    let verdict = if holds { "holds" } else { "fails" };
    format!("{key} {verdict} in a {regime} market, {SUPPOSED}")
}

/// G-053. Whether a model here supposed it. A stranger who writes in the same words is believed no more for them.
fn is_claim(entry: &Knowledge) -> bool {
    let source = &entry.draft.source;
    let is_ours = source.provenance == Provenance::Marketplace && source.origin.as_str() == MODEL;
    is_ours && source.generation == 0 && entry.draft.content.contains(SUPPOSED)
}

/// What an episode says of a claim; `None` when it is about something else, or was lived before the claim was made.
fn verdict(entry: &Knowledge, episode: &Episode) -> Option<bool> {
    let regime = episode.regime.filter(|regime| entry.draft.regime == Some(*regime))?;
    let held = episode.held().filter(|_| episode.happened.at > entry.recorded.at)?;
    let says = |holds: bool| entry.draft.content.starts_with(&statement(&episode.key, holds, regime));
    [true, false].into_iter().find(|holds| says(*holds)).map(|expects| held == expects)
}

/// G-144. Holds every claim against what was lived since it was made, each episode once.
pub(crate) fn count<S: Memory>(store: &mut S) -> Result<(), RuntimeError> {
    let claims: Vec<Knowledge> = store.at_hand()?.0.living().filter(|entry| is_claim(entry)).cloned().collect();
    if claims.is_empty() {
        return Ok(());
    }
    let shelf = store.shelf()?;
    let is_fresh = |recorded: &&Recorded| !recorded.notes.is_consolidated;
    for recorded in shelf.episodes.iter().filter(is_fresh) {
        for entry in &claims {
            let Some(is_right) = verdict(entry, &recorded.episode) else { continue };
            let cause = keccak256([entry.id.to_be_bytes(), recorded.episode.id.to_be_bytes()].concat());
            let votes = Votes { up: u32::from(is_right), down: u32::from(!is_right) };
            store.vote(cause, entry.id, votes)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G-053, R-032: what is confirmed is what is said. Words that begin otherwise are tried by no episode, whatever they
    /// carry beside them, and of two keys of which one begins like the other each stands for itself.
    #[test]
    fn g_053_only_what_is_said_is_tried() {
        let key = |tool: &str| PatternKey { tool: tool.to_owned(), chain: 8_453, pair: "WETH/USDC".to_owned() };
        let said = statement(&key("swap"), true, Regime::Bull);
        assert_eq!(said, format!("{} holds in a bull market, a model supposes: ", key("swap")));
        for other in [key("swap2"), key("swa"), key("")] {
            assert!(!said.starts_with(&statement(&other, true, Regime::Bull)), "{other}");
        }
        assert!(!said.starts_with(&statement(&key("swap"), false, Regime::Bull)));
        assert!(!said.starts_with(&statement(&key("swap"), true, Regime::Bear)));
    }
}
