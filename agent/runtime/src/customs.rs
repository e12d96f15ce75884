//! What a bundle's entries claim of the chain, before an heir takes any of them in (I-076).

use std::collections::{BTreeMap, BTreeSet};

use golem_grimoire::event::IngestStage;
use golem_grimoire::id::EntryId;
use golem_inheritance::genome::GenomeEntry;
use golem_inheritance::ingest::claims::{ChainAnswer, ClaimVerdict, judge};
use golem_primitives::B256;

use crate::death::legacy::LegacyBundle;

/// Transactions one entry may name; of more the rest is a lie of its own.
pub(crate) const MOST_NAMED: usize = 16;

/// I-076. The transactions a text names, in order: whoever can read the chain says of each whether it knows it.
pub(crate) fn named(text: &str) -> Vec<B256> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| word.len() == 66 && word.starts_with("0x")).filter_map(|word| word.parse().ok()).collect()
}

/// I-076. Every transaction that entries of a bundle name, each once.
#[must_use]
pub fn transactions_named(left: &LegacyBundle) -> BTreeSet<B256> {
    left.bequest.entries.iter().flat_map(|entry| named(&entry.content)).collect()
}

/// I-076, I-081. Entries of a bundle that lie, with layer and reason: they claim more inheritances than their line has
/// generations, call the dead Golem's own what another learnt, or name a transaction the chain does not know. What nobody
/// could read refutes nothing.
#[must_use]
pub fn poisoned(left: &LegacyBundle, known: &BTreeMap<B256, ChainAnswer>) -> BTreeMap<EntryId, String> {
    let lies = left.bequest.entries.iter().filter_map(|entry| Some((entry.id, lie(entry, left, known)?)));
    lies.map(|(id, why)| (id, format!("layer {}: {why}", IngestStage::OnChain))).collect()
}

fn lie(entry: &GenomeEntry, left: &LegacyBundle, known: &BTreeMap<B256, ChainAnswer>) -> Option<String> {
    let source = &entry.source;
    if source.generation > left.kin.generation {
        return Some(format!("it claims {} inheritances in generation {}", source.generation, left.kin.generation));
    }
    if source.provenance.is_own() && source.origin != left.golem {
        return Some(format!("it is called {}'s own and was learnt by {}", left.golem, source.origin));
    }
    let claims = named(&entry.content);
    if claims.len() > MOST_NAMED {
        return Some(format!("it names {} transactions, and nobody checks more than {MOST_NAMED}", claims.len()));
    }
    let answers: Vec<ChainAnswer> =
        claims.iter().map(|hash| known.get(hash).copied().unwrap_or(ChainAnswer::Unknown)).collect();
    match judge(&answers) {
        ClaimVerdict::Lie { at } => Some(format!("there is no transaction {}", claims[at])),
        ClaimVerdict::Passed | ClaimVerdict::Unread => None,
    }
}
