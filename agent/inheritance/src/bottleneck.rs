//! The genomic bottleneck: at most 2,048 entries pass from a life to the next.
//!
//! A quarter of the places is for what must not be lost (bloodstains, then entries that survived three generations), a
//! half is spread evenly over the domains, a quarter goes to the best of the rest. What is taken depends on the entries
//! alone, never on their order; and the cost is linear in their number: nothing is sorted but what is taken.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Knowledge;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::Kind;
use golem_primitives::{Ppm, words};

use crate::baldwin::is_baldwin;

/// I-130. Places in a genome, unless the owner says otherwise.
pub const BUDGET: usize = 2_048;
/// I-148. The domain of entries that name none.
pub const UNKNOWN_DOMAIN: &str = "unknown";

/// What the bottleneck reads of an entry. A quality that was no number is zero, because [`Ppm::round`] says so (I-148).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gene<'a> {
    /// Its name: duplicates are by name alone (I-144).
    pub id: EntryId,
    /// What it is about; entries without one share a bucket (I-148).
    pub domain: Option<&'a str>,
    /// I-152. Composite quality, undecayed (I-164).
    pub quality: Ppm,
    /// When it was last confirmed; never is the longest ago (I-148).
    pub last_validated: Option<Moment>,
    /// What it is worth, undecayed (I-164).
    pub confidence: Confidence,
    /// Inheritances it survived.
    pub generation: u32,
    /// I-151. The flag, not a type.
    pub is_bloodstain: bool,
    pub kind: Kind,
}

impl<'a> Gene<'a> {
    /// The gene of an entry.
    #[must_use]
    pub const fn of(entry: &'a Knowledge) -> Self {
        Self {
            id: entry.id,
            domain: Some(entry.draft.domain.name()),
            quality: entry.quality,
            last_validated: Some(entry.last_validated),
            confidence: entry.confidence,
            generation: entry.draft.source.generation,
            is_bloodstain: entry.draft.source.is_bloodstain(),
            kind: entry.kind(),
        }
    }

    fn bucket(&self) -> &'a str {
        self.domain.unwrap_or(UNKNOWN_DOMAIN)
    }

    /// I-145, I-173. Best first: quality, then newer confirmation, then a causal link before what is easier to learn
    /// again, then id.
    fn rank(&self) -> (Reverse<Ppm>, Reverse<Option<Moment>>, bool, EntryId) {
        (Reverse(self.quality), Reverse(self.last_validated), self.kind != Kind::CausalLink, self.id)
    }
}

/// I-130, I-150. What an owner may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BottleneckLaw {
    pub budget: usize,
    /// Whether places left over by the first two phases widen the third, so that a Grimoire of at most `budget` entries
    /// passes whole. `false` gives the literal quotas.
    pub rollover_unused: bool,
}

impl Default for BottleneckLaw {
    fn default() -> Self {
        Self { budget: BUDGET, rollover_unused: true }
    }
}

/// I-131. Places by phase: a quarter, a half, the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quotas {
    /// For what must not be lost.
    pub priority: usize,
    pub diversity: usize,
    pub fill: usize,
}

impl Quotas {
    /// The quotas of a budget, in whole places.
    #[must_use]
    pub const fn of(budget: usize) -> Self {
        let (priority, diversity) = (budget / 4, budget / 2);
        Self { priority, diversity, fill: budget - priority - diversity }
    }
}

words! {
    /// By which phase an entry was taken.
    Selection {
        /// I-132. Bloodstain or Baldwin.
        Priority = "priority",
        /// I-133. Among the best of its domain.
        Diversity = "diversity",
        /// I-134. Among the best of the rest.
        Fill = "fill",
    }
}

/// An entry that passed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Chosen {
    pub id: EntryId,
    pub by: Selection,
    pub domain: String,
    /// Its place in the list it was taken from, the first being 0.
    pub rank: usize,
}

/// I-150. What became of the places of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Places {
    pub quota: usize,
    pub taken: usize,
}

impl Places {
    /// How many were left over.
    #[must_use]
    pub const fn unused(self) -> usize {
        self.quota.saturating_sub(self.taken)
    }
}

/// What passed, in canonical order: phase, domain, rank (I-147).
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Genome {
    pub chosen: Vec<Chosen>,
    /// I-150. Places of the three phases, in their order.
    pub places: [Places; 3],
    /// I-133. Places of each domain in the second phase.
    pub per_domain: usize,
}

impl Genome {
    /// How many passed.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Whether nothing passed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }
}

