//! A birth: every entry of a genome at the heir's gate, in the order in which it shall validate them.

use std::collections::BTreeMap;

use golem_grimoire::gate::{KeyRecord, Occasion, Reading, rule_recency, rule_utility};
use golem_grimoire::id::{EntryId, Moment};

use crate::genome::GenomeEntry;
use crate::heir::{Adoption, Heir, adopt};
use crate::novelty::{Inherited, rank};
use crate::testament::Section;
use crate::weismann::WeismannLaw;

/// I-005, I-020, I-051, I-362. What a newborn makes of a genome: candidates alone, discounted by the barrier once, in the
/// order in which it shall validate them; and what was not let in, with why.
#[must_use]
pub fn adopt_all<'a>(
    offered: &'a [GenomeEntry],
    heir: &Heir,
    law: &WeismannLaw,
    now: Moment,
) -> Vec<(&'a GenomeEntry, Adoption)> {
    let judged = in_order(offered).into_iter().map(|entry| (entry, adopt(entry, heir, law, &reading(entry, now), now)));
    judged.collect()
}

/// What the gate can read of an inherited entry without a model: what the dead says it is worth, and how fresh its last
/// confirmation is. A newborn knows nothing it could be near to or at odds with.
fn reading(entry: &GenomeEntry, now: Moment) -> Reading {
    Reading {
        utility: rule_utility(entry.body.kind(), KeyRecord::default()),
        factual: entry.bequeathed.get(),
        recency: rule_recency(entry.last_validated.at, now.at),
        nearest: None,
        known: 0,
        contradicts: None,
        occasion: Occasion::Ordinary,
    }
}

/// I-051 to I-054. The order of validation. A newborn has no baseline, so what the dead was unsure of and then what it
/// was surest of comes first.
fn in_order(entries: &[GenomeEntry]) -> Vec<&GenomeEntry> {
    let inherited: Vec<Inherited> = entries
        .iter()
        .map(|entry| Inherited {
            id: entry.id,
            vector: None,
            confidence: entry.bequeathed,
            last_validated: entry.last_validated,
            is_uncertain: matches!(entry.told_in, Some(Section::Confused | Section::Suspects | Section::Untested)),
        })
        .collect();
    let by_id: BTreeMap<EntryId, &GenomeEntry> = entries.iter().map(|entry| (entry.id, entry)).collect();
    rank(&inherited, &[], true).iter().filter_map(|ranked| by_id.get(&ranked.id).copied()).collect()
}
