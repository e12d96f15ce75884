//! Which episodes make a batch.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use golem_daimon::dream::{EpisodeArousal, most_aroused};
use golem_grimoire::episode::Recorded;
use golem_grimoire::for_dreams::{oldest_third, regimes_seen};
use golem_grimoire::id::EpisodeId;
use golem_grimoire::regime::Regime;
use golem_mortality::dream_modulation::LegacyFocus;
use golem_primitives::Ppm;

use crate::chance::Draws;
use crate::inputs::{Frozen, Trace};
use crate::nrem::utility::{Context, ELIGIBLE, utility};
use crate::words::Prioritisation;

/// D-087, DG-10. Episodes in one call, at most.
pub const CALL: usize = 10;
/// D-084. Accuracy below which a Golem asks what confused it.
pub const CONFUSED: Ppm = Ppm::of(500_000);

/// DG-9. A criterion of the diversity reserve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Criterion {
    /// An episode of that regime.
    Regime(Regime),
    OldestThird,
    /// The most aroused one.
    HighArousal,
}

/// D-081, DG-9. Places of the reserve for a batch of that size: a fifth more, rounded up.
#[must_use]
pub const fn reserve(batch: usize) -> usize {
    batch.div_ceil(5)
}

/// DG-10. A batch in calls of at most ten.
#[must_use]
pub fn calls<T: Clone>(batch: &[T]) -> Vec<Vec<T>> {
    batch.chunks(CALL).map(<[T]>::to_vec).collect()
}

/// An episode with what it is worth to this cycle.
#[derive(Debug, Clone, Copy)]
pub struct Weighed<'a> {
    pub trace: &'a Trace,
    pub utility: Ppm,
}

/// One batch.
#[derive(Debug, Clone, Default)]
pub struct Batch<'a> {
    /// Chosen by what they are worth, best first, then the reserve.
    pub chosen: Vec<Weighed<'a>>,
    /// How many of them stand on the reserve.
    pub reserved: usize,
    /// DG-9. Criteria that nothing met; they carry to the next batch of the cycle.
    pub unmet: Vec<Criterion>,
}

/// What decides a batch.
#[derive(Debug)]
pub struct Chooser<'a> {
    frozen: &'a Frozen,
    order: Prioritisation,
    size: usize,
    residue: BTreeSet<EpisodeId>,
    legacy: LegacyFocus,
    criteria: Vec<Criterion>,
    oldest: BTreeSet<EpisodeId>,
    most_aroused: Option<EpisodeId>,
    taken: BTreeSet<EpisodeId>,
    carried: Vec<Criterion>,
}

impl<'a> Chooser<'a> {
    /// A chooser of batches of `size` for one cycle. D-205: any focus on `legacy` weighs what is worth leaving twice.
    #[must_use]
    pub fn new(frozen: &'a Frozen, order: Prioritisation, size: usize, legacy: LegacyFocus) -> Self {
        // D-072: what was being thought is replayed first.
        let residue = frozen.threads.iter().flat_map(|thread| thread.episodes.iter().copied()).collect();
        let recorded: Vec<Recorded> = frozen.traces.iter().map(|trace| trace.recorded.clone()).collect();
        let arousal = |trace: &Trace| EpisodeArousal { arousal: Some(trace.arousal()), processed: false };
        let arousals: Vec<EpisodeArousal> = frozen.traces.iter().map(arousal).collect();
        Self {
            frozen,
            order,
            size,
            residue,
            legacy,
            criteria: criteria(frozen, &recorded),
            oldest: oldest_third(&recorded).into_iter().collect(),
            most_aroused: most_aroused(&arousals).map(|at| frozen.traces[at].id()),
            taken: BTreeSet::new(),
            carried: Vec::new(),
        }
    }