/// I-130 to I-153. Compresses a Grimoire. It reads and changes nothing (I-153); of entries that share an id the better
/// one counts.
#[must_use]
pub fn compress(genes: &[Gene<'_>], law: &BottleneckLaw) -> Genome {
    let quotas = Quotas::of(law.budget);
    let pool = unique(genes);
    let mut selector = Selector { genes, taken: vec![false; genes.len()], chosen: Vec::new() };

    selector.take_priority(&pool, quotas.priority);
    let priority = selector.chosen.len();
    let per_domain = selector.take_diversity(&pool, quotas.diversity);
    let diversity = selector.chosen.len() - priority;
    // C-11 as decided: the budget is a cap and not a set of silos.
    let fill_quota = if law.rollover_unused { law.budget - priority - diversity } else { quotas.fill };
    selector.take_fill(&pool, fill_quota);
    let fill = selector.chosen.len() - priority - diversity;

    let mut chosen = selector.chosen;
    chosen.sort_by(|a, b| (a.by, &a.domain, a.rank).cmp(&(b.by, &b.domain, b.rank)));
    let places = [(quotas.priority, priority), (quotas.diversity, diversity), (fill_quota, fill)];
    Genome { chosen, places: places.map(|(quota, taken)| Places { quota, taken }), per_domain }
}

/// Places of the genes without doubles. A Grimoire comes in the order of its ids, which a stable sort reads once.
fn unique(genes: &[Gene<'_>]) -> Vec<usize> {
    // Everything that decides about an entry is compared, so which copy stays never depends on the order.
    let copy = |gene: &Gene<'_>| {
        (gene.rank(), Reverse(gene.is_bloodstain), Reverse(gene.confidence), Reverse(gene.generation))
    };
    let mut pool: Vec<usize> = (0..genes.len()).collect();
    pool.sort_by(|a, b| {
        let (a, b) = (&genes[*a], &genes[*b]);
        a.id.cmp(&b.id).then_with(|| copy(a).cmp(&copy(b))).then_with(|| a.bucket().cmp(b.bucket()))
    });
    pool.dedup_by_key(|at| genes[*at].id);
    pool
}

/// The best `count` of `list`, best first. Linear: the rest is never sorted.
fn best(genes: &[Gene<'_>], list: &mut Vec<usize>, count: usize) {
    let rank = |at: &usize| genes[*at].rank();
    if let Some(last) = count.checked_sub(1).filter(|last| *last < list.len()) {
        list.select_nth_unstable_by_key(last, rank);
    }
    list.truncate(count);
    list.sort_unstable_by_key(rank);
}

struct Selector<'g, 'a> {
    genes: &'g [Gene<'a>],
    taken: Vec<bool>,
    chosen: Vec<Chosen>,
}

impl Selector<'_, '_> {
    fn take(&mut self, at: usize, by: Selection, rank: usize) {
        if !std::mem::replace(&mut self.taken[at], true) {
            let gene = &self.genes[at];
            self.chosen.push(Chosen { id: gene.id, by, domain: gene.bucket().to_owned(), rank });
        }
    }

    /// I-132, I-142, I-143, I-146. All bloodstains, then Baldwin entries, each best first, as far as the quota goes; one
    /// that is both counts once.
    fn take_priority(&mut self, pool: &[usize], quota: usize) {
        let genes = self.genes;
        let mut stains: Vec<usize> = pool.iter().copied().filter(|at| genes[*at].is_bloodstain).collect();
        best(genes, &mut stains, quota);
        let is_survivor = |gene: &Gene<'_>| !gene.is_bloodstain && is_baldwin(gene.generation, gene.confidence);
        let mut survivors: Vec<usize> = pool.iter().copied().filter(|at| is_survivor(&genes[*at])).collect();
        best(genes, &mut survivors, quota - stains.len());
        for (rank, at) in stains.into_iter().chain(survivors).enumerate() {
            self.take(at, Selection::Priority, rank);
        }
    }

    /// I-133, I-137 to I-140. The best of each domain of the whole Grimoire; one that was taken already uses up its
    /// place. Answers with the places of a domain.
    fn take_diversity(&mut self, pool: &[usize], quota: usize) -> usize {
        let genes = self.genes;
        let mut domains: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in pool {
            domains.entry(genes[*at].bucket()).or_default().push(*at);
            // I-139: with more domains than places nobody gets one, and counting further would not be linear.
            if domains.len() > quota {
                return 0;
            }
        }
        let per_domain = quota / domains.len().max(1);
        for list in domains.values_mut() {
            best(genes, list, per_domain);
            for (rank, at) in list.iter().enumerate() {
                self.take(*at, Selection::Diversity, rank);
            }
        }
        per_domain
    }

    /// I-134. The best of what is left.
    fn take_fill(&mut self, pool: &[usize], quota: usize) {
        let mut left: Vec<usize> = pool.iter().copied().filter(|at| !self.taken[*at]).collect();
        best(self.genes, &mut left, quota);
        for (rank, at) in left.into_iter().enumerate() {
            self.take(at, Selection::Fill, rank);
        }
    }
}
