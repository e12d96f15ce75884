//! A Curator's cycle to test with.

use std::collections::{BTreeMap, BTreeSet};

use golem_grimoire::confidence::Votes;
use golem_grimoire::curator::{CountedLink, CuratorInput, CuratorPass, curate, put_in_order};
use golem_grimoire::episode::Recorded;
use golem_grimoire::gate::Quarantined;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::Domain;
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::shelf::Grimoire;
use golem_mortality::demurrage::KnowledgePressure;
use golem_mortality::phase::Phase;
use golem_primitives::Ppm;

use crate::make::golem;

/// A cycle to be told things before it runs.
pub(crate) struct Cycle {
    pub(crate) grimoire: Grimoire,
    pub(crate) episodes: Vec<Recorded>,
    pub(crate) votes: BTreeMap<EntryId, Votes>,
    pub(crate) checks: Vec<(EntryId, bool)>,
    pub(crate) links: Option<Vec<CountedLink>>,
    pub(crate) quarantine: Vec<Quarantined>,
    pub(crate) domain_fitness: BTreeMap<Domain, Ppm>,
    pub(crate) law: GrimoireLaw,
    pub(crate) phase: Phase,
    pub(crate) pressure: KnowledgePressure,
    pub(crate) held: BTreeSet<EntryId>,
    pub(crate) now: Moment,
}

impl Cycle {
    pub(crate) fn new(grimoire: Grimoire, now: Moment) -> Self {
        let pressure = KnowledgePressure {
            economic_critical: false,
            senescent: false,
            now: now.tick,
            reference_lifespan: 1_000_000,
        };
        Self {
            grimoire,
            episodes: Vec::new(),
            votes: BTreeMap::new(),
            checks: Vec::new(),
            links: None,
            quarantine: Vec::new(),
            domain_fitness: BTreeMap::new(),
            law: GrimoireLaw::default(),
            phase: Phase::Thriving,
            pressure,
            held: BTreeSet::new(),
            now,
        }
    }

    pub(crate) fn run(&self) -> CuratorPass {
        self.checked(curate)
    }

    /// The last cycle of a life.
    pub(crate) fn put_in_order(&self) -> CuratorPass {
        self.checked(put_in_order)
    }

    fn checked(&self, cycle: fn(&CuratorInput<'_>) -> CuratorPass) -> CuratorPass {
        let pass = cycle(&CuratorInput {
            golem: golem(),
            law: &self.law,
            grimoire: &self.grimoire,
            episodes: &self.episodes,
            votes: &self.votes,
            checks: &self.checks,
            links: self.links.as_deref(),
            quarantine: &self.quarantine,
            domain_fitness: &self.domain_fitness,
            fitness: Ppm::ONE,
            phase: self.phase,
            pressure: self.pressure,
            held: &self.held,
            now: self.now,
        });
        // The law of the pass: its changes, one by one, give what stands beside them.
        let mut replayed = self.grimoire.clone();
        for change in &pass.changes {
            replayed.apply(change.clone(), self.now).expect("a change the Curator wanted is one the law allows");
        }
        assert_eq!(replayed, pass.grimoire);
        pass
    }
}
