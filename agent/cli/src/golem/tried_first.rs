//! What an heir would try first, and which rules its line proposes as defaults: a part of the preview (I-051, I-183,
//! I-271).

use std::collections::BTreeMap;

use golem_grimoire::id::EntryId;
use golem_inheritance::individuation::Individuation;
use golem_runtime::{Defaults, inherit_in};
use golem_view::{FirstDays, FirstTried};

use super::founding::{Prepared, foreseen};
use super::heirship::space;
use crate::screen;

/// Entries that are shown.
const SHOWN: usize = 5;

/// By the inheritance itself, not kept.
pub(crate) async fn first_days(prepared: &Prepared, poisoned: &BTreeMap<EntryId, String>) -> FirstDays {
    let Some(left) = &prepared.left else { return FirstDays::default() };
    let (heir, now) = foreseen(left);
    let space = space(Some(left), &prepared.book.book, &prepared.settings).await;
    let (candidates, heritage) = inherit_in(&space, left, &heir, poisoned, now);
    let says: BTreeMap<EntryId, &str> =
        candidates.iter().map(|one| (one.knowledge().id, one.knowledge().draft.content.as_str())).collect();
    let queue = heritage.newborn(&candidates);
    let first = queue.waiting().take(SHOWN).map(|one| FirstTried {
        entry: one.id,
        novelty: one.novelty,
        says: says.get(&one.id).copied().unwrap_or_default().to_owned(),
    });
    let checks: &Individuation = &left.testament.individuation;
    FirstDays {
        first: first.collect(),
        put_off: queue.deferred().count(),
        proposed: Defaults::proposed(left, left.kin.lineage, now).iter().map(|one| one.proposal.entry).collect(),
        warned_of: checks.failed(),
    }
}

/// What a person is told of it.
pub(crate) fn show(days: &FirstDays) {
    let mut rows: Vec<_> = days
        .first
        .iter()
        .enumerate()
        .map(|(at, one)| {
            vec![format!("tried {}.", at + 1), format!("{} ({})", screen::harmless(&one.says), one.novelty)]
        })
        .collect();
    if days.put_off > 0 {
        rows.push(vec!["put off as nearly known".to_owned(), days.put_off.to_string()]);
    }
    rows.extend(days.proposed.iter().map(|id| {
        vec![
            "proposed as a default".to_owned(),
            format!("{id}; `bardo line heritage NAME --accept {id}` after its birth"),
        ]
    }));
    rows.extend(days.warned_of.iter().map(|what| vec!["beware of its predecessor".to_owned(), (*what).to_owned()]));
    if !rows.is_empty() {
        screen::table("How it would begin: the most surprising first", &rows);
    }
}
