//! Genes to test with.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::Kind;
use golem_inheritance::bottleneck::Gene;
use golem_primitives::{Ppm, Tick, UtcTime};

/// The entry of that number; numbers order as ids do.
pub(crate) fn id(number: u64) -> EntryId {
    format!("00000000-0000-7000-8000-{number:012x}").parse().expect("a UUID of version 7")
}

pub(crate) fn moment(tick: u64) -> Moment {
    Moment::new(Tick::new(tick), UtcTime::from_seconds(1_794_700_800 + tick * 40))
}

/// An ordinary gene.
pub(crate) fn gene(number: u64, domain: &str, quality: u32, validated: u64) -> Gene<'_> {
    Gene {
        id: id(number),
        domain: Some(domain),
        quality: Ppm::of(quality),
        last_validated: Some(moment(validated)),
        confidence: Confidence::of(500_000),
        generation: 0,
        is_bloodstain: false,
        kind: Kind::Insight,
    }
}