    /// Everything that could be replayed and was not yet, weighed.
    fn weighed(&self) -> Vec<Weighed<'a>> {
        let frozen = self.frozen;
        let context = Context {
            market: frozen.market.as_ref(),
            regime: frozen.regime,
            tick: frozen.opened.tick,
            mood: frozen.mood,
            is_legacy: self.legacy != LegacyFocus::None,
        };
        let open = frozen.traces.iter().filter(|trace| !trace.recorded.notes.is_forgotten);
        let open = open.filter(|trace| !self.taken.contains(&trace.id()));
        open.map(|trace| Weighed { trace, utility: utility(trace, &context) }).collect()
    }

    /// D-080, D-083, D-084. Best first: residue, then by the order; names break ties.
    fn sort(&self, all: &mut [Weighed<'a>], draws: &mut Draws) {
        let is_confused = self.frozen.clocks.accuracy < CONFUSED;
        if self.order == Prioritisation::Uniform && !is_confused {
            all.sort_by_key(|one| one.trace.id());
            draws.shuffle(all);
            return;
        }
        let key = |one: &Weighed<'_>| match self.order {
            _ if is_confused => one.trace.confusion().unwrap_or(-1.0),
            Prioritisation::Recency => one.trace.recorded.episode.happened.tick.get() as f64,
            Prioritisation::Surprise => one.trace.surprise(),
            Prioritisation::Utility | Prioritisation::Uniform => f64::from(one.utility.get()),
        };
        all.sort_by(|a, b| {
            let first = |one: &Weighed<'_>| !self.residue.contains(&one.trace.id());
            first(a).cmp(&first(b)).then(key(b).total_cmp(&key(a))).then(a.trace.id().cmp(&b.trace.id()))
        });
    }

    /// D-080, D-081, D-088. The next batch, or `None` when nothing is left worth it.
    pub fn next(&mut self, draws: &mut Draws) -> Option<Batch<'a>> {
        let mut all = self.weighed();
        let mut eligible: Vec<Weighed<'a>> = all.iter().copied().filter(|one| self.is_eligible(one)).collect();
        self.sort(&mut eligible, draws);
        let mut chosen = whole_lives(&eligible, self.size);
        if chosen.is_empty() {
            return None;
        }
        self.taken.extend(chosen.iter().map(|one| one.trace.id()));
        all.retain(|one| !self.taken.contains(&one.trace.id()));
        let reserved_from = chosen.len();
        let unmet = self.fill_reserve(&mut chosen, &all);
        self.carried.clone_from(&unmet);
        Some(Batch { reserved: chosen.len() - reserved_from, chosen, unmet })
    }

    fn is_eligible(&self, one: &Weighed<'_>) -> bool {
        one.utility > ELIGIBLE || self.residue.contains(&one.trace.id())
    }

    /// D-081, D-082, DG-9. Fills the reserve, rarest missing regime first; one episode may meet several criteria.
    fn fill_reserve(&mut self, chosen: &mut Vec<Weighed<'a>>, rest: &[Weighed<'a>]) -> Vec<Criterion> {
        let mut places = reserve(self.size);
        let mut wanted = std::mem::take(&mut self.carried);
        wanted.extend(self.criteria.iter().copied());
        wanted.dedup();
        let mut unmet = Vec::new();
        for criterion in wanted {
            let meets = |one: &Weighed<'_>| self.meets(one.trace, criterion);
            if chosen.iter().any(meets) || unmet.contains(&criterion) {
                continue;
            }
            match rest.iter().filter(|one| !self.taken.contains(&one.trace.id())).find(|one| meets(one)) {
                Some(one) if places > 0 => {
                    places -= 1;
                    self.taken.insert(one.trace.id());
                    chosen.push(*one);
                }
                _ => unmet.push(criterion),
            }
        }
        unmet
    }

    fn meets(&self, trace: &Trace, criterion: Criterion) -> bool {
        match criterion {
            Criterion::Regime(regime) => trace.recorded.episode.regime == Some(regime),
            Criterion::OldestThird => self.oldest.contains(&trace.id()),
            Criterion::HighArousal => self.most_aroused == Some(trace.id()),
        }
    }
}

/// D-081. What the reserve looks for: regimes of the last 30 days, rarest first, then the oldest third, then the most
/// aroused (only with a Daimon, D-082).
fn criteria(frozen: &Frozen, recorded: &[Recorded]) -> Vec<Criterion> {
    let mut counts: BTreeMap<Regime, usize> = BTreeMap::new();
    for regime in recorded.iter().filter_map(|one| one.episode.regime) {
        *counts.entry(regime).or_default() += 1;
    }
    let mut regimes: Vec<Regime> = regimes_seen(recorded, frozen.opened.at).into_iter().collect();
    regimes.sort_by_key(|regime| (counts.get(regime).copied().unwrap_or(0), *regime));
    let mut all: Vec<Criterion> = regimes.into_iter().map(Criterion::Regime).collect();
    all.push(Criterion::OldestThird);
    if frozen.mood.is_some() {
        all.push(Criterion::HighArousal);
    }
    all
}

/// D-088. The best of them with the lives they belong to: episodes of one position stay together where they fit, so that
/// analysis, entry, holds and exit are read as one.
fn whole_lives<'a>(sorted: &[Weighed<'a>], size: usize) -> Vec<Weighed<'a>> {
    let mut chosen: Vec<Weighed<'a>> = Vec::new();
    let mut done: BTreeSet<EpisodeId> = BTreeSet::new();
    for one in sorted {
        let room = size - chosen.len();
        if room == 0 {
            break;
        }
        if done.contains(&one.trace.id()) {
            continue;
        }
        let is_of_life = |other: &&Weighed<'a>| match (one.trace.position(), other.trace.position()) {
            (Some(here), Some(there)) => here == there,
            _ => one.trace.id() == other.trace.id(),
        };
        let mut life: Vec<Weighed<'a>> = sorted.iter().filter(is_of_life).copied().collect();
        if life.len() > size {
            life.truncate(room);
        } else if life.len() > room {
            continue;
        }
        life.sort_by_key(|one| (Reverse(one.utility), one.trace.recorded.episode.happened, one.trace.id()));
        done.extend(life.iter().map(|one| one.trace.id()));
        chosen.extend(life);
    }
    chosen
}
