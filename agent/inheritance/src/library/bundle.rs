//! Bundles: named sets of entries for a purpose (I-249 to I-252).

use std::collections::{BTreeMap, BTreeSet};

use golem_grimoire::confidence::{BATTLE_VALIDATORS, Confidence};
use golem_grimoire::id::EntryId;
use golem_grimoire::share::{BUNDLE_VALIDATORS, is_bundle};
use golem_primitives::{GolemId, Ppm, UtcTime};

/// I-251. The tag of what five Golems proved.
pub const BATTLE_TESTED: &str = "battle-tested";

/// I-250. An entry of a Golem that could belong to a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contribution {
    pub entry: EntryId,
    pub golem: GolemId,
    pub at: UtcTime,
}

/// I-250. Whether entries that are alike by at least `least_cosine` propose a bundle: three Golems of one Clade within
/// seven days, more alike than 0.85.
#[must_use]
pub fn is_proposed(alike: &[Contribution], least_cosine: Ppm) -> bool {
    let golems: BTreeSet<GolemId> = alike.iter().map(|one| one.golem).collect();
    let times = || alike.iter().map(|one| one.at);
    let (Some(first), Some(last)) = (times().min(), times().max()) else { return false };
    is_bundle(u32::try_from(golems.len()).unwrap_or(u32::MAX), least_cosine, first, last)
}

/// I-249, I-252. A bundle and its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    name: String,
    purpose: String,
    entries: BTreeSet<EntryId>,
    version: u32,
    validators: BTreeSet<GolemId>,
}

/// I-252. What a version changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    pub added: BTreeSet<EntryId>,
    pub removed: BTreeSet<EntryId>,
}

/// I-252. A change that loses something, without the owner's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("taking {removed} entries out of a bundle needs the owner's approval")]
pub struct NotApproved {
    pub removed: usize,
}

impl Bundle {
    /// I-252. A new bundle; nobody is asked.
    #[must_use]
    pub fn new(name: &str, purpose: &str, entries: BTreeSet<EntryId>) -> Self {
        Self { name: name.to_owned(), purpose: purpose.to_owned(), entries, version: 1, validators: BTreeSet::new() }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// For what it is: an archetype, a style.
    #[must_use]
    pub fn purpose(&self) -> &str {
        &self.purpose
    }

    /// What is in it.
    #[must_use]
    pub const fn entries(&self) -> &BTreeSet<EntryId> {
        &self.entries
    }

    /// Which version it is.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// I-250. A Golem validated it; twice is once.
    pub fn validated_by(&mut self, golem: GolemId) {
        self.validators.insert(golem);
    }

    /// I-250. Whether it may be published.
    #[must_use]
    pub fn is_publishable(&self) -> bool {
        self.validators.len() >= BUNDLE_VALIDATORS as usize
    }

    /// I-252. The next version with other entries, as its owner approved it. A changed bundle has to be validated anew.
    #[must_use]
    pub fn changed(&self, entries: BTreeSet<EntryId>) -> (Self, Diff) {
        let diff = Diff {
            added: entries.difference(&self.entries).copied().collect(),
            removed: self.entries.difference(&entries).copied().collect(),
        };
        if diff == Diff::default() {
            return (self.clone(), diff);
        }
        let version = self.version.saturating_add(1);
        (Self { entries, version, validators: BTreeSet::new(), ..self.clone() }, diff)
    }

    /// I-252. The same without the owner: it only adds.
    ///
    /// # Errors
    /// [`NotApproved`] where an entry would go.
    pub fn grown(&self, entries: BTreeSet<EntryId>) -> Result<(Self, Diff), NotApproved> {
        let (grown, diff) = self.changed(entries);
        if diff.removed.is_empty() { Ok((grown, diff)) } else { Err(NotApproved { removed: diff.removed.len() }) }
    }
}

/// I-251. Golems that validated entries, and the boost that is given once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Battles {
    by: BTreeMap<EntryId, BTreeSet<GolemId>>,
    boosted: BTreeSet<EntryId>,
}

