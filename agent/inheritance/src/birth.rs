//! A birth: every entry of a genome at the heir's gate, in the order in which it shall validate them.

use std::collections::BTreeMap;

use golem_grimoire::gate::{GateExcuse, GateReading, KeyRecord, rule_recency, rule_utility};
use golem_grimoire::id::{EntryId, Moment};

use crate::genome::GenomeEntry;
use crate::heir::{Adoption, Heir, adopt};
use crate::novelty::{Inherited, Ranked, Space, rank};
use crate::testament::Section;
use crate::weismann::WeismannLaw;

/// I-005, I-020, I-051, I-362. What a newborn makes of a genome: candidates alone, discounted by the barrier once, in the
/// order in which it shall validate them; and what was not let in, with why.
#[must_use]
pub fn adopt_all<'a>(
    offered: &'a [GenomeEntry],
    heir: &Heir,
    law: &WeismannLaw,
    space: &Space,
    now: Moment,
) -> Vec<(&'a GenomeEntry, Ranked, Adoption)> {
    let judged = in_order(offered, space);
    judged
        .into_iter()
        .map(|(entry, ranked)| (entry, ranked, adopt(entry, heir, law, &reading(entry, now), now)))
        .collect()
}

/// What the gate can read of an inherited entry without a model: what the dead says it is worth, and how fresh its last
/// confirmation is. A newborn knows nothing it could be near to or at odds with.
fn reading(entry: &GenomeEntry, now: Moment) -> GateReading {
    GateReading {
        utility: rule_utility(entry.body.kind(), KeyRecord::default()),
        factual: entry.bequeathed.get(),
        recency: rule_recency(entry.last_validated.at, now.at),
        nearest: None,
        known: 0,
        contradicts: None,
        occasion: GateExcuse::Ordinary,
    }
}

/// I-052. Whether a section tells of what the dead was unsure of.
#[must_use]
pub const fn is_uncertain(section: Section) -> bool {
    matches!(section, Section::Confused | Section::Suspects | Section::Untested)
}

/// I-051 to I-054. The order of validation. Where nothing can be measured all is new, so what the dead was surest of
/// comes first.
fn in_order<'a>(entries: &'a [GenomeEntry], space: &Space) -> Vec<(&'a GenomeEntry, Ranked)> {
    let inherited: Vec<Inherited> = entries
        .iter()
        .map(|entry| Inherited {
            id: entry.id,
            vector: space.vector(&entry.content).cloned(),
            confidence: entry.bequeathed,
            last_validated: entry.last_validated,
            is_uncertain: entry.told_in.is_some_and(is_uncertain),
        })
        .collect();
    let by_id: BTreeMap<EntryId, &GenomeEntry> = entries.iter().map(|entry| (entry.id, entry)).collect();
    let ranked = rank(&inherited, space.baseline(), true);
    ranked.into_iter().filter_map(|ranked| Some((*by_id.get(&ranked.id)?, ranked))).collect()
}
