//! What an heir would try first, and which rules its line proposes as defaults: a part of the preview (I-051, I-183,
//! I-271).

use std::collections::BTreeMap;

use golem_grimoire::id::{EntryId, Moment};
use golem_inheritance::heir::Heir;
use golem_inheritance::individuation::Individuation;
use golem_primitives::{Ppm, Tick};
use golem_runtime::{Defaults, inherit_in};
use serde::Serialize;

use super::founding::Prepared;
use super::heirship::space;
use crate::screen;

/// Entries that are shown.
const SHOWN: usize = 5;

/// One entry of the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct First {
    pub(crate) entry: EntryId,
    /// I-052. How far it lies from what the heir begins with.
    pub(crate) novelty: Ppm,
    pub(crate) says: String,
}

/// What is known of an heir's first days before it is born.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Tried {
    /// I-051. The head of the queue of validation.
    pub(crate) first: Vec<First>,
    /// I-055. How many are put off as nearly known.
    pub(crate) put_off: usize,
    /// I-183. Rules of the line that are proposed as defaults.
    pub(crate) proposed: Vec<EntryId>,
    /// I-203. What the predecessor failed in, of the five checks.
    pub(crate) warned_of: Vec<&'static str>,
}

impl Tried {
    /// By the inheritance itself, not kept.
    pub(crate) async fn of(prepared: &Prepared, poisoned: &BTreeMap<EntryId, String>) -> Self {
        let Some(left) = &prepared.left else { return Self::default() };
        let generation = left.kin.generation.saturating_add(1);
        let heir = Heir { golem: left.golem, lineage: left.kin.lineage, generation };
        let now = Moment::new(Tick::new(0), left.testament.written);
        let space = space(Some(left), &prepared.book.book, &prepared.settings).await;
        let (candidates, heritage) = inherit_in(&space, left, &heir, true, poisoned, now);
        let says: BTreeMap<EntryId, &str> =
            candidates.iter().map(|one| (one.knowledge().id, one.knowledge().draft.content.as_str())).collect();
        let queue = heritage.newborn(&candidates);
        let first = queue.waiting().take(SHOWN).map(|one| First {
            entry: one.id,
            novelty: one.novelty,
            says: says.get(&one.id).copied().unwrap_or_default().to_owned(),
        });
        let checks: &Individuation = &left.testament.individuation;
        Self {
            first: first.collect(),
            put_off: queue.deferred().count(),
            proposed: Defaults::proposed(left, left.kin.lineage, now).iter().map(|one| one.proposal.entry).collect(),
            warned_of: checks.failed(),
        }
    }

    pub(crate) fn show(&self) {
        let mut rows: Vec<_> = self
            .first
            .iter()
            .enumerate()
            .map(|(at, one)| {
                vec![format!("tried {}.", at + 1), format!("{} ({})", screen::harmless(&one.says), one.novelty)]
            })
            .collect();
        if self.put_off > 0 {
            rows.push(vec!["put off as nearly known".to_owned(), self.put_off.to_string()]);
        }
        rows.extend(self.proposed.iter().map(|id| {
            vec![
                "proposed as a default".to_owned(),
                format!("{id}; `bardo line heritage NAME --accept {id}` after its birth"),
            ]
        }));
        rows.extend(self.warned_of.iter().map(|what| vec!["beware of its predecessor".to_owned(), (*what).to_owned()]));
        if !rows.is_empty() {
            screen::table("How it would begin: the most surprising first", &rows);
        }
    }
}