impl Battles {
    /// I-251. A Golem validated an entry. The fifth makes it battle-tested: a tenth more, at most 0.95, never less than
    /// before, and never again.
    #[must_use]
    pub fn validated(&mut self, entry: EntryId, golem: GolemId, confidence: Confidence) -> Confidence {
        let by = self.by.entry(entry).or_default();
        by.insert(golem);
        let count = u32::try_from(by.len()).unwrap_or(u32::MAX);
        if count >= BATTLE_VALIDATORS && self.boosted.insert(entry) {
            confidence.battle_tested(count)
        } else {
            confidence
        }
    }

    /// I-251. Whether an entry bears the tag.
    #[must_use]
    pub fn is_battle_tested(&self, entry: EntryId) -> bool {
        self.boosted.contains(&entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u8) -> EntryId {
        format!("00000000-0000-7000-8000-0000000000{n:02}").parse().expect("a UUID")
    }

    fn golem(n: u8) -> GolemId {
        GolemId::new(&format!("g{n}")).expect("a name")
    }

    /// I-250: W-50.
    #[test]
    fn i_250_w_50_three_golems_within_a_week_propose_a_bundle() {
        let day = |n: u64| UtcTime::from_seconds(n * 86_400);
        let three = |last| [0, 3, last].map(|at| Contribution { entry: id(1), golem: golem(at as u8), at: day(at) });
        assert!(!is_proposed(&three(7), Ppm::of(850_000)) && is_proposed(&three(7), Ppm::of(860_000)), "W-50");
        assert!(
            !is_proposed(&three(8), Ppm::ONE) && !is_proposed(&three(3)[..2], Ppm::ONE) && !is_proposed(&[], Ppm::ONE)
        );
        let mut bundle = Bundle::new("night gas", "lp", BTreeSet::from([id(1)]));
        bundle.validated_by(golem(1));
        bundle.validated_by(golem(1));
        assert!(!bundle.is_publishable());
        bundle.validated_by(golem(2));
        assert!(bundle.is_publishable(), "two distinct Golems");
    }

    /// I-249, I-252.
    #[test]
    fn i_252_bundles_have_versions_and_lose_nothing_unasked() {
        let bundle = Bundle::new("night gas", "lp at night", BTreeSet::from([id(1), id(2)]));
        assert_eq!((bundle.name(), bundle.purpose(), bundle.version()), ("night gas", "lp at night", 1), "I-249");
        let (grown, diff) = bundle.grown(BTreeSet::from([id(1), id(2), id(3)])).expect("only adds");
        assert_eq!((grown.version(), diff.added.len(), diff.removed.len()), (2, 1, 0));
        let refused = grown.grown(BTreeSet::from([id(1)])).expect_err("removes");
        assert_eq!(refused, NotApproved { removed: 2 });
        let (shrunk, _) = grown.changed(BTreeSet::from([id(1)]));
        assert_eq!((shrunk.version(), shrunk.entries().len()), (3, 1));
        assert_eq!(shrunk.grown(shrunk.entries().clone()).expect("the same").0.version(), 3);
    }

    /// I-251: W-39; once, and never down.
    #[test]
    fn i_251_w_39_five_golems_make_an_entry_battle_tested() {
        for (before, after) in
            [(500_000, 550_000), (800_000, 880_000), (860_000, 946_000), (900_000, 950_000), (970_000, 970_000)]
        {
            let mut battles = Battles::default();
            let mut confidence = Confidence::of(before);
            for n in 0..4 {
                confidence = battles.validated(id(1), golem(n), confidence);
                confidence = battles.validated(id(1), golem(n), confidence);
            }
            assert_eq!((confidence, battles.is_battle_tested(id(1))), (Confidence::of(before), false));
            for n in 4..9 {
                confidence = battles.validated(id(1), golem(n), confidence);
            }
            assert_eq!(confidence, Confidence::of(after), "W-39 {before}");
            assert!(battles.is_battle_tested(id(1)));
        }
        assert_eq!(BATTLE_TESTED, "battle-tested");
    }
}
