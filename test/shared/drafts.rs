//! What an entry of each kind says.

use std::collections::BTreeSet;

use golem_grimoire::id::EntryId;
use golem_grimoire::kind::{CausalBasis, CausalLink, EntryBody, Kind, WarningSeverity};
use golem_primitives::{Ppm, Tick};

/// A body of that kind; a heuristic is derived from `parent`.
pub(crate) fn body(kind: Kind, parent: EntryId) -> EntryBody {
    match kind {
        Kind::Insight => EntryBody::Insight,
        Kind::Heuristic => EntryBody::Heuristic {
            when: "gas is above 40 gwei".into(),
            act: "wait 3 ticks".into(),
            because: "gas falls within 2 blocks".into(),
            derived_from: BTreeSet::from([parent]),
        },
        Kind::Warning => EntryBody::Warning { severity: WarningSeverity::High, ttl: None },
        Kind::CausalLink => EntryBody::CausalLink(CausalLink {
            cause: "gas".into(),
            effect: "spread".into(),
            weight: Ppm::of(500_000),
            evidence: 3,
            lag_ticks: 2,
            is_alike: true,
            last_fired: Tick::new(1),
            basis: CausalBasis::Associational,
            mechanism: None,
        }),
        Kind::StrategyFragment => {
            EntryBody::StrategyFragment { entry: "at 3".into(), exit: "at 5".into(), sizing: "1%".into() }
        }
    }
}
